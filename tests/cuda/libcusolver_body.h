/* cuSOLVER for one type; included once for each by libcusolver.c. */
#define LAPACK(name) JOIN(JOIN(LAPACKE_, LETTER), name)
void BLAS(gemm)(const char *transa, const char *transb, const int *m, const int *n, const int *k, const SCALAR *alpha,
                const SCALAR *A, const int *lda, const SCALAR *B, const int *ldb, const SCALAR *beta, SCALAR *C, const int *ldc);
void BLAS(trsm)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
                const SCALAR *alpha, const SCALAR *A, const int *lda, SCALAR *B, const int *ldb);

static void NAME(run_potrf)(const void *arguments)
{
    const struct arguments *a = arguments;
    *a->info = LAPACK(potrf_work)(LAPACK_COL_MAJOR, a->uplo, a->n, a->A, a->lda);
}

/*
 *     ( A11 A12 )   ( L11     ) ( U11 U12 )     A11 and A21, U12 = L11^-1 A12, then A22 - L21 U12.
 *     ( A21 A22 ) = ( L21 L22 ) (     U22 )     The first zero pivot, or 0; past it are infinities and NaNs.
 */
static int NAME(factor)(int m, int n, SCALAR *A, int lda)
{
    int n1 = (m < n ? m : n) / 2, m2 = m - n1, n2 = n - n1;
    SCALAR one = 1, less = -1, *A12 = A + n1 * (ptrdiff_t)lda, *A21 = A + n1, *A22 = A12 + n1;
    if (m == 0 || n == 0)
        return 0;
    if (n1 == 0) {
        for (int i = 1; i < m; i++)
            A[i] /= A[0];
        return A[0] == 0;
    }
    int first = NAME(factor)(m, n1, A, lda);
    BLAS(trsm)("L", "L", "N", "U", &n1, &n2, &one, A, &lda, A12, &lda);
    BLAS(gemm)("N", "N", &m2, &n2, &n1, &less, A21, &lda, A12, &lda, &one, A22, &lda);
    int second = NAME(factor)(m2, n2, A22, lda);
    return first > 0 ? first : second > 0 ? n1 + second : 0;
}

/* Without pivots there is no pivoting. Then cuSOLVER does not define info for a zero pivot. */
static void NAME(run_getrf)(const void *arguments)
{
    const struct arguments *a = arguments;
    if (a->ipiv == NULL && a->long_ipiv == NULL) {
        int zero = NAME(factor)(a->m, a->n, a->A, a->lda);
        *a->info = HANDLE == BLAS_HANDLE ? zero : 0;
        return;
    }
    int *ipiv = pivots(a);
    *a->info = ipiv == NULL ? -1 : LAPACK(getrf_work)(LAPACK_COL_MAJOR, a->m, a->n, a->A, a->lda, ipiv);
    if (ipiv != NULL)
        give_pivots(a, ipiv);
}

#ifdef EMULATED_ROCM
int CUSOLVER(potrf)(void *handle, int uplo, int n, SCALAR *A, int lda, int *info)
{
    const struct arguments a = { .uplo = uplo_of(uplo), .m = n, .n = n, .A = A, .lda = lda, .info = info };
    return launch(handle, __func__, a.uplo != 0 && is_matrix(n, n, lda), NAME(run_potrf), &a, sizeof *A, NULL, 0);
}

int CUSOLVER(getrf_npvt)(void *handle, int m, int n, SCALAR *A, int lda, int *info)
{
    const struct arguments a = { .m = m, .n = n, .A = A, .lda = lda, .info = info };
    return launch(handle, __func__, is_matrix(m, n, lda), NAME(run_getrf), &a, sizeof *A, NULL, 0);
}
#else
static void NAME(run_geqrf)(const void *arguments)
{
    const struct arguments *a = arguments;
    int lwork = 32 * a->n + 1;
    SCALAR *work = malloc((size_t)lwork * sizeof *work);
    *a->info = work == NULL ? -1 : LAPACK(geqrf_work)(LAPACK_COL_MAJOR, a->m, a->n, a->A, a->lda, a->tau, work, lwork);
    free(work);
}

int CUSOLVER(potrf_bufferSize)(void *handle, int uplo, int n, SCALAR *A, int lda, int *lwork)
{
    (void)A;
    return size(handle, __func__, uplo_of(uplo) != 0 && is_matrix(n, n, lda), wanted(uplo_of(uplo), n), lwork);
}

int CUSOLVER(potrf)(void *handle, int uplo, int n, SCALAR *A, int lda, SCALAR *work, int lwork, int *info)
{
    const struct arguments a = { .uplo = uplo_of(uplo), .m = n, .n = n, .A = A, .lda = lda, .info = info };
    bool right = a.uplo != 0 && is_matrix(n, n, lda) && lwork >= wanted(a.uplo, n);
    return launch(handle, __func__, right, NAME(run_potrf), &a, sizeof *A, work, lwork < 0 ? 0 : (size_t)lwork * sizeof *work);
}

int CUSOLVER(getrf_bufferSize)(void *handle, int m, int n, SCALAR *A, int lda, int *lwork)
{
    (void)A;
    return size(handle, __func__, is_matrix(m, n, lda), wanted(0, n), lwork);
}

int CUSOLVER(geqrf_bufferSize)(void *handle, int m, int n, SCALAR *A, int lda, int *lwork)
{
    (void)A;
    return size(handle, __func__, is_matrix(m, n, lda), wanted(0, n), lwork);
}

int CUSOLVER(geqrf)(void *handle, int m, int n, SCALAR *A, int lda, SCALAR *tau, SCALAR *work, int lwork, int *info)
{
    const struct arguments a = { .m = m, .n = n, .A = A, .lda = lda, .tau = tau, .info = info };
    bool right = is_matrix(m, n, lda) && lwork >= wanted(0, n);
    return launch(handle, __func__, right, NAME(run_geqrf), &a, sizeof *A, work, lwork < 0 ? 0 : (size_t)lwork * sizeof *work);
}

/* The call does not know the size of its workspace. */
int CUSOLVER(getrf)(void *handle, int m, int n, SCALAR *A, int lda, SCALAR *work, int *ipiv, int *info)
{
    const struct arguments a = { .m = m, .n = n, .A = A, .lda = lda, .ipiv = ipiv, .info = info };
    return launch(handle, __func__, is_matrix(m, n, lda), NAME(run_getrf), &a, sizeof *A, work,
                  (size_t)wanted(0, n) * sizeof *work);
}
#endif
#undef LAPACK
