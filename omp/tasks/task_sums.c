/*
 * Tiles with checksums. A tile is m x n in memory, in double, in single or in bfloat16. Behind its columns are, in double,
 *
 *     S       m x 3        while the tile is updated: its row sums
 *     V       k x 3        when the tile is a final factor of updates: checksums of it as right factor,
 *                          U W for LU, k = m, and L^H W for Cholesky, k columns of L;
 *                          for a packed L V^H three more rows of it
 *     norms   2 elements   at the end, when the tile is final: bounds for the products of this factor
 *
 * so they travel with the tile. The host does all of this work; tiles elsewhere are moved to the host for it.
 */
#include "omp/kernels/packed_tile.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"
#include "omp/kernels/signed_block.h"
#include "omp/tasks/task_places.h"

#include <math.h>
#include <string.h>

static char *sums_of(const struct task *t, const struct task_tile *A)
{
    return A->data + bytes_before_sums(A->mb, A->nb, t->precision->size, kept_in(A));
}

bool tile_widens(struct task *t, const struct task_tile *A, enum tile_precision to)
{
    struct tile_form *form = A->traits.form;
    size_t size = t->precision->size;
    size_t sums = A->traits.summed == NO_SUMS ? 0 : bytes_of_sums(A->mb, A->nb, size);
    if (!tile_grows(form, bytes_before_sums(A->mb, A->nb, size, to) + sums)) {
        note_lost_tile(form->how, t->i, t->j);
        task_no_memory(t);
        return false;
    }
    memmove(A->data + bytes_before_sums(A->mb, A->nb, size, to), sums_of(t, A), sums);
    form->rank = dense_in(to);
    return true;
}

/* The last elements of the place of the checksums. */
static char *norm_at(const struct task *t, const struct task_tile *A, int which)
{
    size_t size = t->precision->size;
    return sums_of(t, A) + bytes_of_sums(A->mb, A->nb, size) - (size_t)(NORMS - which) * size;
}

/* A's elements in double: the tile itself, then *copy is NULL, or a copy. Packed elements are rows x columns. NULL: no memory. */
static char *in_double(const struct task *t, const struct task_tile *A, int rows, int columns, char **copy)
{
    *copy = NULL;
    if (kept_in(A) == IN_DOUBLE)
        return A->data;
    *copy = workspace_take((size_t)rows * (size_t)columns * t->precision->size);
    if (*copy != NULL)
        tile_in_precision(A->traits.packed, rows, columns, precision_in(t, A), A->data, t->precision, *copy);
    return *copy;
}

static void put_norms(const struct task *t, const struct task_tile *A, struct tile_scale norms)
{
    t->precision->set(norm_at(t, A, 0), norms.element, 0);
    t->precision->set(norm_at(t, A, 1), norms.sum, 0);
}

static struct tile_scale norms_of(const struct task *t, const struct task_tile *A)
{
    struct tile_scale norms;
    double none;
    t->precision->get(norm_at(t, A, 0), &norms.element, &none);
    t->precision->get(norm_at(t, A, 1), &norms.sum, &none);
    return norms;
}

/* ---- checks ------------------------------------------------------------------------------------------------------------ */

/* Records the finding under the step that makes the tile final, even if the check is earlier. So findings behind a failing
   pivot can be ignored. */
static void note(const struct task *t, const struct tile_finding *finding)
{
    struct watch *watch = t->with.watched->watch;
    struct step_findings *step = &watch->step[t->i < t->j ? t->i : t->j];
    atomic_fetch_add(&step->found, finding->found);
    atomic_fetch_add(&step->corrected, finding->corrected);
    if (!finding->lost)
        return;
    step->lost = ((int64_t)t->i << 32) + t->j + 1;
    atomic_store(&watch->lost, true);
}

/* The largest values that elements and sums have had. Elements are a_ij minus products of rows of one factor and columns of
   the other, whose norms are the scales (Cauchy, Schwarz). With one scale, they have the size of the rows of U above. */
