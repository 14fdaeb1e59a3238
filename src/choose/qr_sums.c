/*
 * Transfers of a QR factorization, and the work of each rank, for all ranks together. The sums go step by step: first the panel,
 * then one tile column of each kind right of it (qr_plan.h). Tile rows at a distance of the pattern's height have the same owners
 * everywhere, so one row of a kind also counts for all. reflectors.h defines the counts; tests/choose/test_qr_count.c compares
 * them with a walk through the tasks of every rank.
 */
#include "omp/kernels/flops.h"
#include "src/choose/choose.h"
#include "src/choose/qr_plan.h"

#include <stdlib.h>

struct sums {
    const struct qr_plan *plan;
    const struct rma_nodes *nodes;      /* NULL: each rank is a node */
    struct task_counts *counts;
    double *flops;                      /* [rank] */
    int *columns;                       /* [typical column]: columns of its kind right of the panel */
    int *rows;                          /* [kind]: tile rows of each kind from the step on */
    int64_t *height;                    /* [kind]: elements in these tile rows */
    int *row;                           /* tile rows of the step: the first tile row of each kind, sorted by domain */
    int *first;                         /* [domain]: index of the domain's first tile row in row[]; the next element is its end */
    int *domain_of;                     /* [rank]: domain of the rank in the panel of the step */
    int64_t *met, *met_node;            /* [rank], [node]: the last visit that met it */
    int64_t look;
    int *ranks;                         /* scratch: readers */
    unsigned char *seen;                /* scratch, zero */
};

/* ---- what is sent --------------------------------------------------------------------------------------------------------- */

/* Counts transfers of equal tiles, of so many bytes together, from one rank to another. */
static void count_tiles(struct sums *s, int64_t tiles, int64_t bytes, bool across)
{
    s->counts->transfers += tiles;
    s->counts->transfer_bytes += bytes;
    s->counts->wire_transfers += across ? tiles : 0;
    s->counts->wire_bytes += across ? bytes : 0;
}

static bool crosses(const struct sums *s, int from, int to)
{
    return s->nodes == NULL || s->nodes->node_of[from] != s->nodes->node_of[to];
}

/* Counts a transfer to each rank of s->ranks except the owner; each other node receives it once. */
static void deliver(struct sums *s, int owner, int readers, int64_t tiles, int64_t bytes)
{
    s->look++;
    for (int i = 0; i < readers; i++) {
        int reader = s->ranks[i], node = s->nodes != NULL ? s->nodes->node_of[reader] : reader;
        if (reader == owner)
            continue;
        count_tiles(s, tiles, bytes, crosses(s, owner, reader) && s->met_node[node] != s->look);
        s->met_node[node] = s->look;
    }
}

/* ---- a panel -------------------------------------------------------------------------------------------------------------- */

/* Collects in s->ranks the ranks that have tiles of this row right of the panel. */
static int row_owners(struct sums *s, int k, int m)
{
    const ompfact_matrix *A = s->plan->A;
    return layout_row_owners(A->layout, m, k + 1, A->nt, s->ranks, s->seen);
}

static int kind_of(const struct sums *s, int m)
{
    return m % s->plan->A->layout->rows;
}

/* Assigns the first tile row of each kind to its domain. */
static void sort_rows(struct sums *s, int k)
{
    const struct layout *l = s->plan->A->layout;
    const struct panel_tree *p = &s->plan->Q.panel[k];
    int end = l->mt - k > l->rows ? k + l->rows : l->mt;
    for (int f = 0; f < p->domains; f++) {
        s->domain_of[p->domain[f].rank] = f;
        s->first[f] = 0;
    }
    s->first[p->domains] = 0;
    for (int m = k; m < end; m++)
        s->first[s->domain_of[layout_owner(l, m, k)] + 1]++;
    for (int f = 0; f < p->domains; f++)
        s->first[f + 1] += s->first[f];
    for (int m = end - 1; m >= k; m--)      /* backwards, so that first[] ends at the beginning of each domain */
        s->row[--s->first[s->domain_of[layout_owner(l, m, k)] + 1]] = m;
    for (int f = 0; f < p->domains; f++)
        s->first[f] = s->first[f + 1];
    s->first[p->domains] = end - k;
}

