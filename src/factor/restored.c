/* Restored panels of QR, which do not depend on the layout: their shapes, and blocks as parts of tiles. */
#include "src/factor/restored.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS, DOMAINS, HEAD };

static const int32_t *run_in(const int32_t *shape, int r)       /* rows and domain of a run */
{
    return shape + HEAD + 2 * (int64_t)r;
}

static const int32_t *merge_in(const int32_t *shape, int i)     /* into and from of a merge */
{
    return run_in(shape, shape[RUNS]) + 2 * (int64_t)i;
}

int64_t shape_length(const int32_t *shape)
{
    return HEAD + 2 * (int64_t)shape[RUNS] + 2 * ((int64_t)shape[DOMAINS] - 1);
}

/* ---- a panel's shape ------------------------------------------------------------------------------------------------------- */

static int domain_of(const struct panel_tree *p, int rank)
{
    int d = 0;
    while (p->domain[d].rank != rank)
        d++;
    return d;
}

static void note(int32_t *shape, int64_t at, int64_t a, int b)
{
    if (shape == NULL)
        return;
    shape[at] = (int32_t)a;
    shape[at + 1] = b;
}

int64_t panel_shape(const struct reflectors *Q, int k, int32_t *shape)
{
    const ompfact_matrix *A = Q->A;
    const struct panel_tree *p = &Q->panel[k];
    int64_t at = HEAD;
    if (p->parts != NULL) {
        at = shape_length(p->parts->shape);
        if (shape != NULL)
            memcpy(shape, p->parts->shape, (size_t)at * sizeof *shape);
        return at;
    }
    for (int m = k, next; m < A->mt; m = next) {
        int rank = layout_owner(A->layout, m, k);
        for (next = m + 1; next < A->mt && layout_owner(A->layout, next, k) == rank;)
            next++;
        note(shape, at, A->rows.start[next] - A->rows.start[m], domain_of(p, rank));
        at += 2;
    }
    note(shape, RUNS, (at - HEAD) / 2, p->domains);
    for (int i = 0; i < p->domains - 1; i++, at += 2)
        note(shape, at, p->merge[i].into, p->merge[i].from);
    return at;
}

/* [domain], which the caller frees. NULL: no memory. */
static int64_t *rows_of_domains(const int32_t *shape)
{
    int64_t *rows = calloc((size_t)shape[DOMAINS], sizeof *rows);
    for (int r = 0; rows != NULL && r < shape[RUNS]; r++)
        rows[run_in(shape, r)[1]] += run_in(shape, r)[0];
    return rows;
}

/* Whether the runs cover the panel's rows. */
static bool runs_are_sound(const ompfact_matrix *A, int k, const int32_t *shape)
{
    int64_t rows = 0;
    for (int r = 0; r < shape[RUNS]; r++) {
        const int32_t *run = run_in(shape, r);
        if (run[0] < 1 || run[1] < 0 || run[1] >= shape[DOMAINS])
            return false;
        rows += run[0];
    }
    return rows == A->shape.m - A->rows.start[k] && run_in(shape, 0)[0] >= tiling_size(&A->rows, k) && run_in(shape, 0)[1] == 0;
}

/* Whether a triangle that others are merged into has as many rows as columns, and whether a merged triangle is not used again.
   `rows` is set to 0 for it. */
static bool merges_are_sound(const ompfact_matrix *A, int k, const int32_t *shape, int64_t *rows)
{
    for (int d = 0; d < shape[DOMAINS]; d++)
        if (rows[d] == 0)
            return false;
    for (int i = 0; i < shape[DOMAINS] - 1; i++) {
        const int32_t *merge = merge_in(shape, i);
        if (merge[0] < 0 || merge[1] <= merge[0] || merge[1] >= shape[DOMAINS] || rows[merge[1]] == 0 ||
            rows[merge[0]] < tiling_size(&A->cols, k))
            return false;
        rows[merge[1]] = 0;
    }
    return true;
}

static int check_shape(const ompfact_matrix *A, int k, const int32_t *shape)
{
    if (!runs_are_sound(A, k, shape))
        return EINVAL;
    CLEANUP(free_at) int64_t *rows = rows_of_domains(shape);
    return rows == NULL ? ENOMEM : merges_are_sound(A, k, shape, rows) ? 0 : EINVAL;
}

int check_shapes(const ompfact_matrix *A, const int32_t *shapes, int64_t length)
{
    int error = A->done < 0 || A->done > steps_of(A) ? EINVAL : 0;
    for (int k = 0; k < A->done && error == 0; k++) {
        if (length < HEAD || shapes[RUNS] < 1 || shapes[DOMAINS] < 1 || shape_length(shapes) > length)
            return EINVAL;
        error = check_shape(A, k, shapes);
        length -= shape_length(shapes);
        shapes += shape_length(shapes);
    }
    return error == 0 && length != 0 ? EINVAL : error;
}

/* ---- parts ----------------------------------------------------------------------------------------------------------------- */

struct list {
    struct block_part *part;
    int count, room;
    bool no_memory;
};

static void add_part(struct list *l, struct block_part part)
{
    if (l->count == l->room) {
        int room = 2 * l->room + 16;
        struct block_part *larger = realloc(l->part, (size_t)room * sizeof *larger);
        l->no_memory |= larger == NULL;
        if (larger == NULL)
            return;
        l->part = larger;
        l->room = room;
    }
    l->part[l->count++] = part;
}

