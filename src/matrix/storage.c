/*
 * The place of a tile: square block packed storage, addressed as in Gustavson, Karlsson, Kagstrom, "Distributed SBP Cholesky
 * Factorization Algorithms with Near-Optimal Scheduling", section 3, for any owner map and any tiling.
 *
 * A rank's tiles are stored consecutively, column by column, top to bottom. An auxiliary vector holds, for each tile column,
 * the offset of the rank's last tile in it. A tile is before that by the number of tiles that the rank has below it in the
 * column, which the layout returns in constant time:
 *
 *     offset(i,j) = last[j] - below(i,j) * stride(j),      stride(j) = (largest tile height) * (width of column j)
 *
 * (or, for compressed tiles, the largest possible size of such a tile: compressed.h).
 *
 * Checksums are behind each tile, in additional columns; the stride includes them.
 *
 * Because offsets are relative to the last tile, packed storage and full storage use the same code. Any rank can compute them
 * for any other, so the displacement of a remote tile needs no message. A tile is contiguous; its leading dimension is its
 * height.
 *
 * A matrix that has got more rows and columns keeps its first tiles in their place: in the storage, and the window, of the
 * former matrix, `leading`. Its own storage has the other tiles; in each tile column these are the tiles behind the leading
 * ones.
 */
#include "omp/kernels/tile_sums.h"
#include "src/matrix/matrix.h"

#include <stdlib.h>

static int64_t place(const ompfact_matrix *A, int m, int n)
{
    if (A->shape.accuracy > 0)
        return (int64_t)compressed_room(&A->shape, m, n);
    size_t size = A->precision->size, elements = (size_t)m * (size_t)n;
    if (A->has_sums)    /* tiles still begin at cache lines */
        elements = aligned((elements + (size_t)(room_for_sums(m, n) + (m > n ? m : n))) * size) / size;
    return (int64_t)elements;
}

static int64_t stride(const ompfact_matrix *A, int j)
{
    return place(A, A->rows.largest, tiling_size(&A->cols, j));
}

/* The number of the rank's tiles in column j in A's own storage. */
static int64_t own_count(const ompfact_matrix *A, int rank, int j)
{
    const ompfact_matrix *before = A->leading;
    return layout_count(A->layout, rank, j) - (before != NULL && j < before->nt ? layout_count(before->layout, rank, j) : 0);
}

/* Walks the columns of a rank; fills in `last` unless it is NULL. Returns the number of the rank's elements in A's own
   storage. */
static int64_t walk_columns(const ompfact_matrix *A, int rank, int64_t *last)
{
    int64_t elements = 0;
    if (A->mt == 0)
        return 0;
    for (int j = layout_first_column(A->layout, rank, 0); j < A->nt; j = layout_first_column(A->layout, rank, j + 1)) {
        elements += own_count(A, rank, j) * stride(A, j);
        if (last != NULL)
            last[j] = elements - stride(A, j);
    }
    return elements;
}

size_t matrix_own_bytes(const ompfact_matrix *A, int rank)
{
    return (size_t)walk_columns(A, rank, NULL) * A->precision->size;
}

size_t matrix_bytes(const ompfact_matrix *A, int rank)
{
    size_t bytes = 0;
    for (; A != NULL; A = A->leading)
        bytes += matrix_own_bytes(A, rank);
    return bytes;
}

size_t matrix_largest_tile(const ompfact_matrix *A)
{
    return (size_t)place(A, A->rows.largest, A->cols.largest) * A->precision->size;
}

/* The auxiliary vector of a rank, created at the first request, because a rank needs those of few others. Without memory for
   it, it returns this rank's own vector and marks the matrix. The counting walk, which comes first and requests the same tiles,
   then refuses the run and removes the mark, so that a later run may find memory. */
static const int64_t *last_of(const ompfact_matrix *A, int rank)
{
    if (A->last[rank] == NULL) {
        int64_t *last = calloc((size_t)A->nt + 1, sizeof *last);
        if (last == NULL) {
            ((ompfact_matrix *)A)->no_memory = true;
            return A->last[A->me];      /* NULL during the creation of this rank's own */
        }
        walk_columns(A, rank, last);
        A->last[rank] = last;
    }
    return A->last[rank];
}

bool storage_create(ompfact_matrix *A)
{
    A->last = calloc((size_t)A->ranks, sizeof *A->last);
    return A->last != NULL && last_of(A, A->me) != NULL;
}

void storage_destroy(ompfact_matrix *A)
{
    for (int rank = 0; A->last != NULL && rank < A->ranks; rank++)
        free(A->last[rank]);
    free(A->last);
}

bool storage_add_sums(ompfact_matrix *A)
{
    storage_destroy(A);
    A->has_sums = true;
    return storage_create(A);
}

/* The matrix whose own storage has the stored tile (i,j). */
static const ompfact_matrix *segment_of(const ompfact_matrix *A, int i, int j)
{
    while (A->leading != NULL && i < A->leading->mt && j < A->leading->nt)
        A = A->leading;
    return A;
}

/* The bytes of a narrow tile, rows x columns in memory: a part of its elements' bytes in double, and its checksums. */
static size_t narrow_bytes(const ompfact_matrix *A, enum tile_precision kept, int rows, int columns)
{
    size_t size = A->precision->size;
    return A->has_sums ? bytes_before_sums(rows, columns, size, kept) + bytes_of_sums(rows, columns, size)
                       : (size_t)rows * (size_t)columns * size >> kept;
}

