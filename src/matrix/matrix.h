/* The matrix inside the library: its tiling, its layout, its window, and tiles as arguments of tasks. */
#ifndef OMPFACT_SRC_MATRIX_MATRIX_H
#define OMPFACT_SRC_MATRIX_MATRIX_H

#include "layouts/layout.h"
#include "omp/trace.h"
#include "src/ompfact.h"

enum { MESSAGE = OMPFACT_MESSAGE };

struct ompfact_grid {
    struct rma *rma;
    struct run_settings settings;
    int64_t untouched;              /* bytes of windows that were created and not filled: the system does not count them yet */
    struct rma_exchange *exchange;  /* of redistribute.c, from its first use on; NULL before */
    int64_t exchange_room;
    const char *blas_kernels;
    ompfact_schedule schedule;
    ompfact_pivot pivot;
    ompfact_tree tree;
    int ib;
    struct devices *devices;        /* of this rank; NULL: none */
    bool any_devices;               /* of any rank */
    double host_share;              /* of the columns of tiles, where there are devices */
    int64_t device_memory;          /* bytes of a device; 0: all that it has */
    bool keeps_trace;
    struct trace trace;             /* of the last factorization */
    char message[MESSAGE];
};

/* Sizes of tile rows or of tile columns. */
struct tiling {
    int count;
    int64_t *start;     /* count + 1: element index where each begins; start[count] is the matrix's size */
    int largest;        /* elements of the largest one, at least 1 */
};

/* Consecutive parts of nb elements, the last one smaller; or the given sizes. Returns 0, or a positive status and a message. */
ompfact_status tiling_create(struct tiling *t, int64_t size, int nb, const int *sizes, int count, char message[MESSAGE]);
void tiling_destroy(struct tiling *t);
bool tiling_equal(const struct tiling *a, const struct tiling *b);
int *tiling_sizes(const struct tiling *t);      /* as a shape takes them; freed by the caller, NULL: no memory */
static inline int tiling_size(const struct tiling *t, int i)
{
    return (int)(t->start[i + 1] - t->start[i]);
}

enum contents { CONTENTS_PLAIN, CONTENTS_CHOLESKY, CONTENTS_LU, CONTENTS_QR };    /* anything, or factors with info 0 */

struct ompfact_matrix {
    ompfact_grid *grid;             /* NULL on paper */
    ompfact_shape shape;            /* as asked for; its pointers are not kept */
    int me, ranks;                  /* the rank whose tiles are mine */
    int mt, nt;
    struct tiling rows, cols;
    struct pattern *pattern;
    struct layout *layout;
    int64_t room;                   /* bytes that a rank had when layout "auto" was chosen; 0: not known */
    const struct precision *precision;
    int64_t **last;                 /* [rank][tile column]: see storage.c; mine from the start, others' when first asked for */
    bool no_memory;                 /* for one of them */

    struct rma_space *space;        /* NULL on paper */
    bool owns_space;
    int64_t untouched;              /* its share of the grid's */
    MPI_Aint first_byte;            /* where this matrix begins in its space: tiles, */
    int64_t first_id;               /*   and flags */

    bool pinned;                    /* for moves to devices */
    const struct split *split;      /* [column of tiles in memory], while it is factored with devices; else NULL */
    enum contents contents;
    struct pivoting *pivoting;      /* memory, kept for the next time; NULL before */
    bool pivoted;                   /* its factors come with interchanges of rows: */
    int64_t *ipiv;                  /* [min(m,n)] 0-based, as LAPACK's; NULL before they are first needed */
    struct reflectors *reflectors;  /* of its QR factorization, and memory for the next one; NULL before */
    ompfact_report report;
    ompfact_matrix *work;           /* of right-hand sides: the partial sums of a solve, see solve.c */
};

static inline int64_t shorter_side(const ompfact_matrix *A)
{
    return A->shape.m < A->shape.n ? A->shape.m : A->shape.n;
}
/* Of a factorization. */
static inline int steps_of(const ompfact_matrix *A)
{
    return A->mt < A->nt ? A->mt : A->nt;
}
int widest_panel(const ompfact_matrix *A);    /* its columns */

/* What lies in a window one behind the other begins at multiples of 64 bytes. */
static inline size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/*
 * The matrix on paper: everything but its window, seen by one rank of so many. Local; the pattern becomes the matrix's. For dry
 * runs, counting, and as the first half of every creation. Destroyed by ompfact_matrix_destroy.
 */
