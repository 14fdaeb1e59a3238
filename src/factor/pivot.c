#include "src/factor/pivot.h"
#include "omp/kernels/flops.h"
#include "src/checkpoint/tile_file.h"

/* ---- operands that are no tiles of the matrix --------------------------------------------------------------------------- */

enum kind { PIVOTS, CANDIDATES, PANEL, DOWN, UP, STACK, LIST, KINDS };
static const struct beside kinds[KINDS];

static struct operand operand_of(const struct job *job, enum kind kind, int i, int j, int rank, MPI_Aint disp, size_t bytes,
                                 int64_t id)
{
    const ompfact_matrix *A = job->A;
    struct rma_address address = { .space = job->pivoting->space, .rank = rank, .disp = disp, .bytes = bytes, .id = id };
    struct operand o = beside_operand(&kinds[kind], A, i, j, tiling_size(&A->rows, i), tiling_size(&A->cols, j), address);
    o.row = A->rows.start[i];
    return o;
}

static int root_of(const struct job *job, int k)
{
    return layout_owner(job->A->layout, k, k);
}

static struct operand pivots(const struct job *job, int k)
{
    const struct pivoting *p = job->pivoting;
    return operand_of(job, PIVOTS, k, k, root_of(job, k), (MPI_Aint)((size_t)k * p->pivots_bytes), p->pivots_bytes, k);
}

/* The candidates of the rank at this place among column k's owners. */
static struct operand candidates(const struct job *job, int k, int rank, int place)
{
    const struct pivoting *p = job->pivoting;
    return operand_of(job, CANDIDATES, k, k, rank, p->candidates_at, p->candidates_bytes,
                      p->candidates_id + (int64_t)k * p->most_owners + place);
}

/* A copy of a tile of column k before step k, for the rank that searches. */
static struct operand panel_copy(const struct job *job, int m, int k)
{
    const ompfact_matrix *A = job->A;
    const struct pivoting *p = job->pivoting;
    size_t before = (size_t)layout_below(A->layout, m, k) * p->panel_bytes;
    struct operand o = operand_of(job, PANEL, m, k, layout_owner(A->layout, m, k), p->panel_at + (MPI_Aint)before, 0,
                                  p->panel_id + (int64_t)k * A->mt + m);
    o.address.bytes = (size_t)o.mb * (size_t)o.nb * A->precision->size;
    return o;
}

/* A rank's buffer for column n in step k. */
static struct operand buffer(const struct job *job, enum kind kind, int k, int n, int rank, int64_t id)
{
    const struct pivoting *p = job->pivoting;
    size_t index = (size_t)layout_column_index(job->A->layout, rank, n) * (size_t)p->buffers + (size_t)(k % p->buffers);
    struct operand o = operand_of(job, kind, k, n, rank, p->buffers_at + (MPI_Aint)(index * p->buffer_bytes), p->buffer_bytes,
                                  id);
    o.nb += job->guard != NULL ? SUMS : 0;
    o.address.unit = (size_t)o.nb * job->A->precision->size;
    return o;
}

/* If no other rank reads the buffer, its columns are where the columns of the tiles are. */
static struct operand down(const struct job *job, int k, int n, bool alone)
{
    struct operand o = buffer(job, DOWN, k, n, layout_owner(job->A->layout, k, n),
                              job->pivoting->down_id + (int64_t)k * job->pivoting->numbers + job->pivoting->number[n]);
    if (alone)
        o.split = split_of(job->A, n);
    return o;
}

/* The buffer of the rank at this place among the owners of column n from row k on. */
static struct operand up(const struct job *job, int k, int n, int rank, int place)
{
    const struct pivoting *p = job->pivoting;
    return buffer(job, UP, k, n, rank, p->up_id + ((int64_t)k * p->numbers + p->number[n]) * p->most_owners + place);
}

static struct operand stack(const struct job *job, int k)
{
    struct operand o = operand_of(job, STACK, k, k, job->A->me, 0, 0, k);
    o.access = UPDATE;
    o.data = job->pivoting->stack;
    o.apart = panel_device(job->A, job->pivoting->stack, k);
    return o;
}

static struct operand list(const struct job *job, int k)
{
    struct operand o = operand_of(job, LIST, k, k, job->A->me, 0, 0, k);
    o.access = UPDATE;
    o.data = job->pivoting->ipiv == NULL ? NULL : job->pivoting->ipiv + job->A->rows.start[k];
    return o;
}

int64_t most_pivots(const struct job *job)
{
    return job->A->me == 0 ? steps_of(job->A) : 0;
}

