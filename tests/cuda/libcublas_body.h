/* cuBLAS for one type; included once for each by libcublas.c. */
void BLAS(gemm)(const char *transa, const char *transb, const int *m, const int *n, const int *k, const SCALAR *alpha,
                const SCALAR *A, const int *lda, const SCALAR *B, const int *ldb, const SCALAR *beta, SCALAR *C, const int *ldc);
void BLAS(syrk)(const char *uplo, const char *trans, const int *n, const int *k, const SCALAR *alpha, const SCALAR *A,
                const int *lda, const SCALAR *beta, SCALAR *C, const int *ldc);
void BLAS(symm)(const char *side, const char *uplo, const int *m, const int *n, const SCALAR *alpha, const SCALAR *A,
                const int *lda, const SCALAR *B, const int *ldb, const SCALAR *beta, SCALAR *C, const int *ldc);
void BLAS(trsm)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
                const SCALAR *alpha, const SCALAR *A, const int *lda, SCALAR *B, const int *ldb);
void BLAS(trmm)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
                const SCALAR *alpha, const SCALAR *A, const int *lda, SCALAR *B, const int *ldb);

/* All arguments that a routine of BLAS's third level may have. */
struct NAME(arguments) {
    char side, uplo, trans, transb, diag;
    int m, n, k, lda, ldb, ldc;
    SCALAR alpha, beta;
    REAL real_alpha, real_beta;
    const SCALAR *A, *B;
    SCALAR *C;
};

static SCALAR NAME(value)(const SCALAR *factor)
{
    return factor == NULL ? 0 : *factor;
}

static struct range NAME(reads)(const SCALAR *A, int m, int n, int ld)
{
    return is_read(A, m, n, ld, sizeof *A);
}

static struct range NAME(writes)(const SCALAR *A, int m, int n, int ld)
{
    return is_written(A, m, n, ld, sizeof *A);
}

/* ---- C := alpha op(A) op(B) + beta C ------------------------------------------------------------------------------------ */

static void NAME(run_gemm)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    BLAS(gemm)(&a->trans, &a->transb, &a->m, &a->n, &a->k, &a->alpha, a->A, &a->lda, a->B, &a->ldb, &a->beta, a->C, &a->ldc);
}

int CUBLAS(gemm_v2)(void *handle, int transa, int transb, int m, int n, int k, const SCALAR *alpha, const SCALAR *A, int lda,
                    const SCALAR *B, int ldb, const SCALAR *beta, SCALAR *C, int ldc)
{
    const struct NAME(arguments) a = { .trans = op(transa), .transb = op(transb), .m = m, .n = n, .k = k,
                                       .alpha = NAME(value)(alpha), .beta = NAME(value)(beta), .A = A, .lda = lda, .B = B,
                                       .ldb = ldb, .C = C, .ldc = ldc };
    int rows_a = a.trans == 'N' ? m : k, rows_b = a.transb == 'N' ? k : n;
    bool right = a.trans != 0 && a.transb != 0 && m >= 0 && n >= 0 && k >= 0 && alpha != NULL && beta != NULL &&
                 is_ld(lda, rows_a) && is_ld(ldb, rows_b) && is_ld(ldc, m);
    const struct range used[] = { NAME(reads)(A, rows_a, m + k - rows_a, lda), NAME(reads)(B, rows_b, k + n - rows_b, ldb),
                                  NAME(writes)(C, m, n, ldc) };
    return launch(handle, __func__, right, m == 0 || n == 0, NAME(run_gemm), &a, sizeof a, used, 3);
}

/* ---- C := alpha op(A) op(A)^T + beta C, or ^H --------------------------------------------------------------------------- */

static int NAME(rank_k)(void *handle, const char *call, void (*run)(const void *), bool factors, int uplo, int trans, char not_op,
                        struct NAME(arguments) *a)
{
    a->uplo = uplo_of(uplo);
    a->trans = op(trans);
    int rows = a->trans == 'N' ? a->n : a->k;
    bool right = a->uplo != 0 && a->trans != 0 && a->trans != not_op && a->n >= 0 && a->k >= 0 && factors &&
                 is_ld(a->lda, rows) && is_ld(a->ldc, a->n);
    const struct range used[] = { NAME(reads)(a->A, rows, a->n + a->k - rows, a->lda),
                                  NAME(writes)(a->C, a->n, a->n, a->ldc) };
    return launch(handle, call, right, a->n == 0, run, a, sizeof *a, used, 2);
}

