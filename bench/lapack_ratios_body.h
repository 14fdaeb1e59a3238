/* LAPACK's routines of one precision on one tile. lapack_ratios.c includes this file for each precision, between precision_on.h
   and precision_off.h. */
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

/* The other routines allocate their workspace. */
#undef LAPACKE
#define LAPACKE(name) JOIN(LAPACKE_, JOIN(LETTER, name))
#if defined IS_COMPLEX
#define UNGQR LAPACKE(ungqr)
#else
#define UNGQR LAPACKE(orgqr)
#endif

static int NAME(geqrf)(const ompfact_tile *A, void *tau)
{
    return LAPACKE(geqrf)(LAPACK_COL_MAJOR, A->mb, A->nb, A->data, A->ld, tau);
}

static int NAME(ungqr)(int m, int k, void *Q, const void *tau)
{
    return UNGQR(LAPACK_COL_MAJOR, m, k, k, Q, m, tau);
}

static int NAME(gels)(const ompfact_tile *A, int nrhs, void *B, int ldb)
{
    return LAPACKE(gels)(LAPACK_COL_MAJOR, 'N', A->mb, A->nb, nrhs, A->data, A->ld, B, ldb);
}

#undef LAPACKE
#undef UNGQR
