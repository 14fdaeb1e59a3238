/*
 * Layouts for tiles that are uneven work, as those of block-low-rank matrices are. Beaumont, Eyraud-Dubois, Verite, "2D Static
 * Resource Allocation for Compressed Linear Algebra and Communication Constraints", slides, SOLHARIS & HPC Scalable Ecosystems,
 * 2020.
 */
#ifndef OMPFACT_LAYOUTS_UNEVEN_UNEVEN_H
#define OMPFACT_LAYOUTS_UNEVEN_UNEVEN_H

#include "layouts/work.h"

/* What a scheme is asked for; 0 where an argument is left to it. */
struct uneven {
    const struct layout_question *question;
    int alpha;          /* in thousandths: */
    int limit;          /*   at most floor(alpha sqrt(P)) distinct ranks on a tile row, and on a tile column */
    int q;              /* subsets of rs and rsp */
    int size;           /* of the pattern of rsp */
    int draw;           /* which one, of the subsets that rs and rsp draw */
};

/* A scheme that limits the ranks of a line. */
struct uneven_scheme {
    const char *name;
    int arguments;              /* how many of alpha, q and size it takes, */
    const char *form;           /*   and how they are written */
    int (*build)(const struct uneven *uneven, struct pattern **pattern, char *text);    /* 0, or 1 and a text */
};

/* The scheme's pattern, named with its arguments; as those of builders.h. */
int uneven_create(const struct uneven_scheme *scheme, const char *args, const struct layout_question *question,
                  struct pattern **pattern, char *text);
/* 1 and a text where there are too few or too many ranks or tiles. */
int uneven_check(const char *scheme, const struct layout_question *question, char *text);

/* Returns 1 and a text: the scheme needs so large a limit. */
int refuse_alpha(const char *scheme, const struct uneven *uneven, int limit, char *text);

/* Work of a tile. */
static inline double tile_weight(const struct layout_question *q, int i, int j)
{
    if (q->weights == NULL)
        return (double)layout_work(q->algorithm, i, j);
    double weight = q->mirrored ? q->weights[(int64_t)j * q->mt + i] : q->weights[(int64_t)i * q->nt + j];
    return q->weight_scale > 0 ? weight * q->weight_scale : weight;
}

/* Columns of tile row i that have tiles. */
static inline int row_end(const struct layout_question *q, int i)
{
    return q->algorithm == LAYOUT_CHOLESKY && i + 1 < q->nt ? i + 1 : q->nt;
}

/* Work that somebody is to take: the tiles of a matrix, or the cells of a pattern, each the sum of its tiles. */
struct piece {
    double work;
    int i, j;
};
/* Heaviest first, row by row where equal. */
void sort_pieces(struct piece *pieces, int64_t count);
/* The work of the cells of a rows x cols pattern over the matrix, row by row; NULL: no memory. */
double *cell_work(const struct layout_question *q, int rows, int cols);

/* The most loaded rank's over the mean. */
double max_over_mean(const double *load, int ranks);

/* The better one of two patterns; the other one goes. *best is NULL at first. */
void keep_better(struct pattern **best, double *best_load, struct pattern *pattern, double load);

/* Whether the one rank should take a piece of this work rather than the other: it has less load or, where the piece is no work
   and loads would never change, fewer pieces. */
static inline bool takes_before(const double *load, const int64_t *pieces, int one, int other, double work)
{
    return work > 0 ? load[one] < load[other] : pieces[one] < pieces[other];
}

#endif
