/*
 * Layouts for tiles of uneven work, as in block-low-rank matrices. Beaumont, Eyraud-Dubois, Verite, "2D Static Resource
 * Allocation for Compressed Linear Algebra and Communication Constraints", slides, SOLHARIS & HPC Scalable Ecosystems, 2020.
 */
#ifndef OMPFACT_LAYOUTS_UNEVEN_UNEVEN_H
#define OMPFACT_LAYOUTS_UNEVEN_UNEVEN_H

#include "layouts/work.h"

/* The arguments of a scheme; 0: the scheme chooses the value. */
struct uneven {
    const struct layout_question *question;
    int alpha;          /* alpha in thousandths */
    int limit;          /* most distinct ranks on a tile row, and on a tile column: floor(alpha sqrt(P)) */
    int q;              /* number of subsets of rs and rsp */
    int size;           /* size of the pattern of rsp */
    int draw;           /* index of the draw of random subsets of rs and rsp */
};

/* A scheme that limits the ranks of a line. */
struct uneven_scheme {
    const char *name;
    int arguments;              /* number of its arguments, of alpha, q and size */
    const char *form;           /* the form of the arguments */
    int (*build)(const struct uneven *uneven, struct pattern **pattern, char *text);    /* 0, or 1 and a text */
};

/* The scheme's pattern, with its arguments in its name; returns like the functions of builders.h. */
int uneven_create(const struct uneven_scheme *scheme, const char *args, const struct layout_question *question,
                  struct pattern **pattern, char *text);
/* Returns 1 and a text if there are too few or too many ranks or tiles. */
int uneven_check(const char *scheme, const struct layout_question *question, char *text);

/* Returns 1 and a text: the scheme needs a limit of at least this. */
int refuse_alpha(const char *scheme, const struct uneven *uneven, int limit, char *text);

/* The work of a tile. */
static inline double tile_weight(const struct layout_question *q, int i, int j)
{
    if (q->weights == NULL)
        return (double)layout_work(q->algorithm, i, j);
    double weight = q->mirrored ? q->weights[(int64_t)j * q->mt + i] : q->weights[(int64_t)i * q->nt + j];
    return q->weight_scale > 0 ? weight * q->weight_scale : weight;
}

/* The end of the columns of tile row i that have tiles. */
static inline int row_end(const struct layout_question *q, int i)
{
    return q->algorithm == LAYOUT_CHOLESKY && i + 1 < q->nt ? i + 1 : q->nt;
}

/* Work to be assigned: a tile of a matrix, or a cell of a pattern, with the sum of its tiles. */
struct piece {
    double work;
    int i, j;
};
/* Heaviest first, row by row among equals. */
void sort_pieces(struct piece *pieces, int64_t count);
/* The work of the cells of a rows x cols pattern over the matrix, row by row; NULL: no memory. */
double *cell_work(const struct layout_question *q, int rows, int cols);

/* The load of the most loaded rank over the mean. */
double max_over_mean(const double *load, int ranks);

/* Keeps the better one of two patterns and destroys the other. *best is NULL at first. */
void keep_better(struct pattern **best, double *best_load, struct pattern *pattern, double load);

/* Whether rank `one` should take a piece of this work rather than `other`: it has less load, or fewer pieces if the piece has
   no work, because then loads would never change. */
static inline bool takes_before(const double *load, const int64_t *pieces, int one, int other, double work)
{
    return work > 0 ? load[one] < load[other] : pieces[one] < pieces[other];
}

#endif
