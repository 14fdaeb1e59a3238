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

/* Calls each(context, kind, operand) for data of this rank that is not written again. */
typedef void keep_function(const struct job *job, int k, void (*each)(void *context, int kind, const struct operand *o),
                           void *context);

/* A factorization by its steps: panel k, the tile of row k in column n, and the updates of rows from .. to-1 of column n with
   both. Each function submits the tasks of this rank. */
struct algorithm {
    void (*panel)(struct run *run, const struct job *job, int k);
    void (*exchange)(struct run *run, const struct job *job, int k, int n);     /* moves rows in a column before its tile of
                                                                                   row k is made; NULL: no rows move */
    void (*row)(struct run *run, const struct job *job, int k, int n);      /* NULL: row k is ready with the panel */
    void (*update)(struct run *run, const struct job *job, int k, int n, int from, int to);
    void (*finish)(struct run *run, const struct job *job);         /* called after the last step; NULL: nothing */
    enum layout_algorithm layout;       /* the kind of factorization, by which layouts list the readers of panel tiles if
                                           `readers` is NULL */
    int (*readers)(const struct job *job, const struct operand *tile, int *ranks);      /* lists the readers of panel tiles;
                                                                                           NULL: by `layout` */
    void (*memory)(const struct job *job, struct job_plan *plan);   /* adds windows beside that of the matrix; NULL: none */
    urgency_function *urgency;          /* the order of ready tasks */
    enum rma_bcast tree;                /* the best tree for tiles that several nodes read; doc/results has figures */
    bool continues;                         /* continue after a failing pivot */
    bool whole_columns;                 /* row k of a column waits for the updates of all its rows with step k-1 */
    bool compressible;                  /* its tasks support low-rank tiles */
    bool layered;                       /* the matrix may be in copies */
    bool (*packs)(const ompfact_matrix *A, int i, int j);       /* the final tiles that its updates take packed */
    /* For checksums (guard.h): */
    enum summed summed;                 /* how updates treat checksums */
    bool scaled_by_factors;             /* elements are bounded by norms of rows and columns of the factors, otherwise by
                                           those of their column */
    bool mixes_rows;                    /* its checksums cover all rows of a column */
    /* For checkpoints: */
    const char *name;
    keep_function *keep;                /* data of this rank that panel k leaves beside tiles; NULL: none */
    int64_t (*most_kept)(const struct job *job);    /* the most pieces of such data in all panels */
    bool exchanges;                     /* the updates of ranks depend on results of other ranks' updates */
};
extern const struct algorithm cholesky, lu, qr, indefinite;

/* The data of the loops of an algorithm and of its readers function; each uses what it needs. */
struct job {
    ompfact_matrix *A, *B, *W;
    const struct algorithm *algorithm;
    struct pivoting *pivoting;          /* data of pivoting; NULL: no pivoting */
    const struct reflectors *reflectors;
    const struct travel *travel;
    struct signs *signs;                /* for a factorization with signs */
    const struct update *update;        /* for an update of a factor */
    int first;                          /* the first step that is not done */
    int end;                            /* the step at which to end; 0: the last one */
    struct saver *saver;                /* the saver; NULL: the factorization is not saved */
    struct guard *guard;                /* the guard; NULL: tiles have no checksums */
    ompfact_schedule schedule;
    bool routes;                        /* whether tiles may arrive through a tree of ranks */
    enum side side;
    enum uplo uplo;
    enum trans trans;
    enum diag diag;
    bool triangular;                    /* whether B is and remains lower triangular */
    int column;                         /* tile column of B */
    const int *last_step;               /* see src/solve/triangular.c */
    unsigned char *seen;                /* scratch memory of layout_readers and similar functions, allocated by job_run */
    int *ranks;                         /* scratch memory for loops */
};

static inline int end_of(const struct job *job)
{
    return job->end > 0 ? job->end : steps_of(job->A);
}

/* A run, and the matrices from which job_run completes its plan: context, urgency, windows, devices. */
enum { JOB_MATRICES = 3 };
struct job_plan {
    struct run_plan run;                /* its readers function is job_readers(), or one of the loops */
    struct {
        ompfact_matrix *matrix;
        bool settled;                   /* whether all its tiles are final */
    } uses[JOB_MATRICES];               /* the matrices that the loops use; NULL: no more */
    const struct row_stack *panel;      /* the stack in which devices factor panels; NULL: none */
    bool compressible;                  /* its tasks support tiles of low rank */
    bool reads_spread;                  /* its loops find spread factors at their place; otherwise these are first brought to
                                           their owners */
    ompfact_matrix *on_devices;         /* a dense matrix whose tiles reside on host and devices as the grid's options decide;
                                           tiles of other matrices, or NULL of all, are on the host */
};

