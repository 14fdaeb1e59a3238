/* A block of reflectors on a tile column: in, scale, out. reflectors.h describes this, and why memory can be used again. */
#include "src/factor/restored.h"

/* ---- data that travel --------------------------------------------------------------------------------------------------- */

enum kind { FROM_TILES, SCALED, SIGNAL };       /* X, W, signal */
static const struct beside kinds[SIGNAL + 1];
enum { OF_FROM_TILES, OF_SCALED };              /* buffers of a column; the second one of W is behind the first */

/* The present block on a column of C. */
struct block {
    int k, n, f;            /* panel, column, index in the panel */
    int size;               /* number of reflectors */
    int leader;
    int first_pair;         /* the first pair (leader, other rank) of this block in this step and column */
};

static struct operand travelling(const struct job *job, const struct block *b, enum kind kind, int rank, int pair)
{
    const struct travel *t = job->travel;
    const ompfact_matrix *C = t->C;
    int buffer = kind == SCALED ? OF_SCALED + b->f % 2 : OF_FROM_TILES;
    int mb = b->size, nb = tiling_size(&C->cols, b->n) + (job->guard != NULL ? SUMS : 0);
    struct rma_address address = { .space = t->space, .rank = rank, .bytes = (size_t)mb * (size_t)nb * C->precision->size,
                                   .counts = kind != SIGNAL, .unit = kind == SIGNAL };
    address.disp = travel_place(t, rank, b->n) + (MPI_Aint)((size_t)buffer * t->bytes);
    address.id = t->first_id + ((int64_t)b->k * t->numbers + t->number[b->n]) * travel_ids(t) +
                 (kind == SCALED ? 2 * t->pairs + b->f : 2 * pair + (kind == SIGNAL));
    struct operand o = beside_operand(&kinds[kind], C, b->k, b->n, mb, nb, address);
    o.row = b->f;
    o.split = split_of(C, b->n);
    return o;
}

/* Ranks other than the leader that have tiles in column n of a domain's rows. Writes them to t->ranks; returns their number. */
static int helpers(const struct job *job, const struct domain *d, int k, int n)
{
    const struct travel *t = job->travel;
    const struct layout *rows = t->Q->A->layout, *c = t->C->layout;
    int count = 0, leader = layout_owner(c, d->top, n);
    t->seen[leader] = 1;
    for (int m = d->top; m < t->C->mt; m = layout_next(rows, m, k)) {
        int rank = layout_owner(c, m, n);
        if (t->seen[rank])
            continue;
        t->seen[rank] = 1;
        t->ranks[count++] = rank;
    }
    t->seen[leader] = 0;
    for (int i = 0; i < count; i++)
        t->seen[t->ranks[i]] = 0;
    return count;
}

/* The block's leader reads a share of V^H C, and a signal. */
static int leader_reads(const struct job *job, const struct operand *o, int *ranks)
{
    const struct travel *t = job->travel;
    const struct panel_tree *p = &t->Q->panel[o->i];
    int f = (int)o->row, first = f >= p->domains ? p->merge[f - p->domains].into : f;
    ranks[0] = layout_owner(t->C->layout, p->domain[first].top, o->j);
    return 1;
}

/* The ranks that help the leader of a domain read W; for a merge it is the leader of the tail. */
static int helpers_read(const struct job *job, const struct operand *o, int *ranks)
{
    const struct travel *t = job->travel;
    const struct panel_tree *p = &t->Q->panel[o->i];
    int f = (int)o->row;
    if (f >= p->domains && p->parts == NULL) {
        ranks[0] = layout_owner(t->C->layout, p->domain[p->merge[f - p->domains].from].top, o->j);
        return ranks[0] != o->address.rank;
    }
    int count = p->parts != NULL ? part_helpers(t, o->i, f, o->j) : helpers(job, &p->domain[f], o->i, o->j);
    for (int i = 0; i < count; i++)
        ranks[i] = t->ranks[i];
    return count;
}

