/* Jobs and plans inside the library: src/ompfact_plan.h. All of it is local. */
#ifndef OMPFACT_SRC_PLAN_FORECAST_H
#define OMPFACT_SRC_PLAN_FORECAST_H

#include "src/choose/choose.h"
#include "src/factor/factor.h"
#include "src/machine/machine_known.h"
#include "src/ompfact_plan.h"
#include "src/plan/choices.h"
#include "src/plan/step_loads.h"

struct ompfact_plan {
    ompfact_job job;                /* of which nothing is open any more but threads */
    const ompfact_grid *grid;       /* of a matrix that is there, A; NULL: it is on paper */
    const ompfact_routine *routine;
    int *own_nodes;                 /* where the job only says how many ranks a node has */
    int *own_heights, *own_widths;  /* of the tiles of a matrix that is there */
    int most_on_node;               /* ranks of the node that has most */
    int threads;                    /* of a rank */
    bool cores_given;               /* cores_per_node is the job's own word */
    double flat_gflops;             /* of every kernel on the job's platform; 0: as the machine has them; NaN: as some hosts do */
    struct tile_question question;  /* by which tiles are as large as they are */
    struct machine_known *known;    /* NULL: nothing wanted it */
    struct machine_known *own_known;    /* the same, where it is not a grid's */
    ompfact_device_use devices;
    ompfact_matrix *A;              /* on paper, seen by the rank that has most of it */
    ompfact_matrix *B;              /* right-hand sides; NULL: none */
    ompfact_layout_counts counts;
    ompfact_forecast forecast;
    int *precision_map;             /* mt x nt, as foretold; NULL: not asked for */
    struct trace *traces;           /* of each rank, simulated; NULL: there are none */
    struct step_loads loads;
    struct choices choices;
    struct plan *unequal;           /* of a layout for ranks of unequal speed, in public and inside; NULL: not asked for */
    ompfact_partition partition;
};

/* ---- job_facts.c ------------------------------------------------------------------------------------------------------- */

static inline const ompfact_routine *routine_of(const ompfact_job *job)
{
    return ompfact_routine_find(job->routine);
}
/* Is it for a matrix that has a triangle, whose tiles travel as Cholesky's? */
static inline bool has_triangle(const ompfact_routine *routine)
{
    return routine->factor == OMPFACT_BY_CHOLESKY || routine->factor == OMPFACT_BY_INDEFINITE;
}
static inline enum layout_algorithm algorithm_of(const ompfact_routine *routine)
{
    return has_triangle(routine) ? LAYOUT_CHOLESKY : LAYOUT_LU;
}
/* Of its factorization, on paper, where LU does not pivot; not of QR. */
static inline const struct algorithm *loops_of(const ompfact_routine *routine)
{
    return routine->factor == OMPFACT_BY_INDEFINITE ? &indefinite : has_triangle(routine) ? &cholesky : &lu;
}
/* Is the factorization what is timed, and told about? Else it is the inverse or the solution. */
static inline bool times_factorization(const ompfact_routine *routine)
{
    return !routine->factored && !routine->triangular;
}
/* With factors in single precision? Those that approximate are refined by themselves, and stay. */
static inline bool job_refines_in_mixed(const ompfact_job *job)
{
    return job->refined && job->shape.accuracy == 0 && job->shape.tile_precision == 0;
}
/* As it will be on so many ranks; none but for LU. */
ompfact_pivot job_pivot(const ompfact_job *job);
/* Of the butterfly that mixes rows before; 0: none does. */
int job_butterfly_depth(const ompfact_job *job);
/* Threads of a rank on a node with so many ranks. */
int threads_of_job(const ompfact_job *job, int ranks_on_node);
/* Whether it can be planned: on paper, where routines that only solve are not. */
ompfact_status job_check(const ompfact_job *job, bool on_paper, char message[MESSAGE]);

/* ---- memory_needs.c -------------------------------------------------------------------------------------------------------- */

/* Bytes of right-hand sides on a rank, with what a solve needs beside them. B may be NULL. */
size_t rhs_bytes(const ompfact_matrix *B, int rank);
/* Bytes that the matrix's own rank needs, beside the matrix and right-hand sides themselves: at most so much for remote tiles,
   and if it is checked both once more, or the copies of a refinement if they are more. B may be NULL. -1: no memory to count. */
int64_t job_extra_memory(const ompfact_job *job, const ompfact_matrix *A, const ompfact_matrix *B);

/* ---- counts: forecast_counts.c, wire_count.c ----------------------------------------------------------------------------- */

/* Of its factorization: those behind which a part ends, or all. */
static inline int steps_of_job(const ompfact_job *job, const ompfact_matrix *A)
{
    return job->partial > 0 ? tiling_part(&A->rows, job->partial) : steps_of(A);
}
/* Tile rows of the factor that the job appends to. */
static inline int kept_of_job(const ompfact_job *job, const ompfact_matrix *A)
{
    return job->factored > 0 ? job->factored < A->shape.n ? tiling_part(&A->rows, job->factored) : A->mt : 0;
}
/* What the plan's factorization transfers in a layout of its matrix's tiles: tiles, or, sized, their elements. -1: no memory. */
int64_t plan_transferred(const ompfact_plan *plan, const struct layout *l, bool sized);
/* Fills in the forecast's counts, of A. */
ompfact_status plan_count(ompfact_plan *plan, char message[MESSAGE]);
/* Those between nodes in Cholesky or LU of A, which is not empty; of factors with signs also theirs and what butterflies move. */
struct butterfly_moves;
ompfact_status count_wire(ompfact_plan *plan, const struct butterfly_moves *mixed, char message[MESSAGE]);

/* ---- where it runs: node_machine.c, simulate_plan.c ---------------------------------------------------------------------- */

/* What the job says of its nodes: cores_per_node, and with a platform the wire, too, and flat_gflops. */
ompfact_status plan_settle_nodes(ompfact_plan *plan, char message[MESSAGE]);
ompfact_status plan_take_platform(ompfact_plan *plan, char message[MESSAGE]);
/* So that plan->known is there: of nodes like these. */
ompfact_status plan_know_machine(ompfact_plan *plan, char message[MESSAGE]);

/* ---- parts of a plan: forecast.c, layout_plan.c -------------------------------------------------------------------------- */

/* What no run of A is faster than, which the forecast has its balance of. */
ompfact_status plan_find_bounds(ompfact_plan *plan, char message[MESSAGE]);
/* Makes one; forecast: from its job, which has been copied, to its forecast. */
typedef ompfact_status plan_forecast(ompfact_plan *plan, char *message);
ompfact_status plan_make(const ompfact_job *job, const ompfact_matrix *A, plan_forecast *forecast, ompfact_plan **plan,
                         char *message);
void plan_forget_partition(ompfact_plan *plan);

/* ---- simulate_plan.c ------------------------------------------------------------------------------------------------------- */

void plan_forget_traces(ompfact_plan *plan);

#endif
