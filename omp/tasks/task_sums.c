/*
 * Tiles with sums. Behind a tile's own columns, m x n in memory, lie
 *
 *     S       m x 3        as long as it is updated: its row sums
 *     V       k x 3        when it is a final factor of the updates: sums of it as their right factor,
 *                          U W of LU's, k = m, and L^H W of Cholesky's, k columns of L;
 *                          of a packed L V^H, as three more rows of it
 *     norms   2 elements   at the end: then too; by these one knows how large what it is a factor of may have been
 *
 * so they travel with it. All of this is done on the host, where a tile that lives elsewhere comes for it.
 */
#include "omp/kernels/packed_tile.h"
#include "omp/kernels/workspace.h"
#include "omp/kernels/signed_block.h"
#include "omp/tasks/task_places.h"

#include <math.h>

static void *sums_of(const struct task *t, const struct task_tile *A)
{
    return sums_behind(A->data, A->mb, A->nb, t->precision->size);
}

/* The last elements of the tile's place. */
static char *norm_at(const struct task *t, const struct task_tile *A, int which)
{
    size_t end = (size_t)A->mb * (size_t)(A->nb + columns_of_sums(A->mb, A->nb));
    return A->data + (end - NORMS + (size_t)which) * t->precision->size;
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

/* ---- looks ------------------------------------------------------------------------------------------------------------- */

/* By the step that makes the tile final, also where it is looked at before: behind a failing pivot it is no matter of bits. */
static void note(const struct task *t, const struct tile_finding *finding)
{
    struct watch *watch = t->with.watched->watch;
    struct sighting *step = &watch->step[t->i < t->j ? t->i : t->j];
    atomic_fetch_add(&step->found, finding->found);
    atomic_fetch_add(&step->corrected, finding->corrected);
    if (!finding->lost)
        return;
    step->lost = ((int64_t)t->i << 32) + t->j + 1;
    atomic_store(&watch->lost, true);
}

/* Elements are a_ij less products of rows of one factor and columns of the other, whose norms are the scales (Cauchy, Schwarz);
   or they are like those of the rows of U above. */
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

static void check(struct task *t)
{
    const struct task_tile *A = &t->tile[t->count - 1];
    const struct watched *w = t->with.watched;
    struct tile_finding finding;
    struct summed_tile tile = { .precision = t->precision, .widest = w->watch->widest, .m = A->mb, .n = A->nb, .A = A->data,
                                .S = sums_of(t, A), .part = t->with.uplo, .symmetric = t->with.first, .depth = w->depth,
                                .past = past_of(t) };
    if (tile_repair(&tile, &finding) != 0)
        task_no_memory(t);
    else if (finding.found > 0)
        note(t, &finding);
}

void task_check_sums(struct run *run, struct watched *w, int scales, const struct operand *scale, bool triangle,
                     struct operand A)
{
    struct operand operands[TASK_OPERANDS];
    for (int i = 0; i < scales; i++)
        operands[i] = scale[i];
    operands[scales] = A;
    struct task *t = task_create(run, TASK_SUMS, check, 0, scales + 1, operands);
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .watched = w, .uplo = triangle ? uplo_in_memory(&A, LOWER) : GENERAL,
                                       .first = A.symmetric };
    task_submit(t);
}

/* ---- sums as right factors --------------------------------------------------------------------------------------------- */

static struct tile_scale add_up_row(const struct task *t)
{
    const struct task_tile *U = &t->tile[0];
    return tile_sums(t->precision, t->with.watched->watch->widest, U->mb, U->nb, U->data, U->mb, sums_of(t, U));
}

static void sums_of_row(struct task *t)
{
    put_norms(t, &t->tile[0], add_up_row(t));
}

static void submit_final(struct run *run, void (*compute)(struct task *), struct watched *w, struct operand A)
{
    struct task *t = task_create(run, TASK_SUMS, compute, 0, 1, &A);
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .watched = w, .transa = trans_in_memory(&A, CONJ_TRANS) };
    task_submit(t);
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
    add_up_row(t);
    if (column_norm(t->precision, U->mb, U->nb, U->data, &norm) != 0)
        task_no_memory(t);
    else
        put_norms(t, U, (struct tile_scale){ norm, norm_of_sums(t, U->mb, sums_of(t, U)) });
}

void task_sums_of_row(struct run *run, struct watched *w, bool norms, struct operand U)
{
    submit_final(run, norms ? sums_of_right : sums_of_row, w, U);
}

/* V = L^H W; of a mirrored tile memory has L^H. */
static void sums_of_columns(struct task *t, const struct task_tile *L)
{
    const struct precision *p = t->precision;
    bool mirrored = t->with.transa == NO_TRANS;
    int rows = mirrored ? L->nb : L->mb, k = mirrored ? L->mb : L->nb;
    void *V = sums_of(t, L), *W = workspace_take((size_t)rows * SUMS * p->size);
    double norm;
    if (W == NULL || (mirrored ? column_norm(p, k, rows, L->data, &norm) : row_norm(p, rows, k, L->data, &norm)) != 0) {
        task_no_memory(t);
        workspace_give(W);
        return;
    }
    tile_weights(p, t->with.watched->watch->widest, rows, W);
    t->kernels->clear(k, SUMS, V, k);
    t->kernels->gemm(t->with.transa, NO_TRANS, k, SUMS, rows, 1, L->data, L->mb, W, rows, V, k);
    workspace_give(W);
    put_norms(t, L, (struct tile_scale){ norm, norm_of_sums(t, k, V) });
}

static void sums_of_factor(struct task *t)
{
    const struct task_tile *L = &t->tile[0];
    bool mirrored = t->with.transa == NO_TRANS;
    int rows = mirrored ? L->nb : L->mb, k = mirrored ? L->mb : L->nb;
    if (L->traits.packed)
        put_norms(t, L, packed_sums(t->precision, t->with.watched->watch->widest, rows, k, L->data, sums_of(t, L)));
    else
        sums_of_columns(t, L);
}

void task_sums_of_factor(struct run *run, struct watched *w, struct operand L)
{
    submit_final(run, sums_of_factor, w, L);
}

/* Before C: what it reads is needed next, too. */
void update_sums(const struct task *t, const struct task_tile *B)
{
    const struct task_tile *A = &t->tile[0], *C = &t->tile[t->count - 1];
    const void *V = sums_of(t, B);
    void *S = sums_of(t, C);
    int k = t->with.k;
    if (A->traits.packed)
        packed_kernels_of(t->precision->type)->gemm(C->mb, SUMS, k, t->with.alpha, A->data, V, 0, S, C->mb);
    else
        t->kernels->gemm(t->with.transa, NO_TRANS, C->mb, SUMS, k, t->with.alpha, A->data, A->mb, V, k, S, C->mb);
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
    struct task *t = task_create(run, TASK_SUMS, compute, 0, 2, (struct operand[]){ A, scale });
    if (t != NULL)
        task_submit(t);
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
    size_t middle = (size_t)(A->mb / 2) + (size_t)(A->nb / 2) * (size_t)A->mb;
    A->data[middle * t->precision->size + (size_t)(t->with.k / BITS)] ^= (char)(1 << t->with.k % BITS);
}

void task_flip(struct run *run, int bit, struct operand A)
{
    struct task *t = task_create(run, TASK_SUMS, flip, 0, 1, &A);
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .k = bit };
    task_submit(t);
}
