/* Short names for tile columns. */
#include "layouts/arithmetic.h"
#include "layouts/layout.h"

#include <stdlib.h>
#include <string.h>

/* Columns of the pattern that have no rank in common share a number. */
struct numbering {
    const struct layout *l;
    unsigned char *has;     /* [number * ranks + rank] */
    int numbers;
};

static bool shares_rank(const struct numbering *n, int col, int number)
{
    const struct layout *l = n->l;
    for (int row = 0; row < l->rows; row++)
        if (n->has[(int64_t)number * l->ranks + l->cell[(int64_t)row * l->cols + col]])
            return true;
    return false;
}

/* Adds a number that no column has. False: no memory. */
static bool add_number(struct numbering *n)
{
    size_t ranks = (size_t)n->l->ranks, before = (size_t)n->numbers * ranks;
    unsigned char *more = realloc(n->has, before + ranks);
    if (more == NULL)
        return false;
    memset(more + before, 0, ranks);
    n->has = more;
    n->numbers++;
    return true;
}

/* The first number that the column can share. -1: no memory. */
static int number_of(struct numbering *n, int col)
{
    const struct layout *l = n->l;
    int number = 0;
    while (number < n->numbers && shares_rank(n, col, number))
        number++;
    if (number == n->numbers && !add_number(n))
        return -1;
    for (int row = 0; row < l->rows; row++)
        n->has[(int64_t)number * l->ranks + l->cell[(int64_t)row * l->cols + col]] = 1;
    return number;
}

int layout_number_columns(const struct layout *l, int *number)
{
    const double MOST_CHECKS = 2e7;
    struct numbering n = { .l = l };
    int cols = least(l->cols, l->nt);
    bool made = true;
    for (int col = 0; made && col < cols && (double)l->rows * cols * n.numbers <= MOST_CHECKS; col++)
        made = (number[col] = number_of(&n, col)) >= 0;
    free(n.has);
    if (!made)
        return 0;
    if ((double)l->rows * cols * n.numbers > MOST_CHECKS) {
        n.numbers = cols;
        for (int col = 0; col < cols; col++)
            number[col] = col;
    }
    for (int j = cols; j < l->nt; j++)
        number[j] = number[j - cols] + n.numbers;
    return ((l->nt - 1) / cols + 1) * n.numbers;
}
