/* Tiles with signs in one precision; included once for each by signed_block.c, for complex ones SYMMETRIC again. */
#if defined SYMMETRIC
#define PIVOT SCALAR
#define PIVOT_OF(a) (a)
#define IS_NEGATIVE(pivot) ((void)(pivot), 0)
#define ROOT(pivot) sqrt(pivot)
#define LENGTH(e) (e)
#define RAISED(pivot, threshold) ((pivot) == 0 ? (threshold) : (pivot) / (REAL)fabs(pivot) * (threshold))
#else
#define PIVOT REAL
#define PIVOT_OF(a) creal(a)
#define IS_NEGATIVE(pivot) ((pivot) < 0)
#define ROOT(pivot) sqrt(fabs(pivot))
#define LENGTH(e) MODULUS(e)
#define RAISED(pivot, threshold) copysign(threshold, pivot)
#endif

/* The lower triangle of the tile as the search and the elimination change it: ld = n. */
struct NAME(pivoted) {
    int n;
    SCALAR *A;
    struct signed_block *b;
    int *order;
    double threshold;
};
#define AT(i, j) s->A[(i) + (size_t)(j) * s->n]

/* ---- the choice of a pivot ------------------------------------------------------------------------------------------------- */

/* Rows and columns p < q change places, in L too. */
static void NAME(exchange)(struct NAME(pivoted) *s, int p, int q)
{
    SCALAR swap;
    if (p == q)
        return;
    for (int j = 0; j < p; j++)
        swap = AT(p, j), AT(p, j) = AT(q, j), AT(q, j) = swap;
    for (int j = p + 1; j < q; j++)
        swap = CONJUGATE(AT(j, p)), AT(j, p) = CONJUGATE(AT(q, j)), AT(q, j) = swap;
    for (int i = q + 1; i < s->n; i++)
        swap = AT(i, p), AT(i, p) = AT(i, q), AT(i, q) = swap;
    AT(q, p) = CONJUGATE(AT(q, p));
    swap = AT(p, p), AT(p, p) = AT(q, q), AT(q, q) = swap;
    int row = s->order[p];
    s->order[p] = s->order[q];
    s->order[q] = row;
}

/* The largest modulus of row i of what is left, from k on, but for the diagonal; and where it is. */
static REAL NAME(largest_of_row)(const struct NAME(pivoted) *s, int k, int i, int *place)
{
    REAL largest = 0;
    *place = i;
    for (int j = k; j < s->n; j++) {
        REAL a = j == i ? 0 : MODULUS1(j < i ? AT(i, j) : AT(j, i));
        if (a > largest) {
            largest = a;
            *place = j;
        }
    }
    return largest;
}

/* Brings the next pivot to k, and to k + 1 what it has in its row if it is one of order 2. Returns its order. A NaN ends the
   search. */
static int NAME(choose)(struct NAME(pivoted) *s, int k)
{
    const REAL alpha = (REAL)0.6403882032022076;    /* (1 + sqrt(17)) / 8 */
    int p = k, i, j;
    REAL here = MODULUS1(AT(k, k)), most = NAME(largest_of_row)(s, k, k, &i);
    if (!(here < alpha * most) || (here < s->threshold && most < s->threshold))
        return 1;
    for (;;) {
        REAL row = NAME(largest_of_row)(s, k, i, &j);
        if (!(MODULUS1(AT(i, i)) < alpha * row)) {
            NAME(exchange)(s, k, i);
            return 1;
        }
        if (j == p || !(row > most))
            break;
        p = i;
        i = j;
        most = row;
    }
    NAME(exchange)(s, k, p);
    NAME(exchange)(s, k + 1, i);
    return 2;
}

/* ---- the elimination ------------------------------------------------------------------------------------------------------- */

/* D's rows k .. are known: what is told of them. */
static void NAME(note)(struct signed_block *b, int k, int pair, PIVOT pivot, SCALAR first, SCALAR second)
{
    SCALAR *root = (SCALAR *)signed_roots(b, sizeof(SCALAR)) + 2 * k;
    ((SCALAR *)signed_pivots(b))[k] = pivot;
    root[0] = first;
    root[1] = second;
    signed_pair(b, sizeof(SCALAR))[k] = pair;
    b->negative += IS_NEGATIVE(pivot);
    b->smallest = fabs((double)pivot) < b->smallest ? fabs((double)pivot) : b->smallest;
}

