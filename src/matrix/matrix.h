/* The internal matrix: its tiling, its layout, its window, and tiles as arguments of tasks. */
#ifndef OMPFACT_SRC_MATRIX_MATRIX_H
#define OMPFACT_SRC_MATRIX_MATRIX_H

#include "layouts/layout.h"
#include "omp/pinned.h"
#include "src/grid/grid.h"
#include "src/matrix/compressed.h"
#include "src/matrix/shape.h"
#include "src/matrix/tiling.h"

/* The contents of a matrix: anything, or factors with info 0. A least norm solution leaves L of A = L Q^H, in the lower
   triangle and without Q. */
enum contents { CONTENTS_PLAIN, CONTENTS_CHOLESKY, CONTENTS_LU, CONTENTS_QR, CONTENTS_L_OF_LQ, CONTENTS_INDEFINITE };

/* Data attached to a matrix until its destruction: the first member of a struct of the owner of the data. */
struct attachment {
    void (*destroy)(struct attachment *attachment);     /* called with the destruction of the matrix; the address also
                                                           distinguishes kinds of attachments */
    struct attachment *next;
};

/* How a running factorization treats the tiles of its matrix; all zero between runs. */
struct in_run {
    bool (*packs)(const ompfact_matrix *A, int i, int j);       /* final tiles that are packed (omp/packing.h); NULL: none */
    enum summed summed;             /* how an update treats the checksums of the tile that it writes */
    bool sums_below, sums_right;    /* tiles below the diagonal, or right of it, are final after the task that computes their
                                       checksums */
};

struct ompfact_matrix {
    ompfact_grid *grid;             /* the grid; NULL on paper */
    ompfact_shape shape;            /* the requested shape; its pointers are not kept */
    int me, ranks;                  /* the rank that this matrix describes, and the number of ranks */
    int mt, nt;
    struct tiling rows, cols;
    struct pattern *pattern;
    struct layout *layout;
    int64_t room;                   /* bytes available to a rank when layout "auto" was chosen; 0: unknown */
    const struct precision *precision;
    bool has_sums;                  /* whether tiles have room for checksums behind them: omp/tasks/task_sums.c */
    int64_t **last;                 /* [rank][tile column]: see storage.c; this rank's from the start, others at the first
                                       request */
    bool no_memory;                 /* there was no memory for one of these */

    ompfact_matrix *leading;        /* the matrix whose storage has the first tiles, see storage.c; NULL: this matrix's storage
                                       has all */
    bool owns_leading;
    struct rma_space *space;        /* the window; NULL on paper */
    bool owns_space;
    double register_s;              /* seconds to create the window on the slowest rank; 0 on one node */
    int64_t untouched;              /* its share of grid->untouched */
    MPI_Aint first_byte;            /* offset of the tiles in the window */
    int64_t first_id;               /* first number of its flags */

    struct compressed *compressed;  /* forms of tiles; NULL: tiles are dense and in the matrix's precision */
    struct pinned pinned;           /* its pinned memory, for moves to devices */
    const struct split *split;      /* [column of tiles in memory]: splits while devices write the matrix; else NULL */
    enum contents contents;
    struct in_run in_run;
    int done;                       /* number of completed steps of a factorization, which continues after them */
    const char *done_by;            /* name of this factorization, which was restored or done in part */
    bool resumed;                   /* the grid's checkpoint restored it */
    int kept;                       /* while rows are appended: number of tile rows, and columns, of the present factor */
    struct layers *layers;          /* layers of a matrix in copies: layers.h; NULL: one copy */
    int layer;                      /* number of this layer; 0: the matrix that callers see */
    bool spread;                    /* whether its factors are spread over the layers that made them: layers.h */
    int left;                       /* of the `done` steps, the number whose interchanges have been applied to all columns left
                                       of them */
    struct attachment *attached;    /* list of attachments */
    bool pivoted;                   /* whether its factors include interchanges of rows */
    int64_t *ipiv;                  /* [min(m,n)] 0-based, otherwise as LAPACK's; NULL before the first use */
    ompfact_report report;
    ompfact_matrix *work;           /* for right-hand sides: the partial sums of a solve, see src/solve/triangular.c */
};

/* The report of a call that has run nothing, or nothing yet. */
static inline ompfact_report report_of_nothing(void)
{
    return (ompfact_report){ .flops_max_over_mean = 1, .checkpoints = -1, .restarted_from_step = -1, .tiles_restored = -1 };
}

