/* Counts of tiles by their form: ranks of compressed tiles, precisions of others. */
#include "src/matrix/matrix.h"

#include <math.h>

/* The stored bytes of a tile of this rank. */
static int64_t bytes_of(const ompfact_matrix *A, int i, int j)
{
    int64_t m = tiling_size(&A->rows, i), n = tiling_size(&A->cols, j), rank = ompfact_tile_rank(A, i, j);
    int64_t bytes = (int64_t)A->precision->size * (rank == TILE_DENSE ? m * n : rank * (m + n));
    return bytes >> kept_precision(A, i, j);
}

ompfact_status ompfact_count_ranks(ompfact_matrix *A, ompfact_tile_ranks *ranks)
{
    ompfact_grid *grid = A->grid;
    int64_t size = (int64_t)A->precision->size, sums[5] = { 0 };
    enum { DENSE, LOW, RANKS, BYTES, DENSE_BYTES };
    int most = -1;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        if (is_unused(A, i, j))
            continue;
        int m = tiling_size(&A->rows, i), n = tiling_size(&A->cols, j), rank = ompfact_tile_rank(A, i, j);
        sums[DENSE] += rank == TILE_DENSE;
        sums[LOW] += rank != TILE_DENSE;
        sums[RANKS] += rank != TILE_DENSE ? rank : 0;
        sums[BYTES] += bytes_of(A, i, j);
        sums[DENSE_BYTES] += size * m * n;
        most = rank > most ? rank : most;
    }
    TRY_MPI(grid, rma_allreduce(grid->rma, sums, 5, MPI_INT64_T, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, &most, 1, MPI_INT, MPI_MAX));
    *ranks = (ompfact_tile_ranks){ .dense_tiles = sums[DENSE],
                                   .rank_mean = sums[LOW] > 0 ? (double)sums[RANKS] / (double)sums[LOW] : NAN, .rank_max = most,
                                   .bytes = sums[BYTES], .dense_bytes = sums[DENSE_BYTES] };
    return OMPFACT_SUCCESS;
}

/* Collects the result of each tile's owner on all ranks. Collective. */
static ompfact_status map_tiles(ompfact_matrix *A, int (*find)(const ompfact_matrix *A, int i, int j), int *found)
{
    enum { PIECE = 1 << 20, NOT_STORED = -2 };
    int64_t tiles = (int64_t)A->mt * A->nt;
    for (int64_t k = 0; k < tiles; k++)
        found[k] = NOT_STORED;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);)
        if (!is_unused(A, i, j))
            found[(int64_t)i * A->nt + j] = find(A, i, j);
    for (int64_t first = 0; first < tiles; first += PIECE)
        TRY_MPI(A->grid, rma_allreduce(A->grid->rma, found + first, tiles - first < PIECE ? (int)(tiles - first) : PIECE, MPI_INT,
                                       MPI_MAX));
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_rank_map(ompfact_matrix *A, int *ranks)
{
    return map_tiles(A, ompfact_tile_rank, ranks);
}

static int precision_number(const ompfact_matrix *A, int i, int j)
{
    return (int)kept_precision(A, i, j);
}

ompfact_status ompfact_precision_map(ompfact_matrix *A, int *precisions)
{
    return map_tiles(A, precision_number, precisions);
}

ompfact_status ompfact_count_precisions(ompfact_matrix *A, ompfact_tile_precisions *precisions)
{
    enum { DOUBLES, SINGLES, BF16S, WIDENED, BYTES, COUNTS };       /* the first ones as in enum tile_precision */
    int64_t sums[COUNTS] = { 0 };
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        if (is_unused(A, i, j))
            continue;
        sums[filled_precision(A, i, j)]++;
        sums[WIDENED] += kept_precision(A, i, j) < filled_precision(A, i, j);
        sums[BYTES] += bytes_of(A, i, j);
    }
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, sums, COUNTS, MPI_INT64_T, MPI_SUM));
    *precisions = (ompfact_tile_precisions){ .double_tiles = sums[DOUBLES], .single_tiles = sums[SINGLES],
                                             .bf16_tiles = sums[BF16S], .widened = sums[WIDENED], .bytes = sums[BYTES] };
    return OMPFACT_SUCCESS;
}
