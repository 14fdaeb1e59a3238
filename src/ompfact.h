/**
 * @file ompfact.h
 * Dense LU, Cholesky, L D L^T and QR factorizations, solves and least squares on any number of MPI ranks.
 *
 * The interface has two opaque types. A *grid* is a communicator with threads. A *matrix* lives on a grid; it is cut into tiles,
 * which a layout distributes over the ranks of the grid. A program creates a grid, creates matrices, fills them (each rank fills
 * its own tiles), factors, solves, and reads its own tiles back. The library uses no files for this, and it never gathers a
 * matrix on one rank.
 *
 * Two words describe each function:
 *   collective   every rank of the grid calls the function, in the same order and with the same arguments (callbacks and
 *                tiles may differ)
 *   local        one rank may call the function alone; the function neither sends nor waits
 *
 * Errors. A function that can fail returns an ompfact_status, 0 for success. A collective function returns the same status on
 * every rank. A positive status leaves all objects unchanged. After a negative status the contents of the matrices in the call
 * are undefined, and the program may only destroy these matrices. ompfact_message() returns one line about the last failure. A
 * numerical failure is not an error: it has its own result, LAPACK's info.
 *
 * Pointers. An argument may be NULL only where the comment of its function allows NULL. `info` may never be NULL. The library
 * need not notice NULL elsewhere. The contexts of callbacks may be anything: the library only passes them on.
 *
 * Threads. A program may initialise MPI at any thread level. Below MPI_THREAD_SERIALIZED only the calling thread enters MPI. This
 * thread computes like the other threads of the grid, so tiles from other nodes may wait until its task ends. For each grid, one
 * thread at a time may call functions, and two threads may call functions of two grids at the same time only at
 * MPI_THREAD_MULTIPLE. During a collective call the threads of the grid work. A thread that has called a function of a grid with
 * several threads must live as long as the program calls any: LLVM's runtime uses memory of a thread after its end, and crashes
 * (seen with version 19). The library keeps no global state,
 * except the libraries of devices, which it loads once. It never exits and never communicates over MPI_COMM_WORLD. It may set the
 * environment variable BLIS_ARCH_TYPE once (see ompfact_blas_kernels()), and it may keep a file with the rates of the machine in
 * the cache folder of the user (see ompfact_shape::nb).
 *
 * Sizes and indices of elements have the type int64_t, those of tiles int. All indices count from 0; info counts from 1.
 *
 * Versions. A program runs with any later shared library of the same soname (libompfact-mpich.so.0). Structures that programs
 * allocate keep their size and the offsets of their members. New members use space of `reserved`, and their value zero means the
 * former behaviour. So a program must zero such a structure, by `= { 0 }` or by naming the members that it sets. The library
 * refuses a structure whose `reserved` is not zero with OMPFACT_BAD_ARGUMENT: the program never zeroed the structure, or it
 * uses a member of a later version. Structures that a program only gets by address may grow at their end. New enumeration
 * constants come after the old ones.
 */
#ifndef OMPFACT_H
#define OMPFACT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Characters in a message, including the terminating zero. */
#define OMPFACT_MESSAGE 256

/* ---- version and build -------------------------------------------------------------------------------------------------- */

#define OMPFACT_VERSION_MAJOR 1     /**< major version of this header, for the preprocessor */
#define OMPFACT_VERSION_MINOR 0     /**< minor version of this header */
#define OMPFACT_VERSION_PATCH 0     /**< patch version of this header */
/** The version of this header, "major.minor.patch". */
#define OMPFACT_VERSION "1.0.0"

/** The version of the library that the program runs with, which may be newer than the header. Local. A program may call this
    function and the next three before MPI_Init. */
const char *ompfact_version(void);

/** The commit of the library's source: 12 hexadecimal digits, followed by "-dirty" if files had been changed. The result is
    "" if the library was built from a copy without version control. Local. */
const char *ompfact_commit(void);

/** A fact about the build of the library, for people to read. */
typedef struct {
    const char *name;       /**< "compiler" */
    const char *value;      /**< "clang-19, clang version 19.1.7" */
} ompfact_build_fact;

/** The version, the commit, the compiler and the libraries that this library was built with. The last element of the array
    has no name (NULL). Local. */
const ompfact_build_fact *ompfact_build(void);

/** The name and version of the MPI library that the program runs with, as one line. Local. */
void ompfact_mpi_version(char text[OMPFACT_MESSAGE]);

/** The status that a call returns. */
typedef enum {
    OMPFACT_SUCCESS = 0,
    OMPFACT_BAD_ARGUMENT = 1,       /**< a size, an option or a combination is not allowed */
    OMPFACT_BAD_LAYOUT = 2,         /**< the layout is unknown, or it does not fit the number of ranks */
    OMPFACT_NO_MEMORY = 3,          /**< there is not enough memory */
    OMPFACT_NOT_OWNER = 4,          /**< the tile belongs to another rank */
    OMPFACT_BAD_MPI = 5,            /**< this MPI library lacks a needed feature, or the launcher belongs to another MPI
                                         library */
    OMPFACT_MPI_FAILED = -1,        /**< an MPI call failed during the operation */
    OMPFACT_OUT_OF_MEMORY = -2,     /**< memory ran out during the operation */
    OMPFACT_DEVICE_FAILED = -3,     /**< a device failed during the operation */
    OMPFACT_INTERNAL_FAULT = -4,    /**< the library's own checks (environment variable OMPFACT_CHECKS) found tasks in a wrong
                                         order */
    OMPFACT_FAULT_FOUND = -5,       /**< a bit flipped in a tile during the factorization, and the library could not correct
                                         the tile (ompfact_options::abft) */
    OMPFACT_CHECKPOINT_LOST = -6,   /**< files of a checkpoint could not be used although ompfact_restart() had verified them:
                                         they have been damaged or removed since, or were forged */
    OMPFACT_STOPPED = -7            /**< ompfact_stop() ended the factorization before its last step */
} ompfact_status;

typedef struct ompfact_grid ompfact_grid;           /**< ranks with their threads and devices */
typedef struct ompfact_matrix ompfact_matrix;       /**< a matrix on a grid, cut into tiles */

/* ---- grid --------------------------------------------------------------------------------------------------------------- */

/** The order of the tasks of a factorization (Gustavson, Karlsson, Kagstrom, "Distributed SBP Cholesky Factorization
    Algorithms"). */
typedef enum {
    OMPFACT_DYNAMIC = 0,    /**< a task starts when its tiles have arrived, the most urgent task first */
    OMPFACT_STATIC = 1,     /**< one fixed order: the next panel comes before the rest of an update */
    OMPFACT_BASIC = 2       /**< panel, transfers and update follow one another without overlap */
} ompfact_schedule;

/** How a tile reaches many ranks on other nodes. */
typedef enum {
    OMPFACT_BCAST_AUTO = 0,         /**< chain; but flat for LU without pivoting */
    OMPFACT_BCAST_FLAT = 1,         /**< each node reads the tile from its owner */
    OMPFACT_BCAST_CHAIN = 2,        /**< each node reads the tile from the node before */
    OMPFACT_BCAST_BINOMIAL = 3
} ompfact_bcast;

/** How tiles travel from one node to another. */
typedef enum {
    OMPFACT_ONE_SIDED = 0,          /**< a reader reads the tile from the memory of its owner, through an MPI window; the
                                         library uses messages instead if the MPI library makes no window that spans nodes */
    OMPFACT_MESSAGES = 1            /**< a reader sends a request to the owner, and the owner replies with the tile */
} ompfact_between;

/** Pivoting of LU. All methods but the last one are stable in practice for any matrix. */
typedef enum {
    OMPFACT_PIVOT_AUTO = 0,         /**< partial on one rank, tournament on several */
    OMPFACT_PIVOT_PARTIAL = 1,      /**< the pivots of LAPACK's getrf; each panel visits the rank of its diagonal tile */
    OMPFACT_PIVOT_TOURNAMENT = 2,   /**< each rank proposes rows of a panel, and the best of these become pivots, which takes
                                         few and small messages (Grigori, Demmel, Xiang, "CALU: A Communication Optimal LU
                                         Factorization Algorithm", 2011) */
    OMPFACT_PIVOT_NONE = 3          /**< for matrices that need no pivoting, such as diagonally dominant ones */
} ompfact_pivot;

/** The tree by which the ranks that share a tile column combine their triangles in QR (Bouwmeester, Jacquelin, Langou,
    Robert, "Tiled QR factorization algorithms", SC 2011). Within a rank, each column has one block of reflectors for any
    tree. */
typedef enum {
    OMPFACT_TREE_AUTO = 0,          /**< greedy */
    OMPFACT_TREE_FLAT = 1,          /**< the first rank combines its triangle with those of the others, one after another */
    OMPFACT_TREE_BINARY = 2,        /**< neighbours combine first, then neighbours among the results */
    OMPFACT_TREE_GREEDY = 3         /**< the two that are ready first combine; ranks with fewer tiles are ready sooner */
} ompfact_tree;

/** How ompfact_posv_refined() and ompfact_gesv_refined() correct a solution. */
typedef enum {
    OMPFACT_REFINE_CLASSIC = 0,     /**< by the factors alone, as LAPACK does; for condition numbers below about 10^7 */
    OMPFACT_REFINE_GMRES = 1        /**< by GMRES with the factors as preconditioner; often for condition numbers of 10^9 and
                                         more (E. Carson, N. Higham, "Accelerating the Solution of Linear Systems by Iterative
                                         Refinement in Three Precisions", 2018) */
} ompfact_refinement;

/** Random butterflies, by which ompfact_sytrf() and ompfact_hetrf() mix rows and columns before they factor a matrix, so that
    pivots within diagonal tiles suffice: A' = W^T A W, where W has so many levels (M. Baboulin, D. Becker, J. Dongarra, "A
    parallel tiled solver for dense symmetric indefinite systems on multicore architectures", 2012). */
typedef enum {
    OMPFACT_BUTTERFLY_AUTO = 0,     /**< two levels */
    OMPFACT_BUTTERFLY_NONE = 1,
    OMPFACT_BUTTERFLY_ONE = 2,      /**< mixes row a of the upper half with row a of the lower half */
    OMPFACT_BUTTERFLY_TWO = 3       /**< also mixes, within each half, rows of its upper and its lower part */
} ompfact_butterfly;

/** Other arithmetic than that of the matrix type which cuBLAS may use for products on NVIDIA devices. Modes that round more
    coarsely than single precision are meant for ompfact_posv_refined() and ompfact_gesv_refined(), which correct the error or
    factor again in double precision. All other results in single precision become as inaccurate as these modes are. */
typedef enum {
    OMPFACT_EMULATE_NONE = 0,
    OMPFACT_EMULATE_FP64 = 1,       /**< double precision from pieces of fewer bits on tensor cores, with the accuracy of
                                         double, where cuBLAS finds that faster; needs CUDA 13.0 update 2 or newer */
    OMPFACT_EMULATE_BF16X9 = 2,     /**< single precision by nine products of three pieces of each factor, with the accuracy
                                         of single; needs CUDA 12.9 or newer */
    OMPFACT_EMULATE_TF32 = 3,       /**< single precision with factors rounded to 11 of 24 significant bits; sums in single */
    OMPFACT_EMULATE_BF16 = 4        /**< single precision with factors rounded to 8 significant bits; sums in single. TF32 and
                                         BF16 have the exponent range of single, so they do not overflow where single does not */
} ompfact_emulation;

/** The largest number of devices of a rank. */
enum { OMPFACT_DEVICES = 16 };

