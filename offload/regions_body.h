/* The target regions of one precision; regions.c includes this file once for each. Functions called in them are compiled for
   devices, too. */

/* Element (r, c) of op(F), with the shape of F. Elements outside its part are not read. */
static inline SCALAR NAME(element)(const SCALAR *F, int ld, int shape, int r, int c)
{
    int row = shape & SHAPE_TRANS ? c : r, col = shape & SHAPE_TRANS ? r : c;
    bool outside = (shape & SHAPE_LOWER && row < col) || (shape & SHAPE_UPPER && row > col);
    if (outside && !(shape & SHAPE_HERMITIAN))
        return 0;
    if (row == col && shape & SHAPE_UNIT)
        return 1;
    if (row == col && shape & SHAPE_HERMITIAN)
        return MAKE_SCALAR((REAL)creal(F[row + (size_t)col * ld]), (REAL)0);
    SCALAR f = outside ? CONJUGATE(F[col + (size_t)row * ld]) : F[row + (size_t)col * ld];
    return shape & SHAPE_TRANS && !(shape & SHAPE_PLAIN) ? CONJUGATE(f) : f;
}

/* A block of C += alpha op(A) op(B), with its sums in local storage. Only this part of C is updated; a Hermitian triangle has a
   real diagonal. */
static inline void NAME(product_block)(int row, int col, int m, int n, int k, REAL alpha, const SCALAR *A, int lda, int shape_a,
                                       const SCALAR *B, int ldb, int shape_b, SCALAR *C, int ldc, int part)
{
    SCALAR sum[BLOCK][BLOCK], a[BLOCK], b[BLOCK];
    for (int j = 0; j < BLOCK; j++)
        for (int i = 0; i < BLOCK; i++)
            sum[j][i] = 0;
    for (int p = 0; p < k; p++) {
        for (int i = 0; i < BLOCK; i++)
            a[i] = row + i < m ? NAME(element)(A, lda, shape_a, row + i, p) : 0;
        for (int j = 0; j < BLOCK; j++)
            b[j] = col + j < n ? NAME(element)(B, ldb, shape_b, p, col + j) : 0;
        for (int j = 0; j < BLOCK; j++)
            for (int i = 0; i < BLOCK; i++)
                sum[j][i] += a[i] * b[j];
    }
    for (int c = col; c < n && c < col + BLOCK; c++)
        for (int r = row; r < m && r < row + BLOCK; r++) {
            SCALAR value = C[r + (size_t)c * ldc] + alpha * sum[c - col][r - row];
            if (part & SHAPE_TRIANGLE && !(part & SHAPE_PLAIN) && r == c)
                value = MAKE_SCALAR((REAL)creal(value), (REAL)0);
            if (!(part & SHAPE_LOWER && r < c) && !(part & SHAPE_UPPER && r > c))
                C[r + (size_t)c * ldc] = value;
        }
}

static void NAME(product_region)(int device, int m, int n, int k, REAL alpha, const SCALAR *A, int lda, int shape_a,
                                 const SCALAR *B, int ldb, int shape_b, SCALAR *C, int ldc, int part)
{
    int teams = teams_for((int64_t)m * n / BLOCK / BLOCK);
    #pragma omp target teams distribute parallel for collapse(2) device(device) num_teams(teams) is_device_ptr(A, B, C)
    for (int col = 0; col < n; col += BLOCK)
        for (int row = 0; row < m; row += BLOCK)
            NAME(product_block)(row, col, m, n, k, alpha, A, lda, shape_a, B, ldb, shape_b, C, ldc, part);
}

/* Solves op(T) x = b for each of `count` vectors, T of small order; element i of vector v is B[i * rs + v * cs]. left: op(T) x
   = b, else x op(T) = b. */
static void NAME(solve_region)(int device, bool left, bool forward, int order, int count, const SCALAR *T, int ldt, int shape,
                               SCALAR *B, ptrdiff_t rs, ptrdiff_t cs)
{
    int teams = teams_for(count);
    #pragma omp target teams distribute parallel for device(device) num_teams(teams) is_device_ptr(T, B)
    for (int v = 0; v < count; v++) {
        SCALAR *b = B + v * cs;
        for (int s = 0; s < order; s++) {
            int i = forward ? s : order - 1 - s;
            SCALAR x = b[i * rs];
            for (int t = 0; t < s; t++) {
                int l = forward ? t : order - 1 - t;
                x -= (left ? NAME(element)(T, ldt, shape, i, l) : NAME(element)(T, ldt, shape, l, i)) * b[l * rs];
            }
            SCALAR pivot = NAME(element)(T, ldt, shape, i, i);
            b[i * rs] = pivot == 0 && shape & SHAPE_NON_ZERO ? x : x / pivot;
        }
    }
}

