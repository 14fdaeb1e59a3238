/* The data that QR keeps and sends, on paper: trees, sizes, places. */
#include "src/factor/restored.h"

#include <stdlib.h>

enum { BUFFERS = 3 };       /* one for X and two for W */

static void make_domains(const ompfact_matrix *A, int k, const int *ranks, struct panel_tree *p)
{
    int width = tiling_size(&A->cols, k);
    for (int d = 0; d < p->domains; d++) {
        int top = layout_first(A->layout, ranks[d], k, k);
        int64_t rows = 0;
        for (int m = top; m < A->mt; m = layout_next(A->layout, m, k))
            rows += tiling_size(&A->rows, m);
        p->domain[d] = (struct domain){ .rank = ranks[d], .top = top, .rows = rows,
                                        .reflectors = rows < width ? (int)rows : width };
    }
}

/* Divides a panel into domains by the owners of the column's tiles, and plans its merges. */
static bool divide_panel(struct reflectors *Q, int k, int *ranks, unsigned char *seen, double *ready)
{
    const ompfact_matrix *A = Q->A;
    struct panel_tree *p = &Q->panel[k];
    p->domains = layout_column_owners(A->layout, k, k, A->mt, ranks, seen);
    p->domain = malloc((size_t)p->domains * sizeof *p->domain);
    p->merge = malloc((size_t)p->domains * sizeof *p->merge);
    if (p->domain == NULL || p->merge == NULL)
        return false;
    make_domains(A, k, ranks, p);
    tree_merges(Q->tree, p->domain, p->domains, ready, p->merge);
    return true;
}

static void assign_places(struct reflectors *Q, struct panel_tree *p)
{
    for (int d = 0; d < p->domains; d++)
        p->domain[d].place = Q->domains_of[p->domain[d].rank]++;
    for (int i = 0; i < p->domains - 1; i++)
        p->merge[i].place = Q->merges_of[p->domain[p->merge[i].into].rank]++;
    Q->most_domains = p->domains > Q->most_domains ? p->domains : Q->most_domains;
}

bool reflectors_plan(const ompfact_matrix *A, ompfact_tree tree, int ib, struct reflectors *Q)
{
    return reflectors_plan_restored(A, tree, ib, NULL, Q);
}

bool reflectors_plan_restored(const ompfact_matrix *A, ompfact_tree tree, int ib, const int32_t *shapes, struct reflectors *Q)
{
    enum { IB = 16 };
    size_t ranks = (size_t)A->ranks;
    *Q = (struct reflectors){ .A = A, .tree = tree == OMPFACT_TREE_AUTO ? OMPFACT_TREE_GREEDY : tree, .ib = ib > 0 ? ib : IB,
                              .steps = steps_of(A), .width = widest_panel(A), .first = A->done,
                              .first_id = (int64_t)A->mt * A->nt,
                              .domains_of = calloc(ranks, sizeof *Q->domains_of),
                              .merges_of = calloc(ranks, sizeof *Q->merges_of) };
    Q->square_bytes = aligned((size_t)Q->width * (size_t)Q->width * A->precision->size);
    Q->panel = calloc((size_t)Q->steps + 1, sizeof *Q->panel);
    Q->shape = calloc((size_t)Q->steps + 1, sizeof *Q->shape);
    CLEANUP(free_at) int *list = malloc(ranks * sizeof *list);
    CLEANUP(free_at) unsigned char *seen = calloc(ranks, 1);
    CLEANUP(free_at) double *ready = malloc(ranks * sizeof *ready);
    bool made = Q->domains_of != NULL && Q->merges_of != NULL && Q->panel != NULL && Q->shape != NULL && list != NULL &&
                seen != NULL && ready != NULL;
    for (int k = 0; made && k < Q->steps; k++) {
        if (shapes != NULL && k < Q->first) {
            made = panel_restore(A, k, shapes, &Q->panel[k]);
            shapes += shape_length(shapes);
        } else {
            made = divide_panel(Q, k, list, seen, ready);
        }
        if (made)
            assign_places(Q, &Q->panel[k]);
    }
    return made;
}

void reflectors_free(struct reflectors *Q)
{
    for (int k = 0; Q->panel != NULL && k < Q->steps; k++) {
        free(Q->panel[k].domain);
        free(Q->panel[k].merge);
        panel_parts_destroy(&Q->panel[k].parts);
    }
    for (int k = 0; Q->shape != NULL && k < Q->steps; k++)
        free(Q->shape[k]);
    free(Q->panel);
    free(Q->shape);
    free(Q->domains_of);
    free(Q->merges_of);
}

int64_t reflectors_window(const struct reflectors *Q, int rank)
{
    return 2 * (int64_t)Q->square_bytes * ((int64_t)Q->domains_of[rank] + Q->merges_of[rank]);
}

/* The rows of this rank's fullest panel that is to be factored. */
int64_t reflectors_rows(const struct reflectors *Q)
{
    int64_t most = 1;
    for (int k = Q->first; k < Q->steps; k++)
        for (int d = 0; d < Q->panel[k].domains; d++) {
            const struct domain *domain = &Q->panel[k].domain[d];
            most = domain->rank == Q->A->me && domain->rows > most ? domain->rows : most;
        }
    return most;
}

int64_t reflectors_bytes(const struct reflectors *Q)
{
    return reflectors_window(Q, Q->A->me) + reflectors_rows(Q) * Q->width * (int64_t)Q->A->precision->size;
}

/* ---- data that travel ------------------------------------------------------------------------------------------------------ */

