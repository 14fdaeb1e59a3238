#include "src/io/npy.h"
#include "src/io/io.h"

#include <inttypes.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the files are little-endian and are read and written as they are");

/* ---- element types ---------------------------------------------------------------------------------------------------- */

/* Transposes blocks of 8 x 8: rows of a large file often lie a power of two apart, and so in few sets of a cache. */
static inline void transpose(size_t size, const char *from, size_t from_row, int rows, int cols, char *to, size_t to_col)
{
    for (int i0 = 0; i0 < rows; i0 += 8)
        for (int j0 = 0; j0 < cols; j0 += 8)
            for (int j = j0; j < cols && j < j0 + 8; j++)
                for (int i = i0; i < rows && i < i0 + 8; i++)
                    memcpy(to + (size_t)j * to_col + (size_t)i * size, from + (size_t)i * from_row + (size_t)j * size, size);
}

/* A constant size makes each copy one load and one store. */
static void transpose_elements(size_t size, const char *from, size_t from_row, int rows, int cols, char *to, size_t to_col)
{
    if (size == 4)
        transpose(4, from, from_row, rows, cols, to, to_col);
    else if (size == 8)
        transpose(8, from, from_row, rows, cols, to, to_col);
    else
        transpose(16, from, from_row, rows, cols, to, to_col);
}

/* An integer of `size` bytes as a double. */
static double number(const char *at, size_t size, bool is_signed)
{
    uint64_t bits = 0;
    memcpy(&bits, at, size);
    const unsigned above = 64 - 8 * (unsigned)size;
    return is_signed ? (double)((int64_t)(bits << above) >> above) : (double)bits;
}

struct npy_type {
    char type;
    const char *descr;
    size_t size;
    enum { REAL, SIGNED, UNSIGNED } kind;       /* real or complex; or integers */
};

/* The first entry of each type is the one that is written. Elements of one byte have no byte order: NumPy writes '|', other
   programs '<'. */
static const struct npy_type types[] = {
    {'s', "<f4",  4,  REAL},
    {'d', "<f8",  8,  REAL},
    {'c', "<c8",  8,  REAL},
    {'z', "<c16", 16, REAL},
    {'d', "|b1",  1,  UNSIGNED},
    {'d', "|i1",  1,  SIGNED},
    {'d', "<i1",  1,  SIGNED},
    {'d', "<i2",  2,  SIGNED},
    {'d', "<i4",  4,  SIGNED},
    {'d', "<i8",  8,  SIGNED},
    {'d', "|u1",  1,  UNSIGNED},
    {'d', "<u1",  1,  UNSIGNED},
    {'d', "<u2",  2,  UNSIGNED},
    {'d', "<u4",  4,  UNSIGNED},
    {'d', "<u8",  8,  UNSIGNED},
};

enum { TYPES = sizeof types / sizeof *types };

static const struct npy_type *type_of(char type)
{
    for (int k = 0; k < TYPES; k++)
        if (types[k].type == type)
            return &types[k];
    return NULL;
}

enum { START = 128 };   /* offset of the data in a file of npy_create. The format requires a multiple of 64, and the headers
                           written here are shorter */

/* Bytes of a matrix, or -1 where they exceed a file of 2^63 - 1 bytes. */
static int64_t matrix_bytes(int64_t rows, int64_t cols, size_t size)
{
    if (rows < 0 || cols < 0)
        return -1;
    if (rows > 0 && cols > (INT64_MAX - START) / (int64_t)size / rows)
        return -1;
    return rows * cols * (int64_t)size;
}

/* ---- the header: a Python dict ------------------------------------------------------------------------------------------ */

struct scan {
    const char *at, *end;
    const char *path;
    char *text;
};

static int malformed(const struct scan *s, const char *what)
{
    return io_fail(s->text, s->path, "its header is malformed at %s: write it with numpy.save", what);
}

static bool see(struct scan *s, char c)
{
    while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at)
        s->at++;
    return s->at < s->end && *s->at == c;
}

static bool take(struct scan *s, char c)
{
    const bool seen = see(s, c);
    s->at += seen;
    return seen;
}

