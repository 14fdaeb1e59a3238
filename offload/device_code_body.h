/* Device code of one precision; device_code.c includes this file once for each. */

/* B := the part of the m x n matrix A, with zeros elsewhere. unit: ones on the diagonal. mended: ones in place of zeros on the
   diagonal. */
KERNEL KERNEL_NAME(part)(int part, int unit, int mended, int m, int n, const SCALAR *A, int lda, SCALAR *B, int ldb)
{
    for (int64_t e = first(); e < (int64_t)m * n; e += threads()) {
        int row = (int)(e % m), col = (int)(e / m);
        SCALAR element = 0;
        if (row == col && unit)
            element = 1;
        else if (!(part == LOWER && row < col) && !(part == UPPER && row > col))
            element = A[row + (size_t)col * (size_t)lda];
        if (row == col && mended && element == 0)
            element = 1;
        B[row + (size_t)col * (size_t)ldb] = element;
    }
}

/* B := A, m x n, where A has the other precision. */
KERNEL KERNEL_NAME(from_other)(int m, int n, const OTHER_REAL *A, int lda, REAL *B, int ldb)
{
    int rows = m * PARTS;
    for (int64_t e = first(); e < (int64_t)rows * n; e += threads())
        B[e % rows + e / rows * ldb * PARTS] = (REAL)A[e % rows + e / rows * lda * PARTS];
}

/* The squares of the moduli in a part of the m x n matrix A, a sum for each thread: sums[1 ..], as many as sums[0]. */
KERNEL KERNEL_NAME(squares)(int part, int m, int n, const SCALAR *A, int lda, double *sums)
{
    double mine = 0;
    for (int64_t e = first(); e < (int64_t)m * n; e += threads()) {
        int row = (int)(e % m), col = (int)(e / m);
        SCALAR a = A[row + (size_t)col * (size_t)lda];
        double re = __real__ a, im = __imag__ a;
        if (!(part == LOWER && row < col) && !(part == UPPER && row > col))
            mine += re * re + im * im;
    }
    sums[1 + first()] = mine;
    if (first() == 0)
        sums[0] = (double)threads();
}

/* For one block: info[0] := the 1-based index of the first element of a Cholesky factor's diagonal that is not positive, if
   there is one. */
KERNEL KERNEL_NAME(potrf_info)(int *info, int n, const SCALAR *A, int lda)
{
    if (first() == 0)
        info[1] = n + 1;
    BARRIER();
    for (int64_t j = first(); j < n; j += threads()) {
        SCALAR a = A[j + j * lda];
        if (!(__real__ a > 0))
            __atomic_fetch_min(&info[1], (int)j + 1, __ATOMIC_RELAXED);
    }
    BARRIER();
    if (first() == 0 && info[1] <= n)
        info[0] = info[1];
}

/* Whether *info reports a zero pivot. If so, A := `kept`, m x n. */
static bool KERNEL_NAME(is_to_be_redone)(const int *info, int m, int n, const SCALAR *kept, SCALAR *A, int lda)
{
    BARRIER();
    if (*info <= 0)
        return false;
    for (int64_t e = first(); e < (int64_t)m * n; e += threads())
        A[e % m + e / m * lda] = kept[e];
    BARRIER();
    return true;
}

/* Step j: computes the column below the pivot, and updates the columns right of it. Returns the first zero pivot, from 1, where
   `zero` is the one so far; 0: none. */
static int KERNEL_NAME(eliminate)(int m, int n, int j, int zero, SCALAR *A, int lda)
{
    SCALAR pivot = A[j + (size_t)j * (size_t)lda];
    for (int64_t i = j + 1 + first(); i < m; i += threads()) {
        SCALAR l = A[i + (size_t)j * (size_t)lda];
        if (pivot != 0)
            l /= pivot;
        A[i + (size_t)j * (size_t)lda] = l;
        for (int c = j + 1; c < n; c++)
            A[i + (size_t)c * (size_t)lda] -= l * A[j + (size_t)c * (size_t)lda];
    }
    BARRIER();
    return pivot == 0 && zero == 0 ? j + 1 : zero;
}

/* For one block, and only if *info reports a zero pivot, or A's diagonal has one: A := the factors of the m x n matrix `kept`
   without pivoting, L unit lower, where the column of a zero pivot remains unscaled; *info := the first zero pivot, from 1, or
   0. */
KERNEL KERNEL_NAME(getrf)(int *info, int m, int n, const SCALAR *kept, SCALAR *A, int lda)
{
    int zero = 0;
    for (int64_t j = first(); j < m && j < n; j += threads()) {
        SCALAR u = A[j + j * lda];
        if (*info == 0 && (u == 0 || u - u != 0))       /* infinite or NaN */
            *info = 1;
    }
    if (!KERNEL_NAME(is_to_be_redone)(info, m, n, kept, A, lda))
        return;
    for (int j = 0; j < m && j < n; j++)
        zero = KERNEL_NAME(eliminate)(m, n, j, zero, A, lda);
    if (first() == 0)
        *info = zero;
}

/* The result of a thread: a modulus, and its row. */
struct KERNEL_NAME(largest) {
    REAL modulus;
    int row;
};

static void KERNEL_NAME(exchange)(SCALAR *a, SCALAR *b)
{
    SCALAR kept = *a;
    *a = *b;
    *b = kept;
}

/* The first row from j on whose element in column j has the largest |re| + |im|. */
static int KERNEL_NAME(pivot_row)(int m, int j, const SCALAR *A, int lda, struct KERNEL_NAME(largest) *found)
{
    struct KERNEL_NAME(largest) mine = { -1, j };
    for (int64_t i = j + first(); i < m; i += threads()) {
        SCALAR a = A[i + (size_t)j * (size_t)lda];
        REAL re = __real__ a, im = __imag__ a, modulus = (re < 0 ? -re : re) + (im < 0 ? -im : im);
        if (modulus > mine.modulus)
            mine = (struct KERNEL_NAME(largest)){ modulus, (int)i };
    }
    found[first()] = mine;
    BARRIER();
    for (int64_t t = 0; t < threads(); t++)
        if (found[t].modulus > mine.modulus || (found[t].modulus == mine.modulus && found[t].row < mine.row))
            mine = found[t];
    BARRIER();
    return mine.row;
}

/* For one block, and only if *info reports a zero pivot: the factors of the m x n matrix `kept` with partial pivoting, in the
   form of the kernel above; ipiv, from 1. found: one for each thread. */
KERNEL KERNEL_NAME(getrf_pivoted)(int *info, int *ipiv, int m, int n, const SCALAR *kept, SCALAR *A, int lda,
                                  struct KERNEL_NAME(largest) *found)
{
    int zero = 0;
    if (!KERNEL_NAME(is_to_be_redone)(info, m, n, kept, A, lda))
        return;
    for (int j = 0; j < m && j < n; j++) {
        int row = KERNEL_NAME(pivot_row)(m, j, A, lda, found);
        for (int64_t c = first(); c < n && row != j; c += threads())
            KERNEL_NAME(exchange)(&A[j + c * lda], &A[row + c * lda]);
        if (first() == 0)
            ipiv[j] = row + 1;
        BARRIER();
        zero = KERNEL_NAME(eliminate)(m, n, j, zero, A, lda);
    }
    if (first() == 0)
        *info = zero;
}
