/*
 * Triangular solves in strips; a part of packed_body.h's code. All strips are complete here, including those of the triangle:
 * the columns of T are strips of T^T.
 *
 *     X T = B      X_j = ( B_j - sum_{l<j} X_l t_lj ) / t_jj       GROUP columns at once, STRIPS strips of X
 *
 * It is plain substitution: no block is inverted, and errors are those of LAPACK's loops. A column is multiplied by the
 * reciprocal of its pivot, or divided if the reciprocal would leave the range of normal numbers.
 */
struct M(pivot) {
    SCALAR value;
    REAL reciprocal[PARTS];
    bool safe;          /* the reciprocal is accurate, so the column may be multiplied by it */
};

static struct M(pivot) M(pivot_of)(SCALAR value)
{
    struct M(pivot) p = { .value = value };
    REAL size = (REAL)fmax(fabs(creal(p.value)), fabs(cimag(p.value)));
    p.safe = size >= REAL_SMALLEST && size <= 1 / REAL_SMALLEST;
    SCALAR reciprocal = p.safe ? 1 / p.value : 1;
    p.reciprocal[PARTS - 1] = cimag(reciprocal);
    p.reciprocal[0] = creal(reciprocal);
    return p;
}

/* Multiplies a column by the pivot's reciprocal. */
INLINED void M(scale)(int strips, M(vector) c[M(most)], const struct M(pivot) *p)
{
    UNROLLED
    for (int i = 0; i < strips * M(vectors); i++) {
        if (i % M(vectors) >= M(wide))
            continue;
        M(vector) re = c[i];
        c[i] *= p->reciprocal[0];
        if (PARTS == 2) {
            c[i] -= c[i + M(wide)] * p->reciprocal[PARTS - 1];
            c[i + M(wide)] = c[i + M(wide)] * p->reciprocal[0] + re * p->reciprocal[PARTS - 1];
        }
    }
}

/* Divides a column of one strip by the pivot. */
INLINED void M(divide)(M(vector) c[M(most)], const struct M(pivot) *p)
{
    REAL x[STEP];
    UNROLLED
    for (int i = 0; i < M(vectors); i++)
        *(M(vector) *)(x + i * LANES) = c[i];
    for (int i = 0; i < ROWS; i++) {
        SCALAR quotient = (SCALAR)MAKE_SCALAR(x[i], x[i + (PARTS - 1) * ROWS]) / p->value;
        x[i + (PARTS - 1) * ROWS] = cimag(quotient);
        x[i] = creal(quotient);
    }
    UNROLLED
    for (int i = 0; i < M(vectors); i++)
        c[i] = *(const M(vector) *)(x + i * LANES);
}

/* c -= x t */
INLINED void M(subtract)(int strips, M(vector) c[M(most)], const M(vector) x[M(most)], REAL re, REAL im)
{
    UNROLLED
    for (int i = 0; i < strips * M(vectors); i++) {
        bool imaginary = i % M(vectors) >= M(wide);
        c[i] -= x[i] * re;
        if (PARTS == 2 && imaginary)
            c[i - M(wide)] += x[i] * im;
        else if (PARTS == 2)
            c[i + M(wide)] -= x[i] * im;
    }
}

/* The place of B's columns: strips, possibly those of X, or, for real numbers, a column-major matrix. */
struct M(source) {
    const REAL *B;
    ptrdiff_t apart, ldb;       /* distance between strips; distance between columns */
};

