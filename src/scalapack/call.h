/*
 * ScaLAPACK's routines by its names: a call's life.
 *
 *     pdpotrf_(...)       names.c        every spelling; parameters are pointers, as Fortran passes them
 *       scalapack_call    call.c         its words are found, checked (parameters.c), and it is decided who serves it
 *         answer          query.c        how much workspace is wanted
 *         or serve        cholesky.c, lu.c, triangle.c, qr.c
 *           take, solve, give back       arrays.c: sub-matrices of block-cyclic arrays to matrices of ours and back
 *         or hand on      next.c         to the next library that has the name
 *
 * Who decides? Every process for itself, by what all have alike (sizes, descriptors but for LLD_, the environment), so that all
 * decide alike. What one process alone finds wrong comes out in a collective call of ours, which all leave with the same status.
 *
 * Only the public interface of ompfact is used.
 */
#ifndef OMPFACT_SRC_SCALAPACK_CALL_H
#define OMPFACT_SRC_SCALAPACK_CALL_H

#include "src/ompfact.h"

/* What a parameter is. ARRAY_A and ARRAY_B are four each: the local array, row, column, descriptor. */
enum word { SIDE, UPLO, OP, DIAG, M, N, K, NRHS, ALPHA, ANORM, RCOND, ARRAY_A, ARRAY_B, IPIV, TAU, WORK, LWORK, IWORK, LIWORK,
            INFO, WORDS, END };
/* What sizes are called; these as well: */
enum size { ORDER = WORDS, /* of A: m or n, as the side says */ LONGER /* max(m,n) */ };

enum { DTYPE_, CTXT_, M_, N_, MB_, NB_, RSRC_, CSRC_, LLD_ };

struct call;

struct routine {
    const char *name;                   /* without the type */
    enum word parameter[16];            /* up to END */
    int rows[2], cols[2];               /* of A and B: a word or a size */
    int work[3];                        /* words and sizes, of which the arithmetic is about the product */
    ompfact_status (*serve)(struct call *call, int64_t *info);
};
extern const struct routine scalapack_potrf, scalapack_potrs, scalapack_potri, scalapack_posv, scalapack_trtri, scalapack_trsm,
    scalapack_getrf, scalapack_getrs, scalapack_getri, scalapack_gesv, scalapack_geqrf, scalapack_ormqr, scalapack_unmqr,
    scalapack_orgqr, scalapack_ungqr, scalapack_gels, scalapack_pocon;

struct call {
    const struct routine *routine;
    char type;                          /* s, d, c, z */
    char name[16];                      /* with the type: pdpotrf */
    void **parameter;
    int count;
    void *of[WORDS];                    /* a word's parameter, an array's first one; NULL: it has none */
    int place[WORDS];                   /* its number, from 1 */
    struct process_grid *processes;
    double copying;                     /* seconds, so far */
    bool written;                       /* an array has been, so nobody else can begin again */
    ompfact_shape shape;                /* of the matrix taken for A, but for the layout: */
    bool has_layout;                    /*   whether it was named */
};

static inline int number_of(const struct call *c, enum word word)
{
    return *(const int *)c->of[word];
}

/* A real number's value, or a complex one's real part. */
static inline double real_of(const struct call *c, enum word word)
{
    bool single = c->type == 's' || c->type == 'c';
    return single ? *(const float *)c->of[word] : *(const double *)c->of[word];
}

/* Element i of real ones, or of a complex one's two parts. */
static inline void set_real(const struct call *c, enum word word, int i, double value)
{
    if (c->type == 's' || c->type == 'c')
        ((float *)c->of[word])[i] = (float)value;
    else
        ((double *)c->of[word])[i] = value;
}

/* Of the letter's two cases the upper one. */
static inline char letter_of(const struct call *c, enum word word)
{
    char letter = *(const char *)c->of[word];
    return letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
}

/* An array's. */
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

/* A word's or a size's value; rows and columns of A and B. call.c */
int64_t size_of(const struct call *c, int size);
static inline int64_t rows_of(const struct call *c, enum word array)
{
    return size_of(c, c->routine->rows[array == ARRAY_B]);
}
static inline int64_t cols_of(const struct call *c, enum word array)
{
    return size_of(c, c->routine->cols[array == ARRAY_B]);
}

/* What an entry point does: parameter[] are its own, in order. call.c */
void scalapack_call(const struct routine *routine, char type, void **parameter);

/* Finds the words of a call whose routine, type and parameters are set. Local. call.c */
void call_open(struct call *c);
/* ScaLAPACK's info for a wrong parameter, 0 if all are right: -i, or -(100 i + j) for entry j of a descriptor. Local.
   parameters.c */
int check_parameters(const struct call *c);
/* The same for what one process alone can tell, where something is wrong; all have the same. Collective. parameters.c */
int check_local_parameters(const struct call *c);

void set_info(const struct call *c, int64_t info);

/* ---- workspaces: query.c ------------------------------------------------------------------------------------------------ */

