/* Systems and inverses by LU factorization with partial pivoting. */
#include "src/scalapack/call.h"

#include <stdlib.h>

static int64_t pivots(const ompfact_matrix *A)
{
    return ompfact_rows(A) < ompfact_cols(A) ? ompfact_rows(A) : ompfact_cols(A);
}

static ompfact_status give_factors(struct call *c, ompfact_matrix *A)
{
    int64_t *ipiv = malloc((size_t)pivots(A) * sizeof *ipiv + 1);
    ompfact_status status = agree_on_memory(c, ipiv);
    THEN(give_back(c, ARRAY_A, A));
    if (status == OMPFACT_SUCCESS) {
        ompfact_ipiv(A, ipiv);
        ipiv_out(c, pivots(A), ipiv);
    }
    free(ipiv);
    return status;
}

static ompfact_status take_factors(struct call *c, ompfact_purpose purpose, ompfact_matrix **A)
{
    TRY(take_A(c, (ompfact_shape){ .purpose = purpose }, A));
    int64_t *ipiv = malloc((size_t)pivots(*A) * sizeof *ipiv + 1);
    ompfact_status status = agree_on_memory(c, ipiv);
    THEN(ipiv_in(c, pivots(*A), ipiv));
    THEN(ompfact_adopt_getrf(*A, ipiv));
    free(ipiv);
    return status;
}

static ompfact_status getrf(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL;
    ompfact_status status = take_A(c, (ompfact_shape){ 0 }, &A);
    THEN(ompfact_getrf(A, info));
    THEN(give_factors(c, A));
    release(c, &A, status);
    return status;
}

static ompfact_status getrs(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL, *B = NULL;
    (void)info;
    ompfact_status status = take_factors(c, OMPFACT_FOR_LU, &A);
    THEN(take_rhs(c, A, &B));
    THEN(ompfact_getrs_trans(A, (ompfact_trans)letter_of(c, OP), B));
    THEN(give_back(c, ARRAY_B, B));
    ompfact_matrix_destroy(&B);
    release(c, &A, status);
    return status;
}

static ompfact_status getri(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL;
    ompfact_status status = take_factors(c, OMPFACT_FOR_INVERSE, &A);
    THEN(ompfact_getri(A, info));
    if (*info == 0)
        THEN(give_back(c, ARRAY_A, A));
    release(c, &A, status);
    return status;
}

static ompfact_status gesv(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL, *B = NULL;
    ompfact_status status = take_A(c, (ompfact_shape){ 0 }, &A);
    THEN(take_rhs(c, A, &B));
    THEN(ompfact_gesv(A, B, info));
    THEN(give_factors(c, A));
    if (*info == 0)
        THEN(give_back(c, ARRAY_B, B));
    ompfact_matrix_destroy(&B);
    release(c, &A, status);
    return status;
}

const struct routine scalapack_getrf = { "getrf", { M, N, ARRAY_A, IPIV, INFO, END }, { M }, { N }, { M, N, LONGER }, getrf };
const struct routine scalapack_getrs = { "getrs", { OP, N, NRHS, ARRAY_A, IPIV, ARRAY_B, INFO, END }, { N, N }, { N, NRHS },
                                         { N, N, NRHS }, getrs };
const struct routine scalapack_getri = { "getri", { N, ARRAY_A, IPIV, WORK, LWORK, IWORK, LIWORK, INFO, END }, { N }, { N },
                                         { N, N, N }, getri };
const struct routine scalapack_gesv = { "gesv", { N, NRHS, ARRAY_A, IPIV, ARRAY_B, INFO, END }, { N, N }, { N, NRHS },
                                        { N, N, N }, gesv };
