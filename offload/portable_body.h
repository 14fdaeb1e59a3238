/* The kernels of one precision for devices, composed of its target regions; regions.c includes this file once for each. */

static void NAME(portable_gemm)(enum trans transa, enum trans transb, int m, int n, int k, double alpha, const void *A, int lda,
                                const void *B, int ldb, void *C, int ldc)
{
    int device = portable_begin();
    if (device >= 0 && m > 0 && n > 0 && k > 0)
        NAME(product_region)(device, m, n, k, (REAL)alpha, A, lda, shape_of(GENERAL, transa, NON_UNIT), B, ldb,
                             shape_of(GENERAL, transb, NON_UNIT), C, ldc, SHAPE_GENERAL);
    portable_end();
}

static int NAME(portable_product)(int m, int n, int k, double alpha, struct multiplicand A, struct multiplicand B, void *C,
                                  int ldc)
{
    int device = portable_begin();
    if (device >= 0 && m > 0 && n > 0 && k > 0)
        NAME(product_region)(device, m, n, k, (REAL)alpha, A.data, A.ld, shape_of(A.part, A.trans, A.diag), B.data, B.ld,
                             shape_of(B.part, B.trans, B.diag), C, ldc, SHAPE_GENERAL);
    portable_end();
    return 0;
}

static void NAME(portable_herk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C,
                                int ldc)
{
    int device = portable_begin();
    if (device >= 0 && n > 0 && k > 0)
        NAME(product_region)(device, n, n, k, (REAL)alpha, A, lda, shape_of(GENERAL, trans, NON_UNIT), A, lda,
                             shape_of(GENERAL, trans == NO_TRANS ? CONJ_TRANS : NO_TRANS, NON_UNIT), C, ldc,
                             shape_of(uplo, NO_TRANS, NON_UNIT));
    portable_end();
}

static void NAME(portable_syrk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C,
                                int ldc)
{
    int device = portable_begin();
    if (device >= 0 && n > 0 && k > 0)
        NAME(product_region)(device, n, n, k, (REAL)alpha, A, lda, shape_of(GENERAL, trans, NON_UNIT), A, lda,
                             shape_of(GENERAL, trans == NO_TRANS ? TRANS : NO_TRANS, NON_UNIT), C, ldc,
                             shape_of(uplo, NO_TRANS, NON_UNIT) | SHAPE_PLAIN);
    portable_end();
}

static void NAME(portable_hemm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb,
                                void *C, int ldc)
{
    int device = portable_begin();
    if (device >= 0 && m > 0 && n > 0)
        NAME(product_region)(device, m, n, m, (REAL)alpha, A, lda, shape_of(uplo, NO_TRANS, NON_UNIT) | SHAPE_HERMITIAN, B, ldb,
                             SHAPE_GENERAL, C, ldc, SHAPE_GENERAL);
    portable_end();
}

/* B := alpha op(A) T or alpha T op(A), T a copy of B. */
static void NAME(portable_trmm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, double alpha,
                                const void *A, int lda, void *B, int ldb)
{
    int device = portable_begin(), shape = shape_of(uplo, trans, diag);
    SCALAR *T = device >= 0 && m > 0 && n > 0 ? portable_scratch(device, (size_t)m * (size_t)n * sizeof *T) : NULL;
    if (T != NULL) {
        NAME(add_region)(device, m, n, 1, B, ldb, SHAPE_GENERAL, 0, T, m);
        NAME(clear_region)(device, m, n, B, ldb);
        if (side == LEFT)
            NAME(product_region)(device, m, n, m, (REAL)alpha, A, lda, shape, T, m, SHAPE_GENERAL, B, ldb, SHAPE_GENERAL);
        else
            NAME(product_region)(device, m, n, n, (REAL)alpha, T, m, SHAPE_GENERAL, A, lda, shape, B, ldb, SHAPE_GENERAL);
        portable_free(device, T);
    }
    portable_end();
}