/* Computes columns t->k to t->k + GROUP - 1 of some strips of X from B's; of one strip if the pivots are not safe. */
INLINED void M(solve_columns)(int strips, bool conjugate, bool safe, const struct M(sum) *t, const struct M(source) *from,
                              const struct M(pivot) *pivot)
{
    M(vector) acc[GROUP][M(most)];
    REAL *X = (REAL *)t->a + (ptrdiff_t)t->k * STEP;
    const REAL *B = from->B + t->k * from->ldb;
    const REAL *T = t->b + (ptrdiff_t)t->k * STEP;
    M(multiply)(0, strips * M(vectors), GROUP, conjugate ? M(conjugate) : M(packed), t, acc);
    UNROLLED
    for (int j = 0; j < GROUP; j++)
        UNROLLED
        for (int i = 0; i < strips * M(vectors); i++)
            acc[j][i] = *(const M(vector) *)(B + i / M(vectors) * from->apart + j * from->ldb + i % M(vectors) * LANES) -
                        acc[j][i];
    UNROLLED
    for (int j = 0; j < GROUP; j++) {
        if (safe)
            M(scale)(strips, acc[j], pivot + j);
        else
            M(divide)(acc[j], pivot + j);
        UNROLLED
        for (int i = 0; i < strips * M(vectors); i++)
            *(M(vector) *)(X + i / M(vectors) * t->apart + j * STEP + i % M(vectors) * LANES) = acc[j][i];
        UNROLLED
        for (int c = j + 1; c < GROUP; c++) {
            REAL im = T[j * STEP + (PARTS - 1) * ROWS + c];
            M(subtract)(strips, acc[c], acc[j], T[j * STEP + c], conjugate ? -im : im);
        }
    }
}

/* The number of strips that are solved at once: all vectors of a column must fit into registers. */
enum { M(solved) = STRIPS * M(vectors) <= VECTORS_AT_ONCE || PARTS == 2 ? STRIPS : 1 };

typedef void M(solve_function)(const struct M(sum) *t, const struct M(source) *from, const struct M(pivot) *pivot);
#define SOLVE(name, strips, conjugate, safe)                                                                                   \
    TARGET static __attribute__((noinline)) void M(name)(const struct M(sum) *t, const struct M(source) *from,                 \
                                                         const struct M(pivot) *pivot)                                         \
    {                                                                                                                          \
        M(solve_columns)(strips < STRIPS ? strips : STRIPS, conjugate, safe, t, from, pivot);                                  \
    }
SOLVE(solve_1, 1, false, true)
SOLVE(solve_2, 2, false, true)
SOLVE(solve_3, 3, false, true)
SOLVE(solve_conjugate_1, 1, PARTS == 2, true)
SOLVE(solve_conjugate_2, 2, PARTS == 2, true)
SOLVE(solve_conjugate_3, 3, PARTS == 2, true)
SOLVE(divide_1, 1, false, false)
SOLVE(divide_conjugate_1, 1, PARTS == 2, false)
#undef SOLVE
static M(solve_function) *const M(solves)[2][3] = { { M(solve_1), M(solve_2), M(solve_3) },
                                                    { M(solve_conjugate_1), M(solve_conjugate_2), M(solve_conjugate_3) } };
static M(solve_function) *const M(divides)[2] = { M(divide_1), M(divide_conjugate_1) };

/* Computes a group of columns of some strips, at most M(solved). */
static void M(solve_group)(int strips, bool conjugate, struct M(sum) t, struct M(source) from, const struct M(pivot) *pivot)
{
    bool safe = true;
    for (int j = 0; j < GROUP; j++)
        safe &= pivot[j].safe;
    if (safe)
        M(solves)[conjugate][strips - 1](&t, &from, pivot);
    for (int s = 0; s < strips && !safe; s++, t.a += t.apart, from.B += from.apart)
        M(divides)[conjugate](&t, &from, pivot);
}

/* Computes columns J to J + ROWS - 1 of some strips of X, at most M(solved), at a distance `apart`. T: the strip of T's
   columns. */
static void M(solve_block)(int strips, int J, bool conjugate, REAL *X, ptrdiff_t apart, struct M(source) from, const REAL *T,
                           const struct M(pivot) *pivot)
{
    for (int c = 0; c < ROWS; c += GROUP) {
        struct M(sum) t = { .k = J + c, .a = X, .apart = apart, .b = T + c, .next = (const char *)(T + (J + ROWS) * STEP) };
        M(solve_group)(strips, conjugate, t, from, pivot + c);
    }
}

/* ---- X T = B --------------------------------------------------------------------------------------------------------------- */

