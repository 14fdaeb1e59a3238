/* A factorization as loops over tiles, and one collective run of such loops over the grid. */
#ifndef OMPFACT_SRC_FACTOR_FACTOR_H
#define OMPFACT_SRC_FACTOR_FACTOR_H

#include "omp/tasks/tasks.h"
#include "omp/team/team.h"
#include "src/matrix/matrix.h"

/* ---- one run: job.c -------------------------------------------------------------------------------------------------------- */

struct job;
struct job_plan;
struct saver;
struct guard;
struct pivoting;
struct reflectors;
struct travel;
struct signs;
struct update;

/* Calls each(context, kind, operand) for things of this rank's that are not written again. */
typedef void keep_function(const struct job *job, int k, void (*each)(void *context, int kind, const struct operand *o),
                           void *context);

/* A factorization as its steps: panel k, the tile of row k in column n, and the updates of rows from .. to-1 of column n with
   both. Each hands on this rank's tasks. */
struct algorithm {
    void (*panel)(struct run *run, const struct job *job, int k);
    void (*exchange)(struct run *run, const struct job *job, int k, int n);     /* rows move in a column before its tile of row
                                                                                   k is made; NULL: they do not */
    void (*row)(struct run *run, const struct job *job, int k, int n);      /* NULL: it is ready with the panel */
    void (*update)(struct run *run, const struct job *job, int k, int n, int from, int to);
    void (*finish)(struct run *run, const struct job *job);         /* behind the last step; NULL: nothing */
    enum layout_algorithm layout;       /* who reads the tiles of a panel, as layouts know it; or */
    int (*readers)(const struct job *job, const struct operand *tile, int *ranks);      /*   if not NULL this one does */
    void (*memory)(const struct job *job, struct job_plan *plan);   /* names windows beside the matrix's; NULL: there are none */
    urgency_function *urgency;          /* which of its tasks that are ready goes first */
    enum rma_bcast tree;                /* that suits it best, where several nodes read a tile; doc/results has figures */
    bool go_on;                         /* after a failing pivot */
    bool whole_columns;                 /* row k of a column waits for the updates of all its rows with step k-1 */
    bool compressible;                  /* its tasks know tiles of low rank */
    bool layered;                       /* the matrix may be one in copies */
    bool (*packs)(const ompfact_matrix *A, int i, int j);       /* which final tiles its updates take packed */
    /* For those who guard (guard.h): */
    enum summed summed;                 /* what updates do with sums */
    bool scaled_by_factors;             /* elements are bounded by norms of rows and columns of factors, or by their column's */
    bool mixes_rows;                    /* its sums are over all rows of a column */
    /* For those who save: */
    const char *name;
    keep_function *keep;                /* what of mine panel k leaves beside tiles; NULL: nothing */
    int64_t (*most_kept)(const struct job *job);    /* how many things, at most, in all panels */
    bool exchanges;                     /* ranks make in updates what others wait for in theirs */
};
extern const struct algorithm cholesky, lu, lu_pivoted, qr, indefinite;

/* What an algorithm's loops and its readers work on; each uses what it needs. */
struct job {
    ompfact_matrix *A, *B, *W;
    const struct algorithm *algorithm;
    struct pivoting *pivoting;          /* NULL: none */
    const struct reflectors *reflectors;
    const struct travel *travel;
    struct signs *signs;                /* of a factorization with signs */
    const struct update *update;        /* of a factor whose matrix changes */
    int first;                          /* step: those before it are done */
    int end;                            /* those from it on are left; 0: none are */
    struct saver *saver;                /* NULL: the factorization is not saved */
    struct guard *guard;                /* NULL: no sums go with its tiles */
    ompfact_schedule schedule;
    bool routes;                        /* tiles may come down a tree */
    enum side side;
    enum uplo uplo;
    enum trans trans;
    enum diag diag;
    bool triangular;                    /* B is lower triangular, and stays so */
    int column;                         /* tile column of B */
    const int *last_step;               /* see src/solve/triangular.c */
    unsigned char *seen;                /* scratch of layout_readers and its like, made by job_run */
    int *ranks;                         /* scratch of loops that ask for it */
};

static inline int end_of(const struct job *job)
{
    return job->end > 0 ? job->end : steps_of(job->A);
}

