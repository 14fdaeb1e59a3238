/*
 * QR, products with Q, and least squares. If a routine reads or returns reflectors, each tile column is on one rank, because then
 * the reflectors are LAPACK's. Least squares does not return reflectors and takes the best layout.
 */
#include "src/scalapack/call.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- reflectors --------------------------------------------------------------------------------------------------------- */

/* Layouts with each tile column, or row, on one rank. */
enum { LINE = 32 };
static const char *whole_columns(const struct call *c, char layout[LINE])
{
    snprintf(layout, LINE, "2dbc:1x%d", c->processes->nprow * c->processes->npcol);
    return layout;
}
static const char *whole_rows(const struct call *c, char layout[LINE])
{
    snprintf(layout, LINE, "2dbc:%dx1", c->processes->nprow * c->processes->npcol);
    return layout;
}

static ompfact_status geqrf(struct call *c, int64_t *info)
{
    char layout[LINE];
    ompfact_matrix *A = NULL;
    int64_t count = rows_of(c, ARRAY_A) < cols_of(c, ARRAY_A) ? rows_of(c, ARRAY_A) : cols_of(c, ARRAY_A);
    void *tau = malloc((size_t)count * element_bytes(c) + 1);
    (void)info;
    ompfact_status status = agree_on_memory(c, tau);
    THEN(take_A(c, (ompfact_shape){ .layout = whole_columns(c, layout), .purpose = OMPFACT_FOR_QR }, &A));
    THEN(ompfact_geqrf(A));
    THEN(ompfact_tau(A, tau));
    THEN(give_back(c, ARRAY_A, A));
    if (status == OMPFACT_SUCCESS)
        tau_out(c, count, tau);
    release(c, &A, status);
    free(tau);
    return status;
}

/* The first K columns of A are the result of geqrf. */
static ompfact_status take_reflectors(struct call *c, ompfact_matrix **A)
{
    char layout[LINE];
    int64_t k = number_of(c, K);
    void *tau = malloc((size_t)k * element_bytes(c) + 1);
    ompfact_status status = agree_on_memory(c, tau);
    THEN(take_A(c, (ompfact_shape){ .layout = whole_columns(c, layout), .purpose = OMPFACT_FOR_QR }, A));
    THEN(tau_in(c, k, tau));
    THEN(ompfact_adopt_geqrf(*A, tau));
    free(tau);
    return status;
}

/* C := op(Q) C. */
static ompfact_status from_left(struct call *c, ompfact_matrix *A, bool conj_trans)
{
    char layout[LINE];
    ompfact_matrix *C = NULL;
    ompfact_status status = take(c, ARRAY_B, (ompfact_shape){ .nb = ompfact_tile_height(A), .layout = whole_columns(c, layout) },
                                 &C);
    THEN(ompfact_unmqr(A, conj_trans, C));
    THEN(give_back(c, ARRAY_B, C));
    ompfact_matrix_destroy(&C);
    return status;
}

/* C := C op(Q), by C^H := op(Q)^H C^H. */
static ompfact_status from_right(struct call *c, ompfact_matrix *A, bool conj_trans)
{
    char layout[LINE];
    ompfact_matrix *C = NULL, *Ct = NULL;
    ompfact_status status = take(c, ARRAY_B, (ompfact_shape){ .nb = ompfact_tile_height(A), .layout = whole_rows(c, layout) },
                                 &C);
    THEN(ompfact_conj_transpose(C, &Ct));
    ompfact_matrix_destroy(&C);
    THEN(ompfact_unmqr(A, !conj_trans, Ct));
    THEN(ompfact_conj_transpose(Ct, &C));
    THEN(give_back(c, ARRAY_B, C));
    ompfact_matrix_destroy(&Ct);
    ompfact_matrix_destroy(&C);
    return status;
}

static ompfact_status multiply_by_Q(struct call *c, int64_t *info)
{
    bool left = letter_of(c, SIDE) == 'L', conj_trans = letter_of(c, OP) != 'N';
    ompfact_matrix *A = NULL;
    (void)info;
    ompfact_status status = take_reflectors(c, &A);
    THEN((left ? from_left : from_right)(c, A, conj_trans));
    release(c, &A, status);
    return status;
}

static ompfact_status make_Q(struct call *c, int64_t *info)
{
    char layout[LINE];
    ompfact_matrix *A = NULL, *Q = NULL;
    (void)info;
    ompfact_status status = take_reflectors(c, &A);
    ompfact_shape shape = { .m = rows_of(c, ARRAY_A), .n = cols_of(c, ARRAY_A), .type = c->type,
                            .layout = whole_columns(c, layout) };
    if (status == OMPFACT_SUCCESS)
        shape.nb = ompfact_tile_height(A);
    THEN(ompfact_matrix_create(c->processes->grid, &shape, &Q));
    THEN(ompfact_ungqr(A, Q));
    THEN(give_back(c, ARRAY_A, Q));
    ompfact_matrix_destroy(&Q);
    release(c, &A, status);
    return status;
}

/* ---- least squares ------------------------------------------------------------------------------------------------------ */

/* op(A) X = B. B is returned first, because its rows below X have the norms of the residuals. */
static ompfact_status solve(struct call *c, ompfact_matrix *A, int64_t *info)
{
    ompfact_matrix *B = NULL, *X = NULL;
    ompfact_status status = take_rhs(c, A, &B);
    THEN(ompfact_gels(A, B, &X, info));
    if (*info == 0 && status == OMPFACT_SUCCESS && ompfact_rows(B) > ompfact_rows(X))
        THEN(give_back(c, ARRAY_B, B));
    if (*info == 0)
        THEN(give_back(c, ARRAY_B, X));
    ompfact_matrix_destroy(&X);
    ompfact_matrix_destroy(&B);
    return status;
}

static ompfact_status gels(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL, *At = NULL;
    bool transposed = letter_of(c, OP) != 'N', tall = rows_of(c, ARRAY_A) >= cols_of(c, ARRAY_A);
    ompfact_status status = take_A(c, (ompfact_shape){ .purpose = OMPFACT_FOR_LEAST_SQUARES }, &A);
    if (transposed)
        THEN(ompfact_conj_transpose(A, &At));
    THEN(solve(c, transposed ? At : A, info));
    if (!transposed && tall && *info == 0)
        THEN(give_back(c, ARRAY_A, A));
    ompfact_matrix_destroy(&At);
    release(c, &A, status);
    return status;
}

#define PRODUCT { SIDE, OP, M, N, K, ARRAY_A, TAU, ARRAY_B, WORK, LWORK, INFO, END }, { ORDER, M }, { K, N }, { M, N, K }
#define COLUMNS { M, N, K, ARRAY_A, TAU, WORK, LWORK, INFO, END }, { M }, { N }, { M, N, K }
const struct routine scalapack_geqrf = { "geqrf", { M, N, ARRAY_A, TAU, WORK, LWORK, INFO, END }, { M }, { N }, { M, N, LONGER },
                                         geqrf };
const struct routine scalapack_ormqr = { "ormqr", PRODUCT, multiply_by_Q };
const struct routine scalapack_unmqr = { "unmqr", PRODUCT, multiply_by_Q };
const struct routine scalapack_orgqr = { "orgqr", COLUMNS, make_Q };
const struct routine scalapack_ungqr = { "ungqr", COLUMNS, make_Q };
const struct routine scalapack_gels = { "gels", { OP, M, N, NRHS, ARRAY_A, ARRAY_B, WORK, LWORK, INFO, END }, { M, LONGER },
                                        { N, NRHS }, { M, N, LONGER }, gels };
