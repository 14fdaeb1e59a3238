/* The matrix inside the library: its tiling, its layout, its window, and tiles as arguments of tasks. */
#ifndef OMPFACT_SRC_MATRIX_MATRIX_H
#define OMPFACT_SRC_MATRIX_MATRIX_H

#include "layouts/layout.h"
#include "omp/pinned.h"
#include "src/grid/grid.h"
#include "src/matrix/compressed.h"
#include "src/matrix/shape.h"
#include "src/matrix/tiling.h"

/* Anything, or factors with info 0. L of A = L Q^H, in the lower triangle and without Q, is what a least norm solution leaves. */
enum contents { CONTENTS_PLAIN, CONTENTS_CHOLESKY, CONTENTS_LU, CONTENTS_QR, CONTENTS_L_OF_LQ, CONTENTS_INDEFINITE };

/* Something that somebody keeps beside a matrix as long as it lives: the first member of a struct of his. */
struct attachment {
    void (*destroy)(struct attachment *attachment);     /* with the matrix, first come first; its address tells kinds apart */
    struct attachment *next;
};

/* What a factorization that runs makes of its matrix's tiles; all zero between runs. */
struct in_run {
    bool (*packs)(const ompfact_matrix *A, int i, int j);       /* final tiles that are packed (omp/packing.h); NULL: none */
    enum summed summed;             /* what an update does with the sums of the tile that it writes */
    bool sums_below, sums_right;    /* tiles below the diagonal, right of it, are final when a task has made their sums */
};

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
    bool has_sums;                  /* tiles have room for sums behind them: omp/tasks/task_sums.c */
    int64_t **last;                 /* [rank][tile column]: see storage.c; mine from the start, others' when first asked for */
    bool no_memory;                 /* for one of them */

    ompfact_matrix *leading;        /* whose storage has the first of its tiles, see storage.c; NULL: its own has all */
    bool owns_leading;
    struct rma_space *space;        /* NULL on paper */
    bool owns_space;
    double register_s;              /* what making its window took, on the slowest rank; 0 on one node */
    int64_t untouched;              /* its share of the grid's */
    MPI_Aint first_byte;            /* where this matrix begins in its space: tiles, */
    int64_t first_id;               /*   and flags */

    struct compressed *compressed;  /* NULL: its tiles are dense, and in its precision */
    struct pinned pinned;           /* for moves to devices: its space */
    const struct split *split;      /* [column of tiles in memory], while devices write it; else NULL */
    enum contents contents;
    struct in_run in_run;
    int done;                       /* steps of a factorization, which goes on behind them, */
    const char *done_by;            /*   of this name: it was restored, or made in part */
    bool resumed;                   /*   by a checkpoint that the grid was told of */
    int kept;                       /* while rows are appended: tile rows, and columns, of a factor that is there */
    struct layers *layers;          /* of a matrix in copies: layers.h; NULL: there is one copy */
    int layer;                      /*   this is one of them; 0: as callers know it */
    bool spread;                    /*   its factors are there, each tile on the layer that made it: layers.h */
    int left;                       /* of `done`, those whose interchanges all columns left of them have, too */
    struct attachment *attached;    /* what is kept beside it */
    bool pivoted;                   /* its factors come with interchanges of rows: */
    int64_t *ipiv;                  /* [min(m,n)] 0-based, as LAPACK's; NULL before they are first needed */
    ompfact_report report;
    ompfact_matrix *work;           /* of right-hand sides: the partial sums of a solve, see src/solve/triangular.c */
};

/* Of a call in which nothing ran, or nothing yet. */
static inline ompfact_report report_of_nothing(void)
{
    return (ompfact_report){ .flops_max_over_mean = 1, .checkpoints = -1, .restarted_from_step = -1, .tiles_restored = -1 };
}

/* Its elements are the caller's, and nothing is done with them. */
static inline void matrix_begins_anew(ompfact_matrix *A)
{
    A->contents = CONTENTS_PLAIN;
    A->pivoted = false;
    A->done = A->left = 0;
    A->spread = false;
}

/* Were its first rows eliminated, and not the others? A checkpoint that a call has come to nothing with is no such thing. */
static inline bool is_in_part(const ompfact_matrix *A)
{
    return A->done > 0 && !A->resumed;
}
/* Has hetrf or sytrf left factors, of all of A or of its first rows? holds.c */
bool holds_signs(const ompfact_matrix *A);
/* For calls that want all of a matrix: OMPFACT_BAD_ARGUMENT and a message where its first rows are eliminated, unless by this
   factorization, which goes on (NULL: none does). holds.c */
ompfact_status check_whole(const ompfact_matrix *A, const char *factorization);