static int M(strips_of)(int n)
{
    return (n + ROWS - 1) / ROWS;
}

static size_t M(strips_bytes)(int count, int columns)
{
    return (size_t)count * (size_t)columns * STEP * sizeof(REAL);
}

/* The offset of strip s of a packed triangle: the strips before it have ROWS, 2 ROWS, ... columns. */
static ptrdiff_t M(strip_of_triangle)(int s)
{
    return (ptrdiff_t)s * (s + 1) / 2 * ROWS * STEP;
}

/* Bytes of T's pivots, its strips, and those of X. */
static size_t M(solve_bytes)(int m, int n)
{
    int strips = M(strips_of)(n), columns = strips * ROWS;
    return (size_t)columns * sizeof(struct M(pivot)) + (size_t)M(strip_of_triangle)(strips) * sizeof(REAL) +
           M(strips_bytes)(M(strips_of)(m), columns);
}

/* Packs a strip of the triangle's columns from J on, padded with a unit matrix. */
static void M(pack_triangle)(int n, int J, const struct triangle *t, REAL *T, struct M(pivot) *pivot)
{
    const struct view *v = &t->view;
    const SCALAR *A = (const SCALAR *)v->data + J * v->cs;
    int columns = M(smaller)(ROWS, n - J);
    M(pack_strip)(columns, J + columns, A, v->cs, v->rs, v->conjugate, T);
    memset(T + (J + columns) * STEP, 0, (size_t)(ROWS - columns) * STEP * sizeof *T);
    for (int j = 0; j < ROWS; j++) {
        SCALAR d = j < columns && t->diag != UNIT ? A[(J + j) * v->rs + j * v->cs] : 1;
        d = t->diag == NON_ZERO && d == 0 ? 1 : d;
        pivot[j] = M(pivot_of)(v->conjugate ? CONJUGATE(d) : d);
    }
}

/* Packs rows first to first + rows - 1 of a view into strips with `columns` columns, padded with zeros. */
static void M(pack_rows)(int first, int rows, int n, const struct view *B, int columns, REAL *X)
{
    const SCALAR *b = (const SCALAR *)B->data + first * B->rs;
    for (int i = 0; i < rows; i += ROWS, X += columns * STEP) {
        M(pack_strip)(M(smaller)(ROWS, rows - i), n, b + i * B->rs, B->rs, B->cs, B->conjugate, X);
        memset(X + n * STEP, 0, (size_t)(columns - n) * STEP * sizeof *X);
    }
}

/* Prefetches some rows of some columns of a view. */
static void M(prefetch)(int row, int rows, int column, int columns, const struct view *B)
{
    bool turned = B->cs == 1;
    const SCALAR *b = (const SCALAR *)B->data + row * B->rs + column * B->cs;
    for (int j = 0; j < (turned ? rows : columns); j++)
        for (int byte = 0; byte < (turned ? columns : rows) * (int)sizeof *b; byte += 64)
            __builtin_prefetch((const char *)(b + j * (turned ? B->rs : B->cs)) + byte, 0, 2);
}

/* T in strips, its pivots, and memory for B or X. */
struct M(solver) {
    int n, columns;             /* columns: n, rounded up to complete strips */
    const struct M(pivot) *pivot;
    const REAL *T;
    REAL *work;
    const struct view *B;
    int next, after;            /* first row and number of the rows of B that come next */
    bool moves;                 /* the same columns come next, too */
};

static struct M(solver) M(solver_of)(int n, const struct triangle *T, const struct view *B, void *work)
{
    int strips = M(strips_of)(n), columns = strips * ROWS;
    struct M(pivot) *pivot = work;
    REAL *packed = (REAL *)(pivot + columns);
    for (int s = 0; s < strips; s++)
        M(pack_triangle)(n, s * ROWS, T, packed + M(strip_of_triangle)(s), pivot + s * ROWS);
    return (struct M(solver)){ n, columns, pivot, packed, packed + M(strip_of_triangle)(strips), B, 0, 0, false };
}

