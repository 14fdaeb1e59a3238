/* Tiles of low rank, for all precisions: QR of long columns by panel_qr.h, the small matrices between them by the bodies
   below. */
#include "omp/kernels/truncation.h"
#include "omp/kernels/flops.h"
#include "omp/kernels/panel_qr.h"
#include "omp/kernels/extremes.h"
#include "omp/kernels/products.h"
#include "omp/kernels/workspace.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define ANY_ORDER _Pragma("clang fp reassociate(on)")

#define BODY "omp/kernels/truncation_body.h"
#include "omp/kernels/each_precision.h"

static const struct of_numbers {
    double (*squares)(int count, const void *column);
    void (*fill_random)(uint64_t *state, int64_t count, void *values);
    int (*reduce)(int m, int n, void *K, double enough, void *Z, void *R, double *squares, double *left);
} of_numbers[TYPES] = {
    [TYPE_S] = { s_squares, s_fill_random, s_reduce }, [TYPE_D] = { d_squares, d_fill_random, d_reduce },
    [TYPE_C] = { c_squares, c_fill_random, c_reduce }, [TYPE_Z] = { z_squares, z_fill_random, z_reduce },
};

static const struct of_numbers *numbers_of(const struct precision *precision)
{
    return &of_numbers[type_index(precision->type)];
}

double frobenius_norm(const struct precision *precision, enum uplo part, int m, int n, const void *A, int lda)
{
    const struct of_numbers *numbers = numbers_of(precision);
    double sum = 0;
    for (int j = 0; j < n; j++) {
        int first = part == LOWER ? j : 0, end = part == UPPER && j + 1 < m ? j + 1 : m;
        const void *column = at(precision, A, lda, first, j);
        sum += numbers->squares(end > first ? end - first : 0, column) * (part == GENERAL ? 1 : 2);
        if (part != GENERAL && j < m)
            sum -= numbers->squares(1, at(precision, A, lda, j, j));
    }
    return sqrt(sum);
}

static void copy(const struct precision *p, int m, int n, const void *A, int lda, void *B, int ldb)
{
    p->kernels->copy_rows(m, n, NULL, A, lda, NULL, B, ldb);
}

/* Takes workspace for several arrays, each aligned to cache lines. */
static char *take(const struct precision *p, int count, const size_t *elements, char **pieces)
{
    size_t bytes = 0, begin[8];
    for (int i = 0; i < count; i++) {
        begin[i] = bytes;
        bytes += (elements[i] * p->size + 63) / 64 * 64;
    }
    char *all = workspace_take(bytes + 64);
    for (int i = 0; all != NULL && i < count; i++)
        pieces[i] = all + begin[i];
    return all;
}

/* ---- QR of long columns ---------------------------------------------------------------------------------------------------- */

/* m x n columns A = Q R, with the k = min(m,n) reflectors in A. */
struct long_columns {
    int m, n, k;
    char *A;
    int lda;
    char *T, *R;        /* k x k; k x n with zeros below the diagonal */
};

static int factor(struct low_rank_work *w, struct long_columns *c)
{
    static const atomic_int alone;
    const struct precision *p = w->precision;
    if (geqrt_panel(p, &alone, c->m, c->n, FEW_COLUMNS, c->A, c->lda, c->T, c->k) != 0)
        return LOW_RANK_NO_MEMORY;
    p->kernels->clear(c->k, c->n, c->R, c->k);
    for (int j = 0; j < c->n; j++)
        memcpy(at(p, c->R, c->k, 0, j), at(p, c->A, c->lda, 0, j), (size_t)smaller(j + 1, c->k) * p->size);
    w->flops += long_qr_flops(c->m, c->n);
    return 0;
}