/* The most distinct pairs (owner in a column of A, owner in one of C) over the rows of a panel; each is a domain's part on a
   rank. */
static int most_pairs(const struct reflectors *Q, const ompfact_matrix *C, bool *made)
{
    enum { MOST_CHECKS = 20000000 };
    const struct layout *a = Q->A->layout, *c = C->layout;
    int64_t period = a->rows;               /* period of the pairs' sequence: both patterns repeat */
    while (period % c->rows != 0)
        period += a->rows;
    int mt = period < Q->A->mt ? (int)period : Q->A->mt, cols_a = a->cols < Q->steps ? a->cols : Q->steps,
        cols_c = c->cols < C->nt ? c->cols : C->nt, most = 0, ranks = Q->A->ranks;
    if ((double)cols_a * cols_c * mt > MOST_CHECKS || (double)mt * ranks > MOST_CHECKS)
        return mt;      /* an upper bound: each row has one pair */
    int *last = calloc((size_t)mt * (size_t)ranks, sizeof *last), *place = malloc((size_t)ranks * sizeof *place), round = 0;
    *made = last != NULL && place != NULL;
    for (int k = 0; *made && k < cols_a; k++) {
        for (int m = mt - 1; m >= 0; m--)       /* the place of an owner is its first row */
            place[layout_owner(a, m, k)] = m;
        for (int n = 0; n < cols_c; n++) {
            int pairs = 0;
            round++;
            for (int m = 0; m < mt; m++) {
                int *mark = &last[(int64_t)place[layout_owner(a, m, k)] * ranks + layout_owner(c, m, n)];
                pairs += *mark != round;
                *mark = round;
            }
            most = pairs > most ? pairs : most;
        }
    }
    free(last);
    free(place);
    return most;
}

/* For restored panels: the most leaders and other ranks of all blocks in a column. */
static int most_restored_pairs(const struct travel *t)
{
    enum { MOST_CHECKS = 20000000 };
    const struct reflectors *Q = t->Q;
    int columns = t->C->layout->cols < t->C->nt ? t->C->layout->cols : t->C->nt, most = 0;
    double checks = 0;
    for (int k = 0; k < Q->first && Q->panel[k].parts != NULL; k++) {
        const struct panel_tree *p = &Q->panel[k];
        int blocks = 2 * p->domains - 1, pairs = 0;
        checks += (double)columns * p->parts->first[blocks];
        for (int f = 0; f < blocks && checks > MOST_CHECKS; f++) {     /* assumes that each part has another rank */
            int parts = p->parts->first[f + 1] - p->parts->first[f];
            pairs += (parts < Q->A->ranks ? parts : Q->A->ranks) - 1;
        }
        most = pairs > most ? pairs : most;
        for (int n = 0; n < columns && checks <= MOST_CHECKS; n++) {
            pairs = 0;
            for (int f = 0; f < blocks; f++)
                pairs += part_helpers(t, k, f, n);
            most = pairs > most ? pairs : most;
        }
    }
    return most;
}

bool travel_plan(const struct reflectors *Q, const ompfact_matrix *C, struct travel *t)
{
    size_t ranks = (size_t)Q->A->ranks;
    bool made = true;
    *t = (struct travel){ .Q = Q, .C = C, .number = malloc(((size_t)C->nt + 1) * sizeof *t->number),
                          .ranks = malloc(ranks * sizeof *t->ranks), .seen = calloc(ranks, 1) };
    if (t->number != NULL && C->mt > 0 && C->nt > 0)
        made = (t->numbers = layout_number_columns(C->layout, t->number)) > 0;
    t->bytes = aligned((size_t)Q->width * (size_t)(C->cols.largest + (C->has_sums ? SUMS : 0)) * C->precision->size);
    t->pairs = made && Q->A->mt > 0 && C->nt > 0 ? most_pairs(Q, C, &made) : 0;
    int restored = t->ranks != NULL && t->seen != NULL ? most_restored_pairs(t) : 0;
    t->pairs = restored > t->pairs ? restored : t->pairs;
    t->first_id = Q->first_id + (SQUARE_V + 1) * (int64_t)Q->steps * reflectors_blocks(Q);
    return made && t->number != NULL && t->ranks != NULL && t->seen != NULL;
}

void travel_free(struct travel *t)
{
    free(t->number);
    free(t->ranks);
    free(t->seen);
}

int64_t travel_window(const struct travel *t)
{
    return (int64_t)BUFFERS * layout_column_index(t->C->layout, t->C->me, t->C->nt) * (int64_t)t->bytes;
}

int64_t travel_ids(const struct travel *t)
{
    return 2 * (int64_t)t->pairs + reflectors_blocks(t->Q);
}

int64_t travel_bytes(const struct travel *t)
{
    return travel_window(t) + (int64_t)sizeof(int32_t) * travel_ids(t) * t->Q->steps * t->numbers;
}

MPI_Aint travel_place(const struct travel *t, int rank, int column)
{
    int64_t before = (int64_t)BUFFERS * layout_column_index(t->C->layout, rank, column) * (int64_t)t->bytes;
    return (MPI_Aint)(before + (t->behind_squares ? reflectors_window(t->Q, rank) : 0));
}

int64_t travel_last_id(const struct travel *t)
{
    return t->first_id + travel_ids(t) * t->Q->steps * t->numbers;
}

size_t travel_slot_bytes(const struct travel *t)
{
    return t->bytes > t->Q->square_bytes ? t->bytes : t->Q->square_bytes;
}
