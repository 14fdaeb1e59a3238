/* A call from its parameters to the one who serves it. */
#define _GNU_SOURCE      /* pthread_getaffinity_np */
#include "src/io/c_locale.h"
#include "src/io/openmp_variables.h"
#include "src/scalapack/call.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* Below so many rows and columns ScaLAPACK is as fast, the copies included: bench/scalapack_names, doc/performance.md. */
enum { DEFAULT_MINIMUM = 1200 };

/* ---- parameters --------------------------------------------------------------------------------------------------------- */

void call_open(struct call *c)
{
    snprintf(c->name, sizeof c->name, "p%c%s", c->type, c->routine->name);
    for (const enum word *w = c->routine->parameter; *w != END; w++) {
        c->of[*w] = c->parameter[c->count];
        c->place[*w] = c->count + 1;
        c->count += *w == ARRAY_A || *w == ARRAY_B ? 4 : 1;
    }
}

int64_t size_of(const struct call *c, int size)
{
    int64_t m = c->of[M] != NULL ? number_of(c, M) : 0, n = c->of[N] != NULL ? number_of(c, N) : 0;
    switch (size) {
    case M:
        return m;
    case N:
        return n;
    case ORDER:
        return letter_of(c, SIDE) == 'L' ? m : n;
    case LONGER:
        return m > n ? m : n;
    default:
        return number_of(c, (enum word)size);
    }
}

static void set_info(const struct call *c, int64_t info)
{
    if (c->of[INFO] != NULL)
        *(int *)c->of[INFO] = (int)info;
}

/* ---- who serves it ------------------------------------------------------------------------------------------------------ */

static double minimum(void)
{
    const char *value = getenv("OMPFACT_SCALAPACK_MIN");
    return value != NULL && value[0] != '\0' ? c_locale_real(value, NULL) : DEFAULT_MINIMUM;
}

/* The cube that has as much work tells whether it is worth the copies. */
static bool is_worth_it(const struct call *c)
{
    const int *work = c->routine->work;
    double volume = (double)size_of(c, work[0]) * (double)size_of(c, work[1]) * (double)size_of(c, work[2]);
    return cbrt(volume) >= minimum();
}

static bool is_empty(const struct call *c)
{
    return rows_of(c, ARRAY_A) == 0 || cols_of(c, ARRAY_A) == 0 ||
           (c->of[ARRAY_B] != NULL && (rows_of(c, ARRAY_B) == 0 || cols_of(c, ARRAY_B) == 0));
}

static bool is_query(const struct call *c)
{
    return (c->of[LWORK] != NULL && number_of(c, LWORK) == -1) || (c->of[LIWORK] != NULL && number_of(c, LIWORK) == -1);
}

static double get_work(const struct call *c)
{
    bool single = c->type == 's' || c->type == 'c';
    return single ? *(const float *)c->of[WORK] : *(const double *)c->of[WORK];
}

/* WORK(1), which tells how long WORK is to be, and IWORK(1). */
static void set_work(const struct call *c, int work, int iwork)
{
    bool single = c->type == 's' || c->type == 'c', complex = c->type == 'c' || c->type == 'z';
    for (int i = 0; i < 1 + complex; i++)
        if (single)
            ((float *)c->of[WORK])[i] = i == 0 ? (float)work : 0;
        else
            ((double *)c->of[WORK])[i] = i == 0 ? work : 0;
    if (c->of[IWORK] != NULL)
        *(int *)c->of[IWORK] = iwork;
}

/* We need no workspace, but the call may go on to somebody who does, also one of another size. What overflows there (a 32-bit
   number) is no answer, nor that arrays should begin with a block. */
static void answer_query(struct call *c)
{
    if (has_next(c))
        hand_on(c);
    if (!has_next(c) || *(const int *)c->of[INFO] != 0 || !(get_work(c) >= 1)) {
        set_work(c, 1, 1);
        set_info(c, 0);
    }
}

/* As much as there was will do again. */
static void report_workspace(const struct call *c)
{
    int work = c->of[LWORK] != NULL ? number_of(c, LWORK) : 0, iwork = c->of[LIWORK] != NULL ? number_of(c, LIWORK) : 1;
    if (work >= 1 && iwork >= 1)
        set_work(c, work, iwork);
}

/* ---- serving ------------------------------------------------------------------------------------------------------------ */

/* On which cores the calling thread may run, of 8192. */
struct cores {
    cpu_set_t set[8];
    bool known;
};

static struct cores cores_get(void)
{
    struct cores cores;
    cores.known = pthread_getaffinity_np(pthread_self(), sizeof cores.set, cores.set) == 0;
    return cores;
}

static void cores_restore(const struct cores *cores)
{
    if (cores->known)
        pthread_setaffinity_np(pthread_self(), sizeof cores->set, cores->set);
}

/* The caller's cores are the caller's again when the call ends: threads of ours that have nothing to do sleep, and do not wait
   for more with their eyes open; and where variables of OpenMP's bind threads, the caller is bound no more. Collective. */
static ompfact_status serve(struct call *c)
{
    int64_t info = 0;
    struct cores cores = cores_get();
    openmp_forget_empty();
    int blocktime = kmp_get_blocktime();
    kmp_set_blocktime(0);
    ompfact_status status = open_grid(c->processes);
    THEN(c->routine->serve(c, &info));
    kmp_set_blocktime(blocktime);
    cores_restore(&cores);
    if (status == OMPFACT_SUCCESS) {
        set_info(c, info);
        report_workspace(c);
    }
    return status;
}

/* An array of the caller's has been written in part: nobody can go on from there. */
static void give_up(const struct call *c)
{
    fprintf(stderr, "ompfact: %s: %s\n", c->name, ompfact_message(c->processes->grid));
    MPI_Abort(c->processes->comm, EXIT_FAILURE);
}

/* Somebody else does it, or says that nobody can. */
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
    if (!served && c->written)
        give_up(c);
    if (!served)
        pass_on(c, status == OMPFACT_BAD_ARGUMENT ? check_local_parameters(c) : -c->place[ARRAY_A]);
}

void scalapack_call(const struct routine *routine, char type, void **parameter)
{
    struct call c = { .routine = routine, .type = type, .parameter = parameter };
    call_open(&c);
    if (is_called_by_next()) {
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
        set_info(&c, 0);
    } else if (ours && c.processes != NULL) {
        serve_or_pass_on(&c);
    } else {
        pass_on(&c, info != 0 ? info : -c.place[ARRAY_A]);
        if (c.processes != NULL && !is_query(&c))
            account_note(&c, info != 0 ? "a parameter is wrong" : "it is small", 0);
    }
}