/** Options of a grid. A zeroed structure (or a NULL pointer) means the defaults. */
typedef struct {
    int threads;            /**< OpenMP threads of this rank; 0: the cores that the rank may use, divided among the ranks on
                                 its node */
    int devices;            /**< devices of this rank, at most OMPFACT_DEVICES; -1: its share of the node's devices; 0: none */
    const char *device_backend;     /**< the kernels for devices: "cuda", "hip", "host" (LLVM's emulated devices) or
                                         "portable"; NULL: the library chooses */
    double host_share;      /**< the share of the columns of each tile that stays on the host, 0 to 1, if the rank has
                                 devices; negative: the library balances the speeds of host and devices, which `ompfact
                                 --tune` has measured on the machine of the first rank or which the library measures when it
                                 creates the grid */
    int64_t device_memory;  /**< bytes of each device for tiles and for panels of pivoting LU and of QR; 0: all its memory.
                                 Tiles that do not fit stay on the host */
    ompfact_emulation emulate;      /**< arithmetic of products, for "cuda" only; the same on every rank */
    int max_tasks;          /**< the largest number of tasks in flight on a rank; 0: 4096, which take about 8 MB */
    int cache_tiles;        /**< remote tiles that a rank can hold at once; 0: the library chooses. Raised to the number that
                                 one step needs */
    int watchdog_s;         /**< seconds without progress after which a rank prints on stderr which tiles it waits for, or
                                 which rank does not answer; 0: 60 seconds; negative: never */
    ompfact_schedule schedule;      /**< order of tasks; the same on every rank */
    ompfact_bcast bcast;            /**< route of tiles that several other nodes read; the same on every rank */
    ompfact_between between_nodes;  /**< transport of tiles between nodes; the same on every rank */
    ompfact_pivot pivot;    /**< pivoting of ompfact_getrf(); the same on every rank */
    ompfact_tree tree;      /**< tree of ompfact_geqrf(); the same on every rank */
    int ib;                 /**< columns of a panel that QR factors one by one before it applies them as a block; 0: 16. The
                                 same on every rank */
    bool copy_on_node;      /**< true: ranks of one node copy each other's tiles; false: they read these tiles in place, if
                                 they can map each other's memory. The same on every rank */
    bool pin_threads;       /**< binds each thread to a core, if the rank has as many cores as threads and no other program
                                 has bound them. The calling thread stays bound */
    bool trace;             /**< records the work of every thread in the last factorization, for ompfact_trace_write(); the
                                 same on every rank */
    bool typical_rates;     /**< true: for tile sizes that are left open (ompfact_shape::nb) the library measures nothing; it
                                 uses the rates in the file of this machine, or typical rates if there is no file. The value
                                 of the first rank counts */
    /** Called now and then during a factorization, by one thread of each rank, with the share of this rank's arithmetic that
        is done, 0 to 1. */
    void (*progress)(void *context, double done);
    void *progress_context;         /**< the first argument of `progress` */
    ompfact_refinement refinement;  /**< corrections of ompfact_posv_refined() and ompfact_gesv_refined(); the same on every
                                         rank */
    bool abft;              /**< true: ompfact_potrf(), ompfact_getrf() and ompfact_geqrf() detect flipped bits in tiles that
                                 they still update, by checksums of each tile, and correct them (see
                                 ompfact_report::faults_found). Not for matrices with an accuracy. If the row sums of a tile
                                 are not finite, the matrix is factored without checksums. The same on every rank */
    const struct ompfact_testing *testing;  /**< NULL; only the tests of the library use this member */
    ompfact_butterfly butterfly;    /**< levels of random butterflies; the same on every rank */
    int64_t reserved[15];   /**< zero; for members of later versions */
} ompfact_options;

/**
 * Creates a grid over all ranks of comm. Collective over comm. The grid uses a duplicate; comm stays with the caller. The call
 * tests that one-sided communication works here, and it connects all pairs of ranks.
 *
 * Returns OMPFACT_BAD_MPI if MPI is not initialized, or finalized. It also returns OMPFACT_BAD_MPI if MPI_COMM_WORLD has one
 * process although the environment of the launcher (PMI_SIZE, OMPI_COMM_WORLD_SIZE, SLURM_STEP_NUM_TASKS) shows that the
 * launcher started several: the launcher then belongs to another MPI library, and one job would become many jobs of one rank.
 * A program whose processes really work alone passes MPI_COMM_SELF.
 *
 * Returns OMPFACT_BAD_ARGUMENT if the stack of the calling thread has less than 160 KiB left or OpenMP's threads have smaller
 * stacks (ulimit -s, OMP_STACKSIZE), if GNU's OpenMP runtime was linked before LLVM's, or if LLVM's runtime may not use tasks
 * (KMP_TASKING=0 or 1). The call removes empty variables OMP_... and KMP_... from the environment, and an OMP_NUM_THREADS that
 * is no list of numbers from 1 to 1000000, because the runtime ends the program for such values.
 *
 * @param comm     the ranks of the grid
 * @param options  NULL for defaults; may differ between ranks unless a member's comment excludes that
 * @param grid     set to the new grid, or NULL on failure; destroyed by ompfact_grid_destroy()
 * @param message  NULL, or a buffer of OMPFACT_MESSAGE characters for one line on failure
 */
ompfact_status ompfact_grid_create(MPI_Comm comm, const ompfact_options *options, ompfact_grid **grid, char *message);

/** Destroys a grid and sets the pointer to NULL; a NULL grid is allowed. Collective. Matrices on the grid stay valid: the grid,
    with its devices, checkpoints and progress callback, ends with the last of them. */
void ompfact_grid_destroy(ompfact_grid **grid);

int ompfact_rank(const ompfact_grid *grid);             /**< The number of this rank, from 0. Local. */
int ompfact_ranks(const ompfact_grid *grid);            /**< The number of ranks. Local. */
int ompfact_threads(const ompfact_grid *grid);          /**< The number of threads of this rank. Local. */
int ompfact_ranks_on_node(const ompfact_grid *grid);    /**< The number of ranks on the node of this rank, including itself.
                                                             Local. */
int ompfact_devices(const ompfact_grid *grid);          /**< The number of devices of this rank. Local. */
int ompfact_nodes(const ompfact_grid *grid);            /**< The number of nodes of the grid. Local. */
const int *ompfact_node_of(const ompfact_grid *grid);   /**< The node of each rank, from 0; memory of the grid. Local. */
/** Whether ranks of one node read each other's tiles in place. The grid has tested whether that is possible. The same on
    every rank. Local. */
bool ompfact_reads_in_place(const ompfact_grid *grid);
/** The number of cores of this node, including those that this process may not use; 0: unknown. Local. */
int ompfact_node_cores(void);
/** The transport of tiles between nodes that the grid uses: "one-sided" or "messages"; "" on one node. The same on every
    rank. Local. */
const char *ompfact_between_nodes(const ompfact_grid *grid);
/** Whether one-sided reads from other nodes proceed while their target computes. 1: ompfact_grid_create() observed it on all
    ranks. 0: it did not, so reads may wait until a thread of the target polls between two tasks, as messages do. -1: one
    node. The same on every rank. Local. */
int ompfact_reads_proceed(const ompfact_grid *grid);
/** The kernels that devices run: "cuda", "hip", "host" or "portable"; "" without devices. Local. */
const char *ompfact_device_backend(const ompfact_grid *grid);
/** The share of the columns of this rank's tiles that stays on the host; 1 without devices. Local. */
double ompfact_host_share(const ompfact_grid *grid);

/**
 * The BLIS kernels in use, for example "skx"; "" with another BLAS. Local.
 *
 * BLIS 0.9 takes slow kernels on processors that it does not know. So ompfact_grid_create() chooses the kernels before the
 * first call of BLIS in the process, unless the environment has BLIS_ARCH_TYPE; a call without a grid that has to choose a
 * tile size does so, too. If the program has called BLIS before, the choice made then remains.
 *
 * @param grid  NULL: for a process without a grid
 */
const char *ompfact_blas_kernels(const ompfact_grid *grid);

/** From now on all ranks report their progress to the first rank. Collective. May return OMPFACT_NO_MEMORY. */
ompfact_status ompfact_share_progress(ompfact_grid *grid);
/** The share of its arithmetic that a rank has done, 0 to 1, 0 <= rank < ompfact_ranks(). Known for this rank; on the first
    rank also for the others, as far as they have reported; otherwise 0. Local. May be called from ompfact_options::progress,
    while other threads compute. */
double ompfact_progress_of(const ompfact_grid *grid, int rank);

/** Waits for all ranks without keeping a core busy. Collective. */
ompfact_status ompfact_barrier(ompfact_grid *grid);

/** One line about the last failure on this grid; valid until the next call with this grid. Local. For a NULL grid, which a failed
    ompfact_grid_create() leaves, it is "there is no grid": that call has its own message. */
const char *ompfact_message(const ompfact_grid *grid);

/* ---- layouts ------------------------------------------------------------------------------------------------------------ */

/**
 * A pattern of ranks, repeated cyclically over the tiles of a matrix. Tile (i,j) belongs to cell[(i % rows) * cols + j %
 * cols]; in an upper Hermitian matrix tile (j,i) does. A program may fill in a pattern itself; ompfact_pattern_create() makes
 * the named ones.
 */
typedef struct {
    int ranks;              /**< number of ranks P; cells contain ranks 0 to P-1 */
    int rows, cols;         /**< size of the pattern, in tiles */
    int *cell;              /**< rows x cols ranks, row by row. -1 is allowed on the diagonal of a square pattern, for
                                 Hermitian matrices in packed storage: the library gives these tiles to ranks of their row and
                                 column so that the work is balanced */
    char name[128];         /**< full name, for example "2dbc:4x5" */
    double cost_lu;         /**< cost T of Beaumont et al., IPDPS 2023: the mean number of distinct ranks of a row plus that
                                 of a column; output only */
    double cost_cholesky;   /**< cost T for Cholesky: the mean number of distinct ranks of a row and the column of the same
                                 index together; output only */
} ompfact_pattern;

/** Characters of a list of layouts, including the terminating zero. */
enum { OMPFACT_LAYOUT_NAMES = 512 };
/** The names that ompfact_shape::layout accepts with their arguments, for people to read: "2dbc[:PxQ], g2dbc, ...". Local. */
void ompfact_layout_names(char text[OMPFACT_LAYOUT_NAMES]);

/**
 * Creates the pattern of a layout for so many ranks. Local; needs no grid. `layout` is any name that ompfact_shape::layout
 * accepts, except "auto", the "1d1d" family and the layouts for uneven tiles, which depend on the matrix. "gcrm" takes seconds
 * for hundreds of ranks.
 *
 * @param layout   name of the layout
 * @param ranks    number of ranks
 * @param pattern  set to the new pattern; destroyed by ompfact_pattern_destroy()
 * @param message  NULL, or a buffer of OMPFACT_MESSAGE characters for one line on failure
 */
ompfact_status ompfact_pattern_create(const char *layout, int ranks, ompfact_pattern **pattern, char *message);

/** Destroys a pattern that ompfact_pattern_create() or ompfact_pattern_create_for() made, and sets the pointer to NULL; a
    NULL pattern is allowed. Local. */
void ompfact_pattern_destroy(ompfact_pattern **pattern);

/* ---- matrix ------------------------------------------------------------------------------------------------------------- */

/** The structure of a matrix, which decides what tiles the matrix stores. */
typedef enum {
    OMPFACT_GENERAL = 0,            /**< m x n; all tiles are stored */
    OMPFACT_HERMITIAN_LOWER = 1,    /**< n x n, Hermitian (symmetric if real); the lower triangle is stored and read */
    OMPFACT_HERMITIAN_UPPER = 2,    /**< n x n, Hermitian; the upper triangle is stored and read, tiles (i,j) with i <= j.
                                         Tile (i,j) has the owner that tile (j,i) has in a lower matrix, so transfers and
                                         balance are the same */
    /** n x n, A = A^T; the lower triangle is stored and read. A real matrix becomes OMPFACT_HERMITIAN_LOWER. Complex
        symmetric matrices are for ompfact_sytrf(), ompfact_sysv(), norms, residuals and moves. Statements about Hermitian
        matrices in shapes, layouts and moves hold for them, too. Functions that invert or solve with a triangle refuse them,
        and they cannot have an accuracy. */
    OMPFACT_SYMMETRIC_LOWER = 3,
    OMPFACT_SYMMETRIC_UPPER = 4     /**< n x n, A = A^T; the upper triangle is stored and read */
} ompfact_structure;

/** The computation for which the library chooses layout "auto" and an open tile size. */
typedef enum {
    OMPFACT_FOR_LU = 0,             /**< ompfact_getrf(), or ompfact_potrf() for a Hermitian matrix */
    OMPFACT_FOR_QR = 1,             /**< ompfact_geqrf() */
    OMPFACT_FOR_LEAST_SQUARES = 2,  /**< ompfact_gels(), which factors A, or A^H if m < n, on the ranks that own the tiles */
    OMPFACT_FOR_INVERSE = 3         /**< ompfact_getrf() and ompfact_getri(), or ompfact_potrf() and ompfact_potri() for a
                                         Hermitian matrix; also ompfact_trtri() */
} ompfact_purpose;

/**
 * The shape of a matrix: size, type, tiles and layout. Zero means the default for every member.
 *
 * Tile size and layout: leave `nb` and `layout` at zero and the library chooses. It chooses the tile size from the measured
 * speed of this machine, and the layout by counting the tiles that each scheme would send. The count assumes Cholesky for a
 * Hermitian matrix and LU otherwise; set `purpose` if you will call QR, least squares or an inverse. To fix the tile size, set
 * `nb`. To choose the layout yourself, set `layout` (a name such as "g2dbc"), `pattern` (a small matrix of ranks, repeated) or
 * `owner` (a function that returns the owner of a tile).
 */
