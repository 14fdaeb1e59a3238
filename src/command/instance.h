/* A problem in hand, and what is done with it one after the other: the parts of run_case.c. */
#ifndef OMPFACT_SRC_COMMAND_INSTANCE_H
#define OMPFACT_SRC_COMMAND_INSTANCE_H

#include "src/command/session.h"
#include "src/command/source.h"

#include <stdio.h>

struct instance {
    struct session *session;
    struct problem problem;
    struct source matrix_source, rhs_source;
    bool sources_open[2];
    ompfact_copies copies;          /* what --copies auto has chosen, and why; 0 copies: it was not asked */
    ompfact_restarted restarted;    /* how tiles are cut, where the run goes on from a checkpoint */
    ompfact_plan *plan;             /* of a dry run, which has no matrices; of a run on rank 0, once it tells something */
    ompfact_matrix *A, *B;
    ompfact_matrix *X;              /* the solution, where it is not in B: of gels */
    int64_t memory_before;
    int64_t info;
    bool lost;                      /* a bit has flipped while it was factored, and could not be put right */
    int iterations;                 /* of a refinement */
    double norm, rhs_norm;          /* of the matrix as it was filled, and its right-hand sides; NaN where nobody asks */
    bool printed_singular, printed_growth;        /* of this problem, on rank 0 */
    int *rank_map[2];               /* [factored]: of tiles, where they are asked for, */
    int *precision_map[2];          /*   and so are these */
    ompfact_tile_precisions precisions;     /* of tiles, where these are mixed, */
    int by_precision[2];            /*   and of them those in double and in single as it was filled */
    ompfact_tile_ranks tile_ranks;  /* of the factors, where tiles are compressed */
    ompfact_report timed;           /* of the factorization, or what is in its place */
    struct facts facts;             /* of the last run, on rank 0 all; they borrow from here and from the session */
};

static inline bool has_factors(const struct instance *x)
{
    return x->info == 0 && !x->lost;
}

/* Did L D L^H not do, so that LU has solved? */
static inline bool fell_back(const struct instance *x)
{
    return is_indefinite(x->session->options) && x->iterations < 0;
}
/* Does A hold factors in its own precision, all of them? A refinement in mixed precision that converges leaves none, nor does LU
   in their place. */
static inline bool keeps_factors(const struct instance *x)
{
    return !fell_back(x) && x->session->options->partial == 0 && (!refines_in_mixed(x->session->options) || x->iterations < 0);
}

/* All collective. Facts that are not asked for, or not known, are left as facts_clear() has them. */

/* prepare_case.c: opens files, makes the matrices, and looks whether there is room for all that will be written.
   To be forgotten either way. */
int open_sources(struct instance *x, char text[COMMAND_TEXT]);  /* local: sizes and type, as files have them */
/* Local, without a message to other ranks: checks the input of the first problem as open_sources() does; not the points, which
   take time to order. */
int check_sources(struct session *s, char text[COMMAND_TEXT]);
int prepare_case(struct instance *x, char text[COMMAND_TEXT]);
void forget_case(struct instance *x);
const char *source_kind(const struct instance *x);              /* of the matrix that is generated */
/* Local: x->plan becomes that of A: before a run for what --explain tells, else for a report. 0, or COMMAND_USAGE and a line. */
int plan_matrix(struct instance *x, bool before, char text[COMMAND_TEXT]);
/* Right-hand sides for A: where a solve wants them. */
ompfact_status create_rhs(struct instance *x, ompfact_matrix *A, ompfact_matrix **B);

/* compute.c */
int compute_inputs(struct instance *x, char text[COMMAND_TEXT]);
/* The factorization, which with --refine, and where QR solves, also solves; or, with factors that are made beforehand, or with
   a triangle, the inverse or the solution. */
ompfact_status compute_timed(struct instance *x);
/* Of routines that factor and solve, what is left to do. */
ompfact_status compute_solution(struct instance *x);
/* Of compressed factors with --refine: with the matrix itself, from its source. */
int compute_refinement(struct instance *x, char text[COMMAND_TEXT]);
/* Of a square matrix whose factors are there. */
ompfact_status compute_determinant(struct instance *x);
/* Of factors with signs what D tells: inertia, growth, perturbed pivots. After a solution by LU inertia is not known. */
ompfact_status compute_inertia(struct instance *x);
/* The residual, with the matrix (and right-hand sides) made once more from their source. */
int compute_error(struct instance *x, char text[COMMAND_TEXT]);

/* condition.c: norms, before the factorization; the estimate of the condition, asked for, or cheap, or suspected to be bad;
   and what the first rank tells of it, below a table that may be NULL. */
ompfact_status condition_begin(struct instance *x);
ompfact_status compute_condition(struct instance *x);
void condition_print(struct instance *x, FILE *table);

/* write_result.c: of the last problem of a sweep alone, so that what was there stays where a run fails. A's factors are only to
   be read by others then. */
int write_result(struct instance *x, char text[COMMAND_TEXT]);

/* report_case.c: the first rank tells of a run. Returns what this rank met. */
int report_case(struct instance *x, char text[COMMAND_TEXT]);

#endif
