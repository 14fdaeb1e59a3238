/* Signed blocks beside the matrix. */
#include "src/factor/signs.h"
#include "src/checkpoint/restart.h"

#include <errno.h>
#include <stdlib.h>

/* Bytes of one block. */
static size_t slot_bytes(const ompfact_matrix *A)
{
    return aligned(signed_block_bytes(A->cols.largest, A->precision->size));
}

/* Bytes of one W. */
static size_t inverse_bytes(const ompfact_matrix *A)
{
    return aligned((size_t)A->cols.largest * (size_t)A->cols.largest * A->precision->size);
}

int64_t signs_bytes(const ompfact_matrix *A, bool devices)
{
    int64_t blocks = (int64_t)(slot_bytes(A) + sizeof(int32_t)) * steps_of(A);
    return blocks + A->ranks * (int64_t)sizeof(int) + (devices ? 2 * (int64_t)inverse_bytes(A) : 0);
}

/* ---- readers ------------------------------------------------------------------------------------------------------------ */

/* The last column in which each owner has a stored tile, -1 if it has none: [owners], which the caller frees. One pass from the
   last column back, until all owners have been found. NULL: no memory. */
static int *last_columns(const ompfact_matrix *A, const struct layout *l, int owners)
{
    int *last = malloc((size_t)owners * sizeof *last), missing = owners;
    for (int owner = 0; last != NULL && owner < owners; owner++)
        last[owner] = -1;
    for (int j = A->nt - 1; last != NULL && j >= 0 && missing > 0; j--)
        for (int i = j; i < A->mt; i++)
            if (last[layout_owner(l, i, j)] < 0) {
                last[layout_owner(l, i, j)] = j;
                missing--;
            }
    return last;
}

bool signs_on_paper(const ompfact_matrix *A, struct signs *signs)
{
    *signs = (struct signs){ .bytes = slot_bytes(A), .last = last_columns(A, A->layout, A->ranks) };
    return signs->last != NULL;
}

void signs_free(struct signs *signs)
{
    free(signs->last);
}

static bool reads(const struct signs *s, int rank, int k)
{
    return s->last[rank] >= k;
}

static int readers(const struct job *job, const struct operand *o, int *ranks)
{
    int count = 0;
    for (int rank = 0; rank < job->A->ranks; rank++)
        if (rank != o->address.rank && reads(job->signs, rank, o->j))
            ranks[count++] = rank;
    return count;
}

/* The owner of (k,k) has the block; its last column is k or a later one. */
bool signs_count(const ompfact_matrix *A, const struct layout *owners, int steps, struct signs_moves *moves)
{
    CLEANUP(free_at) int *last = last_columns(A, owners, owners->ranks), *ends = calloc((size_t)A->nt + 1, sizeof *ends);
    bool counted = last != NULL && ends != NULL;
    *moves = (struct signs_moves){ 0 };
    for (int owner = 0; counted && owner < owners->ranks; owner++)
        if (last[owner] >= 0)
            ends[last[owner]]++;
    for (int k = steps_of(A) - 1, holders = 0; counted && k >= 0; k--) {
        holders += ends[k];
        if (k >= steps)
            continue;
        moves->transfers += holders - 1;
        moves->bytes += (holders - 1) * (int64_t)signed_block_bytes(tiling_size(&A->cols, k), A->precision->size);
    }
    return counted;
}

/* ---- beside the matrix -------------------------------------------------------------------------------------------------- */

static void destroy(struct attachment *attachment)
{
    struct signs *s = (struct signs *)attachment;
    if (s->inverse != NULL)
        s->devices->unpin(s->devices, s->inverse);
    free(s->inverse);
    rma_space_destroy(&s->space);
    signs_free(s);
    free(s);
}

struct signs *signs_of(const ompfact_matrix *A)
{
    return (struct signs *)matrix_attached(A, destroy);
}

const char *signs_pivoting(int depth)
{
    static const char *const names[] = { "inside0", "inside1", "inside2" };
    return names[depth];
}

/* Returns false without memory. */
static bool make_inverses(const ompfact_matrix *A, struct devices *devices, struct signs *s)
{
    size_t bytes = 2 * inverse_bytes(A);
    s->devices = devices;
    if (devices == NULL || bytes == 0)
        return true;
    s->inverse = aligned_alloc(64, bytes);
    if (s->inverse != NULL)
        devices->pin(devices, s->inverse, bytes, false);
    return s->inverse != NULL;
}