ompfact_status matrix_on_paper(const ompfact_shape *shape, struct pattern *pattern, int me, ompfact_matrix **A,
                               char message[MESSAGE]);
/* The same for right-hand sides of A, and as their `work` the partial sums of a solve: a block column for each rank, in that
   rank's memory. */
ompfact_status matrix_rhs_on_paper(const ompfact_matrix *A, int64_t nrhs, ompfact_matrix **B, char message[MESSAGE]);

/* ompfact_matrix_create_like() with another type. */
ompfact_status matrix_create_like(ompfact_matrix *A, char type, ompfact_matrix **B);

/* The same for another size: with these tile rows and columns, and A's pattern. Collective. */
ompfact_status matrix_create_sized(ompfact_matrix *A, const struct tiling *rows, const struct tiling *cols, ompfact_matrix **B);

/* For A^H: tile (i,j) is on the rank of A's (j,i). On paper, local; and with memory, collective. */
ompfact_status matrix_transposed_on_paper(const ompfact_matrix *A, ompfact_matrix **At, char message[MESSAGE]);
ompfact_status matrix_create_transposed(ompfact_matrix *A, ompfact_matrix **At);
/* The first zero on the diagonal of the triangle R, n x n, from 1; 0: none. Collective. determinant.c */
ompfact_status first_zero_pivot(const ompfact_matrix *R, int64_t *info);
/* X := R^-1 B_1, R the triangle that geqrf left in F, B_1 as many rows of B, made for F by ompfact_matrix_create_rhs(). Collective. gels.c */
ompfact_status solve_with_triangle(ompfact_matrix *F, ompfact_matrix *B, ompfact_matrix **X);
/* A^H, in a new matrix; no tile moves. Collective. gels.c */
ompfact_status conjugate_transpose(ompfact_matrix *A, ompfact_matrix **At);

/* ---- layouts.c: the layout that a shape asks for ----------------------------------------------------------------------------- */

/* A pattern for the shape, which matrix_on_paper takes. bytes: memory of a rank, which "auto" heeds; 0: not known. Local. */
ompfact_status shape_pattern(const ompfact_shape *shape, int ranks, int64_t bytes, struct pattern **pattern, char message[MESSAGE]);
bool shape_is_auto(const ompfact_shape *shape);
/* Where the shape has weights, the most loaded rank's over the mean in place of *max_over_mean. False: no memory. */
bool shape_weigh(const ompfact_shape *shape, const struct layout *layout, double *max_over_mean);
/* What "auto" had to choose from. */
ompfact_status shape_choose(const ompfact_shape *shape, int ranks, int64_t bytes, struct layout_choice *choice, char message[MESSAGE]);
/* Whether a few ranks less would send much less; fewer->ranks is 0 where not. choice: what shape_choose() found for these
   ranks. */
ompfact_status shape_choose_fewer(const ompfact_shape *shape, int ranks, int64_t bytes, const struct layout_choice *choice,
                                  struct layout_fewer *fewer, char message[MESSAGE]);
/* How "1d1d" or one of its kin comes to its layout; the caller destroys the plan. The shape's speeds have been checked. */
struct plan;
ompfact_status shape_plan(const ompfact_shape *shape, const char *layout, int ranks, struct plan **plan, char message[MESSAGE]);
/* What zero stands for. */
static inline char shape_type(const ompfact_shape *s)
{
    return s->type == '\0' ? 'd' : s->type;
}
static inline int shape_nb(const ompfact_shape *s)
{
    return s->nb == 0 ? 256 : s->nb;
}
/* Is A^H factored in place of A? */
static inline bool shape_is_transposed(const ompfact_shape *s)
{
    return s->purpose == OMPFACT_FOR_LEAST_SQUARES && s->structure == OMPFACT_GENERAL && s->m < s->n;
}
int fullest_rank(const struct layout *layout);

bool matrix_has_ipiv(ompfact_matrix *A);    /* makes it if need be; false: no memory */

/* Its tiles move faster to and from devices from now on. */
void matrix_pin(ompfact_matrix *A);

/* The matrix's pages are in memory now, or it is gone. */
void matrix_touched(ompfact_matrix *A);

/* My tiles become zero. Local. */
void matrix_clear(ompfact_matrix *A);