/* The elements are the caller's, without any factorization. */
static inline void matrix_begins_anew(ompfact_matrix *A)
{
    A->contents = CONTENTS_PLAIN;
    A->pivoted = false;
    A->done = A->left = 0;
    A->spread = false;
}

/* Whether the first rows were eliminated, and the others not. A restored checkpoint does not count. */
static inline bool is_in_part(const ompfact_matrix *A)
{
    return A->done > 0 && !A->resumed;
}
/* Whether A has factors of hetrf or sytrf, for all of A or for its first rows. holds.c */
bool holds_signs(const ompfact_matrix *A);
/* For functions that need a whole matrix: OMPFACT_BAD_ARGUMENT and a message if its first rows are eliminated, unless by this
   factorization, which continues (NULL: none does). holds.c */
ompfact_status check_whole(const ompfact_matrix *A, const char *factorization);

static inline int64_t shorter_side(const ompfact_matrix *A)
{
    return A->shape.m < A->shape.n ? A->shape.m : A->shape.n;
}
/* The number of steps of a factorization. */
static inline int steps_of(const ompfact_matrix *A)
{
    return A->mt < A->nt ? A->mt : A->nt;
}
/* The number of steps that made the present factors: all steps, or those of a part. */
static inline int steps_done(const ompfact_matrix *A)
{
    return is_in_part(A) ? A->done : steps_of(A);
}
int widest_panel(const ompfact_matrix *A);    /* number of its columns */
/* How tiles are stored: d, dense; c, compressed; m, in mixed precision; b, both of these; t and u, the same as m and b with
   bfloat16. */
static inline char letter_of_tiles(const ompfact_matrix *A)
{
    int precisions = A->shape.bf16_tiles ? 2 : A->shape.tile_precision > 0 ? 1 : 0;
    return (A->shape.accuracy > 0 ? "cbu" : "dmt")[precisions];
}

/* Rounds up to a multiple of 64 bytes, at which all pieces of a window begin. */
static inline size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Checks whether a matrix of this shape could exist at all, before the choice of a layout, which takes long for very many
   tiles. Local. */
ompfact_status matrix_check_shape(const ompfact_shape *shape, char message[MESSAGE]);
/* Checks the size of the largest tile. */
ompfact_status matrix_check_largest_tile(const ompfact_matrix *A, char message[MESSAGE]);
/* The least number of bytes for its elements, for all ranks together; 0 for compressed tiles, half for mixed precision. */
double matrix_least_bytes(const ompfact_shape *shape);

/*
 * The matrix on paper: everything except its window, from the view of one rank of the pattern's. Local; the matrix takes over
 * the pattern. For dry runs, counting, and as the first half of every creation. ompfact_matrix_destroy destroys it.
 */
ompfact_status matrix_on_paper(const ompfact_shape *shape, struct pattern *pattern, int me, ompfact_matrix **A,
                               char message[MESSAGE]);
/* Right-hand sides of A on paper, with the partial sums of a solve as their `work`: a block column for each rank, in the memory
   of that rank. The caller destroys B, after an error, too. */
ompfact_status matrix_rhs_on_paper(const ompfact_matrix *A, int64_t nrhs, ompfact_matrix **B, char message[MESSAGE]);

/* matrix_create_like: ompfact_matrix_create_like() with another type. matrix_create_sized: with these tile rows and columns,
   and A's pattern. Collective. */
ompfact_status matrix_create_like(ompfact_matrix *A, char type, ompfact_matrix **B);
ompfact_status matrix_create_sized(ompfact_matrix *A, const struct tiling *rows, const struct tiling *cols, ompfact_matrix **B);
/* A matrix for the lower triangle of a Hermitian A, or for the conjugate transpose of its upper one: tile (i,j) is on the rank
   of A's (i,j), or (j,i). Collective. */
ompfact_status matrix_create_lower(ompfact_matrix *A, ompfact_matrix **B);

/* A general matrix with A's tiles; those of the triangle and the diagonal are on the ranks of A's. Collective. */
ompfact_status matrix_create_general(ompfact_matrix *A, ompfact_matrix **G);