/* B = Q (Z; 0), Z k x r with leading dimension k, B m x r; Y: k x r. */
static void apply(struct low_rank_work *w, const struct long_columns *c, int r, const void *Z, void *B, int ldb, void *Y)
{
    const struct precision *p = w->precision;
    const struct kernels *kernels = p->kernels;
    int k = c->k, below = c->m - k;
    if (r == 0)
        return;
    copy(p, k, r, Z, k, Y, k);
    kernels->trmm(LEFT, LOWER, CONJ_TRANS, UNIT, k, r, 1, c->A, c->lda, Y, k);
    kernels->trmm(LEFT, UPPER, NO_TRANS, NON_UNIT, k, r, -1, c->T, k, Y, k);
    kernels->clear(below, r, at(p, B, ldb, k, 0), ldb);
    kernels->gemm(NO_TRANS, NO_TRANS, below, r, k, 1, at(p, c->A, c->lda, k, 0), c->lda, Y, k, at(p, B, ldb, k, 0), ldb);
    kernels->trmm(LEFT, LOWER, NO_TRANS, UNIT, k, r, 1, c->A, c->lda, Y, k);
    copy(p, k, r, Z, k, B, ldb);
    kernels->add(k, r, 1, Y, k, B, ldb);
    w->flops += long_product_flops(c->m, k, r);
}

static void set_identity(const struct precision *p, int n, void *A)
{
    p->kernels->clear(n, n, A, n);
    for (int j = 0; j < n; j++)
        p->set(at(p, A, n, j, j), 1, 0);
}

/* ---- truncation ------------------------------------------------------------------------------------------------------------ */

int low_rank_reduce(struct low_rank_work *w, int m, int n, void *K, double tolerance, void *Z, void *R)
{
    double left, *squares = workspace_take((size_t)(n + 1) * sizeof *squares);
    if (squares == NULL)
        return LOW_RANK_NO_MEMORY;
    int rank = numbers_of(w->precision)->reduce(m, n, K, tolerance * tolerance, Z, R, squares, &left);
    w->flops += reduce_flops(m, n, rank);
    w->left_out = sqrt(left);
    workspace_give(squares);
    return rank;
}

/* U = Q_u R_u and V = Q_v R_v, so that U V^H = Q_u (R_u R_v^H) Q_v^H. The matrix in the middle is nearly Z R, and the new tile
   is (Q_u Z) (Q_v R^H)^H. */
int low_rank_truncate(struct low_rank_work *w, int m, int n, void *UV, int columns, double tolerance)
{
    const struct precision *p = w->precision;
    int ld = m + n, ku = smaller(m, columns), kv = smaller(n, columns), most = smaller(ku, kv);
    size_t c = (size_t)columns, u = (size_t)ku, v = (size_t)kv;
    enum { T_U, R_U, T_V, R_V, MIDDLE, Z, R, NEW, PIECES };
    w->left_out = 0;
    if (columns == 0)
        return 0;
    size_t r = (size_t)most, elements[PIECES] = { u * u, u * c, v * v, v * c, u * v, u * r, v * r, (size_t)ld * r };
    char *piece[PIECES], *all = take(p, PIECES, elements, piece);
    if (all == NULL)
        return LOW_RANK_NO_MEMORY;
    struct long_columns U = { m, columns, ku, UV, ld, piece[T_U], piece[R_U] };
    struct long_columns V = { n, columns, kv, at(p, UV, ld, m, 0), ld, piece[T_V], piece[R_V] };
    int rank = factor(w, &U) != 0 || factor(w, &V) != 0 ? LOW_RANK_NO_MEMORY : 0;
    if (rank == 0) {
        p->kernels->clear(ku, kv, piece[MIDDLE], ku);
        p->kernels->gemm(NO_TRANS, CONJ_TRANS, ku, kv, columns, 1, U.R, ku, V.R, kv, piece[MIDDLE], ku);
        w->flops += 2.0 * ku * kv * columns;
        rank = low_rank_reduce(w, ku, kv, piece[MIDDLE], tolerance, piece[Z], piece[R]);
    }
    if (rank > 0) {
        apply(w, &U, rank, piece[Z], piece[NEW], ld, piece[R_U]);
        p->kernels->conj_transpose(rank, kv, piece[R], most, piece[R_V], kv);
        apply(w, &V, rank, piece[R_V], at(p, piece[NEW], ld, m, 0), ld, piece[MIDDLE]);
        memcpy(UV, piece[NEW], (size_t)ld * (size_t)rank * p->size);
    }
    workspace_give(all);
    return rank;
}

