/* Reads ScaLAPACK's descriptors (ScaLAPACK Users' Guide, section 4.3.2), and refuses wrong ones on all ranks. */
#include "src/move/block_cyclic.h"
#include "src/io/digest.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_, CSRC_, LLD_, DESC_ENTRIES };     /* ScaLAPACK's names */
enum { BLOCK_CYCLIC_2D = 1 };

/* The number of rows or columns of an array of `size` that a process has: ScaLAPACK's NUMROC. */
static int64_t cyclic_count(const struct cyclic *c, int64_t size, int process)
{
    int64_t blocks = size / c->block, distance = (process - c->source + c->processes) % c->processes;
    int64_t count = blocks / c->processes * c->block;
    if (distance < blocks % c->processes)
        return count + c->block;
    return distance == blocks % c->processes ? count + size % c->block : count;
}

static int64_t one_if_zero(int64_t index)
{
    return index == 0 ? 1 : index;
}

/* ---- the process grid ----------------------------------------------------------------------------------------------------- */

/* Reads the description that all ranks must pass. Fills b->rank; `place` becomes this rank's process, row by row, or -1. */
static ompfact_status map_processes(struct block_cyclic *b, ompfact_grid *grid, const ompfact_scalapack *s, int *place)
{
    int ranks = rma_ranks(grid->rma), me = rma_rank(grid->rma);
    *place = -1;
    if (s->nprow < 1 || s->npcol < 1 || s->nprow > ranks / s->npcol)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "a ScaLAPACK grid of %d x %d processes does not fit %d rank%s", s->nprow,
                    s->npcol, ranks, ranks == 1 ? "" : "s");
    if (s->ia < 0 || s->ja < 0)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "ia and ja count from 1 (0 means 1, too): not %" PRId64 " and %" PRId64, s->ia,
                    s->ja);
    int processes = s->nprow * s->npcol;
    CLEANUP(free_at) bool *taken = calloc((size_t)ranks, sizeof *taken);
    b->rank = malloc((size_t)processes * sizeof *b->rank);
    ompfact_status status = OMPFACT_SUCCESS;
    if (taken == NULL || b->rank == NULL)
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a grid of %d processes", me, processes);
    for (int p = 0; p < processes && status == OMPFACT_SUCCESS; p++) {
        int rank = s->rank != NULL ? s->rank[p] : p;
        b->rank[p] = rank;
        if (rank < 0 || rank >= ranks || taken[rank])
            status = fail(grid, OMPFACT_BAD_ARGUMENT, "process (%d,%d) of the ScaLAPACK grid maps to rank %d, which %s",
                          p / s->npcol, p % s->npcol, rank,
                          rank < 0 || rank >= ranks ? "does not exist" : "another process has already");
        else
            taken[rank] = true;
        if (rank == me)
            *place = p;
    }
    return status;
}

/* ---- a descriptor --------------------------------------------------------------------------------------------------------- */

static ompfact_status check_descriptor(ompfact_grid *grid, const ompfact_scalapack *s, int me)
{
    const int *desc = s->desc;
    if (desc == NULL)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "rank %d is a process of the ScaLAPACK grid but gives no descriptor", me);
    if (desc[DTYPE_] != BLOCK_CYCLIC_2D)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "rank %d: DTYPE_ is %d; only 1, a dense block-cyclic array, is known", me,
                    desc[DTYPE_]);
    if (desc[M_] < 0 || desc[N_] < 0 || desc[MB_] < 1 || desc[NB_] < 1)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "rank %d: the descriptor has %d x %d in blocks of %d x %d (M_, N_, MB_, NB_)",
                    me, desc[M_], desc[N_], desc[MB_], desc[NB_]);
    if (desc[RSRC_] < 0 || desc[RSRC_] >= s->nprow || desc[CSRC_] < 0 || desc[CSRC_] >= s->npcol)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "rank %d: RSRC_, CSRC_ are %d, %d: there is no such process among %d x %d", me,
                    desc[RSRC_], desc[CSRC_], s->nprow, s->npcol);
    return OMPFACT_SUCCESS;
}

static struct cyclic rows_of(const ompfact_scalapack *s, const int *desc)
{
    return (struct cyclic){ one_if_zero(s->ia) - 1, desc[MB_], desc[RSRC_], s->nprow };
}

static struct cyclic cols_of(const ompfact_scalapack *s, const int *desc)
{
    return (struct cyclic){ one_if_zero(s->ja) - 1, desc[NB_], desc[CSRC_], s->npcol };
}

