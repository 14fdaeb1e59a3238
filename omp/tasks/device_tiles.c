#include "omp/tasks/device_tiles.h"
#include "omp/tasks/single_tiles.h"
#include "omp/tasks/task_places.h"

#include <math.h>

enum { OF_SOLUTION, OF_TRIANGLE, OF_CHANGE, FINDS };    /* found: sums of squares; of the change by rounding to bfloat16 */

static const struct task_tile *output(const struct task *t)
{
    return &t->tile[t->count - 1];
}

/* Norms of tiles in bfloat16 are at most this. */
static const double LARGEST_IN_BF16 = 0x1p120;

/* ---- memory of the lane ---------------------------------------------------------------------------------------------------- */

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static char *take(char **room, size_t bytes)
{
    char *piece = *room;
    *room += aligned(bytes);
    return piece;
}

static size_t bytes_in(const struct precision *p, const struct task_tile *T)
{
    return aligned(numbers_in(T) * p->size);
}

/* ---- tiles in one precision and in the other ------------------------------------------------------------------------------- */

/* Real numbers of the tile, or parts of complex ones. */
static size_t reals_in(const struct task *t, const struct task_tile *T)
{
    return numbers_in(T) * t->precision->size / sizeof(double);
}

/* The tile in single, if it is in bfloat16: a copy. */
static const char *unless_bf16(const struct task *t, const struct task_tile *T, char **room)
{
    if (rank_of(T) != TILE_BF16)
        return T->data;
    char *copy = take(room, numbers_in(T) * single_of(t)->size);
    task_bf16_kernels(t)->widen(reals_in(t, T), T->data, (float *)copy);
    return copy;
}

/* The tile in this precision, single or double: the tile itself, or a copy, which may need another copy in single. */
static const char *tile_in(const struct task *t, const struct precision *p, const struct task_tile *T, char **room)
{
    const char *numbers = unless_bf16(t, T, room);
    const struct precision *has = rank_of(T) == TILE_DENSE ? t->precision : single_of(t);
    if (has == p)
        return numbers;
    char *copy = take(room, numbers_in(T) * p->size);
    task_kernels_of(t, p->type)->from_other(T->mb, T->nb, numbers, T->mb, copy, T->mb);
    return copy;
}

/* Converts a tile of another precision to this one, single or double, in its place. */
static void convert(const struct task *t, const struct task_tile *T, const struct precision *p, char *room)
{
    const char *copy = tile_in(t, p, T, &room);
    task_kernels_of(t, p->type)->copy_rows(T->mb, T->nb, NULL, copy, T->mb, NULL, T->data, T->mb);
}

/* Bytes of room for a tile in double, and in single before. */
static size_t convert_bytes(const struct task *t, const struct task_tile *T)
{
    return bytes_in(t->precision, T) + bytes_in(single_of(t), T);
}

/* The tile has this precision from now on, also on the host when it gets there. */
static void becomes(struct task *t, const struct task_tile *C, const struct precision *p, int rank)
{
    if (!tile_grows(C->traits.form, numbers_in(C) * p->size)) {
        note_lost_tile(C->traits.form->how, t->i, t->j);
        task_no_memory(t);
    }
    C->traits.form->rank = rank;
}

/* ---- updates --------------------------------------------------------------------------------------------------------------- */

static void multiply(const struct task *t, const struct precision *p, const char *A, const char *B, char *C)
{
    const struct task_tile *a = &t->tile[0], *b = &t->tile[1], *c = output(t);
    const struct task_arguments *with = &t->with;
    const struct kernels *k = task_kernels_of(t, p->type);
    if (t->count == 2)
        k->herk(with->uplo, with->transa, c->nb, with->k, with->alpha, A, a->mb, C, c->mb);
    else
        k->gemm(with->transa, with->transb, c->mb, c->nb, with->k, with->alpha, A, a->mb, B, b->mb, C, c->mb);
}

/* Adds the product in this precision to C. */
static void add_product(const struct task *t, const struct precision *p, char *C, char *room)
{
    const char *A = tile_in(t, p, &t->tile[0], &room), *B = t->count == 2 ? A : tile_in(t, p, &t->tile[1], &room);
    multiply(t, p, A, B, C);
}