/* V = Q R: U V^H = (U R^H) Q^H. */
int low_rank_lean_right(struct low_rank_work *w, int m, int n, void *UV, int columns)
{
    const struct precision *p = w->precision;
    int ld = m + n, k = smaller(n, columns);
    size_t c = (size_t)columns, order = (size_t)k;
    enum { T, R, ONE, Y, NEW, PIECES };
    size_t elements[PIECES] = { order * order, order * c, order * order, order * order, (size_t)ld * order };
    char *piece[PIECES], *all = take(p, PIECES, elements, piece);
    if (all == NULL)
        return LOW_RANK_NO_MEMORY;
    struct long_columns V = { n, columns, k, at(p, UV, ld, m, 0), ld, piece[T], piece[R] };
    int rank = factor(w, &V) != 0 ? LOW_RANK_NO_MEMORY : k;
    if (rank > 0) {
        p->kernels->clear(m, k, piece[NEW], ld);
        p->kernels->gemm(NO_TRANS, CONJ_TRANS, m, k, columns, 1, UV, ld, V.R, k, piece[NEW], ld);
        set_identity(p, k, piece[ONE]);
        apply(w, &V, k, piece[ONE], at(p, piece[NEW], ld, m, 0), ld, piece[Y]);
        memcpy(UV, piece[NEW], (size_t)ld * order * p->size);
        w->flops += 2.0 * m * k * columns;
    }
    w->left_out = 0;
    workspace_give(all);
    return rank;
}

/* ---- compression ----------------------------------------------------------------------------------------------------------- */

/* The data of low_rank_compress. */
struct search {
    int m, n, ld, done;
    char *A, *U, *V;
    char *mix, *S;      /* n x block; most x block */
    struct long_columns block;
    char *one, *Y;      /* block x block */
    uint64_t random;
};

/* Finds `count` orthonormal vectors, orthogonal to the former ones, that contain much of A's columns. The vectors and A's
   components in them become the next columns, and the components are subtracted from A. */
static int next_block(struct low_rank_work *w, struct search *s, int count)
{
    const struct precision *p = w->precision;
    const struct kernels *k = p->kernels;
    char *U = at(p, s->U, s->ld, 0, s->done), *V = at(p, s->V, s->ld, 0, s->done);
    numbers_of(p)->fill_random(&s->random, (int64_t)s->n * count, s->mix);
    k->clear(s->m, count, s->block.A, s->m);
    k->gemm(NO_TRANS, NO_TRANS, s->m, count, s->n, 1, s->A, s->m, s->mix, s->n, s->block.A, s->m);
    if (s->done > 0) {      /* A has no components of them except roundoff, which may be large against the rest */
        k->clear(s->done, count, s->S, s->done);
        k->gemm(CONJ_TRANS, NO_TRANS, s->done, count, s->m, 1, s->U, s->ld, s->block.A, s->m, s->S, s->done);
        k->gemm(NO_TRANS, NO_TRANS, s->m, count, s->done, -1, s->U, s->ld, s->S, s->done, s->block.A, s->m);
    }
    s->block.n = s->block.k = count;
    if (factor(w, &s->block) != 0)
        return LOW_RANK_NO_MEMORY;
    set_identity(p, count, s->one);
    apply(w, &s->block, count, s->one, U, s->ld, s->Y);
    k->clear(s->n, count, V, s->ld);
    k->gemm(CONJ_TRANS, NO_TRANS, s->n, count, s->m, 1, s->A, s->m, U, s->ld, V, s->ld);
    k->gemm(NO_TRANS, CONJ_TRANS, s->m, s->n, count, -1, U, s->ld, V, s->ld, s->A, s->m);
    w->flops += count * (6.0 * s->m * s->n + 4.0 * s->m * s->done);
    s->done += count;
    return 0;
}