/* Checks that the sub-matrix lies in the array, and that this process's memory holds its part of the array. */
static ompfact_status check_sizes(ompfact_matrix *A, const ompfact_scalapack *s, int place, const void *local)
{
    const int *desc = s->desc;
    int64_t ia = one_if_zero(s->ia), ja = one_if_zero(s->ja), m = A->shape.m, n = A->shape.n;
    if (ia - 1 > desc[M_] - m || ja - 1 > desc[N_] - n)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "%" PRId64 " x %" PRId64 " elements from (%" PRId64 ",%" PRId64
                    ") on are not all in a ScaLAPACK array of %d x %d",
                    m, n, ia, ja, desc[M_], desc[N_]);
    struct cyclic rows = rows_of(s, desc), cols = cols_of(s, desc);
    int64_t height = cyclic_count(&rows, desc[M_], place / s->npcol), width = cyclic_count(&cols, desc[N_], place % s->npcol);
    if (desc[LLD_] < 1 || desc[LLD_] < height)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "rank %d: LLD_ is %d, but this process has %" PRId64 " rows of the ScaLAPACK array", A->me, desc[LLD_],
                    height);
    if (local == NULL && height > 0 && width > 0 && A->shape.m > 0 && A->shape.n > 0)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "rank %d: no local array, but this process has %" PRId64 " x %" PRId64 " elements", A->me, height, width);
    return OMPFACT_SUCCESS;
}

/* ---- agreement of all ranks ------------------------------------------------------------------------------------------------ */

enum { SHARED_BY_ALL = 5, SHARED = SHARED_BY_ALL + CSRC_ - M_ + 1 };

/* A positive number that differs between different maps, so that one reduction compares them. */
static int64_t map_digest(const struct block_cyclic *b, int processes)
{
    return (int64_t)(digest_of(0, b->rank, (size_t)processes * sizeof *b->rank) >> 2);
}

/* Compares the descriptors in one reduction, and distributes the descriptor to ranks outside the process grid, where ScaLAPACK
   has none. */
static ompfact_status compare(struct block_cyclic *b, ompfact_grid *grid, const ompfact_scalapack *s, bool is_process, int *desc)
{
    int64_t ends[2 * SHARED], shared[SHARED] = { s->nprow, s->npcol, one_if_zero(s->ia), one_if_zero(s->ja),
                                                 map_digest(b, s->nprow * s->npcol) };
    for (int i = M_; is_process && i <= CSRC_; i++)
        shared[SHARED_BY_ALL + i - M_] = s->desc[i];
    for (int i = 0; i < SHARED; i++) {
        bool counts = is_process || i < SHARED_BY_ALL;
        ends[2 * i] = counts ? shared[i] : INT64_MIN;
        ends[2 * i + 1] = counts ? -shared[i] : INT64_MIN;
    }
    TRY_MPI(grid, rma_allreduce(grid->rma, ends, 2 * SHARED, MPI_INT64_T, MPI_MAX));
    for (int i = 0; i < SHARED; i++)
        if (ends[2 * i] != -ends[2 * i + 1])
            return fail(grid, OMPFACT_BAD_ARGUMENT, "the ranks describe different ScaLAPACK arrays: %s",
                        i < SHARED_BY_ALL ? "nprow, npcol, rank, ia and ja are to be the same on all"
                                          : "in the descriptors only CTXT_ and LLD_ may differ");
    for (int i = M_; i <= CSRC_; i++)
        desc[i] = (int)ends[2 * (SHARED_BY_ALL + i - M_)];
    return OMPFACT_SUCCESS;
}

ompfact_status block_cyclic_create(struct block_cyclic *b, ompfact_matrix *A, const ompfact_scalapack *s, const void *local)
{
    ompfact_grid *grid = A->grid;
    int place, desc[DESC_ENTRIES];
    *b = (struct block_cyclic){ .rank = NULL };
    TRY(check_dense(A));
    ompfact_status status = map_processes(b, grid, s, &place);
    if (status == OMPFACT_SUCCESS && place >= 0)
        status = check_descriptor(grid, s, A->me);
    if (status == OMPFACT_SUCCESS && place >= 0)
        status = check_sizes(A, s, place, local);
    TRY(agree(grid, status));
    TRY(compare(b, grid, s, place >= 0, desc));
    b->rows = rows_of(s, desc);
    b->cols = cols_of(s, desc);
    b->lld = place >= 0 ? s->desc[LLD_] : 0;
    return OMPFACT_SUCCESS;
}

void block_cyclic_destroy(struct block_cyclic *b)
{
    free(b->rank);
    b->rank = NULL;
}
