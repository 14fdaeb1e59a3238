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

/* floor(alpha sqrt(P)), and the least alpha with which it is as large as this; in thousandths. */
int uneven_limit(int alpha, int ranks);
int uneven_alpha(int limit, int ranks);
const char *alpha_text(int alpha, char text[16]);
/* Returns 1 and a text: the scheme needs so large a limit. */
int refuse_alpha(const char *scheme, const struct uneven *uneven, int limit, char *text);

/* Work of a tile. */
static inline double tile_weight(const struct layout_question *q, int i, int j)
{
    if (!q->weights) return (double)layout_work(q->algorithm, i, j);
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

/* Whether the one rank should take a piece of this work rather than the other: it has less load or, where the piece is no work and loads
   would never change, fewer pieces. */
static inline int takes_before(const double *load, const int64_t *pieces, int one, int other, double work)
{
    return work > 0 ? load[one] < load[other] : pieces[one] < pieces[other];
}

/* ---- schemes: 0, or 1 and a text ------------------------------------------------------------------------------------- */

/* Block cyclic hybrid: 2DBC, but for a band of so many diagonals, whose tiles go round all ranks, column by column. */
int create_bch(const struct layout_question *question, int width, struct pattern **pattern, char *text);
/* Block cyclic extended: a pattern of up to `limit` rows and columns, whose cells go to the least loaded rank, heaviest first. */
int create_bce(const struct uneven *uneven, struct pattern **pattern, char *text);
/* Random subsets: each tile goes to the least loaded rank of a subset for its row and one for its column. */
int create_rs(const struct uneven *uneven, struct pattern **pattern, char *text);
/* The same for the cells of a pattern, which repeats. */
int create_rsp(const struct uneven *uneven, struct pattern **pattern, char *text);

/* Is the name, before its colon, one of these schemes'? */
int is_uneven_scheme(const char *name);
const char *uneven_scheme(int k);       /* its name; past the last one NULL */
int uneven_create(const char *name, const struct layout_question *question, struct pattern **pattern, char *text);

/* ---- subsets of ranks -------------------------------------------------------------------------------------------------- */

/* So many sets of at most `limit` ranks, as bits: set s has rank r if has_rank(set_of(..., s), r). */
struct subsets {
    int ranks, words, count;
    uint64_t *bits;
};

static inline const uint64_t *set_of(const struct subsets *s, int set)
{
    return s->bits + (int64_t)set * s->words;
}
static inline int has_rank(const uint64_t *set, int rank)
{
    return (int)(set[rank / 64] >> (rank % 64) & 1);
}

/*
 * Families for rows and for columns, each set of one meeting each set of the other: every rank is in some set of either.
 * `symmetric`: one family whose sets meet each other, in rows; cols->count is 0. Subsets grow from those of a pattern in which they
 * meet: rows and columns of G-2DBC, or the colrows of a design. Returns 0, or 1 and a text; destroyed by subsets_destroy() either
 * way.
 */
int subsets_create(const struct uneven *uneven, int symmetric, struct subsets *rows, struct subsets *cols, char *text);
void subsets_destroy(struct subsets *subsets);

#endif
