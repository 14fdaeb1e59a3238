/* Kernels that BLAS has, and BLAS's declarations; a part of kernels_body.h. */

void BLAS(gemm)(const char *transa, const char *transb, const int *m, const int *n, const int *k, const SCALAR *alpha,
                const SCALAR *A, const int *lda, const SCALAR *B, const int *ldb, const SCALAR *beta, SCALAR *C, const int *ldc);
void BLAS(gemv)(const char *trans, const int *m, const int *n, const SCALAR *alpha, const SCALAR *A, const int *lda,
                const SCALAR *x, const int *incx, const SCALAR *beta, SCALAR *y, const int *incy);
void HERK(const char *uplo, const char *trans, const int *n, const int *k, const REAL *alpha, const SCALAR *A, const int *lda,
          const REAL *beta, SCALAR *C, const int *ldc);
void HEMM(const char *side, const char *uplo, const int *m, const int *n, const SCALAR *alpha, const SCALAR *A, const int *lda,
          const SCALAR *B, const int *ldb, const SCALAR *beta, SCALAR *C, const int *ldc);
void HEMV(const char *uplo, const int *n, const SCALAR *alpha, const SCALAR *A, const int *lda, const SCALAR *x, const int *incx,
          const SCALAR *beta, SCALAR *y, const int *incy);
#if defined IS_COMPLEX      /* for real types these are HERK and HEMM */
void BLAS(syrk)(const char *uplo, const char *trans, const int *n, const int *k, const SCALAR *alpha, const SCALAR *A,
                const int *lda, const SCALAR *beta, SCALAR *C, const int *ldc);
void BLAS(symm)(const char *side, const char *uplo, const int *m, const int *n, const SCALAR *alpha, const SCALAR *A,
                const int *lda, const SCALAR *B, const int *ldb, const SCALAR *beta, SCALAR *C, const int *ldc);
#endif
void BLAS(trmm)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
                const SCALAR *alpha, const SCALAR *A, const int *lda, SCALAR *B, const int *ldb);

static void NAME(herk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C, int ldc)
{
    REAL factor = (REAL)alpha, one = 1;
    HERK(&(char){ (char)uplo }, &(char){ (char)trans }, &n, &k, &factor, A, &lda, &one, C, &ldc);
}

static void NAME(hemm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb, void *C,
                       int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    if (n == 1) {
        HEMV(&(char){ (char)uplo }, &m, &factor, A, &lda, B, &(int){ 1 }, &one, C, &(int){ 1 });
        return;
    }
    HEMM("L", &(char){ (char)uplo }, &m, &n, &factor, A, &lda, B, &ldb, &one, C, &ldc);
}

static void NAME(syrk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C, int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    BLAS(syrk)(&(char){ (char)uplo }, &(char){ (char)trans }, &n, &k, &factor, A, &lda, &one, C, &ldc);
}

static void NAME(symm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb, void *C,
                       int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    BLAS(symm)("L", &(char){ (char)uplo }, &m, &n, &factor, A, &lda, B, &ldb, &one, C, &ldc);
}

static void NAME(trmm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, double alpha,
                       const void *A, int lda, void *B, int ldb)
{
    SCALAR factor = (SCALAR)alpha;
    BLAS(trmm)(&(char){ (char)side }, &(char){ (char)uplo }, &(char){ (char)trans }, &(char){ (char)diag }, &m, &n, &factor, A,
               &lda, B, &ldb);
}
