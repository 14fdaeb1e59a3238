/*
 * Counts for inverses, from the layout alone. Runs of two kinds of loops make an inverse, and the readers of each tile are known:
 *
 *     trtri    X = L^-1                  triangular solve (src/solve/trsm.c); X is lower triangular like A
 *     potri    the same, then A_ij = sum X_ki^H X_kj, k >= i >= j      (src/inverse/potri.c)
 *     getri    X = U^-H, X = L^-H X      the same solve twice (src/inverse/getri.c); the owner of A's (j,i) owns tile (i,j) of X
 */
#include "src/choose/choose.h"

#include <stdlib.h>

struct tally {
    const ompfact_matrix *A;
    bool transposed;        /* whether X is transposed */
    int *ranks, *more;      /* scratch: lists of readers */
    unsigned char *seen;    /* scratch: zero between two uses, like the scratch of the layout */
    double *flops;          /* [rank]: flops in the present run */
    double most, longest, all;      /* sums over runs: of the most loaded rank, of its time, of all ranks */
    int64_t transfers, elements;
};

/* ---- X's layout --------------------------------------------------------------------------------------------------------- */

static int owner(const struct tally *t, int i, int j)
{
    return t->transposed ? layout_owner(t->A->layout, j, i) : layout_owner(t->A->layout, i, j);
}

/* Of the first tiles of row i. */
static int owners_of_row(const struct tally *t, int i, int count, int *ranks)
{
    const struct layout *l = t->A->layout;
    return (t->transposed ? layout_column_owners : layout_row_owners)(l, i, 0, count, ranks, t->seen);
}

static int owners_of_column(const struct tally *t, int j, int from, int to, int *ranks)
{
    const struct layout *l = t->A->layout;
    return (t->transposed ? layout_row_owners : layout_column_owners)(l, j, from, to, ranks, t->seen);
}

static double size(const struct tally *t, int i)
{
    return tiling_size(&t->A->rows, i);
}

/* Rows of the tile rows from .. to-1. */
static double rows_between(const struct tally *t, int from, int to)
{
    return (double)(t->A->rows.start[to] - t->A->rows.start[from]);
}

/* These ranks read tile (i,j). */
static void add_readers(struct tally *t, int i, int j, int count)
{
    int readers = others(t->ranks, count, owner(t, i, j));
    t->transfers += readers;
    t->elements += (int64_t)(readers * size(t, i) * size(t, j));
}

/* ---- runs --------------------------------------------------------------------------------------------------------------- */

static void begin_run(struct tally *t)
{
    for (int rank = 0; rank < t->A->ranks; rank++)
        t->flops[rank] = 0;
}

static void end_run(struct tally *t)
{
    const double *speeds = t->A->shape.speeds;
    double most = 0, longest = 0;
    for (int rank = 0; rank < t->A->ranks; rank++) {
        double flops = t->flops[rank], time = speeds == NULL ? flops : flops / speeds[rank];
        most = flops > most ? flops : most;
        longest = time > longest ? time : longest;
        t->all += flops;
    }
    t->most += most;
    t->longest += longest;
}

/* op(T) X = B, with the order of from_left() in src/solve/trsm.c: k goes down, or up; X is lower triangular, or has all tiles. */
static void count_solve(struct tally *t, bool down, bool triangular)
{
    int nt = t->A->nt;
    begin_run(t);
    for (int k = 0; k < nt; k++) {
        int columns = triangular ? k + 1 : nt, first = down ? k + 1 : 0, end = down ? nt : k;
        add_readers(t, k, k, owners_of_row(t, k, columns, t->ranks));
        for (int m = first; m < end; m++)
            add_readers(t, m, k, owners_of_row(t, m, columns, t->ranks));
        for (int n = 0; n < columns; n++) {
            double before = down ? rows_between(t, triangular ? n : 0, k) : rows_between(t, k + 1, nt);
            t->flops[owner(t, k, n)] += size(t, k) * size(t, n) * (size(t, k) + 2 * before);
            add_readers(t, k, n, owners_of_column(t, n, first, end, t->ranks));
        }
    }
    end_run(t);
}

/* Adds the ranks of the second list that the first list lacks. */
static int join(const struct tally *t, int count, int more)
{
    for (int i = 0; i < count; i++)
        t->seen[t->ranks[i]] = 1;
    int all = count;
    for (int i = 0; i < more; i++)
        if (!t->seen[t->more[i]])
            t->ranks[all++] = t->more[i];
    for (int i = 0; i < count; i++)
        t->seen[t->ranks[i]] = 0;
    return all;
}

/* A_ij = sum X_ki^H X_kj: the ranks of row i up to the diagonal, and of column i from there down to row k, read X_ki. */
static void count_product(struct tally *t)
{
    int nt = t->A->nt;
    begin_run(t);
    for (int i = 0; i < nt; i++) {
        for (int j = 0; j <= i; j++)
            t->flops[owner(t, i, j)] += (i == j ? 1 : 2) * size(t, i) * size(t, j) * rows_between(t, i, nt);
        for (int k = i; k < nt; k++) {
            int count = owners_of_row(t, i, i + 1, t->ranks);
            add_readers(t, k, i, join(t, count, owners_of_column(t, i, i, k + 1, t->more)));
        }
    }
    end_run(t);
}

static void count_runs(struct tally *t, bool triangular)
{
    count_solve(t, true, true);
    if (triangular)
        return;
    if (stores_triangle(&t->A->shape))
        count_product(t);
    else
        count_solve(t, false, false);
}

bool inverse_count(const ompfact_matrix *A, bool triangular, struct task_counts *counts)
{
    size_t ranks = (size_t)A->ranks;
    CLEANUP(free_at) int *lists = malloc(2 * ranks * sizeof *lists);
    CLEANUP(free_at) unsigned char *seen = calloc(ranks, 1);
    CLEANUP(free_at) double *flops = malloc(ranks * sizeof *flops);
    *counts = (struct task_counts){ .wire_transfers = -1, .wire_bytes = -1, .flops_max_over_mean = 1, .abe_max_over_mean = 1 };
    if (lists == NULL || seen == NULL || flops == NULL)
        return false;
    struct tally t = { .A = A, .transposed = !stores_triangle(&A->shape), .ranks = lists, .more = lists + ranks, .seen = seen,
                       .flops = flops };
    count_runs(&t, triangular);
    if (t.all > 0) {
        double together = 0;
        for (int rank = 0; rank < A->ranks; rank++)
            together += A->shape.speeds == NULL ? 1 : A->shape.speeds[rank];
        counts->transfers = t.transfers;
        counts->transfer_bytes = t.elements * (int64_t)A->precision->size;
        counts->flops_max_over_mean = t.most * A->ranks / t.all;
        counts->abe_max_over_mean = t.longest * together / t.all;
    }
    return true;
}