/* Adds the product of factors in bfloat16 to C, in single. */
static void add_bf16_product(const struct task *t, char *C)
{
    const struct task_tile *a = &t->tile[0], *b = &t->tile[1], *c = output(t);
    const struct task_arguments *with = &t->with;
    task_bf16_kernels(t)->gemm(with->transa, with->transb, c->mb, c->nb, with->k, with->alpha, a->data, a->mb, b->data, b->mb,
                               (float *)C, c->mb);
}

static size_t factors_bytes(const struct task *t)
{
    return convert_bytes(t, &t->tile[0]) + (t->count == 2 ? 0 : convert_bytes(t, &t->tile[1]));
}

static void update_in_double(struct task *t)
{
    const struct task_tile *C = output(t);
    char *room = task_scratch(t, factors_bytes(t) + convert_bytes(t, C));
    if (room == NULL)
        return;
    if (rank_of(C) == TILE_SINGLE) {
        convert(t, C, t->precision, room);
        becomes(t, C, t->precision, TILE_DENSE);
    }
    add_product(t, t->precision, C->data, room);
}

/* For a C in double the product is computed apart and then added. */
static void update_in_single(struct task *t, bool by_bf16)
{
    const struct task_tile *C = output(t);
    const struct precision *p = single_of(t);
    bool apart = rank_of(C) == TILE_DENSE;
    char *room = task_scratch(t, factors_bytes(t) + convert_bytes(t, C));
    t->is_narrow = true;
    if (room == NULL)
        return;
    char *single = apart ? take(&room, numbers_in(C) * p->size) : C->data;
    if (apart)
        task_kernels_of(t, p->type)->clear(C->mb, C->nb, single, C->mb);
    char *sum = apart ? take(&room, numbers_in(C) * t->precision->size) : NULL;
    if (by_bf16)
        add_bf16_product(t, single);
    else
        add_product(t, p, single, room);
    if (!apart)
        return;
    t->kernels->from_other(C->mb, C->nb, single, C->mb, sum, C->mb);
    t->kernels->add(C->mb, C->nb, 1, sum, C->mb, C->data, C->mb);
}

/*
 * Whether the device multiplies the factors, which are in bfloat16, and the errors of that fit, too. Tensor cores add blocks of
 * products to a sum and cut the sum off (Blanchard, Higham, Lopez, Mary, Pranesh, "Mixed precision block fused multiply-add",
 * SIAM J. Sci. Comput. 42, 2020): at most 2 u for each block of at least 4 products, always towards zero, so errors add up.
 */
static bool may_multiply_bf16(const struct task *t, struct update_errors *errors)
{
    enum { BLOCK = 4 };
    struct update_errors cut = *errors;
    double blocks = (double)t->with.k / BLOCK + 2, error = 2 * single_of(t)->eps * blocks * errors->added;
    if (t->count == 2 || t->precision->flops_scale != 1 || task_bf16_kernels(t)->gemm == NULL)
        return false;
    for (int i = 0; i < t->count - 1; i++)
        if (rank_of(&t->tile[i]) != TILE_BF16)
            return false;
    cut.rounded += error * error;
    if (!update_fits(t, &cut))
        return false;
    *errors = cut;
    return true;
}

/* An output in bfloat16 is in single from its first update on. */
static void open_output(struct task *t)
{
    const struct task_tile *C = output(t);
    char *room = task_scratch(t, convert_bytes(t, C));
    if (room == NULL)
        return;
    convert(t, C, single_of(t), room);
    becomes(t, C, single_of(t), TILE_SINGLE);
}

void device_update(struct task *t)
{
    const struct task_tile *C = output(t);
    struct tile_form *form = C->traits.form;
    if (rank_of(C) == TILE_BF16)
        open_output(t);
    bool single = rank_of(C) == TILE_SINGLE;
    struct update_errors errors = errors_of_update(t, single ? atomic_load_explicit(&form->norm, memory_order_relaxed) : 0);
    if (!update_fits(t, &errors)) {
        update_in_double(t);
        return;
    }
    update_in_single(t, may_multiply_bf16(t, &errors));
    form->rounded += errors.rounded;
    if (single)
        set_norm(C, errors.norm);
}

