#include "omp/tasks/low_rank_tiles.h"
#include "omp/kernels/truncation.h"
#include "omp/kernels/packed_tile.h"
#include "omp/kernels/workspace.h"

#include <string.h>

/* The shares of what an update may leave out: before it is added to a tile, and when it is truncated with the tile. */
static const double SHARE_OF_UPDATE = 0.25, SHARE_OF_TILE = 0.75;

bool has_low_rank(const struct task *t)
{
    for (int i = 0; i < t->count; i++)
        if (rank_of(&t->tile[i]) >= 0)
            return true;
    return false;
}

static size_t size_of(const struct task *t)
{
    return t->precision->size;
}

static int stack_height(const struct task_tile *T)
{
    return T->mb + T->nb;
}

/* U and V of a tile T of low rank such that op(T) = U V^H. */
struct factors {
    const char *U, *V;
    int ld, rank;
};

static struct factors factors_of(const struct task *t, const struct task_tile *T, enum trans trans)
{
    const char *upper = T->data, *lower = T->data + (size_t)T->mb * size_of(t);
    return (struct factors){ trans == NO_TRANS ? upper : lower, trans == NO_TRANS ? lower : upper, stack_height(T), rank_of(T) };
}

static void note_work(struct task *t, const struct low_rank_work *w)
{
    t->flops = w->flops * t->precision->flops_scale;
}

/* ---- the output ------------------------------------------------------------------------------------------------------------ */

/* Bound for what may be left out of the output now, since updates may follow in all steps before the tile is final. */
static double allowed(const struct task *t, const struct task_tile *C)
{
    int updates = (t->i < t->j ? t->i : t->j) - t->step;
    double left = C->traits.form->how->allowance - C->traits.form->left_out;
    return left > 0 ? left / (updates > 1 ? updates : 1) : 0;
}

/* Marks the tile as lost, for lack of memory; the run ends with that error. */
static void lose(struct task *t, const struct task_tile *C)
{
    C->traits.form->rank = C->traits.form->pending = 0;
    note_lost_tile(C->traits.form->how, t->i, t->j);
    task_no_memory(t);
}

/* Gives the tile this rank, and memory for so many bytes. False: the tile is lost. */
static bool take_form(struct task *t, struct low_rank_work *w, const struct task_tile *C, int rank, size_t bytes)
{
    if (!tile_grows(C->traits.form, bytes)) {
        lose(t, C);
        return false;
    }
    C->traits.form->rank = rank;
    C->traits.form->pending = 0;
    C->traits.form->left_out += w->left_out;
    return true;
}

static void become_dense(struct task *t, struct low_rank_work *w, const struct task_tile *C, const void *columns, int rank)
{
    size_t bytes = (size_t)stack_height(C) * (size_t)rank * size_of(t);
    char *copy = workspace_take(bytes);
    if (copy == NULL) {
        lose(t, C);
        return;
    }
    memcpy(copy, columns, bytes);
    if (take_form(t, w, C, TILE_DENSE, numbers_in(C) * size_of(t))) {
        t->precision->kernels->clear(C->mb, C->nb, C->data, C->mb);
        low_rank_expand(w, C->mb, C->nb, rank, copy, C->data, C->mb);
    }
    workspace_give(copy);
}

/* Stores the truncated columns as the tile: of low rank if its rank is small enough, else dense. */
static void settle(struct task *t, struct low_rank_work *w, const struct task_tile *C, const void *columns, int rank)
{
    size_t bytes = (size_t)stack_height(C) * (size_t)(rank > 0 ? rank : 0) * size_of(t);
    if (rank < 0)
        lose(t, C);
    else if (rank > largest_rank(C->traits.form->how, C->mb, C->nb))
        become_dense(t, w, C, columns, rank);
    else if (take_form(t, w, C, rank, bytes) && columns != C->data)
        memcpy(C->data, columns, bytes);
}

static void truncate_tile(struct task *t, struct low_rank_work *w, const struct task_tile *C, void *columns, int count,
                          double tolerance)
{
    settle(t, w, C, columns, low_rank_truncate(w, C->mb, C->nb, columns, count, tolerance));
}

/* The product X Y^H, X m x rank without the factor alpha, Y n x rank. */
struct product {
    const char *X, *Y;
    int ldx, ldy, rank;
};

