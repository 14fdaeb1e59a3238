/* The blocks of reflectors of a QR factorization: who has which, where they are, their memory. */
#include "src/factor/reflectors.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERS = 3 };       /* X and two W */

/* ---- on paper ------------------------------------------------------------------------------------------------------------------ */

static void make_domains(const ompfact_matrix *A, int k, const int *ranks, struct panel_tree *p)
{
    int width = tiling_size(&A->cols, k);
    for (int d = 0; d < p->domains; d++) {
        int top = layout_first(A->layout, ranks[d], k, k);
        int64_t rows = 0;
        for (int m = top; m < A->mt; m = layout_next(A->layout, m, k))
            rows += tiling_size(&A->rows, m);
        p->domain[d] = (struct domain){ .rank = ranks[d], .top = top, .rows = rows, .reflectors = rows < width ? (int)rows : width };
    }
}

static bool make_panel(struct reflectors *Q, int k, int *ranks, unsigned char *seen, double *ready)
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
    for (int d = 0; d < p->domains; d++)
        p->domain[d].place = Q->domains_of[p->domain[d].rank]++;
    for (int i = 0; i < p->domains - 1; i++)
        p->merge[i].place = Q->merges_of[p->domain[p->merge[i].into].rank]++;
    Q->most_domains = p->domains > Q->most_domains ? p->domains : Q->most_domains;
    return true;
}

bool reflectors_plan(const ompfact_matrix *A, ompfact_tree tree, int ib, struct reflectors *Q)
{
    enum { IB = 16 };
    size_t ranks = (size_t)A->ranks;
    *Q = (struct reflectors){ .A = A, .tree = tree == OMPFACT_TREE_AUTO ? OMPFACT_TREE_GREEDY : tree, .ib = ib > 0 ? ib : IB,
                              .steps = steps_of(A), .width = widest_panel(A), .first_id = (int64_t)A->mt * A->nt,
                              .domains_of = calloc(ranks, sizeof *Q->domains_of), .merges_of = calloc(ranks, sizeof *Q->merges_of) };
    Q->square_bytes = aligned((size_t)Q->width * (size_t)Q->width * A->precision->size);
    Q->panel = calloc((size_t)Q->steps + 1, sizeof *Q->panel);
    int *list = malloc(ranks * sizeof *list);
    unsigned char *seen = calloc(ranks, 1);
    double *ready = malloc(ranks * sizeof *ready);
    bool made = Q->domains_of != NULL && Q->merges_of != NULL && Q->panel != NULL && list != NULL && seen != NULL && ready != NULL;
    for (int k = 0; made && k < Q->steps; k++)
        made = make_panel(Q, k, list, seen, ready);
    free(list);
    free(seen);
    free(ready);
    return made;
}

void reflectors_forget(struct reflectors *Q)
{
    for (int k = 0; Q->panel != NULL && k < Q->steps; k++) {
        free(Q->panel[k].domain);
        free(Q->panel[k].merge);
    }
    free(Q->panel);
    free(Q->domains_of);
    free(Q->merges_of);
}

/* Two squares, T and R, for each domain, then V and T for each merge. */
static int64_t squares_bytes(const struct reflectors *Q, int rank)
{
    return 2 * (int64_t)Q->square_bytes * ((int64_t)Q->domains_of[rank] + Q->merges_of[rank]);
}

/* Of my fullest panel. */
static int64_t stack_rows(const struct reflectors *Q)
{
    int64_t most = 1;
    for (int k = 0; k < Q->steps; k++)
        for (int d = 0; d < Q->panel[k].domains; d++) {
            const struct domain *domain = &Q->panel[k].domain[d];
            most = domain->rank == Q->A->me && domain->rows > most ? domain->rows : most;
        }
    return most;
}

int64_t reflectors_bytes(const struct reflectors *Q)
{
    return squares_bytes(Q, Q->A->me) + stack_rows(Q) * Q->width * (int64_t)Q->A->precision->size;
}

static int64_t blocks(const struct reflectors *Q)
{
    return 2 * (int64_t)Q->most_domains;
}

/* ---- operands -------------------------------------------------------------------------------------------------------------------- */