typedef struct {
    int64_t m, n;                   /**< rows and columns. m = 0 means n; for a matrix without rows, row_heights is also
                                         any address and mt = 0 */
    char type;                      /**< 's' float, 'd' double, 'c' float complex, 'z' double complex; default 'd' */
    ompfact_structure structure;    /**< structure of the matrix */
    bool full_storage;              /**< Hermitian or symmetric: also stores the tiles of the other triangle, which stay
                                         unused. Default: square block packed storage of one triangle */
    /** Rows and columns of a tile; the last tiles are smaller if necessary. Default: the library chooses a size for the
        matrix, its purpose, the ranks and the machine, at least 32 if the matrix has as many rows or columns;
        ompfact_tile_height() and ompfact_tile_width() return it. The first rank makes the choice, from the rates that
        `ompfact --tune` has measured on its machine. Without these, the node of the first rank measures the rates when a
        matrix first needs them, with as many threads as its ranks have, and keeps them for other programs in
        $XDG_CACHE_HOME/ompfact or ~/.cache/ompfact. If it cannot write there, only this grid remembers the rates. The choice
        may differ between machines and between numbers of ranks and threads. To give two matrices the same tiles, create the
        second by ompfact_matrix_create_like() or ompfact_matrix_create_rhs(), or set its nb to the tile height of the first.
        Functions that count without a grid assume ranks that have all cores of this machine each, and measure nothing. */
    int nb;
    /** Heights of the mt tile rows, with sum m, instead of nb; NULL: nb counts. A Hermitian matrix takes these for its tile
        columns, too. */
    const int *row_heights;
    const int *col_widths;          /**< widths of the nt tile columns, with sum n, instead of nb; NULL: nb counts */
    int mt, nt;                     /**< number of tile rows and of tile columns, only with these arrays. If the arrays give
                                         all sizes, nb is only the width of the tile columns of right-hand sides, default 256 */
    /** Name of the layout, which maps tiles to ranks: "2dbc[:PxQ]", "g2dbc", "sbc[:basic|:extended]",
        "gcrm[:r=SIZE,seeds=NUMBER]", "design[:r=SIZE]", "1d1d", "1d1d-c[:cpb=A/B/C]", "1d1d-cs[:cpb=A/B/C]", "file:PATH" or
        "auto". The default "auto" takes the layout with the fewest transfers among those whose work (with speeds, its time)
        is balanced within 5 % of the best. cpb, the bounds of the critical path of a step, default to those of the first
        rank's machine if `ompfact --tune` has measured it and there is a grid, and otherwise to typical ones. For uneven
        tiles (see weights): "bch[:WIDTH]", "bce[:alpha=A]", "rs[:alpha=A,q=Q]", "rsp[:alpha=A,q=Q,size=R]". doc/layouts.md
        and doc/unequal.md describe them. */
    const char *layout;
    /** Relative speeds of the ranks: NULL for equal ranks, or a positive number for each rank, in any unit, none more than
        10^6 times another. Used by "1d1d", which gives work in proportion to speed; "1d1d-c", which also finishes slow ranks
        early; "1d1d-cs", which balances the steps; and "auto", unless there are weights. The same on every rank; read only
        during the call. */
    const double *speeds;
    ompfact_purpose purpose;        /**< computation for which layout "auto" and the default nb are chosen. Every function
                                         accepts a matrix of any purpose */
    const ompfact_pattern *pattern; /**< pattern of the layout, instead of a name; NULL: none. The same on every rank; copied */
    int (*owner)(void *context, int i, int j);  /**< function that returns the owner of tile (i,j), instead of a name; NULL:
                                                     none. Every rank calls it once for each tile (for each tile of the stored
                                                     triangle of a Hermitian matrix). It must return the same on every rank */
    void *owner_context;            /**< the first argument of `owner` */
    /** The work of each tile, in any unit, for uneven tiles such as those of a block-low-rank matrix: mt x nt finite numbers,
        not negative, row by row. For a Hermitian matrix only the stored triangle counts. NULL: all tiles have full work.
        "bch", "bce", "rs" and "rsp" distribute this work, and "auto" takes the layout with the smallest largest work of a
        rank. The arithmetic does not change. Weights need a given tile size: nb or the arrays. ompfact_predict_weights()
        computes weights for matrices with an accuracy. The same on every rank; read only during the call. */
    const double *weights;
    /** The node of each rank, 0 .. nodes-1, for functions without a grid; NULL: each rank is a node. "auto" then counts what
        crosses between nodes, where a tile crosses to a node once, for Cholesky and LU with equal ranks. Read only during the
        call. A grid knows its own nodes. */
    const int *node_of;
    int nodes;                      /**< number of nodes, with node_of */
    /** Not 0: the library compresses tiles while the matrix is filled. It keeps A~ with ||A - A~||_F <= accuracy ||A||_F, and
        the product of the factors is within 10 times that. A tile far from the diagonal becomes U V^H with as few columns as
        that takes, or stays dense if they would be many. 0 < accuracy < 1; a value below n times the unit roundoff means n
        times the unit roundoff. Accepted by ompfact_potrf(), ompfact_getrf() with OMPFACT_PIVOT_NONE, and solves with their
        factors, on hosts. Functions that move, transpose or invert tiles, work with Q or exchange rows return
        OMPFACT_BAD_ARGUMENT and change nothing. */
    double accuracy;
    int band;                       /**< with accuracy: tiles (i,j) with |i - j| < band stay dense; default 1, the diagonal */
    /** With accuracy: tiles of at most this rank are kept as U V^H, all others are dense; negative: only zero tiles are
        compressed. Default: ranks for which arithmetic with U V^H is faster. The library measures this limit when it measures
        the tile size (see nb), in proportion to the order of each tile. */
    int max_rank;
    /** Not 0: a tile row and a tile column begin behind so many rows and columns, at most min(m,n), for
        ompfact_potrf_partial() and similar functions. The tile before is smaller if necessary; those behind have size nb
        again. Arrays of sizes must have such a boundary. */
    int64_t cut;
    /** Copies of the matrix, at most as many as ranks; 0 and 1 mean one. With several copies the ranks form as many layers.
        Each layer has all tiles, in a layout of its own with the given name, pattern or function for the ranks of one layer,
        which are numbered from 0. The layers take turns at the steps of ompfact_potrf(), and of ompfact_getrf() with
        OMPFACT_PIVOT_NONE. So they send fewer tiles and take so many times the memory. If the layers cannot have equally many
        ranks, the first ones have one more. Each does its share of the steps, in proportion to its ranks or, with speeds, to
        the sum of their speeds. If nodes have several ranks, either a layer takes ranks of few nodes or each node has ranks
        of all layers, whichever sends fewer tiles between nodes. Callers see the matrix of the first layer; ranks of other
        layers own no tile. Factors are spread: each tile stays on the layer that made it. Solves, residuals, norms,
        determinants and moves to other matrices use it there; other calls first bring the tiles to the first layer
        (ompfact_bring_home()). Requires dense, even tiles. Matrices with weights or an accuracy, on a grid with devices or
        abft, factored in part or with checkpoints, and created like another matrix, have one copy. doc/layouts.md describes
        when copies pay. */
    int64_t copies;
    /** Not 0, for types 'd' and 'z': each tile off the diagonal is stored in single precision if rounding changes it by no
        more than its share of tile_precision ||A||_F, otherwise in double. A tile A_ij of nt x nt tiles is in single if 2^-24
        ||A_ij||_F <= tile_precision ||A||_F / nt. The library decides while the matrix is filled. It keeps A~ with ||A -
        A~||_F <= tile_precision ||A||_F, and the product of the factors is within 10 times that plus n times the unit
        roundoff. Tiles are sent, multiplied and used in solves in their precision; a tile becomes double if rounding would
        add up to more. Between 0 and 1; OMPFACT_TILE_PRECISION_AUTO: n times the unit roundoff. The same functions accept
        such a matrix as one with an accuracy. With an accuracy, the rule also holds for U and V of a compressed tile, and
        both bounds add up. With devices, tiles in single stay on the host. */
    double tile_precision;
    /** Not 0, with a tile_precision: a tile is in bfloat16 if 2^-8 ||A_ij||_F <= tile_precision ||A||_F / nt. The bounds are the
        same. Such a tile is in single while it is updated, and again in bfloat16 when it is final. A real tile with an odd size
        in the direction of products is in single, and so are U and V of a compressed tile. Grids with devices have no such
        matrices. */
    int64_t bf16_tiles;
    int64_t reserved[12];           /**< zero; for members of later versions */
} ompfact_shape;

/** For ompfact_shape::tile_precision: the rounding error of double precision itself. */
#define OMPFACT_TILE_PRECISION_AUTO (-1.0)

/** The counts of a layout for a matrix. */
typedef struct {
    char name[128];                 /**< full name of the layout */
    int pattern_rows, pattern_cols; /**< size of the pattern, in tiles */
    double cost, cost_bound;        /**< cost T, and a lower bound of T for balanced patterns (for a Hermitian matrix, of this
                                         size) */
    int64_t transfers;              /**< tiles delivered to ranks that do not own them during the factorization; exact */
    double flops_max_over_mean;     /**< work of the most loaded rank over the mean; with weights, of the weights */
    double abe_max_over_mean;       /**< largest time of a rank (flops over speed) over the time of an ideal distribution by
                                         the shape's speeds; without speeds, of flops. Whole tiles count */
    double perisum;                 /**< half-perimeters of the partition of the unit square, for the "1d1d" family; otherwise
                                         NaN */
    int64_t tiles_max, tiles_min;   /**< tiles of the rank with the most tiles, and of the one with the fewest */
    int max_ranks_per_row, max_ranks_per_col;   /**< largest number of distinct owners in a tile row, and in a tile column */
    size_t bytes_max;               /**< bytes of the tiles of the fullest rank */
    int64_t reserved[8];            /**< zero; for members of later versions */
} ompfact_layout_counts;

/**
 * Counts transfers, balance and memory of a matrix of this shape on so many ranks, for Cholesky if the matrix is Hermitian and
 * for LU otherwise. Local; needs no grid and no matrix.
 *
 * @param shape    the shape
 * @param ranks    the number of ranks
 * @param counts   set to the counts
 * @param message  NULL, or a buffer of OMPFACT_MESSAGE characters for one line on failure
 */
ompfact_status ompfact_layout_count(const ompfact_shape *shape, int ranks, ompfact_layout_counts *counts, char *message);

/**
 * Counts the same for ompfact_geqrf() with a tree and a block size as in ompfact_options; for OMPFACT_FOR_LEAST_SQUARES with m
 * < n, of A^H. Local. It takes longer than ompfact_layout_count() because it walks the tasks of every rank on one tile column
 * of each kind. "auto" is resolved by the purpose of the shape.
 *
 * @param shape    the shape
 * @param ranks    the number of ranks
 * @param tree     the tree
 * @param ib       the block size
 * @param counts   set to the counts
 * @param message  NULL, or a buffer of OMPFACT_MESSAGE characters for one line on failure
 */
ompfact_status ompfact_layout_count_qr(const ompfact_shape *shape, int ranks, ompfact_tree tree, int ib,
                                       ompfact_layout_counts *counts, char *message);

/**
 * Predicts the work of the tiles of a compressed matrix before the matrix exists, for the weights of its shape. Collective;
 * the ranks share the computation.
 *
 * The prediction samples rows and columns of each tile at equal strides: 96 of them, or twice the largest rank that is kept,
 * or all. The rank of the sample estimates the rank of the tile, and from the ranks follow the flops of the tasks that write
 * each tile, as far as they can be predicted.
 *
 * @param shape    has an accuracy, and nb or the arrays of sizes; for ompfact_potrf(), or for ompfact_getrf() without
 *                 pivoting. Its layout, speeds and weights are ignored
 * @param entry    called as by ompfact_fill_entries(), for some elements several times and for others never, on any rank for
 *                 any stored tile, by several threads at once; it writes the element to *value, which is zero before
 * @param context  the first argument of entry
 * @param weights  mt x nt finite numbers, row by row, the same on every rank: flops, as if the elements were real; 0 for tiles
 *                 that a Hermitian matrix does not store
 *
 * Returns OMPFACT_BAD_ARGUMENT (also if the shapes differ between ranks) or OMPFACT_NO_MEMORY on failure.
 */
ompfact_status ompfact_predict_weights(ompfact_grid *grid, const ompfact_shape *shape,
                                       void (*entry)(void *context, int64_t i, int64_t j, void *value), void *context,
                                       double *weights);

/**
 * Reads weights for ompfact_shape::weights from a file. Local. The file has "rows cols", which must be mt and nt, and then the
 * weights of the tiles row by row.
 *
 * @param path     the file
 * @param mt, nt   tile rows and columns
 * @param weights  set to an array that the caller frees by free(), or NULL on failure
 * @param message  NULL, or a buffer of OMPFACT_MESSAGE characters for one line on failure
 */
ompfact_status ompfact_weights_read(const char *path, int mt, int nt, double **weights, char *message);

/**
 * Generates weights like those of a block-low-rank matrix. Local. The weights are the same on every machine.
 *
 * @param how        "delta=D,seed=S,kernel=lu|gemm" or parts of it, see doc/unequal.md; NULL: defaults
 * @param hermitian  whether the weights are symmetric
 * @param mt, nt     tile rows and columns
 * @param weights    as for ompfact_weights_read()
 * @param message    as for ompfact_weights_read()
 */
ompfact_status ompfact_weights_blr(const char *how, bool hermitian, int mt, int nt, double **weights, char *message);

