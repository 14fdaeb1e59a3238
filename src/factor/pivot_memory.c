/* The memory of a factorization with pivoting. */
#include "src/factor/pivot.h"

#include <limits.h>
#include <stdlib.h>

static int owner(const void *context, int i, int j)
{
    return layout_owner(((const ompfact_matrix *)context)->layout, i, j);
}

/* The largest share of a rank in a tile column, and the largest number of ranks that share one. */
static void measure_columns(struct pivoting *p, int *tiles_of_one)
{
    const ompfact_matrix *A = p->A;
    const struct layout *l = A->layout;
    *tiles_of_one = 0;
    for (int k = 0; k < A->nt && k < l->cols; k++) {
        int owners = layout_column_owners(l, k, 0, A->mt, p->ranks, p->seen);
        p->most_owners = owners > p->most_owners ? owners : p->most_owners;
    }
    for (int rank = 0; rank < A->ranks; rank++)
        for (int k = layout_first_column(l, rank, 0); k < A->nt && k < l->cols; k = layout_first_column(l, rank, k + 1)) {
            int tiles = layout_count(l, rank, k);
            *tiles_of_one = tiles > *tiles_of_one ? tiles : *tiles_of_one;
        }
}

bool pivoting_plan(const ompfact_matrix *A, bool partial, struct pivoting *p)
{
    size_t size = A->precision->size;
    int high = A->rows.largest, tiles;
    *p = (struct pivoting){ .A = A, .partial = partial, .steps = steps_of(A), .width = widest_panel(A), .owners = { owner, A },
                            .end = steps_of(A), .mt = A->mt, .rows = { A->rows.start, A->mt },
                            .ranks = malloc(((size_t)A->ranks + 1) * sizeof *p->ranks),
                            .number = malloc(((size_t)A->nt + 1) * sizeof *p->number),
                            .seen = calloc((size_t)A->ranks + 1, 1) };
    if (p->ranks == NULL || p->seen == NULL || p->number == NULL)
        return false;
    if (A->mt > 0 && A->nt > 0 && (p->numbers = layout_number_columns(A->layout, p->number)) == 0)
        return false;
    measure_columns(p, &tiles);
    p->buffers = p->most_owners > 1 ? 2 : 1;
    p->pivots_bytes = aligned(pivots_bytes(p->width));
    p->candidates_bytes = aligned(candidates_bytes(p->width, p->width, size));
    p->panel_bytes = partial && p->most_owners > 1 ? aligned((size_t)high * (size_t)p->width * size) : 0;
    p->buffer_bytes = aligned((size_t)high * (size_t)(A->cols.largest + (A->has_sums ? SUMS : 0)) * size);
    p->candidates_at = (MPI_Aint)((size_t)p->steps * p->pivots_bytes);
    p->panel_at = p->candidates_at + (MPI_Aint)p->candidates_bytes;
    p->buffers_at = p->panel_at + (MPI_Aint)((size_t)tiles * p->panel_bytes);
    p->candidates_id = p->steps;
    p->panel_id = p->candidates_id + (int64_t)p->steps * p->most_owners;
    p->down_id = p->panel_id + (p->panel_bytes > 0 ? (int64_t)p->steps * A->mt : 0);
    p->up_id = p->down_id + (int64_t)p->steps * p->numbers;
    return true;
}

size_t pivoting_slot_bytes(const struct pivoting *p)
{
    size_t most = p->buffer_bytes > p->candidates_bytes ? p->buffer_bytes : p->candidates_bytes;
    return most > p->pivots_bytes ? most : p->pivots_bytes;
}

/* The most rows among which this rank chooses at once, in its fullest column. */
static int64_t stack_rows(const struct pivoting *p)
{
    const ompfact_matrix *A = p->A;
    int64_t most = 0, merged = (int64_t)MERGED * p->width;
    if (p->partial)
        return A->shape.m;
    for (int k = layout_first_column(A->layout, A->me, 0); k < A->nt && k < A->layout->cols;
         k = layout_first_column(A->layout, A->me, k + 1)) {
        int64_t rows = (int64_t)layout_count(A->layout, A->me, k) * A->rows.largest;
        most = rows > most ? rows : most;
    }
    most = most < A->shape.m ? most : A->shape.m;
    return most > merged ? most : merged;
}

/* Whether a search must keep the rows among which it chooses. */
static bool keeps_rows(const struct pivoting *p)
{
    return !p->partial && p->most_owners > 1;
}