static inline int64_t shorter_side(const ompfact_matrix *A)
{
    return A->shape.m < A->shape.n ? A->shape.m : A->shape.n;
}
/* Of a factorization. */
static inline int steps_of(const ompfact_matrix *A)
{
    return A->mt < A->nt ? A->mt : A->nt;
}
/* Of factors that are there the steps that have made them: all, or those of a part. */
static inline int steps_done(const ompfact_matrix *A)
{
    return is_in_part(A) ? A->done : steps_of(A);
}
int widest_panel(const ompfact_matrix *A);    /* its columns */
/* How its tiles are kept: d, dense; c, compressed; m, in mixed precision. */
static inline char letter_of_tiles(const ompfact_matrix *A)
{
    if (A->shape.accuracy > 0)
        return A->shape.tile_precision > 0 ? 'b' : 'c';
    return A->shape.tile_precision > 0 ? 'm' : 'd';
}

/* What lies in a window one behind the other begins at multiples of 64 bytes. */
static inline size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Whether there could be a matrix of such a shape anywhere: before a layout is looked for, which of very many tiles takes long.
   Local. */
ompfact_status matrix_check_shape(const ompfact_shape *shape, char message[MESSAGE]);
/* Whether its largest tile is not too large. */
ompfact_status matrix_check_largest_tile(const ompfact_matrix *A, char message[MESSAGE]);
/* The least that its elements take, of all ranks together, in bytes; 0 where tiles are compressed, of mixed precision half. */
double matrix_least_bytes(const ompfact_shape *shape);

/*
 * The matrix on paper: everything but its window, seen by one rank of so many. Local; the pattern becomes the matrix's. For dry
 * runs, counting, and as the first half of every creation. Destroyed by ompfact_matrix_destroy.
 */
ompfact_status matrix_on_paper(const ompfact_shape *shape, struct pattern *pattern, int me, ompfact_matrix **A,
                               char message[MESSAGE]);
/* Right-hand sides of A on paper, and as their `work` the partial sums of a solve: a block column for each rank, in that
   rank's memory. */
ompfact_status matrix_rhs_on_paper(const ompfact_matrix *A, int64_t nrhs, ompfact_matrix **B, char message[MESSAGE]);

/* ompfact_matrix_create_like() with another type; and with these tile rows and columns, and A's pattern. Collective. */
ompfact_status matrix_create_like(ompfact_matrix *A, char type, ompfact_matrix **B);
ompfact_status matrix_create_sized(ompfact_matrix *A, const struct tiling *rows, const struct tiling *cols, ompfact_matrix **B);
/* For the lower triangle of a Hermitian A, or the conjugate transpose of its upper one: tile (i,j) is where A's (i,j), or (j,i),
   is. Collective. */
ompfact_status matrix_create_lower(ompfact_matrix *A, ompfact_matrix **B);

/* A general matrix with A's tiles, those of the triangle and on the diagonal on the ranks that have A's. Collective. */
ompfact_status matrix_create_general(ompfact_matrix *A, ompfact_matrix **G);

/* For A^H: tile (i,j) is on the rank of A's (j,i). On paper, local; and with memory, collective. */
ompfact_status matrix_transposed_on_paper(const ompfact_matrix *A, ompfact_matrix **At, char message[MESSAGE]);
ompfact_status matrix_create_transposed(ompfact_matrix *A, ompfact_matrix **At);
/* For the tiles of A from (k,k) on, each on the rank that has it there. Collective. */
ompfact_status matrix_create_trailing(ompfact_matrix *A, int k, ompfact_matrix **S);
/* For A with so many more rows and columns, Hermitian, in tiles behind its own. These stay in A's storage: B->leading is A.
   Collective. */
ompfact_status matrix_create_larger(ompfact_matrix *A, int64_t m, ompfact_matrix **B);
/* A matrix that has grown has pieces of storage, each with a window; those of more than MATRIX_PIECES no run can open. */
enum { MATRIX_PIECES = 4 };
int matrix_pieces(const ompfact_matrix *A);
/* For a Hermitian A in tiles that are all as large as its largest one, but the last, laid out as A's are. Collective. */
ompfact_status matrix_create_even(ompfact_matrix *A, ompfact_matrix **B);
/* A, wherever the caller has its address, becomes *B, and *B is NULL then. What A was is *B's leading part, or is destroyed; what
   was attached to it is. To *B nothing is attached, for that could know its address. Collective. */
void matrix_become(ompfact_matrix *A, ompfact_matrix **B);
/* The leading mt x nt tiles of A, all of them one rank's. On paper; local. */
ompfact_status matrix_leading_of_one_rank(const ompfact_matrix *A, int mt, int nt, ompfact_matrix **B, char message[MESSAGE]);
/* Attaches it: the matrix owns it now. */
void matrix_attach(ompfact_matrix *A, struct attachment *attachment);
void matrix_detach(ompfact_matrix *A, struct attachment *attachment);      /* and now it is not */
/* The attachment of this kind, or NULL. */
struct attachment *matrix_attached(const ompfact_matrix *A, void (*destroy)(struct attachment *attachment));