/**
 * Creates the pattern that a matrix of this shape gets on so many ranks. Local. "auto" is resolved, and the colrows of
 * "design" are in the order that balances the work on the tiles of this shape.
 *
 * @param shape    the shape
 * @param ranks    the number of ranks
 * @param pattern  set to the new pattern; destroyed by ompfact_pattern_destroy()
 * @param message  NULL, or a buffer of OMPFACT_MESSAGE characters for one line on failure
 */
ompfact_status ompfact_pattern_create_for(const ompfact_shape *shape, int ranks, ompfact_pattern **pattern, char *message);

/**
 * Returns the tile size that a matrix of this shape gets: the nb of the shape, or the chosen one if that is 0. Collective.
 *
 * @param grid   the grid
 * @param shape  the same on every rank
 * @param nb     set to the tile size
 */
ompfact_status ompfact_tile_size(ompfact_grid *grid, const ompfact_shape *shape, int *nb);

/**
 * Creates a matrix of the given shape with undefined contents. Collective. Each rank allocates its own tiles, in an MPI
 * window. Fails with OMPFACT_BAD_ARGUMENT, OMPFACT_BAD_LAYOUT or OMPFACT_NO_MEMORY; the call estimates the memory before it
 * allocates any.
 */
ompfact_status ompfact_matrix_create(ompfact_grid *grid, const ompfact_shape *shape, ompfact_matrix **A);

/** Creates a matrix with the shape, tiles and layout of A and undefined contents. Collective. */
ompfact_status ompfact_matrix_create_like(ompfact_matrix *A, ompfact_matrix **B);

/** Creates a matrix like A with dense tiles, also if A is compressed. Collective. */
ompfact_status ompfact_matrix_create_dense(ompfact_matrix *A, ompfact_matrix **B);

/**
 * Creates right-hand sides for A with undefined contents: m x nrhs, in the tile rows of A. Collective. Each tile belongs to
 * the rank that owns the diagonal tile of A in that row (below the last diagonal tile: the last one), so a solve moves no tile
 * of A.
 */
ompfact_status ompfact_matrix_create_rhs(ompfact_matrix *A, int64_t nrhs, ompfact_matrix **B);

/** Destroys a matrix and sets the pointer to NULL; a NULL matrix is allowed. Collective. */
void ompfact_matrix_destroy(ompfact_matrix **A);

ompfact_grid *ompfact_grid_of(const ompfact_matrix *A);     /**< The grid of a matrix. Local. */
/** The shape of a matrix, with all defaults resolved. Local. The arrays and texts in it are NULL, so the shape of a matrix
    without rows does not make another one. */
ompfact_shape ompfact_shape_of(const ompfact_matrix *A);
/** The contents of a matrix. */
typedef enum {
    OMPFACT_HOLDS_ELEMENTS = 0,     /**< elements of a matrix, or the result of a factorization with info that is not 0 */
    OMPFACT_HOLDS_CHOLESKY = 1,     /**< the factor from ompfact_potrf() with info 0, or what an update made of it */
    OMPFACT_HOLDS_LU = 2,           /**< the factors from ompfact_getrf() with info 0 */
    OMPFACT_HOLDS_QR = 3,           /**< the factors from ompfact_geqrf() */
    OMPFACT_HOLDS_L_OF_LQ = 4,      /**< L of A = L Q^H, or zeros, from ompfact_gels() */
    OMPFACT_HOLDS_INDEFINITE = 5,   /**< the factors from ompfact_hetrf() or ompfact_sytrf() with info 0 */
    OMPFACT_HOLDS_PART = 6          /**< the factors of its first rows and the Schur complement of the others, from
                                         ompfact_potrf_partial() and similar functions (see ompfact_eliminated()) */
} ompfact_contents;
/** What a matrix holds: elements, factors, or a part of both. Local. */
ompfact_contents ompfact_holds(const ompfact_matrix *A);
int64_t ompfact_rows(const ompfact_matrix *A);              /**< The number of rows m. Local. */
int64_t ompfact_cols(const ompfact_matrix *A);              /**< The number of columns n. Local. */
int ompfact_tile_rows(const ompfact_matrix *A);             /**< The number of tile rows mt. Local. */
int ompfact_tile_cols(const ompfact_matrix *A);             /**< The number of tile columns nt. Local. */
int ompfact_tile_height(const ompfact_matrix *A);           /**< The height of the largest tile. Local. */
int ompfact_tile_width(const ompfact_matrix *A);            /**< The width of the largest tile. Local. */
int ompfact_tile_row_of(const ompfact_matrix *A, int64_t row);      /**< The tile row that contains a row. Local. */
int ompfact_tile_col_of(const ompfact_matrix *A, int64_t col);      /**< The tile column that contains a column. Local. */
char ompfact_type(const ompfact_matrix *A);                 /**< The type of the elements: 's', 'd', 'c' or 'z'. Local. */
const char *ompfact_layout(const ompfact_matrix *A);        /**< The full name of the layout, for example "2dbc:2x3". Local. */
int ompfact_owner(const ompfact_matrix *A, int i, int j);   /**< The rank that owns tile (i,j); -1: not stored. Local. */

/* ---- contents ----------------------------------------------------------------------------------------------------------- */

/** A tile in memory. Element (r,c) of the tile, which is element (row + r, col + c) of the matrix, is data[r + c * ld]. */
typedef struct {
    int i, j;               /**< tile row and tile column */
    int64_t row, col;       /**< row and column of its first element in the matrix */
    int mb, nb, ld;         /**< rows, columns and leading dimension of the tile, in elements */
    void *data;             /**< elements of the matrix type; of a diagonal tile of a Hermitian matrix only the stored
                                 triangle counts */
} ompfact_tile;

/**
 * Fills A by elements: calls entry(context, i, j, value) for every stored element of this rank's tiles. `value` points to one
 * element of A's type, which entry writes. Local, but collective for compressed matrices (see ompfact_fill_tiles()). Several
 * threads call entry at once.
 */
ompfact_status ompfact_fill_entries(ompfact_matrix *A, void (*entry)(void *context, int64_t i, int64_t j, void *value),
                                    void *context);

/**
 * Fills A by tiles: calls fill(context, tile) once for each tile of this rank. Local. Several threads call fill at once.
 *
 * A matrix with an accuracy is compressed while it is filled, tile by tile. Then the call is collective. It calls fill twice
 * for each tile, and fill must write the same both times, because the error allowed for a tile depends on the norm of the
 * whole matrix. This norm must be 0 or between 1e-100 and 1e140, otherwise the call returns OMPFACT_BAD_ARGUMENT. Tiles with
 * elements that are not finite stay dense and do not count in the norm. A matrix with a tile_precision is filled the same way,
 * with any norm.
 */
ompfact_status ompfact_fill_tiles(ompfact_matrix *A, void (*fill)(void *context, const ompfact_tile *tile), void *context);

/**
 * Walks the tiles of this rank. Local. Start with *i = *j = -1; each call moves to the next tile, and returns false behind the
 * last one.
 * @code  for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) { ... }  @endcode
 */
bool ompfact_next_tile(const ompfact_matrix *A, int *i, int *j);

/**
 * Gives access to tile (i,j) of this rank, to read and write between the calls that factor and solve. Local. The tile stays
 * memory of the matrix. Give it back by ompfact_tile_restore() before the next collective call on A. Returns OMPFACT_NOT_OWNER
 * on other ranks.
 */
ompfact_status ompfact_tile_get(ompfact_matrix *A, int i, int j, ompfact_tile *tile);

/**
 * Gives read access to tile (i,j) of this rank in any storage: a dense tile in place, of a compressed tile the product U V^H,
 * of a tile in single precision a copy in double. Local.
 *
 * @param A     the matrix
 * @param i, j  the tile
 * @param room  memory for as many elements as the largest tile has; may be NULL for a matrix without accuracy and
 *              tile_precision
 * @param tile  set to the tile
 */
ompfact_status ompfact_tile_read(const ompfact_matrix *A, int i, int j, void *room, ompfact_tile *tile);

/**
 * Brings the tiles of factors that are spread over the layers of a matrix in copies (ompfact_shape::copies) to the ranks that own
 * them. Collective. ompfact_tile_get() and ompfact_tile_read() refuse such tiles with OMPFACT_BAD_ARGUMENT before this call. It
 * does nothing if all tiles are at their owners. It adds the number of tiles and the seconds to A's report (transfers_home,
 * seconds).
 */
ompfact_status ompfact_bring_home(ompfact_matrix *A);

/** The rank of tile (i,j) of a compressed matrix, for a tile of this rank; -1 if the tile is dense (all tiles of other
    matrices are) or belongs to another rank. Local. ompfact_tile_get() refuses compressed tiles and tiles in single
    precision. */
int ompfact_tile_rank(const ompfact_matrix *A, int i, int j);
/** Gives back a tile from ompfact_tile_get(). Local. */
void ompfact_tile_restore(ompfact_matrix *A, ompfact_tile *tile);

/**
 * Finds the first element of A that is a NaN or infinite, column by column; in a Hermitian matrix, in its stored triangle.
 * Collective. Other functions do not test for such elements; a factorization propagates them.
 *
 * @param A         the matrix
 * @param row, col  its place, from 0; both -1 if all elements are finite
 * @param nan       true: it (or a part of a complex number) is a NaN; false: it is infinite
 */
ompfact_status ompfact_find_not_finite(ompfact_matrix *A, int64_t *row, int64_t *col, bool *nan);

/**
 * Computes At := A^H as a new matrix, whose tile (i,j) is on the rank that owns tile (j,i) of A. Collective. The caller
 * destroys it.
 *
 * @param A   OMPFACT_GENERAL; not changed
 * @param At  set to the new matrix
 */
ompfact_status ompfact_conj_transpose(ompfact_matrix *A, ompfact_matrix **At);

/* ---- factor and solve --------------------------------------------------------------------------------------------------- */

/** The side of another matrix on which a matrix stands, in BLAS's letters. */
typedef enum { OMPFACT_LEFT = 'L', OMPFACT_RIGHT = 'R' } ompfact_side;
/** A triangle, in BLAS's letters. */
typedef enum { OMPFACT_LOWER = 'L', OMPFACT_UPPER = 'U' } ompfact_uplo;
/** A matrix itself, its transpose, or its conjugate transpose, in BLAS's letters. */
typedef enum { OMPFACT_NO_TRANS = 'N', OMPFACT_TRANS = 'T', OMPFACT_CONJ_TRANS = 'C' } ompfact_trans;

/**
 * Cholesky factorization A = L L^H, or A = U^H U if A is stored by its upper triangle. Collective.
 *
 * @param A     Hermitian positive definite. OMPFACT_HERMITIAN_LOWER: L overwrites the lower triangle. OMPFACT_HERMITIAN_UPPER:
 *              U overwrites the upper one. The call neither reads nor writes the other triangles of diagonal tiles.
 * @param info  0, or the order of the first leading minor that is not positive definite (as in LAPACK); then A is undefined.
 *              The same on every rank
 */
ompfact_status ompfact_potrf(ompfact_matrix *A, int64_t *info);

/**
 * LU factorization P A = L U, with L unit lower triangular or trapezoidal, U upper, and P a permutation by the pivoting that
 * the grid's option `pivot` selects. Collective.
 *
 * With pivoting a rank needs memory in addition to the matrix: two tiles for each of its tile columns (one if no column has
 * two owners), one tile column (two in a tournament), and with OMPFACT_PIVOT_PARTIAL the rows of a whole tile column. Devices
 * that factor panels need as much as these columns, if that is at most a quarter of their memory. The memory is kept until A
 * is destroyed.
 *
 * @param A     m x n, OMPFACT_GENERAL; overwritten by L (without its unit diagonal) and U, with rows interchanged as by
 *              LAPACK; ompfact_ipiv() returns P
 * @param info  0, or the smallest k with U(k,k) exactly zero; the factorization continues and does not scale column k of L
 */
ompfact_status ompfact_getrf(ompfact_matrix *A, int64_t *info);

/**
 * Eliminates the first rows and columns of a Cholesky factorization: L_11 L_11^H = A_11, L_21 = A_21 L_11^-H; A_22 becomes the
 * Schur complement S = A_22 - L_21 L_21^H. Collective.
 *
 * The program may then read S in A or by ompfact_schur(). A further call with more rows continues, and ompfact_potrf()
 * completes the factorization. If S was not changed, the factor is bit for bit that of one call with the same tiles. A call
 * that fills A or moves elements into A begins anew. A program that writes through pointers from ompfact_tile_get() changes S,
 * and later calls continue with the changed S.
 *
 * @param A     as for ompfact_potrf(), without checksums (ompfact_options::abft) and without an accuracy
 * @param rows  number of eliminated rows, including those of earlier calls, at most n. A tile must begin behind them:
 *              ompfact_shape::cut
 * @param info  as for ompfact_potrf(), of A_11, because S may be indefinite. Not 0: A is undefined
 *
 * Neither this call nor a continuation is saved by ompfact_checkpoint(). If A or rows are not as described, the call returns
 * OMPFACT_BAD_ARGUMENT and does not change A. Functions that need a whole matrix, other factorizations and
 * ompfact_posv_refined() among them, then refuse A.
 */