static const struct beside kinds[SIGNAL + 1] = {
    [FROM_TILES] = { "a share of V^H C",                  leader_reads },
    [SCALED]     = { "a scaled V^H C",                    helpers_read },
    [SIGNAL]     = { "a signal that it has been used",    leader_reads },
};

/* ---- a restored block ---------------------------------------------------------------------------------------------------- */

static const struct panel_parts *parts_of(const struct job *job, const struct block *b)
{
    return job->reflectors->panel[b->k].parts;
}

/* The block's next part in this rank's tiles, from part i on, or the block's end. */
static int my_part(const struct job *job, const struct block *b, int i)
{
    const struct panel_parts *p = parts_of(job, b);
    while (i < p->first[b->f + 1] && !owns(job->travel->C, p->part[i].m, b->n))
        i++;
    return i;
}

/* Whether it is the diagonal tile, where R is above V. */
static bool is_top(const struct block *b, const struct block_part *part)
{
    return b->f == 0 && part->m == b->k;
}

/* The rows of V in this part; false: they are rows of a unit matrix. */
static bool reflectors_of_part(const struct job *job, const struct block *b, const struct block_part *part, struct operand *V,
                               struct row_range *rows)
{
    bool merge = b->f >= job->reflectors->panel[b->k].domains;
    *rows = part->rows;
    if (merge && rows->v < b->size)
        return false;
    rows->v -= merge ? b->size : 0;
    *V = merge ? square_of(job, SQUARE_V, b->k, b->f) : fetch(job->reflectors->A, part->m, b->k);
    return true;
}

static void add_up_parts(struct run *run, const struct job *job, const struct block *b, enum access last, struct operand X)
{
    const struct panel_parts *p = parts_of(job, b);
    int first = my_part(job, b, p->first[b->f]), end = p->first[b->f + 1];
    for (int i = first, next; i < end; i = next) {
        struct operand V, C = of_column(peek(job->travel->C, p->part[i].m, b->n));
        struct row_range rows;
        next = my_part(job, b, i + 1);
        X.access = next < end ? UPDATE : last;
        if (reflectors_of_part(job, b, &p->part[i], &V, &rows))
            task_reflect_in(run, i == first, is_top(b, &p->part[i]), &rows, V, C, X);
        else
            task_head_in(run, i == first, &rows, C, X);
    }
}

static void subtract_parts(struct run *run, const struct job *job, const struct block *b, struct operand W,
                           const struct operand *X)
{
    const struct panel_parts *p = parts_of(job, b);
    int end = p->first[b->f + 1];
    for (int i = my_part(job, b, p->first[b->f]); i < end; i = my_part(job, b, i + 1)) {
        struct operand V, C = of_column(tile(job->travel->C, p->part[i].m, b->n));
        struct row_range rows;
        if (reflectors_of_part(job, b, &p->part[i], &V, &rows))
            task_reflect_out(run, is_top(b, &p->part[i]), &rows, V, W, X, C);
        else
            task_head_out(run, &rows, W, X, C);
    }
}

/* ---- a domain ----------------------------------------------------------------------------------------------------------- */

/* This rank's next tile of the domain in column n, from tile row m on, or mt. */
static int my_next(const struct job *job, const struct block *b, int m)
{
    const ompfact_matrix *C = job->travel->C;
    while (m < C->mt && !owns(C, m, b->n))
        m = layout_next(job->reflectors->A->layout, m, b->k);
    return m;
}

static int my_first(const struct job *job, const struct block *b, const struct domain *d)
{
    return my_next(job, b, d->top);
}

static int my_following(const struct job *job, const struct block *b, int m)
{
    return my_next(job, b, layout_next(job->reflectors->A->layout, m, b->k));
}

/* C_mn, which this rank owns. */
static struct operand read_tile(const struct job *job, const struct block *b, int m)
{
    return with_access(READ, of_column(tile(job->travel->C, m, b->n)));
}

static struct operand write_tile(const struct job *job, const struct block *b, int m)
{
    return of_column(tile(job->travel->C, m, b->n));
}

