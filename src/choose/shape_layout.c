/* Makes layouts that callers give by name, by pattern, by function or in a file, and counts them. */
#include "src/choose/choose.h"

#include "layouts/unequal/plan.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the layout of a shape ---------------------------------------------------------------------------------------------- */

static int tile_count(int64_t size, int nb, const int *sizes, int count)
{
    int64_t tiles = sizes != NULL ? count : size / nb + (size % nb != 0);
    return tiles < 1 ? 1 : tiles > INT_MAX ? INT_MAX : (int)tiles;
}

static int largest(int nb, const int *sizes, int count)
{
    int most = sizes == NULL ? nb : 1;
    for (int i = 0; sizes != NULL && i < count; i++)
        most = sizes[i] > most ? sizes[i] : most;
    return most;
}

/* Cells are ranks; free cells are on the diagonal of a square map. */
static ompfact_status check_cells(const struct pattern *p, char message[MESSAGE])
{
    for (int64_t c = 0; c < (int64_t)p->rows * p->cols; c++) {
        bool may_be_free = p->rows == p->cols && c % (p->cols + 1) == 0;
        if (p->cell[c] >= p->ranks || p->cell[c] < (may_be_free ? LAYOUT_FREE : 0)) {
            snprintf(message, MESSAGE, "layout %.100s has rank %d in cell (%d,%d): the ranks are 0 to %d", p->name, p->cell[c],
                     (int)(c / p->cols), (int)(c % p->cols), p->ranks - 1);
            return OMPFACT_BAD_LAYOUT;
        }
    }
    return OMPFACT_SUCCESS;
}