ompfact_status ompfact_potrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info);

/**
 * Eliminates the first rows and columns of an LU factorization: P A_11 = L_11 U_11, L_21, U_12; A_22 becomes the Schur
 * complement S = A_22 - A_21 A_11^-1 A_12. Collective. Otherwise like ompfact_potrf_partial(): further calls continue, and
 * ompfact_getrf() completes the factorization.
 *
 * Pivots are searched among the first rows only, by the grid's option `pivot`, unless `rows` is all columns. So S does not
 * depend on the pivots, but for the last of these rows only small pivots may remain. A factorization that began with pivoting
 * continues with it, and one without continues without.
 *
 * @param A     as for ompfact_getrf(), without checksums and accuracy
 * @param rows  as for ompfact_potrf_partial(), at most min(m,n)
 * @param info  as for ompfact_getrf(), of A_11
 */
ompfact_status ompfact_getrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info);

/** The number of rows and columns of A that ompfact_potrf_partial() or a similar function has eliminated; 0 for other
    matrices, also for completed factorizations. Local. */
int64_t ompfact_eliminated(const ompfact_matrix *A);

/**
 * Creates the Schur complement that ompfact_potrf_partial() or a similar function left in A, as a matrix S. Collective. The
 * tiles of S are those of A and stay on their ranks, so with both = false no element moves.
 *
 * @param A     not changed
 * @param both  true, for a Hermitian or symmetric matrix: S is OMPFACT_GENERAL, with both triangles; false: S has the
 *              structure of A
 * @param S     set to the new matrix of n - ompfact_eliminated() rows and columns; the caller destroys it
 *
 * Returns OMPFACT_BAD_ARGUMENT if nothing was eliminated, or OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_schur(ompfact_matrix *A, bool both, ompfact_matrix **S);

/**
 * Appends rows and columns to a matrix with a Cholesky factor: (A B^H; B C) takes the place of A, in n^2 m + n m^2 + m^3/3
 * operations. Collective. X = B L^-H follows L, and the factor of C - X X^H follows X.
 *
 * The tiles of L stay in place, and the layout continues behind them in tiles of the shape's nb, which begin behind row n and
 * have memory of their own. Every third call moves everything into one piece of memory, if there is memory for both copies,
 * and cuts it into tiles anew, so that many small appends do not leave many small tiles.
 *
 * @param A        has the factor from ompfact_potrf() with info 0, without checksums (ompfact_options::abft) and without an
 *                 accuracy; it becomes larger, so right-hand sides created for it before no longer fit. On failure A is
 *                 unchanged, bit for bit
 * @param m        number of appended rows, 0 or more
 * @param fill     called once for each tile of this rank that has elements of B or C (in an upper matrix, of B^H or C), with
 *                 its place in the larger matrix, by several threads at once
 * @param context  the first argument of fill
 * @param info     0; or n + r if row r of the appended ones makes a leading minor that is not positive definite: then A is
 *                 unchanged
 *
 * ompfact_restart_append() appends rows to a factor on disk. Returns OMPFACT_BAD_ARGUMENT if A or m are not as described, or
 * OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_potrf_append(ompfact_matrix *A, int64_t m, void (*fill)(void *context, const ompfact_tile *tile),
                                    void *context, int64_t *info);

/**
 * Returns the row interchanges of ompfact_getrf(), as LAPACK does: row i was interchanged with row ipiv[i - 1], for i from 1
 * to min(m,n) in this order. Local. Without pivoting ipiv[i - 1] = i for all i.
 *
 * @param A     the factors
 * @param ipiv  memory for min(m,n) numbers
 */
void ompfact_ipiv(const ompfact_matrix *A, int64_t *ipiv);

/**
 * Solves A X = B with the factor from ompfact_potrf(). Collective.
 *
 * @param A  n x n, factored with info 0; not changed, so it serves for any number of solves
 * @param B  n x nrhs, created for A by ompfact_matrix_create_rhs(); overwritten by X
 */
ompfact_status ompfact_potrs(ompfact_matrix *A, ompfact_matrix *B);

/** Solves A X = B with the factors from ompfact_getrf(). Collective. A and B are as for ompfact_potrs(). */
ompfact_status ompfact_getrs(ompfact_matrix *A, ompfact_matrix *B);

/** Solves op(A) X = B with the factors from ompfact_getrf(), where op(A) is A, its transpose or its conjugate transpose.
    Collective. A and B are as for ompfact_potrs(). */
ompfact_status ompfact_getrs_trans(ompfact_matrix *A, ompfact_trans trans, ompfact_matrix *B);

/** Factors and solves: calls ompfact_potrf(), then ompfact_potrs() if info is 0; otherwise B is not changed. Collective. */
ompfact_status ompfact_posv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info);

/** Factors and solves: calls ompfact_getrf(), then ompfact_getrs() if info is 0; otherwise B is not changed. Collective. */
ompfact_status ompfact_gesv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info);

/**
 * Solves A X = B by Cholesky factorization in mixed precision: factors a copy of A in single precision and refines the
 * solution to the accuracy of double precision, as LAPACK's dsposv and zcposv do. If that fails, it factors A in double.
 * Collective.
 *
 * It takes about half the time of ompfact_posv() if A is large and its condition number below about 10^7, and it needs memory
 * for half of A and 2.5 times B in addition. It accepts a solution if in each column max |b - A x| <= sqrt(n) eps ||A||_inf
 * max |x|, where eps is the unit roundoff of double precision. It makes at most 30 refinements.
 *
 * With OMPFACT_REFINE_GMRES in the grid's options it often converges for condition numbers of 10^8 to 10^10, and for larger
 * ones if A has few singular values that are so small. But beyond about 10^7 the Cholesky factorization in single precision
 * may fail. Residuals are scaled, so right-hand sides of any size are refined. The factors alone correct the solution while
 * they halve the worst ratio of the two sides above over all columns; then GMRES does, which needs memory for 22.5 times one
 * tile column of B. There are at most 100 solves with the factors, and fewer if four corrections by GMRES in a row do not
 * halve that ratio.
 *
 * @param A           type 'd' or 'z'; not changed if *iterations >= 0, otherwise the result of ompfact_potrf()
 * @param B           n x nrhs, created for A by ompfact_matrix_create_rhs(); overwritten by X, but unchanged if *info is not 0
 * @param info        0, or the info of the factorization in double
 * @param iterations  LAPACK's ITER, the same on every rank. 0 or more: the number of solves with the factors after the first
 *                    one (in the classic method, of refinements), for the tile column that took the most. Negative: why A was
 *                    factored in double: -1 no memory for the copies, -2 a number is too large for single precision or is
 *                    not finite, -3 the factorization in single precision failed, -31 no convergence
 *
 * ompfact_last_report(A) describes the factorizations, the one in single precision and the one in double if there was one;
 * ompfact_last_report(B) describes the rest.
 */
ompfact_status ompfact_posv_refined(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);

/** Solves A X = B by LU factorization in mixed precision: like ompfact_posv_refined(), with ompfact_getrf() in place of
    ompfact_potrf(); LAPACK's dsgesv and zcgesv. Collective. */
ompfact_status ompfact_gesv_refined(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);

/* ---- updates of factors -------------------------------------------------------------------------------------------------- */

/**
 * Turns the factor of A into that of A + V V^H, in 2 n^2 k operations and some n^2; a factorization takes n^3/3. Collective.
 * During the call each rank needs memory for the rows of V and reflectors of its tile rows, about twice the size of these rows
 * of V.
 *
 * @param A     n x n, dense, with the factor from ompfact_potrf() with info 0; overwritten by the new factor in the same
 *              triangle, with a positive diagonal
 * @param V     OMPFACT_GENERAL, n x k for any k, with A's type, grid and tile rows, in any layout (for example created by
 *              ompfact_matrix_create_rhs()); not changed
 * @param info  0, or the first row whose diagonal element is not finite and positive, for example if V has a NaN; then A is
 *              undefined. The same on every rank
 *
 * Returns OMPFACT_BAD_ARGUMENT if A has no such factor or V is not as described, or OMPFACT_NO_MEMORY. ompfact_last_report(A)
 * describes this call: its transfers are reflectors, and tiles of V that travel to the first tile of their tile row of A and
 * along it.
 */
ompfact_status ompfact_potrf_update(ompfact_matrix *A, ompfact_matrix *V, int64_t *info);

/**
 * Turns the factor of A into that of A - V V^H by hyperbolic transformations in their stable form (A. Bojanczyk, R. Brent, P.
 * Van Dooren, F. de Hoog, "A note on downdating the Cholesky factorization", 1987). Collective. The cost is that of
 * ompfact_potrf_update(); during the call it needs as much memory as A has.
 *
 * @param A     as for ompfact_potrf_update(); if info is not 0, A keeps the old factor, bit for bit
 * @param V     as for ompfact_potrf_update()
 * @param info  0, or the order of a leading minor of A - V V^H that is not positive definite within rounding (the first one if
 *              V has one tile column). The same on every rank
 *
 * The smaller A - V V^H is compared with A, the fewer of its digits remain, by any method: both condition numbers count.
 */
ompfact_status ompfact_potrf_downdate(ompfact_matrix *A, ompfact_matrix *V, int64_t *info);

/* ---- symmetric indefinite systems --------------------------------------------------------------------------------------- */

/**
 * Factorization A = L D L^H of a Hermitian (or real symmetric) matrix, with L unit lower triangular except for the order of
 * rows within tiles, and D with blocks of order 1 or 2. It takes half the arithmetic, memory and transfers of LU. Collective.
 *
 * Pivots come from the diagonal tile alone (J. Bunch, L. Kaufman, "Some stable methods for calculating inertia and solving
 * symmetric linear systems", 1977, with rook pivoting), so nothing bounds the growth of elements. ompfact_inertia() returns
 * the growth, and ompfact_hesv() refines the solution. A pivot below u max|A|, where u is the unit roundoff, is replaced by
 * one of that size with the same sign, and counted.
 *
 * A rank needs additional memory for a few rows of each diagonal tile, for D and the order of rows; this is a small part of
 * the tile. It belongs to the factors and is kept until A is destroyed. Devices do not take part.
 *
 * @param A     OMPFACT_HERMITIAN_LOWER or _UPPER; its triangle is overwritten by X of A = X J X^H, where J has signs, in the
 *              form that solves need. On diagonal tiles that is the triangle of L. The call neither reads nor writes the other
 *              triangles of diagonal tiles
 * @param info  0, or 1 if A is all zero; then A is undefined. The same on every rank
 */
ompfact_status ompfact_hetrf(ompfact_matrix *A, int64_t *info);

/** Factorization A = L D L^T of a symmetric matrix, real or complex: OMPFACT_SYMMETRIC_LOWER or _UPPER. Collective. Otherwise
    like ompfact_hetrf(), which for real types is the same. For complex types J is the identity, and a replaced pivot keeps
    its phase. */
ompfact_status ompfact_sytrf(ompfact_matrix *A, int64_t *info);

/**
 * Eliminates the first rows and columns as ompfact_hetrf() does; A_22 becomes the Schur complement S = A_22 - A_21 A_11^-1
 * A_21^H. Collective. Otherwise like ompfact_potrf_partial(): further calls continue, and ompfact_hetrf() completes the
 * factorization. ompfact_inertia() returns the inertia of A_11; the sum with that of S is the inertia of A.
 *
 * S must have the rows of A, so this call and its continuations do not mix rows: they ignore the grid's option `butterfly`.
 * Pivots within diagonal tiles suffice if no leading part of A_11 is nearly singular, as in quasi-definite matrices. Otherwise
 * the growth (ompfact_inertia_counts::growth) spoils S.
 *
 * @param A     as for ompfact_hetrf(), without checksums (ompfact_options::abft)
 * @param rows  as for ompfact_potrf_partial()
 * @param info  as for ompfact_hetrf()
 */
ompfact_status ompfact_hetrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info);

/** Eliminates the first rows and columns as ompfact_sytrf() does: S = A_22 - A_21 A_11^-1 A_21^T. Collective. Otherwise like
    ompfact_hetrf_partial(). */
ompfact_status ompfact_sytrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info);

/**
 * Solves A X = B with the factors from ompfact_hetrf(), without refinement. Collective. Growth and perturbed pivots make X as
 * inaccurate as the factors.
 *
 * @param A  n x n, factored with info 0; not changed, so it serves for any number of solves
 * @param B  n x nrhs, created for A by ompfact_matrix_create_rhs(); overwritten by X
 */
ompfact_status ompfact_hetrs(ompfact_matrix *A, ompfact_matrix *B);

/** Solves A X = B with the factors from ompfact_sytrf(), without refinement. Collective. A and B are as for ompfact_hetrs(). */
ompfact_status ompfact_sytrs(ompfact_matrix *A, ompfact_matrix *B);