/* Adds a window unless the plan has it; reads from it have at most so many bytes. */
void plan_space(struct run_plan *run, struct rma_space *space, bool settled, size_t bytes);

/* Counts, executes and reports a job. report, info: may be NULL. Collective. */
ompfact_status job_run(ompfact_grid *grid, struct job *job, const struct job_plan *plan, ompfact_report *report, int64_t *info);

/* The readers of data beside the matrix (beside.h), or of a tile of job->A by the algorithm. beside.c */
int job_readers(const void *job, const struct operand *tile, int *ranks);
/* For readers functions: removes the owner from a list of ranks; returns the number of the others. beside.c */
int others(int *ranks, int count, int owner);

/* Adds the report of a call to that of a call before; imbalances become their mean, by flops. report_sum.c */
void report_add(ompfact_report *sum, const ompfact_report *part);
/* Sums up the work of all ranks in a run. compressed: some tiles may have had low rank. placement: the tiles on devices, with
   devices. Collective. report_sum.c */
struct placement;
ompfact_status report_reduce(ompfact_grid *grid, const struct run_tally *tally, const struct run_outcome *outcome,
                             bool compressed, const struct placement *placement, ompfact_report *report);

/* ---- factorizations ------------------------------------------------------------------------------------------------------- */

/* Walks job->algorithm in the order of job->schedule. schedule.c */
void factor_loops(struct run *run, const void *job);
/* For `packs`: tiles below the diagonal. schedule.c */
bool packs_below_diagonal(const ompfact_matrix *A, int i, int j);
/* The urgency of tasks in all algorithms and other loops. urgency.c */
urgency_function longest_path;
/* Factors A. `with`: the other data of the algorithm. Collective. */
ompfact_status factorize(ompfact_matrix *A, const struct algorithm *algorithm, const struct job *with, int64_t *info);
/* Check whether A suits the factorization; return OMPFACT_BAD_ARGUMENT and a message if not. geqrf: also for A^H. Solves and
   inverses need a square matrix. checks.c */
ompfact_status check_square(const ompfact_matrix *A);
ompfact_status check_potrf(const ompfact_matrix *A);
ompfact_status check_getrf(const ompfact_matrix *A);
ompfact_status check_geqrf(const ompfact_matrix *A, bool transposed);
/* The index, from 1, of the first zero on the diagonal of a triangle, in the tiles of the first steps; 0: none. Collective.
   resume.c */
ompfact_status first_zero_pivot(const ompfact_matrix *A, int steps, int64_t *info);
/* For functions that do not support copies of a matrix. layer_sums.c */
ompfact_status check_one_copy(ompfact_matrix *A, const char *what);
/* Interchanges row i of M with row ipiv[i] for i = 0 .. count-1, or, with `back`, in reverse order. Collective. The cost is
   added to the report of M. interchange.c */
ompfact_status interchange_rows(ompfact_matrix *M, const int64_t *ipiv, int64_t count, bool back);
/* Makes the interchanges of all later steps before `end`, except A->left, in each tile column of L before that step, and adds
   their cost to A's report. Collective. interchange.c */
ompfact_status interchange_left(ompfact_matrix *A, int end);

/* The steps of Cholesky's factorization that append rows to a factor of A->kept tile rows. append.c */
extern const struct algorithm cholesky_appended;
/* The readers of tile (i,j), i >= j, in these steps, without its owner: like layout_readers(). append.c */
int appended_readers(const struct layout *l, int kept, int i, int j, int *ranks, unsigned char *seen);

/* ---- in parts: partial.c -------------------------------------------------------------------------------------------------- */

/* The number of steps of this factorization after A->done that eliminate so many rows and columns of A; A must belong to no
   other factorization. OMPFACT_BAD_ARGUMENT and a message if no tile begins there, or A cannot be factored in parts. */
ompfact_status steps_to(ompfact_matrix *A, const char *factorization, int64_t rows, int *end);
/* Tests that A has no checksums and no accuracy. */
ompfact_status check_parts(ompfact_matrix *A);

#endif
