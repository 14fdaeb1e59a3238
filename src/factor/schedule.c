/*
 * The order in which the tasks of a factorization are submitted: the three schedules of Gustavson, Karlsson, Kagstrom,
 * "Distributed SBP Cholesky Factorization Algorithms with Near-Optimal Scheduling", sections 4.4 to 4.6. They share tasks,
 * storage and transfers.
 *
 *   basic     for k:  panel k | tiles of step k arrive | update with step k |         a bar is a wait of this rank
 *   static    for k:  update column and row k with step k-1, panel k, request its tiles, update the rest with step k-1;
 *             tasks start in this order: look-ahead of one step, but a task that waits for a tile delays those behind it
 *   dynamic   for k:  panel k, update with step k;  a task starts when its inputs are ready, the most urgent first
 *
 * In each order every task comes after those it depends on, and the order is the same on all ranks, as run.h requires.
 */
#include "src/factor/guard.h"
#include "src/factor/layer_sums.h"
#include "src/factor/snapshot.h"

bool packs_below_diagonal(const ompfact_matrix *A, int i, int j)
{
    (void)A;
    return i > j;
}

/* ---- the parts of a step, with checks of tiles; before the first part that uses a tile one of its bits may be flipped. For a
   matrix in copies each layer does its own steps; panels and rows begin with sums over all layers -------------------------- */

static void panel_of(struct run *run, const struct job *job, int k)
{
    layers_before_panel(run, job, k);
    if (layers_do(job, k)) {
        flip_before_panel(run, job, k);
        guard_before_panel(run, job, k);
        job->algorithm->panel(run, job, k);
        guard_after_panel(run, job, k);
    }
}

static void row_of(struct run *run, const struct job *job, int k, int n)
{
    layers_before_row(run, job, k, n);
    if (layers_do(job, k)) {
        flip_before_row(run, job, k, n);
        if (job->algorithm->exchange != NULL)
            job->algorithm->exchange(run, job, k, n);
        guard_before_row(run, job, k, n);
        job->algorithm->row(run, job, k, n);
        guard_after_row(run, job, k, n);
    }
}

static void update_of(struct run *run, const struct job *job, int k, int n, int from, int to)
{
    if (!layers_do(job, k))
        return;
    flip_before_update(run, job, k, n, from, to);
    job->algorithm->update(run, job, k, n, from, to);
    guard_after_update(run, job, k, n);
}

/* ---- the orders -------------------------------------------------------------------------------------------------------- */

/* Makes row k ready, in this rank's columns from `first` on. */
static void rows(struct run *run, const struct job *job, int k, int first)
{
    const ompfact_matrix *A = job->A;
    for (int n = first_col(A, first); n < A->nt && job->algorithm->row != NULL; n = first_col(A, n + 1))
        row_of(run, job, k, n);
}

/* Factors column k, and row k too unless it must wait for the updates of the columns. */
static void panel(struct run *run, const struct job *job, int k)
{
    panel_of(run, job, k);
    if (!job->algorithm->whole_columns)
        rows(run, job, k, k + 1);
}

/* Updates this rank's columns from `first` on with step k. */
static void updates(struct run *run, const struct job *job, int k, int first, int from)
{
    const ompfact_matrix *A = job->A;
    for (int n = first_col(A, first); n < A->nt; n = first_col(A, n + 1))
        update_of(run, job, k, n, from, A->mt);
}

/* Everything before the next panel: if rows wait for columns, column by column. */
static void rows_and_updates(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (!job->algorithm->whole_columns) {
        updates(run, job, k, k + 1, k + 1);
        return;
    }
    for (int n = first_col(A, k + 1); n < A->nt; n = first_col(A, n + 1)) {
        if (job->algorithm->row != NULL)
            row_of(run, job, k, n);
        update_of(run, job, k, n, k + 1, A->mt);
    }
}

/* Saves the state before step k, if it is due. False: this was the last step. */
static bool save(struct run *run, const struct job *job, int k)
{
    enum due due = run_is_due(run, k);
    if (due == DUE_NO)
        return true;
    snapshot_front(run, job, k);
    snapshot_rest(run, job, k);
    return due != DUE_LAST;
}