static bool take_word(struct scan *s, const char *word)
{
    const size_t length = strlen(word);
    if (!see(s, word[0]) || (size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

static bool take_string(struct scan *s, char *string, size_t room)
{
    const char quote = see(s, '"') ? '"' : '\'';
    if (!take(s, quote))
        return false;
    const char *close = memchr(s->at, quote, (size_t)(s->end - s->at));
    if (!close || (size_t)(close - s->at) >= room)
        return false;
    memcpy(string, s->at, (size_t)(close - s->at));
    string[close - s->at] = '\0';
    s->at = close + 1;
    return true;
}

static bool take_integer(struct scan *s, int64_t *value)
{
    see(s, '0');
    const char *first = s->at;
    *value = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++) {
        const int digit = *s->at - '0';
        if (*value > (INT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    const bool digits = s->at > first;
    take(s, 'L');       /* the suffix of Python 2's long integers */
    return digits;
}

static int read_descr(struct scan *s, struct npy *npy)
{
    char descr[32];
    if (!take_string(s, descr, sizeof descr))
        return io_fail(s->text, s->path, "its elements are structured; ompfact reads <f4, <f8, <c8, <c16 and integers");
    for (int k = 0; k < TYPES; k++)
        if (strcmp(descr, types[k].descr) == 0) {
            npy->stored = &types[k];
            npy->type = types[k].type;
            npy->integers = types[k].kind != REAL;
            return 0;
        }
    return io_fail(s->text, s->path, "its elements are '%s'; ompfact reads <f4, <f8, <c8, <c16 and little-endian integers: "
                   "convert with numpy's astype", descr);
}

static int read_order(struct scan *s, struct npy *npy)
{
    npy->fortran_order = take_word(s, "True");
    return npy->fortran_order || take_word(s, "False") ? 0 : malformed(s, "'fortran_order'");
}

static int read_shape(struct scan *s, struct npy *npy)
{
    int64_t size[2] = {1, 1};
    int dimensions = 0;
    if (!take(s, '('))
        return malformed(s, "'shape'");
    while (!take(s, ')')) {
        int64_t value;
        if (!take_integer(s, &value) || (!take(s, ',') && !see(s, ')')))
            return malformed(s, "'shape' (sizes are integers of at most 63 bits)");
        if (dimensions < 2)
            size[dimensions] = value;
        dimensions++;
    }
    if (dimensions < 1 || dimensions > 2)
        return io_fail(s->text, s->path, "it has %d dimensions; a matrix has 2 and a vector 1: reshape it", dimensions);
    npy->rows = size[0];
    npy->cols = size[1];
    return 0;
}

static const struct key {
    const char *name;
    int (*read)(struct scan *s, struct npy *npy);
} keys[] = {
    {"descr", read_descr},
    {"fortran_order", read_order},
    {"shape", read_shape},
};

enum { KEYS = sizeof keys / sizeof *keys };

static int read_dict(struct scan *s, struct npy *npy)
{
    bool seen[KEYS] = {false};
    if (!take(s, '{'))
        return malformed(s, "its beginning");
    while (!take(s, '}')) {
        char name[32];
        int k = 0;
        if (!take_string(s, name, sizeof name) || !take(s, ':'))
            return malformed(s, "a key");
        while (k < KEYS && strcmp(name, keys[k].name) != 0)
            k++;
        if (k == KEYS || seen[k])
            return io_fail(s->text, s->path, "its header has %s key '%s'", k == KEYS ? "an unknown" : "twice the", name);
        seen[k] = true;
        if (keys[k].read(s, npy))
            return 1;
        if (!take(s, ',') && !see(s, '}'))
            return malformed(s, "a comma");
    }
    see(s, '}');
    if (s->at != s->end)
        return malformed(s, "its end");
    for (int k = 0; k < KEYS; k++)
        if (!seen[k])
            return io_fail(s->text, s->path, "its header lacks '%s': write it with numpy.save", keys[k].name);
    return 0;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

/* Reads the magic string, the version, and the length of the header: 2 bytes in version 1, otherwise 4, little-endian. */
static int read_header(const char *path, struct npy *npy, char *text)
{
    const unsigned char *b = (const unsigned char *)npy->map;
    if (npy->map_size < 8 || memcmp(b, "\x93NUMPY", 6) != 0)
        return io_fail(text, path, "is not a .npy file: it does not begin with numpy's magic string");
    if (b[6] < 1 || b[6] > 3)
        return io_fail(text, path, "is of version %d of the .npy format; 1, 2 and 3 are known", b[6]);
    const size_t prefix = b[6] == 1 ? 10 : 12;
    if (npy->map_size < prefix)
        return io_fail(text, path, "is truncated: it ends inside its header");
    const size_t length = (size_t)b[8] | (size_t)b[9] << 8 | (b[6] == 1 ? 0 : (size_t)b[10] << 16 | (size_t)b[11] << 24);
    if (npy->map_size - prefix < length)
        return io_fail(text, path, "is truncated: its header lacks %zu bytes", length - (npy->map_size - prefix));
    npy->data = npy->map + prefix + length;
    struct scan scan = {npy->map + prefix, npy->data, path, text};
    return read_dict(&scan, npy);
}

static int check_size(const char *path, const struct npy *npy, char *text)
{
    const int64_t bytes = matrix_bytes(npy->rows, npy->cols, npy->stored->size);
    const int64_t held = npy->map + npy->map_size - npy->data;
    if (bytes < 0)
        return io_fail(text, path, "its shape (%" PRId64 ", %" PRId64 ") is too large for any file", npy->rows, npy->cols);
    if (held < bytes)
        return io_fail(text, path, "is truncated: %" PRId64 " bytes are missing of the %" PRId64 " that its shape (%" PRId64 ", %"
                       PRId64 ") needs: write it again", bytes - held, bytes, npy->rows, npy->cols);
    return 0;
}

int npy_scan(const char *path, struct npy *npy, char text[IO_TEXT])
{
    return read_header(path, npy, text) || check_size(path, npy, text);
}

int npy_open(const char *path, struct npy *npy, char text[IO_TEXT])
{
    *npy = (struct npy){0};
    if (io_map_open(path, &npy->map, &npy->map_size, text))
        return 1;
    if (npy_scan(path, npy, text)) {
        npy_close(npy);
        return 1;
    }
    return 0;
}

void npy_close(struct npy *npy)
{
    io_map_close(npy->map, npy->map_size);
    *npy = (struct npy){0};
}

static void read_integers(const struct npy *npy, int64_t i0, int64_t j0, int rows, int cols, double *block, int ld)
{
    const size_t size = npy->stored->size;
    const int64_t down = npy->fortran_order ? 1 : npy->cols, across = npy->fortran_order ? npy->rows : 1;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            block[(size_t)j * (size_t)ld + (size_t)i] =
                number(npy->data + (size_t)((i0 + i) * down + (j0 + j) * across) * size, size, npy->stored->kind == SIGNED);
}

void npy_read_tile(const struct npy *npy, int64_t i0, int64_t j0, int rows, int cols, void *block, int ld)
{
    const struct npy_type *t = npy->stored;
    const size_t to_col = (size_t)ld * t->size;
    if (rows == 0 || cols == 0)     /* a file without elements may declare any size of the other dimension */
        return;
    if (npy->integers) {
        read_integers(npy, i0, j0, rows, cols, block, ld);
        return;
    }
    if (!npy->fortran_order && npy->cols > 1) {
        const char *from = npy->data + (size_t)(i0 * npy->cols + j0) * t->size;
        transpose_elements(t->size, from, (size_t)npy->cols * t->size, rows, cols, block, to_col);
        return;
    }
    for (int j = 0; j < cols; j++)
        memcpy((char *)block + (size_t)j * to_col, npy->data + (size_t)((j0 + j) * npy->rows + i0) * t->size,
               (size_t)rows * t->size);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------ */

int npy_create(const char *path, char type, int64_t rows, int64_t cols, char text[IO_TEXT])
{
    const struct npy_type *t = type_of(type);
    if (!t)
        return io_fail(text, path, "no .npy type for precision '%c'; s, d, c and z have one", type);
    const int64_t bytes = matrix_bytes(rows, cols, t->size);
    if (bytes < 0)
        return io_fail(text, path, "a matrix of %" PRId64 " x %" PRId64 " does not fit into a file", rows, cols);
    char header[START + 1];
    const int length = snprintf(header, sizeof header, "\x93NUMPY\x01%c%c%c{'descr': '%s', 'fortran_order': True, 'shape': (%"
                                PRId64 ", %" PRId64 "), }", 0, START - 10, 0, t->descr, rows, cols);
    memset(header + length, ' ', (size_t)(START - 1 - length));
    header[START - 1] = '\n';
    return io_create(path, header, START, START + bytes, text);
}

int npy_write_open(const char *path, struct io_writer *writer, char text[IO_TEXT])
{
    struct npy npy;
    *writer = (struct io_writer){.path = NULL};
    if (npy_open(path, &npy, text))
        return 1;
    writer->type = npy.type;
    writer->rows = npy.rows;
    writer->start = npy.data - npy.map;
    const bool fortran_order = npy.fortran_order, integers = npy.integers;
    npy_close(&npy);
    if (!fortran_order || integers)
        return io_fail(text, path, "%s; only a file made by npy_create is written to",
                       integers ? "has integers" : "is in C order");
    return io_write_open(path, writer, text);
}

int npy_write_tile(const struct io_writer *writer, int64_t i0, int64_t j0, int rows, int cols, const void *block, int ld,
                   char text[IO_TEXT])
{
    const size_t size = type_of(writer->type)->size;
    for (int j = 0; j < cols; j++) {
        const char *column = (const char *)block + (size_t)j * (size_t)ld * size;
        const int64_t offset = writer->start + ((j0 + j) * writer->rows + i0) * (int64_t)size;
        const int error = io_write_at(writer->fd, column, (size_t)rows * size, offset);
        if (error)
            return io_fail(text, writer->path, "cannot be written: %s", strerror(error));
    }
    return 0;
}