enum { STACK = SQUARE_V + 1 };
static const struct beside kinds[STACK + 1];

struct operand square_of(const struct job *job, enum square what, int k, int f)
{
    const struct reflectors *Q = job->reflectors;
    const ompfact_matrix *A = Q->A;
    const struct panel_tree *p = &Q->panel[k];
    bool merges = f >= p->domains;
    const struct merge *merge = merges ? &p->merge[f - p->domains] : NULL;
    const struct domain *domain = &p->domain[merges ? merge->into : f];
    int width = tiling_size(&A->cols, k);
    int rows = what == SQUARE_V ? p->domain[merge->from].reflectors : merges ? width : domain->reflectors;
    int columns = what == SQUARE_T ? rows : width;
    int64_t square = merges ? 2 * ((int64_t)Q->domains_of[domain->rank] + merge->place) + (what == SQUARE_V)
                            : 2 * (int64_t)domain->place + (what == SQUARE_R);
    struct rma_address address = { .space = Q->space, .rank = domain->rank, .disp = (MPI_Aint)((size_t)square * Q->square_bytes),
                                   .bytes = (size_t)rows * (size_t)columns * A->precision->size, .counts = true,
                                   .id = Q->first_id + ((int64_t)what * Q->steps + k) * blocks(Q) + f };
    struct operand o = beside_operand(&kinds[what], A, k, k, rows, columns, address);
    o.row = f;
    return o;
}

struct operand stack_of(const struct job *job, int k)
{
    const struct reflectors *Q = job->reflectors;
    const ompfact_matrix *A = Q->A;
    struct operand o = beside_operand(&kinds[STACK], A, k, k, tiling_size(&A->rows, k), tiling_size(&A->cols, k),
                                      (struct rma_address){ .rank = A->me, .id = k });
    o.access = UPDATE;
    o.data = (void *)Q->stack;
    return o;
}

void put_triangles(ompfact_matrix *A, const struct reflectors *Q)
{
    const struct job job = { .A = A, .reflectors = Q };
    for (int k = 0; k < Q->steps; k++) {
        struct operand R = square_of(&job, SQUARE_R, k, 0);
        if (!R.mine || Q->panel[k].domains == 1)
            continue;
        char *tile = matrix_tile(A, k, k);
        size_t size = A->precision->size, ld = (size_t)tiling_size(&A->rows, k);
        for (int j = 0; j < R.nb; j++)
            memcpy(tile + (size_t)j * ld * size, (char *)R.data + (size_t)j * (size_t)R.mb * size, ((size_t)j + 1) * size);
    }
}

/* ---- who reads it ------------------------------------------------------------------------------------------------------------- */

/* The ranks that have tiles of this row right of the panel. */
static int row_readers(const struct job *job, const struct operand *o, int row, int *ranks)
{
    const ompfact_matrix *A = job->reflectors->A;
    return others(ranks, layout_row_owners(A->layout, row, o->j + 1, A->nt, ranks, job->seen), o->address.rank);
}

int panel_readers(const struct job *job, const struct operand *tile, int *ranks)
{
    return row_readers(job, tile, tile->i, ranks);
}

/* A block's T goes where its leaders are, */
static int t_readers(const struct job *job, const struct operand *o, int *ranks)
{
    const struct panel_tree *p = &job->reflectors->panel[o->j];
    int f = (int)o->row;
    return row_readers(job, o, p->domain[f < p->domains ? f : p->merge[f - p->domains].into].top, ranks);
}

/* V of a merge where its tails are, */
static int v_readers(const struct job *job, const struct operand *o, int *ranks)
{
    const struct panel_tree *p = &job->reflectors->panel[o->j];
    return row_readers(job, o, p->domain[p->merge[o->row - p->domains].from].top, ranks);
}

/* and a triangle up the tree. */
static int r_readers(const struct job *job, const struct operand *o, int *ranks)
{
    const struct panel_tree *p = &job->reflectors->panel[o->j];
    int f = (int)o->row;
    for (int i = 0; i < p->domains - 1; i++)
        if (p->merge[i].from == f)
            ranks[0] = p->domain[p->merge[i].into].rank;
    return f > 0;
}

