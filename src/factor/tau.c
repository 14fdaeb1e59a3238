/*
 * The scalars of elementary reflectors, in LAPACK's representation of Q (Golub, Van Loan, "Matrix Computations", section
 * 5.2.2). A tile column on one rank has one block of reflectors, which is the same as LAPACK's:
 *
 *     I - V T V^H = H_0 H_1 ...    H_i = I - tau_i v_i v_i^H    T_ii = tau_i    T(0:i,i) = -tau_i T(0:i,0:i) V(:,0:i)^H v_i
 */
#include "omp/kernels/workspace.h"
#include "src/factor/reflectors.h"

#include <stdatomic.h>
#include <stdlib.h>

static struct operand factor_of(const ompfact_matrix *A, int k)
{
    const struct job job = { .reflectors = reflectors_of(A) };
    return square_of(&job, SQUARE_T, k, 0);
}

static char *element_of(const struct precision *p, void *M, int ld, int i, int j)
{
    return (char *)M + ((size_t)i + (size_t)j * (size_t)ld) * p->size;
}

static ompfact_status check_columns(const ompfact_matrix *A)
{
    const struct reflectors *Q = reflectors_of(A);
    for (int k = 0; k < Q->steps; k++)
        if (Q->panel[k].domains > 1)
            return fail(A->grid, OMPFACT_BAD_ARGUMENT, "LAPACK has tau for a matrix with each tile column on one rank alone, as "
                                                       "by layout 2dbc:1xP");
    return OMPFACT_SUCCESS;
}

/* ---- from geqrf --------------------------------------------------------------------------------------------------------- */

ompfact_status ompfact_tau(ompfact_matrix *A, void *tau)
{
    const struct precision *p = A->precision;
    int64_t count = shorter_side(A);
    if (A->contents != CONTENTS_QR)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of geqrf");
    TRY(check_columns(A));
    CLEANUP(free_at) double *values = calloc((size_t)count + 1, 2 * sizeof *values);
    TRY(agree_memory(A->grid, values != NULL, "for tau"));
    for (int k = 0; k < steps_of(A); k++) {
        struct operand T = factor_of(A, k);
        double *v = values + 2 * A->cols.start[k];
        for (int i = 0; T.mine && i < T.mb; i++)
            p->get(element_of(p, T.data, T.mb, i, i), &v[2 * i], &v[2 * i + 1]);
    }
    TRY(reduce_over_ranks(A->grid, values, 2 * count, MPI_SUM));
    for (int64_t i = 0; i < count; i++)
        p->set((char *)tau + (size_t)i * p->size, values[2 * i], values[2 * i + 1]);
    return OMPFACT_SUCCESS;
}

/* ---- from LAPACK's scalars ---------------------------------------------------------------------------------------------- */

struct adoption {
    ompfact_matrix *A;
    const char *tau;
    atomic_bool no_memory;
};

/* The part of V in the diagonal tile, m x n, with the ones and zeros that are not stored. */
static void complete(const struct precision *p, int m, int n, const void *tile, int ld, void *V)
{
    p->kernels->clear(m, n, V, m);
    p->kernels->add(m, n, 1, tile, ld, V, m);
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j && i < m; i++)
            p->set(element_of(p, V, m, i, j), i == j, 0);
}

/* T := V^H V in its upper triangle; top: memory for the diagonal tile. */
static void multiply(const ompfact_matrix *A, int k, void *top, const struct operand *T)
{
    const struct precision *p = A->precision;
    int n = T->mb, mb = tiling_size(&A->rows, k);
    p->kernels->clear(n, n, T->data, n);
    complete(p, mb, n, matrix_tile(A, k, k), mb, top);
    p->kernels->herk(UPPER, CONJ_TRANS, n, mb, 1, top, mb, T->data, n);
    for (int m = next_row(A, k, k); m < A->mt; m = next_row(A, m, k)) {
        int height = tiling_size(&A->rows, m);
        p->kernels->herk(UPPER, CONJ_TRANS, n, height, 1, matrix_tile(A, m, k), height, T->data, n);
    }
}

/* column := -tau_i column, with i elements; the element below it becomes tau_i. */
static void scale(const struct precision *p, int i, const char *tau, char *column)
{
    double re, im, x, y;
    p->get(tau, &re, &im);
    for (int r = 0; r < i; r++, column += p->size) {
        p->get(column, &x, &y);
        p->set(column, -(re * x - im * y), -(re * y + im * x));
    }
    p->set(column, re, im);
}

static void make_factor(void *context, int64_t k)
{
    struct adoption *a = context;
    const struct precision *p = a->A->precision;
    struct operand T = factor_of(a->A, (int)k);
    void *top = T.mine ? workspace_take(matrix_largest_tile(a->A)) : NULL;
    if (T.mine && top == NULL)
        a->no_memory = true;
    if (top == NULL)
        return;
    multiply(a->A, (int)k, top, &T);
    workspace_give(top);
    for (int i = 0; i < T.mb; i++) {
        char *column = element_of(p, T.data, T.mb, 0, i);
        p->kernels->trmm(LEFT, UPPER, NO_TRANS, NON_UNIT, i, 1, 1, T.data, T.mb, column, T.mb);
        scale(p, i, a->tau + (size_t)(a->A->cols.start[k] + i) * p->size, column);
    }
}

ompfact_status ompfact_adopt_geqrf(ompfact_matrix *A, const void *tau)
{
    struct reflectors *Q;
    TRY(check_geqrf(A, false));
    TRY(ompfact_bring_home(A));
    matrix_begins_anew(A);
    TRY(reflectors_get(A, &Q));
    TRY(check_columns(A));
    struct adoption a = { .A = A, .tau = tau, .no_memory = false };
    run_each(A->grid->settings.threads, steps_of(A), make_factor, &a);
    TRY(agree_memory(A->grid, !a.no_memory, "for a tile"));
    A->contents = CONTENTS_QR;
    return OMPFACT_SUCCESS;
}
