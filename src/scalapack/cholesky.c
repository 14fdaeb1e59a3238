/* Systems, inverses and condition numbers by Cholesky factorization. */
#include "src/scalapack/call.h"

static ompfact_status potrf(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL;
    ompfact_status status = take_triangle(c, OMPFACT_FOR_LU, &A);
    THEN(ompfact_potrf(A, info));
    if (*info == 0)
        THEN(give_back(c, ARRAY_A, A));
    release(c, &A, status);
    return status;
}

static ompfact_status potrs(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL, *B = NULL;
    (void)info;
    ompfact_status status = take_triangle(c, OMPFACT_FOR_LU, &A);
    THEN(ompfact_adopt_potrf(A));
    THEN(take_rhs(c, A, &B));
    THEN(ompfact_potrs(A, B));
    THEN(give_back(c, ARRAY_B, B));
    ompfact_matrix_destroy(&B);
    release(c, &A, status);
    return status;
}

static ompfact_status potri(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL;
    ompfact_status status = take_triangle(c, OMPFACT_FOR_INVERSE, &A);
    THEN(ompfact_adopt_potrf(A));
    THEN(ompfact_potri(A, info));
    if (*info == 0)
        THEN(give_back(c, ARRAY_A, A));
    release(c, &A, status);
    return status;
}

static ompfact_status pocon(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL;
    double rcond = 0;
    (void)info;
    ompfact_status status = take_triangle(c, OMPFACT_FOR_LU, &A);
    THEN(ompfact_adopt_potrf(A));
    THEN(ompfact_rcond(A, real_of(c, ANORM), &rcond));
    if (status == OMPFACT_SUCCESS)
        set_real(c, RCOND, 0, rcond);
    release(c, &A, status);
    return status;
}

static ompfact_status posv(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL, *B = NULL;
    ompfact_status status = take_triangle(c, OMPFACT_FOR_LU, &A);
    THEN(take_rhs(c, A, &B));
    THEN(ompfact_posv(A, B, info));
    if (*info == 0) {
        THEN(give_back(c, ARRAY_A, A));
        THEN(give_back(c, ARRAY_B, B));
    }
    ompfact_matrix_destroy(&B);
    release(c, &A, status);
    return status;
}

const struct routine scalapack_potrf = { "potrf", { UPLO, N, ARRAY_A, INFO, END }, { N }, { N }, { N, N, N }, potrf };
const struct routine scalapack_potrs = { "potrs", { UPLO, N, NRHS, ARRAY_A, ARRAY_B, INFO, END }, { N, N }, { N, NRHS },
                                         { N, N, NRHS }, potrs };
const struct routine scalapack_potri = { "potri", { UPLO, N, ARRAY_A, INFO, END }, { N }, { N }, { N, N, N }, potri };
const struct routine scalapack_posv = { "posv", { UPLO, N, NRHS, ARRAY_A, ARRAY_B, INFO, END }, { N, N }, { N, NRHS },
                                        { N, N, N }, posv };
const struct routine scalapack_pocon = { "pocon", { UPLO, N, ARRAY_A, ANORM, RCOND, WORK, LWORK, IWORK, LIWORK, INFO, END },
                                         { N }, { N }, { N, N, N }, pocon };
