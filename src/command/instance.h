/* A problem, and the steps of its run in order: the parts of run_case.c. */
#ifndef OMPFACT_SRC_COMMAND_INSTANCE_H
#define OMPFACT_SRC_COMMAND_INSTANCE_H

#include "src/command/session.h"
#include "src/command/source.h"

#include <stdio.h>

struct instance {
    struct session *session;
    ompfact_job job;                /* of the problem; it borrows the speeds and the weights */
    double *weights;                /* of the tiles; NULL: none */
    struct source matrix_source, rhs_source;
    bool sources_open[2];
    ompfact_copies copies;          /* choice of --copies auto and its reason; 0 copies: not requested */
    ompfact_restarted restarted;    /* sizes of tiles, if the run continues from a checkpoint */
    ompfact_plan *plan;             /* for a dry run, which has no matrices; for a run on rank 0, made when a report needs it */
    ompfact_matrix *A, *B;
    ompfact_matrix *X;              /* the solution, if it is not in B: of gels */
    int64_t memory_before;
    int64_t info;
    bool lost;                      /* a bit flipped during the factorization, and could not be corrected */
    int iterations;                 /* of a refinement */
    double norm, rhs_norm;          /* norms of the filled matrix and of its right-hand sides; NaN if not needed */
    bool printed_singular, printed_growth;        /* lines that rank 0 has printed for this problem */
    int *rank_map[2];               /* [factored]: ranks of tiles, if an output needs them */
    int *precision_map[2];          /* [factored]: precisions of tiles, if an output needs them */
    ompfact_tile_precisions precisions;     /* counts of tiles of mixed precision */
    int by_precision[3];            /* numbers of tiles in double, in single and in bfloat16 after filling */
    ompfact_tile_ranks tile_ranks;  /* ranks of the factors' tiles, if tiles are compressed */
    ompfact_report timed;           /* report of the factorization, or of the timed part */
    struct facts facts;             /* facts of the last run, complete on rank 0; they borrow from here and from the session */
};

/* One problem of the sweep. */
static inline struct instance instance_of(struct session *s, int64_t problem)
{
    struct instance x = { .session = s, .job = options_problem(s->options, problem) };
    x.job.shape.speeds = s->speeds.speed;
    x.job.platform = s->platform;
    return x;
}

static inline bool has_factors(const struct instance *x)
{
    return x->info == 0 && !x->lost;
}

/* Whether LU has solved because L D L^H did not suffice. */
static inline bool fell_back(const struct instance *x)
{
    return is_indefinite(x->session->options) && x->iterations < 0;
}
/* Whether A holds all factors in its own precision. A refinement in mixed precision that converges leaves none, nor does LU
   instead of L D L^H. */
static inline bool keeps_factors(const struct instance *x)
{
    return !fell_back(x) && x->job.partial == 0 && (!refines_in_mixed(x->session->options) || x->iterations < 0);
}

/* All functions are collective. Unrequested or unknown facts keep the values of facts_clear(). */

/* prepare_case.c: opens files, makes the matrices, and checks that there is room for all output. The caller calls forget_case()
   in either case. */
int open_sources(struct instance *x, char text[COMMAND_TEXT]);  /* local: takes sizes and type from the files */
/* Local, without a message to other ranks: checks the input of the first problem as open_sources() does; not the points, which
   take time to order. */
int check_sources(struct session *s, char text[COMMAND_TEXT]);
int prepare_case(struct instance *x, char text[COMMAND_TEXT]);
void forget_case(struct instance *x);
/* Local: makes x->plan the plan of A: before a run for --explain, otherwise for a report. 0, or COMMAND_USAGE and a line. */
int plan_matrix(struct instance *x, bool before, char text[COMMAND_TEXT]);
/* Right-hand sides for A, for a solve. */
ompfact_status create_rhs(struct instance *x, ompfact_matrix *A, ompfact_matrix **B);

/* compute.c */
int compute_inputs(struct instance *x, char text[COMMAND_TEXT]);
/* The factorization, which with --refine and for QR solves includes the solve. With existing factors, or with a triangle, it is
   the inverse or the solve. */
ompfact_status compute_timed(struct instance *x);
/* The remaining solve of routines that factor and solve. */
ompfact_status compute_solution(struct instance *x);
/* Refinement of a solve with compressed factors, with the matrix from its source: for --refine. */
int compute_refinement(struct instance *x, char text[COMMAND_TEXT]);
/* For a square matrix with factors. */
ompfact_status compute_determinant(struct instance *x);
/* Facts from D of factors with signs: inertia, growth, perturbed pivots. After a solution by LU inertia is not known. */
ompfact_status compute_inertia(struct instance *x);
/* The residual; generates or reads the matrix (and right-hand sides) again from their source. */
int compute_error(struct instance *x, char text[COMMAND_TEXT]);

/* condition.c: norms before the factorization; the estimate of the condition number, if requested, or cheap, or suspected to be
   bad; and the first rank's lines about it, below a table that may be NULL. */