static const struct beside kinds[STACK + 1] = {
    [SQUARE_T] = { "a block reflector's triangular factor", t_readers },
    [SQUARE_R] = { "a panel's triangle",                    r_readers },
    [SQUARE_V] = { "a merge's reflectors",                  v_readers },
    [STACK]    = { "a panel's stack",                       NULL },
};

/* ---- what travels ---------------------------------------------------------------------------------------------------------------- */

/* Distinct pairs (owner in a column of A, owner in one of C) of a row, at most; each is a domain's part on a rank. */
static int most_pairs(const struct reflectors *Q, const ompfact_matrix *C, bool *made)
{
    enum { LOOKS = 20000000 };
    const struct layout *a = Q->A->layout, *c = C->layout;
    int64_t period = (int64_t)a->rows * c->rows;     /* of the pairs' sequence, or a multiple of it */
    int mt = period < Q->A->mt ? (int)period : Q->A->mt, cols_a = a->cols < Q->steps ? a->cols : Q->steps, cols_c = c->cols < C->nt ? c->cols : C->nt, most = 0;
    if ((double)cols_a * cols_c * mt > LOOKS || (double)Q->A->ranks * Q->A->ranks > LOOKS)
        return mt;      /* no pair is counted twice */
    int *last = calloc((size_t)Q->A->ranks * (size_t)Q->A->ranks, sizeof *last), look = 0;
    *made = last != NULL;
    for (int k = 0; *made && k < cols_a; k++)
        for (int n = 0; n < cols_c; n++) {
            int pairs = 0;
            look++;
            for (int m = 0; m < mt; m++) {
                int *mark = &last[(int64_t)layout_owner(a, m, k) * Q->A->ranks + layout_owner(c, m, n)];
                pairs += *mark != look;
                *mark = look;
            }
            most = pairs > most ? pairs : most;
        }
    free(last);
    return most;
}

bool travel_plan(const struct reflectors *Q, const ompfact_matrix *C, struct travel *t)
{
    size_t ranks = (size_t)Q->A->ranks;
    bool made = true;
    *t = (struct travel){ .Q = Q, .C = C, .ranks = malloc(ranks * sizeof *t->ranks), .seen = calloc(ranks, 1) };
    t->bytes = aligned((size_t)Q->width * (size_t)C->cols.largest * C->precision->size);
    t->pairs = Q->A->mt > 0 && C->nt > 0 ? most_pairs(Q, C, &made) : 0;
    t->first_id = Q->first_id + (SQUARE_V + 1) * (int64_t)Q->steps * blocks(Q);
    return made && t->ranks != NULL && t->seen != NULL;
}

void travel_forget(struct travel *t)
{
    free(t->ranks);
    free(t->seen);
}

static int64_t travel_window(const struct travel *t)
{
    return (int64_t)BUFFERS * layout_column_index(t->C->layout, t->C->me, t->C->nt) * (int64_t)t->bytes;
}

int64_t travel_ids(const struct travel *t)
{
    return 2 * (int64_t)t->pairs + blocks(t->Q);
}

int64_t travel_bytes(const struct travel *t)
{
    return travel_window(t) + (int64_t)sizeof(int32_t) * travel_ids(t) * t->Q->steps * t->C->nt;
}

MPI_Aint travel_place(const struct travel *t, int rank, int column)
{
    int64_t before = (int64_t)BUFFERS * layout_column_index(t->C->layout, rank, column) * (int64_t)t->bytes;
    return (MPI_Aint)(before + (t->behind_squares ? squares_bytes(t->Q, rank) : 0));
}

static int64_t last_id(const struct travel *t)
{
    return t->first_id + travel_ids(t) * t->Q->steps * t->C->nt;
}