static ompfact_status from_map(const ompfact_pattern *map, int ranks, struct pattern **pattern, char message[MESSAGE])
{
    if (map->ranks != ranks || map->rows < 1 || map->cols < 1 || map->cell == NULL) {
        snprintf(message, MESSAGE, "a pattern of %d x %d cells for %d ranks cannot lay out a matrix on %d", map->rows, map->cols,
                 map->ranks, ranks);
        return OMPFACT_BAD_LAYOUT;
    }
    *pattern = pattern_alloc(ranks, map->rows, map->cols);
    if (*pattern == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for a layout");
    snprintf((*pattern)->name, sizeof (*pattern)->name, "%s", map->name[0] == '\0' ? "map" : map->name);
    memcpy((*pattern)->cell, map->cell, (size_t)map->rows * (size_t)map->cols * sizeof *map->cell);
    return check_cells(*pattern, message);
}

static ompfact_status from_callback(const ompfact_shape *s, int mt, int nt, int ranks, struct pattern **pattern,
                                    char message[MESSAGE])
{
    bool triangle = stores_triangle(s);
    *pattern = pattern_alloc(ranks, mt, nt);
    if (*pattern == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY,
                         "no memory for the owners of all tiles, or too many tiles for a function of the tile");
    snprintf((*pattern)->name, sizeof (*pattern)->name, "callback");
    int *cell = (*pattern)->cell;
    for (int64_t i = 0; i < mt; i++)
        for (int64_t j = 0; j < (triangle ? i + 1 : nt); j++) {
            int rank = is_upper(s) ? s->owner(s->owner_context, (int)j, (int)i) : s->owner(s->owner_context, (int)i, (int)j);
            cell[i * nt + j] = rank;
            /* Above the diagonal the owner of the mirrored tile takes the place of an owner. No code reads this element. */
            if (triangle && rank >= 0 && rank < ranks)
                cell[j * nt + i] = rank;
        }
    return check_cells(*pattern, message);
}

static int tile_rows(const ompfact_shape *s)
{
    return tile_count(shape_rows(s), s->nb, s->row_heights, s->mt);
}

static int tile_cols(const ompfact_shape *s)
{
    return stores_triangle(s) ? tile_rows(s) : tile_count(s->n, s->nb, s->col_widths, s->nt);
}

/* The size of so many leading tiles together. */
static int64_t leading(int64_t size, int nb, const int *sizes, int count, int tiles)
{
    int64_t sum = 0;
    if (sizes == NULL)
        return (int64_t)tiles * nb < size ? (int64_t)tiles * nb : size;
    for (int i = 0; i < tiles && i < count; i++)
        sum += sizes[i];
    return sum;
}

/* The shape that QR factors for the leading tiles: the tiles, or their conjugate transpose. */
static ompfact_shape factored_by_qr(const ompfact_shape *s, int mt, int nt)
{
    ompfact_shape f = *s;
    bool transposed = shape_is_transposed(s);
    int64_t m = leading(shape_rows(s), s->nb, s->row_heights, s->mt, mt), n = leading(s->n, s->nb, s->col_widths, s->nt, nt);
    f.purpose = OMPFACT_FOR_QR;
    f.m = transposed ? n : m;
    f.n = transposed ? m : n;
    f.mt = transposed ? nt : mt;
    f.nt = transposed ? mt : nt;
    f.row_heights = transposed ? s->col_widths : s->row_heights;
    f.col_widths = transposed ? s->row_heights : s->col_widths;
    return f;
}

/* Makes leading tiles on paper; A takes over the pattern. 1: no memory. A wrong shape is refused elsewhere: 0, and NULL. */
static int leading_on_paper(const ompfact_shape *shape, struct pattern *pattern, ompfact_matrix **A)
{
    char unread[MESSAGE];
    *A = NULL;
    return pattern == NULL || matrix_on_paper(shape, pattern, 0, A, unread) == OMPFACT_NO_MEMORY;
}

/* Whether these are all tiles. A leading part is less balanced than the whole matrix, so it only counts transfers. */
static bool is_whole(const ompfact_shape *s, int mt, int nt)
{
    return mt == tile_rows(s) && nt == tile_cols(s);
}

static int count_as_qr(const void *context, const struct pattern *pattern, int mt, int nt, struct layout_summary *summary)
{
    const ompfact_shape *whole = context;
    ompfact_shape shape = factored_by_qr(whole, mt, nt);
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *A = NULL;
    struct task_counts counts;
    if (leading_on_paper(&shape, (shape_is_transposed(whole) ? pattern_transposed : pattern_copy)(pattern), &A) != 0)
        return 1;
    if (A == NULL)
        return 0;
    if (!qr_count(A, OMPFACT_TREE_AUTO, 0, NULL, NULL, &counts))
        return 1;
    summary->transfers = counts.transfers;
    if (is_whole(whole, mt, nt)) {
        summary->flops_max_over_mean = counts.flops_max_over_mean;
        summary->abe_max_over_mean = counts.abe_max_over_mean;
    }
    return 0;
}

/* Requests the counts of as many leading tiles, in the proportions of the matrix, as take at most so many looks. */
static void request_counts(struct layout_question *q, layout_counter *counter,
                           double (*looks_of)(const struct layout_question *q), double most)
{
    q->counter = counter;
    for (double scale = 1, looks = most + 1; looks > most; scale *= 0.95) {
        q->count_mt = (int)ceil(scale * q->mt);
        q->count_nt = (int)ceil(scale * q->nt);
        looks = looks_of(q);
    }
}

/* In each step every rank of a tile column visits its rows for each column behind it. */
static double looks_of_qr(const struct layout_question *q)
{
    double steps = q->count_mt < q->count_nt ? q->count_mt : q->count_nt, rows = (double)q->count_mt + q->count_nt - steps;
    return steps * steps * rows * (rows < q->ranks ? rows : q->ranks) / 2;
}

/* Counts of the factorization and the inverse. */
static int count_as_inverse(const void *context, const struct pattern *pattern, int mt, int nt, struct layout_summary *summary)
{
    const ompfact_shape *whole = context;
    enum layout_algorithm algorithm = stores_triangle(whole) ? LAYOUT_CHOLESKY : LAYOUT_LU;
    ompfact_shape shape = *whole;
    shape.n = leading(whole->n, whole->nb, stores_triangle(whole) ? whole->row_heights : whole->col_widths, whole->nt, nt);
    shape.m = leading(shape_rows(whole), whole->nb, whole->row_heights, whole->mt, mt);
    shape.mt = mt;
    shape.nt = nt;
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *A = NULL;
    struct task_counts counts;
    if (leading_on_paper(&shape, pattern_copy(pattern), &A) != 0)
        return 1;
    if (A == NULL)
        return 0;
    int64_t factors = layout_transfers(A->layout, algorithm);
    if (!inverse_count(A, false, &counts) || factors < 0)
        return 1;
    summary->transfers = factors + counts.transfers;
    if (is_whole(whole, mt, nt)) {      /* a third of the work belongs to the factorization */
        summary->flops_max_over_mean = (summary->flops_max_over_mean + 2 * counts.flops_max_over_mean) / 3;
        summary->abe_max_over_mean = (summary->abe_max_over_mean + 2 * counts.abe_max_over_mean) / 3;
    }
    return 0;
}

/* Each tile has three lists of readers. */
static double looks_of_inverse(const struct layout_question *q)
{
    return 3.0 * q->count_mt * q->count_nt * (q->count_nt < q->ranks ? q->count_nt : q->ranks);
}

/* The data that layouts need about a matrix of this shape. */
static struct layout_question question_of(const ompfact_shape *s, int ranks, int64_t bytes)
{
    enum { MOST_RANKS = 1024 };
    bool triangle = stores_triangle(s);
    const struct precision *precision = precision_of(shape_type(s));
    struct layout_question q = { .algorithm = triangle ? LAYOUT_CHOLESKY : LAYOUT_LU, .ranks = ranks, .mt = tile_rows(s),
                                 .nt = tile_cols(s),
                                 .part = triangle && !s->full_storage ? LAYOUT_LOWER : LAYOUT_FULL, .context = s,
                                 .speeds = s->speeds, .node_of = s->node_of, .nodes = s->nodes };
    double tile = (double)largest(s->nb, s->row_heights, s->mt) * (double)(precision == NULL ? sizeof(double) : precision->size);
    tile *= triangle ? largest(s->nb, s->row_heights, s->mt) : largest(s->nb, s->col_widths, s->nt);
    bool empty = s->n < 1 || shape_rows(s) < 1;      /* an empty matrix has no weights */
    q.weights = empty ? NULL : s->weights;
    q.weight_scale = q.weights == NULL ? 1 : weights_scale(q.weights, (int64_t)q.mt * q.nt);
    q.mirrored = is_upper(s);
    if (bytes > 0)
        q.tiles_fit = (double)bytes > tile ? (int64_t)((double)bytes / tile) : 1;
    if (is_for_qr(s) && ranks <= MOST_RANKS)        /* else even a few tiles would take long, and the counts of LU decide */
        request_counts(&q, count_as_qr, looks_of_qr, 2e6);
    else if (!is_for_qr(s) && s->purpose == OMPFACT_FOR_INVERSE)
        request_counts(&q, count_as_inverse, looks_of_inverse, 5e6);
    return q;
}

ompfact_status status_of_layout(int code)
{
    return code == 0 ? OMPFACT_SUCCESS : code == LAYOUT_NO_MEMORY ? OMPFACT_NO_MEMORY : OMPFACT_BAD_LAYOUT;
}

/* Every node has a rank. */
static ompfact_status check_nodes(const int *node_of, int nodes, int ranks, char message[MESSAGE])
{
    unsigned char *seen = calloc((size_t)(nodes > 0 ? nodes : 1), 1);
    int met = 0;
    if (seen == NULL)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory for the nodes of the ranks");
    for (int rank = 0; rank < ranks && node_of[rank] >= 0 && node_of[rank] < nodes; rank++) {
        met += !seen[node_of[rank]];
        seen[node_of[rank]] = 1;
    }
    free(seen);
    return met > 0 && met == nodes ? OMPFACT_SUCCESS : fail_with(message, OMPFACT_BAD_ARGUMENT,
                                                                 "nodes are 0 to nodes - 1, each with at least one rank");
}

ompfact_status shape_check_ranks(const ompfact_shape *s, int ranks, char message[MESSAGE])
{
    if (s->node_of != NULL && ranks > 0)
        TRY(check_nodes(s->node_of, s->nodes, ranks, message));
    return layout_check_speeds(s->speeds, ranks, message) == 0 ? OMPFACT_SUCCESS : OMPFACT_BAD_ARGUMENT;
}

ompfact_status shape_choose(const ompfact_shape *shape, int ranks, int64_t bytes, struct layout_choice *choice,
                            char message[MESSAGE])
{
    TRY(shape_check_ranks(shape, ranks, message));
    struct layout_question question = question_of(shape, ranks, bytes);
    return status_of_layout(layout_choose(&question, choice, message));
}

ompfact_status shape_choose_fewer(const ompfact_shape *shape, int ranks, int64_t bytes, const struct layout_choice *choice,
                                  struct layout_fewer *fewer, char message[MESSAGE])
{
    struct layout_question question = question_of(shape, ranks, bytes);
    *fewer = (struct layout_fewer){ 0 };
    return shape->copies > 1 ? OMPFACT_SUCCESS : status_of_layout(layout_choose_fewer(&question, choice, fewer, message));
}

bool shape_weigh(const ompfact_shape *shape, const struct layout *l, double *max_over_mean)
{
    struct layout_question question = question_of(shape, l->ranks, 0);
    return question.weights == NULL || layout_load(l, &question, max_over_mean) == 0;
}

static ompfact_status check_weights(const struct layout_question *q, char message[MESSAGE])
{
    for (int64_t t = 0; q->weights != NULL && t < (int64_t)q->mt * q->nt; t++)
        if (!(q->weights[t] >= 0) || !isfinite(q->weights[t])) {
            snprintf(message, MESSAGE, "weight %g of tile (%d,%d): weights are finite and not negative", q->weights[t],
                     (int)(t / q->nt), (int)(t % q->nt));
            return OMPFACT_BAD_ARGUMENT;
        }
    return OMPFACT_SUCCESS;
}

bool shape_is_auto(const ompfact_shape *s)
{
    return s->pattern == NULL && s->owner == NULL && (s->layout == NULL || strcmp(s->layout, "auto") == 0);
}

ompfact_status shape_plan(const ompfact_shape *shape, const char *layout, int ranks, struct plan **plan, char message[MESSAGE])
{
    struct layout_question question = question_of(shape, ranks, 0);
    return plan_create(layout, &question, plan, message) == 0 ? OMPFACT_SUCCESS : OMPFACT_BAD_LAYOUT;
}

ompfact_status shape_pattern(const ompfact_shape *shape, int ranks, int64_t bytes, struct pattern **pattern,
                             char message[MESSAGE])
{
    ompfact_status status;
    struct layout_question question = question_of(shape, ranks, bytes);
    const char *layout = shape->layout == NULL ? "auto" : shape->layout;
    *pattern = NULL;
    if ((status = check_weights(&question, message)) != OMPFACT_SUCCESS)
        return status;
    TRY(shape_check_ranks(shape, ranks, message));
    if (shape->pattern != NULL)
        status = from_map(shape->pattern, ranks, pattern, message);
    else if (shape->owner != NULL)
        status = from_callback(shape, question.mt, question.nt, ranks, pattern, message);
    else
        status = status_of_layout(pattern_create_for(layout, &question, pattern, message));
    if (status != OMPFACT_SUCCESS)
        pattern_destroy(pattern);
    return status;
}