/* Every rank has all pivots, so the first rank saves them. */
void keep_pivots(const struct job *job, int k, void (*each)(void *context, int kind, const struct operand *o), void *context)
{
    const ompfact_matrix *A = job->A;
    struct operand o = list(job, k);
    int mb = tiling_size(&A->rows, k), nb = tiling_size(&A->cols, k);
    o.access = READ;
    o.due = A->nt - 1;
    o.address.bytes = (size_t)(mb < nb ? mb : nb) * sizeof *job->pivoting->ipiv;
    if (A->me == 0)
        each(context, SAVED_PIVOTS, &o);
}

/* ---- readers ------------------------------------------------------------------------------------------------------------ */

/* Writes the owners of column n from row k on to p->ranks, that of (k,n) first. Returns their number. */
static int column_owners(const struct job *job, int k, int n)
{
    const struct pivoting *p = job->pivoting;
    return layout_column_owners(job->A->layout, n, k, p->mt, p->ranks, p->seen);
}

static int place_of(const int *ranks, int count, int rank)
{
    int place = 0;
    while (place < count && ranks[place] != rank)
        place++;
    return place;
}

/* The parent in the tree of candidates. */
static int parent_of(int place)
{
    int stride = MERGED;
    while (place % stride == 0)
        stride *= MERGED;
    return place - place % stride;
}

static int all_others(const struct job *job, const struct operand *o, int *ranks)
{
    int count = 0;
    for (int rank = 0; rank < job->A->ranks; rank++)
        if (rank != o->address.rank)
            ranks[count++] = rank;
    return count;
}

static int parent_of_owner(const struct job *job, const struct operand *o, int *ranks)
{
    int all = layout_column_owners(job->A->layout, o->j, o->i, job->pivoting->mt, ranks, job->pivoting->seen);
    ranks[0] = ranks[parent_of(place_of(ranks, all, o->address.rank))];
    return 1;
}

/* The owners of tiles below. */
static int owners_below(const struct job *job, const struct operand *o, int *ranks)
{
    const ompfact_matrix *A = job->A;
    int all = layout_column_owners(A->layout, o->j, o->i + 1, job->pivoting->mt, ranks, job->pivoting->seen);
    return others(ranks, all, o->address.rank);
}

static int owner_of_top(const struct job *job, const struct operand *o, int *ranks)
{
    ranks[0] = layout_owner(job->A->layout, o->i, o->j);
    return 1;
}

static int owner_of_diagonal(const struct job *job, const struct operand *o, int *ranks)
{
    ranks[0] = root_of(job, o->j);
    return 1;
}

static const struct beside kinds[KINDS] = {
    [PIVOTS]     = { "pivots",              all_others },
    [CANDIDATES] = { "candidate rows",      parent_of_owner },
    [PANEL]      = { "a copied panel tile", owner_of_diagonal },
    [DOWN]       = { "rows that go down",   owners_below },
    [UP]         = { "rows that go up",     owner_of_top },
    [STACK]      = { "stack",               NULL },
    [LIST]       = { "list of pivots",      NULL },
};

/* ---- the search --------------------------------------------------------------------------------------------------------- */

static void stack_own_rows(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    bool first = true;
    for (int m = first_row(A, k, k); m < job->pivoting->mt; m = next_row(A, m, k), first = false)
        task_stack(run, first, peek(A, m, k), stack(job, k));
}

/* The owner of the diagonal tile stacks the whole panel. */
static void stack_panel(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    int root = root_of(job, k);
    if (A->me != root) {
        for (int m = first_row(A, k, k); m < job->pivoting->mt; m = next_row(A, m, k))
            task_copy(run, peek(A, m, k), with_access(FINAL, panel_copy(job, m, k)));
        return;
    }
    for (int m = k; m < job->pivoting->mt; m++)
        task_stack(run, m == k, owns(A, m, k) ? peek(A, m, k) : panel_copy(job, m, k), stack(job, k));
}

/* The tasks of rank `place` among the column's owners: it stacks its own rows, then the candidates of its children in the
   tree. */
static void tournament(struct run *run, const struct job *job, int k, int count, int place)
{
    const int *ranks = job->pivoting->ranks;
    int stride = 1;
    stack_own_rows(run, job, k);
    for (; place % (stride * MERGED) == 0 && stride < count; stride *= MERGED) {
        task_candidates(run, stack(job, k), with_access(UPDATE, candidates(job, k, ranks[place], place)));
        task_stack_candidates(run, true, candidates(job, k, ranks[place], place), stack(job, k));
        for (int other = place + stride; other < place + stride * MERGED && other < count; other += stride)
            task_stack_candidates(run, false, candidates(job, k, ranks[other], other), stack(job, k));
    }
    if (place > 0)
        task_candidates(run, stack(job, k), with_access(FINAL, candidates(job, k, ranks[place], place)));
}