/* ---- storage.c: where a tile is --------------------------------------------------------------------------------------------- */

/*
 * Layouts, addresses and loops know of lower triangles alone. The tile (i,j), i <= j, of an upper matrix lies where (j,i) of a lower
 * one would, with the contents that it has; to the loops it is (j,i) of L = U^H, mirrored (omp/run.h). The caller's indices are
 * those of matrix_tile, matrix_view, and of the public interface.
 */
static inline bool is_hermitian(const ompfact_shape *s)
{
    return s->structure == OMPFACT_HERMITIAN_LOWER || s->structure == OMPFACT_HERMITIAN_UPPER;
}
static inline bool is_upper(const ompfact_shape *s)
{
    return s->structure == OMPFACT_HERMITIAN_UPPER;
}
/* Does full storage have the tile though nothing looks at it? */
static inline bool is_unused(const ompfact_matrix *A, int i, int j)
{
    return is_hermitian(&A->shape) && (is_upper(&A->shape) ? i > j : i < j);
}
/* What counts of a tile that is used: of one on a Hermitian matrix's diagonal the triangle. */
static inline enum uplo part_of(const ompfact_matrix *A, int i, int j)
{
    return !is_hermitian(&A->shape) || i != j ? GENERAL : is_upper(&A->shape) ? UPPER : LOWER;
}

bool storage_create(ompfact_matrix *A);     /* the auxiliary vectors; false: no memory */
void storage_destroy(ompfact_matrix *A);
size_t matrix_bytes(const ompfact_matrix *A, int rank);             /* a rank's tiles */
size_t matrix_largest_tile(const ompfact_matrix *A);                /* bytes */
void *matrix_tile(const ompfact_matrix *A, int i, int j);           /* of mine */
void matrix_view(const ompfact_matrix *A, int i, int j, ompfact_tile *tile);    /* of mine */

/* ---- tiles for the loops ------------------------------------------------------------------------------------------------------ */

static inline bool owns(const ompfact_matrix *A, int i, int j)
{
    return layout_owner(A->layout, i, j) == A->me;
}

/* My tiles of column j from row `from` down, and my columns: mt or nt when there are no more. */
static inline int first_row(const ompfact_matrix *A, int j, int from)
{
    return layout_first(A->layout, A->me, j, from);
}
static inline int next_row(const ompfact_matrix *A, int i, int j)
{
    return layout_next(A->layout, i, j);
}
static inline int first_col(const ompfact_matrix *A, int from)
{
    return layout_first_column(A->layout, A->me, from);
}

/* Where my columns of a tile column (of an upper matrix: row) live; NULL: on the host. */
const struct split *split_of(const ompfact_matrix *A, int column);
struct operand fetch(const ompfact_matrix *A, int i, int j);    /* to read; from its owner if need be */
struct operand tile(const ompfact_matrix *A, int i, int j);     /* mine, to read and write */
struct operand final(const ompfact_matrix *A, int i, int j);    /* the same, for the last time */
static inline struct operand with_access(enum access access, struct operand o)
{
    o.access = access;
    return o;
}
/* Where a column's next step waits for all its tiles, they are equally urgent. */
static inline struct operand of_column(struct operand o)
{
    o.due = o.j;
    return o;
}

/* ---- one collective run over the grid: factor.c --------------------------------------------------------------------------------- */

struct job;
struct pivoting;
struct reflectors;
struct travel;

/* A factorization as its steps: panel k, the tile of row k in column n, and the updates of rows from .. to-1 of column n with both. Each
   hands on this rank's tasks. */
struct algorithm {
    void (*panel)(struct run *run, const struct job *job, int k);
    void (*row)(struct run *run, const struct job *job, int k, int n);      /* NULL: it is ready with the panel */
    void (*update)(struct run *run, const struct job *job, int k, int n, int from, int to);
    enum layout_algorithm layout;
    bool go_on;                         /* after a failing pivot */
    bool whole_columns;                 /* row k of a column waits for the updates of all its rows with step k-1 */
    bool exchanges;                     /* ranks make in updates what others wait for in theirs */
};
extern const struct algorithm cholesky, lu, lu_pivoted, qr;