/**
 * Solves A X = B for a Hermitian (or real symmetric) matrix A. Collective. It factors A as ompfact_hetrf() does, solves, and
 * refines the solution until in each column max |b - A x| <= sqrt(n) u ||A||_inf max |x|, where u is the unit roundoff of A's
 * type; if corrections by the factors alone do not halve the error, GMRES does. If the error stays above ten times that bound,
 * the call factors A once more, as a general matrix by LU with pivoting, and solves and refines with these factors. This takes
 * three times the arithmetic.
 *
 * Additional memory: a copy of A (in double if A is in single), four times B in that precision, with GMRES as for
 * ompfact_posv_refined(), and for LU a general matrix.
 *
 * @param A           as for ompfact_hetrf(), dense; overwritten by its factors, also if LU solved the system
 * @param B           n x nrhs, created for A by ompfact_matrix_create_rhs(); overwritten by X if *info is 0
 * @param info        0; 1 if A is all zero; or, if LU was needed, the info of ompfact_getrf(), and then there is no solution
 * @param iterations  solves with the factors of A after the first one, for the tile column that took the most; -1: LU was
 *                    needed
 *
 * ompfact_last_report(A) describes the factorization, ompfact_last_report(B) the rest, including LU.
 */
ompfact_status ompfact_hesv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);

/** Solves A X = B for a symmetric matrix A, real or complex, as ompfact_hesv() does for Hermitian ones. Collective. A is as
    for ompfact_sytrf(). */
ompfact_status ompfact_sysv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);

/** The inertia of a matrix and properties of its pivots. */
typedef struct {
    int64_t positive, negative;     /**< positive and negative eigenvalues of D, and so by Sylvester's law of A within
                                         rounding; a perturbed pivot counts by its sign. -1 for a complex symmetric matrix,
                                         whose eigenvalues have no signs */
    int64_t zero;                   /**< zero eigenvalues: all of a zero matrix, otherwise 0; -1 for a complex symmetric
                                         matrix */
    int64_t perturbed;              /**< pivots that were too small and have been replaced */
    double growth;                  /**< the largest modulus in any block of D over max|A|. Large growth means lost digits.
                                         NaN for a zero matrix */
    int64_t reserved[4];            /**< zero; for members of later versions */
} ompfact_inertia_counts;

/**
 * Returns the inertia of a factored matrix and properties of its pivots. Collective.
 *
 * @param A       the result of ompfact_hetrf() or ompfact_sytrf(), with any info, or for the eliminated rows the result of
 *                ompfact_hetrf_partial() or ompfact_sytrf_partial(); not changed
 * @param counts  the same on every rank
 */
ompfact_status ompfact_inertia(ompfact_matrix *A, ompfact_inertia_counts *counts);

/** The data of a row of the matrix in ompfact_ldl(). Rows count from 1. */
typedef struct {
    int64_t pivot;              /**< LAPACK's ipiv of this row */
    int64_t partner[2];         /**< the row with which W_0, and W_1, mixes this row; the row itself: none */
    double weight[2];           /**< weight w of this row in W_0, and in W_1: partners x < y have the columns w_x (e_x + e_y)
                                     and w_y (e_x - e_y); 1 without a partner */
} ompfact_ldl_row;

/**
 * Converts the factors into those of LAPACK's sytrf_rk and hetrf_rk, for other programs. Collective.
 *
 * P W^T A W P^T = L D L^H with W = W_0 W_1, so A x = b has the solution x = W P^T (L^-H (D^-1 (L^-1 (P W^T b)))). L is unit
 * lower triangular, D has blocks of order 1 and 2. P is a product of interchanges: for k = 1, 2, 3 and so on, of row k and row
 * |pivot| of row k; two negative pivots in a row belong to a block of order 2. Without butterflies (ompfact_options::butterfly)
 * W is the identity.
 *
 * @param A     the result of ompfact_hetrf() or ompfact_sytrf() with info 0. Overwritten by L below the diagonal, by D on the
 *              diagonal and, for a block of order 2, also below it, where L has a zero (LAPACK keeps that element in a
 *              separate array e). Of a result of ompfact_hetrf_partial() or ompfact_sytrf_partial() only the first columns are
 *              converted; the Schur complement stays behind them as the last block of D. For OMPFACT_HERMITIAN_UPPER the upper
 *              triangle has L^H and D, which is not LAPACK's form of an upper triangle. For complex symmetric matrices read ^T
 *              for ^H. Afterwards A has no factors for solves and inertia
 * @param rows  memory for n elements, on every rank
 */
ompfact_status ompfact_ldl(ompfact_matrix *A, ompfact_ldl_row *rows);

/* ---- triangular matrices and inverses ----------------------------------------------------------------------------------- */

/**
 * Triangular solve: B := alpha op(A)^-1 B from the left, or B := alpha B op(A)^-1 from the right. Collective. The tiles of B
 * stay in place and those of A travel to them, for many right-hand sides in any layout. The call divides by a zero on the
 * diagonal, as BLAS does, so results become infinite or NaN; ompfact_zero_on_diagonal() tests for a zero beforehand.
 *
 * @param side                the side of A
 * @param uplo                the triangle of A that counts; of a Hermitian matrix the one that it stores
 * @param trans               op
 * @param unit                true: ones on the diagonal, whatever is stored
 * @param alpha_re, alpha_im  alpha; real types ignore alpha_im. 0: B becomes zero, whatever it holds
 * @param A                   n x n, with equal tile rows and tile columns; not changed
 * @param B                   OMPFACT_GENERAL, of A's type, on A's grid, with A's tile rows (from the right: tile columns);
 *                            overwritten
 */
ompfact_status ompfact_trsm(ompfact_side side, ompfact_uplo uplo, ompfact_trans trans, bool unit, double alpha_re,
                            double alpha_im, ompfact_matrix *A, ompfact_matrix *B);

/**
 * Finds the first zero on the diagonal of a triangle, which makes the triangle singular: the info of LAPACK's trtrs.
 * Collective.
 *
 * @param A     n x n, with equal tile rows and tile columns; not changed
 * @param info  0, or the smallest k with A(k,k) exactly zero
 */
ompfact_status ompfact_zero_on_diagonal(ompfact_matrix *A, int64_t *info);

/**
 * Inverts a triangle, A := A^-1: LAPACK's trtri. Collective. During the call it needs as much memory again.
 *
 * @param A     created as OMPFACT_HERMITIAN_LOWER or OMPFACT_HERMITIAN_UPPER; its triangle is the matrix; overwritten
 * @param unit  true: ones on the diagonal, which is neither read nor written
 * @param info  0, or the smallest k with A(k,k) exactly zero; then A is not changed
 */
ompfact_status ompfact_trtri(ompfact_matrix *A, bool unit, int64_t *info);

/**
 * Inverts A, A := A^-1, with the factor from ompfact_potrf(): LAPACK's potri. Collective. During the call it needs as much
 * memory again.
 *
 * @param A     has the factor from ompfact_potrf() with info 0; overwritten by the stored triangle of the inverse
 * @param info  0, or k if element (k,k) of the factor is exactly zero; then A is not changed
 */
ompfact_status ompfact_potri(ompfact_matrix *A, int64_t *info);

/**
 * Inverts A, A := A^-1, with the factors from ompfact_getrf(): LAPACK's getri. Collective. During the call it needs as much
 * memory again.
 *
 * @param A     n x n, has the factors from ompfact_getrf() with info 0; overwritten, and its interchanges are deleted
 * @param info  0, or k if U(k,k) is exactly zero; then A is not changed
 */
ompfact_status ompfact_getri(ompfact_matrix *A, int64_t *info);

/* ---- QR and least squares ----------------------------------------------------------------------------------------------- */

/**
 * QR factorization A = Q R, with Q unitary (orthogonal if real) and R upper triangular or trapezoidal. Collective.
 *
 * In each tile column every rank factors its own tiles as one panel. The resulting triangles are then combined two at a time
 * along the grid's `tree` (Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and sequential QR and LU
 * factorizations", 2012). So Q is a product of more reflectors than LAPACK's, and R agrees with LAPACK's except for the signs
 * (phases) of its rows.
 *
 * A rank needs additional memory for the triangular factors of its blocks of reflectors and for tiles in transit: a few tiles
 * for each of its tile columns. The memory is kept until A is destroyed.
 *
 * @param A  m x n, OMPFACT_GENERAL, with square tiles on the diagonal; below it no tile is lower than the diagonal tile is
 *           wide, except in the last tile row. Overwritten by R in the upper triangle; below it, and in the additional memory,
 *           is what ompfact_unmqr() needs
 */
ompfact_status ompfact_geqrf(ompfact_matrix *A);

/**
 * Multiplies by Q: C := Q C or C := Q^H C. Collective.
 *
 * @param A           m x n, the result of ompfact_geqrf(); not changed
 * @param conj_trans  true: Q^H instead of Q
 * @param C           m x any number of columns, with A's tile rows, type and grid, in any layout, for example created by
 *                    ompfact_matrix_create_rhs(); overwritten
 */
ompfact_status ompfact_unmqr(ompfact_matrix *A, bool conj_trans, ompfact_matrix *C);

/**
 * Computes the first columns of Q. Collective.
 *
 * @param A  m x n, the result of ompfact_geqrf(); not changed
 * @param Q  m x k, k <= m, with A's tile rows, type and grid; overwritten
 */
ompfact_status ompfact_ungqr(ompfact_matrix *A, ompfact_matrix *Q);

/**
 * Least squares: for m >= n computes the X that minimises ||B - A X|| in each column, for m < n the solution of A X = B of
 * least norm. Collective. A must have full rank; ompfact_rcond() tests that afterwards, to working precision. As in LAPACK's
 * gels, X is 0 if A is all zero, and B becomes 0.
 *
 * @param A     m x n; overwritten: for m >= n by the result of ompfact_geqrf(), for m < n by L of A = L Q^H in the lower
 *              triangle, with the rest undefined. Not changed if it is all zero
 * @param B     m x nrhs, created for A by ompfact_matrix_create_rhs(); overwritten: for m >= n by Q^H B, whose rows from n on
 *              have the norm of the residual
 * @param X     set to the solution, n x nrhs; the caller destroys it. NULL if info is not 0
 * @param info  0, or the smallest k with R(k,k) exactly zero: then A has not full rank, is not all zero, and there is no
 *              solution
 */
ompfact_status ompfact_gels(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix **X, int64_t *info);

/* ---- factors from other programs ----------------------------------------------------------------------------------------- */

/**
 * Declares that A contains a factor from LAPACK's potrf or from ompfact_potrf(), for solves and inverses. Collective.
 *
 * @param A  as for ompfact_potrf()
 */
ompfact_status ompfact_adopt_potrf(ompfact_matrix *A);

/**
 * Declares that A contains factors from LAPACK's getrf or from ompfact_getrf(). Collective.
 *
 * @param A     as for ompfact_getrf()
 * @param ipiv  the interchanges as returned by ompfact_ipiv(), the same on every rank; NULL: none
 */
ompfact_status ompfact_adopt_getrf(ompfact_matrix *A, const int64_t *ipiv);

/**
 * Returns the scalars of the elementary reflectors in A: LAPACK's tau. Collective. Returns OMPFACT_BAD_ARGUMENT if several
 * ranks own tiles of one tile column, because their reflectors are not LAPACK's. In layout "2dbc:1xP", with all P ranks, one
 * rank owns each tile column.
 *
 * @param A    m x n, the result of ompfact_geqrf(); not changed
 * @param tau  memory for min(m,n) elements of A's type, on every rank
 */
ompfact_status ompfact_tau(ompfact_matrix *A, void *tau);

/**
 * Declares that A contains the result of LAPACK's geqrf, or of ompfact_geqrf() with the tau of ompfact_tau(), for products
 * with Q. Collective.
 *
 * @param A    as for ompfact_geqrf(), with each tile column on one rank; not changed
 * @param tau  min(m,n) elements of A's type, the same on every rank
 */
ompfact_status ompfact_adopt_geqrf(ompfact_matrix *A, const void *tau);

/* ---- properties of factored matrices ------------------------------------------------------------------------------------- */

/**
 * The determinant of a matrix that ompfact_potrf() or ompfact_getrf() factored with info 0, as sign times exp(logabs), because
 * the determinant itself soon overflows or underflows. Collective. Equal factors give equal bits in any layout.
 *
 * @param A                 n x n, factored; not changed
 * @param logabs            log |det A|
 * @param sign_re, sign_im  det A / |det A|: 1 and 0 for Cholesky, 1 or -1 and 0 for real LU
 */
ompfact_status ompfact_determinant(ompfact_matrix *A, double *logabs, double *sign_re, double *sign_im);

/**
 * The smallest pivot, |U(k,k)| or L(k,k)^2, of a matrix factored with info 0. Collective. It is small compared with the norm
 * of the matrix if a leading part (after pivoting: the matrix) is nearly singular.
 *
 * @param A      m x n, factored; not changed
 * @param pivot  the smallest pivot; a NaN if there is one; infinity for a matrix without rows or columns
 * @param k      its first place, from 0; -1 if there is none
 */
ompfact_status ompfact_smallest_pivot(ompfact_matrix *A, double *pivot, int64_t *k);

/* ---- other layouts, and ScaLAPACK --------------------------------------------------------------------------------------- */