/* A matrix for A^H: tile (i,j) is on the rank of A's (j,i). On paper, local; and with memory, collective. */
ompfact_status matrix_transposed_on_paper(const ompfact_matrix *A, ompfact_matrix **At, char message[MESSAGE]);
ompfact_status matrix_create_transposed(ompfact_matrix *A, ompfact_matrix **At);
/* A matrix for the tiles of A from (k,k) on, on the same ranks. Collective. */
ompfact_status matrix_create_trailing(ompfact_matrix *A, int k, ompfact_matrix **S);
/* A matrix for the Hermitian A with m more rows and columns, in tiles behind those of A, which remain in A's storage:
   B->leading is A. Collective. */
ompfact_status matrix_create_larger(ompfact_matrix *A, int64_t m, ompfact_matrix **B);
/* A matrix that has grown has several pieces of storage, each with a window. A run cannot open more than MATRIX_PIECES. */
enum { MATRIX_PIECES = 4 };
int matrix_pieces(const ompfact_matrix *A);
/* A matrix for a Hermitian A in tiles that are as large as its largest one, except the last, with A's layout. Collective. */
ompfact_status matrix_create_even(ompfact_matrix *A, ompfact_matrix **B);
/* A, at its address, becomes *B, and *B becomes NULL. The former A becomes *B's leading part, or is destroyed; its attachments
   are destroyed. *B must have no attachments, because these could contain its address. Collective. */
void matrix_become(ompfact_matrix *A, ompfact_matrix **B);
/* Returns the status, and destroys the matrix after an error. Collective, but on paper local. */
ompfact_status matrix_only_after(ompfact_status status, ompfact_matrix **A);
/* A matrix of another type in as many copies as A has, on the same layers. Collective. */
ompfact_status matrix_create_in_layers_like(ompfact_matrix *A, char type, ompfact_matrix **B);
/* The leading mt x nt tiles of A, all on one rank, of each layer of copies. On paper; local. The caller destroys B, even after
   an error. */
ompfact_status matrix_leading_of_one_rank(const ompfact_matrix *A, int mt, int nt, ompfact_matrix **B, char message[MESSAGE]);
/* Attaches the data: the matrix owns them then. */
void matrix_attach(ompfact_matrix *A, struct attachment *attachment);
void matrix_detach(ompfact_matrix *A, struct attachment *attachment);      /* the matrix does not own them any more */
/* The attachment of this kind, or NULL. */
struct attachment *matrix_attached(const ompfact_matrix *A, void (*destroy)(struct attachment *attachment));

/* The second half of a creation: creates the window if the status is success on all ranks, else destroys the matrix.
   Collective. */
ompfact_status matrix_settle(ompfact_grid *grid, ompfact_status status, ompfact_matrix **A);

bool matrix_has_ipiv(ompfact_matrix *A);    /* allocates it if necessary; false: no memory */
/* Whether rows from .. end - 1 can each be interchanged with these rows, where `base` is the number of the first row: with
   itself or one below. */
bool are_interchanges(const ompfact_matrix *A, const int64_t *ipiv, int64_t from, int64_t end, int base);

/* Pins the tiles, for faster moves to and from devices. */
void matrix_pin(ompfact_matrix *A);

/* Called when the matrix's pages have been written or freed: the grid no longer reserves memory for them. */
void matrix_touched(ompfact_matrix *A);

/* Clears the tiles of this rank. Local. */
void matrix_clear(ompfact_matrix *A);

/* ---- storage.c: the place of a tile ------------------------------------------------------------------------------------- */

/*
 * Layouts, addresses and loops use lower triangles only. The tile (i,j), i <= j, of an upper matrix is stored at the place of
 * (j,i) of a lower one, with its own contents; in the loops it is (j,i) of L = U^H, mirrored (omp/run.h). matrix_tile,
 * matrix_view and the public interface use the caller's indices.
 */
/* Whether full storage has the tile although it is not used. */
static inline bool is_unused(const ompfact_matrix *A, int i, int j)
{
    return stores_triangle(&A->shape) && (is_upper(&A->shape) ? i > j : i < j);
}
/* The part of a tile that is used: on the diagonal of a matrix that stores a triangle it is that triangle. */
static inline enum uplo part_used(const ompfact_matrix *A, int i, int j)
{
    return !stores_triangle(&A->shape) || i != j ? GENERAL : is_upper(&A->shape) ? UPPER : LOWER;
}

