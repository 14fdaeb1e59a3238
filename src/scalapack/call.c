/* Dispatches a call by its parameters to the code that serves it. */
#define _GNU_SOURCE      /* pthread_getaffinity_np */
#include "src/io/c_locale.h"
#include "src/process/openmp_variables.h"
#include "src/scalapack/call.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* Below so many rows and columns ScaLAPACK is as fast, including copies: bench/scalapack_names, doc/results/performance.md. */
enum { DEFAULT_MINIMUM = 1200 };

/* ---- who serves it ------------------------------------------------------------------------------------------------------ */

/* The order of the cube with the same work decides whether the copies are worthwhile. */
static bool is_worth_it(const struct call *c)
{
    const int *work = c->routine->work;
    const char *value = getenv("OMPFACT_SCALAPACK_MIN");
    double minimum = value != NULL && value[0] != '\0' ? c_locale_real(value, NULL) : DEFAULT_MINIMUM;
    double volume = (double)size_of(c, work[0]) * (double)size_of(c, work[1]) * (double)size_of(c, work[2]);
    return cbrt(volume) >= minimum;
}

static bool is_empty(const struct call *c)
{
    return rows_of(c, ARRAY_A) == 0 || cols_of(c, ARRAY_A) == 0 ||
           (c->of[ARRAY_B] != NULL && (rows_of(c, ARRAY_B) == 0 || cols_of(c, ARRAY_B) == 0));
}

/* ---- serving ------------------------------------------------------------------------------------------------------------ */

/* Returns the cores to the caller at the end of the call: idle threads of ours sleep instead of spinning, and if OpenMP's
   variables bind threads, the caller's thread is unbound. Collective. */
static ompfact_status serve(struct call *c)
{
    cpu_set_t cores[8];     /* that the calling thread may run on, up to 8192 */
    bool known = pthread_getaffinity_np(pthread_self(), sizeof cores, cores) == 0;
    openmp_forget_useless();
    int blocktime = kmp_get_blocktime();
    kmp_set_blocktime(0);
    ompfact_status status = open_grid(c->processes);
    if (status == OMPFACT_SUCCESS)
        status = c->routine->serve(c);
    free(c->vector);
    ompfact_matrix_destroy(&c->B);
    release_A(c, status);
    kmp_set_blocktime(blocktime);
    if (known)
        pthread_setaffinity_np(pthread_self(), sizeof cores, cores);
    if (status == OMPFACT_SUCCESS) {
        set_info(c, c->info);
        report_workspace(c);
    }
    return status;
}

/* Another library serves the call, or there is an error because none does. */
static void pass_on(struct call *c, int info)
{
    if (has_next(c)) {
        hand_on(c);
    } else {
        complain(c, info);
        set_info(c, info);
    }
}

static void serve_or_pass_on(struct call *c)
{
    double start = MPI_Wtime();
    ompfact_status status = serve(c);
    bool served = status == OMPFACT_SUCCESS;
    account_note(c, served ? NULL : c->processes->grid != NULL ? ompfact_message(c->processes->grid) : "no grid",
                 MPI_Wtime() - start);
    if (!served && c->written) {        /* part of an array of the caller, so another library cannot continue */
        fprintf(stderr, "ompfact: %s: %s\n", c->name, ompfact_message(c->processes->grid));
        MPI_Abort(c->processes->comm, EXIT_FAILURE);
    }
    if (!served)
        pass_on(c, status == OMPFACT_BAD_ARGUMENT ? check_local_parameters(c) : -c->place[ARRAY_A]);
}

/* ILP64 builds of ScaLAPACK have the same names. In their descriptors the upper halves of small numbers are where we read the
   columns of a block. Reported once. */
static bool is_of_64_bits(const struct call *c)
{
    static bool reported;
    const int *desc = desc_of(c, ARRAY_A);
    bool so = desc[CTXT_] == 0 && desc[N_] == 0 && desc[NB_] == 0 && desc[CSRC_] == 0 && has_next(c);
    if (so && !reported) {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0)
            fprintf(stderr, "ompfact: integers of 64 bits (ILP64) are not supported; calling ScaLAPACK's own routines\n");
        reported = true;
    }
    return so;
}

void scalapack_call(const struct routine *routine, char type, void **parameter)
{
    struct call c = { .routine = routine, .type = type, .parameter = parameter };
    call_open(&c);
    if (is_called_by_next() || is_of_64_bits(&c)) {
        hand_on(&c);
        return;
    }
    int info = check_parameters(&c);
    bool ours = info == 0 && (!has_next(&c) || (is_worth_it(&c) && !is_empty(&c)));
    if (ours && is_query(&c)) {
        answer_query(&c);
        return;
    }
    c.processes = info == 0 ? process_grid_of(desc_of(&c, ARRAY_A)[CTXT_]) : NULL;
    if (ours && is_empty(&c)) {
        if (c.of[RCOND] != NULL)
            set_real(&c, RCOND, 0, 1);      /* the condition of a matrix without elements */
        set_info(&c, 0);
    } else if (ours && c.processes != NULL) {
        serve_or_pass_on(&c);
    } else {
        pass_on(&c, info != 0 ? info : -c.place[ARRAY_A]);
        if (c.processes != NULL && !is_query(&c))
            account_note(&c, info != 0 ? "a parameter is wrong" : "the problem is small", 0);
    }
}
