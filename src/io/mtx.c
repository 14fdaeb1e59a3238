#include "src/io/mtx.h"
#include "src/io/io.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <strings.h>

/* ---- scanning ----------------------------------------------------------------------------------------------------------- */

struct scan {
    const char *at, *end;
    int64_t line;
    const char *path;
    char *text;
    int side;               /* of a triangle, on which entries lie: 1 below the diagonal, -1 above it, 0: not known yet */
};

struct mtx_word {
    const char *at;
    int length;             /* 0 at the end of a line */
};

__attribute__((format(printf, 2, 3)))
static int fail_at(const struct scan *s, const char *format, ...)
{
    char what[IO_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return io_fail(s->text, s->path, "line %" PRId64 ": %s", s->line, what);
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline void skip_blanks(struct scan *s)
{
    while (s->at < s->end && is_blank(*s->at))
        s->at++;
}

static inline bool at_line_end(struct scan *s)
{
    skip_blanks(s);
    return s->at == s->end || *s->at == '\n';
}

enum { LONGEST = 512 };     /* what is longer is cut, and then its line has too many words */

static inline struct mtx_word take_word(struct scan *s)
{
    skip_blanks(s);
    const char *first = s->at;
    while (s->at < s->end && *s->at != '\n' && !is_blank(*s->at) && s->at - first < LONGEST)
        s->at++;
    return (struct mtx_word){first, (int)(s->at - first)};
}

/* As a "%.*s" takes it. */
static int shown(struct mtx_word w)
{
    return w.length < 40 ? w.length : 40;
}

static int end_line(struct scan *s)
{
    if (!at_line_end(s)) {
        const struct mtx_word w = take_word(s);
        return fail_at(s, "'%.*s' is too much on this line", shown(w), w.at);
    }
    if (s->at < s->end) {
        s->at++;
        s->line++;
    }
    return 0;
}

/* Goes to the first word of the next line that is neither blank nor a comment; false where there is none. */
static inline bool next_line(struct scan *s)
{
    while (s->at < s->end) {
        if (!at_line_end(s) && *s->at != '%')
            return true;
        const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
        s->line += newline != NULL;
        s->at = newline ? newline + 1 : s->end;
    }
    return false;
}

static int read_integer(struct scan *s, const char *what, int64_t *value)
{
    const struct mtx_word w = take_word(s);
    *value = 0;
    for (int k = 0; k < w.length; k++) {
        const int digit = w.at[k] - '0';
        if (digit < 0 || digit > 9 || *value > (INT64_MAX - digit) / 10)
            return fail_at(s, "'%.*s' is not %s", shown(w), w.at, what);
        *value = *value * 10 + digit;
    }
    return w.length > 0 ? 0 : fail_at(s, "%s is missing", what);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

/*
 * Plain decimals whose digits make an integer up to 2^53 take one exact conversion and one rounding (Clinger, "How to Read
 * Floating Point Numbers Accurately", PLDI 1990, section 4). Everything else is left to strtod.
 */
static bool quick_number(struct mtx_word w, double *x)
{
    static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
                                   1e17, 1e18};
    const bool negative = w.length > 0 && *w.at == '-';
    uint64_t digits = 0;
    int count = 0, point = -1;      /* digits so far; those before the point */
    for (int k = negative; k < w.length; k++) {
        if (w.at[k] == '.' && point < 0) {
            point = count;
            continue;
        }
        if (w.at[k] < '0' || w.at[k] > '9' || count == 18)
            return false;
        digits = digits * 10 + (uint64_t)(w.at[k] - '0');
        count++;
    }
    if (count == 0 || digits > (uint64_t)1 << 53)
        return false;
    *x = (double)digits / power[point < 0 ? 0 : count - point];
    *x = negative ? -*x : *x;
    return true;
}

static bool number(struct mtx_word w, double *x)
{
    char copy[LONGEST + 1], *end;
    if (quick_number(w, x))
        return true;
    memcpy(copy, w.at, (size_t)w.length);
    copy[w.length] = '\0';
    if (w.length == 0 || strpbrk(copy, "xX(\v\f"))     /* strtod's hexadecimal numbers, nan(...), leading space */
        return false;
    char *exponent = strpbrk(copy, "dD");               /* Fortran's */
    if (exponent)
        *exponent = 'e';
    *x = strtod(copy, &end);
    return end == copy + w.length;
}

/* ---- banner and size ------------------------------------------------------------------------------------------------------ */

enum { COORDINATE, ARRAY };
enum { REAL, COMPLEX, INTEGER };
enum { GENERAL, SYMMETRIC, HERMITIAN, SKEW };
enum { CHOICES = 4 };

static const struct choice {
    const char *what;
    const char *name[CHOICES];
} banner[] = {
    {"object", {"matrix"}},
    {"format", {[COORDINATE] = "coordinate", [ARRAY] = "array"}},
    {"field", {[REAL] = "real", [COMPLEX] = "complex", [INTEGER] = "integer"}},
    {"symmetry", {[GENERAL] = "general", [SYMMETRIC] = "symmetric", [HERMITIAN] = "hermitian", [SKEW] = "skew-symmetric"}},
};

/* Others write these, too. */
static const struct {
    const char *name, *means;
} aliases[] = { { "double", "real" }, { "unsigned-integer", "integer" }, { "int", "integer" } };

static bool same(struct mtx_word w, const char *name)
{
    return (size_t)w.length == strlen(name) && strncasecmp(w.at, name, (size_t)w.length) == 0;
}

static int choose(struct scan *s, const struct choice *c, int *chosen)
{
    struct mtx_word w = take_word(s);
    char names[80] = "";
    for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++)
        if (same(w, aliases[k].name))
            w = (struct mtx_word){ aliases[k].means, (int)strlen(aliases[k].means) };
    for (int k = 0; k < CHOICES && c->name[k]; k++) {
        if (same(w, c->name[k])) {
            *chosen = k;
            return 0;
        }
        const size_t at = strlen(names);
        snprintf(names + at, sizeof names - at, "%s%s", at > 0 ? ", " : "", c->name[k]);
    }
    if (same(w, "pattern"))
        return fail_at(s, "field 'pattern' has no values to factor; real, complex and integer have");
    return fail_at(s, "%s '%.*s' is not known; known: %s", c->what, shown(w), w.at, names);
}

static int read_banner(struct scan *s, struct mtx *mtx)
{
    int object;
    if (!same(take_word(s), "%%MatrixMarket"))
        return fail_at(s, "this is not a Matrix Market file: it does not begin with %%%%MatrixMarket");
    if (choose(s, &banner[0], &object) || choose(s, &banner[1], &mtx->format) || choose(s, &banner[2], &mtx->field) ||
        choose(s, &banner[3], &mtx->symmetry))
        return 1;
    if (mtx->symmetry == HERMITIAN && mtx->field != COMPLEX)
        mtx->symmetry = SYMMETRIC;
    mtx->type = mtx->field == COMPLEX ? 'z' : 'd';
    return end_line(s);
}

static int read_size(struct scan *s, struct mtx *mtx)
{
    if (!next_line(s))
        return fail_at(s, "the file ends before the line with its size");
    if (read_integer(s, "a number of rows", &mtx->rows) || read_integer(s, "a number of columns", &mtx->cols))
        return 1;
    if (mtx->symmetry != GENERAL && mtx->rows != mtx->cols)
        return fail_at(s, "%" PRId64 " x %" PRId64 " is not square, as a %s matrix must be", mtx->rows, mtx->cols,
                    banner[3].name[mtx->symmetry]);
    if (mtx->rows > 0 && mtx->cols > INT64_MAX / 2 / mtx->rows)
        return fail_at(s, "%" PRId64 " x %" PRId64 " is too large", mtx->rows, mtx->cols);
    if (mtx->format == COORDINATE && read_integer(s, "a number of entries", &mtx->entries))
        return 1;
    if (mtx->format == ARRAY)
        mtx->entries = mtx->symmetry == GENERAL ? mtx->rows * mtx->cols :
                       mtx->symmetry == SKEW ? mtx->rows * (mtx->rows - 1) / 2 : mtx->rows * (mtx->rows + 1) / 2;
    mtx->line = s->line;
    return end_line(s);
}

const char *mtx_not_hermitian(const struct mtx *mtx)
{
    bool is_not = mtx->symmetry == SKEW || (mtx->symmetry == SYMMETRIC && mtx->field == COMPLEX);
    return is_not ? banner[3].name[mtx->symmetry] : NULL;
}

int mtx_scan(struct mtx *mtx, char text[IO_TEXT])
{
    static const char mark[] = "\xEF\xBB\xBF";      /* that a text is UTF-8 */
    size_t begin = mtx->map_size >= 3 && memcmp(mtx->map, mark, 3) == 0 ? 3 : 0;
    struct scan scan = {mtx->map + begin, mtx->map + mtx->map_size, 1, mtx->path, text, 0};
    if (read_banner(&scan, mtx) || read_size(&scan, mtx))
        return 1;
    mtx->data = scan.at;
    return 0;
}

int mtx_open(const char *path, struct mtx *mtx, char text[IO_TEXT])
{
    struct io_map map;
    *mtx = (struct mtx){0};
    if (io_map_open(path, &map, text))
        return 1;
    mtx->map = map.bytes;
    mtx->map_size = map.size;
    mtx->path = strdup(path);
    if (!mtx->path ? io_fail(text, path, "no memory to open it") : mtx_scan(mtx, text)) {
        mtx_close(mtx);
        return 1;
    }
    return 0;
}

void mtx_close(struct mtx *mtx)
{
    struct io_map map = {mtx->map, mtx->map_size};
    io_map_close(&map);
    free(mtx->path);
    *mtx = (struct mtx){0};
}

/* ---- entries ------------------------------------------------------------------------------------------------------------ */

struct entry {
    int64_t i, j;
    double re, im;
};

/* What the entry above the diagonal is to the one below. */
static const struct {
    double re, im;
} images[] = {
    [SYMMETRIC] = {1, 1},
    [HERMITIAN] = {1, -1},
    [SKEW] = {-1, -1},
};

static int read_value(struct scan *s, const struct mtx *mtx, double *x)
{
    const struct mtx_word w = take_word(s);
    if (number(w, x) && (mtx->field != INTEGER || *x == floor(*x)))
        return 0;
    if (w.length == 0)
        return fail_at(s, "a value is missing");
    return fail_at(s, "'%.*s' is not %s", shown(w), w.at, mtx->field == INTEGER ? "an integer" : "a number");
}

static int read_place(struct scan *s, const struct mtx *mtx, struct entry *e)
{
    if (read_integer(s, "a row number", &e->i) || read_integer(s, "a column number", &e->j))
        return 1;
    if (e->i < 1 || e->i > mtx->rows || e->j < 1 || e->j > mtx->cols)
        return fail_at(s, "entry (%" PRId64 ", %" PRId64 ") lies outside the %" PRId64 " x %" PRId64 " matrix", e->i, e->j,
                    mtx->rows, mtx->cols);
    int side = (e->i > e->j) - (e->i < e->j);
    if (mtx->symmetry != GENERAL && side * s->side < 0)
        return fail_at(s, "entry (%" PRId64 ", %" PRId64 ") lies on the other side of the diagonal than those before it; of a %s "
                    "matrix one triangle is stored", e->i, e->j, banner[3].name[mtx->symmetry]);
    s->side = side != 0 ? side : s->side;
    if (mtx->symmetry == SKEW && e->i == e->j)
        return fail_at(s, "entry (%" PRId64 ", %" PRId64 ") lies on the diagonal, which a skew-symmetric file leaves out", e->i,
                    e->j);
    e->i--;
    e->j--;
    return 0;
}

static int read_entry(struct scan *s, const struct mtx *mtx, struct entry *e)
{
    if (mtx->format == COORDINATE && read_place(s, mtx, e))
        return 1;
    if (read_value(s, mtx, &e->re) || (mtx->field == COMPLEX && read_value(s, mtx, &e->im)))
        return 1;
    if (mtx->symmetry == HERMITIAN && e->i == e->j && e->im != 0)
        return fail_at(s, "diagonal entry (%" PRId64 ", %" PRId64 ") of a hermitian matrix is not real", e->i + 1, e->j + 1);
    return end_line(s);
}

static void deliver(const struct mtx *mtx, const struct entry *e, mtx_entry *callback, void *context)
{
    callback(context, e->i, e->j, e->re, e->im);
    if (mtx->symmetry != GENERAL && e->i != e->j)
        callback(context, e->j, e->i, e->re * images[mtx->symmetry].re, e->im * images[mtx->symmetry].im);
}

/* Array files go down the columns, from the first row that is stored. */
static void advance(const struct mtx *mtx, struct entry *e)
{
    if (++e->i < mtx->rows)
        return;
    e->j++;
    e->i = mtx->symmetry == GENERAL ? 0 : e->j + (mtx->symmetry == SKEW);
}

int mtx_each(const struct mtx *mtx, mtx_entry *callback, void *context, char text[IO_TEXT])
{
    struct scan scan = {mtx->data, mtx->map + mtx->map_size, mtx->line + 1, mtx->path, text, 0};
    struct entry e = {.i = mtx->symmetry == SKEW};
    for (int64_t k = 0; k < mtx->entries; k++) {
        if (!next_line(&scan))
            return fail_at(&scan, "the file ends after %" PRId64 " of %" PRId64 " entries", k, mtx->entries);
        if (read_entry(&scan, mtx, &e))
            return 1;
        deliver(mtx, &e, callback, context);
        if (mtx->format == ARRAY)
            advance(mtx, &e);
    }
    if (!next_line(&scan))
        return 0;
    if (mtx->format == ARRAY && mtx->symmetry != GENERAL)
        return fail_at(&scan, "there are more than the %" PRId64 " values of a triangle: of a %s array the lower one is stored, "
                       "by columns; a whole matrix is general", mtx->entries, banner[3].name[mtx->symmetry]);
    return fail_at(&scan, "there are more than the %" PRId64 " entries announced", mtx->entries);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------ */

/* Every line has the same width, so that a place in the matrix gives the place in the file. */
static const struct form {
    char type;
    const char *field;
    int parts;              /* numbers on a line, each followed by one character */
    int width, precision;   /* of "%*.*e": 9 and 17 significant digits give a float and a double back */
} forms[] = {
    {'s', "real",    1, 15, 8},
    {'d', "real",    1, 24, 16},
    {'c', "complex", 2, 15, 8},
    {'z', "complex", 2, 24, 16},
};

enum { FORMS = sizeof forms / sizeof *forms };

static int line_width(const struct form *f)
{
    return f->parts * (f->width + 1);
}

static const struct form *form_of(char type)
{
    for (int k = 0; k < FORMS; k++)
        if (forms[k].type == type)
            return &forms[k];
    return NULL;
}

int mtx_create(const char *path, char type, int64_t rows, int64_t cols, char text[IO_TEXT])
{
    const struct form *f = form_of(type);
    char header[128];
    if (!f)
        return io_fail(text, path, "no Matrix Market field for precision '%c'; s, d, c and z have one", type);
    if (rows < 0 || cols < 0 || (rows > 0 && cols > (INT64_MAX - (int64_t)sizeof header) / line_width(f) / rows))
        return io_fail(text, path, "a matrix of %" PRId64 " x %" PRId64 " does not fit into a file", rows, cols);
    const int length = snprintf(header, sizeof header, "%%%%MatrixMarket matrix array %s general\n%" PRId64 " %" PRId64 "\n",
                                f->field, rows, cols);
    return io_create(path, header, (size_t)length, length + rows * cols * line_width(f), text);
}

int mtx_write_open(const char *path, struct mtx_writer *writer, char text[IO_TEXT])
{
    struct mtx mtx;
    *writer = (struct mtx_writer){.fd = -1};
    if (mtx_open(path, &mtx, text))
        return 1;
    writer->rows = mtx.rows;
    writer->cols = mtx.cols;
    writer->start = mtx.data - mtx.map;
    const int64_t bytes = (int64_t)mtx.map_size - writer->start;
    for (int k = 0; k < FORMS; k++)     /* the banner does not tell single precision from double: the file's size does */
        if (mtx.format == ARRAY && strcmp(forms[k].field, banner[2].name[mtx.field]) == 0 &&
            bytes == mtx.rows * mtx.cols * line_width(&forms[k]))
            writer->type = forms[k].type;
    mtx_close(&mtx);
    if (!writer->type)
        return io_fail(text, path, "has not the size that mtx_create gave it");
    return io_write_open(path, &writer->fd, &writer->path, text);
}

/* A line at `to`, which has room for a '\0' after it. */
static void print_line(const struct form *f, const void *tile, size_t k, char *to)
{
    for (int part = 0; part < f->parts; part++) {
        const size_t at = k * (size_t)f->parts + (size_t)part;
        const double x = f->precision == 8 ? (double)((const float *)tile)[at] : ((const double *)tile)[at];
        to += snprintf(to, (size_t)f->width + 2, "%*.*e%c", f->width, f->precision, x, part + 1 < f->parts ? ' ' : '\n');
    }
}

int mtx_write_tile(const struct mtx_writer *writer, int64_t i0, int64_t j0, int rows, int cols, const void *tile, int ld,
                   char text[IO_TEXT])
{
    enum { LINES = 256 };
    const struct form *f = form_of(writer->type);
    const int width = line_width(f);
    char buffer[LINES * 50 + 1];
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i += LINES) {
            const int lines = rows - i < LINES ? rows - i : LINES;
            for (int k = 0; k < lines; k++)
                print_line(f, tile, (size_t)j * (size_t)ld + (size_t)(i + k), buffer + k * width);
            const int64_t offset = writer->start + ((j0 + j) * writer->rows + i0 + i) * width;
            const int error = io_write_at(writer->fd, buffer, (size_t)(lines * width), offset);
            if (error)
                return io_fail(text, writer->path, "cannot be written: %s", strerror(error));
        }
    return 0;
}

int mtx_write_close(struct mtx_writer *writer, char text[IO_TEXT])
{
    return io_write_close(writer->fd, &writer->path, text);
}
