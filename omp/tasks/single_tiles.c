#include "omp/tasks/single_tiles.h"
#include "omp/kernels/rounding.h"
#include "omp/kernels/truncation.h"
#include "omp/kernels/workspace.h"
#include "omp/packing.h"
#include "omp/tasks/bf16_tiles.h"
#include "omp/tasks/task_places.h"

#include <math.h>
#include <string.h>

/* The share of the bound for squares that updates may use; the rest is for the solve. */
static const double SHARE_OF_UPDATES = 0.5;

/* The largest norm for which a task computes in single: products and sums of such numbers do not overflow. */
static const double LARGEST = 0x1p120;

bool has_single(const struct task *t)
{
    for (int i = 0; i < t->count; i++)
        if (rank_of(&t->tile[i]) <= TILE_SINGLE)
            return true;
    return false;
}

static const struct task_tile *output(const struct task *t)
{
    return &t->tile[t->count - 1];
}

/* ---- bounds for roundings ---------------------------------------------------------------------------------------------- */

/* The square of the error of `count` consecutive roundings of numbers with this norm. */
static double roundings(const struct task *t, double count, double norm)
{
    double u = single_of(t)->eps * norm;
    return count / 3 * u * u;
}

/* Real operations for each number of an inner product of k elements. */
static double terms(const struct task *t, int k)
{
    return (double)reals_of(t->precision) * k;
}

double single_allowed(const struct task *t)
{
    const struct tile_form *form = output(t)->traits.form;
    int updates = (t->i < t->j ? t->i : t->j) - t->step;
    double left = SHARE_OF_UPDATES * form->how->roundings - form->rounded;
    return left > 0 ? left / (updates > 1 ? updates : 1) : 0;
}

static double norm_of(const struct task *t, const struct task_tile *T)
{
    _Atomic double *known = task_norm_of(T);
    double norm = atomic_load_explicit(known, memory_order_relaxed);
    if (norm == 0 && T->found != NULL) {
        norm = sqrt(T->found[0]);
        atomic_store_explicit(known, norm, memory_order_relaxed);
    } else if (norm == 0) {     /* the order of a packed tile's numbers does not matter */
        norm = tile_norm(precision_in(t, T), T->mb, T->nb, T->data);
        atomic_store_explicit(known, norm, memory_order_relaxed);
    }
    return norm;
}

void set_norm(const struct task_tile *C, double norm)
{
    atomic_store_explicit(&C->traits.form->norm, norm, memory_order_relaxed);
}

/* The square of the error when C, which was in single, is rounded again after a product of norm `added`. The norm of the sum
   is at most `norm`. */
static double rounding_of_sum(const struct task *t, double norm, double added)
{
    return fmin(roundings(t, 1, norm), added * added);
}

/* ---- tiles in one precision and in the other --------------------------------------------------------------------------- */

/* A factor in this precision: the tile itself, or a copy in *copy. NULL: no memory. */
static const char *factor_in(const struct task *t, const struct precision *p, const struct task_tile *T, int m, int n,
                             char **copy)
{
    const struct precision *has = precision_in(t, T);
    *copy = NULL;
    if (has->type == p->type)
        return T->data;
    *copy = workspace_take((size_t)m * (size_t)n * p->size);
    if (*copy != NULL)
        tile_in_precision(T->traits.packed, m, n, has, T->data, p, *copy);
    return *copy;
}

/* The rows of op(T), an m x k factor, in strips if T is packed. A mirrored tile is T^H. */
static const char *rows_in(const struct task *t, const struct precision *p, const struct task_tile *T, int m, char **copy)
{
    return T->traits.packed ? factor_in(t, p, T, m, t->with.k, copy) : factor_in(t, p, T, T->mb, T->nb, copy);
}

/* C += alpha op(A) op(B), or on a triangle C += alpha op(A) op(A)^H, all in one precision; C is stored without gaps. */
static void multiply(const struct task *t, const struct precision *p, const char *A, const char *B, char *C)
{
    const struct task_tile *a = &t->tile[0], *b = &t->tile[1], *c = output(t);
    const struct task_arguments *with = &t->with;
    const struct packed_kernels *packed = packed_kernels_of(p->type);
    if (t->count == 2 && a->traits.packed)
        packed->herk(with->uplo, c->nb, with->k, A, C, c->mb);
    else if (t->count == 2)
        p->kernels->herk(with->uplo, with->transa, c->nb, with->k, with->alpha, A, a->mb, C, c->mb);
    else if (a->traits.packed)
        packed->gemm(c->mb, c->nb, with->k, with->alpha, A, B, b->traits.packed ? 0 : b->mb, C, c->mb);
    else
        p->kernels->gemm(with->transa, with->transb, c->mb, c->nb, with->k, with->alpha, A, a->mb, B, b->mb, C, c->mb);
}