/* A run, and the matrices of which job_run makes the rest of its plan: context, urgency, their windows, devices. */
enum { JOB_MATRICES = 3 };
struct job_plan {
    struct run_plan run;                /* its readers: job_readers(), or the loops' own */
    struct {
        ompfact_matrix *matrix;
        bool settled;                   /* only final tiles in it */
    } uses[JOB_MATRICES];               /* what the loops touch; NULL where fewer */
    const struct row_stack *panel;      /* in which devices factor panels, if they do; NULL: there is none */
    bool compressible;                  /* its tasks know tiles of low rank */
    bool knows_spread;                  /* its loops know where factors are that are spread; else they are brought home first */
    ompfact_matrix *on_devices;         /* dense: its tiles live where the grid says, others', if NULL all, on the host */
};

/* Adds a window, if it is not there, from which at most so many bytes are read in one piece. */
void plan_space(struct run_plan *run, struct rma_space *space, bool settled, size_t bytes);

/* Counts, executes and reports. Collective. */
ompfact_status job_run(ompfact_grid *grid, struct job *job, const struct job_plan *plan, ompfact_report *report, int64_t *info);

/* Who reads what is beside the matrix (beside.h), or a tile of job->A as the algorithm says. beside.c */
int job_readers(const void *job, const struct operand *tile, int *ranks);
/* For readers functions: takes the owner off a list of ranks; returns how many are left. beside.c */
int others(int *ranks, int count, int owner);

/* Adds one call's report to another's: of imbalances the mean, by flops, as of calls that follow each other. report_sum.c */
void report_add(ompfact_report *sum, const ompfact_report *part);
/* What all ranks did in a run; compressed: some tiles may have had low rank; placement: what was placed on devices, where there
   are any. Collective. report_sum.c */
struct placement;
ompfact_status report_reduce(ompfact_grid *grid, const struct run_tally *tally, const struct run_outcome *outcome,
                             bool compressed, const struct placement *placement, ompfact_report *report);

/* ---- factorizations ------------------------------------------------------------------------------------------------------- */

/* Walks job->algorithm in the order of job->schedule. schedule.c */
void factor_loops(struct run *run, const void *job);
/* Tiles below the diagonal. schedule.c */
bool packs_below_diagonal(const ompfact_matrix *A, int i, int j);
/* The urgency of tasks in every algorithm that there is, and in loops that are none. urgency.c */
urgency_function longest_path;
/* Factors A. `with`: what the algorithm needs beside it. Collective. */
ompfact_status factorize(ompfact_matrix *A, const struct algorithm *algorithm, const struct job *with, int64_t *info);
/* Is A what the factorization takes? OMPFACT_BAD_ARGUMENT and a message if not; geqrf: also of A^H. Solves with its factors, and
   its inverse, want a square one. checks.c */
ompfact_status check_square(const ompfact_matrix *A);
ompfact_status check_potrf(const ompfact_matrix *A);
ompfact_status check_getrf(const ompfact_matrix *A);
ompfact_status check_geqrf(const ompfact_matrix *A, bool transposed);
/* For what knows no copies of a matrix; layer_sums.c */
ompfact_status check_one_copy(ompfact_matrix *A, const char *what);
/* Interchanges row i of M with row ipiv[i], i = 0 .. count-1, or, `back`, the other way round from the last to the first.
   Collective. What that took is added to M's report. interchange.c */
ompfact_status interchange_rows(ompfact_matrix *M, const int64_t *ipiv, int64_t count, bool back);
/* Those of all later steps before `end`, but for A->left, in each tile column of L before it, and what that took in A's report.
   Collective. interchange.c */
ompfact_status interchange_left(ompfact_matrix *A, int end);

/* Those of Cholesky's factorization that append rows to a factor of A->kept tile rows. append.c */
extern const struct algorithm cholesky_appended;
/* The ranks, other than its owner, that then read tile (i,j), i >= j, laid out so: as layout_readers(). append.c */
int appended_readers(const struct layout *l, int kept, int i, int j, int *ranks, unsigned char *seen);
/* The steps of Cholesky's factorization before `end`, behind those that A->done says, of all rows or of those that are
   appended. append.c */
ompfact_status factor_cholesky(ompfact_matrix *A, int end, int64_t *info);

/* ---- in parts: partial.c -------------------------------------------------------------------------------------------------- */

/* The steps of this factorization that eliminate so many rows and columns of A, behind those that A->done says, which are of no
   other one now. OMPFACT_BAD_ARGUMENT and a message where no tile begins there, or A cannot be factored in parts. */
ompfact_status steps_to(ompfact_matrix *A, const char *factorization, int64_t rows, int *end);
/* Has A no sums and no accuracy? */
ompfact_status check_parts(ompfact_matrix *A);

#endif