/* X += V_mk^H C_mn over this rank's tiles. `last`: the access to X for the last tile. */
static void add_up(struct run *run, const struct job *job, const struct block *b, const struct domain *d, enum access last,
                   struct operand X)
{
    const ompfact_matrix *A = job->reflectors->A, *C = job->travel->C;
    bool first = true;
    if (parts_of(job, b) != NULL) {
        add_up_parts(run, job, b, last, X);
        return;
    }
    for (int m = my_first(job, b, d), next; m < C->mt; m = next, first = false) {
        next = my_following(job, b, m);
        task_reflect_in(run, first, m == d->top, NULL, fetch(A, m, b->k), read_tile(job, b, m),
                        with_access(next < C->mt ? UPDATE : last, X));
    }
}

/* C_mn -= V_mk W on this rank's tiles. */
static void subtract(struct run *run, const struct job *job, const struct block *b, const struct domain *d, struct operand W,
                     const struct operand *X)
{
    const ompfact_matrix *A = job->reflectors->A, *C = job->travel->C;
    if (parts_of(job, b) != NULL) {
        subtract_parts(run, job, b, W, X);
        return;
    }
    for (int m = my_first(job, b, d); m < C->mt; m = my_following(job, b, m))
        task_reflect_out(run, m == d->top, NULL, fetch(A, m, b->k), W, X, write_tile(job, b, m));
}

static void lead_domain(struct run *run, const struct job *job, const struct block *b, const struct domain *d, int count)
{
    int me = job->travel->C->me;
    const int *ranks = job->travel->ranks;
    struct operand W = travelling(job, b, SCALED, me, 0);
    add_up(run, job, b, d, UPDATE, with_access(UPDATE, W));                                             /* W = sum V_mk^H C_mn */
    for (int i = 0; i < count; i++)
        task_add(run, 1, travelling(job, b, FROM_TILES, ranks[i], b->first_pair + i), with_access(UPDATE, W));
    /* W = op(T) W */
    task_trmm(run, job->trans, square_of(job, SQUARE_T, b->k, b->f), with_access(count > 0 ? FINAL : UPDATE, W));
    subtract(run, job, b, d, W, NULL);                                                                  /* C_mn -= V_mk W */
    for (int i = 0; i < count; i++)
        task_wait(run, travelling(job, b, SIGNAL, ranks[i], b->first_pair + i), with_access(UPDATE, W));
}

static void help_domain(struct run *run, const struct job *job, const struct block *b, const struct domain *d, int pair)
{
    int me = job->travel->C->me;
    struct operand X = travelling(job, b, FROM_TILES, me, pair);
    add_up(run, job, b, d, FINAL, X);
    subtract(run, job, b, d, travelling(job, b, SCALED, b->leader, 0), &X);
    task_release(run, with_access(FINAL, travelling(job, b, SIGNAL, me, pair)));
}

/* For a domain, or for any block of a restored panel. Returns the number of helping ranks. */
static int reflect_domain(struct run *run, const struct job *job, struct block *b)
{
    const struct travel *t = job->travel;
    const struct panel_tree *p = &job->reflectors->panel[b->k];
    const struct domain *d = &p->domain[b->f < p->domains ? b->f : p->merge[b->f - p->domains].into];
    b->size = d->reflectors;
    b->leader = layout_owner(t->C->layout, d->top, b->n);
    int count = p->parts != NULL ? part_helpers(t, b->k, b->f, b->n) : helpers(job, d, b->k, b->n);
    if (b->leader == t->C->me)
        lead_domain(run, job, b, d, count);
    for (int i = 0; i < count; i++)
        if (t->ranks[i] == t->C->me) {
            help_domain(run, job, b, d, b->first_pair + i);
            break;
        }
    return count;
}

/* ---- a merge ------------------------------------------------------------------------------------------------------------ */