/* Adds the product to C, which has this precision. False: no memory. */
static bool add_product(struct task *t, const struct precision *p, char *C)
{
    bool in_bf16 = p == single_of(t) && may_multiply_bf16(t), copied = !in_bf16 || t->with.sums;
    char *copy_a = NULL, *copy_b = NULL;
    const char *A = copied ? rows_in(t, p, &t->tile[0], output(t)->mb, &copy_a) : t->tile[0].data;
    const char *B = t->count == 2 || in_bf16 ? A : rows_in(t, p, &t->tile[1], output(t)->nb, &copy_b);
    bool made = A != NULL && B != NULL && (!t->with.sums || update_sums_in(t, p, A, &t->tile[t->count - 2]));
    if (!made)
        task_no_memory(t);
    else if (in_bf16)
        multiply_bf16(t, C);
    else
        multiply(t, p, A, B, C);
    workspace_give(copy_b);
    workspace_give(copy_a);
    return made;
}

/* ---- the output -------------------------------------------------------------------------------------------------------- */

/* Gives the tile double precision, with these elements. */
static void widen(struct task *t, const struct task_tile *C, const void *data)
{
    if (!tile_widens(t, C, IN_DOUBLE))
        return;
    memcpy(C->data, data, numbers_in(C) * t->precision->size);
    set_norm(C, 0);
}

/* Stores these m x n numbers of precision p as the tile in single, whose errors grow by `added`. */
static void settle(struct task *t, const struct task_tile *C, const struct precision *p, int m, int n, const void *data,
                   double norm, double added)
{
    tile_in_precision(C->traits.packed, m, n, p, data, single_of(t), C->data);
    C->traits.form->rounded += added;
    set_norm(C, norm);
}

/* ---- C += alpha op(A) op(B) -------------------------------------------------------------------------------------------- */

/* Computes the update in double. A C in single is copied for it. */
static void update_in_double(struct task *t, double added)
{
    const struct task_tile *C = output(t);
    if (rank_of(C) != TILE_SINGLE) {
        add_product(t, t->precision, C->data);
        return;
    }
    char *sum = workspace_take(numbers_in(C) * t->precision->size);
    if (sum == NULL) {
        task_no_memory(t);
        return;
    }
    tile_in_precision(false, C->mb, C->nb, single_of(t), C->data, t->precision, sum);
    if (add_product(t, t->precision, sum)) {
        double norm = frobenius_norm(t->precision, GENERAL, C->mb, C->nb, sum, C->mb), rounded = rounding_of_sum(t, norm, added);
        if (norm <= LARGEST && rounded <= single_allowed(t))
            settle(t, C, t->precision, C->mb, C->nb, sum, norm, rounded);
        else
            widen(t, C, sum);
    }
    workspace_give(sum);
}

/* Computes the update in single. For a C in double the product is computed apart and then added. */
static void update_in_single(struct task *t, double rounded)
{
    const struct task_tile *C = output(t);
    const struct precision *p = single_of(t);
    bool apart = rank_of(C) != TILE_SINGLE;
    char *sum = apart ? workspace_take(numbers_in(C) * p->size) : C->data;
    if (sum == NULL) {
        task_no_memory(t);
        return;
    }
    if (apart)
        memset(sum, 0, numbers_in(C) * p->size);
    if (add_product(t, p, sum) && apart)
        add_single_tile(t->precision, C->mb, C->nb, sum, C->data);
    C->traits.form->rounded += rounded;
    if (apart)
        workspace_give(sum);
}

/* |A| |B|, or |A|^2 for herk. Infinity if a factor or the product exceeds LARGEST. */
static double norm_added(const struct task *t)
{
    double a = norm_of(t, &t->tile[0]), b = t->count == 2 ? a : norm_of(t, &t->tile[1]), all = fabs(t->with.alpha) * a * b;
    return fmax(a, b) <= LARGEST && all <= LARGEST ? all : INFINITY;
}

struct update_errors errors_of_update(const struct task *t, double norm)
{
    double added = norm_added(t), rounded = roundings(t, terms(t, t->with.k) + 2, added);
    if (rank_of(output(t)) == TILE_SINGLE)
        rounded += rounding_of_sum(t, norm + added, added);
    return (struct update_errors){ added, norm + added, rounded };
}