bool find_pivots(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    const struct pivoting *p = job->pivoting;
    int count = column_owners(job, k, k), place = place_of(p->ranks, count, A->me);
    if (place < count && count == 1)
        stack_own_rows(run, job, k);
    else if (place < count && p->partial)
        stack_panel(run, job, k);
    else if (place < count)
        tournament(run, job, k, count, place);
    if (place == 0)
        task_pivots(run, &p->rows, stack(job, k), with_access(FINAL, pivots(job, k)));
    task_record(run, pivots(job, k), list(job, k));
    return count == 1;
}

/* The flops of the search that replace the factorization of tile (m,k). */
static double flops_of(const ompfact_matrix *A, int m, int k)
{
    double h = tiling_size(&A->rows, m), w = tiling_size(&A->cols, k);
    return m == k ? getrf_flops(h, w) : h * w * w;
}

void take_factors(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    for (int m = first_row(A, k, k); m < job->pivoting->mt; m = next_row(A, m, k))
        task_unstack(run, A->rows.start[m] - A->rows.start[k], flops_of(A, m, k), with_access(READ, stack(job, k)),
                     final(A, m, k));
}

void take_diagonal(struct run *run, const struct job *job, int k)
{
    if (owns(job->A, k, k))
        task_unstack_chosen(run, flops_of(job->A, k, k), with_access(READ, stack(job, k)), final(job->A, k, k));
}

int64_t pivot_candidates(const struct pivoting *p)
{
    const ompfact_matrix *A = p->A;
    int64_t tiles = 0;
    for (int k = p->first; k < p->end; k++) {
        int owners = layout_column_owners(A->layout, k, k, p->mt, p->ranks, p->seen);
        tiles += owners - 1;
        if (!p->partial || owners == 1)
            continue;
        tiles -= owners - 1;
        for (int m = k; m < p->mt; m++)
            tiles += layout_owner(A->layout, m, k) != layout_owner(A->layout, k, k);
    }
    return tiles;
}

/* ---- the exchange ------------------------------------------------------------------------------------------------------- */

/* The column's next step waits for its rows, so they move before later columns are updated with step k - 1. */
static struct operand at_once(struct operand o)
{
    o.due = o.j - 2;
    return o;
}

static void exchange_at_top(struct run *run, const struct job *job, int k, int n, int count)
{
    const ompfact_matrix *A = job->A;
    struct pivoting *p = job->pivoting;
    struct moves moves = { .owners = &p->owners, .rows = &p->rows, .rank = A->me, .moved = &p->moved };
    bool alone = count == 1;
    task_rows_out(run, alone, moves, pivots(job, k), tile(A, k, n),
                  with_access(alone ? UPDATE : FINAL, at_once(down(job, k, n, alone))));
    for (int m = next_row(A, k, n), next; m < p->mt; m = next)
        task_rows_swap(run, alone, moves, pivots(job, k), down(job, k, n, alone), group(A, m, n, p->mt, &next),
                       at_once(tile(A, k, n)));
    for (int place = 1; place < count; place++) {
        moves.rank = p->ranks[place];
        task_rows_in(run, moves, pivots(job, k), up(job, k, n, moves.rank, place), at_once(tile(A, k, n)));
    }
}

static void exchange_below(struct run *run, const struct job *job, int k, int n, int place)
{
    const ompfact_matrix *A = job->A;
    struct pivoting *p = job->pivoting;
    struct moves moves = { .owners = &p->owners, .rows = &p->rows, .rank = A->me, .moved = &p->moved };
    int first = first_row(A, n, k + 1);
    for (int m = first, next; m < p->mt; m = next) {
        struct operand below = group(A, m, n, p->mt, &next);
        task_rows_up(run, moves, pivots(job, k), with_access(READ, below),
                     with_access(next < p->mt ? UPDATE : FINAL, at_once(up(job, k, n, A->me, place))));
    }
    for (int m = first, next; m < p->mt; m = next)
        task_rows_down(run, moves, pivots(job, k), down(job, k, n, false), at_once(group(A, m, n, p->mt, &next)));
}

static bool exchanges_left(const struct job *job)
{
    bool everywhere = job->A->nt > 0;
    for (int n = 0; n < job->A->nt; n++)
        everywhere &= split_of(job->A, n) != NULL;
    return everywhere && job->A->ranks == 1 && job->first == 0 && job->saver == NULL && job->guard == NULL;
}

void exchange_left(struct run *run, const struct job *job)
{
    if (!exchanges_left(job))
        return;
    for (int n = 0; n < end_of(job) - 1; n++)
        for (int k = n + 1; k < end_of(job); k++)
            exchange_rows(run, job, k, n);
    job->pivoting->left_is_done = true;
}

void exchange_rows(struct run *run, const struct job *job, int k, int n)
{
    const ompfact_matrix *A = job->A;
    int count = column_owners(job, k, n), place = place_of(job->pivoting->ranks, count, A->me);
    if (place == 0)
        exchange_at_top(run, job, k, n, count);
    else if (place < count)
        exchange_below(run, job, k, n, place);
}
