/* Copies, sums, norms, and products of triangles; a part of kernels_body.h. */

static void NAME(add)(int m, int n, double alpha, const void *from, int lda, void *to, int ldb)
{
    const SCALAR *A = from;
    SCALAR *B = to;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            B[i + (size_t)j * ldb] += (REAL)alpha * A[i + (size_t)j * lda];
}

static void NAME(conj_transpose)(int m, int n, const void *from, int lda, void *to, int ldb)
{
    const SCALAR *A = from;
    SCALAR *B = to;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            B[j + (size_t)i * ldb] = CONJUGATE(A[i + (size_t)j * lda]);
}

static void NAME(from_other)(int m, int n, const void *from, int lda, void *to, int ldb)
{
    for (int j = 0; j < n; j++) {
        const OTHER_REAL *A = (const OTHER_REAL *)from + (size_t)j * (size_t)lda * PARTS;
        REAL *B = (REAL *)to + (size_t)j * (size_t)ldb * PARTS;
        for (ptrdiff_t i = 0; i < (ptrdiff_t)m * PARTS; i++)
            B[i] = (REAL)A[i];
    }
}

static void NAME(squares)(enum uplo part, int m, int n, const void *data, int lda, double *sum)
{
    *sum = 0;
    for (int j = 0; j < n; j++) {
        const REAL *a = (const REAL *)data + (size_t)j * (size_t)lda * PARTS;
        for (ptrdiff_t i = (ptrdiff_t)first_of(part, j) * PARTS; i < (ptrdiff_t)end_of(part, j, m) * PARTS; i++)
            *sum += (double)a[i] * (double)a[i];
    }
}

static void NAME(transpose)(int m, int n, const void *from, int lda, void *to, int ldb)
{
    const SCALAR *A = from;
    SCALAR *B = to;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            B[j + (size_t)i * ldb] = A[i + (size_t)j * lda];
}

static void NAME(clear)(int m, int n, void *A, int lda)
{
    for (int j = 0; j < n; j++)
        memset((SCALAR *)A + (size_t)j * lda, 0, (size_t)m * sizeof(SCALAR));
}

/* rows x cols is the stored shape of the factor. Returns NULL if it needs a copy and there is no memory. */
static const SCALAR *NAME(full_factor)(struct multiplicand F, int rows, int cols, int *ld, SCALAR **copy)
{
    *copy = NULL;
    *ld = F.ld;
    if (F.part == GENERAL)
        return F.data;
    *copy = workspace_take((size_t)rows * cols * sizeof **copy);
    *ld = rows;
    if (*copy != NULL)
        NAME(expand)(F.part, F.diag == UNIT, rows, cols, F.data, F.ld, *copy);
    return *copy;
}

static int NAME(product)(int m, int n, int k, double alpha, struct multiplicand A, struct multiplicand B, void *C, int ldc)
{
    int lda, ldb;
    SCALAR *copy_a, *copy_b;
    const SCALAR *a = NAME(full_factor)(A, A.trans == NO_TRANS ? m : k, A.trans == NO_TRANS ? k : m, &lda, &copy_a);
    const SCALAR *b = NAME(full_factor)(B, B.trans == NO_TRANS ? k : n, B.trans == NO_TRANS ? n : k, &ldb, &copy_b);
    bool ready = a != NULL && b != NULL;
    if (ready)
        NAME(gemm)(A.trans, B.trans, m, n, k, alpha, a, lda, b, ldb, C, ldc);
    workspace_give(copy_a);
    workspace_give(copy_b);
    return ready ? 0 : 1;
}

static void NAME(sums)(enum uplo part, int m, int n, const void *tile, int lda, double *sums, double *rows)
{
#pragma clang fp reassociate(on)    /* otherwise the compiler does not vectorize the sums */
    for (int j = 0; j < n; j++) {
        const SCALAR *A = (const SCALAR *)tile + (size_t)j * lda;
        bool diagonal = part != GENERAL && j < m;
        int first = first_of(part, j) + (part == LOWER), end = end_of(part, j, m) - (part == UPPER && diagonal);
        double sum = diagonal ? MODULUS(A[j]) : 0;
        for (int i = first; rows == NULL && i < end; i++)
            sum += MODULUS(A[i]);
        for (int i = first; rows != NULL && i < end; i++) {
            double a = MODULUS(A[i]);
            sum += a;
            rows[i] += a;
        }
        sums[j] += sum;
    }
}

static double NAME(largest)(enum uplo part, int m, int n, const void *tile, int lda)
{
    const SCALAR *A = tile;
    double largest = 0;
    for (int j = 0; j < n; j++)
        for (int i = first_of(part, j); i < end_of(part, j, m); i++) {
            double a = MODULUS(A[i + (size_t)j * lda]);
            largest = a <= largest ? largest : a == a ? a : INFINITY;
        }
    return largest;
}

static void NAME(maxima)(int m, int n, const void *tile, int lda, double *maxima)
{
    const SCALAR *A = tile;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double a = MODULUS(A[i + (size_t)j * lda]);
            if (!(a <= maxima[j]))
                maxima[j] = a == a ? a : INFINITY;
        }
}

/* Converts the real numbers that make up the elements, for real and complex types. */
static int NAME(convert)(enum uplo part, int m, int n, const void *from, int lda, void *to, int ldb)
{
    int lost = 0;
    for (int j = 0; j < n; j++) {
        int first = first_of(part, j), end = end_of(part, j, m);
        const REAL *A = (const REAL *)from + (size_t)j * (size_t)lda * PARTS;
        OTHER_REAL *B = (OTHER_REAL *)to + (size_t)j * (size_t)ldb * PARTS;
        for (int i = first * PARTS; i < end * PARTS; i++) {
            B[i] = (OTHER_REAL)A[i];
            lost |= !isfinite(B[i]);
        }
    }
    return lost;
}

static size_t NAME(not_finite)(enum uplo part, int m, int n, const void *tile, int lda)
{
    const SCALAR *A = tile;
    for (int j = 0; j < n; j++)
        for (int i = first_of(part, j); i < end_of(part, j, m); i++) {
            SCALAR a = A[i + (size_t)j * lda];
            if (!isfinite(creal(a)) || !isfinite(cimag(a)))
                return (size_t)j * (size_t)m + (size_t)i + 1;
        }
    return 0;
}

static void NAME(set)(void *element, double re, double im)
{
    *(SCALAR *)element = (SCALAR)MAKE_SCALAR((REAL)re, (REAL)im);
}

static void NAME(get)(const void *element, double *re, double *im)
{
    SCALAR a = *(const SCALAR *)element;
    *re = creal(a);
    *im = cimag(a);
}