static struct tile_scale past_of(const struct task *t)
{
    struct tile_scale past = t->with.watched->past;
    const struct tile_scale *first = (const void *)t->tile[0].data, *second = (const void *)t->tile[1].data;
    if (t->count == 2)
        past = (struct tile_scale){ fmax(past.element, first->element), fmax(past.sum, first->sum) };
    if (t->count == 3)
        past = (struct tile_scale){ past.element + first->element * second->element, past.sum + first->element * second->sum };
    return past;
}

/* The error by computing in single since the tile got its checksums. */
static double rounded_of(const struct task *t, const struct task_tile *A)
{
    double squares = A->traits.form != NULL ? A->traits.form->rounded - t->with.watched->rounded : 0;
    return squares > 0 ? sqrt(squares) : 0;
}

/* Rounds the corrected copy to the narrow tile, and computes its checksums and norm again. */
static void round_again(const struct task *t, const struct task_tile *A, char *copy)
{
    const struct precision *narrow = precision_in(t, A);
    tile_in_precision(false, A->mb, A->nb, t->precision, copy, narrow, A->data);
    tile_in_precision(false, A->mb, A->nb, narrow, A->data, t->precision, copy);
    tile_sums(t->precision, t->with.watched->watch->widest, A->mb, A->nb, copy, A->mb, sums_of(t, A));
    atomic_store_explicit(&A->traits.form->norm, tile_norm(narrow, A->mb, A->nb, A->data), memory_order_relaxed);
}

static void check(struct task *t)
{
    const struct task_tile *A = &t->tile[t->count - 1];
    const struct watched *w = t->with.watched;
    struct tile_finding finding = { 0 };
    char *copy;
    struct summed_tile tile = { .precision = t->precision, .widest = w->watch->widest, .m = A->mb, .n = A->nb,
                                .A = in_double(t, A, A->mb, A->nb, &copy), .S = sums_of(t, A), .part = t->with.uplo,
                                .symmetric = t->with.first, .depth = w->depth, .past = past_of(t),
                                .rounded = rounded_of(t, A) };
    if (tile.A == NULL || tile_repair(&tile, &finding) != 0)
        task_no_memory(t);
    else if (finding.found > 0)
        note(t, &finding);
    if (finding.corrected > 0 && copy != NULL)
        round_again(t, A, copy);
    workspace_give(copy);
}

void task_check_sums(struct run *run, struct watched *w, int scales, const struct operand *scale, bool triangle,
                     struct operand A)
{
    struct operand operands[TASK_OPERANDS];
    for (int i = 0; i < scales; i++)
        operands[i] = scale[i];
    operands[scales] = A;
    struct task *t = task_create(run, TASK_SUMS, check, 0, scales + 1, operands);
    task_submit_with(t, (struct task_arguments){ .watched = w, .uplo = triangle ? uplo_in_memory(&A, LOWER) : GENERAL,
                                                 .first = A.symmetric });
}

/* ---- checksums of right factors ---------------------------------------------------------------------------------------- */

static struct tile_scale add_up_row(const struct task *t, const char *elements)
{
    const struct task_tile *U = &t->tile[0];
    return tile_sums(t->precision, t->with.watched->watch->widest, U->mb, U->nb, elements, U->mb, sums_of(t, U));
}

static void sums_of_row(struct task *t)
{
    put_norms(t, &t->tile[0], add_up_row(t, t->tile[0].data));
}

static void submit_final(struct run *run, void (*compute)(struct task *), struct watched *w, struct operand A)
{
    struct task *t = task_create(run, TASK_SUMS, compute, 0, 1, &A);
    if (task_submit_with(t, (struct task_arguments){ .watched = w, .transa = trans_in_memory(&A, CONJ_TRANS) }))
        hand_over(run, A);
}