/* The second half of a creation: gives the paper, where its status is success on all ranks, a window; destroys it where not.
   Collective. */
ompfact_status matrix_settle(ompfact_grid *grid, ompfact_status status, ompfact_matrix **A);

bool matrix_has_ipiv(ompfact_matrix *A);    /* makes it if need be; false: no memory */
/* May rows from to end - 1 each be interchanged with these, the first of all rows counted as `base`? With itself or one below. */
bool are_interchanges(const ompfact_matrix *A, const int64_t *ipiv, int64_t from, int64_t end, int base);

/* Its tiles move faster to and from devices from now on. */
void matrix_pin(ompfact_matrix *A);

/* To be called when the matrix's pages have been written, or are gone: the grid no longer counts them as to come. */
void matrix_touched(ompfact_matrix *A);

/* My tiles become zero. Local. */
void matrix_clear(ompfact_matrix *A);

/* ---- storage.c: where a tile is ----------------------------------------------------------------------------------------- */

/*
 * Layouts, addresses and loops know of lower triangles alone. The tile (i,j), i <= j, of an upper matrix lies where (j,i) of a
 * lower one would, with the contents that it has; to the loops it is (j,i) of L = U^H, mirrored (omp/run.h). The caller's indices
 * are those of matrix_tile, matrix_view, and of the public interface.
 */
/* Does full storage have the tile though nothing looks at it? */
static inline bool is_unused(const ompfact_matrix *A, int i, int j)
{
    return stores_triangle(&A->shape) && (is_upper(&A->shape) ? i > j : i < j);
}
/* What counts of a tile that is used: of one on the diagonal of a matrix that stores a triangle that triangle. */
static inline enum uplo part_used(const ompfact_matrix *A, int i, int j)
{
    return !stores_triangle(&A->shape) || i != j ? GENERAL : is_upper(&A->shape) ? UPPER : LOWER;
}

bool storage_create(ompfact_matrix *A);     /* the auxiliary vectors; false: no memory */
bool storage_add_sums(ompfact_matrix *A);   /* room for sums, before it has memory; false: no memory */
void storage_destroy(ompfact_matrix *A);
size_t matrix_bytes(const ompfact_matrix *A, int rank);             /* a rank's tiles, */
size_t matrix_own_bytes(const ompfact_matrix *A, int rank);         /*   those in A's own storage */
size_t matrix_largest_tile(const ompfact_matrix *A);                /* bytes */
void *matrix_tile(const ompfact_matrix *A, int i, int j);           /* of mine */
/* Of any rank that shares this one's memory; for many threads once addresses on all ranks are known, if there is memory. */
void *matrix_tile_in_place(const ompfact_matrix *A, int i, int j);
bool matrix_has_addresses(ompfact_matrix *A);
/* Was there no memory for some of these, since it was asked last? */
bool matrix_lost_addresses(ompfact_matrix *A);
void matrix_view(const ompfact_matrix *A, int i, int j, ompfact_tile *tile);    /* of mine; of low rank where U and V are */

/* ---- tiles for the loops ------------------------------------------------------------------------------------------------ */

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
struct operand fetch(const ompfact_matrix *A, int i, int j);    /* final, to read; from its owner if need be */
struct operand peek(const ompfact_matrix *A, int i, int j);     /* to read as it is: mine, or what its owner has published */
struct operand tile(const ompfact_matrix *A, int i, int j);     /* mine, to read and write */
struct operand final(const ompfact_matrix *A, int i, int j);    /* mine, to read and write for the last time */
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

/* A maximum that a NaN wins. */
static inline double larger_or_nan(double a, double b)
{
    return a != a || a > b ? a : b;
}

/* ---- norms: norm.c ------------------------------------------------------------------------------------------------------ */

/* Each of the values over all ranks; length may be beyond an int. Collective. */
ompfact_status reduce_over_ranks(ompfact_grid *grid, double *values, int64_t length, MPI_Op op);
/* The sums of moduli of A's columns, on every rank; freed by the caller. Collective. */
ompfact_status column_sums(ompfact_matrix *A, double **sums);
/* The largest moduli of A's columns, infinity where there is a NaN; on every rank, freed by the caller. For general matrices.
   Collective. */
ompfact_status column_maxima(ompfact_matrix *A, double **maxima);
/* The largest modulus of what A stores, infinity where a NaN is among it. Collective. */
ompfact_status largest_modulus(ompfact_matrix *A, double *largest);
/* The 1-norm of the triangle that a Hermitian matrix stores. Collective. */
ompfact_status norm1_of_triangle(ompfact_matrix *T, double *norm);
/* The 1-norm of the lower or upper triangle of a general matrix. Collective. */
ompfact_status norm1_of_part(ompfact_matrix *T, enum uplo uplo, double *norm);
/* The largest row sum of moduli. Collective. */
ompfact_status norm_inf(ompfact_matrix *A, double *norm);

#endif
