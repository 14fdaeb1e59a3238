/* The parts of mixing.c that compute with elements, in one precision; included once for each. */

/* Copies rows from_row .. to_row - 1 of a column. */
static inline void NAME(copy_column)(bool conjugate, int from_row, int to_row, const SCALAR *from, int64_t step, SCALAR *to,
                                     int64_t to_step)
{
    if (conjugate)
        for (int i = from_row; i < to_row; i++)
            to[i * to_step] = CONJUGATE(from[i * step]);
    else
        for (int i = from_row; i < to_row; i++)
            to[i * to_step] = from[i * step];
}

/* Copies in small squares, so that cache lines are read or written completely before they leave the cache. */
static void NAME(copy)(bool conjugate, enum uplo part, int m, int n, struct steps from, struct steps to)
{
    enum { SIDE = 8 };
    bool along = from.row_step == 1 && to.row_step == 1, up = from.row_step == -1 && to.row_step == 1,
         down = from.row_step == 1 && to.row_step == -1;        /* constant steps let the compiler vectorize */
    int height = along || up || down || part != GENERAL ? m : SIDE;
    for (int jj = 0; jj < n; jj += SIDE)
        for (int ii = 0; ii < m; ii += height)
            for (int j = jj; j < n && j < jj + SIDE; j++) {
                int first = part == LOWER ? j : ii, end = m - ii < height ? m : ii + height;
                const SCALAR *a = (const SCALAR *)from.data + j * from.column_step;
                SCALAR *b = (SCALAR *)to.data + j * to.column_step;
                if (part == UPPER && j + 1 < end)
                    end = j + 1;
                if (along)
                    NAME(copy_column)(conjugate, first, end, a, 1, b, 1);
                else if (up)
                    NAME(copy_column)(conjugate, first, end, a, -1, b, 1);
                else if (down)
                    NAME(copy_column)(conjugate, first, end, a, 1, b, -1);
                else
                    NAME(copy_column)(conjugate, first, end, a, from.row_step, b, to.row_step);
            }
}

/* Fills in the other triangle. The imaginary parts of a Hermitian diagonal are set to zero. */
static void NAME(complete)(bool hermitian, enum uplo part, int n, void *B, int ldb)
{
    SCALAR *b = B;
    int64_t right = part == LOWER ? ldb : 1, down = part == LOWER ? 1 : ldb;    /* b[down i + right j] is known, i >= j */
    for (int j = 0; j < n; j++) {
        SCALAR *d = b + j * (int64_t)(ldb + 1);
        if (hermitian)
            *d = MAKE_SCALAR((REAL)creal(*d), (REAL)0);
        for (int i = j + 1; i < n; i++) {
            SCALAR known = b[down * i + right * j];
            b[down * j + right * i] = hermitian ? CONJUGATE(known) : known;
        }
    }
}
