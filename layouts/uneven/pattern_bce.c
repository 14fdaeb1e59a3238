/*
 * Block cyclic extended (slides, section 3.2): a pattern of up to alpha sqrt(P) rows and columns, block-cyclic over the
 * matrix. The weight of a cell is the sum of the weights of its tiles, nearly the same for each cell. Cells go to the least
 * loaded rank, heaviest first. A tile row has the ranks of one pattern row, at most as many as the row has cells.
 *
 * The slides extend a grid r x c of all ranks to alpha r x alpha c, which exceeds alpha sqrt(P) on one side unless r = c. Here
 * all sizes within the limit are compared: first by how evenly their cells can be dealt, then by the load.
 */
#include "layouts/arithmetic.h"
#include "layouts/refusal.h"
#include "layouts/uneven/uneven.h"

#include <stdlib.h>

struct shape {
    int rows, cols;
    int64_t uneven;     /* most cells of a rank relative to the mean, in millionths */
};

enum { SHAPES = 32 };

static bool before(const struct shape *a, const struct shape *b)
{
    if (a->uneven != b->uneven)
        return a->uneven < b->uneven;
    return (int64_t)a->rows * a->cols > (int64_t)b->rows * b->cols;
}

/* The most promising sizes, in order. Returns their number. */
static int list_shapes(const struct uneven *u, struct shape *list)
{
    const struct layout_question *q = u->question;
    int count = 0, ranks = q->ranks;
    for (int rows = 1; rows <= u->limit && rows <= q->mt; rows++)
        for (int cols = 1; cols <= u->limit && cols <= q->nt; cols++) {
            int64_t cells = (int64_t)rows * cols, share = (cells - 1) / ranks + 1;
            struct shape here = { rows, cols, share * ranks * 1000000 / cells };
            if (count == SHAPES && !before(&here, &list[count - 1]))
                continue;
            int k = count < SHAPES ? count++ : count - 1;
            for (; k > 0 && before(&here, &list[k - 1]); k--)
                list[k] = list[k - 1];
            list[k] = here;
        }
    return count;
}

static int next_rank(const double *load, const int64_t *held, int ranks, double work)
{
    int best = 0;
    for (int rank = 1; rank < ranks; rank++)
        if (takes_before(load, held, rank, best, work))
            best = rank;
    return best;
}

/* Deals the cells; `load` and `held` become the work and the number of cells of each rank. NULL: no memory. */
static struct pattern *deal(const struct layout_question *q, const struct shape *shape, double *load, int64_t *held)
{
    int cells = shape->rows * shape->cols;
    double *work = cell_work(q, shape->rows, shape->cols);
    struct piece *pieces = malloc((size_t)cells * sizeof *pieces);
    struct pattern *p = work != NULL && pieces != NULL ? pattern_alloc(q->ranks, shape->rows, shape->cols) : NULL;
    for (int c = 0; c < cells && p != NULL; c++)
        pieces[c] = (struct piece){ work[c], c / shape->cols, c % shape->cols };
    if (p != NULL)
        sort_pieces(pieces, cells);
    for (int rank = 0; rank < q->ranks; rank++) {
        load[rank] = 0;
        held[rank] = 0;
    }
    for (int c = 0; c < cells && p != NULL; c++) {
        int rank = next_rank(load, held, q->ranks, pieces[c].work);
        load[rank] += pieces[c].work;
        held[rank]++;
        p->cell[pieces[c].i * shape->cols + pieces[c].j] = rank;
    }
    free(work);
    free(pieces);
    return p;
}

static int build_bce(const struct uneven *u, struct pattern **pattern, char *text)
{
    const struct layout_question *q = u->question;
    struct shape list[SHAPES];
    double best = 0;
    int side = ceil_sqrt(q->ranks);     /* the pattern needs a cell for each rank */
    if (u->limit < side)
        return refuse_alpha("bce", u, side, text);
    double *load = malloc((size_t)q->ranks * sizeof *load);
    int64_t *held = malloc((size_t)q->ranks * sizeof *held);
    int count = load != NULL && held != NULL ? list_shapes(u, list) : 0;
    for (int k = 0; k < count; k++) {
        struct pattern *p = deal(q, &list[k], load, held);
        if (p != NULL)
            keep_better(pattern, &best, p, max_over_mean(load, q->ranks));
    }
    free(load);
    free(held);
    return *pattern != NULL ? 0 : layout_refuse(text, "no memory for layout bce on %d ranks", q->ranks);
}

int create_bce(const char *args, const struct layout_question *q, struct pattern **pattern, char *text)
{
    static const struct uneven_scheme bce = { "bce", 1, "alpha=A", build_bce };
    return uneven_create(&bce, args, q, pattern, text);
}