/* ---- solves ---------------------------------------------------------------------------------------------------------------- */

void device_trsm(struct task *t)
{
    const struct task_tile *T = &t->tile[0], *B = &t->tile[1];
    const struct task_arguments *with = &t->with;
    int order = with->side == LEFT ? B->mb : B->nb;
    char *room = task_scratch(t, aligned(FINDS * sizeof(double)) + convert_bytes(t, B));
    if (room == NULL)
        return;
    double *found = (double *)take(&room, FINDS * sizeof *found);
    if (rank_of(B) != TILE_DENSE)
        convert(t, B, t->precision, room);
    B->traits.form->rank = TILE_DENSE;
    t->kernels->trsm(with->side, with->uplo, with->transa, with->diag, B->mb, B->nb, T->data, T->mb, B->data, B->mb);
    t->kernels->squares(GENERAL, B->mb, B->nb, B->data, B->mb, &found[OF_SOLUTION]);
    t->kernels->squares(with->uplo, order, order, T->data, T->mb, &found[OF_TRIANGLE]);
    task_bf16_kernels(t)->changes(reals_in(t, B), (const double *)B->data, &found[OF_CHANGE]);
    task_note(t, B->found, found, FINDS * sizeof *found);
}

/* Rounds a solution in single, again, to bfloat16. */
static void round_to_bf16(struct task *t, const struct task_tile *B, char *room)
{
    char *copy = take(&room, numbers_in(B) * single_of(t)->size);
    task_kernels_of(t, single_of(t)->type)->copy_rows(B->mb, B->nb, NULL, B->data, B->mb, NULL, copy, B->mb);
    task_bf16_kernels(t)->round(reals_in(t, B), (const float *)copy, B->data);
    B->traits.form->rank = TILE_BF16;
}

/* Whether the solution may be in bfloat16: the change is what the device has found. */
static bool bf16_fits(const struct task_tile *B, double norm, double triangle, double *rounded)
{
    const struct tile_form *form = B->traits.form;
    *rounded = B->found[OF_CHANGE] * triangle * triangle;
    return form->filled == IN_BF16 && norm <= LARGEST_IN_BF16 && *rounded <= form->how->roundings - form->rounded;
}

/* A diagonal of ones, with.k of them, is not stored. */
static void round_tile(struct task *t)
{
    const struct task_tile *B = &t->tile[0];
    struct tile_form *form = B->traits.form;
    double norm = sqrt(B->found[OF_SOLUTION]), triangle = sqrt(B->found[OF_TRIANGLE] + t->with.k), rounded;
    set_norm(B, norm);
    if (form->filled == IN_DOUBLE)
        return;
    bool to_bf16 = bf16_fits(B, norm, triangle, &rounded);
    if (!to_bf16 && !solution_fits(t, 1, norm, triangle, &rounded)) {
        becomes(t, B, t->precision, TILE_DENSE);
        return;
    }
    char *room = task_scratch(t, convert_bytes(t, B));
    if (room == NULL)
        return;
    convert(t, B, single_of(t), room);
    form->rounded += rounded;
    if (to_bf16) {
        set_norm(B, norm + sqrt(B->found[OF_CHANGE]));
        round_to_bf16(t, B, room);
    } else {
        becomes(t, B, single_of(t), TILE_SINGLE);
    }
}

bool is_rounded_apart(const struct operand *B)
{
    return B->split != NULL && B->traits.form != NULL && B->traits.summed == NO_SUMS;
}

void task_round(struct run *run, enum diag diag, struct operand B)
{
    struct task *t = task_create(run, TASK_ROUND, round_tile, 0, 1, &B);
    task_submit_with(t, (struct task_arguments){ .k = diag == UNIT ? (B.mb > B.nb ? B.mb : B.nb) : 0 });
}
