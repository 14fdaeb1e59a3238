/* Systems and inverses by LU factorization with partial pivoting. */
#include "src/scalapack/call.h"

static int64_t pivots(const struct call *c)
{
    return ompfact_rows(c->A) < ompfact_cols(c->A) ? ompfact_rows(c->A) : ompfact_cols(c->A);
}

static ompfact_status give_factors(struct call *c)
{
    TRY(make_vector(c, pivots(c), sizeof(int64_t)));
    TRY(give_back(c, ARRAY_A, c->A));
    ompfact_ipiv(c->A, c->vector);
    ipiv_out(c, pivots(c), c->vector);
    return OMPFACT_SUCCESS;
}

static ompfact_status take_factors(struct call *c, ompfact_purpose purpose)
{
    TRY(take_A(c, (ompfact_shape){ .purpose = purpose }));
    TRY(make_vector(c, pivots(c), sizeof(int64_t)));
    TRY(ipiv_in(c, pivots(c), c->vector));
    return ompfact_adopt_getrf(c->A, c->vector);
}

static ompfact_status getrf(struct call *c)
{
    TRY(take_A(c, (ompfact_shape){ 0 }));
    TRY(ompfact_getrf(c->A, &c->info));
    return give_factors(c);
}

static ompfact_status getrs(struct call *c)
{
    TRY(take_factors(c, OMPFACT_FOR_LU));
    TRY(take_rhs(c, c->A));
    TRY(ompfact_getrs_trans(c->A, (ompfact_trans)letter_of(c, OP), c->B));
    return give_back(c, ARRAY_B, c->B);
}

static ompfact_status getri(struct call *c)
{
    TRY(take_factors(c, OMPFACT_FOR_INVERSE));
    TRY(ompfact_getri(c->A, &c->info));
    return c->info == 0 ? give_back(c, ARRAY_A, c->A) : OMPFACT_SUCCESS;
}

static ompfact_status gesv(struct call *c)
{
    TRY(take_A(c, (ompfact_shape){ 0 }));
    TRY(take_rhs(c, c->A));
    TRY(ompfact_gesv(c->A, c->B, &c->info));
    TRY(give_factors(c));
    return c->info == 0 ? give_back(c, ARRAY_B, c->B) : OMPFACT_SUCCESS;
}

const struct routine scalapack_getrf = { "getrf", { M, N, ARRAY_A, IPIV, INFO, END }, { M }, { N }, { M, N, LONGER }, getrf };
const struct routine scalapack_getrs = { "getrs", { OP, N, NRHS, ARRAY_A, IPIV, ARRAY_B, INFO, END }, { N, N }, { N, NRHS },
                                         { N, N, NRHS }, getrs };
const struct routine scalapack_getri = { "getri", { N, ARRAY_A, IPIV, WORK, LWORK, IWORK, LIWORK, INFO, END }, { N }, { N },
                                         { N, N, N }, getri };
const struct routine scalapack_gesv = { "gesv", { N, NRHS, ARRAY_A, IPIV, ARRAY_B, INFO, END }, { N, N }, { N, NRHS },
                                        { N, N, N }, gesv };