/* Each order returns false if the factorization was stopped before its last step. */
static bool basic(struct run *run, const struct job *job, int steps)
{
    for (int k = job->first; k < steps; k++) {
        run_step(run, k, k);
        if (!save(run, job, k))
            return false;
        for (int fetches = job->routes; fetches >= 0; fetches--) {      /* with routes all fetches come first: rma/routes.c */
            run_fetch_only(run, fetches);
            panel_of(run, job, k);
            rows(run, job, k, k + 1);
        }
        run_wait(run);
        run_fetch_only(run, true);
        updates(run, job, k, k + 1, k + 1);
        run_fetch_only(run, false);
        if (!job->algorithm->exchanges)     /* otherwise ranks would request what others compute in their updates */
            run_wait(run);
        updates(run, job, k, k + 1, k + 1);
        run_wait(run);
    }
    return true;
}

/* The part of step k-1 that panel k needs: column k, and row k of each other column. */
static void look_ahead(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    if (job->algorithm->whole_columns && job->algorithm->row != NULL)
        row_of(run, job, k - 1, k);
    update_of(run, job, k - 1, k, k, A->mt);
    for (int n = first_col(A, k + 1); n < A->nt && !job->algorithm->whole_columns; n = first_col(A, n + 1))
        update_of(run, job, k - 1, n, k, k + 1);
}

/* The rest of step k, after the next panel. */
static void catch_up(struct run *run, const struct job *job, int k)
{
    if (job->algorithm->whole_columns)
        rows(run, job, k, k + 2);
    updates(run, job, k, k + 2, job->algorithm->whole_columns ? k + 1 : k + 2);
}

/* Saves the state before step k when only step k - 1 is still to be submitted. */
static void save_the_last(struct run *run, const struct job *job, int k)
{
    snapshot_front(run, job, k);
    if (k > job->first) {
        run_step(run, k - 1, k - 1);
        catch_up(run, job, k - 1);
    }
    run_step(run, k, k - 1);
    snapshot_rest(run, job, k);
}

static bool static_order(struct run *run, const struct job *job, int steps)
{
    for (int k = job->first; k < steps; k++) {
        if (k > job->first) {
            run_step(run, k - 1, k - 1);
            look_ahead(run, job, k);
        }
        run_step(run, k, k - 1);
        enum due due = run_is_due(run, k);
        if (due == DUE_LAST) {
            save_the_last(run, job, k);
            return false;
        }
        if (due == DUE_YES)
            snapshot_front(run, job, k);
        for (int fetches = job->routes; fetches >= 0; fetches--) {      /* with routes all fetches come first: rma/routes.c */
            run_fetch_only(run, fetches);
            panel(run, job, k);
        }
        run_fetch_only(run, true);
        rows_and_updates(run, job, k);
        run_fetch_only(run, false);
        if (k > job->first) {
            run_step(run, k - 1, k - 1);
            catch_up(run, job, k - 1);
        }
        if (due == DUE_YES) {
            run_step(run, k, k - 1);        /* checks of tiles record their findings for this step */
            snapshot_rest(run, job, k);
        }
    }
    if (job->algorithm->whole_columns || steps < steps_of(job->A)) {
        run_step(run, steps - 1, steps - 1);
        rows_and_updates(run, job, steps - 1);
    }
    return true;
}

static bool dynamic(struct run *run, const struct job *job, int steps)
{
    for (int k = job->first; k < steps; k++) {
        run_step(run, k, k);
        if (!save(run, job, k))
            return false;
        for (int fetches = job->routes; fetches >= 0; fetches--) {      /* with routes all fetches come first: rma/routes.c */
            run_fetch_only(run, fetches);
            panel(run, job, k);
            rows_and_updates(run, job, k);
        }
    }
    return true;
}

void factor_loops(struct run *run, const void *context)
{
    static bool (*const order[])(struct run *run, const struct job *job, int steps) = {
        [OMPFACT_DYNAMIC] = dynamic, [OMPFACT_STATIC] = static_order, [OMPFACT_BASIC] = basic };
    const struct job *job = context;
    int steps = end_of(job);
    if (steps <= job->first || !order[job->schedule](run, job, steps))
        return;
    if (job->algorithm->finish != NULL)
        job->algorithm->finish(run, job);
}