/** The storage of a matrix by the ranks of its tiles, summed over all processes. */
typedef struct {
    int64_t dense_tiles;        /**< stored tiles that are dense; all others are compressed, U V^H */
    double rank_mean;           /**< mean rank of the compressed tiles; NaN without such tiles */
    int rank_max;               /**< largest rank of a compressed tile; -1 without such tiles */
    int64_t bytes;              /**< bytes of all stored elements; a diagonal tile is a full square */
    int64_t dense_bytes;        /**< bytes of all elements if all tiles were dense */
} ompfact_tile_ranks;

/** Counts the storage of any matrix by the ranks of its tiles. Collective. */
ompfact_status ompfact_count_ranks(ompfact_matrix *A, ompfact_tile_ranks *ranks);

/** Returns the rank of every tile, row by row, in an array with one number for each tile of A: -1 for a dense tile, -2 for a
    tile that is not stored. Collective. The result is the same on every rank. */
ompfact_status ompfact_rank_map(ompfact_matrix *A, int *ranks);

/** The storage of a matrix with a tile_precision, summed over all ranks. */
typedef struct {
    int64_t double_tiles, single_tiles;     /**< stored tiles in double and in single precision when the matrix was filled */
    int64_t widened;            /**< tiles that are in a wider precision now */
    int64_t bytes;              /**< bytes of all stored elements; a diagonal tile is a full square */
    int64_t bf16_tiles;         /**< stored tiles in bfloat16 when the matrix was filled */
} ompfact_tile_precisions;

/** Counts the storage of any matrix by the precisions of its tiles; a tile U V^H counts by the precision of U and V.
    Collective. */
ompfact_status ompfact_count_precisions(ompfact_matrix *A, ompfact_tile_precisions *precisions);

/** Returns the precision of every tile, row by row, in an array with one number for each tile of A: 1 for a tile in single
    precision of a matrix in double, 2 for a tile in bfloat16, 0 for any other stored tile, -2 for a tile that is not stored.
    Collective. The result is the same on every rank. */
ompfact_status ompfact_precision_map(ompfact_matrix *A, int *precisions);

/**
 * Copies B := A between any layouts, tile sizes and storage. Collective. Factors of Cholesky and LU stay factors, so B serves
 * for solves if A does. A matrix whose first rows are eliminated (ompfact_potrf_partial()) stays one if a tile of B also
 * begins behind these rows.
 *
 * Each rank needs 8 MiB of additional memory, or less for small matrices, which the grid keeps for later calls.
 * ompfact_last_report(B) has the time and the bytes that went to other ranks.
 *
 * @param A  m x n; not changed. Of a Hermitian matrix only its triangle is read
 * @param B  another matrix with A's rows, columns, type, structure and grid, also one created by ompfact_matrix_create_rhs();
 *           overwritten. Of a Hermitian matrix only its triangle is written
 *
 * Returns OMPFACT_BAD_ARGUMENT before it writes anything, or OMPFACT_NO_MEMORY for the 8 MiB.
 */
ompfact_status ompfact_redistribute(ompfact_matrix *A, ompfact_matrix *B);

/**
 * A sub-matrix of an array that ScaLAPACK distributes: block-cyclic over nprow x npcol processes, which are ranks of this
 * library's grid. The library calls neither ScaLAPACK nor the BLACS. All members except desc and its LLD_ must be the same on
 * every rank.
 */
typedef struct {
    const int *desc;        /**< descriptor of the array, nine ints as descinit_ sets them: DTYPE_ (1), CTXT_ (ignored), M_,
                                 N_, MB_, NB_, RSRC_, CSRC_, LLD_. Ranks outside the process grid ignore it; it may be NULL
                                 there */
    int nprow, npcol;       /**< rows and columns of the process grid; nprow * npcol may be less than the number of ranks */
    const int *rank;        /**< nprow x npcol, row by row: the rank of process (r,c). NULL: r * npcol + c, the numbering of
                                 Cblacs_gridinit() with "Row" on a communicator with the ranks of the grid */
    int64_t ia, ja;         /**< row and column of the first element of the sub-matrix in the array, from 1 as in ScaLAPACK; 0
                                 means 1 */
} ompfact_scalapack;

/**
 * Copies A := sub(array), rows ia .. ia+m-1 and columns ja .. ja+n-1, where A is m x n. Collective. Time, memory and report
 * are as for ompfact_redistribute(); the report is that of A. Afterwards A holds elements, no factors.
 *
 * @param A       in any layout, also created by ompfact_matrix_create_rhs(); overwritten. If A is Hermitian, only its triangle
 *                is read and written
 * @param source  describes the sub-matrix; not changed
 * @param local   this rank's part of the array, of A's type, column-major, LLD_ by the number of columns of the process; NULL
 *                on a rank without a part. Not changed
 *
 * Returns OMPFACT_BAD_ARGUMENT, on every rank and before it writes anything, for a descriptor or process grid that is wrong or
 * differs between ranks, and for a sub-matrix that exceeds the array.
 */
ompfact_status ompfact_from_scalapack(ompfact_matrix *A, const ompfact_scalapack *source, const void *local);

/**
 * Copies sub(array) := A, the reverse of ompfact_from_scalapack(). Collective. The call does not touch elements outside the
 * sub-matrix. If A is Hermitian it does not touch the other triangle, so a Cholesky factor goes back to the triangle from
 * which the matrix came.
 *
 * @param A       not changed, except for its report
 * @param target  describes the sub-matrix
 * @param local   this rank's part of the array; the sub-matrix in it is overwritten
 */
ompfact_status ompfact_to_scalapack(ompfact_matrix *A, const ompfact_scalapack *target, void *local);

/* ---- norms and residuals ------------------------------------------------------------------------------------------------ */

/** The 1-norm of A: the largest column sum of moduli. Collective. NaN if A has a NaN. */
ompfact_status ompfact_norm1(ompfact_matrix *A, double *norm);

/**
 * Refines a solution of compressed factors, or of factors with tiles in two precisions, to the accuracy of dense factors in
 * one precision. Collective. It corrects X with the matrix itself until in each column ||b - A x||_2 <= 256 u ||A||_F ||x||_2,
 * where u is the unit roundoff, and at least once. When corrections by the factors no longer halve the error, it corrects by
 * GMRES with the factors as preconditioner, as OMPFACT_REFINE_GMRES does.
 *
 * @param A           with an accuracy or a tile_precision, and the factors from ompfact_potrf() or ompfact_getrf() with info
 *                    0; not changed
 * @param B           right-hand sides, created for A; not changed
 * @param X           the solution from ompfact_potrs() or ompfact_getrs(), or another approximation; improved
 * @param fill        writes the tiles of the matrix again, as for ompfact_fill_tiles(), once for each solve with the factors,
 *                    because nothing stores them
 * @param context     the first argument of fill
 * @param iterations  set to the number of solves with the factors, for the tile column of X that took the most, or to -31 if
 *                    100 were not enough
 *
 * Each rank needs memory for n times as many numbers as a tile column of X has columns, twice in double, and once for each
 * thread; and GMRES for 22 times its own tiles of a tile column of X. Returns OMPFACT_BAD_ARGUMENT if A has neither property or
 * no factors, or if B and X were not created for it with the same number of columns.
 */
ompfact_status ompfact_refine(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix *X,
                              void (*fill)(void *context, const ompfact_tile *tile), void *context, int *iterations);

/**
 * Estimates the reciprocal of the condition number, 1 / (||A|| ||A^-1||), in the 1-norm: LAPACK's dpocon and dgecon (Higham,
 * ACM TOMS 14, 1988). Collective. The estimate is not below the true value, except for rounding, and hardly ever above three
 * times it. It takes about five solves with one right-hand side, at most eleven.
 *
 * After a QR factorization the estimate is for R (dtrcon), whose condition number in the 2-norm is that of A. After
 * ompfact_gels() it shows whether A had full rank: if it is below n u, where u is the unit roundoff, A does not have full rank
 * to working precision, and no digit of the solution need be right. This needs memory for R as a square matrix during the
 * call.
 *
 * @param A      n x n, with the factors from ompfact_potrf() or ompfact_getrf() with info 0; or m x n, m >= n, the result of
 *               ompfact_geqrf(); or the result of ompfact_gels() of any shape, with any info; not changed
 * @param norm   the norm of A before it was factored, from ompfact_norm1(); ignored for QR, since R has its own
 * @param rcond  0 to 1; 0 if A is singular to working precision or all zero, or if norm is 0; 1 if n is 0; NaN if norm is NaN
 */
ompfact_status ompfact_rcond(ompfact_matrix *A, double norm, double *rcond);

/**
 * The scaled residual ||A - F|| / (n ||A|| eps) of a factorization, where F is the product of the factors: LAPACK's test ratio
 * (dpot01, dget01; 1-norm, eps the unit roundoff, n columns). Collective. A correct factorization is below 30. The call takes
 * as much arithmetic as the factorization.
 *
 * @param A        the matrix before it was factored, created by ompfact_matrix_create_like(); overwritten by A - F
 * @param factors  the result of ompfact_potrf() or ompfact_getrf(); not changed
 * @param ratio    set to the scaled residual
 */
ompfact_status ompfact_residual_factors(ompfact_matrix *A, ompfact_matrix *factors, double *ratio);

/**
 * The scaled residual of an inverse: the maximum over columns of ||A X v - v|| / (||A|| ||X|| ||v|| n eps) for a few random v.
 * Collective. A good inverse is below 30, as with LAPACK's test ratio (dget03, dpot03; 1-norm), which uses all of A X. The
 * call costs as much as a few solves.
 *
 * @param A           n x n, the matrix before it was factored; not changed
 * @param X           its inverse, with A's shape and layout; not changed
 * @param triangular  true, for Hermitian matrices: the triangles with their diagonals are the matrices; then the residual is
 *                    ||X^-1 A^-1 v - v||, for upper triangles ||X^-H A^-H v - v||
 * @param ratio       set to the scaled residual
 */
ompfact_status ompfact_residual_inverse(ompfact_matrix *A, ompfact_matrix *X, bool triangular, double *ratio);

/**
 * The scaled residual of a triangular solve: the maximum over columns of ||b - T x|| / (||T|| ||x|| n eps), LAPACK's test
 * ratio (dtrt02; 1-norm). Collective. Returns OMPFACT_BAD_ARGUMENT if the tiles do not match as described.
 *
 * @param T      Hermitian; its stored triangle with the diagonal is the matrix; not changed
 * @param X      the solution, in tile rows like T's; not changed
 * @param B      the right-hand sides, in tile rows like T's and with X's tile columns, in any layout; overwritten by B - T X
 * @param ratio  set to the scaled residual
 */
