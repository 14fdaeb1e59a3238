/*
 * Products of packed tiles (packed.h), in one precision and for one kind of processor. The processor's file defines the width
 * of its vectors (VECTOR_BYTES), how many strips of the left factor (STRIPS_AT_ONCE) are multiplied by how many columns of the
 * right one (COLUMNS_AT_ONCE), how many vectors of a column of these strips fit into registers (VECTORS_AT_ONCE), the
 * instructions (TARGET), and the ending of names (MICRO).
 *
 *     block of C       strips of A           columns of B^T
 *     ( c c c )        ( a a a a a .. )      ( b b b b b .. )      vectors run along the columns of A's strips,
 *     ( c c c )  +=    ( a a a a a .. )  x   ( b b b b b .. )      elements of B are broadcast
 *     ( c c c )        ( a a a a a .. )      ( b b b b b .. )
 */
typedef REAL M(vector) __attribute__((vector_size(VECTOR_BYTES), aligned(REAL_BYTES)));
enum {
    M(lanes) = VECTOR_BYTES / REAL_BYTES,
    M(rows) = STRIP_BYTES / REAL_BYTES,             /* rows of a strip */
    M(step) = M(rows) * PARTS,                      /* real numbers in a column of a strip */
    M(wide) = STRIP_BYTES / VECTOR_BYTES,           /* vectors in such a column, for each part of its numbers */
    M(vectors) = M(wide) * PARTS,
    M(strips) = PARTS == 1 ? STRIPS_AT_ONCE : COMPLEX_STRIPS_AT_ONCE,
    M(most) = M(strips) * M(vectors),               /* most vectors in a column of a block */
    M(group) = PARTS == 1 ? COLUMNS_AT_ONCE : COMPLEX_COLUMNS_AT_ONCE,
    M(few) = M(group) < 3 ? M(group) : 3,           /* columns of a narrow group: as many as checksums have (tile_sums.h) */
    M(deep) = 512 / PARTS,                          /* columns of A at a time: then a strip of B fits into a first-level cache */
    M(block_bytes) = 512 << 10,                     /* bytes of A at a time: half of a second-level cache */
    M(first_high) = 6 * PARTS * M(strips) * M(rows),        /* rows of the first block */
    M(ahead) = 16,          /* bytes that are prefetched with each column of A: more would delay the loads of the present data */
};
#define LANES M(lanes)
#define ROWS M(rows)
#define STEP M(step)
#define STRIPS M(strips)
#define GROUP M(group)
#define FEW M(few)

#include "omp/kernels/micro/packed_block.h"

/* ---- strips of a packed tile ----------------------------------------------------------------------------------------------- */

/* Pads an incomplete strip with zeros. */
static void M(widen)(int rows, int n, const REAL *P, REAL *X)
{
    memset(X, 0, (size_t)n * STEP * sizeof *X);
    for (int l = 0; l < n; l++)
        for (int part = 0; part < PARTS; part++)
            memcpy(X + l * STEP + part * ROWS, P + (l * PARTS + part) * rows, (size_t)rows * sizeof *X);
}

/* Columns `first` to first + count - 1 of strip s of a packed tile with m rows and n columns: the strip itself, or an
   incomplete strip padded with zeros in `scratch`. */
static const REAL *M(strip)(const REAL *P, int m, int n, int s, int first, int count, REAL *scratch)
{
    const REAL *strip = P + (ptrdiff_t)s * n * STEP;
    int rows = m - s * ROWS;
    if (rows >= ROWS)
        return strip + (ptrdiff_t)first * STEP;
    M(widen)(rows, count, strip + (ptrdiff_t)first * rows * PARTS, scratch);
    return scratch;
}

/* Packs columns of a dense matrix, fewer than a group, into such a strip. */
static const REAL *M(strip_of_columns)(int columns, int count, const SCALAR *B, ptrdiff_t ldb, REAL *scratch)
{
    memset(scratch, 0, (size_t)count * STEP * sizeof *scratch);
    for (int j = 0; j < columns; j++)
        for (int l = 0; l < count; l++) {
            scratch[l * STEP + (PARTS - 1) * ROWS + j] = cimag(B[l + j * ldb]);
            scratch[l * STEP + j] = creal(B[l + j * ldb]);
        }
    return scratch;
}

