/* Tiles with signs in one precision; signed_block.c includes this file once for each, and again with SYMMETRIC for complex
   ones. */
#if defined SYMMETRIC
#define PIVOT SCALAR
#define PIVOT_OF(a) (a)
#define IS_NEGATIVE(pivot) ((void)(pivot), 0)
#define ROOT(pivot) sqrt(pivot)
#define LENGTH(e) (e)
#else
#define PIVOT REAL
#define PIVOT_OF(a) creal(a)
#define IS_NEGATIVE(pivot) ((pivot) < 0)
#define ROOT(pivot) sqrt(fabs(pivot))
#define LENGTH(e) MODULUS(e)
#endif

/* ---- D --------------------------------------------------------------------------------------------------------------------- */

/* Stores the pivot and the root of D's row k, and updates the counters. */
static void NAME(note)(struct signed_block *b, int k, PIVOT pivot, SCALAR first, SCALAR second)
{
    SCALAR *root = (SCALAR *)signed_roots(b, sizeof(SCALAR)) + 2 * k;
    ((SCALAR *)signed_pivots(b))[k] = pivot;
    root[0] = first;
    root[1] = second;
    b->negative += IS_NEGATIVE(pivot);
    b->smallest = fabs((double)pivot) < b->smallest ? fabs((double)pivot) : b->smallest;
}

/* D = ( a e^H ) turned: Q^H D Q = ( a/2 + b/2 + |e|      a/2 - b/2     )     Q = 1/sqrt(2) ( 1      1    )
       ( e  b  )                   (    a/2 - b/2     a/2 + b/2 - |e| )                   ( phase -phase ), phase = e / |e|.
   Of a symmetric D = ( a e; e b ) the same with e in the place of |e|, and Q is real. */
static void NAME(root_of_pair)(struct signed_block *b, int k, PIVOT a, PIVOT d, SCALAR e)
{
    const REAL half = (REAL)0.7071067811865476;
    PIVOT length = LENGTH(e), x = a / 2 - d / 2, sum = a / 2 + d / 2;
    SCALAR phase = e / length;
    REAL sign = fabs(sum - length) > fabs(sum + length) ? -1 : 1;
    PIVOT first = sum + sign * length, second = sum - sign * length, l = x / first;     /* the larger one is the first pivot */
    second -= x * l;
    PIVOT r = half * ROOT(first), t = half * ROOT(second);
    NAME(note)(b, k, first, (1 + l) * r, t);
    NAME(note)(b, k + 1, second, sign * (1 - l) * r * phase, -sign * t * phase);
}

/* The order of G's columns: those of negative pivots first. */
static void NAME(put_in_place)(struct signed_block *b)
{
    const SCALAR *pivot = signed_pivots(b);
    int *place = signed_place(b, sizeof(SCALAR)), next[2] = { b->negative, 0 };
    for (int j = 0; j < b->n; j++)
        place[next[IS_NEGATIVE(PIVOT_OF(pivot[j]))]++] = j;
}

/* Computes the roots from D. D's diagonal is in the tile; the element below it in a block of order 2 is where its pivot will
   be. */
static void NAME(take_roots)(const void *tile, int lda, struct signed_block *b)
{
    const SCALAR *A = tile, *below = signed_pivots(b);
    const int *pair = signed_pair(b, sizeof(SCALAR));
    for (int k = 0; k < b->n; k += pair[k] + 1) {
        const SCALAR *d = A + (size_t)k * ((size_t)lda + 1);
        if (pair[k] == 0)
            NAME(note)(b, k, PIVOT_OF(*d), ROOT(PIVOT_OF(*d)), 0);
        else
            NAME(root_of_pair)(b, k, PIVOT_OF(*d), PIVOT_OF(d[lda + 1]), below[k]);
    }
    NAME(put_in_place)(b);
}

/* ---- G and its inverse ----------------------------------------------------------------------------------------------------- */

/* The inverse of the block of g whose first row is k, by rows. */
static void NAME(inverse_of_pair)(const SCALAR *root, SCALAR inverse[4])
{
    SCALAR det = root[0] * root[3] - root[1] * root[2];
    inverse[0] = root[3] / det;
    inverse[1] = -root[1] / det;
    inverse[2] = -root[2] / det;
    inverse[3] = root[0] / det;
}

