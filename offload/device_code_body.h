/* Device code of one precision; included once for each by device_code.c. */

/* B := the part of the m x n matrix A, with zeros for what it lacks, ones on its diagonal if it is `unit`, or, `mended`, in place
   of zeros there. */
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

/* By one block, and only if *info says that a pivot was zero, or A's diagonal does: A := the factors of the m x n matrix `kept`
   without pivoting, L unit lower, where the column of a zero pivot stays unscaled; *info := the first one, from 1, or 0. */
KERNEL KERNEL_NAME(getrf)(int *info, int m, int n, const SCALAR *kept, SCALAR *A, int lda)
{
    int zero = 0;
    for (int64_t j = first(); j < m && j < n; j += threads()) {
        SCALAR u = A[j + j * lda];
        if (*info == 0 && (u == 0 || u - u != 0))       /* infinite or a NaN */
            *info = 1;
    }
    BARRIER();
    if (*info <= 0)
        return;
    for (int64_t e = first(); e < (int64_t)m * n; e += threads())
        A[e % m + e / m * lda] = kept[e];
    BARRIER();
    for (int j = 0; j < m && j < n; j++) {
        SCALAR pivot = A[j + (size_t)j * (size_t)lda];
        if (pivot == 0 && zero == 0)
            zero = j + 1;
        for (int64_t i = j + 1 + first(); i < m; i += threads()) {
            SCALAR l = A[i + (size_t)j * (size_t)lda];
            if (pivot != 0)
                l /= pivot;
            A[i + (size_t)j * (size_t)lda] = l;
            for (int c = j + 1; c < n; c++)
                A[i + (size_t)c * (size_t)lda] -= l * A[j + (size_t)c * (size_t)lda];
        }
        BARRIER();
    }
    if (first() == 0)
        *info = zero;
}