/* Whether a call asks how much it wants, and nothing else. */
bool is_query(const struct call *c);
void answer_query(struct call *c);
/* As much as there was will do again. */
void report_workspace(const struct call *c);

/* ---- other libraries: next.c -------------------------------------------------------------------------------------------- */

bool has_next(const struct call *c);
void hand_on(struct call *c);
/* Whether a routine that a call was handed on to calls others by their names. */
bool is_called_by_next(void);
/* Says what is wrong as ScaLAPACK's PXERBLA does, by that routine where there is one. */
void complain(const struct call *c, int info);

/* ---- process grids: process_grid.c -------------------------------------------------------------------------------------- */

/* A BLACS context, and our grid over its processes. */
struct process_grid {
    struct process_grid *next;
    int serial;                         /* the same on all its processes */
    bool ended;                         /* the context has: another one may take the grid over */
    MPI_Comm comm;                      /* ours */
    int nprow, npcol, myrow, mycol;
    int *rank;                          /* [nprow * npcol], row by row: in comm */
    bool counts;                        /* this process counts its calls */
    ompfact_grid *grid;                 /* NULL before the first call that is served */
    ompfact_matrix *kept;               /* the last call's, for another one like it; or NULL */
    ompfact_shape shape;                /* its, but for the layout: */
    bool has_layout;                    /*   whether it was named */
};

/* The calling process's; NULL, on all its processes, where there can be none. Collective over the context where it is new. */
struct process_grid *process_grid_of(int context);
/* With our grid. Collective. */
ompfact_status open_grid(struct process_grid *processes);
/* All that are left. Collective over each. */
void close_grids(void);
/* In place, over all processes. It polls and lets others compute: where processes outnumber cores MPI's own waits take
   milliseconds. Collective. */
ompfact_status reduce_over(const struct process_grid *processes, void *values, int count, MPI_Datatype type, MPI_Op op);
/* OMPFACT_NO_MEMORY, on every process, where any of them has got NULL. Collective. */
ompfact_status agree_on_memory(const struct call *c, const void *memory);

/* ---- arrays: arrays.c --------------------------------------------------------------------------------------------------- */

/* A matrix with the rows and columns of the sub-matrix, and what it holds. The shape says the rest. Collective. */
ompfact_status take(struct call *c, enum word array, ompfact_shape shape, ompfact_matrix **A);
/* For array A, to be given back by release(): it may be the one of the call before. Fresh memory costs about as much as the copy
   into it. Collective. */
ompfact_status take_A(struct call *c, ompfact_shape shape, ompfact_matrix **A);
/* Keeps the matrix for the next call, where this one has gone well and memory is plenty, or destroys it. NULL is fine.
   Collective. */
void release(struct call *c, ompfact_matrix **A, ompfact_status status);
/* As right-hand sides of A, in as many rows as A has. Collective. */
ompfact_status take_rhs(struct call *c, ompfact_matrix *A, ompfact_matrix **B);
/* From an array's sub-matrix, of the matrix's rows and columns, into it. Collective. */
ompfact_status copy_in(struct call *c, enum word array, ompfact_matrix *A);
/* And back. Collective. */
ompfact_status give_back(struct call *c, enum word array, ompfact_matrix *A);

/* The Hermitian matrix of the triangle uplo of array A. */
ompfact_status take_triangle(struct call *c, ompfact_purpose purpose, ompfact_matrix **A);

/* Interchanges of A's rows, count of them, from 1 for the sub-matrix's first row: ours, and ScaLAPACK's, which each process row
   has for its rows of the array. ipiv_in: collective. */
ompfact_status ipiv_in(const struct call *c, int64_t count, int64_t *ipiv);
void ipiv_out(const struct call *c, int64_t count, const int64_t *ipiv);
/* Scalars of reflectors, which each process column has for its columns of the array. tau_in: collective. */
ompfact_status tau_in(const struct call *c, int64_t count, void *tau);
void tau_out(const struct call *c, int64_t count, const void *tau);
size_t element_bytes(const struct call *c);
/* How many of count rows, or columns, in blocks, this process row or column has: ScaLAPACK's numroc. */
int local_count(int count, int block, int me, int source, int processes);

/* ---- what was done: account.c ------------------------------------------------------------------------------------------- */

/* From now on, at MPI_Finalize, calls are reported and process grids closed. */
void account_open(void);
/* why: it was not served; NULL: it was. */
void account_note(const struct call *c, const char *why, double seconds);

#define TRY(call)                                                                                                               \
    do {                                                                                                                        \
        ompfact_status try_status = (call);                                                                                     \
        if (try_status != OMPFACT_SUCCESS)                                                                                      \
            return try_status;                                                                                                  \
    } while (0)

/* As long as nothing has failed. */
#define THEN(call)                                                                                                              \
    do {                                                                                                                        \
        if (status == OMPFACT_SUCCESS)                                                                                          \
            status = (call);                                                                                                    \
    } while (0)

#endif
