/* One block of C in registers: strips of A times a few columns of the right factor; a part of packed_body.h. */

/* The storage of the right factor: element (l,j) is b[l * STEP + j] of a strip, or its conjugate, or b[l + j * ldb] of a
   column-major matrix. */
enum M(right) { M(packed), M(conjugate), M(dense) };

/* Sums over l < k of products a_l b_l; products with l < negative are subtracted. */
struct M(sum) {
    int k, negative;
    const REAL *a;
    ptrdiff_t apart;        /* distance between strips of A */
    const REAL *b;
    ptrdiff_t ldb;          /* distance between columns in real numbers */
    const char *next;       /* data that will be needed soon, k * M(ahead) bytes */
};

/* Multiplies `count` vectors of a column of A's strips, from number `first` on, by `group` elements of a row of the right
   factor. */
INLINED void M(add_column)(int first, int count, int group, enum M(right) right, const REAL *restrict a, ptrdiff_t apart,
                           const REAL *restrict b, ptrdiff_t ldb, M(vector) acc[GROUP][M(most)])
{
    M(vector) x[M(most)];
    UNROLLED
    for (int i = 0; i < count; i++)
        x[i] = *(const M(vector) *)(a + (first + i) / M(vectors) * apart + (first + i) % M(vectors) * LANES);
    atomic_signal_fence(memory_order_seq_cst);      /* otherwise the compiler moves loads forward until no register is left */
    UNROLLED
    for (int j = 0; j < group; j++) {
        const REAL *e = b + (right == M(dense) ? j * ldb : j);
        REAL re = e[0], im = e[right == M(dense) ? PARTS - 1 : (PARTS - 1) * ROWS];
        UNROLLED
        for (int i = 0; i < count; i++) {
            bool imaginary = i % M(vectors) >= M(wide);
            acc[j][i] += x[i] * re;
            if (PARTS == 2 && imaginary == (right == M(conjugate)))
                acc[j][imaginary ? i - M(wide) : i + M(wide)] += x[i] * im;
            else if (PARTS == 2)
                acc[j][imaginary ? i - M(wide) : i + M(wide)] -= x[i] * im;
        }
    }
}

/* Multiplies `count` vectors of the columns of A's strips, from number `first` on, by `group` columns of the right factor. */
INLINED void M(multiply)(int first, int count, int group, enum M(right) right, const struct M(sum) *t,
                         M(vector) acc[GROUP][M(most)])
{
    const REAL *restrict a = t->a, *restrict b = t->b;
    const char *next = t->next;
    ptrdiff_t apart = t->apart, ldb = t->ldb;
    UNROLLED
    for (int j = 0; j < group; j++)
        UNROLLED
        for (int i = 0; i < count; i++)
            acc[j][i] = (M(vector)){ 0 };
    for (int l = 0, positive = 0; positive < 2; positive++) {
        UNROLLED
        for (int j = 0; j < group; j++)
            UNROLLED
            for (int i = 0; i < count; i++)
                acc[j][i] = 0 - acc[j][i];
        for (int end = positive ? t->k : t->negative; l < end; l++) {
            __builtin_prefetch(next, 0, 2);
            M(add_column)(first, count, group, right, a, apart, b, ldb, acc);
            a += STEP;
            b += right == M(dense) ? PARTS : STEP;
            next += M(ahead);
        }
    }
}

/* The output of sums: C += alpha sums, in a block's column j the rows from first + j to end + j - 1 that are in the block. */
struct M(target) {
    REAL alpha;
    SCALAR *C;
    ptrdiff_t ldc;
    int rows, columns, first, end;
};

INLINED void M(add_rows)(int from, int to, REAL alpha, const M(vector) *acc, SCALAR *C)
{
    for (int r = from; r < to; r++) {
        const REAL *x = (const REAL *)(acc + r / ROWS * M(vectors)) + r % ROWS;
        C[r] += alpha * MAKE_SCALAR(x[0], x[(PARTS - 1) * ROWS]);
    }
}

