/*
 * QR, products with Q, and least squares. If a routine reads or returns reflectors, each tile column is on one rank, because then
 * the reflectors are LAPACK's. Least squares does not return reflectors and takes the best layout.
 */
#include "src/scalapack/call.h"

#include <stdio.h>

/* ---- reflectors --------------------------------------------------------------------------------------------------------- */

/* The layout with each tile column, or row, on one rank. */
enum { LINE = 32 };
static const char *whole_lines(const struct call *c, bool columns, char layout[LINE])
{
    snprintf(layout, LINE, columns ? "2dbc:1x%d" : "2dbc:%dx1", c->processes->nprow * c->processes->npcol);
    return layout;
}

static ompfact_status geqrf(struct call *c)
{
    char layout[LINE];
    int64_t count = rows_of(c, ARRAY_A) < cols_of(c, ARRAY_A) ? rows_of(c, ARRAY_A) : cols_of(c, ARRAY_A);
    TRY(make_vector(c, count, element_size(c->type)));
    TRY(take_A(c, (ompfact_shape){ .layout = whole_lines(c, true, layout), .purpose = OMPFACT_FOR_QR }));
    TRY(ompfact_geqrf(c->A));
    TRY(ompfact_tau(c->A, c->vector));
    TRY(give_back(c, ARRAY_A, c->A));
    tau_out(c, count, c->vector);
    return OMPFACT_SUCCESS;
}

/* The first K columns of A are the result of geqrf. */
static ompfact_status take_reflectors(struct call *c)
{
    char layout[LINE];
    TRY(make_vector(c, number_of(c, K), element_size(c->type)));
    TRY(take_A(c, (ompfact_shape){ .layout = whole_lines(c, true, layout), .purpose = OMPFACT_FOR_QR }));
    TRY(tau_in(c, number_of(c, K), c->vector));
    return ompfact_adopt_geqrf(c->A, c->vector);
}

/* C := C op(Q), by C^H := op(Q)^H C^H. */
static ompfact_status multiply_from_right(struct call *c, bool conj_trans)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *Ct = NULL;
    TRY(ompfact_conj_transpose(c->B, &Ct));
    ompfact_matrix_destroy(&c->B);
    TRY(ompfact_unmqr(c->A, !conj_trans, Ct));
    return ompfact_conj_transpose(Ct, &c->B);
}

static ompfact_status multiply_by_Q(struct call *c)
{
    char layout[LINE];
    bool left = letter_of(c, SIDE) == 'L', conj_trans = letter_of(c, OP) != 'N';
    TRY(take_reflectors(c));
    TRY(take_B(c, whole_lines(c, left, layout)));
    TRY(left ? ompfact_unmqr(c->A, conj_trans, c->B) : multiply_from_right(c, conj_trans));
    return give_back(c, ARRAY_B, c->B);
}

static ompfact_status make_Q(struct call *c)
{
    char layout[LINE];
    TRY(take_reflectors(c));
    ompfact_shape shape = { .m = rows_of(c, ARRAY_A), .n = cols_of(c, ARRAY_A), .type = c->type,
                            .nb = ompfact_tile_height(c->A), .layout = whole_lines(c, true, layout) };
    TRY(ompfact_matrix_create(c->processes->grid, &shape, &c->B));
    TRY(ompfact_ungqr(c->A, c->B));
    return give_back(c, ARRAY_A, c->B);
}

/* ---- least squares ------------------------------------------------------------------------------------------------------ */

/* op(A) X = B. B is returned first, because its rows below X have the norms of the residuals. */
static ompfact_status gels(struct call *c)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *At = NULL, *X = NULL;
    bool transposed = letter_of(c, OP) != 'N', tall = rows_of(c, ARRAY_A) >= cols_of(c, ARRAY_A);
    TRY(take_A(c, (ompfact_shape){ .purpose = OMPFACT_FOR_LEAST_SQUARES }));
    if (transposed)
        TRY(ompfact_conj_transpose(c->A, &At));
    ompfact_matrix *A = transposed ? At : c->A;
    TRY(take_rhs(c, A));
    TRY(ompfact_gels(A, c->B, &X, &c->info));
    if (c->info != 0)
        return OMPFACT_SUCCESS;
    if (ompfact_rows(c->B) > ompfact_rows(X))
        TRY(give_back(c, ARRAY_B, c->B));
    TRY(give_back(c, ARRAY_B, X));
    return !transposed && tall ? give_back(c, ARRAY_A, c->A) : OMPFACT_SUCCESS;
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
