#include "src/io/mtx.h"
#include "src/io/io.h"
#include "src/io/mtx_words.h"

#include <inttypes.h>
#include <math.h>

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

/* Names that other programs write for the same field. */
static const struct {
    const char *name, *means;
} aliases[] = { { "double", "real" }, { "unsigned-integer", "integer" }, { "int", "integer" } };

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

const char *mtx_array_field(const struct mtx *mtx)
{
    return mtx->format == ARRAY ? banner[2].name[mtx->field] : NULL;
}

const char *mtx_other_symmetry(const struct mtx *mtx, bool hermitian)
{
    const bool is_other = mtx->field == COMPLEX && mtx->symmetry == (hermitian ? SYMMETRIC : HERMITIAN);
    return mtx->symmetry == SKEW || is_other ? banner[3].name[mtx->symmetry] : NULL;
}

int mtx_scan(struct mtx *mtx, char text[IO_TEXT])
{
    static const char mark[] = "\xEF\xBB\xBF";      /* the byte order mark of a UTF-8 text */
    size_t begin = mtx->map_size >= 3 && memcmp(mtx->map, mark, 3) == 0 ? 3 : 0;
    struct scan scan = {mtx->map + begin, mtx->map + mtx->map_size, 1, mtx->path, text, 0};
    if (read_banner(&scan, mtx) || read_size(&scan, mtx))
        return 1;
    mtx->data = scan.at;
    return 0;
}

int mtx_open(const char *path, struct mtx *mtx, char text[IO_TEXT])
{
    *mtx = (struct mtx){0};
    if (io_map_open(path, &mtx->map, &mtx->map_size, text))
        return 1;
    mtx->path = strdup(path);
    if (!mtx->path ? io_fail(text, path, "no memory to open it") : mtx_scan(mtx, text)) {
        mtx_close(mtx);
        return 1;
    }
    return 0;
}

void mtx_close(struct mtx *mtx)
{
    io_map_close(mtx->map, mtx->map_size);
    free(mtx->path);
    *mtx = (struct mtx){0};
}

/* ---- entries ------------------------------------------------------------------------------------------------------------ */

struct entry {
    int64_t i, j;
    double re, im;
};

/* The factor of the mirror image of an entry, by symmetry. */
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

/* Array files list columns, each from the first row that is stored. */
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
