/* Gathers a group from tiles and from what other ranks have sent, mixes its rows and columns, and writes the results back. */
#include "src/butterfly/tour.h"

#include "omp/kernels/workspace.h"

/* A group as one block, in which images and patches are adjacent. The distance of columns is no power of two, for a cache has few
   places for elements at such distances. */
enum { APART = 8 };
struct block {
    char *data;
    int ld;
};
static void *place_in_block(const struct tour *t, const struct group *group, const struct block *b, int k)
{
    const struct patch *patch = &group->patch[k];
    int64_t row = (int64_t)patch->u * group->rows->size, col = (int64_t)patch->v * group->cols->size;
    return b->data + (row + col * b->ld) * (int64_t)t->groups.A->precision->size;
}

static void gather(struct tour *t, const struct stop *stop, const struct group *group, const struct block *b)
{
    const struct precision *precision = t->groups.A->precision;
    bool hermitian = is_hermitian(&t->groups.A->shape);
    int m = group->rows->size, n = group->cols->size;
    for (int k = 0; k < group->count; k++) {
        const struct patch *patch = &group->patch[k];
        void *place = place_in_block(t, group, b, k);
        if (k + 1 < group->count && (t->in_place || patch[1].rank == t->me))
            patch_prefetch(&t->groups, group, patch + 1);
        if (t->in_place || patch->rank == t->me)
            patch_read(&t->groups, group, patch, place, b->ld);
        else
            copy_by_steps(precision, false, patch->part, m, n,
                          (struct steps){ place_in(t, IN, patch->rank, stop, k, (void *)rma_exchange_inbox(t->exchange)), 1, m },
                          (struct steps){ place, 1, b->ld });
        if (patch->part != GENERAL)
            complete_square(precision, hermitian, patch->part, n, place, b->ld);
    }
    if (group->square)
        complete_square(precision, hermitian, LOWER, m * group->rows->images, b->data, b->ld);
}

static void scatter(struct tour *t, const struct stop *stop, const struct group *group, const struct block *b)
{
    const struct precision *precision = t->groups.A->precision;
    int m = group->rows->size, n = group->cols->size;
    for (int k = 0; k < group->count; k++) {
        const struct patch *patch = &group->patch[k];
        void *place = place_in_block(t, group, b, k);
        if (patch->part != GENERAL)     /* the diagonal of a Hermitian tile is real again */
            complete_square(precision, is_hermitian(&t->groups.A->shape), patch->part, n, place, b->ld);
        if (t->in_place || patch->rank == t->me)
            patch_write(&t->groups, group, patch, place, b->ld);
        else
            copy_by_steps(precision, false, patch->part, m, n, (struct steps){ place, 1, b->ld },
                          (struct steps){ place_in(t, IN, patch->rank, stop, k, rma_exchange_outbox(t->exchange)), 1, m });
    }
}

void compute_group(void *tour, int64_t index)
{
    struct tour *t = tour;
    const struct stop *stop = &t->stops[index];
    const struct precision *precision = t->groups.A->precision;
    struct butterfly rows, cols;
    struct group group;
    if (!group_at(&t->groups, stop->position, &group) || group.worker != t->me)
        return;
    int m = group.rows->images * group.rows->size, n = group.cols->images * group.cols->size;
    struct block b = { .ld = m + APART };
    b.data = workspace_take((size_t)b.ld * (size_t)n * precision->size);
    if (b.data == NULL) {
        t->no_memory = true;
        return;
    }
    span_factors(group.rows, &rows);
    gather(t, stop, &group, &b);
    butterfly_mix(precision, &rows, t->back, LEFT, n, b.data, b.ld);
    if (t->groups.both_sides) {
        span_factors(group.cols, &cols);
        butterfly_mix(precision, &cols, t->back, RIGHT, m, b.data, b.ld);
    }
    scatter(t, stop, &group, &b);
    workspace_give(b.data);
}
