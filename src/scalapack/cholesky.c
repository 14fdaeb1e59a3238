/* Systems, inverses and condition numbers by Cholesky factorization. */
#include "src/scalapack/call.h"

static ompfact_status potrf(struct call *c)
{
    TRY(take_triangle(c, OMPFACT_FOR_LU));
    TRY(ompfact_potrf(c->A, &c->info));
    return c->info == 0 ? give_back(c, ARRAY_A, c->A) : OMPFACT_SUCCESS;
}

static ompfact_status potrs(struct call *c)
{
    TRY(take_triangle(c, OMPFACT_FOR_LU));
    TRY(ompfact_adopt_potrf(c->A));
    TRY(take_rhs(c, c->A));
    TRY(ompfact_potrs(c->A, c->B));
    return give_back(c, ARRAY_B, c->B);
}

static ompfact_status potri(struct call *c)
{
    TRY(take_triangle(c, OMPFACT_FOR_INVERSE));
    TRY(ompfact_adopt_potrf(c->A));
    TRY(ompfact_potri(c->A, &c->info));
    return c->info == 0 ? give_back(c, ARRAY_A, c->A) : OMPFACT_SUCCESS;
}

static ompfact_status pocon(struct call *c)
{
    double rcond;
    TRY(take_triangle(c, OMPFACT_FOR_LU));
    TRY(ompfact_adopt_potrf(c->A));
    TRY(ompfact_rcond(c->A, real_of(c, ANORM), &rcond));
    set_real(c, RCOND, 0, rcond);
    return OMPFACT_SUCCESS;
}

static ompfact_status posv(struct call *c)
{
    TRY(take_triangle(c, OMPFACT_FOR_LU));
    TRY(take_rhs(c, c->A));
    TRY(ompfact_posv(c->A, c->B, &c->info));
    if (c->info != 0)
        return OMPFACT_SUCCESS;
    TRY(give_back(c, ARRAY_A, c->A));
    return give_back(c, ARRAY_B, c->B);
}

const struct routine scalapack_potrf = { "potrf", { UPLO, N, ARRAY_A, INFO, END }, { N }, { N }, { N, N, N }, potrf };
const struct routine scalapack_potrs = { "potrs", { UPLO, N, NRHS, ARRAY_A, ARRAY_B, INFO, END }, { N, N }, { N, NRHS },
                                         { N, N, NRHS }, potrs };
const struct routine scalapack_potri = { "potri", { UPLO, N, ARRAY_A, INFO, END }, { N }, { N }, { N, N, N }, potri };
const struct routine scalapack_posv = { "posv", { UPLO, N, NRHS, ARRAY_A, ARRAY_B, INFO, END }, { N, N }, { N, NRHS },
                                        { N, N, N }, posv };
const struct routine scalapack_pocon = { "pocon", { UPLO, N, ARRAY_A, ANORM, RCOND, WORK, LWORK, IWORK, LIWORK, INFO, END },
                                         { N }, { N }, { N, N, N }, pocon };
