/*
 * ScaLAPACK's routines by its names: a call's life.
 *
 *     pdpotrf_(...)       names.c        every spelling; parameters are pointers, as Fortran passes them
 *       scalapack_call    call.c         its words are found (call_words.c) and checked (parameters.c), and it is decided who
 *                                        serves it
 *         answer          query.c        how much workspace is wanted
 *         or serve        cholesky.c, lu.c, triangle.c, qr.c
 *           take, solve, give back       arrays.c: sub-matrices of block-cyclic arrays to matrices of ours and back; call.c
 *                                        destroys what the routine has taken
 *         or hand on      next.c         to the next library that has the name
 *
 * Who decides? Every process for itself, by what all have alike (sizes, descriptors but for LLD_, the environment), so that all
 * decide alike. What one process alone finds wrong comes out in a collective call of ours, which all leave with the same status.
 *
 * Only the public interface of ompfact is used.
 */
#ifndef OMPFACT_SRC_SCALAPACK_CALL_H
#define OMPFACT_SRC_SCALAPACK_CALL_H

#include "src/io/element.h"
#include "src/ompfact.h"

/* Kinds of parameters. ARRAY_A and ARRAY_B are four parameters each: the local array, row, column, descriptor. */
enum word { SIDE, UPLO, OP, DIAG, M, N, K, NRHS, ALPHA, ANORM, RCOND, ARRAY_A, ARRAY_B, IPIV, TAU, WORK, LWORK, IWORK, LIWORK,
            INFO, WORDS, END };
/* Names of sizes; these are also sizes: */
enum size { ORDER = WORDS, /* order of A: m or n, depending on the side */ LONGER /* max(m,n) */ };

enum { DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_, CSRC_, LLD_ };

struct call;

struct routine {
    const char *name;                   /* name of the routine without the type */
    enum word parameter[16];            /* kinds of the parameters, up to END */
    int rows[2], cols[2];               /* for A and B: a parameter or a size */
    int work[3];                        /* parameters and sizes whose product is the order of the work */
    ompfact_status (*serve)(struct call *call);
};
extern const struct routine scalapack_potrf, scalapack_potrs, scalapack_potri, scalapack_posv, scalapack_trtri, scalapack_trsm,
    scalapack_getrf, scalapack_getrs, scalapack_getri, scalapack_gesv, scalapack_geqrf, scalapack_ormqr, scalapack_unmqr,
    scalapack_orgqr, scalapack_ungqr, scalapack_gels, scalapack_pocon;

struct call {
    const struct routine *routine;
    char type;                          /* s, d, c, z */
    char name[16];                      /* name with the type: pdpotrf */
    void **parameter;
    int count;
    void *of[WORDS];                    /* the parameter of each kind, for an array the first one; NULL: the routine has none */
    int place[WORDS];                   /* number of the parameter, from 1 */
    struct process_grid *processes;
    ompfact_matrix *A, *B;              /* what was taken from the arrays; NULL: nothing */
    void *vector;                       /* memory for interchanges or scalars of reflectors; NULL: none */
    int64_t info;
    double copying;                     /* seconds spent on copies */
    bool written;                       /* whether an array has been written, so that no other library can begin again */
    ompfact_shape shape;                /* shape of the matrix that A became, without the layout */
    bool has_layout;                    /* whether the layout was named */
};

static inline int number_of(const struct call *c, enum word word)
{
    return *(const int *)c->of[word];
}

/* The value of a real number, or the real part of a complex one. */
static inline double real_of(const struct call *c, enum word word)
{
    return element_is_single(c->type) ? *(const float *)c->of[word] : *(const double *)c->of[word];
}

/* Element i of an array of reals, or of the two parts of a complex number. */
static inline void set_real(const struct call *c, enum word word, int i, double value)
{
    if (element_is_single(c->type))
        ((float *)c->of[word])[i] = (float)value;
    else
        ((double *)c->of[word])[i] = value;
}