/* Every rank has a place for each step; it uses only the places of its own blocks. */
ompfact_status signs_begin(ompfact_matrix *A, struct signs **signs)
{
    ompfact_grid *grid = A->grid;
    if ((*signs = signs_of(A)) != NULL)
        return OMPFACT_SUCCESS;
    struct signs *s = calloc(1, sizeof *s);
    int steps = steps_of(A), code = MPI_SUCCESS;
    bool complete = s != NULL && signs_on_paper(A, s) && make_inverses(A, grid->devices, s);
    ompfact_status status = agree_memory(grid, complete, "for signs");
    if (status == OMPFACT_SUCCESS)
        code = rma_space_create_sparse(grid->rma, s->bytes * (size_t)steps, steps, steps > 0 ? steps : 1, &s->space);
    if (code != MPI_SUCCESS)
        status = fail_mpi(grid, code);
    if (status != OMPFACT_SUCCESS) {
        if (s != NULL)
            destroy(&s->attached);
        return status;
    }
    s->attached.destroy = destroy;
    matrix_attach(A, &s->attached);
    *signs = s;
    return OMPFACT_SUCCESS;
}

void signs_memory(const struct job *job, struct job_plan *plan)
{
    plan_space(&plan->run, job->signs->space, false, job->signs->bytes);
}

/* ---- operands ----------------------------------------------------------------------------------------------------------- */

static const struct beside blocks = { "signs", readers }, inverses = { "an inverse", NULL };

struct operand signs_at(const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    size_t bytes = job->signs->bytes;
    int n = tiling_size(&A->cols, k);
    struct rma_address address = { .space = job->signs->space, .rank = layout_owner(A->layout, k, k),
                                   .disp = (MPI_Aint)(bytes * (size_t)k),
                                   .bytes = signed_block_bytes(n, A->precision->size), .id = k, .counts = true };
    struct operand o = beside_operand(&blocks, A, k, k, n, 1, address);
    o.on_host = true;
    return o;
}

bool signs_inverts(const ompfact_matrix *A)
{
    return A->split != NULL;
}

struct operand signs_inverse(const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    int n = tiling_size(&A->cols, k);
    struct operand o = beside_operand(&inverses, A, k, k, n, n, (struct rma_address){ .rank = A->me, .id = k });
    o.data = job->signs->inverse + (size_t)(k % 2) * inverse_bytes(A);
    return o;
}

void signs_invert(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (signs_inverts(A) && first_row(A, k, k + 1) < A->mt)
        task_signed_inverse(run, fetch(A, k, k), signs_at(job, k), with_access(UPDATE, signs_inverse(job, k)));
}

void signs_request(struct run *run, const struct job *job, int k)
{
    struct operand J = signs_at(job, k);
    if (!J.mine && reads(job->signs, job->A->me, k))
        run_request(run, &J);
}

const struct signed_block *signs_block(const ompfact_matrix *A, int k)
{
    const struct signs *s = signs_of(A);
    return (const void *)((const char *)rma_space_base(s->space) + s->bytes * (size_t)k);
}

/* ---- saving ------------------------------------------------------------------------------------------------------------- */

int64_t most_signs(const struct job *job)
{
    return steps_of(job->A);
}

void keep_signs(const struct job *job, int k, void (*each)(void *context, int kind, const struct operand *o), void *context)
{
    struct operand o = signs_at(job, k);
    o.due = job->A->nt - 1;
    if (o.mine)
        each(context, SAVED_SIGNS, &o);
}

static bool is_signed_block(const struct signed_block *b, int n, bool symmetric, size_t size)
{
    bool is = b->n == n && b->symmetric == symmetric && b->negative >= 0 && b->negative <= n;
    for (int i = 0, pair = 0; is && i < n; i++) {
        int expected = pair == 1 ? 2 : 0;
        pair = signed_pair(b, size)[i];
        is = signed_order(b, size)[i] >= 0 && signed_order(b, size)[i] < n && signed_place(b, size)[i] >= 0 &&
             signed_place(b, size)[i] < n && (pair == expected || (pair == 1 && expected == 0 && i + 1 < n));
    }
    return is;
}

static int read_block(const ompfact_matrix *A, const struct saved_tiles *from, int k)
{
    const struct tile_reader *reader;
    const struct saved_record *record = saved_find(from, SAVED_SIGNS, k, k, &reader);
    int n = tiling_size(&A->cols, k), error = EINVAL;
    struct signed_block *b = (struct signed_block *)signs_block(A, k);
    if (record != NULL && record->bytes == (int64_t)signed_block_bytes(n, A->precision->size))
        error = tile_reader_get(reader, record, b);
    return error != 0 ? error : is_signed_block(b, n, is_symmetric(&A->shape), A->precision->size) ? 0 : EINVAL;
}

ompfact_status restore_signs(ompfact_matrix *A, const struct saved_tiles *from)
{
    ompfact_status status = OMPFACT_SUCCESS;
    double scale = 0;
    int error = 0;
    for (int k = 0; k < A->done && error == 0; k++) {
        if (owns(A, k, k) && (error = read_block(A, from, k)) == 0)
            scale = signs_block(A, k)->scale;
        restart_answer(A->grid);
    }
    if (error != 0)
        status = restart_lost(A->grid, from->from->folder, "signs beside tiles", error);
    TRY(agree(A->grid, status));
    TRY(reduce_over_ranks(A->grid, &scale, 1, MPI_MAX));
    signs_of(A)->scale = scale;
    return OMPFACT_SUCCESS;
}