/* What an algorithm's loops and its readers work on; each uses what it needs. */
struct job {
    ompfact_matrix *A, *B, *W;
    const struct algorithm *algorithm;
    struct pivoting *pivoting;          /* NULL: none */
    const struct reflectors *reflectors;
    const struct travel *travel;
    ompfact_schedule schedule;
    bool routes;                        /* tiles may come down a tree */
    enum uplo uplo;
    enum trans trans;
    enum diag diag;
    int column;                         /* tile column of B */
    const int *last_step;               /* see solve.c */
    unsigned char *seen;                /* scratch of layout_readers and its like, made by job_run */
    int *ranks;                         /* the same, for those who ask for it */
};

struct job_plan {
    void (*loops)(struct run *run, const void *job);
    readers_function *readers;
    ompfact_matrix *matrices[3];        /* that the loops touch; NULL where fewer */
    bool settled[3];                    /* only final tiles in it */
    struct rma_space *beside[2];        /* more windows, or NULL; what is read from them has at most */
    size_t beside_bytes;
    bool beside_settled[2];
    bool routes, panels, in_order, go_on;       /* as in a run's plan */
    bool on_devices;                            /* A's tiles live where the grid says; or all are on the host */
    struct trace *trace;
};

void plan_beside(struct job_plan *plan, struct rma_space *space, bool settled, size_t bytes);

/* Factors A. `with`: what the algorithm needs beside it. Collective. */
ompfact_status factorize(ompfact_matrix *A, const struct algorithm *algorithm, const struct job *with, int64_t *info);
/* Is A what the factorization takes? OMPFACT_BAD_ARGUMENT and a message if not. potrf.c, getrf.c, geqrf.c: also of A^H */
ompfact_status check_potrf(const ompfact_matrix *A);
ompfact_status check_getrf(const ompfact_matrix *A);
ompfact_status check_geqrf(const ompfact_matrix *A, bool transposed);
/* Walks job->algorithm in the order of job->schedule. schedule.c */
void factor_loops(struct run *run, const void *job);

/* Counts, executes and reports. Collective. */
ompfact_status job_run(ompfact_grid *grid, struct job *job, const struct job_plan *plan, ompfact_report *report, int64_t *info);

/* One call's report after another's. */
void report_add(ompfact_report *sum, const ompfact_report *part);

/* For readers functions: takes the owner off a list of ranks; returns how many are left. */
int others(int *ranks, int count, int owner);

/* The columns of the operand, a tile of B or of a partial sum, that tile column job->column of B has. */
struct operand columns_of(const struct job *job, struct operand tile);

/* A maximum that a NaN wins. */
static inline double larger_or_nan(double a, double b)
{
    return a != a || a > b ? a : b;
}

/* ---- norms: norm.c -------------------------------------------------------------------------------------------------------------- */

/* Each of the values over all ranks; length may be beyond an int. Collective. */
ompfact_status reduce_over_ranks(ompfact_grid *grid, double *values, int64_t length, MPI_Op op);
/* The sums of moduli of A's columns, on every rank; freed by the caller. Collective. */
ompfact_status column_sums(ompfact_matrix *A, double **sums);
/* The largest moduli of A's columns, infinity where there is a NaN; the same. For general matrices. */
ompfact_status column_maxima(ompfact_matrix *A, double **maxima);
/* The largest row sum of moduli. Collective. */
ompfact_status norm_inf(ompfact_matrix *A, double *norm);

/* ---- products: multiply.c --------------------------------------------------------------------------------------------------------- */

/* B := B - op(A) X. X has tile rows like op(A)'s tile columns, B like its tile rows, both the same tile columns; W is the `work` of a matrix
   with B's tile rows and columns, as ompfact_matrix_create_rhs() makes it. Collective. */
ompfact_status subtract_product(enum trans trans, ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, ompfact_matrix *W,
                                ompfact_report *report);

/* ---- test ratios: check.c ------------------------------------------------------------------------------------------------------------ */

/* Have they the shape of A's factors? OMPFACT_BAD_ARGUMENT and a message if not. */
ompfact_status check_factors(const ompfact_matrix *A, const ompfact_matrix *factors);
/* LAPACK's convention: an error where there should be none is infinitely large in units of nothing. */
double ratio_of(double error, double scale);
/* The largest of ||r|| / (norm ||x||) over columns, of which there are the norms. */
double worst_column(int64_t columns, double norm, const double *errors, const double *solutions);

/* ---- QR: geqrf.c, gels.c -------------------------------------------------------------------------------------------------------------- */

