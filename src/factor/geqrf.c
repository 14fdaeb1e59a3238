/*
 * QR factorization by tiles, with one block of reflectors for the tiles that a rank has of a column (Golub, Van Loan, "Matrix
 * Computations", section 5.2; Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and sequential QR and LU
 * factorizations", 2012).
 *
 *     A = Q ( R_kk R_kn )       panel    ( A_kk )  = Q_k ( R_kk )        Q = Q_0 Q_1 ...
 *           (      A22  )                ( A_mk )        (  0   )
 *                               update   ( A_kn )  = Q_k^H ( A_kn )      A_mn is factored next
 *                                        ( A_mn )          ( A_mn )
 *
 * A panel is factored in parts, one on each rank that has tiles of it, whose triangles are then put together along a tree:
 * reflectors.h says how, and what reflect_column() does for the update.
 */
#include "src/checkpoint/restart.h"
#include "src/factor/guard.h"
#include "src/factor/reflectors.h"
#include "src/factor/saved_panels.h"

/* ---- the factorization -------------------------------------------------------------------------------------------------- */

static void factor_domain(struct run *run, const struct job *job, int k, int f)
{
    const ompfact_matrix *A = job->A;
    const struct reflectors *Q = job->reflectors;
    const struct domain *d = &Q->panel[k].domain[f];
    struct operand stack = stack_of(job, k);
    for (int m = d->top; m < A->mt; m = next_row(A, m, k)) {
        guard_look(run, job, m, k);
        task_stack(run, m == d->top, fetch(A, m, k), stack);
    }
    task_geqrt(run, Q->ib, d->rows, stack, with_access(FINAL, square_of(job, SQUARE_T, k, f)));         /* ( A_mk ) = Q ( R ) */
    stack.access = READ;
    if (Q->panel[k].domains > 1)
        task_triangle(run, stack, with_access(UPDATE, square_of(job, SQUARE_R, k, f)));
    int64_t row = 0;
    for (int m = d->top; m < A->mt; row += tiling_size(&A->rows, m), m = next_row(A, m, k))
        task_unstack(run, row, 0, stack, m == d->top ? final(A, m, k) : packed(final(A, m, k)));
}

/* R_a on top of R_b, where R_a is. */
static void factor_merge(struct run *run, const struct job *job, int k, int f, const struct qr_merge *merge)
{
    struct operand V = square_of(job, SQUARE_V, k, f);
    task_tpqrt(run, job->reflectors->ib, square_of(job, SQUARE_R, k, merge->from),
               with_access(UPDATE, square_of(job, SQUARE_R, k, merge->into)), with_access(UPDATE, V),
               with_access(FINAL, square_of(job, SQUARE_T, k, f)));
    task_release(run, with_access(FINAL, V));
}

static void factor_panel(struct run *run, const struct job *job, int k)
{
    const struct panel_tree *p = &job->reflectors->panel[k];
    for (int f = 0; f < p->domains; f++) {
        if (p->domain[f].rank != job->A->me)
            continue;
        factor_domain(run, job, k, f);
        for (int i = 0; i < p->domains - 1; i++)
            if (p->merge[i].into == f)
                factor_merge(run, job, k, p->domains + i, &p->merge[i]);
        if (f > 0)
            task_release(run, with_access(FINAL, square_of(job, SQUARE_R, k, f)));
    }
}

static void update(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    (void)from;
    (void)to;
    reflect_column(run, job, k, n);
    if (owns(job->A, k, n))
        guard_look(run, job, k, n);                                                                         /* R_kn */
}

const struct algorithm qr = { .name = "geqrf", .kept = kept_of_panel, .keep = keep_panel, .most_kept = most_of_panels,
                              .panel = factor_panel, .update = update, .readers = panel_readers, .memory = reflectors_memory,
                              .urgency = longest_way, .tree = RMA_CHAIN, .go_on = true, .whole_columns = true,
                              .exchanges = true };

/* ---- the public functions ----------------------------------------------------------------------------------------------- */

/* A triangle is as high as its panel is wide, and lies in one tile: of a panel that is done already in the diagonal one. Columns
   end with diagonal tiles, or the rows below these would not be reduced. */
static bool tiles_hold_triangles(const struct tiling *rows, const struct tiling *cols, int done)
{
    int widest = 0, steps = rows->count < cols->count ? rows->count : cols->count;
    for (int i = 0; i + 1 < rows->count; i++) {
        if (i <= done)
            widest = 0;
        if (i < cols->count && tiling_size(cols, i) > widest)
            widest = tiling_size(cols, i);
        if (tiling_size(rows, i) < widest)
            return false;
    }
    for (int k = 0; k < steps; k++)
        if (rows->start[k] != cols->start[k] || (k + 1 < cols->count && tiling_size(rows, k) > tiling_size(cols, k)))
            return false;
    return true;
}