static struct rma_address address_of(const ompfact_matrix *whole, int i, int j)
{
    const ompfact_matrix *A = segment_of(whole, i, j);
    struct rma_address address = { .space = A->space, .rank = layout_owner(A->layout, i, j) };
    /* The number is the place in the caller's matrix, by which traces and the watchdog name tiles. */
    address.id = A->first_id + (is_upper(&A->shape) ? j + (int64_t)i * A->mt : i + (int64_t)j * A->mt);
    int m = tiling_size(&A->rows, i), n = tiling_size(&A->cols, j), rows = is_upper(&A->shape) ? n : m, columns = m + n - rows;
    address.bytes = (size_t)rows * (size_t)(columns + (A->has_sums ? columns_of_sums(rows, columns) : 0)) * A->precision->size;
    if (A->compressed != NULL)
        address.column = A->precision->size * (size_t)(m + n);
    if (A->shape.tile_precision > 0) {
        address.half = narrow_bytes(A, IN_SINGLE, rows, columns);
        address.quarter = narrow_bytes(A, IN_BF16, rows, columns);
    }
    if (A->space != NULL)
        address.disp = A->first_byte + (MPI_Aint)A->precision->size * (last_of(A, address.rank)[j] -
                                                                      layout_below(A->layout, i, j) * stride(A, j));
    return address;
}

void *matrix_tile(const ompfact_matrix *A, int i, int j)
{
    struct rma_address address = is_upper(&A->shape) ? address_of(A, j, i) : address_of(A, i, j);
    return (char *)rma_space_base(address.space) + address.disp;
}

void *matrix_tile_in_place(const ompfact_matrix *A, int i, int j)
{
    struct rma_address address = is_upper(&A->shape) ? address_of(A, j, i) : address_of(A, i, j);
    char *base = address.rank == A->me ? rma_space_base(address.space) : rma_space_in_place(address.space, address.rank);
    return base + address.disp;
}

bool matrix_lost_addresses(ompfact_matrix *A)
{
    bool lost = false;
    for (; A != NULL; A = A->leading) {
        lost |= A->no_memory;
        A->no_memory = false;
    }
    return lost;
}

bool matrix_has_addresses(ompfact_matrix *A)
{
    matrix_lost_addresses(A);
    for (ompfact_matrix *segment = A; segment != NULL; segment = segment->leading)
        for (int rank = 0; rank < A->ranks; rank++)
            last_of(segment, rank);
    return !matrix_lost_addresses(A);
}

void matrix_view(const ompfact_matrix *A, int i, int j, ompfact_tile *tile)
{
    *tile = (ompfact_tile){ .i = i, .j = j, .row = A->rows.start[i], .col = A->cols.start[j],
                            .mb = tiling_size(&A->rows, i), .nb = tiling_size(&A->cols, j), .ld = tiling_size(&A->rows, i),
                            .data = matrix_tile(A, i, j) };
}

/* ---- tiles for the loops ------------------------------------------------------------------------------------------------ */

const struct split *split_of(const ompfact_matrix *A, int column)
{
    return A->split != NULL && A->split[column].device != HOST ? &A->split[column] : NULL;
}

static struct operand operand_of(const ompfact_matrix *A, int i, int j, enum access access)
{
    struct operand o = { .access = access, .address = address_of(A, i, j), .matrix = segment_of(A, i, j), .i = i, .j = j,
                         .mb = tiling_size(&A->rows, i), .nb = tiling_size(&A->cols, j), .mirrored = is_upper(&A->shape),
                         .symmetric = is_symmetric(&A->shape), .traits.summed = A->has_sums ? SUMS_LEFT_ALONE : NO_SUMS,
                         .due = i < j ? i : j, .row = A->rows.start[i], .precision = A->precision,
                         .split = split_of(A, is_upper(&A->shape) ? i : j) };
    o.mine = o.address.rank == A->me;
    o.traits.mixed = A->shape.tile_precision > 0;
    if (o.mine)
        o.traits.form = compressed_form(A, i, j);
    if (!compressed_may_be_on_device(A, o.traits.form))
        o.split = NULL;
    if (o.mine && A->space != NULL)
        o.data = (char *)rma_space_base(o.address.space) + o.address.disp;
    return o;
}

static struct operand final_tile(const ompfact_matrix *A, int i, int j, enum access access)
{
    struct operand o = operand_of(A, i, j, access);
    o.traits.packed = A->in_run.packs != NULL && A->in_run.packs(A, i, j);
    return o;
}

struct operand fetch(const ompfact_matrix *A, int i, int j)
{
    return final_tile(A, i, j, READ);
}

struct operand peek(const ompfact_matrix *A, int i, int j)
{
    return operand_of(A, i, j, READ);
}

struct operand tile(const ompfact_matrix *A, int i, int j)
{
    struct operand o = operand_of(A, i, j, UPDATE);
    if (A->in_run.summed != NO_SUMS)
        o.traits.summed = A->in_run.summed;
    return o;
}

struct operand final(const ompfact_matrix *A, int i, int j)
{
    bool sums_follow = (i > j && A->in_run.sums_below) || (i < j && A->in_run.sums_right);
    return final_tile(A, i, j, sums_follow ? UPDATE : FINAL);
}

struct operand group(const ompfact_matrix *A, int i, int j, int end, int *next)
{
    struct operand o = tile(A, i, j);
    bool single = A->split != NULL || A->leading != NULL || is_upper(&A->shape);
    o.stride = (size_t)stride(A, j) * A->precision->size;
    for (*next = next_row(A, i, j); *next < end && !single && o.more + 1 < GROUP_TILES; *next = next_row(A, *next, j))
        o.more++;
    return o;
}
