/* Map files in Chameleon's form: "rows cols", then the ranks row by row, separated by any white space. */
#include "layouts/words.h"

static int read_cell(struct word_reader *r, const struct pattern *p, int index)
{
    int i = index / p->cols, j = index % p->cols;
    char expected[80];
    snprintf(expected, sizeof expected, "the rank of cell (%d,%d) of %d x %d", i, j, p->rows, p->cols);

    long value;
    if (words_number(r, expected, &value))
        return 1;
    if (value == LAYOUT_FREE && (i != j || p->rows != p->cols))
        return refuse_at_line(r, "cell (%d,%d) is -1: only the diagonal of a square map may be free", i, j);
    if (value != LAYOUT_FREE && (value < 0 || value >= p->ranks))
        return refuse_at_line(r, "rank %s in cell (%d,%d): the ranks are 0 to %d", r->word, i, j, p->ranks - 1);
    p->cell[index] = (int)value;
    return 0;
}

static int read_map(struct word_reader *r, int ranks, struct pattern **pattern)
{
    int rows = 0, cols = 0;
    if (words_size(r, "a number of rows", &rows) || words_size(r, "a number of columns", &cols))
        return 1;
    if ((int64_t)rows * cols > INT32_MAX)
        return refuse_at_line(r, "%d x %d cells are too many", rows, cols);
    if (words_lack(r, (int64_t)rows * cols))    /* before their memory is allocated */
        return refuse_at_line(r, "%d x %d cells, and the file is too short for so many", rows, cols);

    struct pattern *p = *pattern = pattern_alloc(ranks, rows, cols);
    if (p == NULL)
        return refuse_at_line(r, "no memory for %d x %d cells", rows, cols);
    snprintf(p->name, sizeof p->name, "file:%s", r->path);

    for (int index = 0; index < rows * cols; index++)
        if (read_cell(r, p, index))
            return 1;
    if (next_word(r))
        return refuse_at_line(r, "\"%s\" follows the last of %d x %d ranks", r->word, rows, cols);
    return 0;
}

int pattern_read(const char *path, int ranks, struct pattern **pattern, char text[LAYOUT_TEXT])
{
    *pattern = NULL;
    struct word_reader reader;
    if (words_open(&reader, path, "ranks", text))
        return 1;

    int failed = read_map(&reader, ranks, pattern);
    if (failed)
        pattern_destroy(pattern);
    words_close(&reader);
    return failed;
}
