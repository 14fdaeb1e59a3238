/*
 * Cholesky factors of a matrix that changes by a few columns (Golub, Van Loan, "Matrix Computations", section 6.5; what Q_j is,
 * and how V V^H is taken away, omp/kernels/update_reflectors.h says).
 *
 *     A +- V V^H = ( L V ) ( I     ) ( L V )^H                 ( L_jj V_j ) Q_j = ( L'_jj 0    )
 *                          (   +-I )                           ( L_ij V_i )       ( L'_ij V'_i )      i > j
 *
 * So V_i goes along its tile row, from the owner of one tile of L to that of the next, which changes both; where A is given by
 * its upper triangle the tiles are those of L = U^H, as in potrf.c. Tile columns of V are taken one after the other.
 *
 * Who writes what when. A rank has a place for Q_j of each step and for V_i of each tile row, for each tile column of V. Q_j is
 * written once, by the owner of (j,j), and read by those of the tiles below. V_i is written by who has come to (i,j) and read by
 * the owner of (i,j+1), if that is another rank, which copies it to its own place. A rank writes its place of V_i again when V_i
 * has come back to it, through all owners between: each of them has read what the one before left before it told the next one. So
 * nobody writes what others may still read, and each V_ij has a flag of its own.
 *
 * Why nothing waits for ever. A task waits for tasks and tiles alone that come before it in the order of the loops, the same on
 * all ranks: what run.h asks for.
 */
#include "omp/kernels/update_reflectors.h"
#include "src/factor/beside.h"
#include "src/solve/refine.h"

struct update {
    struct rma_space *space;
    double alpha;                   /* 1 or -1: the matrix becomes A + alpha V V^H */
    size_t reflectors_bytes, rows_bytes;        /* bytes of one place of Q_j and of V_i */
};

/* ---- what goes from rank to rank ------------------------------------------------------------------------------------------ */

static int reflectors_readers(const struct job *job, const struct operand *Q, int *ranks)
{
    int count = layout_column_owners(job->A->layout, Q->j, Q->j + 1, job->A->mt, ranks, job->seen);
    return others(ranks, count, Q->address.rank);
}

static int rows_readers(const struct job *job, const struct operand *V, int *ranks)
{
    ranks[0] = layout_owner(job->A->layout, V->i, V->j + 1);
    return ranks[0] != V->address.rank;
}

static const struct beside reflectors_kind = { "reflectors", reflectors_readers };
static const struct beside rows_kind = { "added rows", rows_readers };

/* Q_j of tile column c of V. */
static struct operand reflectors(const struct job *job, int j, int c)
{
    const ompfact_matrix *A = job->A;
    const struct update *u = job->update;
    int n = tiling_size(&A->rows, j), k = tiling_size(&job->B->cols, c);
    int64_t number = (int64_t)c * A->mt + j;
    struct rma_address address = { .space = u->space, .rank = layout_owner(A->layout, j, j), .id = number,
                                   .disp = (MPI_Aint)(u->reflectors_bytes * (size_t)number),
                                   .bytes = update_reflectors_bytes(n, k, A->precision->size), .counts = true };
    return beside_operand(&reflectors_kind, A, j, j, k, n, address);
}

/* Tile (i,c) of V after tile (i,j) of L, with the owner of tile (i,j). */
static struct operand rows_behind(const struct job *job, int i, int j, int c)
{
    const ompfact_matrix *A = job->A;
    const struct update *u = job->update;
    int m = tiling_size(&A->rows, i), k = tiling_size(&job->B->cols, c);
    int64_t mt = A->mt, columns = job->B->nt, places = columns * mt, number = (int64_t)c * mt + i;
    struct rma_address address = { .space = u->space, .rank = layout_owner(A->layout, i, j), .counts = true,
                                   .id = places + c * (mt * (mt + 1) / 2) + (int64_t)i * (i + 1) / 2 + j,
                                   .disp = (MPI_Aint)(u->reflectors_bytes * (size_t)places + u->rows_bytes * (size_t)number),
                                   .bytes = (size_t)m * (size_t)k * A->precision->size };
    return beside_operand(&rows_kind, A, i, j, m, k, address);
}

/* The same tile before tile (i,j), in the place from which it will leave, to be changed. */
static struct operand rows_at(struct run *run, const struct job *job, int i, int j, int c)
{
    struct operand V = with_access(UPDATE, rows_behind(job, i, j, c));
    V.due = i;
    if (j == 0)
        task_copy(run, fetch(job->B, i, c), V);
    else if (!owns(job->A, i, j - 1))
        task_copy(run, rows_behind(job, i, j - 1, c), V);
    return V;
}

/* Rows near the diagonal are more urgent. */
static struct operand factor_tile(const struct job *job, int i, int j)
{
    struct operand L = tile(job->A, i, j);
    L.due = i;
    return L;
}

/* ---- loops ----------------------------------------------------------------------------------------------------------------- */