static void put_columns(const struct task *t, const struct task_tile *C, const struct product *p, char *columns)
{
    const struct kernels *k = t->precision->kernels;
    int ld = stack_height(C);
    k->clear(C->mb, p->rank, columns, ld);
    k->add(C->mb, p->rank, t->with.alpha, p->X, p->ldx, columns, ld);
    k->copy_rows(C->nb, p->rank, NULL, p->Y, p->ldy, NULL, columns + (size_t)C->mb * size_of(t), ld);
}

/* Stores the product behind the tile's columns if there is room; else in memory where all columns are truncated. */
static void append(struct task *t, struct low_rank_work *w, const struct task_tile *C, const struct product *p)
{
    struct tile_form *form = C->traits.form;
    size_t column = (size_t)stack_height(C) * size_of(t), before = (size_t)form->rank * column;
    int count = form->rank + p->rank;
    if ((size_t)count * (size_t)stack_height(C) <= tile_room(form->how, C->mb, C->nb) &&
        tile_grows(form, (size_t)count * column)) {
        put_columns(t, C, p, C->data + before);
        form->rank = count;
        form->pending += p->rank;
        if (form->pending > LOW_RANK_PENDING && form->pending >= count - form->pending)
            truncate_tile(t, w, C, C->data, count, SHARE_OF_TILE * allowed(t, C));
        return;
    }
    char *columns = workspace_take((size_t)count * column);
    if (columns == NULL) {
        lose(t, C);
        return;
    }
    memcpy(columns, C->data, before);
    put_columns(t, C, p, columns + before);
    truncate_tile(t, w, C, columns, count, SHARE_OF_TILE * allowed(t, C));
    workspace_give(columns);
}

/* C += alpha X Y^H. */
static void add_product(struct task *t, struct low_rank_work *w, const struct product *p)
{
    const struct task_tile *C = &t->tile[2];
    if (p->rank == 0)
        return;
    if (rank_of(C) != TILE_DENSE) {
        append(t, w, C, p);
        return;
    }
    t->precision->kernels->gemm(NO_TRANS, CONJ_TRANS, C->mb, C->nb, p->rank, t->with.alpha, p->X, p->ldx, p->Y, p->ldy, C->data,
                                C->mb);
    w->flops += 2.0 * C->mb * C->nb * p->rank;
}

/* ---- C += alpha op(A) op(B) ------------------------------------------------------------------------------------------------ */

/* Y := op(T) Z for a dense tile T; Y is m x n, the inner dimension k. A packed T holds the rows of op(T). */
static void times_dense(const struct task *t, const struct task_tile *T, enum trans trans, int m, int n, int k, const void *Z,
                        int ldz, void *Y)
{
    t->precision->kernels->clear(m, n, Y, m);
    if (T->traits.packed)
        packed_kernels_of(t->precision->type)->gemm(m, n, k, 1, T->data, Z, ldz, Y, m);
    else
        t->precision->kernels->gemm(trans, NO_TRANS, m, n, k, 1, T->data, T->mb, Z, ldz, Y, m);
}

/* op(A) = U V^H: U (op(B)^H V)^H. */
static void low_rank_by_dense(struct task *t, struct low_rank_work *w)
{
    const struct task_tile *B = &t->tile[1], *C = &t->tile[2];
    struct factors a = factors_of(t, &t->tile[0], t->with.transa);
    char *Y = workspace_take((size_t)C->nb * (size_t)a.rank * size_of(t) + 1);
    if (Y == NULL) {
        task_no_memory(t);
        return;
    }
    times_dense(t, B, other_trans(t->with.transb), C->nb, a.rank, t->with.k, a.V, a.ld, Y);
    w->flops += 2.0 * C->nb * a.rank * t->with.k;
    add_product(t, w, &(struct product){ a.U, Y, a.ld, C->nb, a.rank });
    workspace_give(Y);
}

/* op(B) = U V^H: (op(A) U) V^H. */
static void dense_by_low_rank(struct task *t, struct low_rank_work *w)
{
    const struct task_tile *A = &t->tile[0], *C = &t->tile[2];
    struct factors b = factors_of(t, &t->tile[1], t->with.transb);
    char *X = workspace_take((size_t)C->mb * (size_t)b.rank * size_of(t) + 1);
    if (X == NULL) {
        task_no_memory(t);
        return;
    }
    times_dense(t, A, t->with.transa, C->mb, b.rank, t->with.k, b.U, b.ld, X);
    w->flops += 2.0 * C->mb * b.rank * t->with.k;
    add_product(t, w, &(struct product){ X, b.V, C->mb, b.ld, b.rank });
    workspace_give(X);
}