/* Block by block: solves with T's diagonal block, then subtracts the solved part from the rest of B. */
static void NAME(solve)(int device, enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n,
                        const SCALAR *A, int lda, SCALAR *B, int ldb)
{
    bool left = side == LEFT, forward = ((uplo == LOWER) == (trans == NO_TRANS)) == left;
    int order = left ? m : n, count = left ? n : m, blocks = (order + ORDER - 1) / ORDER,
        shape = shape_of(GENERAL, trans, NON_UNIT);
    ptrdiff_t rs = left ? 1 : ldb, cs = left ? ldb : 1;
    for (int s = 0; s < blocks; s++) {
        int first = (forward ? s : blocks - 1 - s) * ORDER, size = order - first < ORDER ? order - first : ORDER,
            end = first + size;
        int rest = forward ? end : 0, length = forward ? order - end : first;
        SCALAR *done = B + first * rs, *after = B + rest * rs;
        NAME(solve_region)(device, left, forward, size, count, A + first + (size_t)first * lda, lda, shape_of(uplo, trans, diag),
                           done, rs, cs);
        const SCALAR *across = left == (trans == NO_TRANS) ? A + rest + (size_t)first * lda : A + first + (size_t)rest * lda;
        if (length > 0 && left)
            NAME(product_region)(device, length, n, size, -1, across, lda, shape, done, ldb, SHAPE_GENERAL, after, ldb,
                                 SHAPE_GENERAL);
        else if (length > 0)
            NAME(product_region)(device, m, length, size, -1, done, ldb, SHAPE_GENERAL, across, lda, shape, after, ldb,
                                 SHAPE_GENERAL);
    }
}

static void NAME(portable_trsm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, const void *A,
                                int lda, void *B, int ldb)
{
    int device = portable_begin();
    if (device >= 0 && m > 0 && n > 0)
        NAME(solve)(device, side, uplo, trans, diag, m, n, A, lda, B, ldb);
    portable_end();
}

/* A11 = L11 L11^H, A21 := A21 L11^-H, A22 -= A21 A21^H, and so on; U = L^H in the same way. The lower factor of A^T is U^T. */
static int NAME(portable_potrf)(enum uplo uplo, int n, void *tile, int lda)
{
    SCALAR *A = tile;
    bool lower = uplo == LOWER;
    int device = portable_begin(), info = 0;
    for (int first = 0; device >= 0 && first < n && info == 0; first += ORDER) {
        int size = n - first < ORDER ? n - first : ORDER, rest = n - first - size;
        SCALAR *A11 = A + first + (size_t)first * lda, *A22 = A11 + size + (size_t)size * lda,
               *off = lower ? A11 + size : A11 + (size_t)size * lda;
        info = NAME(potrf_region)(device, size, A11, lower ? 1 : lda, lower ? lda : 1);
        info = info == 0 ? 0 : first + info;
        if (info != 0 || rest == 0)
            break;
        NAME(solve)(device, lower ? RIGHT : LEFT, uplo, CONJ_TRANS, NON_UNIT, lower ? rest : size, lower ? size : rest, A11, lda,
                    off, lda);
        NAME(product_region)(device, rest, rest, size, -1, off, lda, lower ? SHAPE_GENERAL : SHAPE_TRANS, off, lda,
                             lower ? SHAPE_TRANS : SHAPE_GENERAL, A22, lda, shape_of(uplo, NO_TRANS, NON_UNIT));
    }
    return portable_end() ? 0 : info;
}

