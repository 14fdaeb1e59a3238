/* ScaLAPACK's arrays on process grids of every kind, calls of its routines by the library's names, and naive products that
   check them. */
#ifndef OMPFACT_TESTS_SCALAPACK_ARRAYS_ON_GRIDS_H
#define OMPFACT_TESTS_SCALAPACK_ARRAYS_ON_GRIDS_H

#include "src/scalapack/call.h"
#undef TRY
#include "tests/move/redistribution.h"

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int nprow, int npcol);
void Cblacs_gridexit(int context);

enum { ORDER_OF_A = 23, RIGHT_SIDES = 5, ROW = 4, COL = 6 };

static const char types[] = "sdcz";

/* ---- process grids and arrays ------------------------------------------------------------------------------------------- */

static struct setting {
    int nprow, npcol, context;
    bool column_major, member;
} here;

/* Creates a grid of as many processes as fit, in one of several shapes. Some ranks may not belong to it. */
static inline void set_up(int number)
{
    static const int shapes[][2] = { { 1, 2 }, { 2, 1 }, { 2, 2 }, { 3, 1 }, { 1, 1 } };
    here = (struct setting){ .nprow = shapes[number % 5][0], .npcol = shapes[number % 5][1], .column_major = number % 2 };
    if (here.nprow * here.npcol > all_ranks_count())
        here.nprow = here.npcol = 1;
    here.member = my_rank() < here.nprow * here.npcol;
    Cblacs_get(0, 0, &here.context);
    Cblacs_gridinit(&here.context, here.column_major ? "Col" : "Row", here.nprow, here.npcol);
}

static inline void tear_down(void)
{
    if (here.member)
        Cblacs_gridexit(here.context);
    everywhere(true);
}

/* An m x n sub-matrix inside a larger array. */
static inline struct array place(char type, int m, int n, int mb, int nb)
{
    struct array_shape s = { .M = m + ROW + 3, .N = n + COL + 2, .mb = mb, .nb = nb, .nprow = here.nprow, .npcol = here.npcol,
                             .rsrc = here.nprow - 1, .csrc = here.npcol / 2, .ia = ROW, .ja = COL, .more_ld = 3,
                             .column_major = here.column_major };
    struct array a = new_array(&s, type);
    a.desc[CTXT_] = here.member ? here.context : -1;
    return a;
}

static inline int64_t index_in(const struct array *a, int64_t i, int64_t j)
{
    return i + ROW - 1 + (j + COL - 1) * a->desc[M_];
}

/* The sub-matrix on every rank. The caller frees it. Collective. */
static inline number *gather_array(const struct array *a, int64_t m, int64_t n)
{
    number *dense = calloc((size_t)(m * n) + 1, sizeof *dense);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            double re, im;
            if (a->owner[index_in(a, i, j)] != my_rank())
                continue;
            precision_of(a->type)->get(array_element(a, index_in(a, i, j)), &re, &im);
            dense[i + j * m] = re + im * (number)I;
        }
    reduce(dense, (int)(2 * m * n), MPI_DOUBLE, MPI_SUM);
    return dense;
}

static inline void put_element(const struct array *a, int64_t i, int64_t j, number value)
{
    if (a->owner[index_in(a, i, j)] == my_rank())
        precision_of(a->type)->set(array_element(a, index_in(a, i, j)), creal(value), cimag(value));
}

/* Whether elements outside the m x n sub-matrix, or beyond the diagonal of p, are unchanged. */
static inline bool rest_is_as_it_was(const struct array *a, const struct problem *p, int64_t m, int64_t n)
{
    bool right = true;
    for (int64_t g = 0; g < (int64_t)a->desc[M_] * a->desc[N_]; g++) {
        int64_t i = g % a->desc[M_] - (ROW - 1), j = g / a->desc[M_] - (COL - 1);
        bool inside = i >= 0 && i < m && j >= 0 && j < n && (p == NULL || counts(p, i, j));
        double re, im;
        if (inside || a->owner[g] != my_rank())
            continue;
        precision_of(a->type)->get(array_element(a, g), &re, &im);
        right &= re + im * (number)I == filler(a->type, i + ROW - 1, j + COL - 1);
    }
    return right;
}

/* Fills columns with rhs_entry(). */
static inline void fill_sides(struct array *b, const struct problem *p, int64_t m, int64_t n)
{
    fill_array(b, NULL);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++)
            put_element(b, i, j, rhs_entry(p, i, j));
}

static int row = ROW, col = COL;
#define ARRAY(a) (a).local, &row, &col, (a).desc
#define CALL(name, type, ...)                                                                                                   \
    do {                                                                                                                        \
        if (here.member)                                                                                                        \
            scalapack_call(&scalapack_##name, type, (void *[]){ __VA_ARGS__ });                                                 \
        else                                                                                                                    \
            info = 0;                                                                                                           \
    } while (0)

/* ---- naive products ----------------------------------------------------------------------------------------------------- */

/* max |A X - B|, or |A X - I| without B, over n ||A||_1 max |X| eps. */
static inline double product_error(char type, int64_t n, int64_t columns, const number *A, const number *X, const number *B)
{
    double worst = 0, norm = 0, size = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++)
            sum += cabs(A[i + j * n]);
        norm = larger(norm, sum);
    }
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < n; i++) {
            number sum = B != NULL ? -B[i + j * n] : -(number)(i == j);
            for (int64_t k = 0; k < n; k++)
                sum += A[i + k * n] * X[k + j * n];
            worst = larger(worst, cabs(sum));
            size = larger(size, cabs(X[i + j * n]));
        }
    return worst / ((double)n * norm * size * precision_of(type)->eps);
}

static inline number *dense_problem(const struct problem *p)
{
    number *A = malloc((size_t)(p->m * p->n) * sizeof *A + 1);
    for (int64_t g = 0; g < p->m * p->n; g++)
        A[g] = entry_of(p, g % p->m, g / p->m);
    return A;
}

static inline number *dense_sides(const struct problem *p, int64_t m, int64_t n)
{
    number *B = malloc((size_t)(m * n) * sizeof *B + 1);
    for (int64_t g = 0; g < m * n; g++)
        B[g] = rhs_entry(p, g % m, g / m);
    return B;
}

/* A := op(A), of order n. */
static inline void transpose(number *A, int64_t n, char trans)
{
    for (int64_t j = 0; j < n && trans != 'N'; j++)
        for (int64_t i = 0; i <= j; i++) {
            number a = A[i + j * n], b = A[j + i * n];
            A[i + j * n] = trans == 'C' ? conj(b) : b;
            A[j + i * n] = trans == 'C' ? conj(a) : a;
        }
}

static inline void free_all(number *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i]);
}
#define FREE_ALL(...) free_all((number *const[]){ __VA_ARGS__ }, sizeof((number *[]){ __VA_ARGS__ }) / sizeof(number *))

#endif