int low_rank_compress(struct low_rank_work *w, int m, int n, void *A, double tolerance, int most, void *UV)
{
    enum { MIX, S, BLOCK, T, R, ONE, Y, PIECES };
    const struct precision *p = w->precision;
    const size_t b = LOW_RANK_BLOCK;
    int order = smaller(m, n);
    size_t elements[PIECES] = { (size_t)n * b, (size_t)(most + LOW_RANK_BLOCK) * b, (size_t)m * b, b * b, b * b, b * b, b * b };
    char *piece[PIECES], *all = take(p, PIECES, elements, piece);
    if (all == NULL)
        return LOW_RANK_NO_MEMORY;
    struct search s = { .m = m, .n = n, .ld = m + n, .A = A, .U = UV, .V = at(p, UV, m + n, m, 0),
                        .mix = piece[MIX], .S = piece[S],
                        .block = { .m = m, .A = piece[BLOCK], .lda = m, .T = piece[T], .R = piece[R] },
                        .one = piece[ONE], .Y = piece[Y], .random = 1 };
    double left = frobenius_norm(p, GENERAL, m, n, A, m);
    int failed = 0;
    while (failed == 0 && !(left <= tolerance) && s.done < order && s.done < most + LOW_RANK_BLOCK) {
        int count = smaller(LOW_RANK_BLOCK, smaller(order, most + LOW_RANK_BLOCK) - s.done);
        failed = next_block(w, &s, count);
        left = frobenius_norm(p, GENERAL, m, n, A, m);
    }
    workspace_give(all);
    if (failed != 0)
        return failed;
    if (!(left <= tolerance))       /* also for NaN */
        return LOW_RANK_NONE;
    int rank = low_rank_truncate(w, m, n, UV, s.done, sqrt(tolerance * tolerance - left * left));
    w->left_out = hypot(w->left_out, left);
    return rank > most ? LOW_RANK_NONE : rank;
}

/* ---- products -------------------------------------------------------------------------------------------------------------- */

void low_rank_expand(struct low_rank_work *w, int m, int n, int columns, const void *UV, void *B, int ldb)
{
    int ld = m + n;
    if (columns == 0)
        return;
    w->precision->kernels->gemm(NO_TRANS, CONJ_TRANS, m, n, columns, 1, UV, ld, at(w->precision, UV, ld, m, 0), ld, B, ldb);
    w->flops += 2.0 * m * n * columns;
}

/* With V = Q R the product is U R^H R U^H: a factor and its conjugate transpose. */
int low_rank_herk(struct low_rank_work *w, enum uplo uplo, int n, int rows, int columns, double alpha, const void *U,
                  const void *V, int ld, void *C, int ldc)
{
    enum { COPY, T, R, W, PIECES };
    const struct precision *p = w->precision;
    int k = smaller(rows, columns);
    size_t c = (size_t)columns, order = (size_t)k;
    size_t elements[PIECES] = { (size_t)rows * c, order * order, order * c, (size_t)n * order };
    if (columns == 0)
        return 0;
    char *piece[PIECES], *all = take(p, PIECES, elements, piece);
    if (all == NULL)
        return LOW_RANK_NO_MEMORY;
    copy(p, rows, columns, V, ld, piece[COPY], rows);
    struct long_columns Q = { rows, columns, k, piece[COPY], rows, piece[T], piece[R] };
    int failed = factor(w, &Q);
    if (failed == 0) {
        p->kernels->clear(n, k, piece[W], n);
        p->kernels->gemm(NO_TRANS, CONJ_TRANS, n, k, columns, 1, U, ld, Q.R, k, piece[W], n);
        p->kernels->herk(uplo, NO_TRANS, n, k, alpha, piece[W], n, C, ldc);
        w->flops += 2.0 * n * k * columns + (double)n * n * k;
    }
    workspace_give(all);
    return failed;
}
