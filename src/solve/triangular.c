/*
 * Solves with the factors: op(T) X = B, T triangular, by substitution on tile rows.
 *
 *     forward (op(T) lower), k = 0, 1, ...             X_k = op(T)_kk^-1 (B_k - sum_q W_kq)
 *     backward (op(T) upper), k = mt-1, mt-2, ...      W_mq += op(T)_mk X_k    on that tile's rank q, m to come
 *
 * Of factors with signs, A = T J T^H (src/factor/sytrf.c), T's diagonal tiles are G; the way back begins with B_k = J_k B_k.
 *
 * No tile of T travels, but T_kk where factors are spread over the layers of a matrix in copies (src/matrix/layers.h). Each rank
 * adds up what its own tiles contribute to tile row m in W_mq, and the owner of X_m collects one partial sum from each rank that
 * has tiles in that row; X_k goes to the ranks that have tiles in its column. X_k lives where T_kk does, spread factors at home.
 * W is a matrix of one block column a rank (matrix_create.c), so partial sums are published and fetched like any tile.
 */
#include "src/factor/signs.h"
#include "src/matrix/layers.h"
#include "src/solve/triangular.h"

struct operand columns_of(const struct job *job, struct operand tile)
{
    tile.nb = tiling_size(&job->B->cols, job->column);
    tile.address.bytes = (size_t)tile.mb * (size_t)tile.nb * tile.precision->size;
    return tile;
}

/* The owners of tiles from .. to - 1 in row or column k of T, on any layer. */
static int owners_on_layers(const struct job *job, bool row, int k, int from, int to, int *ranks)
{
    int count = 0;
    for (int q = from; q < to; q++) {
        int i = row ? k : q, j = row ? q : k, rank = layout_owner(factor_at(job->A, i, j)->layout, i, j);
        if (!job->seen[rank])
            ranks[count++] = rank;
        job->seen[rank] = 1;
    }
    for (int c = 0; c < count; c++)
        job->seen[ranks[c]] = 0;
    return count;
}

int factor_owners(const struct job *job, bool row, int k, int from, int to, int *ranks)
{
    const struct layout *l = job->A->layout;
    bool in_row = row == (job->trans == NO_TRANS);
    if (is_spread(job->A))
        return owners_on_layers(job, in_row, k, from, to, ranks);
    return in_row ? layout_row_owners(l, k, from, to, ranks, job->seen) : layout_column_owners(l, k, from, to, ranks, job->seen);
}

static struct operand factor_tile(const struct job *job, int m, int k)
{
    return job->trans == NO_TRANS ? fetch(job->A, m, k) : fetch(job->A, k, m);
}

static struct operand partial_sum(const struct job *job, int m, int q)
{
    return columns_of(job, fetch(job->W, m, q));
}

/* This rank's partial sum of row m; final after the last step in which the rank has a tile in that row. */
static struct operand my_sum(const struct job *job, int m, int step)
{
    int me = job->A->me;
    return columns_of(job, job->last_step[m] == step ? final(job->W, m, me) : tile(job->W, m, me));
}

void solve_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *T = job->A, *B = job->B;
    int mt = T->mt, c = job->column;
    for (int step = 0; step < mt; step++) {
        int k = is_forward(job) ? step : mt - 1 - step;
        run_step(run, step, step);
        if (owns(B, k, c)) {
            /* the owners of tiles of op(T) in row k left of (forward) or right of (backward) the diagonal */
            int count = factor_owners(job, true, k, is_forward(job) ? 0 : k + 1, is_forward(job) ? k : mt, job->ranks);
            if (job->signs != NULL && !is_forward(job))
                task_signs(run, signs_at(job, k), tile(B, k, c));                                   /* B_k = J_k B_k */
            for (int q = 0; q < count; q++)
                task_add(run, -1, partial_sum(job, k, job->ranks[q]), tile(B, k, c));               /* B_k -= W_kq */
            if (job->signs != NULL)                                                                 /* X_k = op(G)_k^-1 B_k */
                task_signed_solve(run, LEFT, job->trans, false, fetch_factor(T, k, k), signs_at(job, k), final(B, k, c));
            else                                                                                    /* X_k = op(T)_kk^-1 B_k */
                task_trsm(run, LEFT, job->uplo, job->trans, job->diag, fetch_factor(T, k, k), final(B, k, c));
        }
        for (int m = next_factor(job, k, is_forward(job) ? k + 1 : 0); m < (is_forward(job) ? mt : k);
             m = next_factor(job, k, m + 1)) {
            struct operand X_k = fetch(B, k, c), W_m = my_sum(job, m, step);
            task_gemm(run, 1, job->trans, factor_tile(job, m, k), NO_TRANS, X_k, W_m);              /* W_mq += op(T)_mk X_k */
        }
    }
}
