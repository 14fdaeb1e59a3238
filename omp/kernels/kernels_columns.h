/*
 * LU with partial pivoting of a few long columns; a part of kernels_strips.h. Left-looking, in one pass over the rows for each
 * column. For each piece of rows the pass divides the former column by its pivot, updates this column with all former columns,
 * and finds its largest element.
 */
enum { STRIPS(piece) = 512 };

/* a -= L u on `rows` rows, where L has `count` columns. */
INLINED void STRIPS(subtract_columns)(int rows, int count, const SCALAR *restrict L, ptrdiff_t ldl, const SCALAR *restrict u,
                                    SCALAR *restrict column)
{
    REAL *restrict a = (REAL *)column;
    for (int p = 0; p < count; p++) {
        const REAL *restrict l = (const REAL *)(L + p * ldl);
        REAL re = creal(u[p]), im = cimag(u[p]);
        if (PARTS == 1)
            for (int i = 0; i < rows; i++)
                a[i] -= l[i] * re;
        else
            for (int i = 0; i < rows; i++) {
                a[2 * i] -= l[2 * i] * re - l[2 * i + 1] * im;
                a[2 * i + 1] -= l[2 * i] * im + l[2 * i + 1] * re;
            }
    }
}

/* Subtracts four columns of L times elements of u from a column, for real numbers. */
INLINED void STRIPS(subtract_four)(int rows, const SCALAR *restrict L, ptrdiff_t ldl, const SCALAR *restrict u,
                                   SCALAR *restrict column)
{
    REAL *restrict a = (REAL *)column;
    const REAL *restrict l0 = (const REAL *)L, *restrict l1 = (const REAL *)(L + ldl), *restrict l2 = (const REAL *)(L + 2 * ldl),
               *restrict l3 = (const REAL *)(L + 3 * ldl);
    REAL u0 = creal(u[0]), u1 = creal(u[1]), u2 = creal(u[2]), u3 = creal(u[3]);
    for (int i = 0; i < rows; i++)
        a[i] -= l0[i] * u0 + l1[i] * u1 + l2[i] * u2 + l3[i] * u3;
}

INLINED REAL STRIPS(largest)(int rows, const SCALAR *a)
{
    enum { WAYS = 16 };
    REAL most[WAYS];
    int i = 0;
    for (int w = 0; w < WAYS; w++)
        most[w] = -1;
    for (; i + WAYS <= rows; i += WAYS)
        for (int w = 0; w < WAYS; w++) {
            REAL size = MODULUS1(a[i + w]);
            most[w] = size > most[w] ? size : most[w];
        }
    for (; i < rows; i++)
        most[0] = MODULUS1(a[i]) > most[0] ? MODULUS1(a[i]) : most[0];
    for (int w = 1; w < WAYS; w++)
        most[0] = most[w] > most[0] ? most[w] : most[0];
    return most[0];
}

INLINED void STRIPS(scale)(int rows, const struct STRIPS(pivot) *pivot, SCALAR *a)
{
    SCALAR reciprocal = MAKE_SCALAR(pivot->reciprocal[0], pivot->reciprocal[PARTS - 1]);
    if (pivot->safe)
        for (int i = 0; i < rows; i++)
            a[i] *= reciprocal;
    else
        for (int i = 0; i < rows; i++)
            a[i] /= pivot->value;
}

/* Divides column j - 1 by its pivot, updates column j, and returns the row of its first largest element. Handles rows j to m -
   1 in pieces that are aligned to vectors. */
INLINED int STRIPS(update_column)(int m, int j, SCALAR *A, ptrdiff_t lda, const struct STRIPS(pivot) *last, SCALAR *column)
{
    const SCALAR *u = column;
    REAL most = -1;
    int piece = j;
    for (int i = j, end; i < m; i = end) {
        end = (i / STRIPS(piece) + 1) * STRIPS(piece);
        int rows = (end < m ? end : m) - i, p = 0;
        if (j > 0)
            STRIPS(scale)(rows, last, A + i + (j - 1) * lda);
        for (; PARTS == 1 && p + 4 <= j; p += 4)
            STRIPS(subtract_four)(rows, A + i + p * lda, lda, u + p, column + i);
        STRIPS(subtract_columns)(rows, j - p, A + i + p * lda, lda, u + p, column + i);
        REAL size = STRIPS(largest)(rows, column + i);
        if (size > most) {
            most = size;
            piece = i;
        }
    }
    while (piece + 1 < m && !(MODULUS1(column[piece]) == most))
        piece++;
    return most >= 0 ? piece : j;       /* only NaNs */
}

TARGET static int STRIPS(getrf_columns)(int m, int n, SCALAR *A, int ld, int *swap)
{
    ptrdiff_t lda = ld;
    int info = 0;
    struct STRIPS(pivot) pivot = { .value = 1 };
    for (int j = 0; j < n; j++) {
        SCALAR *column = A + j * lda;
        for (int p = 0; p < j; p++)
            STRIPS(subtract_columns)(j - p - 1, 1, A + p + 1 + p * lda, lda, column + p, column + p + 1);
        int row = swap[j] = STRIPS(update_column)(m, j, A, lda, &pivot, column);
        for (int c = 0; row != j && c < n; c++) {
            SCALAR other = A[row + c * lda];
            A[row + c * lda] = A[j + c * lda];
            A[j + c * lda] = other;
        }
        if (column[j] == 0 && info == 0)
            info = j + 1;
        pivot = STRIPS(pivot_of)(column[j] == 0 ? 1 : column[j]);
    }
    if (n > 0)
        STRIPS(scale)(m - n, &pivot, A + n + (n - 1) * lda);
    return info;
}
