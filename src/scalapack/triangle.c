/* Triangular systems and inverses. */
#include "src/scalapack/call.h"

static ompfact_status trtri(struct call *c)
{
    TRY(take_triangle(c, OMPFACT_FOR_INVERSE));
    TRY(ompfact_trtri(c->A, letter_of(c, DIAG) == 'U', &c->info));
    return c->info == 0 ? give_back(c, ARRAY_A, c->A) : OMPFACT_SUCCESS;
}

static ompfact_status trsm(struct call *c)
{
    double re, im;
    element_get(c->type, c->of[ALPHA], &re, &im);
    TRY(take_triangle(c, OMPFACT_FOR_LU));
    TRY(take_B(c, NULL));
    TRY(ompfact_trsm((ompfact_side)letter_of(c, SIDE), (ompfact_uplo)letter_of(c, UPLO), (ompfact_trans)letter_of(c, OP),
                     letter_of(c, DIAG) == 'U', re, im, c->A, c->B));
    return give_back(c, ARRAY_B, c->B);
}

const struct routine scalapack_trtri = { "trtri", { UPLO, DIAG, N, ARRAY_A, INFO, END }, { N }, { N }, { N, N, N }, trtri };
const struct routine scalapack_trsm = { "trsm", { SIDE, UPLO, OP, DIAG, M, N, ALPHA, ARRAY_A, ARRAY_B, END }, { ORDER, M },
                                        { ORDER, N }, { ORDER, M, N }, trsm };