ompfact_status condition_begin(struct instance *x);
ompfact_status compute_condition(struct instance *x);
void condition_print(struct instance *x, FILE *table);

/* write_result.c: writes the output of the last problem of a sweep only, so that an existing file stays if a run fails. Other
   code may only read A's factors afterwards. */
int write_result(struct instance *x, char text[COMMAND_TEXT]);

/* report_case.c: the first rank reports a run. Returns this rank's error. */
int report_case(struct instance *x, char text[COMMAND_TEXT]);

/* saving.c: --checkpoint and --restart. Before the matrix is made: copies the tile sizes of a checkpoint into the shape, which
   borrows them. */
int saving_cut(struct instance *x, ompfact_shape *shape, char text[COMMAND_TEXT]);
/* Starts checkpoints of factorizations, if requested. */
int saving_begin(struct instance *x, char text[COMMAND_TEXT]);
/* Lets the next factorization continue from the checkpoint, if requested: reads and verifies all of it. */
int saving_restart(struct instance *x, char text[COMMAND_TEXT]);
/* Whether it has continued. */
int saving_check(const struct instance *x, char text[COMMAND_TEXT]);

/* doing.c: does a part of a run, what: "choosing a layout", and prints one line on stderr if it has not ended after these
   seconds. Prints nothing if the session does not, or if the thread that waits cannot start. Returns the result of the part. */
enum { DOING_PATIENCE_S = 2 };      /* for operations before a run */
int doing_part(struct instance *x, double seconds, const char *what, int (*part)(struct instance *x, char *text), char *text);

/* explain.c: --explain: the possible layouts and the reason for the choice, the known facts about the machine and their effects,
   and the limits of a run. Local. The plan of the problem has its bounds. Prints with the report's table or, without a table, on
   stderr. Returns 0, or COMMAND_USAGE and one line in text. */
int explain_case(const struct instance *x, char text[COMMAND_TEXT]);
/* Prints the tile size, and the devices and threads of a rank, that were fastest when --tune measured devices, or nothing. */
void explain_best_share(FILE *out, const ompfact_machine_share *best);
/* Prints the distance of a run from its largest bound, or nothing if no bound is known. */
void explain_time(FILE *out, const ompfact_forecast *forecast, double seconds);

/* write_page.c. Local: writes --trace of a simulation. Collective: writes --trace and --report of the last factorization. 0, or
   COMMAND_USAGE and a line. */
int write_simulated_trace(struct instance *x, char text[COMMAND_TEXT]);
int write_trace_and_page(struct instance *x, char text[COMMAND_TEXT]);

/* peak.c: memory of this process, as the kernel counts it: resident pages, shared windows included once touched. Local. */
int64_t peak_resident_now(void);    /* bytes; 0: not known */
void peak_reset(void);              /* forget the peak so far, where the kernel allows it */
int64_t peak_resident(void);        /* most bytes since the last reset */

/* ---- case.c: methods, weights, facts of a plan, and the files that describe its layout. Local. ----------------------------- */

/* The weights that the file of --weights, or --blr, gives to a matrix with tiles of known size; NULL: there are none. The caller
   frees them. 0, or COMMAND_USAGE and a line. */
int case_weights(const struct options *options, const ompfact_shape *shape, double **weights, char text[COMMAND_TEXT]);
/* Copies a fact to the record r from f, which has it by the same name. */
#define SAME(name) r->name = f->name
/* The kind of the generated matrix. */
const char *case_kind(const struct options *o);
/* Names of the methods in use, with auto resolved: of LU on so many ranks (NULL: another routine), of QR, of indefinite
   matrices. */
const char *case_pivot(const struct options *o, int ranks);
const char *case_tree(const struct options *o);
const char *case_butterfly(const struct options *o);
/* Sets the facts that a plan has, which borrow its memory and the speeds. */
void case_add_plan(const ompfact_plan *plan, const struct speeds *speeds, struct facts *facts);
/* Sets the facts about precisions of tiles, of which eps decides. by_precision, which the facts borrow, has the numbers of tiles
   in double, in single and, if `bf16`, in bfloat16 after filling. */
void case_add_precisions(double eps, bool bf16, const ompfact_tile_precisions *precisions, int by_precision[3],
                         struct facts *facts);
/* Prints a line on standard error if the layout's file leaves some of so many ranks without tiles. */
void case_warn_of_idle_ranks(const struct options *o, int ranks);
/* The rank that owns a tile of a layer of the plan's matrix, like ompfact_plan_owner_in(). */
int case_owner(const void *plan, int layer, int i, int j);
/* Writes "rows cols", then the numbers row by row: a map file. */
void case_write_map(FILE *file, int rows, int cols, const int *number);
/* Writes the files of --map, --owners and --plot, which shows devices. 0, or COMMAND_USAGE and a line. */
int case_write_layout(const ompfact_plan *plan, const struct options *options, const ompfact_shape *shape,
                      char text[COMMAND_TEXT]);

#endif