/* A11 = L11 U11, A21 := A21 U11^-1, A12 := L11^-1 A12, A22 -= A21 A12, and so on. */
static int NAME(portable_getrf)(int m, int n, void *tile, int lda)
{
    SCALAR *A = tile;
    int device = portable_begin(), info = 0, order = m < n ? m : n;
    for (int first = 0; device >= 0 && first < order; first += ORDER) {
        int size = order - first < ORDER ? order - first : ORDER, rows = m - first - size, cols = n - first - size;
        SCALAR *A11 = A + first + (size_t)first * lda, *A21 = A11 + size, *A12 = A11 + (size_t)size * lda;
        int zero = NAME(getrf_region)(device, size, A11, lda);
        info = info == 0 && zero != 0 ? first + zero : info;
        if (rows > 0)
            NAME(solve)(device, RIGHT, UPPER, NO_TRANS, NON_ZERO, rows, size, A11, lda, A21, lda);
        if (cols > 0)
            NAME(solve)(device, LEFT, LOWER, NO_TRANS, UNIT, size, cols, A11, lda, A12, lda);
        if (rows > 0 && cols > 0)
            NAME(product_region)(device, rows, cols, size, -1, A21, lda, SHAPE_GENERAL, A12, lda, SHAPE_GENERAL, A12 + size, lda,
                                 SHAPE_GENERAL);
    }
    return portable_end() ? 0 : info;
}

static void NAME(portable_copy_rows)(int count, int n, const int *from, const void *A, int lda, const int *to, void *B, int ldb)
{
    int device = portable_begin();
    int *lists = device >= 0 && count > 0 && n > 0 ? portable_lists(device, count, from, to) : NULL;
    if (lists != NULL) {
        NAME(copy_rows_region)(device, count, n, from == NULL ? NULL : lists, A, lda, to == NULL ? NULL : lists + count, B, ldb);
        portable_free(device, lists);
    }
    portable_end();
}

static void NAME(portable_add)(int m, int n, double alpha, const void *A, int lda, void *B, int ldb)
{
    int device = portable_begin();
    if (device >= 0 && m > 0 && n > 0)
        NAME(add_region)(device, m, n, (REAL)alpha, A, lda, SHAPE_GENERAL, 1, B, ldb);
    portable_end();
}

static void NAME(portable_conj_transpose)(int m, int n, const void *A, int lda, void *B, int ldb)
{
    int device = portable_begin();
    if (device >= 0 && m > 0 && n > 0)
        NAME(add_region)(device, n, m, 1, A, lda, SHAPE_TRANS, 0, B, ldb);
    portable_end();
}

static void NAME(portable_from_other)(int m, int n, const void *A, int lda, void *B, int ldb)
{
    int device = portable_begin();
    if (device >= 0 && m > 0 && n > 0)
        NAME(from_other_region)(device, m, n, A, lda, B, ldb);
    portable_end();
}

static void NAME(portable_squares)(enum uplo part, int m, int n, const void *A, int lda, double *sum)
{
    int device = portable_begin();
    double *sums = device >= 0 ? portable_scratch(device, ((size_t)n + 1) * sizeof *sums) : NULL;
    if (sums != NULL) {
        if (n > 0)
            NAME(squares_region)(device, m, n, A, lda, shape_of(part, NO_TRANS, NON_UNIT), sums);
        add_region_sums(device, n, sums, sum);
        portable_free(device, sums);
    }
    portable_end();
}

static void NAME(portable_clear)(int m, int n, void *A, int lda)
{
    int device = portable_begin();
    if (device >= 0 && m > 0 && n > 0)
        NAME(clear_region)(device, m, n, A, lda);
    portable_end();
}

static const struct kernels NAME(portable_kernels) = {
    .potrf = NAME(portable_potrf),
    .getrf = NAME(portable_getrf),
    .copy_rows = NAME(portable_copy_rows),
    .trsm = NAME(portable_trsm),
    .trmm = NAME(portable_trmm),
    .herk = NAME(portable_herk),
    .syrk = NAME(portable_syrk),
    .gemm = NAME(portable_gemm),
    .hemm = NAME(portable_hemm),
    .add = NAME(portable_add),
    .conj_transpose = NAME(portable_conj_transpose),
    .from_other = NAME(portable_from_other),
    .squares = NAME(portable_squares),
    .clear = NAME(portable_clear),
    .product = NAME(portable_product),
};