size_t travel_slot_bytes(const struct travel *t)
{
    return t->bytes > t->Q->square_bytes ? t->bytes : t->Q->square_bytes;
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------------- */

static ompfact_status allocate(struct reflectors *Q, ompfact_grid *grid)
{
    int me = Q->A->me;
    TRY(memory_check(grid, reflectors_bytes(Q) + travel_bytes(Q->travel), "block reflectors and what travels between tiles"));
    Q->stack = row_stack_create(stack_rows(Q), Q->width > 0 ? Q->width : 1, Q->A->precision->size, false);
    ompfact_status status = Q->stack != NULL ? OMPFACT_SUCCESS : fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a panel", me);
    TRY(agree(grid, status));
    TRY_MPI(grid, rma_space_create(grid->rma, (size_t)(squares_bytes(Q, me) + travel_window(Q->travel)), last_id(Q->travel),
                                   Q->A->mt > 0 ? Q->A->mt : 1, &Q->space));
    Q->travel->space = Q->space;
    return OMPFACT_SUCCESS;
}

static ompfact_status too_large(ompfact_grid *grid)
{
    return fail(grid, OMPFACT_BAD_ARGUMENT, "QR cannot move 2 GiB or more in one piece: take smaller tiles");
}

void travel_destroy(struct travel **travel)
{
    struct travel *t = *travel;
    if (t == NULL)
        return;
    if (!t->behind_squares)
        rma_space_destroy(&t->space);
    travel_forget(t);
    free(t);
    *travel = NULL;
}

static void destroy(struct attachment *attachment)
{
    struct reflectors *Q = (struct reflectors *)attachment;
    travel_destroy(&Q->travel);
    rma_space_destroy(&Q->space);
    row_stack_destroy(&Q->stack);
    reflectors_forget(Q);
    free(Q);
}

struct reflectors *reflectors_of(const ompfact_matrix *A)
{
    return (struct reflectors *)matrix_attached(A, destroy);
}

static ompfact_status create(ompfact_matrix *A, struct reflectors **reflectors)
{
    ompfact_grid *grid = A->grid;
    struct reflectors *Q = calloc(1, sizeof *Q);
    struct travel *t = calloc(1, sizeof *t);
    ompfact_status status = OMPFACT_SUCCESS;
    if (Q == NULL || t == NULL || !reflectors_plan(A, grid->tree, grid->ib, Q) || !travel_plan(Q, A, t))
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory to plan a QR factorization", A->me);
    else if (travel_slot_bytes(t) > INT_MAX)
        status = too_large(grid);
    if (Q != NULL)
        Q->travel = t;
    else
        free(t);
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS) {
        t->behind_squares = true;
        status = allocate(Q, grid);
    }
    if (status == OMPFACT_SUCCESS) {
        Q->attached.destroy = destroy;
        matrix_attach(A, &Q->attached);
        *reflectors = Q;
    } else if (Q != NULL) {
        destroy(&Q->attached);
    }
    return status;
}

ompfact_status reflectors_get(ompfact_matrix *A, struct reflectors **Q)
{
    *Q = reflectors_of(A);
    return *Q != NULL ? OMPFACT_SUCCESS : create(A, Q);
}

void reflectors_memory(const struct job *job, struct job_plan *plan)
{
    plan_beside(plan, job->reflectors->space, false, travel_slot_bytes(job->travel));
}

ompfact_status travel_create(const struct reflectors *Q, ompfact_matrix *C, struct travel **travel)
{
    ompfact_grid *grid = C->grid;
    struct travel *t = calloc(1, sizeof *t);
    ompfact_status status = OMPFACT_SUCCESS;
    if (t == NULL || !travel_plan(Q, C, t))
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory to plan a product with Q", C->me);
    else if (travel_slot_bytes(t) > INT_MAX)
        status = too_large(grid);
    status = agree(grid, status);
    if (status == OMPFACT_SUCCESS) {
        t->first_id = 0;
        status = memory_check(grid, travel_bytes(t), "what travels between tiles");
    }
    if (status == OMPFACT_SUCCESS) {
        int code = rma_space_create(grid->rma, (size_t)travel_window(t), last_id(t), C->mt > 0 ? C->mt : 1, &t->space);
        status = code == MPI_SUCCESS ? OMPFACT_SUCCESS : fail_mpi(grid, code);
    }
    if (status != OMPFACT_SUCCESS)
        travel_destroy(&t);
    *travel = t;
    return status;
}