/* What a factorization takes of rank A->me. A may be on paper. */
struct run_needs {
    struct run_tally tally;
    int64_t bytes;          /* beside the matrix and what is read from other ranks */
    size_t slot_bytes;      /* of the largest thing that is read from another rank */
};
/* Of QR, counted from its loops; of A^H where shape_is_transposed(). Local; false: no memory. */
bool qr_needs(const ompfact_matrix *A, ompfact_tree tree, int ib, struct run_needs *needs);

/* All ranks together, walked one after the other. Local; false: no memory. qr_count.c */
struct qr_counts {
    int64_t transfers, transfer_bytes;
    double flops_max_over_mean;
    double abe_max_over_mean;       /* of flops over speed, with the speeds of A's shape */
};
/* Told now and then how far a count is, 0 to 1. */
struct watcher {
    void (*look)(void *context, double done);
    void *context;
};
/* watcher: or NULL */
bool qr_count(ompfact_matrix *A, ompfact_tree tree, int ib, const struct watcher *watcher, struct qr_counts *counts);

/* ---- errors: error.c -------------------------------------------------------------------------------------------------------------- */

/* Fills the grid's message and returns the status. */
ompfact_status fail(ompfact_grid *grid, ompfact_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
ompfact_status fail_mpi(ompfact_grid *grid, int code);
/* Where there is no grid: fills the message, which may be NULL, and returns the status. */
ompfact_status fail_with(char *message, ompfact_status status, const char *text);
/* Collective: the code, where it is not 0, and the text (of one size) of the lowest rank that failed, on all ranks. An MPI error code. */
int agree_on(struct rma *rma, int *code, char *text, int size);
/* The same for a status and the grid's message. */
ompfact_status agree(ompfact_grid *grid, ompfact_status status);
/* What the status of a part of a call is of the whole one, if contents have been changed before: a positive one would say that
   they have not. Arguments have been looked at by then, so it is of memory. */
ompfact_status on_the_way(ompfact_status status);

#define TRY(call)                                                                                                               \
    do {                                                                                                                        \
        ompfact_status try_status = (call);                                                                                     \
        if (try_status != OMPFACT_SUCCESS)                                                                                      \
            return try_status;                                                                                                  \
    } while (0)

#define TRY_MPI(grid, call)                                                                                                     \
    do {                                                                                                                        \
        int try_code = (call);                                                                                                  \
        if (try_code != MPI_SUCCESS)                                                                                            \
            return fail_mpi(grid, try_code);                                                                                    \
    } while (0)

/* ---- moving rows and tiles between runs ----------------------------------------------------------------------------------------- */

/* The grid's staging memory, `room` bytes a box or more. Of a rank, once to send and once to receive; more brings no more speed, for a round
   then is long against its two collective calls. It stays: a window takes long to make where ranks outnumber cores. Collective.
   redistribute.c */
enum { STAGING_BYTES = 4 << 20 };
ompfact_status staging_get(ompfact_grid *grid, int64_t room);

/* Interchanges row i of M with row ipiv[i], i = 0 .. count-1, or, `back`, the other way round from the last to the first. Collective.
   What that took is added to M's report. interchange.c */
ompfact_status interchange_rows(ompfact_matrix *M, const int64_t *ipiv, int64_t count, bool back);
/* Those of all later steps in each tile column of L, and what that took in A's report. Collective. interchange.c */
ompfact_status interchange_left(ompfact_matrix *A);

/* Threads for a rank that shares its node with others; at least 1. cores.c */
int default_threads(int ranks_on_node);
/* Cores of this node, whoever may use them; 0: not known. cores.c */
int node_cores(void);
/* Binds each thread to a core of its own if wanted, and if the node has as many as its ranks have threads, or the launcher has bound
   the rank to as many. Collective. cores.c */
void pin_threads(struct rma *rma, int threads, bool wanted);

/* Refuses, on all ranks, if the ranks of any node together need more than it has: `bytes` more on this rank, beside windows that
   exist and have not been filled yet. Collective. memory.c */
ompfact_status memory_check(ompfact_grid *grid, int64_t bytes, const char *what);
/* Bytes that each rank could have if the ranks of its node shared what the node has left: the least of all ranks. Collective. */
ompfact_status memory_share(ompfact_grid *grid, int64_t *bytes);

#endif