bool storage_create(ompfact_matrix *A);     /* creates the auxiliary vectors; false: no memory */
bool storage_add_sums(ompfact_matrix *A);   /* adds room for checksums, before the matrix has memory; false: no memory */
void storage_destroy(ompfact_matrix *A);
size_t matrix_bytes(const ompfact_matrix *A, int rank);             /* bytes of a rank's tiles */
size_t matrix_own_bytes(const ompfact_matrix *A, int rank);         /* bytes of its tiles in A's own storage */
size_t matrix_largest_tile(const ompfact_matrix *A);                /* bytes */
void *matrix_tile(const ompfact_matrix *A, int i, int j);           /* the address of a tile of this rank */
/* The address of a tile of any rank that shares this rank's memory. May be called by many threads after matrix_has_addresses on
   all ranks, if there is memory. */
void *matrix_tile_in_place(const ompfact_matrix *A, int i, int j);
bool matrix_has_addresses(ompfact_matrix *A);
/* Whether there was no memory for some addresses since the last call. */
bool matrix_lost_addresses(ompfact_matrix *A);
void matrix_view(const ompfact_matrix *A, int i, int j, ompfact_tile *tile);    /* a tile of this rank; for low rank the place
                                                                                   of U and V */

/* ompfact_tile_read() for a tile of this rank. tiles.c */
void matrix_read(const ompfact_matrix *A, int i, int j, void *scratch, ompfact_tile *tile);

/* ---- tiles for the loops ------------------------------------------------------------------------------------------------ */

static inline bool owns(const ompfact_matrix *A, int i, int j)
{
    return layout_owner(A->layout, i, j) == A->me;
}

/* This rank's tiles of column j from row `from` down, and its columns: mt or nt if there are no more. */
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

/* The split of this rank's columns of a tile column (for an upper matrix: row); NULL: all on the host. */
const struct split *split_of(const ompfact_matrix *A, int column);
struct operand fetch(const ompfact_matrix *A, int i, int j);    /* a final tile, to read; fetched from its owner if necessary */
struct operand peek(const ompfact_matrix *A, int i, int j);     /* the present tile, to read: this rank's, or the one that its
                                                                   owner has published */
struct operand tile(const ompfact_matrix *A, int i, int j);     /* a tile of this rank, to read and write */
struct operand final(const ompfact_matrix *A, int i, int j);    /* a tile of this rank, to read and write for the last time */
/* A tile of this rank and its next ones in the column, before row `end` and as many as a task can use: a group. A single tile on
   a rank with devices and in matrices whose tiles have several places. *next: the row of the first tile behind the group. */
struct operand group(const ompfact_matrix *A, int i, int j, int end, int *next);
static inline struct operand with_access(enum access access, struct operand o)
{
    o.access = access;
    return o;
}
/* If the next step of a column waits for all its tiles, they are equally urgent. */
static inline struct operand of_column(struct operand o)
{
    o.due = o.j;
    return o;
}

/* The maximum; NaN if one is NaN. */
static inline double larger_or_nan(double a, double b)
{
    return a != a || a > b ? a : b;
}

/* ---- norms: norm.c ------------------------------------------------------------------------------------------------------ */

/* Reduces each value over all ranks; length may exceed an int. Collective. */
ompfact_status reduce_over_ranks(ompfact_grid *grid, double *values, int64_t length, MPI_Op op);
/* This rank's tiles that are used and, of spread factors, in this layer; the caller frees the list. NULL: no memory. */
ompfact_tile *used_tiles(const ompfact_matrix *here, int64_t *count);
/* What the next three functions find the caller frees, after an error, too. */
/* The sums of moduli of A's columns, on every rank. Collective. */
ompfact_status column_sums(ompfact_matrix *A, double **sums);
/* The largest moduli of A's columns, infinity if there is a NaN; on every rank. For general matrices. Collective. */
ompfact_status column_maxima(ompfact_matrix *A, double **maxima);
/* The 2-norms of the columns of A, on every rank. Collective. */
ompfact_status column_norms(ompfact_matrix *A, double **norms);
/* The largest modulus of the stored elements of A; infinity if one is NaN. Collective. */
ompfact_status largest_modulus(ompfact_matrix *A, double *largest);
/* The 1-norm of the triangle that a Hermitian matrix stores. Collective. */
ompfact_status norm1_of_triangle(ompfact_matrix *T, double *norm);
/* The largest row sum of moduli. Collective. */
ompfact_status norm_inf(ompfact_matrix *A, double *norm);

/* The first NaN or infinity of a tile of A: 2 (row + col m), plus 1 for an infinity; INT64_MAX: none. not_finite.c */
int64_t not_finite_in(const ompfact_matrix *A, const ompfact_tile *tile);

#endif
