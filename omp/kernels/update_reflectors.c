/* Reflectors of a Cholesky factor's rows and of columns that are added to its matrix. */
#include "omp/kernels/update_reflectors.h"
#include "omp/kernels/extremes.h"
#include "omp/kernels/workspace.h"

#include <complex.h>
#include <float.h>
#include <stdint.h>
#include <tgmath.h>

enum { BLOCK = 32 };        /* rows of a block */

#define BODY "omp/kernels/update_reflectors_body.h"
#include "omp/kernels/each_precision.h"

static const struct of_numbers {
    bool (*turn)(bool subtracts, int k, void *diagonal, void *row, void *q);
    void (*turn_column)(bool subtracts, bool conjugate, int m, const void *of, void *column, int64_t step, void *with);
    void (*join)(int n, const void *products, int ldg, void *triangle, int ldc);
} of_numbers[TYPES] = {
    [TYPE_S] = { s_turn, s_turn_column, s_join },
    [TYPE_D] = { d_turn, d_turn_column, d_join },
    [TYPE_C] = { c_turn, c_turn_column, c_join },
    [TYPE_Z] = { z_turn, z_turn_column, z_join },
};

size_t update_reflectors_bytes(int n, int k, size_t size)
{
    return ((size_t)k + BLOCK) * (size_t)n * size;
}

/* A block of rows of the tile. */
struct block {
    const struct precision *p;
    bool subtracts;
    int n, k;
    char *U, *C;                /* leading dimensions: k and BLOCK */
};

static struct block block_of(const struct precision *p, bool subtracts, int n, int k, int first, const void *Q)
{
    char *U = (char *)Q;
    return (struct block){ .p = p, .subtracts = subtracts, .n = smaller(BLOCK, n - first), .k = k,
                           .U = U + (size_t)first * (size_t)k * p->size,
                           .C = U + (size_t)n * (size_t)k * p->size + (size_t)first * BLOCK * p->size };
}

static char *place(const struct precision *p, const void *data, int64_t i, int64_t j, int ld)
{
    return (char *)data + (i + j * ld) * (int64_t)p->size;
}

/* L from row i and column j on. */
static struct factor_rows part(const struct precision *p, struct factor_rows L, int i, int j)
{
    L.data = L.mirrored ? place(p, L.data, j, i, L.ld) : place(p, L.data, i, j, L.ld);
    return L;
}

/* Computes the reflectors row by row, within the block only. room: BLOCK numbers. Returns 0, or the 1-based row without a
   positive diagonal. */
static int turn_rows(const struct block *b, struct factor_rows L, char *room)
{
    const struct of_numbers *numbers = &of_numbers[type_index(b->p->type)];
    const struct kernels *kernels = b->p->kernels;
    for (int r = 0; r < b->n; r++) {
        char *u = place(b->p, b->U, 0, r, b->k), *below = place(b->p, b->U, 0, r + 1, b->k), *q = place(b->p, b->C, r, r, BLOCK);
        int rest = b->n - r - 1;
        if (!numbers->turn(b->subtracts, b->k, part(b->p, L, r, r).data, u, q))
            return r + 1;
        if (rest == 0)
            break;
        kernels->clear(rest, 1, room, rest);                                                            /* y = V u */
        kernels->gemm(CONJ_TRANS, NO_TRANS, rest, 1, b->k, 1, below, b->k, u, b->k, room, rest);
        numbers->turn_column(b->subtracts, L.mirrored, rest, q, part(b->p, L, r + 1, r).data, L.mirrored ? L.ld : 1, room);
        kernels->gemm(NO_TRANS, CONJ_TRANS, b->k, rest, 1, -1, u, b->k, room, rest, below, b->k);       /* V -= (l + l') u^H */
    }
    return 0;
}