/* ---- products -------------------------------------------------------------------------------------------------------------- */

/* C += alpha A J B or alpha A J B^H on one triangle of C or on all of it; J's first `negative` signs are -1. */
struct M(product) {
    int m, n, k, negative;
    REAL alpha;
    const REAL *A;
    const SCALAR *B;
    ptrdiff_t ldb;
    enum M(right) right;
    SCALAR *C;
    ptrdiff_t ldc;
    enum uplo part;
    /* the present part: */
    int row, end;           /* rows of A and C, from the first row of a strip to the last row of a strip */
    int first, count;       /* columns of A */
    const REAL *edge;       /* A's last strip if it is incomplete */
    const char *soon, *later;       /* the part of A's next rows that is not prefetched yet */
};

/* Computes some columns of C, at most GROUP. The first blocks prefetch the next strip of B, the others A's next rows. */
static void M(multiply_columns)(struct M(product) *p, int column, int columns, struct M(sum) t, enum M(right) right)
{
    int row = p->row, end = p->end, diagonal = column / ROWS * ROWS;
    bool all = p->part == GENERAL;
    M(block_function) *const *blocks = columns <= FEW && right != M(dense) ? M(few_blocks)[right] : M(blocks)[right];
    if (p->part == LOWER && row < diagonal)
        row = diagonal;
    if (p->part == UPPER && end > diagonal + ROWS)
        end = diagonal + ROWS;
    for (int strips, number = 0; row < end; row += strips * ROWS, number++) {
        int rows = end - row, whole = rows / ROWS;
        strips = whole >= STRIPS ? STRIPS : whole > 0 ? whole : 1;
        rows = rows < strips * ROWS ? rows : strips * ROWS;
        t.a = whole > 0 ? p->A + ((ptrdiff_t)row * p->k + p->first * ROWS) * PARTS : p->edge;
        struct M(target) to = { p->alpha, p->C + row + column * p->ldc, p->ldc, rows, columns,
                                all || p->part == UPPER ? -GROUP : column - row, p->part == UPPER ? column - row + 1 : rows };
        if (number >= STEP * REAL_BYTES / M(ahead) && p->soon < p->later) {
            t.next = p->soon;
            p->soon += M(ahead) * t.k;
        }
        blocks[strips - 1](&t, &to);
        t.next += M(ahead) * t.k;
    }
}

static int M(smaller)(int a, int b)
{
    return a < b ? a : b;
}

/* Multiplies by a strip of B, or by as many columns of a dense B. */
static void M(multiply_strip)(struct M(product) *p, int column)
{
    REAL scratch[M(deep) * STEP] __attribute__((aligned(STRIP_BYTES)));
    int columns = p->n - column < ROWS ? p->n - column : ROWS;
    struct M(sum) t = { .k = p->count, .apart = (ptrdiff_t)p->k * STEP };
    if (p->negative > p->first)
        t.negative = M(smaller)(p->negative - p->first, p->count);
    const REAL *strip = NULL;
    if (p->right != M(dense))
        strip = M(strip)((const REAL *)p->B, p->n, p->k, column / ROWS, p->first, p->count, scratch);
    for (int c = 0; c < columns; c += GROUP) {
        int group = columns - c < GROUP ? columns - c : GROUP;
        const SCALAR *B = p->B + p->first + (column + c) * p->ldb;
        if (strip != NULL) {
            t.b = strip + c;
            t.next = (const char *)(strip + t.apart);
            M(multiply_columns)(p, column + c, group, t, p->right);
        } else if (group == GROUP) {
            t.b = (const REAL *)B;
            t.ldb = p->ldb * PARTS;
            t.next = (const char *)(B + GROUP * p->ldb);
            M(multiply_columns)(p, column + c, group, t, M(dense));
        } else {
            t.b = M(strip_of_columns)(group, p->count, B, p->ldb, scratch);
            t.next = (const char *)t.b;
            M(multiply_columns)(p, column + c, group, t, M(packed));
        }
    }
}

