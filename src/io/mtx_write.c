/* Matrix Market files written tile by tile. */
#include "src/io/c_locale.h"
#include "src/io/io.h"
#include "src/io/mtx.h"

#include <inttypes.h>

/* Every line has the same width, so that the place of an element in the matrix determines its place in the file. */
static const struct form {
    char type;
    const char *field;
    int parts;              /* numbers on a line, each followed by one character */
    int width, precision;   /* of "%*.*e": 9 and 17 significant digits restore a float and a double exactly */
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

int mtx_write_open(const char *path, struct io_writer *writer, char text[IO_TEXT])
{
    struct mtx mtx;
    *writer = (struct io_writer){.path = NULL};
    if (mtx_open(path, &mtx, text))
        return 1;
    writer->rows = mtx.rows;
    writer->start = mtx.data - mtx.map;
    const int64_t bytes = (int64_t)mtx.map_size - writer->start;
    const char *field = mtx_array_field(&mtx);
    for (int k = 0; k < FORMS; k++)     /* the size of the file shows whether the precision is single or double; the banner does
                                           not */
        if (field != NULL && strcmp(forms[k].field, field) == 0 &&
            bytes == mtx.rows * mtx.cols * line_width(&forms[k]))
            writer->type = forms[k].type;
    mtx_close(&mtx);
    if (!writer->type)
        return io_fail(text, path, "has not the size that mtx_create gave it");
    return io_write_open(path, writer, text);
}

/* Prints a line at `to`, where there must be room for a '\0' after it. */
static void print_line(const struct form *f, const void *tile, size_t k, char *to)
{
    for (int part = 0; part < f->parts; part++) {
        const size_t at = k * (size_t)f->parts + (size_t)part;
        const double x = f->precision == 8 ? (double)((const float *)tile)[at] : ((const double *)tile)[at];
        to += snprintf(to, (size_t)f->width + 2, "%*.*e%c", f->width, f->precision, x, part + 1 < f->parts ? ' ' : '\n');
    }
}

/* Prints `lines` consecutive lines at `to`, from element k of a tile on. The memory must have room for one more line. */
static void print_lines(const struct form *f, const void *tile, size_t k, int lines, char *to)
{
    struct c_locale c = c_locale_begin();
    for (int line = 0; line < lines; line++)
        print_line(f, tile, k + (size_t)line, to + line * line_width(f));
    c_locale_end(c);
}

int mtx_write_tile(const struct io_writer *writer, int64_t i0, int64_t j0, int rows, int cols, const void *tile, int ld,
                   char text[IO_TEXT])
{
    enum { LINES = 256 };
    const struct form *f = form_of(writer->type);
    const int width = line_width(f);
    char buffer[LINES * 50 + 1];
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i += LINES) {
            const int lines = rows - i < LINES ? rows - i : LINES;
            print_lines(f, tile, (size_t)j * (size_t)ld + (size_t)i, lines, buffer);
            const int64_t offset = writer->start + ((j0 + j) * writer->rows + i0 + i) * width;
            const int error = io_write_at(writer->fd, buffer, (size_t)(lines * width), offset);
            if (error)
                return io_fail(text, writer->path, "cannot be written: %s", strerror(error));
        }
    return 0;
}