static void NAME(run_syrk)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    BLAS(syrk)(&a->uplo, &a->trans, &a->n, &a->k, &a->alpha, a->A, &a->lda, &a->beta, a->C, &a->ldc);
}

int CUBLAS(syrk_v2)(void *handle, int uplo, int trans, int n, int k, const SCALAR *alpha, const SCALAR *A, int lda,
                    const SCALAR *beta, SCALAR *C, int ldc)
{
    struct NAME(arguments) a = { .n = n, .k = k, .alpha = NAME(value)(alpha), .beta = NAME(value)(beta), .A = A, .lda = lda,
                                 .C = C, .ldc = ldc };
    return NAME(rank_k)(handle, __func__, NAME(run_syrk), alpha != NULL && beta != NULL, uplo, trans, PARTS == 2 ? 'C' : 0, &a);
}

/* ---- C := alpha A B + beta C, or B A, A symmetric or Hermitian ---------------------------------------------------------- */

static int NAME(symmetric)(void *handle, const char *call, void (*run)(const void *), bool factors, int side, int uplo,
                           struct NAME(arguments) *a)
{
    a->side = side_of(side);
    a->uplo = uplo_of(uplo);
    int order = a->side == 'L' ? a->m : a->n;
    bool right = a->side != 0 && a->uplo != 0 && a->m >= 0 && a->n >= 0 && factors && is_ld(a->lda, order) &&
                 is_ld(a->ldb, a->m) && is_ld(a->ldc, a->m);
    const struct range used[] = { NAME(reads)(a->A, order, order, a->lda), NAME(reads)(a->B, a->m, a->n, a->ldb),
                                  NAME(writes)(a->C, a->m, a->n, a->ldc) };
    return launch(handle, call, right, a->m == 0 || a->n == 0, run, a, sizeof *a, used, 3);
}

static void NAME(run_symm)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    BLAS(symm)(&a->side, &a->uplo, &a->m, &a->n, &a->alpha, a->A, &a->lda, a->B, &a->ldb, &a->beta, a->C, &a->ldc);
}

int CUBLAS(symm_v2)(void *handle, int side, int uplo, int m, int n, const SCALAR *alpha, const SCALAR *A, int lda,
                    const SCALAR *B, int ldb, const SCALAR *beta, SCALAR *C, int ldc)
{
    struct NAME(arguments) a = { .m = m, .n = n, .alpha = NAME(value)(alpha), .beta = NAME(value)(beta), .A = A, .lda = lda,
                                 .B = B, .ldb = ldb, .C = C, .ldc = ldc };
    return NAME(symmetric)(handle, __func__, NAME(run_symm), alpha != NULL && beta != NULL, side, uplo, &a);
}

#if PARTS == 2
void BLAS(herk)(const char *uplo, const char *trans, const int *n, const int *k, const REAL *alpha, const SCALAR *A,
                const int *lda, const REAL *beta, SCALAR *C, const int *ldc);
void BLAS(hemm)(const char *side, const char *uplo, const int *m, const int *n, const SCALAR *alpha, const SCALAR *A,
                const int *lda, const SCALAR *B, const int *ldb, const SCALAR *beta, SCALAR *C, const int *ldc);

static void NAME(run_herk)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    BLAS(herk)(&a->uplo, &a->trans, &a->n, &a->k, &a->real_alpha, a->A, &a->lda, &a->real_beta, a->C, &a->ldc);
}