/* The rows of V from which U^H comes are not needed any more. room: BLOCK x BLOCK numbers. */
static int make_block(const struct block *b, struct factor_rows L, const void *V, int ldv, char *room)
{
    const struct kernels *kernels = b->p->kernels;
    kernels->conj_transpose(b->n, b->k, V, ldv, b->U, b->k);
    int failed = turn_rows(b, L, room);
    if (failed > 0)
        return failed;
    kernels->clear(b->n, b->n, room, BLOCK);
    kernels->gemm(CONJ_TRANS, NO_TRANS, b->n, b->n, b->k, 1, b->U, b->k, b->U, b->k, room, BLOCK);
    of_numbers[type_index(b->p->type)].join(b->n, room, BLOCK, b->C, BLOCK);
    return 0;
}

/* Applies the block to m rows. X and Y: as many rows of the block's columns. */
static void reflect(const struct block *b, int m, struct factor_rows L, void *V, int ldv, char *X, char *Y)
{
    const struct kernels *kernels = b->p->kernels;
    enum side side = L.mirrored ? LEFT : RIGHT;
    enum trans turned = L.mirrored ? CONJ_TRANS : NO_TRANS;
    int rows = L.mirrored ? b->n : m, columns = L.mirrored ? m : b->n;
    double sign = b->subtracts ? -1 : 1;
    kernels->copy_rows(rows, columns, NULL, L.data, L.ld, NULL, X, rows);
    kernels->clear(rows, columns, Y, rows);
    if (L.mirrored)                                                                                     /* Y = V U */
        kernels->gemm(CONJ_TRANS, CONJ_TRANS, b->n, m, b->k, 1, b->U, b->k, V, ldv, Y, rows);
    else
        kernels->gemm(NO_TRANS, NO_TRANS, m, b->n, b->k, 1, V, ldv, b->U, b->k, Y, rows);
    kernels->add(rows, columns, sign, Y, rows, L.data, L.ld);
    if (b->subtracts)                                                                        /* L = (L - Y) C^-1 - Y */
        kernels->trsm(side, UPPER, turned, NON_UNIT, rows, columns, b->C, BLOCK, L.data, L.ld);
    else                                                                                /* L = (L + Y) C + Y */
        kernels->trmm(side, UPPER, turned, NON_UNIT, rows, columns, 1, b->C, BLOCK, L.data, L.ld);
    kernels->add(rows, columns, sign, Y, rows, L.data, L.ld);
    kernels->add(rows, columns, 1, L.data, L.ld, X, rows);
    kernels->gemm(turned, CONJ_TRANS, m, b->k, b->n, -1, X, rows, b->U, b->k, V, ldv);      /* V -= (L + L') U^H */
}

int update_reflect(const struct precision *p, bool subtracts, int m, int n, int k, const void *Q, struct factor_rows L, void *V,
                   int ldv)
{
    size_t room = (size_t)m * BLOCK * p->size;
    char *work = workspace_take(2 * room + 1);
    if (work == NULL)
        return -1;
    for (int first = 0; first < n; first += BLOCK) {
        struct block b = block_of(p, subtracts, n, k, first, Q);
        reflect(&b, m, part(p, L, 0, first), V, ldv, work, work + room);
    }
    workspace_give(work);
    return 0;
}

int update_reflectors(const struct precision *p, bool subtracts, int n, int k, struct factor_rows L, void *V, int ldv, void *Q)
{
    int failed = 0;
    size_t room = ((size_t)n + BLOCK) * BLOCK * p->size;
    char *work = workspace_take(2 * room + 1);
    if (work == NULL)
        return -1;
    for (int first = 0; first < n && failed == 0; first += BLOCK) {
        struct block b = block_of(p, subtracts, n, k, first, Q);
        int below = first + b.n;
        failed = make_block(&b, part(p, L, first, first), place(p, V, first, 0, ldv), ldv, work);
        if (failed == 0 && below < n)
            reflect(&b, n - below, part(p, L, below, first), place(p, V, below, 0, ldv), ldv, work, work + room);
        failed += failed > 0 ? first : 0;
    }
    workspace_give(work);
    return failed;
}