bool update_fits(const struct task *t, const struct update_errors *errors)
{
    return errors->norm <= LARGEST && errors->rounded <= single_allowed(t);
}

static void update(struct task *t)
{
    const struct task_tile *C = output(t);
    struct tile_form *form = C->traits.form;
    if (form == NULL || form->how->rounding == 0) {
        update_in_double(t, INFINITY);
        return;
    }
    bool single = rank_of(C) == TILE_SINGLE;
    double norm = single ? atomic_load_explicit(&form->norm, memory_order_relaxed) : 0;
    struct update_errors errors = errors_of_update(t, norm);
    if (single && !update_fits(t, &errors))     /* the stored norm is only a bound, which grows with each update */
        errors = errors_of_update(t, frobenius_norm(single_of(t), GENERAL, C->mb, C->nb, C->data, C->mb));
    if (update_fits(t, &errors)) {
        update_in_single(t, errors.rounded);
        if (single)
            set_norm(C, errors.norm);
    } else {
        update_in_double(t, errors.added);
    }
}

void single_gemm(struct task *t)
{
    if (open_bf16(t, output(t)))
        update(t);
}

void single_herk(struct task *t)
{
    single_gemm(t);
}

/* ---- X op(T) = B, op(T) X = B ------------------------------------------------------------------------------------------ */

/* X := the solution for B in this precision, packed if B is to be packed. False: no memory. */
static bool solve(struct task *t, const struct precision *p, char *X)
{
    const struct task_tile *T = &t->tile[0], *B = &t->tile[1];
    const struct task_arguments *with = &t->with;
    char *copy = NULL;
    tile_in_precision(false, B->mb, B->nb, precision_in(t, B), B->data, p, X);
    const char *triangle = factor_in(t, p, T, T->mb, T->nb, &copy);
    bool solved = triangle != NULL;
    if (solved && B->traits.packed)
        solved = packed_trsm(p, with->side, with->transa, with->diag, B->mb, B->nb, triangle, T->mb, X, B->mb, true) == 0;
    else if (solved)
        p->kernels->trsm(with->side, with->uplo, with->transa, with->diag, B->mb, B->nb, triangle, T->mb, X, B->mb);
    workspace_give(copy);
    if (!solved)
        task_no_memory(t);
    return solved;
}

/* Whether the solution is packed as X^H. */
static bool is_turned(const struct task *t)
{
    return output(t)->traits.packed && t->with.side == LEFT;
}

bool solution_fits(const struct task *t, double steps, double norm, double triangle, double *rounded)
{
    const struct tile_form *form = output(t)->traits.form;
    *rounded = roundings(t, steps, norm * triangle);
    return norm <= LARGEST && triangle <= LARGEST && *rounded <= form->how->roundings - form->rounded;
}

/* Stores the solution X, of this precision, as the tile in single if its errors are within the bound. */
static bool fits(struct task *t, const struct precision *p, const char *X, double steps, double triangle)
{
    const struct task_tile *B = output(t);
    bool turned = is_turned(t);
    double norm = frobenius_norm(p, GENERAL, B->mb, B->nb, X, B->mb), rounded;
    if (!solution_fits(t, steps, norm, triangle, &rounded))
        return false;
    settle(t, B, p, turned ? B->nb : B->mb, turned ? B->mb : B->nb, X, norm, rounded);
    return true;
}

/* Solves in single. If the error may be too large, solves in double and rounds. If that error is too large, too, the tile
   becomes double. */
void single_trsm(struct task *t)
{
    const struct task_tile *T = &t->tile[0], *B = &t->tile[1];
    int order = t->with.side == LEFT ? B->mb : B->nb;
    bool turned = is_turned(t);
    double triangle = triangle_norm2_bound(t->precision, t->with.uplo, t->with.diag, order, T->data, T->mb);
    if (!open_bf16(t, B))
        return;
    char *X = workspace_take(numbers_in(B) * t->precision->size);
    if (X == NULL) {
        task_no_memory(t);
        return;
    }
    bool solved = solve(t, single_of(t), X);
    if (solved && !fits(t, single_of(t), X, terms(t, order) + 3, triangle)) {
        solved = solve(t, t->precision, X);
        if (solved && !fits(t, t->precision, X, 1, triangle))
            widen(t, B, X);
    }
    if (solved)
        close_bf16(t, B, turned ? B->nb : B->mb, turned ? B->mb : B->nb, triangle);
    if (solved && B->traits.packed)
        task_has_packed(t, 1, t->with.side == LEFT ? CONJ_TRANS : NO_TRANS);
    workspace_give(X);
}