/* This rank owns the head, C_top of `into`, or the tail, C_top of `from`, or both. */
static void reflect_both(struct run *run, const struct job *job, const struct block *b, int head, int tail)
{
    const ompfact_matrix *C = job->travel->C;
    struct operand V = square_of(job, SQUARE_V, b->k, b->f), W = travelling(job, b, SCALED, C->me, 0),
                   to_W = with_access(UPDATE, W);
    task_reflect_in(run, true, false, NULL, V, read_tile(job, b, tail), to_W);                          /* W = C_a + V^H C_b */
    task_head_in(run, false, NULL, read_tile(job, b, head), to_W);
    task_trmm(run, job->trans, square_of(job, SQUARE_T, b->k, b->f), to_W);                             /* W = op(T) W */
    task_head_out(run, NULL, W, NULL, write_tile(job, b, head));                                        /* C_a -= W */
    task_reflect_out(run, false, NULL, V, W, NULL, write_tile(job, b, tail));                           /* C_b -= V W */
}

static void reflect_head(struct run *run, const struct job *job, const struct block *b, int head, int helper)
{
    const ompfact_matrix *C = job->travel->C;
    struct operand W = travelling(job, b, SCALED, C->me, 0), to_W = with_access(UPDATE, W);
    task_head_in(run, true, NULL, read_tile(job, b, head), to_W);                                       /* W = C_a + X_b */
    task_add(run, 1, travelling(job, b, FROM_TILES, helper, b->first_pair), to_W);
    task_trmm(run, job->trans, square_of(job, SQUARE_T, b->k, b->f), with_access(FINAL, W));            /* W = op(T) W */
    task_head_out(run, NULL, W, NULL, write_tile(job, b, head));                                        /* C_a -= W */
    task_wait(run, travelling(job, b, SIGNAL, helper, b->first_pair), to_W);
}

static void reflect_tail(struct run *run, const struct job *job, const struct block *b, int tail)
{
    const ompfact_matrix *C = job->travel->C;
    struct operand V = square_of(job, SQUARE_V, b->k, b->f), X = travelling(job, b, FROM_TILES, C->me, b->first_pair);
    task_reflect_in(run, true, false, NULL, V, read_tile(job, b, tail), with_access(FINAL, X));         /* X_b = V^H C_b */
    /* C_b -= V W */
    task_reflect_out(run, false, NULL, V, travelling(job, b, SCALED, b->leader, 0), &X, write_tile(job, b, tail));
    task_release(run, with_access(FINAL, travelling(job, b, SIGNAL, C->me, b->first_pair)));
}

/* Returns whether two ranks have the tiles of the merge. */
static int reflect_merge(struct run *run, const struct job *job, struct block *b)
{
    const ompfact_matrix *C = job->travel->C;
    const struct panel_tree *p = &job->reflectors->panel[b->k];
    const struct qr_merge *merge = &p->merge[b->f - p->domains];
    int head = p->domain[merge->into].top, tail = p->domain[merge->from].top, helper = layout_owner(C->layout, tail, b->n);
    b->size = p->domain[merge->into].reflectors;
    b->leader = layout_owner(C->layout, head, b->n);
    if (b->leader == C->me && helper == C->me)
        reflect_both(run, job, b, head, tail);
    else if (b->leader == C->me)
        reflect_head(run, job, b, head, helper);
    else if (helper == C->me)
        reflect_tail(run, job, b, tail);
    return b->leader != helper;
}

/* ---- a panel's blocks: for Q^H in their order, for Q in the reverse order ----------------------------------------------- */

void reflect_column(struct run *run, const struct job *job, int k, int n)
{
    const struct panel_tree *p = &job->reflectors->panel[k];
    int blocks = 2 * p->domains - 1, pair = 0;
    for (int i = 0; i < blocks; i++) {
        struct block b = { .k = k, .n = n, .f = job->trans == NO_TRANS ? blocks - 1 - i : i, .first_pair = pair };
        pair += b.f < p->domains || p->parts != NULL ? reflect_domain(run, job, &b) : reflect_merge(run, job, &b);
    }
}