/* Computes at most `high` rows from p->row on, and prefetches the next rows, at most high_after. */
static void M(multiply_rows)(struct M(product) *p, int high, int high_after)
{
    p->end = M(smaller)(p->m, p->row + high);
    int after = M(smaller)(p->m - p->end, high_after);
    p->soon = (const char *)(p->A + ((ptrdiff_t)p->end * p->k + (after > 0 ? p->first * ROWS : 0)) * PARTS);
    p->later = p->soon + (ptrdiff_t)after * p->k * (ptrdiff_t)sizeof(SCALAR);
    for (int j = 0; j < p->n; j += ROWS)
        M(multiply_strip)(p, j);
    p->row = p->end;
}

/* The first block of A is not high, because nothing has prefetched it. */
static void M(multiply_all)(struct M(product) *p)
{
    REAL edge[M(deep) * STEP] __attribute__((aligned(STRIP_BYTES)));
    int pieces = (p->k + M(deep) - 1) / M(deep), deep = pieces > 0 ? (p->k + pieces - 1) / pieces : 0;
    for (p->first = 0; p->first < p->k; p->first += deep) {
        p->count = M(smaller)(deep, p->k - p->first);
        int high = M(block_bytes) / (p->count * (int)sizeof(SCALAR)) / (STRIPS * ROWS) * STRIPS * ROWS;
        if (p->m % ROWS != 0)
            p->edge = M(strip)(p->A, p->m, p->k, p->m / ROWS, p->first, p->count, edge);
        p->row = 0;
        M(multiply_rows)(p, M(smaller)(M(first_high), high), high);
        while (p->row < p->m)
            M(multiply_rows)(p, high, high);
    }
}

static void M(gemm)(int m, int n, int k, double alpha, const void *A, const void *B, int ldb, void *C, int ldc)
{
    struct M(product) p = { .m = m, .n = n, .k = k, .alpha = (REAL)alpha, .A = A, .B = B, .ldb = ldb,
                            .right = ldb > 0 ? M(dense) : M(conjugate), .C = C, .ldc = ldc, .part = GENERAL };
    M(multiply_all)(&p);
}

static void M(signed_gemm)(enum trans trans, int m, int n, int k, int negative, const void *A, const void *B, void *C, int ldc)
{
    struct M(product) p = { .m = m, .n = n, .k = k, .negative = negative, .alpha = -1, .A = A, .B = B,
                            .right = trans == TRANS ? M(packed) : M(conjugate), .C = C, .ldc = ldc, .part = GENERAL };
    M(multiply_all)(&p);
}

static void M(signed_herk)(enum uplo uplo, enum trans trans, int n, int k, int negative, const void *A, void *tile, int ldc)
{
    SCALAR *C = tile;
    struct M(product) p = { .m = n, .n = n, .k = k, .negative = negative, .alpha = -1, .A = A, .B = A,
                            .right = trans == TRANS ? M(packed) : M(conjugate), .C = C, .ldc = ldc, .part = uplo };
    M(multiply_all)(&p);
    for (int j = 0; j < n && PARTS == 2 && trans == CONJ_TRANS; j++)
        C[j + (ptrdiff_t)j * ldc] = creal(C[j + (ptrdiff_t)j * ldc]);
}

static void M(herk)(enum uplo uplo, int n, int k, const void *A, void *C, int ldc)
{
    M(signed_herk)(uplo, CONJ_TRANS, n, k, 0, A, C, ldc);
}

#include "omp/kernels/micro/packed_copies.h"
#include "omp/kernels/micro/packed_solve.h"
#include "omp/kernels/micro/packed_factors.h"
#include "omp/kernels/micro/packed_pivoted.h"
#include "omp/kernels/micro/packed_rook.h"

static const struct packed_kernels M(kernels) = {
    .pack = M(pack),
    .unpack = M(unpack),
    .turn = M(turn),
    .gemm = M(gemm),
    .herk = M(herk),
    .signed_gemm = M(signed_gemm),
    .signed_herk = M(signed_herk),
    .solve_bytes = M(solve_bytes),
    .solve = M(solve),
    .solve_pivoted_bytes = M(solve_pivoted_bytes),
    .solve_pivoted = M(solve_pivoted),
    .potrf_bytes = M(potrf_bytes),
    .potrf = M(potrf),
    .getrf_bytes = M(getrf_bytes),
    .getrf = M(getrf),
    .rook_bytes = M(rook_bytes),
    .rook = M(rook),
};

#undef LANES
#undef ROWS
#undef STEP
#undef STRIPS
#undef GROUP
#undef FEW
