/* The kernels of one precision by cuBLAS and cuSOLVER; included once for each by cuda_kernels.c.
   Where these cannot, the portable ones. */

static const struct cuda_kernels *NAME(library)(void)
{
    return library_of(LETTER_TEXT(LETTER));
}

static int NAME(op)(enum trans trans)
{
    return trans == NO_TRANS ? CUBLAS_N : PARTS == 2 ? CUBLAS_C : CUBLAS_T;
}

static void NAME(cuda_gemm)(enum trans transa, enum trans transb, int m, int n, int k, double alpha, const void *A, int lda,
                            const void *B, int ldb, void *C, int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    struct cuda_lane *lane = m > 0 && n > 0 && k > 0 ? cuda_kernel_lane() : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->gemm(lane->blas, NAME(op)(transa), NAME(op)(transb), m, n, k, &factor, A, lda, B, ldb,
                                           &one, C, ldc), "gemm");
}

static void NAME(cuda_herk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C,
                            int ldc)
{
    REAL factor = (REAL)alpha, one = 1;
    struct cuda_lane *lane = n > 0 && k > 0 ? cuda_kernel_lane() : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->herk(lane->blas, fill_mode(uplo), NAME(op)(trans), n, k, &factor, A, lda, &one, C, ldc),
                     "herk");
}

static void NAME(cuda_hemm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb, void *C,
                            int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    struct cuda_lane *lane = m > 0 && n > 0 ? cuda_kernel_lane() : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->hemm(lane->blas, CUBLAS_LEFT, fill_mode(uplo), m, n, &factor, A, lda, B, ldb, &one, C,
                                           ldc), "hemm");
}

/* cuBLAS's has a place of its own for the product, which may be B. */
static void NAME(cuda_trmm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, double alpha,
                            const void *A, int lda, void *B, int ldb)
{
    SCALAR factor = (SCALAR)alpha;
    struct cuda_lane *lane = m > 0 && n > 0 ? cuda_kernel_lane() : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->trmm(lane->blas, side_mode(side), fill_mode(uplo), NAME(op)(trans), diag_type(diag), m, n,
                                           &factor, A, lda, B, ldb, B, ldb), "trmm");
}

/* Is there a zero on the diagonal of A? Waits for the lane. */
static bool NAME(zero_on_diagonal)(struct cuda_lane *lane, int n, const void *A, int lda)
{
    SCALAR *diagonal = malloc((size_t)n * sizeof *diagonal);
    bool zero = false;
    if (diagonal == NULL) {
        offload_fail(current.offload, "no memory on the host for a tile's diagonal");
        return false;
    }
    if (cuda_get_2d(lane, diagonal, sizeof(SCALAR), A, ((size_t)lda + 1) * sizeof(SCALAR), sizeof(SCALAR), (size_t)n))
        for (int i = 0; i < n; i++)
            zero |= diagonal[i] == 0;
    free(diagonal);
    return zero;
}

/* Only the U of an LU factor can have zeros on its diagonal: Cholesky's stops there. */
static void NAME(cuda_trsm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, const void *A,
                            int lda, void *B, int ldb)
{
    SCALAR one = 1;
    struct cuda_lane *lane = m > 0 && n > 0 ? cuda_kernel_lane() : NULL;
    if (lane == NULL)
        return;
    if (uplo == UPPER && diag == NON_UNIT && NAME(zero_on_diagonal)(lane, side == LEFT ? m : n, A, lda))
        portable_kernels(LETTER_TEXT(LETTER))->trsm(side, uplo, trans, diag, m, n, A, lda, B, ldb);
    else if (cuda_lane() != NULL)
        cuda_blas_ok(NAME(library)()->trsm(lane->blas, side_mode(side), fill_mode(uplo), NAME(op)(trans), diag_type(diag), m, n,
                                           &one, A, lda, B, ldb), "trsm");
}

static int NAME(cuda_potrf)(enum uplo uplo, int n, void *A, int lda)
{
    struct cuda_lane *lane = n > 0 ? cuda_kernel_lane() : NULL;
    int size = 0;
    if (lane == NULL || !cuda_solver_ok(NAME(library)()->potrf_size(lane->solver, fill_mode(uplo), n, A, lda, &size), "potrf"))
        return 0;
    char *work = cuda_work(lane, INFO_BYTES + (size_t)size * sizeof(SCALAR));     /* info, then cuSOLVER's */
    if (work == NULL || !cuda_solver_ok(NAME(library)()->potrf(lane->solver, fill_mode(uplo), n, A, lda, work + INFO_BYTES, size,
                                                               (int *)work), "potrf"))
        return 0;
    return cuda_info(lane, work, "potrf");
}

