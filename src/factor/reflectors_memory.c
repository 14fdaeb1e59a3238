/* The memory of a QR factorization, and of products with Q. */
#include "src/factor/restored.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

static ompfact_status allocate(struct reflectors *Q, ompfact_grid *grid)
{
    int me = Q->A->me;
    TRY(memory_check(grid, reflectors_bytes(Q) + travel_bytes(Q->travel), "block reflectors and tiles in transit"));
    Q->stack = row_stack_create(reflectors_rows(Q), Q->width > 0 ? Q->width : 1, Q->A->precision->size, false);
    ompfact_status status = Q->stack != NULL ? panel_on_devices(grid, Q->A->precision, Q->stack)
                                             : fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a panel", me);
    TRY(agree(grid, status));
    TRY_MPI(grid, rma_space_create(grid->rma, (size_t)(reflectors_window(Q, me) + travel_window(Q->travel)),
                                   travel_last_id(Q->travel), Q->A->mt > 0 ? Q->A->mt : 1, &Q->space));
    Q->travel->space = Q->space;
    return OMPFACT_SUCCESS;
}

static ompfact_status too_large(ompfact_grid *grid)
{
    return fail(grid, OMPFACT_BAD_ARGUMENT, "QR cannot move 2 GiB or more in one piece: use smaller tiles");
}

void travel_destroy(struct travel **travel)
{
    struct travel *t = *travel;
    if (t == NULL)
        return;
    if (!t->behind_squares)
        rma_space_destroy(&t->space);
    travel_free(t);
    free(t);
    *travel = NULL;
}

static void destroy(struct attachment *attachment)
{
    struct reflectors *Q = (struct reflectors *)attachment;
    travel_destroy(&Q->travel);
    rma_space_destroy(&Q->space);
    if (Q->A != NULL)
        panel_off_devices(Q->A->grid, Q->stack);
    row_stack_destroy(&Q->stack);
    reflectors_free(Q);
    free(Q);
}

struct reflectors *reflectors_of(const ompfact_matrix *A)
{
    return (struct reflectors *)matrix_attached(A, destroy);
}

bool packs_reflectors(const ompfact_matrix *A, int i, int j)
{
    if (i <= j)
        return false;
    const struct panel_tree *p = &reflectors_of(A)->panel[j];
    bool is_top = false;
    for (int d = 0; d < p->domains; d++)
        is_top |= p->domain[d].top == i;
    return !is_top;
}

static ompfact_status create(ompfact_matrix *A, const int32_t *shapes)
{
    ompfact_grid *grid = A->grid;
    struct reflectors *Q = calloc(1, sizeof *Q);
    struct travel *t = calloc(1, sizeof *t);
    ompfact_status status = OMPFACT_SUCCESS;
    if (Q == NULL || t == NULL || !reflectors_plan_restored(A, grid->tree, grid->ib, shapes, Q) || !travel_plan(Q, A, t))
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory to plan a QR factorization", A->me);
    else if (travel_slot_bytes(t) > INT_MAX)
        status = too_large(grid);
    if (Q != NULL)
        Q->travel = t;
    else
        free(t);
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS) {
        t->behind_squares = true;
        status = allocate(Q, grid);
    }
    if (status == OMPFACT_SUCCESS) {
        Q->attached.destroy = destroy;
        matrix_attach(A, &Q->attached);
    } else if (Q != NULL) {
        destroy(&Q->attached);
    }
    return status;
}

static void discard(ompfact_matrix *A)
{
    struct reflectors *Q = reflectors_of(A);
    matrix_detach(A, &Q->attached);
    destroy(&Q->attached);
}

ompfact_status reflectors_get(ompfact_matrix *A, struct reflectors **Q)
{
    *Q = reflectors_of(A);
    if (*Q != NULL && (*Q)->first != A->done)       /* they are of other steps, and perhaps of other ranks */
        discard(A);
    if (reflectors_of(A) == NULL && A->done > 0)
        return fail(A->grid, OMPFACT_INTERNAL_FAULT, "%d steps of QR are done whose reflectors were not restored", A->done);
    if (reflectors_of(A) == NULL)
        TRY(create(A, NULL));
    *Q = reflectors_of(A);
    return OMPFACT_SUCCESS;
}

ompfact_status reflectors_restore(ompfact_matrix *A, const int32_t *shapes, int64_t length)
{
    int error = check_shapes(A, shapes, length);
    ompfact_status status = OMPFACT_SUCCESS;
    if (error == ENOMEM)
        status = fail(A->grid, OMPFACT_NO_MEMORY, "rank %d: no memory to check panels of QR", A->me);
    else if (error != 0)
        status = fail(A->grid, OMPFACT_BAD_ARGUMENT, "these are no panels of QR of %lld x %lld elements and %d steps",
                      (long long)A->shape.m, (long long)A->shape.n, A->done);
    TRY(agree(A->grid, status));
    if (reflectors_of(A) != NULL)
        discard(A);
    return create(A, shapes);
}

static void put_top(ompfact_matrix *A, int k, const struct panel_parts *parts, int d, int reflectors)
{
    const struct precision *precision = A->precision;
    for (int i = parts->first[d], row = 0; row < reflectors; row += parts->part[i++].rows.count) {
        const struct block_part *part = &parts->part[i];
        size_t ld = (size_t)tiling_size(&A->rows, part->m);
        for (int r = 0; owns(A, part->m, k) && r < part->rows.count; r++)
            for (int j = row + r; j < tiling_size(&A->cols, k); j++)
                precision->set((char *)matrix_tile(A, part->m, k) +
                                   ((size_t)(part->rows.c + r) + (size_t)j * ld) * precision->size, j == row + r, 0);
    }
}

void put_tops(ompfact_matrix *A)
{
    const struct reflectors *Q = reflectors_of(A);
    for (int k = 0; k < Q->first; k++)
        for (int d = 1; d < Q->panel[k].domains; d++)
            put_top(A, k, Q->panel[k].parts, d, Q->panel[k].domain[d].reflectors);
}

void reflectors_memory(const struct job *job, struct job_plan *plan)
{
    plan_space(&plan->run, job->reflectors->space, false, travel_slot_bytes(job->travel));
    plan->panel = job->reflectors->stack;
}

ompfact_status travel_create(const struct reflectors *Q, ompfact_matrix *C, struct travel **travel)
{
    ompfact_grid *grid = C->grid;
    struct travel *t = calloc(1, sizeof *t);
    ompfact_status status = OMPFACT_SUCCESS;
    if (t == NULL || !travel_plan(Q, C, t))
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory to plan a product with Q", C->me);
    else if (travel_slot_bytes(t) > INT_MAX)
        status = too_large(grid);
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS) {
        t->first_id = 0;
        status = memory_check(grid, travel_bytes(t), "what travels between tiles");
    }
    if (status == OMPFACT_SUCCESS) {
        int code = rma_space_create(grid->rma, (size_t)travel_window(t), travel_last_id(t), C->mt > 0 ? C->mt : 1, &t->space);
        status = code == MPI_SUCCESS ? OMPFACT_SUCCESS : fail_mpi(grid, code);
    }
    if (status != OMPFACT_SUCCESS)
        travel_destroy(&t);
    *travel = t;
    return status;
}