ompfact_status check_geqrf(const ompfact_matrix *A, bool transposed)
{
    if (A->shape.structure != OMPFACT_GENERAL)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "geqrf needs a matrix made as OMPFACT_GENERAL");
    int done = restart_steps(A->grid, "geqrf", transposed ? A->shape.n : A->shape.m, transposed ? A->shape.m : A->shape.n);
    done = done > A->done ? done : A->done;
    if (!(transposed ? tiles_hold_triangles(&A->cols, &A->rows, done) : tiles_hold_triangles(&A->rows, &A->cols, done)))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT,
                    "geqrf needs square tiles on the diagonal, and below it tiles at least as high as they are wide");
    return check_dense(A);
}

ompfact_status ompfact_geqrf(ompfact_matrix *A)
{
    int64_t info;
    TRY(check_geqrf(A, false));
    TRY(resume(A, "geqrf", "none", restore_panels));
    struct reflectors *Q;
    TRY(reflectors_get(A, &Q));
    struct job job = { .reflectors = Q, .travel = Q->travel, .trans = CONJ_TRANS };
    ompfact_status status = factorize(A, &qr, &job, &info);
    if (status > OMPFACT_SUCCESS)
        return status;
    if (status == OMPFACT_SUCCESS)
        put_triangles(A, Q);
    A->pivoted = false;
    A->contents = status == OMPFACT_SUCCESS ? CONTENTS_QR : CONTENTS_PLAIN;
    return status;
}

/* ---- products with Q ---------------------------------------------------------------------------------------------------- */

static void apply_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    const ompfact_matrix *C = job->travel->C;
    int steps = job->reflectors->steps;
    for (int i = 0; i < steps; i++) {
        run_step(run, i, i);
        for (int n = first_col(C, 0); n < C->nt; n = first_col(C, n + 1))
            reflect_column(run, job, job->trans == NO_TRANS ? steps - 1 - i : i, n);
    }
}

static ompfact_status check_unmqr(const ompfact_matrix *A, const ompfact_matrix *C)
{
    if (A->contents != CONTENTS_QR)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold what geqrf leaves");
    if (C == A || C->grid != A->grid || C->precision != A->precision || C->shape.structure != OMPFACT_GENERAL ||
        !tiling_equal(&A->rows, &C->rows))
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "Q acts on other general matrices of its type with the same tile rows");
    return check_dense(C);
}

ompfact_status ompfact_unmqr(ompfact_matrix *A, bool conj_trans, ompfact_matrix *C)
{
    ompfact_grid *grid = A->grid;
    int64_t info;
    struct travel *travel;
    TRY(check_unmqr(A, C));
    const struct reflectors *Q = reflectors_of(A);
    TRY(travel_create(Q, C, &travel));
    struct job job = { .A = A, .B = C, .reflectors = Q, .travel = travel, .trans = conj_trans ? CONJ_TRANS : NO_TRANS };
    struct job_plan plan = { .loops = apply_loops, .readers = job_readers, .matrices = { A, C }, .settled = { true, false } };
    plan_beside(&plan, Q->space, true, 0);
    plan_beside(&plan, travel->space, false, travel_slot_bytes(travel));
    ompfact_report report;
    ompfact_status status = job_run(grid, &job, &plan, &report, &info);
    travel_destroy(&travel);
    if (status <= OMPFACT_SUCCESS) {
        C->contents = CONTENTS_PLAIN;
        C->pivoted = false;
    }
    if (status == OMPFACT_SUCCESS)
        C->report = report;
    return status;
}

static void identity_tile(void *context, const ompfact_tile *t)
{
    const struct precision *precision = context;
    for (int c = 0; c < t->nb; c++)
        for (int r = 0; r < t->mb; r++)
            precision->set((char *)t->data + ((size_t)r + (size_t)c * (size_t)t->ld) * precision->size, t->row + r == t->col + c,
                           0);
}

ompfact_status ompfact_ungqr(ompfact_matrix *A, ompfact_matrix *Q)
{
    TRY(check_unmqr(A, Q));
    if (Q->shape.n > A->shape.m)
        return fail(A->grid, OMPFACT_BAD_ARGUMENT, "Q has as many columns as A has rows, not more");
    TRY(on_the_way(agree(A->grid, ompfact_fill_tiles(Q, identity_tile, (void *)Q->precision))));
    return on_the_way(ompfact_unmqr(A, false, Q));
}
