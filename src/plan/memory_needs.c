/* The memory that a rank needs in addition to its tiles. For Cholesky and LU the layout counts remote tiles, because the counting
   sink would walk all tasks of a rank, which are too many for a forecast of a large matrix. */
#include "src/plan/forecast.h"

#include "omp/kernels/packed_tile.h"
#include "omp/kernels/signed_block.h"
#include "src/butterfly/butterfly.h"
#include "src/factor/pivot.h"
#include "src/factor/signs.h"
#include "src/matrix/layers.h"
#include "src/solve/refine.h"

#include <stdlib.h>

/* Bound on the remote tiles that one step reads: one for each tile row and each tile column in which the rank has tiles, and the
   diagonal one. With copies also the tiles of a panel, and in LU of a row, on other layers. With pivoting also, in each tile
   column, rows of each other rank, candidates and pivots, and with partial pivoting the panel. -1: no memory. */
static int64_t remote_tiles(const ompfact_matrix *A, bool cholesky, const struct pivoting *p)
{
    int64_t added = 0;
    unsigned char *row = calloc((size_t)A->mt + 1, 1);
    int64_t rows = 0, cols = 0;
    if (row == NULL)
        return -1;
    for (int j = first_col(A, 0); A->mt > 0 && j < A->nt; j = first_col(A, j + 1)) {
        int first = first_row(A, j, cholesky ? j : 0), count = layout_count(A->layout, A->me, j);
        added = A->layers != NULL && count > added ? count : added;
        if (first < A->mt && !(cholesky && row[j]))
            cols++;
        for (int i = first; i < A->mt; i = next_row(A, i, j)) {
            rows += !row[i];
            row[i] = 1;
        }
    }
    free(row);
    int64_t beside = p == NULL ? 0 : cols * p->most_owners + (p->partial ? A->mt : 0) + 4;
    added *= (layers_count(A) - 1) * (cholesky ? 1 : 2);
    return A->ranks == 1 ? 0 : rows + cols + 1 + beside + added;
}

/* False: no memory. */
static bool needs_of(const ompfact_matrix *A, const ompfact_job *job, struct run_needs *needs)
{
    *needs = (struct run_needs){ .slot_bytes = matrix_largest_tile(A) };
    bool cholesky = has_triangle(routine_of(job));
    if (routine_of(job)->factor == OMPFACT_BY_QR)
        return qr_needs(A, job->options.tree, job->options.ib, needs);
    struct pivoting pivoting = { 0 };
    ompfact_pivot pivot = job_pivot(job);
    bool pivots = pivot != OMPFACT_PIVOT_NONE;
    bool planned = !pivots || pivoting_plan(A, pivot == OMPFACT_PIVOT_PARTIAL, &pivoting);
    int64_t remote = planned ? remote_tiles(A, cholesky, pivots ? &pivoting : NULL) : -1;
    if (remote >= 0 && pivots) {
        size_t part = pivoting_slot_bytes(&pivoting);
        needs->bytes = pivoting_bytes(&pivoting);
        needs->slot_bytes = part > needs->slot_bytes ? part : needs->slot_bytes;
    }
    if (routine_of(job)->factor == OMPFACT_BY_INDEFINITE) {
        needs->bytes = (size_t)(signs_bytes(A, job->options.devices != 0) +
                                butterfly_bytes(A, job_butterfly_depth(job)));
        remote += A->ranks > 1;     /* the signs of the step */
    }
    needs->tally.step_tiles = (int)remote;
    needs->tally.step_tiles_next = 2 * needs->tally.step_tiles;
    pivoting_free(&pivoting);
    return remote >= 0;
}

/* Bytes of the copies of the matrix and of right-hand sides that a refinement makes, and the most that GMRES takes. For
   indefinite matrices the matrix and all but one of the right-hand sides are in double. */
static int64_t copies_to_refine(const ompfact_matrix *B, const ompfact_job *job, int64_t matrix, int64_t rhs, int threads)
{
    if (routine_of(job)->factor == OMPFACT_BY_INDEFINITE && times_factorization(routine_of(job)) && B != NULL) {
        int wide = shape_type(&job->shape) == 's' || shape_type(&job->shape) == 'c' ? 2 : 1;
        return wide * (matrix + 3 * rhs + (B->work != NULL ? gmres_bytes(B, threads, wide == 2) : 0)) + rhs;
    }
    if (!job->refined || B == NULL || B->work == NULL)      /* the routine refuses B without work */
        return 0;
    if (!job_refines_in_mixed(job))
        return 3 * rhs + generated_bytes(B, threads);
    return matrix / 2 + rhs / 2 + 2 * rhs + (job->options.refinement == OMPFACT_REFINE_GMRES ? gmres_bytes(B, threads, true) : 0);
}

