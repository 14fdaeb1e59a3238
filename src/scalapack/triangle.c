/* Triangular systems and inverses. */
#include "src/scalapack/call.h"

static ompfact_status trtri(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL;
    ompfact_status status = take_triangle(c, OMPFACT_FOR_INVERSE, &A);
    THEN(ompfact_trtri(A, letter_of(c, DIAG) == 'U', info));
    if (*info == 0)
        THEN(give_back(c, ARRAY_A, A));
    release(c, &A, status);
    return status;
}

static void get_alpha(const struct call *c, double *re, double *im)
{
    const void *alpha = c->of[ALPHA];
    bool single = c->type == 's' || c->type == 'c', complex = c->type == 'c' || c->type == 'z';
    *re = real_of(c, ALPHA);
    *im = !complex ? 0 : single ? ((const float *)alpha)[1] : ((const double *)alpha)[1];
}

static ompfact_status trsm(struct call *c, int64_t *info)
{
    ompfact_matrix *A = NULL, *B = NULL;
    double re, im;
    (void)info;
    get_alpha(c, &re, &im);
    ompfact_status status = take_triangle(c, OMPFACT_FOR_LU, &A);
    THEN(take(c, ARRAY_B, (ompfact_shape){ .nb = ompfact_tile_height(A) }, &B));
    THEN(ompfact_trsm((ompfact_side)letter_of(c, SIDE), (ompfact_uplo)letter_of(c, UPLO), (ompfact_trans)letter_of(c, OP),
                      letter_of(c, DIAG) == 'U', re, im, A, B));
    THEN(give_back(c, ARRAY_B, B));
    ompfact_matrix_destroy(&B);
    release(c, &A, status);
    return status;
}

const struct routine scalapack_trtri = { "trtri", { UPLO, DIAG, N, ARRAY_A, INFO, END }, { N }, { N }, { N, N, N }, trtri };
const struct routine scalapack_trsm = { "trsm", { SIDE, UPLO, OP, DIAG, M, N, ALPHA, ARRAY_A, ARRAY_B, END }, { ORDER, M },
                                        { ORDER, N }, { ORDER, M, N }, trsm };