/* Tiles of the panel, which are V. */
static void panel_tiles(struct sums *s, int k)
{
    const ompfact_matrix *A = s->plan->A;
    const struct panel_tree *p = &s->plan->Q.panel[k];
    int64_t width = tiling_size(&A->cols, k), size = (int64_t)A->precision->size;
    for (int i = 0; i < s->first[p->domains]; i++) {
        int m = s->row[i], kind = kind_of(s, m);
        deliver(s, layout_owner(A->layout, m, k), row_owners(s, k, m), s->rows[kind], s->height[kind] * width * size);
    }
}

static void panel(struct sums *s, int k)
{
    const ompfact_matrix *A = s->plan->A;
    const struct panel_tree *p = &s->plan->Q.panel[k];
    int64_t width = tiling_size(&A->cols, k), size = (int64_t)A->precision->size;
    for (int f = 0; f < p->domains; f++) {
        const struct domain *d = &p->domain[f];
        int64_t q = d->reflectors;
        s->flops[d->rank] += qr_flops((double)d->rows, (double)width);
        deliver(s, d->rank, row_owners(s, k, d->top), 1, q * q * size);                                     /* T */
    }
    for (int i = 0; i < p->domains - 1; i++) {
        const struct domain *into = &p->domain[p->merge[i].into], *from = &p->domain[p->merge[i].from];
        int64_t square = from->reflectors * width * size;
        s->flops[into->rank] += tpqrt_flops(from->reflectors, (double)width);
        count_tiles(s, 1, square, crosses(s, from->rank, into->rank));                                      /* R */
        deliver(s, into->rank, row_owners(s, k, into->top), 1, width * width * size);                       /* T */
        deliver(s, into->rank, row_owners(s, k, from->top), 1, square);                                     /* V */
    }
    panel_tiles(s, k);
}

/* ---- a tile column behind it, and those that are like it ------------------------------------------------------------------ */

/* X comes from each rank that helps, and W goes back. */
static void reflect_domain(struct sums *s, int k, int n, int f, double alike)
{
    const struct layout *l = s->plan->A->layout;
    const struct domain *d = &s->plan->Q.panel[k].domain[f];
    double q = d->reflectors, columns = tiling_size(&s->plan->A->cols, n);
    int leader = layout_owner(l, d->top, n), helpers = 0;
    int64_t look = ++s->look;
    s->met[leader] = look;
    for (int i = s->first[f]; i < s->first[f + 1]; i++) {
        int m = s->row[i], owner = layout_owner(l, m, n);
        s->flops[owner] += 2 * alike * reflect_flops((double)s->height[kind_of(s, m)], m == d->top, q, columns);
        if (s->met[owner] != look)
            s->ranks[helpers++] = owner;
        s->met[owner] = look;
    }
    s->flops[leader] += alike * (triangle_flops(q, columns) + 2 * helpers * q * columns);
    int64_t tiles = (int64_t)alike, bytes = (int64_t)(alike * q * columns) * (int64_t)s->plan->A->precision->size;
    for (int i = 0; i < helpers; i++)
        count_tiles(s, tiles, bytes, crosses(s, s->ranks[i], leader));
    deliver(s, leader, helpers, tiles, bytes);
}

static void reflect_merge(struct sums *s, int k, int n, const struct qr_merge *merge, double alike)
{
    const ompfact_matrix *A = s->plan->A;
    const struct domain *into = &s->plan->Q.panel[k].domain[merge->into], *from = &s->plan->Q.panel[k].domain[merge->from];
    double q = into->reflectors, columns = tiling_size(&A->cols, n);
    int head = layout_owner(A->layout, into->top, n), tail = layout_owner(A->layout, from->top, n);
    s->flops[tail] += 2 * alike * reflect_flops(from->reflectors, false, q, columns);
    s->flops[head] += alike * (triangle_flops(q, columns) + (head == tail ? 2 : 3) * q * columns);
    if (head != tail)
        count_tiles(s, 2 * (int64_t)alike, 2 * (int64_t)(alike * q * columns) * (int64_t)A->precision->size,
                    crosses(s, head, tail));
}