/* Bytes of the copies that the routine and then its check make. */
static int64_t copies_of(const ompfact_matrix *A, const ompfact_matrix *B, const ompfact_job *job, int64_t matrix, int64_t rhs,
                         int threads)
{
    const ompfact_routine *routine = routine_of(job);
    if (routine->inverts)
        return matrix;      /* first the inverse beside the factors, and then the matrix beside it for the check */
    int64_t refine = copies_to_refine(B, job, matrix, rhs, threads), check = job->checked ? matrix + rhs : 0;
    if (routine->factor != OMPFACT_BY_QR)
        return check > refine ? check : refine;
    if (!routine->solves)
        return job->checked ? 2 * matrix + matrix / 2 : 0;      /* A, Q and half of Q^H Q */
    bool wide = A->shape.m < A->shape.n;
    int64_t solution = wide ? rhs * (1 + A->shape.n / (A->shape.m > 0 ? A->shape.m : 1)) : rhs, transposed = wide ? matrix : 0;
    return solution + transposed + (job->checked ? check + solution + transposed : 0);
}

/* Bytes of the descriptors of tasks in flight. In Cholesky and LU a tile has one task in each step, in LU with pivoting and QR
   at most three, for rows that move and reflectors. */
static int64_t task_bytes(const ompfact_job *job, const ompfact_matrix *A)
{
    enum { EACH = 3072 };
    int64_t steps = steps_of(A), tasks = 3 * layout_tiles(A->layout, A->me) * steps;
    int64_t most = job->options.max_tasks > 0 ? job->options.max_tasks : RUN_TASKS;
    return EACH * (tasks < most ? tasks : most);
}

/* Ranks of the matrix's rank's node, whose tiles it reads in place; at least itself. */
static int ranks_in_place(const ompfact_job *job, const ompfact_matrix *A)
{
    const int *node_of = job->shape.node_of;
    if (A->grid != NULL)
        return ompfact_reads_in_place(A->grid) ? ompfact_ranks_on_node(A->grid) : 1;
    int count = 0;
    for (int rank = 0; node_of != NULL && !job->options.copy_on_node && rank < job->ranks; rank++)
        count += node_of[rank] == node_of[A->me];
    return count > 0 ? count : 1;
}

/* Bytes that OpenMP's runtime keeps until the end of a run for each tile that tasks name: tiles of the rank, slots, and tiles
   that it reads in place. Tasks of QR and of LU with pivoting name parts of tiles too; an inverse, a refinement and an indefinite
   matrix need a second matrix. The sizes are the most that LLVM 19's runtime took in runs with tiles of 6 and 8, rounded up. */
static int64_t name_bytes(const ompfact_job *job, const ompfact_matrix *A, int slots)
{
    enum { OF_TILE = 2600, OF_MORE = 6400 };
    const ompfact_routine *routine = routine_of(job);
    bool simple = !routine->inverts && !job->refined && job_pivot(job) == OMPFACT_PIVOT_NONE &&
                  routine->factor != OMPFACT_BY_QR && routine->factor != OMPFACT_BY_INDEFINITE;
    int64_t all = (int64_t)A->mt * A->nt, tiles = ranks_in_place(job, A) * layout_tiles(A->layout, A->me);
    return (slots + (tiles < all ? tiles : all)) * (simple ? OF_TILE : OF_MORE);
}

size_t rhs_bytes(const ompfact_matrix *B, int rank)
{
    return B == NULL ? 0 : matrix_bytes(B, rank) + (B->work == NULL ? 0 : matrix_bytes(B->work, rank));
}

/* Bytes of a thread's workspace. */
static int64_t workspace_bytes(const ompfact_job *job, const ompfact_matrix *A)
{
    size_t packed = packed_workspace(A->precision, A->rows.largest, A->cols.largest);
    size_t with_signs = routine_of(job)->factor == OMPFACT_BY_INDEFINITE ? signed_workspace(A->precision, A->cols.largest) : 0;
    size_t copies = A->shape.tile_precision > 0 ? 3 * matrix_largest_tile(A) : 0;       /* scratch in the other precision */
    return (int64_t)((packed > with_signs ? packed : with_signs) + copies);
}

int64_t job_extra_memory(const ompfact_job *job, const ompfact_matrix *whole, const ompfact_matrix *B)
{
    const ompfact_matrix *A = my_layer(whole);
    struct run_needs needs;
    if (!needs_of(A, job, &needs))
        return -1;
    if (job->options.schedule == OMPFACT_STATIC)
        needs.tally.step_tiles = needs.tally.step_tiles_next;
    int slots = run_cache_tiles(&needs.tally, &(struct run_settings){ .cache_tiles = job->options.cache_tiles });
    bool copies = A->grid == NULL || rma_copies(A->grid->rma);
    bool sparse = A->grid != NULL && A->compressed != NULL;     /* only the tiles of a job on paper need the bound of ranks:
                                                                   filling has bounded existing tiles */
    int64_t matrix = sparse ? 0 : (int64_t)matrix_bytes(A, A->me), rhs = (int64_t)rhs_bytes(B, A->me);
    int64_t workspace = workspace_bytes(job, A);
    int threads = A->grid != NULL ? A->grid->settings.threads : threads_of_job(job, 1);
    int64_t cache = copies && !sparse ? (int64_t)slots * (int64_t)needs.slot_bytes : 0;
    int64_t names = name_bytes(job, A, copies ? slots : 0);
    return needs.bytes + threads * workspace + task_bytes(job, A) + names + cache + copies_of(A, B, job, matrix, rhs, threads);
}