/* Adds X K Y^H with orthonormal X and Y. K has the norm of the product, so the small part of K is left out. */
static void add_reduced(struct task *t, struct low_rank_work *w, const struct factors *a, const struct factors *b, char *K)
{
    const struct task_tile *C = &t->tile[2];
    const struct kernels *k = t->precision->kernels;
    int most = a->rank < b->rank ? a->rank : b->rank;
    size_t size = size_of(t), z = (size_t)a->rank * (size_t)most, r = (size_t)most * (size_t)b->rank;
    char *Z = workspace_take((z + r + (size_t)(C->mb + C->nb) * (size_t)most) * size);
    if (Z == NULL) {
        task_no_memory(t);
        return;
    }
    char *R = Z + z * size, *X = R + r * size, *Y = X + (size_t)C->mb * (size_t)most * size;
    int rank = low_rank_reduce(w, a->rank, b->rank, K, SHARE_OF_UPDATE * allowed(t, C), Z, R);
    if (rank > 0) {
        C->traits.form->left_out += w->left_out;
        k->clear(C->mb, rank, X, C->mb);
        k->gemm(NO_TRANS, NO_TRANS, C->mb, rank, a->rank, 1, a->U, a->ld, Z, a->rank, X, C->mb);
        k->clear(C->nb, rank, Y, C->nb);
        k->gemm(NO_TRANS, CONJ_TRANS, C->nb, rank, b->rank, 1, b->V, b->ld, R, most, Y, C->nb);
        w->flops += 2.0 * rank * ((double)C->mb * a->rank + (double)C->nb * b->rank);
        add_product(t, w, &(struct product){ X, Y, C->mb, C->nb, rank });
    } else if (rank == 0) {
        C->traits.form->left_out += w->left_out;
    } else {
        task_no_memory(t);
    }
    workspace_give(Z);
}

/* Adds all of X K Y^H, as (X K) Y^H or X (Y K^H)^H, whichever has fewer columns. */
static void add_full(struct task *t, struct low_rank_work *w, const struct factors *a, const struct factors *b, const char *K)
{
    const struct task_tile *C = &t->tile[2];
    const struct kernels *k = t->precision->kernels;
    bool left = b->rank <= a->rank;
    int rows = left ? C->mb : C->nb, rank = left ? b->rank : a->rank;
    char *W = workspace_take((size_t)rows * (size_t)rank * size_of(t));
    if (W == NULL) {
        task_no_memory(t);
        return;
    }
    k->clear(rows, rank, W, rows);
    k->gemm(NO_TRANS, left ? NO_TRANS : CONJ_TRANS, rows, rank, left ? a->rank : b->rank, 1, left ? a->U : b->V,
            left ? a->ld : b->ld, K, a->rank, W, rows);
    w->flops += 2.0 * rows * a->rank * b->rank;
    add_product(t, w, &(struct product){ left ? W : a->U, left ? b->V : W, left ? rows : a->ld, left ? b->ld : rows, rank });
    workspace_give(W);
}

static void low_rank_by_low_rank(struct task *t, struct low_rank_work *w)
{
    const struct task_tile *C = &t->tile[2];
    struct factors a = factors_of(t, &t->tile[0], t->with.transa), b = factors_of(t, &t->tile[1], t->with.transb);
    if (a.rank == 0 || b.rank == 0)
        return;
    char *K = workspace_take((size_t)a.rank * (size_t)b.rank * size_of(t));
    if (K == NULL) {
        task_no_memory(t);
        return;
    }
    t->precision->kernels->clear(a.rank, b.rank, K, a.rank);
    t->precision->kernels->gemm(CONJ_TRANS, NO_TRANS, a.rank, b.rank, t->with.k, 1, a.V, a.ld, b.U, b.ld, K, a.rank);
    w->flops += 2.0 * a.rank * b.rank * t->with.k;
    if (rank_of(C) != TILE_DENSE)
        add_reduced(t, w, &a, &b, K);
    else
        add_full(t, w, &a, &b, K);
    workspace_give(K);
}