static void update(struct sums *s, int k, int n, int alike)
{
    const struct panel_tree *p = &s->plan->Q.panel[k];
    for (int f = 0; f < p->domains; f++)
        reflect_domain(s, k, n, f, alike);
    for (int i = 0; i < p->domains - 1; i++)
        reflect_merge(s, k, n, &p->merge[i], alike);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------ */

static void add_up(struct sums *s, const struct watcher *watcher)
{
    const struct qr_plan *plan = s->plan;
    const ompfact_matrix *A = plan->A;
    int steps = steps_of(A);
    for (int m = A->done; m < A->mt; m++) {
        s->rows[kind_of(s, m)]++;
        s->height[kind_of(s, m)] += tiling_size(&A->rows, m);
    }
    for (int k = A->done; k < steps; k++) {
        sort_rows(s, k);
        panel(s, k);
        s->columns[plan->typical[k]]--;
        for (int n = k + 1; n < A->nt; n++)
            if (n == plan->typical[n] && s->columns[n] > 0)
                update(s, k, n, s->columns[n]);
        s->rows[kind_of(s, k)]--;
        s->height[kind_of(s, k)] -= tiling_size(&A->rows, k);
        double rest = (double)(steps - k - 1) / steps;     /* share of the columns that remain, and about the same share of the
                                                              rows */
        if (watcher != NULL)
            watcher->look(watcher->context, 1 - rest * rest);
    }
}

/* Sums of the ranks' work. */
static void weigh(const struct sums *s, struct task_counts *counts)
{
    const ompfact_matrix *A = s->plan->A;
    const double *speeds = A->shape.speeds;
    double flops = 0, most = 0, longest = 0, together = 0;
    for (int rank = 0; rank < A->ranks; rank++) {
        double speed = speeds == NULL ? 1 : speeds[rank], here = s->flops[rank];
        flops += here;
        most = here > most ? here : most;
        longest = here / speed > longest ? here / speed : longest;
        together += speed;
    }
    if (flops > 0) {
        counts->flops_max_over_mean = most * A->ranks / flops;
        counts->abe_max_over_mean = longest * together / flops;
    }
}

/* The memory of the sums, which the caller frees. NULL: no memory. */
static void *allocate(struct sums *s)
{
    size_t ranks = (size_t)s->plan->A->ranks, kinds = (size_t)s->plan->A->layout->rows;
    const struct array arrays[] = { ARRAY(s->flops, ranks), ARRAY(s->rows, kinds), ARRAY(s->height, kinds), ARRAY(s->row, kinds),
                                    ARRAY(s->first, ranks + 1), ARRAY(s->domain_of, ranks), ARRAY(s->met, ranks),
                                    ARRAY(s->met_node, ranks), ARRAY(s->ranks, ranks), ARRAY(s->seen, ranks) };
    return make_arrays(arrays, sizeof arrays / sizeof arrays[0]);
}

bool qr_count(ompfact_matrix *A, ompfact_tree tree, int ib, const struct rma_nodes *nodes, const struct watcher *watcher,
              struct task_counts *counts)
{
    CLEANUP(qr_plan_forget) struct qr_plan plan;
    CLEANUP(free_at) void *memory = NULL;
    CLEANUP(free_at) int *columns = NULL;
    struct sums s = { .plan = &plan, .nodes = nodes, .counts = counts };
    *counts = (struct task_counts){ .flops_max_over_mean = 1, .abe_max_over_mean = 1 };
    if (!qr_plan_make(A, tree, ib, &plan) || (memory = allocate(&s)) == NULL || (columns = qr_plan_columns(&plan)) == NULL)
        return false;
    s.columns = columns;
    add_up(&s, watcher);
    weigh(&s, counts);
    return true;
}