ompfact_status ompfact_residual_triangle(ompfact_matrix *T, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/**
 * The larger of ||A - Q R|| / (m ||A|| eps) and ||I - Q^H Q|| / (m eps): LAPACK's test ratios of a QR factorization (dqrt01;
 * 1-norm; for m < n, max(m,n) replaces m). Collective. A correct factorization is below 30. The call takes about three times
 * the work of the factorization and the memory of two matrices.
 *
 * @param A        the matrix before it was factored, created by ompfact_matrix_create_like(); overwritten
 * @param factors  the result of ompfact_geqrf(); not changed
 * @param ratio    set to the scaled residual
 */
ompfact_status ompfact_residual_qr(ompfact_matrix *A, ompfact_matrix *factors, double *ratio);

/**
 * LAPACK's test ratios of a least squares solution with r = b - A x (1-norms, the largest over all columns). Collective.
 *
 *     m >= n   ||A^H r|| / (||A|| (||b|| + ||A|| ||x||) max(m,n) eps): the residual is orthogonal to the columns of A (dqrt17,
 *              without the term in x, fails solutions of ill-conditioned problems that are as good as possible)
 *     m < n    the larger of ||r|| / (||A|| ||x|| max(m,n) eps), x is a solution (dqrt16),
 *              and ||x - A^H w|| / (||A|| ||w|| max(m,n) eps), x has least norm, where A^H w is the part of x in the rows of A
 *              (dqrt14 measures the rest of x relative to x, and fails good solutions of ill-conditioned problems)
 *
 * @param A      the matrix before it was factored; not changed
 * @param X      the solution from ompfact_gels(); not changed
 * @param B      the right-hand sides before the call of ompfact_gels(); overwritten by B - A X
 * @param ratio  set to the test ratio
 */
ompfact_status ompfact_residual_gels(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/**
 * The growth of elements in an LU factorization, max |U| / max |A|. Collective. Large growth means lost digits.
 *
 * @param A        the matrix before it was factored; not changed
 * @param factors  the result of ompfact_getrf(); not changed
 * @param growth   set to the growth
 */
ompfact_status ompfact_growth(ompfact_matrix *A, ompfact_matrix *factors, double *growth);

/**
 * The scaled residual of a solve: the maximum over columns of ||b - A x|| / (||A|| ||x|| n eps), LAPACK's test ratio (dget02,
 * dpot02; 1-norm). Collective.
 *
 * @param A      the matrix before it was factored; not changed
 * @param X      the solution; not changed
 * @param B      the right-hand sides; overwritten by B - A X. ompfact_matrix_create_rhs() created X and B
 * @param ratio  set to the scaled residual
 */
ompfact_status ompfact_residual_solve(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/* ---- checkpoints --------------------------------------------------------------------------------------------------------- */

/** Where, how often and with what callbacks the library writes checkpoints. */
typedef struct {
    const char *folder;     /**< a folder that all ranks can access; created if missing. Other files in it stay, except one
                                 named manifest.json, which the first checkpoint replaces even if another job could have
                                 restarted from it. (The command refuses that.) Two jobs at a time need two folders */
    double interval_s;      /**< seconds from the start of one checkpoint to the start of the next, more than 0 */
    const char *about;      /**< a text that is stored in the checkpoint for the program that restarts from it; NULL: none */
    /** Called on the first rank by a thread of the library: when the first checkpoint of a factorization is complete (step:
        the number of steps that it contains, failure: NULL), and once if a checkpoint could not be written (step: -1,
        failure: the reason from the system). The factorization continues in both cases. May be NULL. */
    void (*tell)(void *context, int step, const char *failure);
    void *tell_context;     /**< the first argument of `tell` and `tell_time` */
    /** Called on the first rank, once, if the interval cannot be kept: a checkpoint took so many seconds, which is more than
        the interval. May be NULL. */
    void (*tell_time)(void *context, double seconds);
    int64_t reserved[8];    /**< zero; for members of later versions */
} ompfact_checkpoints;

/**
 * Turns on checkpoints: from now on factorizations on this grid are saved while they run. Collective.
 *
 * At the given interval, tasks that run beside the others save the state between two steps; at the end they save the factors.
 * Final tiles are written once. The file manifest.json names the complete files and is replaced when all of them are on disk,
 * so a job that dies loses at most the work since the last checkpoint.
 *
 * @param grid  the grid
 * @param how   the same on every rank, except `tell`; NULL: turns checkpoints off
 *
 * Returns OMPFACT_BAD_ARGUMENT for a folder that cannot be created or written, or to which another job or grid writes. While
 * checkpoints are on, the first rank holds a lock on the file ompfact.lock in the folder, if the file system supports locks.
 */
ompfact_status ompfact_checkpoint(ompfact_grid *grid, const ompfact_checkpoints *how);

/**
 * Ends the running factorization on this grid (or the next one), if checkpoints are on. Local; any number of ranks may call
 * it, from any thread, also from a signal handler. The factorization is saved before the next step that all ranks have not
 * passed, and returns OMPFACT_STOPPED on every rank. A factorization in its last step ends as usual. When it returns, the
 * checkpoint is complete, unless it could not be written (see `tell`), and ompfact_restart() continues from it. The contents
 * of the matrix are undefined.
 */
void ompfact_stop(ompfact_grid *grid);

/**
 * Restarts from a checkpoint: the next factorization of such a matrix on this grid (same routine, pivoting, type, size and
 * triangle) takes its contents from the checkpoint and continues, on any number of ranks, with any layout. Collective.
 *
 * The former contents of the matrix are ignored. As far as the factorization was done, the tiles of the matrix must be those
 * of the checkpoint: see ompfact_restart_read(). This call reads and verifies all files in the manifest, and the factorization
 * reads them again. Until that factorization, other factorizations on this grid are not saved, because their checkpoint could
 * replace the one that is needed.
 *
 * @param grid    the grid
 * @param folder  NULL: the next factorization starts at its first step, as usual
 *
 * Returns OMPFACT_BAD_ARGUMENT, with the name of the file, if a file is damaged, missing or belongs to another checkpoint.
 */
ompfact_status ompfact_restart(ompfact_grid *grid, const char *folder);

/**
 * Appends rows to a factor in a checkpoint from ompfact_potrf() or ompfact_save(). Collective.
 *
 * The next ompfact_potrf() on this grid of a Hermitian matrix with the same type and triangle, with as many rows or more and
 * without an accuracy, takes the factor of the first rows from the checkpoint and appends the other rows, as
 * ompfact_potrf_append() does. The tiles of the first rows must be those of the checkpoint, and a tile must begin behind them.
 * The former contents of these tiles are ignored. If checkpoints are on (ompfact_checkpoint()), this factorization is saved
 * like any other, and ompfact_restart() continues it.
 *
 * @param grid    the grid
 * @param folder  NULL: the next factorization starts at its first step, as usual
 *
 * Returns OMPFACT_BAD_ARGUMENT as ompfact_restart() does, and if the checkpoint is no complete dense factor of potrf.
 */
ompfact_status ompfact_restart_append(ompfact_grid *grid, const char *folder);

/** The matrix and the progress in a checkpoint. */
typedef struct {
    int64_t m, n;           /**< rows and columns of the factored matrix; for gels with m < n that is A^H */
    char type;              /**< type of the elements */
    int step;               /**< number of completed steps */
    int mt, nt;             /**< number of tile rows and tile columns */
    int *row_heights, *col_widths;      /**< sizes of tile rows and tile columns, for ompfact_shape */
    char *about;            /**< the text ompfact_checkpoints::about */
    int64_t reserved[8];    /**< zero; for members of later versions */
} ompfact_restarted;

/**
 * Reads the manifest of a checkpoint and returns the tiles that a matrix needs to continue from it. Local.
 *
 * @param folder     the folder
 * @param nb         size of the tile rows and columns that are not done yet; 0: as in the checkpoint
 * @param restarted  set; its memory is freed by ompfact_restarted_forget()
 * @param message    NULL, or a buffer of OMPFACT_MESSAGE characters for one line on failure
 */
ompfact_status ompfact_restart_read(const char *folder, int nb, ompfact_restarted *restarted, char *message);
/** Frees the memory that ompfact_restart_read() allocated. Local. */
void ompfact_restarted_forget(ompfact_restarted *restarted);

/**
 * Saves a factor as a checkpoint. Collective. ompfact_load() loads it, or ompfact_restart() and the same factorization, on any
 * number of ranks. Each rank writes a file with its tiles. The file manifest.json, which names these files, comes last, so at
 * any moment the folder has a complete factor, the old one or the new one.
 *
 * @param A       dense, with the factor from ompfact_potrf(), ompfact_hetrf() or ompfact_sytrf() with info 0, or from
 *                ompfact_potrf_update() and similar functions; not changed
 * @param folder  as ompfact_checkpoints::folder, also with respect to other files in it; the same on every rank
 *
 * Returns OMPFACT_BAD_ARGUMENT, with the reason from the system, if the folder cannot be created or written or the disk is
 * full; then the former factor in the folder remains. It returns the same if another job writes to the folder, or if the grid
 * waits to continue from a checkpoint (ompfact_restart()). The call does not change checkpoints of factorizations
 * (ompfact_checkpoint()).
 */
ompfact_status ompfact_save(ompfact_matrix *A, const char *folder);

/**
 * Loads a factor from ompfact_save(), or from the last checkpoint of a factorization, as a new matrix, ready for solves.
 * Collective. The call reads and verifies all files in the manifest before it creates the matrix.
 *
 * @param grid    the grid
 * @param folder  the same on every rank; all ranks can access it
 * @param A       set to the new matrix, with the saved tile sizes, type and triangle, in a layout that suits the present
 *                number of ranks; the caller destroys it. NULL on failure
 *
 * Returns OMPFACT_BAD_ARGUMENT, with a message that names the folder and the file, if files are damaged or missing, or hold no
 * complete dense factor of potrf, hetrf or sytrf. The grid's option `butterfly` is ignored, because factors keep their own
 * value. ompfact_last_report(A) has tiles_restored.
 */
ompfact_status ompfact_load(ompfact_grid *grid, const char *folder, ompfact_matrix **A);

/* ---- reports ------------------------------------------------------------------------------------------------------------- */

/** The report of a call: of the last factorization of a matrix, the last solve with right-hand sides, the last redistribution
    into a matrix, or the last copy from or to ScaLAPACK's arrays. It is the same on every rank. A transfer is one tile
    delivered to one rank that does not own it. The report of a redistribution, which moves parts of tiles, has only seconds
    and transfer_bytes: the bytes of elements that went to another rank. */
typedef struct {
    double seconds;                 /**< time of the slowest rank */
    double flops;                   /**< real operations of all ranks, by the formulas of LAPACK Working Note 41 to leading
                                         order */
    double flops_max_over_mean;     /**< flops of the most loaded rank over the mean */
    int64_t transfers, transfer_bytes;      /**< number and bytes of transfers, counted during the run */
    int64_t transfers_predicted;    /**< number of transfers, counted from the algorithm */
    int cache_tiles, cache_peak_tiles;      /**< slots for remote tiles, and the most slots in use, on the rank with the most */
    int tasks_peak;                 /**< largest number of tasks in flight on a rank */
    int64_t rows_exchanged;         /**< parts of rows, one tile wide, that pivoting moved between ranks; their bytes and
                                         those of candidates and pivots are included in transfer_bytes */
    double flops_per_device[OMPFACT_DEVICES];   /**< flops of all kernels on device d of each rank */
    double host_update_flops;       /**< flops of updates on the host, with devices */
    int64_t bytes_to_devices, bytes_from_devices;   /**< bytes of tiles that moved to devices, and from devices */
    int64_t device_tiles, device_tiles_left;    /**< tiles with columns on devices, and tiles that stayed on the host because
                                                     device memory was too small */
    int max_uploads_per_tile;       /**< largest number of uploads of one tile to one device for reading */
    int64_t candidate_tiles;        /**< candidate rows for pivots that travelled between ranks, in tiles */
    int64_t wire_transfers, wire_bytes;     /**< number and bytes of transfers between nodes. In a factorization a tile
                                                 crosses to a node once, for any number of readers there, unless
                                                 ompfact_options::copy_on_node is set. The bytes include candidates and rows
                                                 of pivoting */
    int64_t wire_transfers_predicted;       /**< number of transfers between nodes, counted from the algorithm */
    int64_t device_waits, device_allocations;       /**< number of times that a thread waited for a device, and of allocations
                                                         of device memory and similar resources, during the timed part, on all
                                                         ranks */
    int64_t bytes_between_devices;  /**< bytes between devices of one rank that did not pass through the host */
    int64_t bytes_unpinned;         /**< bytes of host memory of tiles that NVIDIA's or AMD's runtime did not pin, on all
                                         ranks: transfers from this memory are slow, and threads wait for them */
    int checkpoints;                /**< checkpoints that this factorization completed; -1: checkpoints were off */
    int restarted_from_step;        /**< first step after a restart; -1: no restart */
    int64_t tiles_restored;         /**< final tiles that came from a checkpoint; -1: no restart */
    int64_t faults_found, faults_corrected;         /**< columns of tiles, or checksums, with flipped bits, found and
                                                         corrected, on all ranks; 0 without ompfact_options::abft */
    double flops_dense;     /**< flops if all tiles were dense; differs from `flops` only for compressed matrices */
    double register_s;      /**< seconds that creating the window of the matrix took, through which other nodes read its
                                 tiles, on the slowest rank; 0 on one node or without a window */
    int64_t transfers_sums; /**< the part of `transfers` that carried tiles to be added up, for a matrix in copies
                                 (ompfact_shape::copies) */
    int64_t transfers_home; /**< tiles of the factors that have travelled to the first layer since; not included in
                                 `transfers` */
    double device_narrow_flops;     /**< the part of flops_per_device, on all ranks, that products in a precision below the
                                         matrix's have done (ompfact_shape::tile_precision) */
    int64_t reserved[13];   /**< zero; for members of later versions */
} ompfact_report;

/** The report of the last call that factored, solved or moved A. Local. A matrix without such a call has a report of zeros. */
ompfact_report ompfact_last_report(const ompfact_matrix *A);

/** A callback that takes the events of one rank after another, beginning with rank 0: elements of a list in Chrome's trace
    event format, with commas between them. It may change the text, which is freed afterwards. It returns false to end the
    calls. */
typedef bool ompfact_trace_taker(void *context, char *events, size_t length);

/** Passes the trace that ompfact_trace_write() writes to take() on rank 0. Collective. Fails as ompfact_trace_write() does if
    there is no trace. */
ompfact_status ompfact_trace_take(ompfact_grid *grid, ompfact_trace_taker *take, void *context);

/**
 * Writes the trace of the last factorization on this grid to a file, in Chrome's trace event format, which Perfetto reads.
 * Collective; rank 0 writes. The trace has the tasks, transfers, publications and waits of every thread of every rank. Times
 * are microseconds from the start of the first rank; messages between the ranks synchronise the clocks of other nodes. A file
 * of this name is replaced when the new file is complete.
 *
 * Returns OMPFACT_BAD_ARGUMENT if the grid keeps no trace (ompfact_options::trace), nothing was factored, or the file cannot
 * be written.
 *
 * @param grid  the grid
 * @param path  the file
 */
ompfact_status ompfact_trace_write(ompfact_grid *grid, const char *path);

#ifdef __cplusplus
}
#endif
#endif