/* A and B are dense, and C is not: the sum is compressed again, and becomes dense if its rank is too large. */
static void dense_by_dense(struct task *t, struct low_rank_work *w)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1], *C = &t->tile[2];
    const struct kernels *k = t->precision->kernels;
    int most = largest_rank(C->traits.form->how, C->mb, C->nb);
    size_t all = (size_t)C->mb * (size_t)C->nb * size_of(t), column = (size_t)stack_height(C) * size_of(t);
    char *sum = workspace_take(2 * all), *columns = workspace_take((size_t)(most + LOW_RANK_BLOCK) * column);
    if (sum != NULL && columns != NULL) {
        k->clear(C->mb, C->nb, sum, C->mb);
        low_rank_expand(w, C->mb, C->nb, rank_of(C), C->data, sum, C->mb);
        if (A->traits.packed)
            packed_kernels_of(t->precision->type)->gemm(C->mb, C->nb, t->with.k, t->with.alpha, A->data, B->data,
                                                        B->traits.packed ? 0 : B->mb, sum, C->mb);
        else
            k->gemm(t->with.transa, t->with.transb, C->mb, C->nb, t->with.k, t->with.alpha, A->data, A->mb, B->data, B->mb, sum,
                    C->mb);
        w->flops += 2.0 * C->mb * C->nb * t->with.k;
        memcpy(sum + all, sum, all);
        int rank = low_rank_compress(w, C->mb, C->nb, sum + all, SHARE_OF_TILE * allowed(t, C), most, columns);
        if (rank == LOW_RANK_NONE) {
            w->left_out = 0;
            if (take_form(t, w, C, TILE_DENSE, all))
                memcpy(C->data, sum, all);
        } else {
            settle(t, w, C, columns, rank);
        }
    } else {
        task_no_memory(t);
    }
    workspace_give(columns);
    workspace_give(sum);
}

void low_rank_gemm(struct task *t)
{
    struct low_rank_work w = { .precision = t->precision };
    bool a = rank_of(&t->tile[0]) != TILE_DENSE, b = rank_of(&t->tile[1]) != TILE_DENSE;
    if (a && b)
        low_rank_by_low_rank(t, &w);
    else if (a)
        low_rank_by_dense(t, &w);
    else if (b)
        dense_by_low_rank(t, &w);
    else
        dense_by_dense(t, &w);
    note_work(t, &w);
}

/* ---- the others ------------------------------------------------------------------------------------------------------------ */

void low_rank_herk_task(struct task *t)
{
    const struct task_tile *C = &t->tile[1];
    struct low_rank_work w = { .precision = t->precision };
    struct factors a = factors_of(t, &t->tile[0], t->with.transa);
    if (low_rank_herk(&w, t->with.uplo, C->nb, t->with.k, a.rank, t->with.alpha, a.U, a.V, a.ld, C->data, C->mb) != 0)
        task_no_memory(t);
    note_work(t, &w);
}

/* From the right U V^H op(A)^-1 = U (op(A)^-H V)^H, from the left (op(A)^-1 U) V^H. Returns whether the tile is solved. */
bool low_rank_trsm(struct task *t)
{
    const struct task_tile *A = &t->tile[0], *B = &t->tile[1];
    struct low_rank_work w = { .precision = t->precision };
    bool left = t->with.side == LEFT;
    if (B->traits.form->pending > 0)
        truncate_tile(t, &w, B, B->data, B->traits.form->rank, allowed(t, B));
    if (left && B->traits.form->rank > 0) {
        int rank = low_rank_lean_right(&w, B->mb, B->nb, B->data, B->traits.form->rank);
        if (rank < 0)
            task_no_memory(t);
        else
            B->traits.form->rank = rank;
    }
    int rank = B->traits.form->rank, rows = left ? B->mb : B->nb;
    double solve = rank > 0 ? (double)rows * rows * rank : 0;
    if (rank == TILE_DENSE)
        solve = t->flops / t->precision->flops_scale;
    else if (rank > 0)
        t->precision->kernels->trsm(LEFT, t->with.uplo, left ? t->with.transa : other_trans(t->with.transa), t->with.diag, rows,
                                    rank, A->data, A->mb, B->data + (left ? 0 : (size_t)B->mb * size_of(t)), stack_height(B));
    w.flops += solve;
    note_work(t, &w);
    return rank != TILE_DENSE;
}
