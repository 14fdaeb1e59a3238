#include "omp/tasks/device_tiles.h"
#include "omp/tasks/single_tiles.h"
#include "omp/tasks/task_places.h"

#include <math.h>

enum { OF_SOLUTION, OF_TRIANGLE, FINDS };       /* found: sums of squares */

static const struct task_tile *output(const struct task *t)
{
    return &t->tile[t->count - 1];
}

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

/* The factor in this precision: the tile itself, or a copy. */
static const char *factor_in(const struct task *t, const struct precision *p, const struct task_tile *T, char **room)
{
    if (precision_in(t, T)->type == p->type)
        return T->data;
    char *copy = take(room, numbers_in(T) * p->size);
    task_kernels_of(t, p->type)->from_other(T->mb, T->nb, T->data, T->mb, copy, T->mb);
    return copy;
}

/* Converts the tile to the other precision p, in its place. copy: memory for it in p. */
static void convert(const struct task *t, const struct task_tile *T, const struct precision *p, char *copy)
{
    const struct kernels *k = task_kernels_of(t, p->type);
    k->from_other(T->mb, T->nb, T->data, T->mb, copy, T->mb);
    k->copy_rows(T->mb, T->nb, NULL, copy, T->mb, NULL, T->data, T->mb);
}

/* The tile is in double from now on, also on the host when it gets there. */
static void remains_double(struct task *t, const struct task_tile *C)
{
    if (!tile_grows(C->traits.form, numbers_in(C) * t->precision->size)) {
        note_lost_tile(C->traits.form->how, t->i, t->j);
        task_no_memory(t);
    }
    C->traits.form->rank = TILE_DENSE;
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
    const char *A = factor_in(t, p, &t->tile[0], &room), *B = t->count == 2 ? A : factor_in(t, p, &t->tile[1], &room);
    multiply(t, p, A, B, C);
}

static size_t factors_bytes(const struct task *t, const struct precision *p)
{
    return bytes_in(p, &t->tile[0]) + (t->count == 2 ? 0 : bytes_in(p, &t->tile[1]));
}

static void update_in_double(struct task *t)
{
    const struct task_tile *C = output(t);
    char *room = task_scratch(t, factors_bytes(t, t->precision) + bytes_in(t->precision, C));
    if (room == NULL)
        return;
    if (rank_of(C) == TILE_SINGLE) {
        convert(t, C, t->precision, take(&room, numbers_in(C) * t->precision->size));
        remains_double(t, C);
    }
    add_product(t, t->precision, C->data, room);
}

/* For a C in double the product is computed apart and then added. */
static void update_in_single(struct task *t)
{
    const struct task_tile *C = output(t);
    const struct precision *p = single_of(t);
    bool apart = rank_of(C) == TILE_DENSE;
    t->is_narrow = true;
    char *room = task_scratch(t, factors_bytes(t, p) + bytes_in(p, C) + bytes_in(t->precision, C));
    if (room == NULL)
        return;
    if (!apart) {
        add_product(t, p, C->data, room);
        return;
    }
    char *single = take(&room, numbers_in(C) * p->size), *sum = take(&room, numbers_in(C) * t->precision->size);
    task_kernels_of(t, p->type)->clear(C->mb, C->nb, single, C->mb);
    add_product(t, p, single, room);
    t->kernels->from_other(C->mb, C->nb, single, C->mb, sum, C->mb);
    t->kernels->add(C->mb, C->nb, 1, sum, C->mb, C->data, C->mb);
}

void device_update(struct task *t)
{
    const struct task_tile *C = output(t);
    struct tile_form *form = C->traits.form;
    bool single = rank_of(C) == TILE_SINGLE;
    struct update_errors errors = errors_of_update(t, single ? atomic_load_explicit(&form->norm, memory_order_relaxed) : 0);
    if (!update_fits(t, &errors)) {
        update_in_double(t);
        return;
    }
    update_in_single(t);
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
    char *room = task_scratch(t, aligned(FINDS * sizeof(double)) + bytes_in(t->precision, B));
    if (room == NULL)
        return;
    double *found = (double *)take(&room, FINDS * sizeof *found);
    if (rank_of(B) != TILE_DENSE)
        convert(t, B, t->precision, room);
    B->traits.form->rank = TILE_DENSE;
    t->kernels->trsm(with->side, with->uplo, with->transa, with->diag, B->mb, B->nb, T->data, T->mb, B->data, B->mb);
    t->kernels->squares(GENERAL, B->mb, B->nb, B->data, B->mb, &found[OF_SOLUTION]);
    t->kernels->squares(with->uplo, order, order, T->data, T->mb, &found[OF_TRIANGLE]);
    task_note(t, B->found, found, FINDS * sizeof *found);
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
    if (!solution_fits(t, 1, norm, triangle, &rounded)) {
        remains_double(t, B);
        return;
    }
    char *copy = task_scratch(t, bytes_in(single_of(t), B));
    if (copy == NULL)
        return;
    convert(t, B, single_of(t), copy);
    form->rank = TILE_SINGLE;
    form->rounded += rounded;
}

bool is_rounded_apart(const struct operand *B)
{
    return B->split != NULL && B->traits.form != NULL && B->traits.summed == NO_SUMS;
}

void task_round(struct run *run, enum diag diag, struct operand B)
{
    struct task *t = task_create(run, TASK_ROUND, round_tile, 0, 1, &B);
    if (t == NULL)
        return;
    t->with = (struct task_arguments){ .k = diag == UNIT ? (B.mb > B.nb ? B.mb : B.nb) : 0 };
    task_submit(t);
}
