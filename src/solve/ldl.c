/*
 * Factors with signs in LAPACK's form. Of column k, where of complex symmetric matrices ^H is ^T,
 *
 *     X_kk = P_k^H L_kk g S       P_m X_mk = L_mk g S         D_k = (g S) J (g S)^H
 *
 * so that L_mk is P_m X_mk S^H g^-1, and P A' P^H = L D L^H with P of the P_m. What that takes of signed blocks is gathered on
 * every rank: a few numbers for each row.
 */
#include "src/butterfly/butterfly.h"
#include "src/factor/signs.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

/* Data of each row of the matrix, and column of L: */
struct ldl {
    int64_t n;
    double complex *root;       /* [2]: its row of g; it is first because ranks add all numbers */
    double *row;                /* P of A' */
    double *column;             /* S: the column of X's tile that is this column of L g */
    double *pair;               /* 0: D has a block of order 1 there; 1, 2: the first or second row of a block of order 2 */
};
enum { NUMBERS = 7 };           /* of each row */

static double complex element(const struct precision *p, const void *at)
{
    double re, im;
    p->get(at, &re, &im);
    return __builtin_complex(re, im);
}

static void take_block(const ompfact_matrix *A, int k, struct ldl *f)
{
    const struct signed_block *b = signs_block(A, k);
    const size_t size = A->precision->size;
    const int64_t first = A->rows.start[k];
    for (int e = 0; e < b->n; e++) {
        f->row[first + e] = (double)(first + signed_order(b, size)[e]);
        f->column[first + signed_place(b, size)[e]] = e;
        f->pair[first + e] = signed_pair(b, size)[e];
        for (size_t side = 0; side < 2; side++)
            f->root[2 * (first + e) + (int64_t)side] =
                element(A->precision, (char *)signed_roots(b, size) + (2 * (size_t)e + side) * size);
    }
}

/* Rows that are not eliminated stay. */
static ompfact_status gather(ompfact_matrix *A, struct ldl *f)
{
    const int steps = steps_done(A);
    for (int k = 0; k < steps; k++)
        if (owns(A, k, k))
            take_block(A, k, f);
    TRY(reduce_over_ranks(A->grid, (double *)f->root, NUMBERS * f->n, MPI_SUM));
    for (int64_t i = A->rows.start[steps]; i < f->n; i++)
        f->row[i] = (double)i;
    return OMPFACT_SUCCESS;
}

/* ---- tiles --------------------------------------------------------------------------------------------------------------- */

/* Tile (m,k) of a lower triangle; for an upper matrix memory has X^H. */
struct piece {
    const struct precision *precision;
    char *data;
    size_t ld;
    bool mirrored, symmetric;
};

static char *place(const struct piece *t, int r, int c)
{
    size_t row = (size_t)(t->mirrored ? c : r), column = (size_t)(t->mirrored ? r : c);
    return t->data + (row + column * t->ld) * t->precision->size;
}

static double complex get(const struct piece *t, int r, int c)
{
    double complex x = element(t->precision, place(t, r, c));
    return t->mirrored && !t->symmetric ? conj(x) : x;
}

static void put(const struct piece *t, int r, int c, double complex x)
{
    t->precision->set(place(t, r, c), creal(x), t->mirrored && !t->symmetric ? -cimag(x) : cimag(x));
}

/* L_mk, from a copy of X_mk. */
static void convert(const struct ldl *f, int64_t first_row, int64_t first_col, int rows, int cols, const struct piece *from,
                    const struct piece *to)
{
    const double *row = f->row + first_row, *column = f->column + first_col, *pair = f->pair + first_col;
    for (int c = 0; c < cols; c += pair[c] == 1 ? 2 : 1) {
        const double complex *g = f->root + 2 * (first_col + c);        /* row by row */
        const double complex det = pair[c] == 1 ? g[0] * g[3] - g[1] * g[2] : g[0];
        for (int r = 0; r < rows; r++) {
            int source = (int)(row[r] - (double)first_row);
            double complex x = get(from, source, (int)column[c]);
            if (pair[c] == 0) {
                put(to, r, c, x / det);
                continue;
            }
            double complex y = get(from, source, (int)column[c + 1]);
            put(to, r, c, (x * g[3] - y * g[2]) / det);
            put(to, r, c + 1, (y * g[0] - x * g[1]) / det);
        }
    }
}

