/* What mixing.c does with single numbers, in one precision; included once for each. */

static void NAME(copy)(bool conjugate, enum uplo part, int m, int n, struct steps from, struct steps to)
{
    for (int j = 0; j < n; j++) {
        int i = part == LOWER ? j : 0, end = part == UPPER && j + 1 < m ? j + 1 : m;
        const SCALAR *a = (const SCALAR *)from.data + j * from.column_step;
        SCALAR *b = (SCALAR *)to.data + j * to.column_step;
        if (conjugate)
            for (; i < end; i++)
                b[i * to.row_step] = CONJUGATE(a[i * from.row_step]);
        else
            for (; i < end; i++)
                b[i * to.row_step] = a[i * from.row_step];
    }
}

/* The other triangle; of a Hermitian matrix's diagonal the imaginary parts count for nothing. */
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
