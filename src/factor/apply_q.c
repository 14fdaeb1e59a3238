/* Products with Q of a QR factorization from the left: one run over its panels, forwards or backwards. */
#include "src/factor/reflectors.h"

static void apply_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *C = job->travel->C;
    int steps = job->reflectors->steps;
    for (int i = 0; i < steps; i++) {
        run_step(run, i, i);
        for (int n = first_col(C, 0); n < C->nt; n = first_col(C, n + 1))
            reflect_column(run, job, job->trans == NO_TRANS ? steps - 1 - i : i, n);
    }
}

static ompfact_status check_unmqr(const ompfact_matrix *A, const ompfact_matrix *C)
{
    if (A->contents != CONTENTS_QR)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of geqrf");
    if (C == A || C->grid != A->grid || C->precision != A->precision || C->shape.structure != OMPFACT_GENERAL ||
        !tiling_equal(&A->rows, &C->rows))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "Q acts on other general matrices of its type with the same tile rows");
    return check_dense(C);
}

ompfact_status ompfact_unmqr(ompfact_matrix *A, bool conj_trans, ompfact_matrix *C)
{
    ompfact_grid *grid = A->grid;
    int64_t info;
    struct travel *travel;
    TRY(check_unmqr(A, C));
    const struct reflectors *Q = reflectors_of(A);
    TRY(travel_create(Q, C, &travel));
    struct job job = { .A = A, .B = C, .reflectors = Q, .travel = travel, .trans = conj_trans ? CONJ_TRANS : NO_TRANS };
    struct job_plan plan = { .run = { .loops = apply_loops, .readers = job_readers }, .uses = { { A, true }, { C, false } } };
    plan_space(&plan.run, Q->space, true, 0);
    plan_space(&plan.run, travel->space, false, travel_slot_bytes(travel));
    ompfact_report report;
    ompfact_status status = job_run(grid, &job, &plan, &report, &info);
    travel_destroy(&travel);
    if (status <= OMPFACT_SUCCESS)
        matrix_begins_anew(C);
    if (status == OMPFACT_SUCCESS)
        C->report = report;
    return status;
}

static void identity_tile(void *context, const ompfact_tile *t)
{
    const struct precision *precision = context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            precision->set((char *)t->data + ((size_t)r + (size_t)c * (size_t)t->ld) * precision->size, t->row + r == t->col + c,
                           0);
}

ompfact_status ompfact_ungqr(ompfact_matrix *A, ompfact_matrix *Q)
{
    TRY(check_unmqr(A, Q));
    if (Q->shape.n > A->shape.m)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "Q has as many columns as A has rows, not more");
    TRY(after_write(agree(A->grid, ompfact_fill_tiles(Q, identity_tile, (void *)Q->precision))));
    return after_write(ompfact_unmqr(A, false, Q));
}