static int64_t window_bytes(const struct pivoting *p)
{
    return p->buffers_at +
           (int64_t)((size_t)layout_column_index(p->A->layout, p->A->me, p->A->nt) * (size_t)p->buffers * p->buffer_bytes);
}

static int64_t window_ids(const struct pivoting *p)
{
    return p->up_id + (int64_t)p->steps * p->numbers * p->most_owners;
}

int64_t pivoting_bytes(const struct pivoting *p)
{
    int64_t stack = stack_rows(p) * p->width * (int64_t)p->A->precision->size * (keeps_rows(p) ? 2 : 1);
    return window_bytes(p) + (int64_t)sizeof(int32_t) * window_ids(p) + stack;
}

static ompfact_status allocate(struct pivoting *p)
{
    ompfact_grid *grid = p->A->grid;
    int64_t rows = stack_rows(p);
    TRY(memory_check(grid, pivoting_bytes(p), "the rows that pivoting moves"));
    p->stack = row_stack_create(rows, p->width, p->A->precision->size, keeps_rows(p));
    ompfact_status status = OMPFACT_SUCCESS;
    if (p->stack == NULL) {
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for %lld rows of a panel", p->A->me, (long long)rows);
    } else {
        rma_advise_huge(p->stack->data, p->stack->bytes);
        if (p->stack->copy != NULL)
            rma_advise_huge(p->stack->copy, p->stack->bytes);
        status = panel_on_devices(grid, p->A->precision, p->stack);
    }
    TRY(agree(grid, status));
    TRY_MPI(grid, rma_space_create(grid->rma, (size_t)window_bytes(p), window_ids(p), p->steps > 0 ? p->steps : 1, &p->space));
    return OMPFACT_SUCCESS;
}

void pivoting_free(struct pivoting *p)
{
    free(p->number);
    free(p->ranks);
    free(p->seen);
}

static void destroy(struct attachment *attachment)
{
    struct pivoting *p = (struct pivoting *)attachment;
    rma_space_destroy(&p->space);
    if (p->A != NULL)
        panel_off_devices(p->A->grid, p->stack);
    row_stack_destroy(&p->stack);
    pivoting_free(p);
    free(p);
}

static ompfact_status create(ompfact_matrix *A, bool partial, struct pivoting **pivoting)
{
    ompfact_grid *grid = A->grid;
    struct pivoting *p = calloc(1, sizeof *p);
    *pivoting = NULL;
    ompfact_status status = OMPFACT_SUCCESS;
    if (A->cols.largest > RMA_PART_MAX || A->rows.largest > RMA_PART_MAX)
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "pivoting supports tiles of at most %d rows and columns", RMA_PART_MAX);
    else if (p == NULL || !pivoting_plan(A, partial, p) || !matrix_has_ipiv(A))
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for pivoting", A->me);
    else if (pivoting_slot_bytes(p) > INT_MAX)
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "pivoting cannot move 2 GiB or more in one piece: use smaller tiles");
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS) {
        p->ipiv = A->ipiv;
        status = allocate(p);
    }
    if (status == OMPFACT_SUCCESS) {
        p->attached.destroy = destroy;
        matrix_attach(A, &p->attached);
        *pivoting = p;
    } else if (p != NULL) {
        destroy(&p->attached);
    }
    return status;
}

ompfact_status pivoting_begin(ompfact_matrix *A, bool partial, struct pivoting **pivoting)
{
    *pivoting = (struct pivoting *)matrix_attached(A, destroy);
    if (*pivoting == NULL)
        TRY(create(A, partial, pivoting));
    atomic_store(&(*pivoting)->moved.rows, 0);
    atomic_store(&(*pivoting)->moved.bytes, 0);
    (*pivoting)->left_is_done = false;
    return OMPFACT_SUCCESS;
}

ompfact_status pivoting_end(const struct pivoting *p, ompfact_matrix *A)
{
    int64_t moved[2] = { atomic_load(&p->moved.rows), atomic_load(&p->moved.bytes) };
    TRY_MPI(A->grid, rma_allreduce(A->grid->rma, moved, 2, MPI_INT64_T, MPI_SUM));
    A->report.rows_exchanged += moved[0];
    A->report.transfer_bytes += moved[1];
    A->report.candidate_tiles = pivot_candidates(p);
    return OMPFACT_SUCCESS;
}

void pivoting_memory(const struct job *job, struct job_plan *plan)
{
    plan_space(&plan->run, job->pivoting->space, false, pivoting_slot_bytes(job->pivoting));
    plan->panel = job->pivoting->stack;
}
