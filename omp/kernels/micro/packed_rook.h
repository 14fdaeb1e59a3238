/*
 * P A P^H = L D L^H by rook pivoting (struct rook_pivots), in complete strips in the caller's workspace; a part of
 * packed_body.h's code. Right-looking, by panels of columns of L:
 *
 *     A = ( L11     ) ( D11     ) ( L11^H L21^H )       W21 = L21 D11, columns of L21 before they were divided by D's blocks
 *         ( L21  I  ) (     A22 ) (        I    )       A22 - L21 W21^H is the rest, of which the lower triangle is computed
 *
 * Within a panel, a column of the rest is computed in W when the search needs it, as in LAPACK's ?LASYF_ROOK: A's column minus
 * L times a row of W^H. Rows of finished panels are not moved; each panel records where it has a row.
 *
 * Above A's diagonal, in W's rows before the next pivot, and in the padding of the last strip there are zeros or, after a
 * panel was subtracted there, finite numbers that are never used. They take part in computations, but raise no exceptions.
 */
enum {
    M(panel) = 16,                  /* columns of a panel; one more if a block of order 2 ends it */
    M(slots) = M(panel) + 1,        /* columns of W: one more for the column that is searched */
};

struct M(rook) {
    int n, strips;
    bool conjugate;
    REAL *A, *W;
    ptrdiff_t apart;            /* distance between strips of A: no power of 2, for the sets of a cache */
    int first, k;               /* the panel's first column; the column of the next pivot */
    struct rook_pivots *d;
    int panels, *starts;        /* first columns of the panels so far */
    int *places;                /* for each panel the places of the tile's n rows */
};

INLINED REAL *M(column_of_a)(const struct M(rook) *s, int strip, int j)
{
    return s->A + strip * s->apart + (ptrdiff_t)j * STEP;
}

INLINED REAL *M(column_of_w)(const struct M(rook) *s, int strip, int slot)
{
    return s->W + ((ptrdiff_t)strip * M(slots) + slot) * STEP;
}

INLINED SCALAR M(in_a)(const struct M(rook) *s, int i, int j)
{
    return M(get)(M(column_of_a)(s, i / ROWS, 0), i % ROWS, j);
}

INLINED SCALAR M(in_w)(const struct M(rook) *s, int i, int slot)
{
    return M(get)(M(column_of_w)(s, i / ROWS, 0), i % ROWS, slot);
}

INLINED void M(set_a)(const struct M(rook) *s, int i, int j, SCALAR a)
{
    M(put)(M(column_of_a)(s, i / ROWS, 0), i % ROWS, j, a);
}

INLINED SCALAR M(mirrored)(const struct M(rook) *s, SCALAR a)
{
    return s->conjugate ? CONJUGATE(a) : a;
}

/* ---- products -------------------------------------------------------------------------------------------------------------- */

/* C -= sum, for `group` columns of some strips. */
INLINED void M(subtract_sum)(int strips, int group, bool conjugate, const struct M(sum) *t, REAL *C, ptrdiff_t apart)
{
    M(vector) acc[GROUP][M(most)];
    M(multiply)(0, strips * M(vectors), group, conjugate ? M(conjugate) : M(packed), t, acc);
    UNROLLED
    for (int j = 0; j < group; j++)
        UNROLLED
        for (int i = 0; i < strips * M(vectors); i++)
            *(M(vector) *)(C + i / M(vectors) * apart + j * STEP + i % M(vectors) * LANES) -= acc[j][i];
}

typedef void M(subtract_function)(const struct M(sum) *t, REAL *C, ptrdiff_t apart);
#define SUBTRACT(name, strips, group, conjugate)                                                                               \
    TARGET static __attribute__((noinline)) void M(name)(const struct M(sum) *t, REAL *C, ptrdiff_t apart)                     \
    {                                                                                                                          \
        M(subtract_sum)(strips, group, conjugate, t, C, apart);                                                                \
    }
SUBTRACT(subtract_one, 1, GROUP, false)
SUBTRACT(subtract_some, M(solved), GROUP, false)
SUBTRACT(subtract_column, 1, 1, false)
SUBTRACT(subtract_columns, STRIPS, 1, false)
SUBTRACT(subtract_conjugate_one, 1, GROUP, PARTS == 2)
SUBTRACT(subtract_conjugate_some, M(solved), GROUP, PARTS == 2)
SUBTRACT(subtract_conjugate_column, 1, 1, PARTS == 2)
SUBTRACT(subtract_conjugate_columns, STRIPS, 1, PARTS == 2)
#undef SUBTRACT
/* [conjugate][more than one strip] */
static M(subtract_function) *const M(subtract_group)[2][2] = { { M(subtract_one), M(subtract_some) },
                                                              { M(subtract_conjugate_one), M(subtract_conjugate_some) } };
static M(subtract_function) *const M(subtract_single)[2][2] = { { M(subtract_column), M(subtract_columns) },
                                                               { M(subtract_conjugate_column), M(subtract_conjugate_columns) } };