/* The upper-case letter. */
static inline char letter_of(const struct call *c, enum word word)
{
    char letter = *(const char *)c->of[word];
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

/* A parameter of an array. */
static inline const int *desc_of(const struct call *c, enum word array)
{
    return c->parameter[c->place[array] + 2];
}
static inline int first_row_of(const struct call *c, enum word array)
{
    return *(const int *)c->parameter[c->place[array]];
}
static inline int first_col_of(const struct call *c, enum word array)
{
    return *(const int *)c->parameter[c->place[array] + 1];
}

/* The value of a parameter or a size; rows and columns of A and B. call_words.c */
int64_t size_of(const struct call *c, int size);
static inline int64_t rows_of(const struct call *c, enum word array)
{
    return size_of(c, c->routine->rows[array == ARRAY_B]);
}
static inline int64_t cols_of(const struct call *c, enum word array)
{
    return size_of(c, c->routine->cols[array == ARRAY_B]);
}

/* The body of an entry point: parameter[] are its parameters, in order. call.c */
void scalapack_call(const struct routine *routine, char type, void **parameter);

/* Finds the parameters of a call by kind; its routine, type and parameters are set. Local. call_words.c */
void call_open(struct call *c);
/* Returns ScaLAPACK's info for a wrong parameter, 0 if all are right: -i, or -(100 i + j) for entry j of a descriptor. Local.
   parameters.c */
int check_parameters(const struct call *c);
/* The same for an error that only one process finds; all processes return the same. Collective. parameters.c */
int check_local_parameters(const struct call *c);

void set_info(const struct call *c, int64_t info);

/* ---- workspaces: query.c ------------------------------------------------------------------------------------------------ */

/* Whether a call is a workspace query. */
bool is_query(const struct call *c);
void answer_query(struct call *c);
/* Accepts a smaller workspace than the query returns. */
void report_workspace(const struct call *c);

/* ---- other libraries: next.c -------------------------------------------------------------------------------------------- */

bool has_next(const struct call *c);
void hand_on(struct call *c);
/* Whether the next library's routine calls other routines by their names. */
bool is_called_by_next(void);
/* Reports an error as ScaLAPACK's PXERBLA does, by that routine if it exists. */
void complain(const struct call *c, int info);

/* ---- process grids: process_grid.c -------------------------------------------------------------------------------------- */

/* A BLACS context, and our grid over its processes. */
struct process_grid {
    struct process_grid *next;
    int serial;                         /* number, the same on all its processes */
    bool ended;                         /* whether the context has ended, so that another context may take over the grid */
    MPI_Comm comm;                      /* our communicator */
    int nprow, npcol, myrow, mycol;
    int *rank;                          /* [nprow * npcol], row by row: rank in comm */
    bool counts;                        /* whether this process counts calls */
    ompfact_grid *grid;                 /* NULL before the first call that this library serves */
    ompfact_matrix *kept;               /* matrix of the last call, for a similar call; or NULL */
    ompfact_shape shape;                /* shape of the kept matrix, without the layout */
    bool has_layout;                    /* whether the layout was named */
};

/* The context of the calling process; NULL, on all its processes, if it is impossible. Collective over a new context. */
struct process_grid *process_grid_of(int context);
/* The same, with our grid. Collective. */
ompfact_status open_grid(struct process_grid *processes);
/* All-reduce in place over all processes. It polls and yields the core: if processes outnumber cores MPI's own waits take
   milliseconds. Collective. */
ompfact_status reduce_over(const struct process_grid *processes, void *values, int count, MPI_Datatype type, MPI_Op op);
/* ---- arrays: arrays.c --------------------------------------------------------------------------------------------------- */

/* Make c->B, a matrix with the rows, columns and elements of the sub-matrix: in c->A's tile size, with this layout, or as
   right-hand sides of A. Collective. */
ompfact_status take_B(struct call *c, const char *layout);
ompfact_status take_rhs(struct call *c, ompfact_matrix *A);
/* The same for c->A; `shape` has the other members. The matrix may be that of the previous call, because fresh memory costs about
   as much as the copy. Collective. */
ompfact_status take_A(struct call *c, ompfact_shape shape);
/* The same for the Hermitian matrix of triangle UPLO. */
ompfact_status take_triangle(struct call *c, ompfact_purpose purpose);
/* Keeps c->A for the next call if this call succeeded and memory is plenty; otherwise destroys it. Collective. */
void release_A(struct call *c, ompfact_status status);
/* Copies the matrix, which has the rows and columns of the array's sub-matrix, back. Collective. */
ompfact_status give_back(struct call *c, enum word array, ompfact_matrix *A);

/* One dimension of an array over the processes of a column or row of their grid. */
struct cyclic {
    int64_t before;         /* elements of the array before the sub-matrix */
    int block, source;
    int processes, me;      /* 0 before the processes of the call are known */
};
struct cyclic cyclic_rows(const struct call *c, enum word array);
struct cyclic cyclic_cols(const struct call *c, enum word array);

/* Copies `count` interchanges of A's rows, from 1 for the first row of the sub-matrix, between our form and ScaLAPACK's, in which
   each process row has those of its rows of the array. ipiv_in: collective. */
ompfact_status ipiv_in(const struct call *c, int64_t count, int64_t *ipiv);
void ipiv_out(const struct call *c, int64_t count, const int64_t *ipiv);
/* Copies scalars of reflectors between our form and ScaLAPACK's, in which each process column has those of its columns of the
   array. tau_in: collective. */
ompfact_status tau_in(const struct call *c, int64_t count, void *tau);
void tau_out(const struct call *c, int64_t count, const void *tau);
/* Makes c->vector, of so many elements; OMPFACT_NO_MEMORY on every process if any process has no memory. Collective. */
ompfact_status make_vector(struct call *c, int64_t count, size_t bytes);
/* The number of `count` rows, or columns, in blocks, on this process row or column: ScaLAPACK's numroc. */
int local_count(int count, int block, int me, int source, int processes);

/* ---- what was done: account.c ------------------------------------------------------------------------------------------- */

/* Writes the report. */
void account_report(void);
/* why: the reason why the call was not served; NULL: it was served. */
void account_note(const struct call *c, const char *why, double seconds);

#define TRY(call)                                                                                                               \
    do {                                                                                                                        \
        ompfact_status try_status = (call);                                                                                     \
        if (try_status != OMPFACT_SUCCESS)                                                                                      \
            return try_status;                                                                                                  \
    } while (0)

/* A local variable that a function ends, by its address, where its scope is left. */
#define CLEANUP(end) __attribute__((cleanup(end)))

#endif