/* cuSOLVER's without a list of pivots does not pivot. Past a zero pivot it does not say what it does, so the tile is kept. */
static int NAME(cuda_getrf)(int m, int n, void *A, int lda)
{
    struct cuda_lane *lane = m > 0 && n > 0 ? cuda_kernel_lane() : NULL;
    int size = 0;
    if (lane == NULL || !cuda_solver_ok(NAME(library)()->getrf_size(lane->solver, m, n, A, lda, &size), "getrf"))
        return 0;
    size_t width = (size_t)m * sizeof(SCALAR), pitch = (size_t)lda * sizeof(SCALAR), kept = (width * (size_t)n + 255) / 256 * 256;
    char *work = cuda_work(lane, INFO_BYTES + kept + (size_t)size * sizeof(SCALAR));
    if (work == NULL || !cuda_put_2d(lane, work + INFO_BYTES, width, A, pitch, width, (size_t)n))
        return 0;
    if (!cuda_solver_ok(NAME(library)()->getrf(lane->solver, m, n, A, lda, work + INFO_BYTES + kept, NULL, (int *)work), "getrf"))
        return 0;
    int info = cuda_info(lane, work, "getrf");
    if (info > 0 && cuda_put_2d(lane, A, pitch, work + INFO_BYTES, width, width, (size_t)n) && cuda_settled(lane))
        info = portable_kernels(LETTER_TEXT(LETTER))->getrf(m, n, A, lda);
    return info;
}

/* In place: C := alpha op(A) + beta C. */
static void NAME(cuda_add)(int m, int n, double alpha, const void *A, int lda, void *B, int ldb)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    struct cuda_lane *lane = m > 0 && n > 0 ? cuda_kernel_lane() : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->geam(lane->blas, CUBLAS_N, CUBLAS_N, m, n, &factor, A, lda, &one, B, ldb, B, ldb), "geam");
}

static void NAME(cuda_conj_transpose)(int m, int n, const void *A, int lda, void *B, int ldb)
{
    SCALAR zero = 0, one = 1;
    struct cuda_lane *lane = m > 0 && n > 0 ? cuda_kernel_lane() : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->geam(lane->blas, NAME(op)(CONJ_TRANS), CUBLAS_N, n, m, &one, A, lda, &zero, B, ldb, B,
                                           ldb), "geam");
}

static void NAME(cuda_clear)(int m, int n, void *A, int lda)
{
    struct cuda_lane *lane = m > 0 && n > 0 ? cuda_lane() : NULL;
    if (lane != NULL)
        cuda_ok(current.offload->cuda->library->set_2d(A, (size_t)lda * sizeof(SCALAR), 0, (size_t)m * sizeof(SCALAR), (size_t)n,
                                                       lane->stream),
                "cudaMemset2DAsync");
}

/* With lists of rows by target regions, which know nothing of the lane: it is waited for. */
static void NAME(cuda_copy_rows)(int count, int n, const int *from, const void *A, int lda, const int *to, void *B, int ldb)
{
    struct cuda_lane *lane = count > 0 && n > 0 ? cuda_lane() : NULL;
    if (lane == NULL)
        return;
    if (from == NULL && to == NULL)
        cuda_put_2d(lane, B, (size_t)ldb * sizeof(SCALAR), A, (size_t)lda * sizeof(SCALAR), (size_t)count * sizeof(SCALAR),
                    (size_t)n);
    else if (cuda_settled(lane))
        portable_kernels(LETTER_TEXT(LETTER))->copy_rows(count, n, from, A, lda, to, B, ldb);
}

static int NAME(cuda_product)(int m, int n, int k, double alpha, struct multiplicand A, struct multiplicand B, void *C, int ldc)
{
    struct cuda_lane *lane = m > 0 && n > 0 && k > 0 ? cuda_lane() : NULL;
    if (A.part == GENERAL && B.part == GENERAL)
        NAME(cuda_gemm)(A.trans, B.trans, m, n, k, alpha, A.data, A.ld, B.data, B.ld, C, ldc);
    else if (lane != NULL && cuda_settled(lane))
        portable_kernels(LETTER_TEXT(LETTER))->product(m, n, k, alpha, A, B, C, ldc);
    return 0;
}

static const struct kernels NAME(cuda_table) = {
    .potrf = NAME(cuda_potrf),
    .getrf = NAME(cuda_getrf),
    .copy_rows = NAME(cuda_copy_rows),
    .trsm = NAME(cuda_trsm),
    .trmm = NAME(cuda_trmm),
    .herk = NAME(cuda_herk),
    .gemm = NAME(cuda_gemm),
    .hemm = NAME(cuda_hemm),
    .add = NAME(cuda_add),
    .conj_transpose = NAME(cuda_conj_transpose),
    .clear = NAME(cuda_clear),
    .product = NAME(cuda_product),
};