/* Subtracts from `strips` strips, at most `most` at a time. */
INLINED void M(subtract_strips)(int strips, int most, M(subtract_function) *const functions[2], struct M(sum) t, REAL *C,
                                ptrdiff_t apart)
{
    for (int s = 0, count; s < strips; s += count, t.a += count * t.apart, C += count * apart) {
        bool all = strips - s >= most;
        functions[all](&t, C, apart);
        count = all ? most : 1;
    }
}

/* Called when the panel has all of its `count` columns: updates the lower triangle of the rest. The first strip may have rows
   of the panel itself; they become zero in W, so that columns of L keep their values. */
static void M(subtract_panel)(const struct M(rook) *s, int count)
{
    int from = s->k / ROWS;
    for (int l = 0; l < count; l++)
        for (int i = 0; i < s->k % ROWS; i++)
            M(put)(M(column_of_w)(s, from, 0), i, l, 0);
    for (int S = from, rows; S < s->strips; S += rows) {
        rows = M(smaller)(M(solved), s->strips - S);
        for (int J = from; J < S + rows; J++) {
            int top = J > S ? J : S;
            for (int c = 0; c < ROWS; c += GROUP) {
                const REAL *w = M(column_of_w)(s, J, 0);
                struct M(sum) t = { .k = count, .a = M(column_of_a)(s, top, s->first), .apart = s->apart, .b = w + c,
                                    .next = (const char *)(w + M(slots) * STEP) };
                M(subtract_strips)(S + rows - top, M(solved), M(subtract_group)[s->conjugate], t,
                                   M(column_of_a)(s, top, J * ROWS + c), s->apart);
            }
        }
    }
}

#include "omp/kernels/micro/packed_search.h"

/* ---- the elimination ------------------------------------------------------------------------------------------------------- */

static void M(raise)(struct rook_pivots *d, double modulus)
{
    d->largest = modulus > d->largest || modulus != modulus ? modulus : d->largest;
}

INLINED void M(load)(const REAL *x, M(vector) c[M(most)])
{
    UNROLLED
    for (int i = 0; i < M(vectors); i++)
        c[i] = *(const M(vector) *)(x + i * LANES);
}

INLINED void M(store)(const M(vector) c[M(most)], REAL *x)
{
    UNROLLED
    for (int i = 0; i < M(vectors); i++)
        *(M(vector) *)(x + i * LANES) = c[i];
}

INLINED void M(by_pivot)(M(vector) c[M(most)], const struct M(pivot) *p)
{
    if (p->safe)
        M(scale)(1, c, p);
    else
        M(divide)(c, p);
}

/* L_k = W_k / d */
TARGET static void M(eliminate_one)(const struct M(rook) *s)
{
    int k = s->k, slot = k - s->first;
    SCALAR d = M(in_w)(s, k, slot);
    REAL modulus = (REAL)MODULUS(d);
    M(raise)(s->d, modulus);
    if (modulus < s->d->threshold) {
        d = d == 0 ? (REAL)s->d->threshold : d / modulus * (REAL)s->d->threshold;
        s->d->perturbed++;
    }
    struct M(pivot) pivot = M(pivot_of)(d);
    for (int S = k / ROWS; S < s->strips; S++) {
        M(vector) c[M(most)];
        M(load)(M(column_of_w)(s, S, slot), c);
        M(by_pivot)(c, &pivot);
        M(store)(c, M(column_of_a)(s, S, k));
    }
    M(set_a)(s, k, k, d);
    s->d->pair[k] = 0;
}

/* (u v) = (f g) D^-1, rows of W and L:  u = (y f - phase g) / det,  v = (x g - phase^-1 f) / det  with D = ( a e^H; e d ), x =
   a / |e|, y = d / |e|, phase = e / |e|, det = (x y - 1) |e|; for a symmetric D with e in place of |e|. */
TARGET static void M(divide_by_pair)(const struct M(rook) *s, SCALAR x, SCALAR y, SCALAR phase, SCALAR det)
{
    int k = s->k, slot = k - s->first;
    struct M(pivot) pivot = M(pivot_of)(det);
    for (int S = k / ROWS; S < s->strips; S++) {
        M(vector) f[M(most)], g[M(most)], u[M(most)], v[M(most)];
        M(load)(M(column_of_w)(s, S, slot), f);
        M(load)(M(column_of_w)(s, S, slot + 1), g);
        M(by_pivot)(f, &pivot);
        M(by_pivot)(g, &pivot);
        UNROLLED
        for (int i = 0; i < M(vectors); i++)
            u[i] = v[i] = (M(vector)){ 0 };
        M(subtract)(1, u, f, -creal(y), -cimag(y));
        M(subtract)(1, u, g, creal(phase), cimag(phase));
        M(subtract)(1, v, g, -creal(x), -cimag(x));
        M(subtract)(1, v, f, creal(phase), -cimag(phase));
        M(store)(u, M(column_of_a)(s, S, k));
        M(store)(v, M(column_of_a)(s, S, k + 1));
    }
}