/* T := g^-1 T, or g^-H T. */
static void NAME(scale_rows)(const struct signed_block *b, bool conjugate, int columns, void *tile)
{
    const SCALAR *roots = signed_roots(b, sizeof(SCALAR));
    const int *pair = signed_pair(b, sizeof(SCALAR));
    for (int k = 0; k < b->n; k += pair[k] + 1) {
        const SCALAR *root = roots + 2 * k;
        SCALAR *t = (SCALAR *)tile + k, i[4] = { 0 };
        if (pair[k] != 0)
            NAME(inverse_of_pair)(root, i);
        if (conjugate) {
            SCALAR below = i[2];
            i[2] = CONJUGATE(i[1]);
            i[1] = CONJUGATE(below);
            i[0] = CONJUGATE(i[0]);
            i[3] = CONJUGATE(i[3]);
        }
        for (int j = 0; j < columns; j++, t += b->n) {
            SCALAR first = t[0];
            if (pair[k] == 0) {
                t[0] = first / PIVOT_OF(root[0]);
                continue;
            }
            t[0] = i[0] * first + i[1] * t[1];
            t[1] = i[2] * first + i[3] * t[1];
        }
    }
}

/* T := T g, or T g^-H. */
static void NAME(scale_columns)(const struct signed_block *b, bool inverse, int rows, void *tile)
{
    const SCALAR *roots = signed_roots(b, sizeof(SCALAR));
    const int *pair = signed_pair(b, sizeof(SCALAR));
    for (int k = 0; k < b->n; k += pair[k] + 1) {
        const SCALAR *root = roots + 2 * k;
        SCALAR *t = (SCALAR *)tile + (size_t)k * rows, *next = t + rows;
        if (pair[k] == 0) {
            PIVOT factor = inverse ? 1 / PIVOT_OF(root[0]) : PIVOT_OF(root[0]);
            for (int r = 0; r < rows; r++)
                t[r] *= factor;
            continue;
        }
        SCALAR f[4] = { root[0], root[1], root[2], root[3] };
        if (inverse) {
            SCALAR i[4];
            NAME(inverse_of_pair)(root, i);
            f[0] = CONJUGATE(i[0]);
            f[1] = CONJUGATE(i[2]);
            f[2] = CONJUGATE(i[1]);
            f[3] = CONJUGATE(i[3]);
        }
        for (int r = 0; r < rows; r++) {
            SCALAR first = t[r];
            t[r] = first * f[0] + next[r] * f[2];
            next[r] = first * f[1] + next[r] * f[3];
        }
    }
}

/* The columns and weights of G^-H J behind L^-H: each column is a combination of one or two columns (micro/packed.h). */
static void NAME(weigh)(const struct signed_block *b, int *from, void *result)
{
    const SCALAR *roots = signed_roots(b, sizeof(SCALAR));
    const int *pair = signed_pair(b, sizeof(SCALAR)), *place = signed_place(b, sizeof(SCALAR));
    SCALAR *weights = result;
    for (int j = 0; j < b->n; j++) {
        int i = place[j], row = pair[i] == 2, k = i - row;
        REAL sign = j < b->negative ? -1 : 1;
        SCALAR inverse[4] = { 1 / PIVOT_OF(roots[2 * k]) };
        if (pair[i] != 0)
            NAME(inverse_of_pair)(roots + 2 * k, inverse);
        for (int l = 0; l < 2; l++) {
            from[2 * j + l] = l > 0 && pair[i] == 0 ? -1 : k + l;
            weights[2 * j + l] = sign * CONJUGATE(inverse[2 * row + l]);
        }
    }
}

static void NAME(negate)(int m, int n, void *tile, int lda)
{
    for (int j = 0; j < n; j++) {
        SCALAR *A = (SCALAR *)tile + (size_t)j * lda;
        for (int i = 0; i < m; i++)
            A[i] = -A[i];
    }
}

/* T = L, n x n. */
static void NAME(unit_lower)(enum uplo uplo, int n, const void *tile, int lda, void *full)
{
    const SCALAR *A = tile;
    SCALAR *T = full;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            SCALAR a = i == j;
            if (i > j)
                a = uplo == LOWER ? A[i + (size_t)j * lda] : CONJUGATE(A[j + (size_t)i * lda]);
            T[i + (size_t)j * n] = a;
        }
}

static const struct signed_kernels NAME(signed) = {
    .take_roots = NAME(take_roots),
    .scale_rows = NAME(scale_rows),
    .scale_columns = NAME(scale_columns),
    .weigh = NAME(weigh),
    .negate = NAME(negate),
    .unit_lower = NAME(unit_lower),
};
#undef PIVOT
#undef PIVOT_OF
#undef IS_NEGATIVE
#undef ROOT
#undef LENGTH