int CUBLAS(herk_v2)(void *handle, int uplo, int trans, int n, int k, const REAL *alpha, const SCALAR *A, int lda,
                    const REAL *beta, SCALAR *C, int ldc)
{
    struct NAME(arguments) a = { .n = n, .k = k, .real_alpha = alpha == NULL ? 0 : *alpha,
                                 .real_beta = beta == NULL ? 0 : *beta, .A = A, .lda = lda, .C = C, .ldc = ldc };
    return NAME(rank_k)(handle, __func__, NAME(run_herk), alpha != NULL && beta != NULL, uplo, trans, 'T', &a);
}

static void NAME(run_hemm)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    BLAS(hemm)(&a->side, &a->uplo, &a->m, &a->n, &a->alpha, a->A, &a->lda, a->B, &a->ldb, &a->beta, a->C, &a->ldc);
}

int CUBLAS(hemm_v2)(void *handle, int side, int uplo, int m, int n, const SCALAR *alpha, const SCALAR *A, int lda,
                    const SCALAR *B, int ldb, const SCALAR *beta, SCALAR *C, int ldc)
{
    struct NAME(arguments) a = { .m = m, .n = n, .alpha = NAME(value)(alpha), .beta = NAME(value)(beta), .A = A, .lda = lda,
                                 .B = B, .ldb = ldb, .C = C, .ldc = ldc };
    return NAME(symmetric)(handle, __func__, NAME(run_hemm), alpha != NULL && beta != NULL, side, uplo, &a);
}
#endif

/* ---- A triangular: op(A) X = alpha B, C := alpha op(A) B, or from the right --------------------------------------------- */

static int NAME(triangular)(void *handle, const char *call, void (*run)(const void *), bool right, int side, int uplo, int trans,
                            int diag, struct NAME(arguments) *a)
{
    a->side = side_of(side);
    a->uplo = uplo_of(uplo);
    a->trans = op(trans);
    a->diag = diag_of(diag);
    int order = a->side == 'L' ? a->m : a->n;
    right = right && a->side != 0 && a->uplo != 0 && a->trans != 0 && a->diag != 0 && a->m >= 0 && a->n >= 0 &&
            is_ld(a->lda, order) && is_ld(a->ldc, a->m) && is_ld(a->ldb, a->m);
    const struct range used[] = { NAME(reads)(a->A, order, order, a->lda), NAME(reads)(a->B, a->m, a->n, a->ldb),
                                  NAME(writes)(a->C, a->m, a->n, a->ldc) };
    return launch(handle, call, right, a->m == 0 || a->n == 0, run, a, sizeof *a, used, 3);
}

static void NAME(run_trsm)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    BLAS(trsm)(&a->side, &a->uplo, &a->trans, &a->diag, &a->m, &a->n, &a->alpha, a->A, &a->lda, a->C, &a->ldc);
}

int CUBLAS(trsm_v2)(void *handle, int side, int uplo, int trans, int diag, int m, int n, const SCALAR *alpha, const SCALAR *A,
                    int lda, SCALAR *B, int ldb)
{
    struct NAME(arguments) a = { .m = m, .n = n, .alpha = NAME(value)(alpha), .A = A, .lda = lda, .B = B, .ldb = ldb, .C = B,
                                 .ldc = ldb };
    return NAME(triangular)(handle, __func__, NAME(run_trsm), alpha != NULL, side, uplo, trans, diag, &a);
}

static void NAME(run_trmm)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    for (int j = 0; a->C != a->B && j < a->n; j++)
        memcpy(a->C + j * (ptrdiff_t)a->ldc, a->B + j * (ptrdiff_t)a->ldb, (size_t)a->m * sizeof *a->C);
    BLAS(trmm)(&a->side, &a->uplo, &a->trans, &a->diag, &a->m, &a->n, &a->alpha, a->A, &a->lda, a->C, &a->ldc);
}

int CUBLAS(trmm_v2)(void *handle, int side, int uplo, int trans, int diag, int m, int n, const SCALAR *alpha, const SCALAR *A,
                    int lda, const SCALAR *B, int ldb, SCALAR *C, int ldc)
{
    struct NAME(arguments) a = { .m = m, .n = n, .alpha = NAME(value)(alpha), .A = A, .lda = lda, .B = B, .ldb = ldb, .C = C,
                                 .ldc = ldc };
    bool right = alpha != NULL && (B != C || ldb == ldc);
    return NAME(triangular)(handle, __func__, NAME(run_trmm), right, side, uplo, trans, diag, &a);
}