/* Adds the first `most` rows of domain d, which are V's rows from v on; v < 0: V is in tiles, in the same rows. */
static void add_domain(struct list *l, const ompfact_matrix *A, int k, const int32_t *shape, int d, int64_t most, int v)
{
    const int64_t *start = A->rows.start;
    int64_t row = start[k], end, taken = 0;
    for (int r = 0, m = k; r < shape[RUNS] && taken < most; r++, row = end) {
        end = row + run_in(shape, r)[0];
        while (run_in(shape, r)[1] == d && row < end && taken < most) {
            while (start[m + 1] <= row)
                m++;
            int64_t count = (end < start[m + 1] ? end : start[m + 1]) - row;
            count = count < most - taken ? count : most - taken;
            int c = (int)(row - start[m]);
            add_part(l, (struct block_part){ m, { .v = v < 0 ? c : v + (int)taken, .c = c, .count = (int)count } });
            taken += count;
            row += count;
        }
    }
}

static bool make_parts(const ompfact_matrix *A, int k, const int32_t *shape, const struct panel_tree *p,
                       struct panel_parts *parts)
{
    struct list list = { 0 };
    int width = tiling_size(&A->cols, k), merges = p->domains - 1;
    parts->first = malloc((size_t)(p->domains + merges + 1) * sizeof *parts->first);
    parts->shape = malloc((size_t)shape_length(shape) * sizeof *shape);
    if (parts->first == NULL || parts->shape == NULL)
        return false;
    memcpy(parts->shape, shape, (size_t)shape_length(shape) * sizeof *shape);
    for (int d = 0; d < p->domains; d++) {
        parts->first[d] = list.count;
        add_domain(&list, A, k, shape, d, p->domain[d].rows, -1);
    }
    for (int i = 0; i < merges; i++) {
        parts->first[p->domains + i] = list.count;
        add_domain(&list, A, k, shape, p->merge[i].into, width, 0);
        add_domain(&list, A, k, shape, p->merge[i].from, p->domain[p->merge[i].from].reflectors, width);
    }
    parts->first[p->domains + merges] = list.count;
    parts->part = list.part;
    return !list.no_memory;
}

bool panel_restore(const ompfact_matrix *A, int k, const int32_t *shape, struct panel_tree *p)
{
    int width = tiling_size(&A->cols, k);
    p->domains = shape[DOMAINS];
    p->domain = calloc((size_t)p->domains, sizeof *p->domain);
    p->merge = calloc((size_t)p->domains, sizeof *p->merge);
    p->parts = calloc(1, sizeof *p->parts);
    if (p->domain == NULL || p->merge == NULL || p->parts == NULL)
        return false;
    for (int r = 0; r < shape[RUNS]; r++)
        p->domain[run_in(shape, r)[1]].rows += run_in(shape, r)[0];
    for (int d = 0; d < p->domains; d++)
        p->domain[d].reflectors = p->domain[d].rows < width ? (int)p->domain[d].rows : width;
    for (int i = 0; i < p->domains - 1; i++)
        p->merge[i] = (struct qr_merge){ .into = merge_in(shape, i)[0], .from = merge_in(shape, i)[1] };
    if (!make_parts(A, k, shape, p, p->parts))
        return false;
    for (int d = 0; d < p->domains; d++) {
        p->domain[d].top = p->parts->part[p->parts->first[d]].m;
        p->domain[d].rank = layout_owner(A->layout, p->domain[d].top, k);
    }
    return true;
}

void panel_parts_destroy(struct panel_parts **parts)
{
    if (*parts == NULL)
        return;
    free((*parts)->first);
    free((*parts)->part);
    free((*parts)->shape);
    free(*parts);
    *parts = NULL;
}

int part_helpers(const struct travel *t, int k, int f, int n)
{
    const struct panel_parts *p = t->Q->panel[k].parts;
    const struct layout *c = t->C->layout;
    int count = 0, leader = layout_owner(c, p->part[p->first[f]].m, n);
    t->seen[leader] = 1;
    for (int i = p->first[f]; i < p->first[f + 1]; i++) {
        int rank = layout_owner(c, p->part[i].m, n);
        if (!t->seen[rank])
            t->ranks[count++] = rank;
        t->seen[rank] = 1;
    }
    t->seen[leader] = 0;
    for (int i = 0; i < count; i++)
        t->seen[t->ranks[i]] = 0;
    return count;
}

/* ---- data beside tiles ----------------------------------------------------------------------------------------------------- */

bool is_kept(const struct panel_tree *p, enum qr_square what, int f)
{
    return what == SQUARE_T || (what == SQUARE_R ? f == 0 && p->domains > 1 : f >= p->domains);
}

int panel_squares(const struct reflectors *Q, int k, struct panel_square *square)
{
    const struct job job = { .reflectors = Q };
    const struct panel_tree *p = &Q->panel[k];
    int count = 0;
    for (int f = 0; f < 2 * p->domains - 1; f++)
        for (enum qr_square what = SQUARE_T; what <= SQUARE_V; what++) {
            if (!is_kept(p, what, f))
                continue;
            struct operand o = square_of(&job, what, k, f);
            if (o.mine)
                square[count++] = (struct panel_square){ what, f, o.data, o.address.bytes };
        }
    return count;
}