/* The largest 2-norm of V's columns, k x 3. */
static double norm_of_sums(const struct task *t, int k, const char *V)
{
    double largest = 0;
    for (int s = 0; s < SUMS; s++) {
        double norm = 0, re, im;
        for (int i = 0; i < k; i++) {
            t->precision->get(V + ((size_t)i + (size_t)s * (size_t)k) * t->precision->size, &re, &im);
            norm = hypot(norm, hypot(re, im));
        }
        largest = norm > largest ? norm : largest;
    }
    return largest;
}

static void sums_of_right(struct task *t)
{
    const struct task_tile *U = &t->tile[0];
    double norm;
    char *copy, *elements = in_double(t, U, U->mb, U->nb, &copy);
    if (elements == NULL || column_norm(t->precision, U->mb, U->nb, elements, &norm) != 0) {
        task_no_memory(t);
    } else {
        add_up_row(t, elements);
        put_norms(t, U, (struct tile_scale){ norm, norm_of_sums(t, U->mb, sums_of(t, U)) });
    }
    workspace_give(copy);
}

void task_sums_of_row(struct run *run, struct watched *w, bool norms, struct operand U)
{
    submit_final(run, norms ? sums_of_right : sums_of_row, w, U);
}

/* V = L^H W. A mirrored tile is L^H in memory. */
static void sums_of_columns(struct task *t, const struct task_tile *L, const char *elements)
{
    const struct precision *p = t->precision;
    bool mirrored = t->with.transa == NO_TRANS;
    int rows = mirrored ? L->nb : L->mb, k = mirrored ? L->mb : L->nb;
    void *V = sums_of(t, L), *W = workspace_take((size_t)rows * SUMS * p->size);
    double norm;
    if (W == NULL || (mirrored ? column_norm(p, k, rows, elements, &norm) : row_norm(p, rows, k, elements, &norm)) != 0) {
        task_no_memory(t);
        workspace_give(W);
        return;
    }
    tile_weights(p, t->with.watched->watch->widest, rows, W);
    t->kernels->clear(k, SUMS, V, k);
    t->kernels->gemm(t->with.transa, NO_TRANS, k, SUMS, rows, 1, elements, L->mb, W, rows, V, k);
    workspace_give(W);
    put_norms(t, L, (struct tile_scale){ norm, norm_of_sums(t, k, V) });
}

static void sums_of_factor(struct task *t)
{
    const struct task_tile *L = &t->tile[0];
    bool mirrored = t->with.transa == NO_TRANS;
    int rows = mirrored ? L->nb : L->mb, k = mirrored ? L->mb : L->nb;
    char *copy, *elements = L->traits.packed ? in_double(t, L, rows, k, &copy) : in_double(t, L, L->mb, L->nb, &copy);
    if (elements == NULL)
        task_no_memory(t);
    else if (L->traits.packed)
        put_norms(t, L, packed_sums(t->precision, t->with.watched->watch->widest, rows, k, elements, sums_of(t, L)));
    else
        sums_of_columns(t, L, elements);
    workspace_give(copy);
}

void task_sums_of_factor(struct run *run, struct watched *w, struct operand L)
{
    submit_final(run, sums_of_factor, w, L);
}

/* S += alpha op(A) V, all in this precision; A has its elements in it. */
static void multiply_sums(const struct task *t, const struct precision *p, const void *A, const void *V, bool packed_v, void *S)
{
    const struct task_tile *a = &t->tile[0], *C = &t->tile[t->count - 1];
    const struct kernels *kernels = p->type == t->precision->type ? t->kernels : p->kernels;
    int k = t->with.k;
    if (a->traits.packed)
        packed_kernels_of(p->type)->gemm(C->mb, SUMS, k, t->with.alpha, A, V, packed_v ? 0 : k, S, C->mb);
    else
        kernels->gemm(t->with.transa, NO_TRANS, C->mb, SUMS, k, t->with.alpha, A, a->mb, V, k, S, C->mb);
}