static void step(struct run *run, const struct job *job, int j, int c)
{
    const ompfact_matrix *L = job->A;
    double alpha = job->update->alpha;
    struct operand Q = reflectors(job, j, c);
    if (Q.mine) {
        struct operand V = rows_at(run, job, j, j, c);
        task_update_reflectors(run, alpha, with_access(UPDATE, Q), V, factor_tile(job, j, j));      /* ( L V ) Q = ( L' 0 ) */
        task_release(run, with_access(FINAL, Q));
    }
    for (int i = first_row(L, j, j + 1); i < L->mt; i = next_row(L, i, j)) {
        struct operand V = rows_at(run, job, i, j, c);
        task_update_reflect(run, alpha, Q, V, factor_tile(job, i, j));                              /* ( L V ) = ( L V ) Q */
        if (!owns(L, i, j + 1))
            task_release(run, with_access(FINAL, V));
    }
}

static void loops(struct run *run, const void *context)
{
    const struct job *job = context;
    for (int j = 0; j < job->A->mt; j++) {
        run_step(run, j, j);
        for (int c = 0; c < job->B->nt; c++)
            step(run, job, j, c);
    }
}

/* ---- the calls ------------------------------------------------------------------------------------------------------------- */

static ompfact_status check(const ompfact_matrix *A, const ompfact_matrix *V)
{
    TRY(check_whole(A, NULL));
    if (A->contents != CONTENTS_CHOLESKY)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of potrf with info 0");
    if (V->grid != A->grid || V->precision != A->precision || stores_triangle(&V->shape) || !tiling_equal(&V->rows, &A->rows))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "V must be a general matrix of the factor's type and grid, with equal tile rows: ompfact_matrix_create_rhs");
    TRY(check_dense(A));
    return check_dense(V);
}

static ompfact_status change(ompfact_matrix *A, ompfact_matrix *V, double alpha, int64_t *info)
{
    ompfact_grid *grid = A->grid;
    size_t size = A->precision->size;
    struct update u = { .alpha = alpha,
                        .reflectors_bytes = aligned(update_reflectors_bytes(A->rows.largest, V->cols.largest, size)),
                        .rows_bytes = aligned((size_t)A->rows.largest * (size_t)V->cols.largest * size) };
    int64_t mt = A->mt, columns = V->nt, places = columns * mt;
    TRY_MPI(grid, rma_space_create_sparse(grid->rma, (u.reflectors_bytes + u.rows_bytes) * (size_t)places,
                                          places + columns * (mt * (mt + 1) / 2), A->mt, &u.space));
    struct job job = { .A = A, .B = V, .update = &u };
    struct job_plan plan = { .run = { .loops = loops, .readers = job_readers }, .uses = { { A, false }, { V, true } } };
    plan_space(&plan.run, u.space, false, u.reflectors_bytes > u.rows_bytes ? u.reflectors_bytes : u.rows_bytes);
    ompfact_status status = job_run(grid, &job, &plan, &A->report, info);
    rma_space_destroy(&u.space);
    return status;
}

/* Whether there is nothing to do, or the call is refused. */
static bool is_settled(ompfact_matrix *A, const ompfact_matrix *V, int64_t *info, ompfact_status *status)
{
    *info = 0;
    *status = check(A, V);
    if (*status == OMPFACT_SUCCESS) {
        A->report = report_of_nothing();
        *status = ompfact_bring_home(A);
    }
    return *status != OMPFACT_SUCCESS || A->mt == 0 || V->nt == 0;
}

ompfact_status ompfact_potrf_update(ompfact_matrix *A, ompfact_matrix *V, int64_t *info)
{
    ompfact_status status;
    if (is_settled(A, V, info, &status))
        return status;
    status = change(A, V, 1, info);
    if (status < OMPFACT_SUCCESS || *info != 0)
        A->contents = CONTENTS_PLAIN;
    return status;
}

static ompfact_status subtract_rows(ompfact_matrix *A, ompfact_matrix *V, ompfact_matrix *before, int64_t *info)
{
    TRY(copy_tiles(A, before, NULL));
    TRY(change(A, V, -1, info));
    ompfact_report report = A->report;
    if (*info == 0)
        return OMPFACT_SUCCESS;
    TRY(after_write(copy_tiles(before, A, NULL)));
    A->contents = CONTENTS_CHOLESKY;
    A->report = report;
    return OMPFACT_SUCCESS;
}

/* Only the new factor shows whether the new matrix is positive definite, so the old factor is kept meanwhile. */
ompfact_status ompfact_potrf_downdate(ompfact_matrix *A, ompfact_matrix *V, int64_t *info)
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *before = NULL;
    ompfact_status status;
    if (is_settled(A, V, info, &status))
        return status;
    TRY(ompfact_matrix_create_like(A, &before));
    status = subtract_rows(A, V, before, info);
    if (status < OMPFACT_SUCCESS)
        A->contents = CONTENTS_PLAIN;
    return status;
}