static void NAME(raise)(struct signed_block *b, REAL modulus)
{
    b->largest = modulus > b->largest || modulus != modulus ? (double)modulus : b->largest;
}

static void NAME(eliminate_one)(struct NAME(pivoted) *s, int k)
{
    PIVOT d = PIVOT_OF(AT(k, k));
    NAME(raise)(s->b, fabs(d));
    if (fabs(d) < s->threshold) {
        d = RAISED(d, (REAL)s->threshold);
        s->b->perturbed++;
    }
    for (int j = k + 1; j < s->n; j++) {
        SCALAR factor = CONJUGATE(AT(j, k)) / d;
        SCALAR *restrict to = &AT(0, j);
        const SCALAR *restrict from = &AT(0, k);
        for (int i = j; i < s->n; i++)
            to[i] -= from[i] * factor;
    }
    for (int i = k + 1; i < s->n; i++)
        AT(i, k) /= d;
    AT(k, k) = d;
    NAME(note)(s->b, k, 0, d, ROOT(d), 0);
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
    NAME(raise)(b, larger_of(MODULUS(e), larger_of(fabs(a), fabs(d))));
    NAME(note)(b, k, 1, first, (1 + l) * r, t);
    NAME(note)(b, k + 1, 2, second, sign * (1 - l) * r * phase, -sign * t * phase);
}

static void NAME(eliminate_two)(struct NAME(pivoted) *s, int k)
{
    PIVOT a = PIVOT_OF(AT(k, k)), d = PIVOT_OF(AT(k + 1, k + 1));
    SCALAR e = AT(k + 1, k);
    PIVOT length = LENGTH(e), x = a / length, y = d / length, det = (x * y - 1) * length;       /* over |e| */
    SCALAR phase = e / length;
    for (int j = k + 2; j < s->n; j++) {    /* (u v) = (row j of what is left) D^-1 */
        SCALAR f = AT(j, k), g = AT(j, k + 1);
        SCALAR u = (y * f - phase * g) / det, v = (x * g - CONJUGATE(phase) * f) / det;
        SCALAR cu = CONJUGATE(u), cv = CONJUGATE(v);
        SCALAR *restrict to = &AT(0, j);
        const SCALAR *restrict left = &AT(0, k), *restrict right = &AT(0, k + 1);
        for (int i = j; i < s->n; i++)
            to[i] -= left[i] * cu + right[i] * cv;
        AT(j, k) = u;
        AT(j, k + 1) = v;
    }
    AT(k + 1, k) = 0;
    AT(k, k) = a;
    AT(k + 1, k + 1) = d;
    NAME(root_of_pair)(s->b, k, a, d, e);
}

/* Columns of G: those of negative pivots first. */
static void NAME(put_in_place)(struct signed_block *b)
{
    const SCALAR *pivot = signed_pivots(b);
    int *place = signed_place(b, sizeof(SCALAR)), next[2] = { b->negative, 0 };
    for (int j = 0; j < b->n; j++)
        place[next[IS_NEGATIVE(PIVOT_OF(pivot[j]))]++] = j;
}

static void NAME(factor)(enum uplo uplo, int n, void *tile, int lda, double threshold, struct signed_block *b, void *work)
{
    SCALAR *A = tile;
    struct NAME(pivoted) pivoted = { n, work, b, signed_order(b, sizeof(SCALAR)), threshold }, *s = &pivoted;
    size_t down = uplo == LOWER ? 1 : (size_t)lda, right = uplo == LOWER ? (size_t)lda : 1;
    for (int j = 0; j < n; j++) {
        s->order[j] = j;
        for (int i = j; i < n; i++) {
            SCALAR a = A[(size_t)i * down + (size_t)j * right];
            AT(i, j) = uplo == LOWER ? a : CONJUGATE(a);
        }
    }
    for (int k = 0, order; k < n; k += order) {
        order = NAME(choose)(s, k);
        (order == 1 ? NAME(eliminate_one) : NAME(eliminate_two))(s, k);
    }
    NAME(put_in_place)(b);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            A[(size_t)i * down + (size_t)j * right] = uplo == LOWER ? AT(i, j) : CONJUGATE(AT(i, j));
}
#undef AT

/* ---- G and its inverse ----------------------------------------------------------------------------------------------------- */

/* The inverse of the block of g whose first row is k, row by row. */
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

/* G^-H behind L^-H, times J: which columns make a column, and how much of each (micro/packed.h). */
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
    .factor = NAME(factor),
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
#undef RAISED