/* The part of a block in `count` vectors of its columns, from number `first` on. */
INLINED void M(piece_of_block)(int first, int count, int group, enum M(right) right, const struct M(sum) *t,
                               const struct M(target) *to)
{
    M(vector) acc[GROUP][M(most)];
    int above = PARTS == 1 ? first * LANES : 0, height = count * LANES / PARTS, rows = to->rows - above;
    SCALAR *C = to->C + above;
    for (int j = 0; j < to->columns; j++)
        for (int i = 0; i < rows * (int)sizeof(SCALAR); i += 64)
            __builtin_prefetch((const char *)(C + j * to->ldc) + i, 1, 3);
    M(multiply)(first, count, group, right, t, acc);
    if (PARTS == 1 && rows >= height && to->columns == group && to->first <= above - group && to->end >= above + height) {
        UNROLLED
        for (int j = 0; j < group; j++)
            UNROLLED
            for (int i = 0; i < count; i++)
                *(M(vector) *)((REAL *)(C + j * to->ldc) + i * LANES) += to->alpha * acc[j][i];
        return;
    }
    rows = rows < height ? rows : height;
    UNROLLED
    for (int j = 0; j < group; j++)
        if (j < to->columns) {
            M(vector) column[M(most)];      /* a copy, so that the other columns remain in registers */
            UNROLLED
            for (int i = 0; i < count; i++)
                column[i] = acc[j][i];
            int from = to->first + j - above, end = to->end + j - above;
            M(add_rows)(from > 0 ? from : 0, end < rows ? end : rows, to->alpha, column, C + j * to->ldc);
        }
}

/* Works in pieces of about as many vectors, of real numbers, as fit into registers. */
INLINED void M(block)(int strips, int group, enum M(right) right, const struct M(sum) *t, const struct M(target) *to)
{
    int all = strips * M(vectors), at_once = VECTORS_AT_ONCE * (GROUP / group);
    int pieces = PARTS == 1 ? (all + at_once - 1) / at_once : 1;
    UNROLLED
    for (int p = 0; p < pieces; p++)
        M(piece_of_block)(p * (all / pieces), all / pieces, group, right, t, to);
}

typedef void M(block_function)(const struct M(sum) *t, const struct M(target) *to);
#define BLOCK(name, strips, group, right)                                                                                      \
    TARGET static __attribute__((noinline)) void M(name)(const struct M(sum) *t, const struct M(target) *to)                   \
    {                                                                                                                          \
        M(block)(strips < STRIPS ? strips : STRIPS, group, right, t, to);                                                      \
    }
#define BLOCKS(name, group, right)                                                                                             \
    BLOCK(name##_1, 1, group, right)                                                                                           \
    BLOCK(name##_2, 2, group, right)                                                                                           \
    BLOCK(name##_3, 3, group, right)
#define ALL(name) { M(name##_1), M(name##_2), M(name##_3) }
BLOCKS(packed, GROUP, M(packed))
BLOCKS(few_packed, FEW, M(packed))
BLOCKS(dense, GROUP, M(dense))
#if defined IS_COMPLEX
BLOCKS(conjugate, GROUP, M(conjugate))
BLOCKS(few_conjugate, FEW, M(conjugate))
#endif
/* [right][strips - 1], no more than there are STRIPS */
static M(block_function) *const M(blocks)[3][3] = {
    [M(packed)] = ALL(packed),
#if defined IS_COMPLEX
    [M(conjugate)] = ALL(conjugate),
#else
    [M(conjugate)] = ALL(packed),
#endif
    [M(dense)] = ALL(dense),
};
/* The same for FEW columns; dense columns are first packed into a strip. */
static M(block_function) *const M(few_blocks)[2][3] = {
    [M(packed)] = ALL(few_packed),
#if defined IS_COMPLEX
    [M(conjugate)] = ALL(few_conjugate),
#else
    [M(conjugate)] = ALL(few_packed),
#endif
};
#undef ALL
#undef BLOCKS
#undef BLOCK
