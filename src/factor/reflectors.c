/* The data of QR beside the matrix: their operands and readers. */
#include "src/factor/reflectors.h"

#include <string.h>

enum { STACK = SQUARE_V + 1 };
static const struct beside kinds[STACK + 1];

struct operand square_of(const struct job *job, enum qr_square what, int k, int f)
{
    const struct reflectors *Q = job->reflectors;
    const ompfact_matrix *A = Q->A;
    const struct panel_tree *p = &Q->panel[k];
    bool merges = f >= p->domains;
    const struct qr_merge *merge = merges ? &p->merge[f - p->domains] : NULL;
    const struct domain *domain = &p->domain[merges ? merge->into : f];
    int width = tiling_size(&A->cols, k);
    int rows = what == SQUARE_V ? p->domain[merge->from].reflectors : merges ? width : domain->reflectors;
    int columns = what == SQUARE_T ? rows : width;
    int64_t square = merges ? 2 * ((int64_t)Q->domains_of[domain->rank] + merge->place) + (what == SQUARE_V)
                            : 2 * (int64_t)domain->place + (what == SQUARE_R);
    struct rma_address address = { .space = Q->space, .rank = domain->rank, .disp = (MPI_Aint)((size_t)square * Q->square_bytes),
                                   .bytes = (size_t)rows * (size_t)columns * A->precision->size, .counts = true,
                                   .id = Q->first_id + ((int64_t)what * Q->steps + k) * reflectors_blocks(Q) + f };
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
    o.apart = panel_device(A, Q->stack, k);
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

/* ---- readers ------------------------------------------------------------------------------------------------------------ */

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

/* The block's leaders read T. */
static int t_readers(const struct job *job, const struct operand *o, int *ranks)
{
    const struct panel_tree *p = &job->reflectors->panel[o->j];
    int f = (int)o->row;
    return row_readers(job, o, p->domain[f < p->domains ? f : p->merge[f - p->domains].into].top, ranks);
}

/* The owners of the tails read V of a merge. */
static int v_readers(const struct job *job, const struct operand *o, int *ranks)
{
    const struct panel_tree *p = &job->reflectors->panel[o->j];
    return row_readers(job, o, p->domain[p->merge[o->row - p->domains].from].top, ranks);
}

/* The next rank in the tree reads a triangle. */
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