/* Called before C is updated: the data that it reads are needed again for C. */
void update_sums(const struct task *t, const struct task_tile *B)
{
    const struct task_tile *C = &t->tile[t->count - 1];
    multiply_sums(t, t->precision, t->tile[0].data, sums_of(t, B), B->traits.packed, sums_of(t, C));
}

bool update_sums_in(const struct task *t, const struct precision *p, const void *A, const struct task_tile *B)
{
    const struct task_tile *C = &t->tile[t->count - 1];
    bool packed = B->traits.packed;
    int k = t->with.k;
    if (p->type == t->precision->type) {
        multiply_sums(t, p, A, sums_of(t, B), packed, sums_of(t, C));
        return true;
    }
    size_t in_v = (size_t)k * SUMS * p->size, in_s = (size_t)C->mb * SUMS * p->size;
    char *V = workspace_take(in_v + in_s), *S = V + in_v;
    if (V == NULL)
        return false;
    tile_in_precision(packed, packed ? SUMS : k, packed ? k : SUMS, t->precision, sums_of(t, B), p, V);
    memset(S, 0, in_s);
    multiply_sums(t, p, A, V, packed, S);
    add_single_tile(t->precision, C->mb, SUMS, S, sums_of(t, C));
    workspace_give(V);
    return true;
}

/* The same with signs. */
void update_signed_sums(const struct task *t, const struct signed_block *signs, const struct task_tile *B)
{
    const struct task_tile *A = &t->tile[0], *C = &t->tile[t->count - 1];
    if (A->traits.packed)
        packed_kernels_of(t->precision->type)->signed_gemm(signed_adjoint(signs), C->mb, SUMS, signs->n, signs->negative,
                                                           A->data, sums_of(t, B), sums_of(t, C), C->mb);
    else
        signed_gemm(t->precision, t->kernels, t->with.transa, NO_TRANS, C->mb, SUMS, A->data, A->mb, signs, sums_of(t, B),
                    signs->n, sums_of(t, C), C->mb);
}

/* ---- scales ------------------------------------------------------------------------------------------------------------ */

static void scale_by_row(struct task *t)
{
    struct tile_scale norms = norms_of(t, &t->tile[0]), *scale = (void *)t->tile[1].data;
    *scale = (struct tile_scale){ fmax(scale->element, norms.element), fmax(scale->sum, norms.sum) };
}

static void scale_by_factor(struct task *t)
{
    struct tile_scale norms = norms_of(t, &t->tile[0]), *scale = (void *)t->tile[1].data;
    *scale = (struct tile_scale){ hypot(scale->element, norms.element), hypot(scale->sum, norms.sum) };
}

static void submit_scale(struct run *run, void (*compute)(struct task *), struct operand A, struct operand scale)
{
    task_submit(task_create(run, TASK_SUMS, compute, 0, 2, (struct operand[]){ A, scale }));
}

void task_scale_by_row(struct run *run, struct operand U, struct operand scale)
{
    submit_scale(run, scale_by_row, U, scale);
}

void task_scale_by_factor(struct run *run, struct operand L, struct operand scale)
{
    submit_scale(run, scale_by_factor, L, scale);
}

/* ---- flips ------------------------------------------------------------------------------------------------------------- */

static void flip(struct task *t)
{
    enum { BITS = 8 };
    const struct task_tile *A = &t->tile[0];
    size_t middle = (size_t)(A->mb / 2) + (size_t)(A->nb / 2) * (size_t)A->mb, size = precision_in(t, A)->size;
    size_t bit = (size_t)t->with.k % (BITS * size);
    A->data[middle * size + bit / BITS] ^= (char)(1 << bit % BITS);
}

void task_flip(struct run *run, int bit, struct operand A)
{
    struct task *t = task_create(run, TASK_SUMS, flip, 0, 1, &A);
    task_submit_with(t, (struct task_arguments){ .k = bit });
}
