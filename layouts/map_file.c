/*
 * Map files, as Chameleon reads them: "rows cols", then the ranks row by row, separated by any white space.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "layouts/internal.h"

struct map_reader {
    FILE *file;
    const char *path;
    int line;           /* of the token last read */
    char token[32];     /* cut where longer, with '?' for what cannot be printed */
    char *text;
};

enum token { TOKEN_END, TOKEN_NUMBER, TOKEN_OTHER };

/* The end of a path says most, and leaves room for the message. */
static const char *tail(const char *path)
{
    const size_t most = 120;
    size_t length = strlen(path);
    return length > most ? path + length - most : path;
}

static int refuse_at_line(struct map_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int refuse_at_line(struct map_reader *r, const char *format, ...)
{
    char message[LAYOUT_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return layout_refuse(r->text, "%s:%d: %s", tail(r->path), r->line, message);
}

static enum token next_token(struct map_reader *r, long *value)
{
    int c = getc(r->file);
    for (; c != EOF && isspace(c); c = getc(r->file))
        r->line += c == '\n';
    if (c == EOF) return TOKEN_END;

    size_t length = 0;
    for (; c != EOF && !isspace(c); c = getc(r->file))
        if (length + 1 < sizeof r->token) r->token[length++] = (char)(isgraph(c) ? c : '?');
    r->token[length] = '\0';
    ungetc(c, r->file);     /* a newline counts when the next token is sought; EOF is not pushed back */

    char *end;
    *value = strtol(r->token, &end, 10);    /* out of range it saturates, which no check below lets pass */
    return *end == '\0' && length + 1 < sizeof r->token ? TOKEN_NUMBER : TOKEN_OTHER;
}

static int read_number(struct map_reader *r, const char *wanted, long *value)
{
    enum token kind = next_token(r, value);
    if (kind == TOKEN_NUMBER) return 0;
    if (kind == TOKEN_OTHER) return refuse_at_line(r, "\"%s\" is not a number; wanted %s", r->token, wanted);
    if (ferror(r->file)) return refuse_at_line(r, "cannot be read");
    return refuse_at_line(r, "the file ends; wanted %s", wanted);
}

static int read_size(struct map_reader *r, const char *wanted, int *size)
{
    long value;
    if (read_number(r, wanted, &value)) return 1;
    if (value < 1 || value > INT32_MAX) return refuse_at_line(r, "%s is not %s", r->token, wanted);
    *size = (int)value;
    return 0;
}

static int read_cell(struct map_reader *r, const struct pattern *p, int index)
{
    int i = index / p->cols, j = index % p->cols;
    char wanted[80];
    snprintf(wanted, sizeof wanted, "the rank of cell (%d,%d) of %d x %d", i, j, p->rows, p->cols);

    long value;
    if (read_number(r, wanted, &value)) return 1;
    if (value == LAYOUT_FREE && (i != j || p->rows != p->cols))
        return refuse_at_line(r, "cell (%d,%d) is -1: only the diagonal of a square map may be free", i, j);
    if (value != LAYOUT_FREE && (value < 0 || value >= p->ranks))
        return refuse_at_line(r, "rank %s in cell (%d,%d): the ranks are 0 to %d", r->token, i, j, p->ranks - 1);
    p->cell[index] = (int)value;
    return 0;
}

static int read_map(struct map_reader *r, int ranks, struct pattern **pattern)
{
    int rows = 0, cols = 0;
    if (read_size(r, "a number of rows", &rows) || read_size(r, "a number of columns", &cols)) return 1;
    if ((int64_t)rows * cols > INT32_MAX) return refuse_at_line(r, "%d x %d cells are too many", rows, cols);

    struct pattern *p = *pattern = pattern_alloc(ranks, rows, cols);
    if (!p) return refuse_at_line(r, "no memory for %d x %d cells", rows, cols);
    snprintf(p->name, sizeof p->name, "file:%s", r->path);

    for (int index = 0; index < rows * cols; index++)
        if (read_cell(r, p, index)) return 1;
    long extra;
    if (next_token(r, &extra) != TOKEN_END)
        return refuse_at_line(r, "\"%s\" follows the last of %d x %d ranks", r->token, rows, cols);
    return 0;
}

int pattern_read(const char *path, int ranks, struct pattern **pattern, char text[LAYOUT_TEXT])
{
    *pattern = NULL;
    struct map_reader reader = {.file = fopen(path, "r"), .path = path, .line = 1, .text = text};
    if (!reader.file) return layout_refuse(text, "%s: %s", tail(path), strerror(errno));

    int failed = read_map(&reader, ranks, pattern);
    if (failed) pattern_destroy(pattern);
    fclose(reader.file);
    return failed;
}

/* ---- writing -------------------------------------------------------------------------------------------------------- */

static void write_rank(FILE *file, int j, int rank)
{
    fprintf(file, j == 0 ? "%d" : " %d", rank);
}

static int finish(FILE *file)
{
    return fflush(file) != 0 || ferror(file);
}

int pattern_write(const struct pattern *pattern, FILE *file)
{
    const int *cell = pattern->cell;
    fprintf(file, "%d %d\n", pattern->rows, pattern->cols);
    for (int i = 0; i < pattern->rows; i++) {
        for (int j = 0; j < pattern->cols; j++)
            write_rank(file, j, *cell++);
        putc('\n', file);
    }
    return finish(file);
}

int layout_write_owners(const struct layout *l, int mirrored, FILE *file)
{
    int rows = mirrored ? l->nt : l->mt, cols = mirrored ? l->mt : l->nt;
    fprintf(file, "%d %d\n", rows, cols);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < cols; c++) {
            int i = mirrored ? c : r, j = mirrored ? r : c;
            write_rank(file, c, layout_is_stored(l, i, j) ? layout_owner(l, i, j) : -1);
        }
        putc('\n', file);
    }
    return finish(file);
}
