/* LAPACK's routines of one precision on one tile; included once for each by lapack_ratios.c, between precision_on.h and _off.h. */
#define LAPACKE(name) JOIN(LAPACKE_, JOIN(JOIN(LETTER, name), _work))

static int NAME(potrf)(const ompfact_tile *A)
{
    return LAPACKE(potrf)(LAPACK_COL_MAJOR, 'L', A->nb, A->data, A->ld);
}

static int NAME(getrf)(const ompfact_tile *A, int *ipiv)
{
    return LAPACKE(getrf)(LAPACK_COL_MAJOR, A->mb, A->nb, A->data, A->ld, ipiv);
}

static int NAME(potrs)(const ompfact_tile *A, const ompfact_tile *B)
{
    return LAPACKE(potrs)(LAPACK_COL_MAJOR, 'L', A->nb, B->nb, A->data, A->ld, B->data, B->ld);
}

static int NAME(getrs)(const ompfact_tile *A, const int *ipiv, const ompfact_tile *B)
{
    return LAPACKE(getrs)(LAPACK_COL_MAJOR, 'N', A->nb, B->nb, A->data, A->ld, ipiv, B->data, B->ld);
}

#undef LAPACKE