/* Computes columns from .. end - 1 of some strips of X. */
static void M(solve_with)(const struct M(solver) *t, int from, int end, int strips, REAL *X, struct M(source) B)
{
    for (int J = from; J < end; J += ROWS) {
        M(prefetch)(t->next, t->after, J, ROWS, t->B);
        if (t->moves && J >= t->next)
            M(prefetch)(J, ROWS, t->next, t->after, t->B);
        M(solve_block)(strips, J, false, X, (ptrdiff_t)t->columns * STEP, B, t->T + M(strip_of_triangle)(J / ROWS), t->pivot + J);
    }
}

/* Whether strips of X can replace B's data in place: some rows where as many columns were. */
static bool M(fits_in_place)(int m, int n, const struct view *B, const void *P)
{
    bool turned = B->cs == 1;
    return P == B->data && m % ROWS == 0 && n % ROWS == 0 && (turned ? B->rs == n : PARTS == 1 && m == n && B->cs == n);
}

/* Returns the number of rows to solve now, from t->next on, at most as many as are solved at once, and sets the rows that come
   next. */
static int M(next_rows)(struct M(solver) *t, int m)
{
    int rows = M(smaller)(M(solved) * ROWS, m - t->next);
    t->next += rows;
    t->after = M(smaller)(M(solved) * ROWS, m - t->next);
    return rows;
}

/* From B^H: rows from `first` on are packed before X replaces them. */
static void M(solve_turned)(int first, int rows, const struct M(solver) *t, REAL *X)
{
    M(pack_rows)(first, rows, t->n, t->B, t->n, t->work);
    M(solve_with)(t, 0, t->n, rows / ROWS, X, (struct M(source)){ t->work, (ptrdiff_t)t->n * STEP, STEP });
}

/* From B: X replaces some columns of B; their elements in these rows and in rows below are copied before. */
static void M(solve_moved)(int first, int rows, const struct M(solver) *t, REAL *X)
{
    int n = t->n, moved = first + rows;
    const REAL *B = t->B->data;
    for (ptrdiff_t j = first; j < moved; j++)
        memcpy(t->work + j * n + first, B + j * n + first, (size_t)(n - first) * sizeof *B);
    M(solve_with)(t, 0, moved, rows / ROWS, X, (struct M(source)){ t->work + first, ROWS, n });
    M(solve_with)(t, moved, n, rows / ROWS, X, (struct M(source)){ B + first, ROWS, n });
}

static void M(solve_in_place)(int m, struct M(solver) *t, REAL *X)
{
    t->moves = t->B->cs != 1;
    for (int first = 0, rows; first < m; first += rows, X += (ptrdiff_t)rows / ROWS * t->n * STEP) {
        rows = M(next_rows)(t, m);
        (t->moves ? M(solve_moved) : M(solve_turned))(first, rows, t, X);
    }
}

static void M(solve)(int m, int n, struct triangle T, struct view B, void *work, void *P, struct view result)
{
    struct M(solver) t = M(solver_of)(n, &T, &B, work);
    REAL *X = t.work, *x = X;
    ptrdiff_t apart = (ptrdiff_t)t.columns * STEP;
    if (M(fits_in_place)(m, n, &B, P)) {
        M(solve_in_place)(m, &t, P);
        return;
    }
    for (int first = 0, rows; first < m; first += rows, x += M(solved) * apart) {
        rows = M(next_rows)(&t, m);
        M(pack_rows)(first, rows, n, &B, t.columns, x);
        M(solve_with)(&t, 0, t.columns, M(strips_of)(rows), x, (struct M(source)){ x, apart, STEP });
    }
    for (int s = 0; s < M(strips_of)(m); s++, X += apart) {
        int rows = M(smaller)(ROWS, m - s * ROWS);
        REAL *strip = P != NULL ? (REAL *)P + (ptrdiff_t)s * n * STEP : NULL;
        if (P == NULL)
            M(put_strip)(rows, n, result, s * ROWS, X);
        else if (rows == ROWS)
            memcpy(strip, X, (size_t)n * STEP * sizeof *X);
        else
            M(narrow)(rows, n, X, strip);
    }
}
