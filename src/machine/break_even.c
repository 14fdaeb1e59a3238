#include "src/machine/break_even.h"

#include "omp/kernels/truncation.h"
#include "src/machine/kernel_rates.h"
#include "src/machine/machine_known.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The ranks that are tried, as fractions of the tile's order. There are few, because measured times differ a little from run to
   run and results are not to. */
static const double shares[] = { 1. / 32, 1. / 24, 1. / 16, 1. / 12, 1. / 10, 1. / 8, 1. / 6, 1. / 5, 1. / 4 };
enum { SHARES = sizeof shares / sizeof shares[0], CALLS = 3 };

/* Dense tiles of one order, and factors with columns for two low-rank tiles side by side. */
struct bench {
    const struct precision *precision;
    int nb;
    char *A, *B, *C;        /* nb x nb */
    char *U, *V, *W;        /* 2 nb x nb */
};

static void fill(const struct precision *p, int64_t count, char *values)
{
    uint64_t state = 1;
    for (int64_t i = 0; i < count; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        p->set(values + (size_t)i * p->size, (double)(int64_t)state * 0x1p-63, 0);
    }
}

static void update_dense(const struct bench *b, int rank)
{
    (void)rank;
    b->precision->kernels->gemm(NO_TRANS, CONJ_TRANS, b->nb, b->nb, b->nb, -1, b->A, b->nb, b->B, b->nb, b->C, b->nb);
}

/* Appends the product of two tiles to the columns of a third one, and truncates the third one to its old number of columns: the
   product is small, and the tile's singular values are about nb / 3. */
static void update_low_rank(const struct bench *b, int rank)
{
    const struct precision *p = b->precision;
    const struct kernels *k = p->kernels;
    struct low_rank_work w = { .precision = p };
    int nb = b->nb, ld = 2 * nb;
    size_t half = (size_t)nb * p->size, column = 2 * half;
    char *Z = b->A, *R = b->B, *behind = b->W + (size_t)rank * column;
    k->clear(rank, rank, b->C, rank);
    k->gemm(CONJ_TRANS, NO_TRANS, rank, rank, nb, 1, b->U + half, ld, b->V + half, ld, b->C, rank);
    low_rank_reduce(&w, rank, rank, b->C, 0, Z, R);
    k->clear(nb, rank, behind, ld);
    k->gemm(NO_TRANS, NO_TRANS, nb, rank, rank, -1e-9, b->U, ld, Z, rank, behind, ld);
    k->clear(nb, rank, behind + half, ld);
    k->gemm(NO_TRANS, CONJ_TRANS, nb, rank, rank, 1, b->V, ld, R, rank, behind + half, ld);
    memcpy(b->W, b->U, (size_t)rank * column);
    low_rank_truncate(&w, nb, nb, b->W, 2 * rank, 0.03 * nb);
}

static double least_time(const struct bench *b, void (*update)(const struct bench *b, int rank), int rank)
{
    double least = INFINITY;
    for (int i = 0; i < CALLS; i++) {
        double start = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
        update(b, rank);
        double took = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
        least = took < least ? took : least;
    }
    return least;
}

/* Returns the rank; 0: no memory. */
static int measure(const struct precision *precision, int nb)
{
    size_t tile = (size_t)nb * (size_t)nb * precision->size;
    struct bench b = { .precision = precision, .nb = nb };
    char *all = malloc(9 * tile);
    if (all == NULL)
        return 0;
    b.A = all, b.B = all + tile, b.C = all + 2 * tile, b.U = all + 3 * tile, b.V = all + 5 * tile, b.W = all + 7 * tile;
    fill(precision, 9 * (int64_t)nb * nb, all);
    double dense = least_time(&b, update_dense, nb);
    fill(precision, 9 * (int64_t)nb * nb, all);
    int best = 0;
    for (int i = 0; i < SHARES; i++) {
        int rank = (int)(shares[i] * nb);
        if (rank > 0 && least_time(&b, update_low_rank, rank) > dense)
            break;
        best = rank;
    }
    free(all);
    return best > 0 ? best : 1;
}

ompfact_status break_even_rank(ompfact_grid *grid, char type, int nb, int *rank)
{
    struct machine_known *known;
    const int order = BREAK_EVEN_ORDER;
    int found = 0;
    TRY(machine_of_grid(grid, &known));
    if (rma_rank(grid->rma) == 0) {
        found = grid->typical_rates ? order / 8 : machine_low_rank(&known->machine, type, order);
        if (found == 0 && !grid->typical_rates) {
            found = measure(precision_of(type), order);
            machine_keep_low_rank(known, (struct machine_low_rank){ type, order, found });
        }
    }
    TRY_MPI(grid, rma_bcast(grid->rma, &found, 1, MPI_INT, 0));
    *rank = (int)((int64_t)found * nb / order);
    return OMPFACT_SUCCESS;
}