/* After L_kk and D's diagonal: sets D's other elements, where L has zeros. */
static void put_pairs(const struct ldl *f, int64_t first, int negative, int n, const struct piece *t)
{
    for (int c = 0; c < n; c++) {
        const double complex *g = f->root + 2 * (first + c);
        if (f->pair[first + c] != 1)
            continue;
        double one = f->column[first + c] < negative ? -1 : 1, other = f->column[first + c + 1] < negative ? -1 : 1;
        double complex adjoint[2] = { t->symmetric ? g[0] : conj(g[0]), t->symmetric ? g[1] : conj(g[1]) };
        put(t, c + 1, c, one * g[2] * adjoint[0] + other * g[3] * adjoint[1]);
    }
}

static void convert_tiles(ompfact_matrix *A, const struct ldl *f, void *room)
{
    const bool upper = is_upper(&A->shape);
    const int steps = steps_done(A);
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        if (is_unused(A, i, j) || (i >= steps && j >= steps))
            continue;
        matrix_view(A, i, j, &t);
        struct piece to = { A->precision, t.data, (size_t)t.ld, upper, is_symmetric(&A->shape) }, from = to;
        if (i == j) {
            put_pairs(f, t.row, signs_block(A, i)->negative, t.mb, &to);
            continue;
        }
        from.data = memcpy(room, t.data, ((size_t)t.ld * (size_t)(t.nb - 1) + (size_t)t.mb) * A->precision->size);
        upper ? convert(f, t.col, t.row, t.nb, t.mb, &from, &to) : convert(f, t.row, t.col, t.mb, t.nb, &from, &to);
    }
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

/* Converts the permutation to interchanges, one after the other. at and where: n numbers each, as scratch. */
static void interchanges(const struct ldl *f, int64_t *at, int64_t *where, ompfact_ldl_row *rows)
{
    for (int64_t i = 0; i < f->n; i++)
        at[i] = where[i] = i;
    for (int64_t k = 0; k < f->n; k++) {
        int64_t other = where[(int64_t)f->row[k]];
        where[at[k]] = other;
        at[other] = at[k];
        rows[k].pivot = f->pair[k] == 0 ? other + 1 : -(other + 1);
    }
}

static bool describe_rows(const ompfact_matrix *A, const struct ldl *f, ompfact_ldl_row *rows)
{
    CLEANUP(free_at) int64_t *numbers = malloc((2 * (size_t)f->n + 1) * sizeof *numbers);
    if (numbers == NULL || !butterfly_rows(&A->rows, signs_of(A)->depth, rows))
        return false;
    interchanges(f, numbers, numbers + f->n, rows);
    return true;
}

ompfact_status ompfact_ldl(ompfact_matrix *A, ompfact_ldl_row *rows)
{
    const int64_t n = A->shape.n;
    if (!holds_signs(A))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of hetrf or sytrf");
    CLEANUP(free_at) void *room = malloc(matrix_largest_tile(A) + 1);
    CLEANUP(free_at) double *numbers = calloc(NUMBERS * (size_t)n + 1, sizeof *numbers);
    struct ldl f = { n, (double complex *)numbers, numbers + 4 * n, numbers + 5 * n, numbers + 6 * n };
    TRY(agree_memory(A->grid, room != NULL && numbers != NULL, "for L"));
    TRY(gather(A, &f));
    TRY(agree_memory(A->grid, describe_rows(A, &f, rows), "for rows of L"));
    convert_tiles(A, &f, room);
    matrix_begins_anew(A);
    return OMPFACT_SUCCESS;
}
