/*
 * The order in which the tasks of a factorization are handed on: the three schedules of Gustavson, Karlsson, Kagstrom, "Distributed SBP
 * Cholesky Factorization Algorithms with Near-Optimal Scheduling", sections 4.4 to 4.6. They share tasks, storage and transfers.
 *
 *   basic     for k:  panel k | tiles of step k arrive | update with step k |         a bar is a wait of this rank
 *   static    for k:  update column and row k with step k-1, panel k, ask for its tiles, update the rest with step k-1;
 *             tasks start in this order: look-ahead of one step, but a task that waits for a tile holds up those behind it
 *   dynamic   for k:  panel k, update with step k;  a task starts when its inputs are there, the most urgent first
 *
 * Each is an order in which every task comes after those it depends on, the same on all ranks: what run.h asks for.
 */
#include "src/matrix.h"

/* The updates of my columns from `first` on, with step k. */
static void updates(struct run *run, const struct job *job, int k, int first, int from)
{
    const ompfact_matrix *A = job->A;
    for (int n = first_col(A, first); n < A->nt; n = first_col(A, n + 1))
        job->algorithm->update(run, job, k, n, from, A->mt);
}

static void ask_for_tiles(struct run *run, const struct job *job, int k)
{
    run_fetch_only(run, true);
    updates(run, job, k, k + 1, k + 1);
    run_fetch_only(run, false);
}

static void basic(struct run *run, const struct job *job, int steps)
{
    for (int k = 0; k < steps; k++) {
        run_step(run, k, k);
        job->algorithm->panel(run, job, k);
        run_wait(run);
        ask_for_tiles(run, job, k);
        run_wait(run);
        updates(run, job, k, k + 1, k + 1);
        run_wait(run);
    }
}

/* What panel k needs of step k-1: column k, and of each other column row k. */
static void look_ahead(struct run *run, const struct job *job, int k)
{
    const ompfact_matrix *A = job->A;
    job->algorithm->update(run, job, k - 1, k, k, A->mt);
    for (int n = first_col(A, k + 1); n < A->nt; n = first_col(A, n + 1))
        job->algorithm->update(run, job, k - 1, n, k, k + 1);
}

static void static_order(struct run *run, const struct job *job, int steps)
{
    for (int k = 0; k < steps; k++) {
        if (k > 0) {
            run_step(run, k - 1, k - 1);
            look_ahead(run, job, k);
        }
        run_step(run, k, k - 1);
        job->algorithm->panel(run, job, k);
        ask_for_tiles(run, job, k);
        if (k > 0) {
            run_step(run, k - 1, k - 1);
            updates(run, job, k - 1, k + 1, k + 1);
        }
    }
}

static void dynamic(struct run *run, const struct job *job, int steps)
{
    for (int k = 0; k < steps; k++) {
        run_step(run, k, k);
        if (job->routes) {      /* see rma/tree.c */
            run_fetch_only(run, true);
            job->algorithm->panel(run, job, k);
            run_fetch_only(run, false);
            ask_for_tiles(run, job, k);
        }
        job->algorithm->panel(run, job, k);
        updates(run, job, k, k + 1, k + 1);
    }
}

void factor_loops(struct run *run, const void *context)
{
    const struct job *job = context;
    int steps = job->A->mt < job->A->nt ? job->A->mt : job->A->nt;
    if (steps == 0)
        return;
    if (job->schedule == OMPFACT_BASIC)
        basic(run, job, steps);
    else if (job->schedule == OMPFACT_STATIC)
        static_order(run, job, steps);
    else
        dynamic(run, job, steps);
}