/* Both columns contain e, with different roundings. The larger one is used, because it bounds all other elements of the
   columns. */
static void M(eliminate_two)(const struct M(rook) *s)
{
    int k = s->k, slot = k - s->first;
    SCALAR a = M(in_w)(s, k, slot), d = M(in_w)(s, k + 1, slot + 1), e = M(in_w)(s, k + 1, slot);
    SCALAR other = M(mirrored)(s, M(in_w)(s, k, slot + 1));
    if (MODULUS1(other) > MODULUS1(e))
        e = other;
    SCALAR length = PARTS == 2 && !s->conjugate ? e : MODULUS(e);
    SCALAR x = a / length, y = d / length;
    M(divide_by_pair)(s, x, y, e / length, (x * y - 1) * length);
    M(set_a)(s, k, k, a);
    M(set_a)(s, k + 1, k, 0);
    M(set_a)(s, k + 1, k + 1, d);
    ((SCALAR *)s->d->below)[k] = e;
    M(raise)(s->d, fmax(MODULUS(e), fmax(MODULUS(a), MODULUS(d))));
    s->d->pair[k] = 1;
    s->d->pair[k + 1] = 2;
}

/* ---- the tile -------------------------------------------------------------------------------------------------------------- */

static int M(panels_of)(int n)
{
    return (n + M(panel) - 1) / M(panel);
}

static ptrdiff_t M(rook_columns)(int n)
{
    return (ptrdiff_t)M(strips_of)(n) * ROWS + M(slots);
}

static size_t M(rook_bytes)(int n)
{
    size_t panels = (size_t)M(panels_of)(n);
    return M(strips_bytes)(M(strips_of)(n), (int)M(rook_columns)(n) + M(slots)) +
           (panels * (size_t)n + panels + 1) * sizeof(int) + (size_t)n * sizeof(ptrdiff_t);
}

static void M(load_lower)(const struct M(rook) *s, struct view A)
{
    for (int S = 0; S < s->strips; S++) {
        int first = S * ROWS, rows = M(smaller)(ROWS, s->n - first);
        REAL *strip = M(column_of_a)(s, S, 0);
        M(pack_strip)(rows, first + rows, (const SCALAR *)A.data + first * A.rs, A.rs, A.cs, A.conjugate, strip);
        M(clear_columns)(first + rows, first + ROWS, strip);
        for (int j = 1; j < rows; j++)
            for (int i = 0; i < j; i++)
                M(put)(strip, i, first + j, 0);
    }
}

/* Copies columns from .. end-1 of L to A; row i of L is at[i] numbers behind the begin of the strips. */
static void M(unload_columns)(const struct M(rook) *s, int from, int end, const ptrdiff_t *at, struct view A)
{
    bool turned = A.rs != 1;
    for (int o = from; o < (turned ? s->n : end); o++)
        for (int l = turned ? from : o; l < (turned ? M(smaller)(end, o + 1) : s->n); l++) {
            int i = turned ? o : l, j = turned ? l : o;
            SCALAR a = M(get)(s->A + at[i], 0, j);
            ((SCALAR *)A.data)[i * A.rs + j * A.cs] = A.conjugate ? CONJUGATE(a) : a;
        }
}

static void M(unload_lower)(struct M(rook) *s, ptrdiff_t *at, struct view A)
{
    for (int p = 0; p < s->panels; p++) {
        for (int i = 0; i < s->n; i++) {
            int place = s->places[(ptrdiff_t)p * s->n + s->d->order[i]];
            at[i] = place / ROWS * s->apart + place % ROWS;
        }
        M(unload_columns)(s, s->starts[p], s->starts[p + 1], at, A);
    }
}

static void M(rook)(int n, struct view A, struct rook_pivots *pivots, void *work)
{
    struct M(rook) rook = { .n = n, .strips = M(strips_of)(n), .conjugate = PARTS == 2 && !pivots->symmetric, .A = work,
                            .apart = M(rook_columns)(n) * STEP, .d = pivots }, *s = &rook;
    s->W = s->A + s->strips * s->apart;
    ptrdiff_t *at = (ptrdiff_t *)(void *)(s->W + (ptrdiff_t)s->strips * M(slots) * STEP);
    s->starts = (int *)(void *)(at + n);
    s->places = s->starts + M(panels_of)(n) + 1;
    M(load_lower)(s, A);
    for (int i = 0; i < n; i++)
        pivots->order[i] = i;
    while (s->k < n) {
        s->starts[s->panels] = s->first = s->k;
        for (int order; s->k < n && s->k - s->first < M(panel); s->k += order) {
            order = M(choose)(s);
            (order == 1 ? M(eliminate_one) : M(eliminate_two))(s);
        }
        for (int i = 0; i < n; i++)
            s->places[(ptrdiff_t)s->panels * n + pivots->order[i]] = i;
        s->starts[++s->panels] = s->k;
        if (s->k < n)
            M(subtract_panel)(s, s->k - s->first);
    }
    M(unload_lower)(s, at, A);
}