/* A = L L^H of small order in the lower triangle of A, whose element (i, j) is A[i * rs + j * cs]. Returns LAPACK's info. */
static int NAME(potrf_region)(int device, int n, SCALAR *A, ptrdiff_t rs, ptrdiff_t cs)
{
    int info = 0;
    #pragma omp target parallel device(device) is_device_ptr(A) map(tofrom : info)
    for (int j = 0; j < n; j++) {
        #pragma omp single
        {
            REAL pivot = (REAL)creal(A[j * rs + j * cs]);
            for (int l = 0; l < j; l++) {
                SCALAR a = A[j * rs + l * cs];
                pivot -= creal(a) * creal(a) + cimag(a) * cimag(a);
            }
            if (pivot > 0)
                A[j * rs + j * cs] = __builtin_elementwise_sqrt(pivot);
            else
                info = j + 1;
        }
        if (info != 0)      /* all threads see the same value only here: none has continued to the next column */
            break;
        #pragma omp for
        for (int i = j + 1; i < n; i++) {
            SCALAR a = A[i * rs + j * cs];
            for (int l = 0; l < j; l++)
                a -= A[i * rs + l * cs] * CONJUGATE(A[j * rs + l * cs]);
            A[i * rs + j * cs] = a / (REAL)creal(A[j * rs + j * cs]);
        }
    }
    return info;
}

/* A = L U of small order without pivoting, like struct kernels' getrf. */
static int NAME(getrf_region)(int device, int n, SCALAR *A, int lda)
{
    int info = 0;
    #pragma omp target parallel device(device) is_device_ptr(A) map(tofrom : info)
    for (int j = 0; j < n; j++) {
        SCALAR pivot = A[j + (size_t)j * lda];
        #pragma omp single nowait
        if (pivot == 0 && info == 0)
            info = j + 1;
        #pragma omp for
        for (int i = j + 1; i < n; i++) {
            SCALAR l = pivot == 0 ? A[i + (size_t)j * lda] : A[i + (size_t)j * lda] / pivot;
            A[i + (size_t)j * lda] = l;
            for (int c = j + 1; c < n; c++)
                A[i + (size_t)c * lda] -= l * A[j + (size_t)c * lda];
        }
    }
    return info;
}

/* B := beta B + alpha A, or A^H (shape). If beta is 0, B is not read. */
static void NAME(add_region)(int device, int m, int n, REAL alpha, const SCALAR *A, int lda, int shape, REAL beta, SCALAR *B,
                             int ldb)
{
    int teams = teams_for((int64_t)m * n);
    #pragma omp target teams distribute parallel for collapse(2) device(device) num_teams(teams) is_device_ptr(A, B)
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++) {
            SCALAR a = alpha * NAME(element)(A, lda, shape, r, c);
            B[r + (size_t)c * ldb] = beta == 0 ? a : beta * B[r + (size_t)c * ldb] + a;
        }
}

static void NAME(from_other_region)(int device, int m, int n, const OTHER_REAL *A, int lda, REAL *B, int ldb)
{
    int teams = teams_for((int64_t)m * n), rows = m * PARTS;
    #pragma omp target teams distribute parallel for collapse(2) device(device) num_teams(teams) is_device_ptr(A, B)
    for (int c = 0; c < n; c++)
        for (int r = 0; r < rows; r++)
            B[r + (size_t)c * ldb * PARTS] = (REAL)A[r + (size_t)c * lda * PARTS];
}

/* The sums of the squares in each column of a part of A. */
static void NAME(squares_region)(int device, int m, int n, const SCALAR *A, int lda, int shape, double *sums)
{
    int teams = teams_for(n);
    #pragma omp target teams distribute parallel for device(device) num_teams(teams) is_device_ptr(A, sums)
    for (int c = 0; c < n; c++) {
        double sum = 0;
        for (int r = 0; r < m; r++) {
            SCALAR a = NAME(element)(A, lda, shape, r, c);
            sum += (double)creal(a) * (double)creal(a) + (double)cimag(a) * (double)cimag(a);
        }
        sums[c] = sum;
    }
}

static void NAME(clear_region)(int device, int m, int n, SCALAR *A, int lda)
{
    int teams = teams_for((int64_t)m * n);
    #pragma omp target teams distribute parallel for collapse(2) device(device) num_teams(teams) is_device_ptr(A)
    for (int c = 0; c < n; c++)
        for (int r = 0; r < m; r++)
            A[r + (size_t)c * lda] = 0;
}

/* The lists are on the device; NULL stands for 0, 1, 2, ... */
static void NAME(copy_rows_region)(int device, int count, int n, const int *from, const SCALAR *A, int lda, const int *to,
                                   SCALAR *B, int ldb)
{
    int teams = teams_for((int64_t)count * n);
    #pragma omp target teams distribute parallel for collapse(2) device(device) num_teams(teams) is_device_ptr(from, A, to, B)
    for (int c = 0; c < n; c++)
        for (int r = 0; r < count; r++)
            B[(to == NULL ? r : to[r]) + (size_t)c * ldb] = A[(from == NULL ? r : from[r]) + (size_t)c * lda];
}