/* ---- C := alpha op(A) + beta op(B) -------------------------------------------------------------------------------------- */

static SCALAR NAME(entry)(char trans, const SCALAR *A, int ld, int i, int j)
{
    SCALAR a = trans == 'N' ? A[i + j * (ptrdiff_t)ld] : A[j + i * (ptrdiff_t)ld];
    return trans == 'C' ? CONJUGATE(a) : a;
}

/* A term with the factor 0 is not read. */
static void NAME(run_geam)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++)
            a->C[i + j * (ptrdiff_t)a->ldc] = (a->alpha == 0 ? 0 : a->alpha * NAME(entry)(a->trans, a->A, a->lda, i, j)) +
                                              (a->beta == 0 ? 0 : a->beta * NAME(entry)(a->transb, a->B, a->ldb, i, j));
}

/* In place only without a transpose. */
static bool NAME(may_be)(const SCALAR *A, char trans, int ld, const SCALAR *C, int ldc)
{
    return A != C || (trans == 'N' && ld == ldc);
}

int CUBLAS(geam)(void *handle, int transa, int transb, int m, int n, const SCALAR *alpha, const SCALAR *A, int lda,
                 const SCALAR *beta, const SCALAR *B, int ldb, SCALAR *C, int ldc)
{
    const struct NAME(arguments) a = { .trans = op(transa), .transb = op(transb), .m = m, .n = n, .alpha = NAME(value)(alpha),
                                       .beta = NAME(value)(beta), .A = A, .lda = lda, .B = B, .ldb = ldb, .C = C, .ldc = ldc };
    int rows_a = a.trans == 'N' ? m : n, rows_b = a.transb == 'N' ? m : n;
    bool with_a = a.alpha != 0, with_b = a.beta != 0;
    bool right = a.trans != 0 && a.transb != 0 && m >= 0 && n >= 0 && alpha != NULL && beta != NULL && is_ld(ldc, m) &&
                 is_ld(lda, rows_a) && is_ld(ldb, rows_b) && NAME(may_be)(A, a.trans, lda, C, ldc) &&
                 NAME(may_be)(B, a.transb, ldb, C, ldc);
    const struct range used[] = { NAME(reads)(A, with_a ? rows_a : 0, m + n - rows_a, lda),
                                  NAME(reads)(B, with_b ? rows_b : 0, m + n - rows_b, ldb), NAME(writes)(C, m, n, ldc) };
    return launch(handle, __func__, right, m == 0 || n == 0, NAME(run_geam), &a, sizeof a, used, 3);
}

/* ---- C := diag(x) A ----------------------------------------------------------------------------------------------------- */

#ifndef EMULATED_ROCM
static void NAME(run_dgmm)(const void *arguments)
{
    const struct NAME(arguments) *a = arguments;
    for (int j = 0; j < a->n; j++)
        for (int i = 0; i < a->m; i++)
            a->C[i + j * (ptrdiff_t)a->ldc] = a->B[i * (ptrdiff_t)a->ldb] * a->A[i + j * (ptrdiff_t)a->lda];
}

/* From the left; x begins at its first element. */
int CUBLAS(dgmm)(void *handle, int side, int m, int n, const SCALAR *A, int lda, const SCALAR *x, int incx, SCALAR *C, int ldc)
{
    const struct NAME(arguments) a = { .m = m, .n = n, .A = A, .lda = lda, .B = x, .ldb = incx, .C = C, .ldc = ldc };
    bool right = side == 0 && m >= 0 && n >= 0 && incx > 0 && is_ld(lda, m) && is_ld(ldc, m) && (A != C || lda == ldc);
    const struct range used[] = { NAME(reads)(A, m, n, lda), NAME(reads)(x, 1, m, incx), NAME(writes)(C, m, n, ldc) };
    return launch(handle, __func__, right, m == 0 || n == 0, NAME(run_dgmm), &a, sizeof a, used, 3);
}
#endif
