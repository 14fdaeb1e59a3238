/* Jobs and plans inside the library: src/ompfact_plan.h. All functions are local. */
#ifndef OMPFACT_SRC_PLAN_FORECAST_H
#define OMPFACT_SRC_PLAN_FORECAST_H

#include "src/choose/choose.h"
#include "src/factor/factor.h"
#include "src/machine/machine_known.h"
#include "src/ompfact_plan.h"
#include "src/plan/choices.h"
#include "src/plan/step_loads.h"

struct ompfact_plan {
    ompfact_job job;                /* the job, complete except for the threads */
    const ompfact_grid *grid;       /* the grid of A, for an existing matrix; NULL: A is on paper */
    const ompfact_routine *routine;
    int *own_nodes;                 /* node of each rank, if the job only gives the ranks of a node */
    int *own_heights, *own_widths;  /* sizes of the tiles of an existing matrix */
    int most_on_node;               /* ranks of the largest node */
    int threads;                    /* threads of a rank */
    bool cores_given;               /* whether the job gives cores_per_node */
    double flat_gflops;             /* rate of every kernel on the job's platform; 0: the machine has the rates; NaN: some hosts
                                       have such a rate */
    struct tile_question question;  /* the facts that determine the tile size */
    struct machine_known *known;    /* NULL: not needed so far */
    struct machine_known *own_known;    /* the same pointer, unless a grid owns it */
    ompfact_device_use devices;
    ompfact_matrix *A;              /* on paper, as the rank with most of A sees it */
    ompfact_matrix *B;              /* right-hand sides; NULL: none */
    ompfact_layout_counts counts;
    ompfact_forecast forecast;
    int *precision_map;             /* predicted, mt x nt; NULL: not requested so far */
    struct trace *traces;           /* simulated traces of all ranks; NULL: none */
    struct step_loads loads;
    struct choices choices;
    struct plan *unequal;           /* plan of a layout for ranks of unequal speed; NULL: not requested so far */
    ompfact_partition partition;
};

/* ---- job_facts.c ------------------------------------------------------------------------------------------------------- */

static inline const ompfact_routine *routine_of(const ompfact_job *job)
{
    return ompfact_routine_find(job->routine);
}
/* Whether the matrix has a triangle, so that its tiles travel as in Cholesky. */
static inline bool has_triangle(const ompfact_routine *routine)
{
    return routine->factor == OMPFACT_BY_CHOLESKY || routine->factor == OMPFACT_BY_INDEFINITE;
}
static inline enum layout_algorithm algorithm_of(const ompfact_routine *routine)
{
    return has_triangle(routine) ? LAYOUT_CHOLESKY : LAYOUT_LU;
}
/* The algorithm of the factorization on paper, where LU does not pivot; not for QR. */
static inline const struct algorithm *loops_of(const ompfact_routine *routine)
{
    return routine->factor == OMPFACT_BY_INDEFINITE ? &indefinite : has_triangle(routine) ? &cholesky : &lu;
}
/* Whether the factorization is the timed part. Otherwise it is the inverse or the solution. */
static inline bool times_factorization(const ompfact_routine *routine)
{
    return !routine->factored && !routine->triangular;
}
/* Whether the factors are in single precision. The factors of approximate routines stay, and their refinement is separate. */
static inline bool job_refines_in_mixed(const ompfact_job *job)
{
    return job->refined && job->shape.accuracy == 0 && job->shape.tile_precision == 0;
}
/* Bytes of an element of a tile that travels. */
static inline int64_t job_element_bytes(const ompfact_job *job, const ompfact_matrix *A)
{
    return (int64_t)A->precision->size / (job_refines_in_mixed(job) ? 2 : 1);
}
/* The pivoting method on so many ranks; none except for LU. */
ompfact_pivot job_pivot(const ompfact_job *job);
/* The levels of the butterfly that first mixes rows; 0: none. */
int job_butterfly_depth(const ompfact_job *job);
/* Threads of a rank on a node with so many ranks. */
int threads_of_job(const ompfact_job *job, int ranks_on_node);
/* Checks that the job can be planned. Routines that only solve are not planned on paper. */
ompfact_status job_check(const ompfact_job *job, bool on_paper, char message[MESSAGE]);

/* ---- memory_needs.c -------------------------------------------------------------------------------------------------------- */

/* Bytes of right-hand sides on a rank, and of the memory that a solve needs beside them. B may be NULL. */
size_t rhs_bytes(const ompfact_matrix *B, int rank);
/* Bytes that the matrix's rank needs in addition to the matrix and the right-hand sides: at most so much for remote tiles; and
   for a check both once more, or the copies of a refinement if they are larger. B may be NULL. -1: no memory to count. */
int64_t job_extra_memory(const ompfact_job *job, const ompfact_matrix *A, const ompfact_matrix *B);

/* ---- counts: forecast_counts.c, transferred.c ----------------------------------------------------------------------------- */

/* The steps of the factorization: those of a part, or all. */
static inline int steps_of_job(const ompfact_job *job, const ompfact_matrix *A)
{
    return job->partial > 0 ? tiling_part(&A->rows, job->partial) : steps_of(A);
}
/* Tile rows of the factor to which the job appends. */
static inline int kept_of_job(const ompfact_job *job, const ompfact_matrix *A)
{
    return job->factored > 0 ? job->factored < A->shape.n ? tiling_part(&A->rows, job->factored) : A->mt : 0;
}
/* Transfers of the plan's factorization in a layout of its tiles: tiles or, if sized, their elements. -1: no memory. */
int64_t plan_transferred(const ompfact_plan *plan, const struct layout *l, bool sized);
/* Sets the forecast's counts, from A. */
ompfact_status plan_count(ompfact_plan *plan, char message[MESSAGE]);

/* ---- where it runs: node_machine.c, simulate_plan.c ---------------------------------------------------------------------- */

/* Sets cores_per_node, the wire and flat_gflops, from the job's platform. simulate_plan.c */
ompfact_status plan_take_platform(ompfact_plan *plan, char message[MESSAGE]);
/* Sets plan->known, for nodes like these. */
ompfact_status plan_know_machine(ompfact_plan *plan, char message[MESSAGE]);

/* ---- parts of a plan: forecast.c, layout_plan.c -------------------------------------------------------------------------- */

/* Computes the lower bounds for any run of A; the forecast already has its balance. */
ompfact_status plan_find_bounds(ompfact_plan *plan, char message[MESSAGE]);
/* Makes a plan; forecast: the function that makes the forecast from the copied job. */
typedef ompfact_status plan_forecast(ompfact_plan *plan, char *message);
ompfact_status plan_make(const ompfact_job *job, const ompfact_matrix *A, plan_forecast *forecast, ompfact_plan **plan,
                         char *message);
void plan_forget_partition(ompfact_plan *plan);

/* ---- simulate_plan.c ------------------------------------------------------------------------------------------------------- */

void plan_forget_traces(ompfact_plan *plan);

#endif
