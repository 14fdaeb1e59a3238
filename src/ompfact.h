/**
 * @file ompfact.h
 * Dense LU, Cholesky and QR factorizations, solves and least squares on any number of MPI ranks.
 *
 * Two opaque types. A *grid* is a communicator with threads; a *matrix* lives on a grid, cut into tiles that a layout spreads
 * over its ranks. A program creates a grid, creates matrices, fills them (each rank its own tiles), factors, solves, and reads
 * its own tiles back. Nothing goes through files, and nothing gathers a matrix on one rank.
 *
 * Words
 *   collective   every rank of the grid calls it, in the same order and with the same arguments (callbacks and tiles excepted)
 *   local        one rank calls it; it neither sends nor waits
 *
 * Errors. A function that can fail returns an ompfact_status, 0 for success. A collective function returns the same status on
 * every rank. A positive status leaves all objects as they were; a negative one leaves the contents of the matrices named in the
 * call undefined, and they may only be destroyed. ompfact_message() gives one line about the last failure. A numerical failure is
 * not an error: it is LAPACK's info, apart.
 *
 * Threads. MPI may have been initialised at any thread level: below MPI_THREAD_SERIALIZED only the calling thread, which computes
 * as the grid's others do, enters MPI, so that tiles from other nodes wait for the end of its task. The functions themselves are
 * to be called by one thread at a time for each grid; during a collective call the grid's threads work. The library keeps no
 * global state, but for the libraries of devices, which it loads once. It never exits, and never communicates over
 * MPI_COMM_WORLD; it may set the environment variable BLIS_ARCH_TYPE once (see ompfact_blas_kernels()), and keep a file of the
 * machine's rates in the user's cache folder (see ompfact_shape's nb).
 *
 * Sizes and indices of elements are int64_t, of tiles int; all count from 0, info from 1.
 *
 * Versions. A program runs with any later shared library of one soname (libompfact-mpich.so.0). Structures that programs make, or
 * have room for, keep their size and the places of their members: new ones take of `reserved`, where zero means what there was
 * before. So a program sets such a structure to zero, by `= { 0 }` or by naming the members that it wants; one whose `reserved`
 * is not zero is refused with OMPFACT_BAD_ARGUMENT, for it was never set, or is of a later version than the library.
 * Structures of which a program only gets the address grow at their end. New words of enumerations come behind the old ones.
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

/** Characters in a message, its end included. */
#define OMPFACT_MESSAGE 256

/* ---- version and build -------------------------------------------------------------------------------------------------- */

#define OMPFACT_VERSION_MAJOR 1     /**< of this header, for the preprocessor */
#define OMPFACT_VERSION_MINOR 0     /**< of this header */
#define OMPFACT_VERSION_PATCH 0     /**< of this header */
/** The version of this header, "major.minor.patch". */
#define OMPFACT_VERSION "1.0.0"

/** The version of the library that the program runs with, which may be a newer one than the header's. Local; as the next three it
    may be called before MPI_Init. */
const char *ompfact_version(void);

/** The commit of the library's source, 12 hexadecimal digits, and "-dirty" where files were changed after it; "" where it was
    made of a copy that does not tell. Local. */
const char *ompfact_commit(void);

/** One of the things that a library was built with, for people. */
typedef struct {
    const char *name;       /**< "compiler" */
    const char *value;      /**< "clang-19, clang version 19.1.7" */
} ompfact_build_fact;

/** Version, commit, compiler, and the libraries that this one was built with; behind them one without a name. Local. */
const ompfact_build_fact *ompfact_build(void);

/** The MPI library that the program runs with, one line. Local. */
void ompfact_mpi_version(char text[OMPFACT_MESSAGE]);

/** What a call came to. */
typedef enum {
    OMPFACT_SUCCESS = 0,
    OMPFACT_BAD_ARGUMENT = 1,       /**< a size, option or combination that is not allowed */
    OMPFACT_BAD_LAYOUT = 2,         /**< a layout that is not known, or that does not fit the ranks */
    OMPFACT_NO_MEMORY = 3,          /**< there is not enough memory */
    OMPFACT_NOT_OWNER = 4,          /**< the tile belongs to another rank */
    OMPFACT_BAD_MPI = 5,            /**< this MPI library cannot do what is needed, or the launcher is another MPI library's */
    OMPFACT_MPI_FAILED = -1,        /**< an MPI call failed on the way */
    OMPFACT_OUT_OF_MEMORY = -2,     /**< memory ran out on the way */
    OMPFACT_DEVICE_FAILED = -3,     /**< a device failed on the way */
    OMPFACT_INTERNAL_FAULT = -4,    /**< the library's own checks (environment variable OMPFACT_CHECKS) found
                                         that tasks broke their order */
    OMPFACT_FAULT_FOUND = -5,       /**< a bit has flipped in a tile while it was factored, and could not be put right
                                         (ompfact_options::abft) */
    OMPFACT_CHECKPOINT_LOST = -6,   /**< what a checkpoint's files have could not be used, though ompfact_restart() had found them
                                         whole: they are damaged or gone since then, or were made up */
    OMPFACT_STOPPED = -7            /**< the factorization was told to end before it was done (ompfact_stop()) */
} ompfact_status;

typedef struct ompfact_grid ompfact_grid;           /**< ranks, their threads and devices */
typedef struct ompfact_matrix ompfact_matrix;       /**< a matrix in tiles, on a grid */

/* ---- grid --------------------------------------------------------------------------------------------------------------- */

/** The order of a factorization's tasks; Gustavson, Karlsson, Kagstrom, "Distributed SBP Cholesky Factorization Algorithms". */
typedef enum {
    OMPFACT_DYNAMIC = 0,    /**< a task starts when its tiles are there, the most urgent first */
    OMPFACT_STATIC = 1,     /**< one order, the next panel before the rest of an update */
    OMPFACT_BASIC = 2       /**< panel, its transfers, update, one after the other: nothing overlaps */
} ompfact_schedule;

/** How a tile gets to many ranks on other nodes. */
typedef enum {
    OMPFACT_BCAST_AUTO = 0,         /**< chain; flat for LU without pivoting */
    OMPFACT_BCAST_FLAT = 1,         /**< each rank reads it from its owner */
    OMPFACT_BCAST_CHAIN = 2,        /**< each rank from the one before */
    OMPFACT_BCAST_BINOMIAL = 3
} ompfact_bcast;

/** How tiles get from one node to another. */
typedef enum {
    OMPFACT_ONE_SIDED = 0,          /**< who needs a tile reads it out of its owner's memory, through an MPI window; by messages
                                         where the MPI library makes no window that spans nodes */
    OMPFACT_MESSAGES = 1            /**< who needs a tile asks for it, and its owner sends it */
} ompfact_between;

/** Pivoting of LU. All but the last are stable in practice for any matrix. */
typedef enum {
    OMPFACT_PIVOT_AUTO = 0,         /**< partial on one rank, tournament on more */
    OMPFACT_PIVOT_PARTIAL = 1,      /**< the pivots that LAPACK's getrf picks; each panel visits the rank of its diagonal tile */
    OMPFACT_PIVOT_TOURNAMENT = 2,   /**< each rank proposes rows of a panel, and the best of these are taken: few and small
                                         messages. Grigori, Demmel, Xiang, "CALU: A Communication Optimal LU Factorization
                                         Algorithm", 2011 */
    OMPFACT_PIVOT_NONE = 3          /**< for diagonally dominant matrices and others that need none */
} ompfact_pivot;

/** How the ranks that share a tile column put their triangles together in QR (Bouwmeester, Jacquelin, Langou, Robert, "Tiled QR
    factorization algorithms", SC 2011). Inside a rank there is one block of reflectors a column, whatever the tree. */
typedef enum {
    OMPFACT_TREE_AUTO = 0,          /**< greedy */
    OMPFACT_TREE_FLAT = 1,          /**< the first rank takes in the others, one after the other */
    OMPFACT_TREE_BINARY = 2,        /**< neighbours, then neighbours of these */
    OMPFACT_TREE_GREEDY = 3         /**< whichever two are ready first: a rank with fewer tiles sooner */
} ompfact_tree;

/** How ompfact_posv_refined() and ompfact_gesv_refined() correct a solution. */
typedef enum {
    OMPFACT_REFINE_CLASSIC = 0,     /**< by the factors alone, as LAPACK: for condition numbers below about 10^7 */
    OMPFACT_REFINE_GMRES = 1        /**< by GMRES, which the factors precondition: for many of 10^9 and more. E. Carson,
                                         N. Higham, "Accelerating the Solution of Linear Systems by Iterative Refinement in
                                         Three Precisions", 2018 */
} ompfact_refinement;

/** Random butterflies that ompfact_sytrf() and ompfact_hetrf() mix rows and columns with before they factor, so that pivots in
    diagonal tiles alone do: A' = W^T A W, with W of so many levels. M. Baboulin, D. Becker, J. Dongarra, "A parallel tiled solver
    for dense symmetric indefinite systems on multicore architectures", 2012. */
typedef enum {
    OMPFACT_BUTTERFLY_AUTO = 0,     /**< two levels */
    OMPFACT_BUTTERFLY_NONE = 1,
    OMPFACT_BUTTERFLY_ONE = 2,      /**< row a of the upper half with row a of the lower one */
    OMPFACT_BUTTERFLY_TWO = 3       /**< and in both halves rows as far from above as from below */
} ompfact_butterfly;

/** How cuBLAS may compute products on NVIDIA's devices in other arithmetic than their type's. What rounds further than single
    precision is meant for ompfact_posv_refined() and ompfact_gesv_refined(), which make up for it or factor again in double; all
    other products in single precision are as inaccurate. */
typedef enum {
    OMPFACT_EMULATE_NONE = 0,
    OMPFACT_EMULATE_FP64 = 1,       /**< double precision in pieces of fewer bits on tensor cores, to double's accuracy, where
                                         cuBLAS finds that faster; CUDA 13.0 update 2 or newer */
    OMPFACT_EMULATE_BF16X9 = 2,     /**< single precision by nine products of three pieces of each factor, to single's accuracy;
                                         CUDA 12.9 or newer */
    OMPFACT_EMULATE_TF32 = 3,       /**< single precision, factors rounded to 11 significant bits of 24, sums in single */
    OMPFACT_EMULATE_BF16 = 4        /**< single precision, factors rounded to 8 bits, sums in single. Both have single's range of
                                         exponents: nothing overflows that would not in single */
} ompfact_emulation;

/** The most devices of a rank. */
enum { OMPFACT_DEVICES = 16 };

/** Resources and habits of a grid. All zero (or a NULL pointer in its place) means the defaults. */
typedef struct {
    int threads;            /**< OpenMP threads of a rank; 0: cores that the rank may use,
                                 shared with the other ranks on its node */
    int devices;            /**< devices of a rank, at most OMPFACT_DEVICES; -1: its share of the node's; 0: none */
    const char *device_backend;     /**< whose kernels run on them: "cuda", "hip", "host" (LLVM's emulated devices), "portable";
                                         NULL: as fits */
    double host_share;      /**< of the columns of each tile, those that live on the host where there are devices, 0 to 1;
                                 negative: balanced by the speeds of both, as `ompfact --tune` has measured them on the first
                                 rank's machine, or else as they are measured when the grid is made */
    int64_t device_memory;  /**< bytes of a device that tiles may take, and panels of LU with pivoting and of QR; 0: all that
                                 it has. Tiles that do not fit live on the host */
    ompfact_emulation emulate;      /**< of "cuda" alone; the same on every rank */
    int max_tasks;          /**< bound on tasks in flight on a rank; 0: 4096, about 8 MB */
    int cache_tiles;        /**< remote tiles that a rank holds at once; 0: chosen; raised to what one step needs */
    int watchdog_s;         /**< seconds of silence after which a rank says on stderr which tiles it waits for, or
                                 which rank does not answer;
                                 0: 60, below: never */
    ompfact_schedule schedule;      /**< the same on every rank, as are the next three */
    ompfact_bcast bcast;            /**< of tiles that several other nodes read */
    ompfact_between between_nodes;  /**< of tiles that other nodes read */
    ompfact_pivot pivot;    /**< of ompfact_getrf() */
    ompfact_tree tree;      /**< of ompfact_geqrf(); the same on every rank, as is the next */
    int ib;                 /**< columns of QR's panels that are factored one by one, before they become a block; 0: 16 */
    bool copy_on_node;      /**< ranks of one node copy each other's tiles; default: they read them where they are, if they can
                                 map each other's memory. The same on every rank, as is `trace` */
    bool pin_threads;       /**< binds each thread to a core, if the rank has as many as threads and nobody else has bound them.
                                 The calling thread stays bound */
    bool trace;             /**< keeps what every thread did in the last factorization: ompfact_trace_write() */
    bool typical_rates;     /**< measures nothing for the tile sizes that matrices leave open (ompfact_shape's nb), but goes by
                                 typical rates of kernels where no file has this machine's. The first rank's word counts */
    /** Called now and then by one thread of each rank while it factors:
        the share of this rank's arithmetic that is done, 0 to 1. */
    void (*progress)(void *context, double done);
    void *progress_context;         /**< handed to `progress` */
    ompfact_refinement refinement;  /**< of ompfact_posv_refined() and ompfact_gesv_refined(); the same on every rank, as are the
                                         next two */
    bool abft;              /**< ompfact_potrf(), ompfact_getrf() and ompfact_geqrf() look for bits that have flipped in tiles
                                 which they still work on, by sums that go with each tile, and put them right:
                                 ompfact_report::faults_found. Not for matrices with an accuracy; one whose rows, tile by tile,
                                 add up to what is not finite is factored as without */
    const struct ompfact_testing *testing;  /**< of the library's own tests: NULL */
    ompfact_butterfly butterfly;    /**< the same on every rank */
    int64_t reserved[15];   /**< zero: room for members of later versions */
} ompfact_options;

/**
 * A grid over all ranks of comm. Collective over comm, which is duplicated and stays the caller's.
 *
 * Tests at once that one-sided communication works here, and connects all pairs of ranks.
 *
 * Refuses with OMPFACT_BAD_MPI if MPI is not initialized, or finalized; and if the launcher says in the environment (PMI_SIZE,
 * OMPI_COMM_WORLD_SIZE, SLURM_STEP_NUM_TASKS) that it has started several processes and MPI_COMM_WORLD has but one: then it is
 * another MPI library's launcher, and the job would be many jobs of one rank. A program that means each of its processes to be
 * alone gives MPI_COMM_SELF.
 *
 * Refuses with OMPFACT_BAD_ARGUMENT if the calling thread's stack has less than 160 KiB left, or OpenMP's threads have smaller
 * ones (ulimit -s, OMP_STACKSIZE); if GNU's OpenMP runtime was linked before LLVM's; or if LLVM's is told not to do tasks
 * (KMP_TASKING=0 or 1). Removes variables OMP_... and KMP_... that are set to nothing from the environment, and an
 * OMP_NUM_THREADS that is no list of numbers from 1 to 1000000, for which the runtime ends the program.
 *
 * @param options  NULL for defaults; need not be the same on every rank, but for what is said there
 * @param grid     set to the new grid, or NULL on failure; destroyed by ompfact_grid_destroy()
 * @param message  NULL, or room for OMPFACT_MESSAGE characters: one line on failure
 */
ompfact_status ompfact_grid_create(MPI_Comm comm, const ompfact_options *options, ompfact_grid **grid, char *message);

/** Collective. All matrices on the grid must have been destroyed.
    Takes the address and sets the pointer to NULL; NULL is fine. */
void ompfact_grid_destroy(ompfact_grid **grid);

int ompfact_rank(const ompfact_grid *grid);             /**< This rank's number, from 0. Local. */
int ompfact_ranks(const ompfact_grid *grid);            /**< How many ranks there are. Local. */
int ompfact_threads(const ompfact_grid *grid);          /**< Threads of this rank. Local. */
int ompfact_ranks_on_node(const ompfact_grid *grid);    /**< Ranks on this rank's node, itself included. Local. */
int ompfact_devices(const ompfact_grid *grid);          /**< Devices of this rank. Local. */
int ompfact_nodes(const ompfact_grid *grid);            /**< How many nodes the ranks are on. Local. */
const int *ompfact_node_of(const ompfact_grid *grid);   /**< The node of each rank, from 0; the grid's. Local. */
/** Whether ranks of one node read each other's tiles where they are, as it turned out. The same on every rank. Local. */
bool ompfact_reads_in_place(const ompfact_grid *grid);
/** Cores of this node, whoever may use them; 0: not known. Local. */
int ompfact_node_cores(void);
/** What brings tiles from one node to another: "one-sided" reads or "messages", as it turned out; "" on one node. The same on
    every rank. Local. */
const char *ompfact_between_nodes(const ompfact_grid *grid);
/** Whether one-sided reads from other nodes go on while the rank that they read from computes: 1 if ompfact_grid_create() saw it
    on all ranks; 0 if not, then they wait until a thread of that rank polls, between its tasks, as messages do; -1 on one node.
    The same on every rank. Local. */
int ompfact_reads_proceed(const ompfact_grid *grid);
/** Whose kernels run on devices: "cuda", "hip", "host", "portable"; "" without devices. Local. */
const char *ompfact_device_backend(const ompfact_grid *grid);
/** The host's share of the columns of this rank's tiles, as resolved; 1 without devices. Local. */
double ompfact_host_share(const ompfact_grid *grid);

/**
 * The BLIS kernels in use, for example "skx", or "" with another BLAS. Local. ompfact_grid_create() chooses them before BLIS's
 * first call in the process, as does a call without a grid that has to choose a tile size, unless the environment has
 * BLIS_ARCH_TYPE: BLIS 0.9 takes slow ones on processors that it does not know. A program that has called BLIS before keeps the
 * choice made then.
 *
 * @param grid  NULL: of this process, which has none yet
 */
const char *ompfact_blas_kernels(const ompfact_grid *grid);

/** From now on ranks tell the first one how far they are with what they compute. Collective. OMPFACT_NO_MEMORY. */
ompfact_status ompfact_share_progress(ompfact_grid *grid);
/** The share of its arithmetic that a rank (0 <= rank < ompfact_ranks()) has done, 0 to 1: this rank, and on the first one the
    others, as far as they have told; elsewhere it is not known and 0. Local; also for ompfact_options::progress, while others
    compute. */
double ompfact_progress_of(const ompfact_grid *grid, int rank);

/** Waits for all ranks without burning a core. Collective. */
ompfact_status ompfact_barrier(ompfact_grid *grid);

/** One line about the last failure on this grid: valid until the next call on it. Local. */
const char *ompfact_message(const ompfact_grid *grid);

/* ---- layouts ------------------------------------------------------------------------------------------------------------ */

/**
 * A pattern of ranks, repeated cyclically over the tiles of a matrix: tile (i,j), of an upper Hermitian matrix tile (j,i),
 * belongs to cell[(i % rows) * cols + j % cols]. A caller may fill one in; ompfact_pattern_create() makes those that have names.
 */
typedef struct {
    int ranks;              /**< P: cells name ranks 0 to P-1 */
    int rows, cols;         /**< of the pattern, in tiles */
    int *cell;              /**< rows x cols, row by row; -1 on the diagonal of a square pattern, for Hermitian matrices in packed
                                 storage: its tiles go to ranks of their row and column, so that the work is level */
    char name[128];         /**< as resolved, for example "2dbc:4x5" */
    double cost_lu;         /**< T of Beaumont et al., IPDPS 2023: mean distinct ranks of a row plus of a column;
                                 set, never read */
    double cost_cholesky;   /**< the same for Cholesky: mean distinct ranks of a row and the column of the same index together */
} ompfact_pattern;

/** Characters of a list of layouts, its end included. */
enum { OMPFACT_LAYOUT_NAMES = 512 };
/** The names that ompfact_shape::layout takes, and what may follow them, for people: "2dbc[:PxQ], g2dbc, ...". Local. */
void ompfact_layout_names(char text[OMPFACT_LAYOUT_NAMES]);

/**
 * The pattern of a layout for so many ranks: any name that ompfact_shape::layout takes, but "auto", "1d1d" and its kin, and those
 * for uneven tiles, which depend on the matrix. Local, no grid needed. "gcrm" takes seconds for hundreds of ranks.
 *
 * @param message  NULL, or room for OMPFACT_MESSAGE characters: one line on failure
 */
ompfact_status ompfact_pattern_create(const char *layout, int ranks, ompfact_pattern **pattern, char *message);

/** Frees a pattern made by ompfact_pattern_create() or ompfact_pattern_create_for() and sets the pointer to NULL;
    NULL is fine. Local. */
void ompfact_pattern_destroy(ompfact_pattern **pattern);

/* ---- matrix ------------------------------------------------------------------------------------------------------------- */

/** Which tiles a matrix has. */
typedef enum {
    OMPFACT_GENERAL = 0,            /**< m x n, all tiles stored */
    OMPFACT_HERMITIAN_LOWER = 1,    /**< n x n, Hermitian (symmetric if real); the lower triangle is stored and read */
    OMPFACT_HERMITIAN_UPPER = 2,    /**< n x n, Hermitian by its upper triangle: tiles (i,j) with i <= j, each where the layout of
                                         a lower matrix has (j,i), so that both have the same transfers and the same balance */
    /** n x n, A = A^T by its lower triangle. Real types: OMPFACT_HERMITIAN_LOWER, as which the matrix is made. Complex symmetric
        matrices are for ompfact_sytrf(), ompfact_sysv(), norms, residuals and moves: what is said of Hermitian matrices in
        shapes, layouts and moves holds for them too, what inverts or solves with a triangle refuses them, and none has an
        accuracy. */
    OMPFACT_SYMMETRIC_LOWER = 3,
    OMPFACT_SYMMETRIC_UPPER = 4     /**< and by its upper triangle */
} ompfact_structure;

/** What layout "auto", and a tile size that is left open, are to be good at. */
typedef enum {
    OMPFACT_FOR_LU = 0,             /**< ompfact_getrf(); of a Hermitian matrix ompfact_potrf() */
    OMPFACT_FOR_QR = 1,             /**< ompfact_geqrf() */
    OMPFACT_FOR_LEAST_SQUARES = 2,  /**< ompfact_gels(), which factors A, or where m < n A^H, its tiles where they are */
    OMPFACT_FOR_INVERSE = 3         /**< ompfact_getrf() and then ompfact_getri(), of a Hermitian matrix ompfact_potrf() and then
                                         ompfact_potri(); also for ompfact_trtri() */
} ompfact_purpose;

/** What a matrix is to be. Zero means the default. */
typedef struct {
    int64_t m, n;                   /**< rows and columns; for a Hermitian matrix m may be 0, meaning n */
    char type;                      /**< 's' float, 'd' double, 'c' float complex, 'z' double complex; default 'd' */
    ompfact_structure structure;    /**< which tiles are stored, and read */
    bool full_storage;              /**< Hermitian, symmetric: store the tiles beyond the diagonal too, unused;
                                         default square block packed */
    /** Rows and columns of a tile; the last ones are smaller where need be. Default: a size that suits the matrix, its purpose,
        the ranks and the machine, at least 32 where the matrix has as many rows or columns; ompfact_tile_height() and
        ompfact_tile_width() tell it. It is chosen by the first rank: from what `ompfact --tune` has measured on its machine, else
        from rates of kernels that are measured when a matrix first needs them, by the first rank's node with as many threads as
        its ranks have, and kept for other programs in $XDG_CACHE_HOME/ompfact, or ~/.cache/ompfact. Where nothing can be kept
        there the grid alone remembers it. The choice may differ between machines, and between numbers of ranks and threads: a
        matrix that is to have the same tiles as another is made by ompfact_matrix_create_like() or ompfact_matrix_create_rhs(),
        or gets that one's tile height as its nb. Calls that count without a grid choose as for ranks with all cores of such a
        machine each, and measure nothing. */
    int nb;
    /** Tile rows and columns of different sizes instead of nb: NULL, or mt row heights (sum m) and nt column widths (sum n). A
        Hermitian matrix takes the row heights for both. */
    const int *row_heights;
    const int *col_widths;          /**< of tile columns */
    int mt, nt;                     /**< how many; only where the arrays are given. Where these give all sizes nb is the width of
                                         the tile columns of right-hand sides alone, default 256 */
    /** Which rank owns which tile: "2dbc[:PxQ]", "g2dbc", "sbc[:basic|:extended]", "gcrm[:r=SIZE,seeds=NUMBER]",
        "design[:r=SIZE]", "1d1d", "1d1d-c[:cpb=A/B/C]", "1d1d-cs[:cpb=A/B/C]", "file:PATH", or "auto", the default: the fewest
        transfers among those whose work, or where speeds are given its time, is balanced within 5 % of the best. Bounds of a
        step's critical path (cpb) that are left open are those of the first rank's machine, where `ompfact --tune` has measured
        it and there is a grid; else typical ones. For uneven tiles
        (weights) "bch[:WIDTH]", "bce[:alpha=A]", "rs[:alpha=A,q=Q]", "rsp[:alpha=A,q=Q,size=R]": see doc/unequal.md. */
    const char *layout;
    /** How fast the ranks are: NULL, all alike, or for each rank a positive number in any unit, none more than 10^6 times
        another; for "1d1d", which gives ranks work as they are fast, "1d1d-c", which also releases slow ones early, "1d1d-cs",
        which levels them, and "auto". The same on every rank; used in the call alone. "auto" has no use for them where there are
        weights. */
    const double *speeds;
    ompfact_purpose purpose;        /**< of layout "auto" and the default nb: any routine takes a matrix of any purpose */
    const ompfact_pattern *pattern; /**< or this pattern, not NULL; copied */
    int (*owner)(void *context, int i, int j);  /**< or, not NULL, this function of the tile; asked once for each tile, by every
                                                     rank; of a Hermitian matrix for those of its triangle only. Pattern and
                                                     function are to be the same everywhere. */
    void *owner_context;            /**< handed to `owner` */
    /** How much work each tile is, in any unit, where tiles are uneven, as those of a block-low-rank matrix: mt x nt numbers,
        finite and not negative, row by row; of a Hermitian matrix those of its triangle count. NULL: all are full. "bch", "bce",
        "rs" and "rsp" share out this work, and "auto" takes the layout whose most loaded rank has least of it. To be the same on
        every rank; looked at during the call. The arithmetic does not change. Tiles of a default size have no weights: nb, or the
        arrays, must be given. Of matrices with an accuracy ompfact_predict_weights() tells them. */
    const double *weights;
    /** The node of each rank, 0 .. nodes-1: "auto" then goes by what crosses between nodes, where a tile goes to a node once, for
        Cholesky and LU of equal ranks. Looked at during the call, and only where there is no grid: NULL, each rank is a node. A
        grid knows its own. */
    const int *node_of;
    int nodes;                      /**< how many, where node_of is given */
    /** Not 0: tiles are compressed as the matrix is filled, A~ for A with ||A - A~||_F <= accuracy ||A||_F, and the factors are
        as near to A, 10 times that. Each tile far from the diagonal is then U V^H of as few columns as that takes, or dense where
        these would be many. 0 < accuracy < 1; below n times the unit roundoff that stands for it. For ompfact_potrf(),
        ompfact_getrf() with OMPFACT_PIVOT_NONE, and solves with their factors; on hosts. Calls that move, transpose or invert
        tiles, that work with Q, or that exchange rows of the matrix refuse it with OMPFACT_BAD_ARGUMENT, and touch nothing. */
    double accuracy;
    int band;                       /**< with accuracy: tiles (i,j) with |i - j| < band stay dense; default 1, the diagonal */
    /** With accuracy: a tile of at most this rank is kept as U V^H, any other dense; negative: only tiles of zeros are. Default:
        as far as arithmetic with U V^H is faster, which is measured where the tile size would be (see nb), in proportion to each
        tile's order. */
    int max_rank;
    /** Not 0: a tile row, and a tile column, begins behind so many, at most min(m,n): for ompfact_potrf_partial() and
        its like. The tile before is smaller where need be, those behind it are of nb again. Arrays of sizes
        have to begin a tile there. */
    int64_t cut;
    /** How many copies of the matrix there are, up to as many as ranks; 0 and 1: one. Of more the ranks fall into as many layers,
        each with its own layout of all tiles: of this name, pattern or function for the ranks of one layer, which are numbered
        from 0 there. The layers take turns with the steps of ompfact_potrf(), and of ompfact_getrf() with OMPFACT_PIVOT_NONE,
        which then send fewer tiles and take so many times the memory. Where not all layers have as many ranks the first ones have
        one more, and more of the steps. To its callers the matrix is what it is on the first layer: ranks of the others own no
        tile. Factors are spread: each tile stays on the layer that made it, and solves, residuals, norms, determinants and moves
        to other matrices use it there; other calls bring the tiles home first (ompfact_bring_home()). Ranks are equal, and tiles
        dense and even: a matrix with speeds, weights or an accuracy, of a grid with devices or abft, one that is factored in part
        or with checkpoints, and one that is made like another one, has one copy. doc/layouts.md says when copies pay. */
    int64_t copies;
    /** Not 0: each tile off the diagonal is in single precision where rounding it there changes it by no more than its share of
        tile_precision ||A||_F, else in double, as the matrix is filled: a tile A_ij among nt x nt with
        2^-24 ||A_ij||_F <= tile_precision ||A||_F / nt. So A~ is kept for A, ||A - A~||_F <= tile_precision ||A||_F, and the
        factors are as near to A, 10 times that and n times the unit roundoff. Tiles are sent, multiplied and solved with so, and
        become double where rounding would add up to more. Between 0 and 1; OMPFACT_TILE_PRECISION_AUTO: n times the unit
        roundoff. Types 'd' and 'z'; for what an accuracy is for, and refused where that is. With an accuracy the rule is that of
        U and V, too, of a tile that has them, and both bounds add up. With devices tiles in single stay on the host. */
    double tile_precision;
    int64_t reserved[13];           /**< zero: room for members of later versions */
} ompfact_shape;

/** For ompfact_shape::tile_precision: what double precision loses itself. */
#define OMPFACT_TILE_PRECISION_AUTO (-1.0)

/** What a layout comes to for a matrix. */
typedef struct {
    char name[128];                 /**< as resolved */
    int pattern_rows, pattern_cols; /**< in tiles */
    double cost, cost_bound;        /**< T, and what no balanced pattern (Hermitian: none of this size) can be below */
    int64_t transfers;              /**< tiles delivered to ranks that do not own them, while it is factored; exact */
    double flops_max_over_mean;     /**< of the most loaded rank; where the shape has weights, of these */
    double abe_max_over_mean;       /**< of the rank that takes longest: flops over speed, over what it would be if all were
                                         shared out as the shape's speeds are; without speeds, of flops. Whole tiles count */
    double perisum;                 /**< of "1d1d" and its kin: half-perimeters of the partition of a unit square; else NaN */
    int64_t tiles_max, tiles_min;   /**< of the fullest and the emptiest rank */
    int max_ranks_per_row, max_ranks_per_col;   /**< distinct owners of the stored tiles of a tile row, a tile column */
    size_t bytes_max;               /**< tiles of the fullest rank */
    int64_t reserved[8];            /**< zero: room for members of later versions */
} ompfact_layout_counts;

/** Counts what a matrix of this shape would come to on so many ranks, Cholesky if it is Hermitian and LU if not. Local, no grid
    and no matrix needed.
    @param message  NULL, or room for OMPFACT_MESSAGE characters: one line on failure */
ompfact_status ompfact_layout_count(const ompfact_shape *shape, int ranks, ompfact_layout_counts *counts, char *message);

/** Counts what ompfact_geqrf() of such a matrix would come to, with a tree and a block size as in ompfact_options; for
    OMPFACT_FOR_LEAST_SQUARES of A^H if m < n. Takes longer than ompfact_layout_count(): it goes through every rank's tasks on one
    tile column of each kind. "auto" is what the shape's purpose says.
    @param message  NULL, or room for OMPFACT_MESSAGE characters: one line on failure */
ompfact_status ompfact_layout_count_qr(const ompfact_shape *shape, int ranks, ompfact_tree tree, int ib,
                                       ompfact_layout_counts *counts, char *message);

/**
 * How much work the tiles of a compressed matrix will be, before there is the matrix: what makes weights for its shape. Of each
 * tile rows and columns are looked at, at equal strides: 96 of them, or twice the largest rank that is kept, or all. Their ranks
 * tell those of the tiles, from which the flops of the tasks that write each tile are foretold, as far as these can be.
 * Collective; the ranks share the looking.
 *
 * @param shape    with an accuracy, and nb or the arrays of sizes; for ompfact_potrf(), or for ompfact_getrf() without pivoting.
 *                 Its layout, speeds and weights are not looked at
 * @param entry    called as by ompfact_fill_entries(), several times for some elements and never for others, on any rank for any
 *                 stored tile, by several threads at once; into *value, which is zero before, goes the element
 * @param weights  mt x nt, row by row, the same on every rank: flops, as if the numbers were real, finite; 0 for tiles that a
 *                 Hermitian matrix does not store
 *
 * OMPFACT_BAD_ARGUMENT, also where the shape is not the same on every rank; OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_predict_weights(ompfact_grid *grid, const ompfact_shape *shape,
                                       void (*entry)(void *context, int64_t i, int64_t j, void *value), void *context,
                                       double *weights);

/** The weights in a file, for ompfact_shape::weights: "rows cols", which are to be mt and nt, then those of the tiles row by row.
    Local.
    @param weights  the caller's to free(); NULL on failure
    @param message  NULL, or room for OMPFACT_MESSAGE characters: one line on failure */
ompfact_status ompfact_weights_read(const char *path, int mt, int nt, double **weights, char *message);

/** Weights like those of a block-low-rank matrix, the same on every machine. Local.
    @param how  "delta=D,seed=S,kernel=lu|gemm", or parts of it: see doc/unequal.md; NULL: all defaults
    @param hermitian  the weights are symmetric
    @param weights, message  as for ompfact_weights_read() */
ompfact_status ompfact_weights_blr(const char *how, bool hermitian, int mt, int nt, double **weights, char *message);

/** The pattern that a matrix of this shape gets on so many ranks: "auto" is resolved, and the colrows of "design" are in the
    order that balances the work on this shape's tiles. Local.
    @param message  NULL, or room for OMPFACT_MESSAGE characters: one line on failure */
ompfact_status ompfact_pattern_create_for(const ompfact_shape *shape, int ranks, ompfact_pattern **pattern, char *message);

/** The tile size that a matrix of this shape gets: the shape's nb, or where that is 0 the one that is chosen. Collective.
    @param shape  the same on every rank */
ompfact_status ompfact_tile_size(ompfact_grid *grid, const ompfact_shape *shape, int *nb);

/**
 * A matrix of the given shape, its contents undefined. Collective. The memory of each rank is its own tiles, in a window.
 *
 * Fails with OMPFACT_BAD_ARGUMENT, OMPFACT_BAD_LAYOUT, or OMPFACT_NO_MEMORY, which is found out before anything is allocated.
 */
ompfact_status ompfact_matrix_create(ompfact_grid *grid, const ompfact_shape *shape, ompfact_matrix **A);

/** A matrix of A's shape, tiling and layout, its contents undefined. Collective. */
ompfact_status ompfact_matrix_create_like(ompfact_matrix *A, ompfact_matrix **B);

/** The same with dense tiles, whatever A's are. Collective. */
ompfact_status ompfact_matrix_create_dense(ompfact_matrix *A, ompfact_matrix **B);

/**
 * Right-hand sides for A: m x nrhs, in A's tile rows, each on the rank that owns A's diagonal tile of that row (below the last
 * one, the last tile), so that a solve moves no tile of A. Collective. Contents undefined.
 */
ompfact_status ompfact_matrix_create_rhs(ompfact_matrix *A, int64_t nrhs, ompfact_matrix **B);

/** Collective. Takes the address and sets the pointer to NULL; NULL is fine. */
void ompfact_matrix_destroy(ompfact_matrix **A);

ompfact_grid *ompfact_grid_of(const ompfact_matrix *A);     /**< The grid that it is on. Local. */
/** What it was made by, as resolved; no arrays, no texts. Local. */
ompfact_shape ompfact_shape_of(const ompfact_matrix *A);
/** What a matrix holds. */
typedef enum {
    OMPFACT_HOLDS_ELEMENTS = 0,     /**< nothing else: a matrix, or what a factorization with info that is not 0 has left */
    OMPFACT_HOLDS_CHOLESKY = 1,     /**< what ompfact_potrf() left with info 0, or became of it */
    OMPFACT_HOLDS_LU = 2,           /**< factors of ompfact_getrf() with info 0 */
    OMPFACT_HOLDS_QR = 3,           /**< factors of ompfact_geqrf() */
    OMPFACT_HOLDS_L_OF_LQ = 4,      /**< L of A = L Q^H, or zeros, which ompfact_gels() has left */
    OMPFACT_HOLDS_INDEFINITE = 5,   /**< factors of ompfact_hetrf() or ompfact_sytrf() with info 0 */
    OMPFACT_HOLDS_PART = 6          /**< factors of its first rows, and the Schur complement that ompfact_potrf_partial() and its
                                         like have left of the others: ompfact_eliminated() */
} ompfact_contents;
/** What a matrix holds: elements, factors, or a part of both. Local. */
ompfact_contents ompfact_holds(const ompfact_matrix *A);
int64_t ompfact_rows(const ompfact_matrix *A);              /**< Rows of the matrix, m. Local. */
int64_t ompfact_cols(const ompfact_matrix *A);              /**< Columns of the matrix, n. Local. */
int ompfact_tile_rows(const ompfact_matrix *A);             /**< Rows of tiles, mt. Local. */
int ompfact_tile_cols(const ompfact_matrix *A);             /**< Columns of tiles, nt. Local. */
int ompfact_tile_height(const ompfact_matrix *A);           /**< Rows of the largest tile. Local. */
int ompfact_tile_width(const ompfact_matrix *A);            /**< Columns of the largest tile. Local. */
int ompfact_tile_row_of(const ompfact_matrix *A, int64_t row);      /**< The tile row that has a row. Local. */
int ompfact_tile_col_of(const ompfact_matrix *A, int64_t col);      /**< The tile column that has a column. Local. */
char ompfact_type(const ompfact_matrix *A);                 /**< Of its elements: 's', 'd', 'c' or 'z'. Local. */
const char *ompfact_layout(const ompfact_matrix *A);        /**< Its layout as resolved, for example "2dbc:2x3". Local. */
int ompfact_owner(const ompfact_matrix *A, int i, int j);   /**< The rank that owns tile (i,j), -1: it is not stored. Local. */

/* ---- contents ----------------------------------------------------------------------------------------------------------- */

/** One tile in memory: element (r,c) of it, that is (row + r, col + c) of the matrix, is data[r + c * ld]. */
typedef struct {
    int i, j;               /**< tile row and column */
    int64_t row, col;       /**< of its first element */
    int mb, nb, ld;         /**< its rows and columns, and the leading dimension, in elements */
    void *data;             /**< elements of the matrix's type; on a Hermitian matrix's diagonal only its triangle counts */
} ompfact_tile;

/**
 * Fills A: calls entry(context, i, j, value) for every stored element of this rank's tiles; value points to one element of A's
 * type, to be written. Local, but for compressed matrices (see ompfact_fill_tiles()). Several threads call entry at once.
 */
ompfact_status ompfact_fill_entries(ompfact_matrix *A, void (*entry)(void *context, int64_t i, int64_t j, void *value),
                                    void *context);

/** Fills A: calls fill(context, tile) once for each tile of this rank. Local. Several threads call fill at once.
    A matrix with an accuracy is compressed as it is filled, tile by tile: then the call is collective, and fill is called twice
    for each tile and must write the same both times, for what may be left out goes by the norm of all. That has to be 0, or from
    1e-100 to 1e140, or the call returns OMPFACT_BAD_ARGUMENT. Tiles with elements that are not finite stay dense and do not count
    for it. A matrix with a tile_precision is filled likewise, with any norm. */
ompfact_status ompfact_fill_tiles(ompfact_matrix *A, void (*fill)(void *context, const ompfact_tile *tile), void *context);

/**
 * Walks this rank's tiles: start with *i = *j = -1, go on while it returns true.
 * @code  for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) { ... }  @endcode  Local.
 */
bool ompfact_next_tile(const ompfact_matrix *A, int *i, int *j);

/**
 * Access to tile (i,j) of this rank, to read and write between the calls that factor and solve. Local. The tile stays the
 * matrix's; give it back with ompfact_tile_restore() before the next collective call on A. OMPFACT_NOT_OWNER on other ranks.
 */
ompfact_status ompfact_tile_get(ompfact_matrix *A, int i, int j, ompfact_tile *tile);

/**
 * Tile (i,j) of this rank to be read, whatever it is kept as: where it lies, of a compressed one the product U V^H, of one in
 * single precision a copy in double. Local.
 *
 * @param room  for as many elements as the largest tile has; NULL will do for a matrix without accuracy and tile_precision
 */
ompfact_status ompfact_tile_read(const ompfact_matrix *A, int i, int j, void *room, ompfact_tile *tile);

/**
 * Brings the tiles of factors that are spread over the layers of a matrix in copies (ompfact_shape::copies) to the ranks that own
 * them, so that ompfact_tile_get() and ompfact_tile_read(), which refuse them with OMPFACT_BAD_ARGUMENT, find them there.
 * Collective. Does nothing where no tile is away. The tiles and the seconds are added to A's report: transfers_home, seconds.
 */
ompfact_status ompfact_bring_home(ompfact_matrix *A);

/** The rank of a compressed matrix's tile (i,j), of this rank; -1 if it is dense, as all tiles of other matrices are, or not this
    rank's. ompfact_tile_get() refuses tiles that have one, and those in single precision. Local. */
int ompfact_tile_rank(const ompfact_matrix *A, int i, int j);
/** Gives back a tile that ompfact_tile_get() gave. Local. */
void ompfact_tile_restore(ompfact_matrix *A, ompfact_tile *tile);

/**
 * The first element of A that is a NaN or infinite, column by column; of a Hermitian matrix in its triangle. Collective.
 *
 * Nothing looks for such elements by itself: a factorization hands them on.
 *
 * @param row, col  its place, from 0; both -1 if all elements are finite
 * @param nan       whether it, or a part of a complex number, is a NaN; else it is infinite
 */
ompfact_status ompfact_find_not_finite(ompfact_matrix *A, int64_t *row, int64_t *col, bool *nan);

/** At := A^H, in a new matrix whose tile (i,j) is where A has (j,i); the caller's to destroy. Collective.
    @param A  OMPFACT_GENERAL; not changed */
ompfact_status ompfact_conj_transpose(ompfact_matrix *A, ompfact_matrix **At);

/* ---- factor and solve --------------------------------------------------------------------------------------------------- */

/** On which side of another matrix a matrix stands, in BLAS's letters. */
typedef enum { OMPFACT_LEFT = 'L', OMPFACT_RIGHT = 'R' } ompfact_side;
/** A triangle, in BLAS's letters. */
typedef enum { OMPFACT_LOWER = 'L', OMPFACT_UPPER = 'U' } ompfact_uplo;
/** A matrix itself, its transpose, or its conjugate transpose, in BLAS's letters. */
typedef enum { OMPFACT_NO_TRANS = 'N', OMPFACT_TRANS = 'T', OMPFACT_CONJ_TRANS = 'C' } ompfact_trans;

/**
 * Cholesky factorization A = L L^H, or A = U^H U if A is given by its upper triangle. Collective.
 *
 * @param A     Hermitian positive definite; OMPFACT_HERMITIAN_LOWER: overwritten by L in the lower triangle;
 *              OMPFACT_HERMITIAN_UPPER: by U in the upper one. The other triangles of diagonal tiles are neither read nor
 *              written.
 * @param info  0, or the order of the first leading minor that is not positive definite (LAPACK's); then A is undefined. The same
 *              on every rank.
 */
ompfact_status ompfact_potrf(ompfact_matrix *A, int64_t *info);

/**
 * LU factorization P A = L U, L unit lower triangular or trapezoidal, U upper, P a permutation chosen as the grid's option
 * `pivot` says. Collective.
 *
 * With pivoting a rank needs memory beside the matrix: two tiles for each of its tile columns (one if no column has two owners),
 * one tile column (twice that in a tournament), and with OMPFACT_PIVOT_PARTIAL the rows of a whole tile column; of devices that
 * factor panels as much as these columns, if that is no more than a quarter of their memory. It is kept until A is destroyed.
 *
 * @param A     m x n, OMPFACT_GENERAL; overwritten by L (its unit diagonal is not stored) and U, their rows interchanged as
 *              LAPACK leaves them: ompfact_ipiv() has P
 * @param info  0, or k if U(k,k) is exactly zero, the smallest such k; the factorization goes on, column k of L is not scaled
 */
ompfact_status ompfact_getrf(ompfact_matrix *A, int64_t *info);

/**
 * The first rows and columns of a Cholesky factorization: L_11 L_11^H = A_11, L_21 = A_21 L_11^-H, and in A_22's place what is
 * left, the Schur complement S = A_22 - L_21 L_21^H. Collective. Then S may be read there, or by ompfact_schur(); another call
 * with more rows goes on, and ompfact_potrf() to the end: the factor is, bit for bit, that of one call with the same tiles, if
 * S has stayed as it was. A call that fills or moves elements into A begins anew; what is written by ompfact_tile_get()'s
 * pointers changes S, and what goes on goes on from that.
 *
 * @param A     as for ompfact_potrf(), with no sums (ompfact_options::abft) and no accuracy
 * @param rows  that are eliminated, those of calls before counted: up to n. A tile has to begin behind them: ompfact_shape::cut
 * @param info  as for ompfact_potrf(), of A_11: S may be indefinite. Not 0: A is undefined
 *
 * It is not saved (ompfact_checkpoint()), nor is what goes on from it. OMPFACT_BAD_ARGUMENT, where A is as it was, if A or rows
 * are not as said. Calls that want a whole matrix, other factorizations and ompfact_posv_refined() among them, refuse A then.
 */
ompfact_status ompfact_potrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info);

/**
 * The first rows and columns of an LU factorization: P A_11 = L_11 U_11, L_21, U_12, and in A_22's place the Schur complement
 * S = A_22 - A_21 A_11^-1 A_12. Collective. As ompfact_potrf_partial(); other calls go on from it, and ompfact_getrf() to the
 * end.
 *
 * Pivots are searched among the first rows alone, as the grid's option `pivot` says, unless these are all columns, so that S
 * does not depend on them: for the last of these rows only small ones may be left. A factorization goes on with pivoting, or
 * without, as it began.
 *
 * @param A     as for ompfact_getrf(), with no sums and no accuracy
 * @param rows  as for ompfact_potrf_partial(), up to min(m,n)
 * @param info  as for ompfact_getrf(), of A_11
 */
ompfact_status ompfact_getrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info);

/** The rows and columns of A that ompfact_potrf_partial() or its like has eliminated; 0 of other matrices, those that are
    factored to the end among them. Local. */
int64_t ompfact_eliminated(const ompfact_matrix *A);

/**
 * The Schur complement that ompfact_potrf_partial() or its like has left in A, as a matrix of its own: S's tiles are those of A,
 * on the ranks that have them there, so that with `both` false no element moves. Collective.
 *
 * @param A     not changed
 * @param both  of a Hermitian or symmetric matrix: S is OMPFACT_GENERAL, with both triangles; else it is made as A is
 * @param S     of n less ompfact_eliminated() rows and columns; the caller's to destroy
 *
 * OMPFACT_BAD_ARGUMENT where nothing is eliminated; OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_schur(ompfact_matrix *A, bool both, ompfact_matrix **S);

/**
 * Appends rows and columns to a matrix whose Cholesky factor is there: of (A B^H; B C) in place of A, in n^2 m + n m^2 + m^3/3
 * operations. X = B L^-H comes behind L, and the factor of C - X X^H behind that. Collective.
 *
 * The tiles of L stay where they are, and the layout goes on behind them, in tiles of the shape's nb that begin behind row n and
 * have memory of their own. Every third call puts all of it into one piece, where there is memory for both meanwhile, and cuts it
 * anew, so that many small appends do not leave many small tiles.
 *
 * @param A     with what ompfact_potrf() left with info 0, with no sums (ompfact_options::abft) and no accuracy; becomes larger,
 *              so that right-hand sides made for it before are no longer for it. Where the call fails it is as it was, bit for
 *              bit
 * @param m     rows that are appended, 0 or more
 * @param fill  called once for each tile of this rank that has elements of B or C, of an upper matrix of B^H or C, with its
 *              place in the larger matrix, by several threads at once
 * @param info  0; or n + r, if row r of those that are appended makes a leading minor that is not positive definite: A is as it
 *              was
 *
 * Rows are appended to a factor on disk by ompfact_restart_append(). OMPFACT_BAD_ARGUMENT if A or m are not as said;
 * OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_potrf_append(ompfact_matrix *A, int64_t m, void (*fill)(void *context, const ompfact_tile *tile),
                                    void *context, int64_t *info);

/**
 * The interchanges of rows that ompfact_getrf() made, as LAPACK gives them: row i was interchanged with row ipiv[i - 1],
 * i = 1 .. min(m,n), one after the other, counted from 1. Local; ipiv[i - 1] = i for all i without pivoting.
 *
 * @param ipiv  room for min(m,n) numbers
 */
void ompfact_ipiv(const ompfact_matrix *A, int64_t *ipiv);

/**
 * Solves A X = B with the factor that ompfact_potrf() left in A. Collective.
 *
 * @param A  n x n, factored with info 0; not changed, so that it serves for any number of solves
 * @param B  n x nrhs, made for A by ompfact_matrix_create_rhs(); overwritten by X
 */
ompfact_status ompfact_potrs(ompfact_matrix *A, ompfact_matrix *B);

/** Solves A X = B with the factors that ompfact_getrf() left in A; A and B as for ompfact_potrs(). Collective. */
ompfact_status ompfact_getrs(ompfact_matrix *A, ompfact_matrix *B);

/** Solves op(A) X = B, op(A) being A, its transpose or its conjugate transpose, as ompfact_getrs() solves A X = B. Collective. */
ompfact_status ompfact_getrs_trans(ompfact_matrix *A, ompfact_trans trans, ompfact_matrix *B);

/** Factors and solves: ompfact_potrf(), then ompfact_potrs() if info is 0; else B is not changed. Collective. */
ompfact_status ompfact_posv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info);

/** Factors and solves: ompfact_getrf(), then ompfact_getrs() if info is 0; else B is not changed. Collective. */
ompfact_status ompfact_gesv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info);

/**
 * Solves A X = B by Cholesky factorization in mixed precision: factors a copy of A in single precision and refines the solution
 * to double's accuracy, as LAPACK's dsposv and zcposv do. Where that does not work, factors A in double. Collective.
 *
 * It takes about half the time of ompfact_posv() if A is large and its condition number below about 10^7, and memory for half of
 * A and two and a half times B beside them. A solution is accepted if in each column
 * max |b - A x| <= sqrt(n) eps ||A||_inf max |x|, eps double's unit roundoff; at most 30 refinements.
 *
 * With OMPFACT_REFINE_GMRES in the grid's options it often converges for condition numbers of 10^8 to 10^10, and for larger ones
 * if few of A's singular values are so small; but beyond about 10^7 there may be no Cholesky factors in single precision. The
 * residuals are scaled, so that right-hand sides of any size are refined. The factors alone correct as long as they halve the
 * worst column's ratio of the two sides above; then GMRES does, which takes memory for 22.5 times one tile column of B more.
 * There are at most 100 solves with the factors, and fewer where four corrections by GMRES in a row do not halve that ratio.
 *
 * @param A           type 'd' or 'z'; not changed if *iterations >= 0, else holds what ompfact_potrf() leaves
 * @param B           n x nrhs, made for A by ompfact_matrix_create_rhs(); overwritten by X, but not changed if *info is not 0
 * @param info        0, or that of the factorization in double
 * @param iterations  LAPACK's ITER, the same on every rank: how often the factors were solved with beyond the first time, 0 or
 *                    more, which in the classic way are the refinements; of many right-hand sides, in the tile column that took
 *                    most; or why A was factored in double: -1 no memory for the copies, -2 a number too large for single
 *                    precision (or none), -3 the factorization in single precision failed, -31 no convergence
 *
 * ompfact_last_report(A) is of the factorizations, the one in single precision and that in double if there was one;
 * ompfact_last_report(B) of all else.
 */
ompfact_status ompfact_posv_refined(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);

/** Solves A X = B by LU factorization in mixed precision: ompfact_posv_refined() with ompfact_getrf() in place of
    ompfact_potrf(), LAPACK's dsgesv and zcgesv. Collective. */
ompfact_status ompfact_gesv_refined(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);

/* ---- factors whose matrix changes --------------------------------------------------------------------------------------- */

/**
 * The factor of A becomes that of A + V V^H, in 2 n^2 k operations and some n^2, where a factorization takes n^3/3. Collective.
 * While it lasts each rank needs memory for V's rows and reflectors of its tile rows, about twice as much as V has of them.
 *
 * @param A     n x n, with the factor that ompfact_potrf() left with info 0; overwritten by the new one, in the same triangle,
 *              whose diagonal is positive. Dense
 * @param V     OMPFACT_GENERAL, n x k, k any number, of A's type, on A's grid, in tile rows like A's, of any layout: for example
 *              made for A by ompfact_matrix_create_rhs(); not changed
 * @param info  0, or the first row that gets no finite, positive element on the diagonal, as where V has a NaN; then A is
 *              undefined. The same on every rank
 *
 * OMPFACT_BAD_ARGUMENT where A holds no such factor or V is not of that form; OMPFACT_NO_MEMORY. ompfact_last_report(A) is of
 * this call: its transfers are reflectors, and tiles of V to the first tile of their tile row of A and along it.
 */
ompfact_status ompfact_potrf_update(ompfact_matrix *A, ompfact_matrix *V, int64_t *info);

/**
 * The factor of A becomes that of A - V V^H, by hyperbolic transformations in their stable form (A. Bojanczyk, R. Brent, P. Van
 * Dooren, F. de Hoog, "A note on downdating the Cholesky factorization", 1987). Collective. Costs what ompfact_potrf_update()
 * does and, while it lasts, as much memory as A has.
 *
 * @param A     as there; but where info is not 0 it holds the old factor, bit for bit
 * @param V     as there
 * @param info  0, or the order of a leading minor of A - V V^H that is not positive definite, as far as rounding lets it be
 *              seen: the first one if V has one tile column. The same on every rank
 *
 * The smaller A - V V^H is beside A, the fewer digits of it are left, whatever the method: its condition and A's count.
 */
ompfact_status ompfact_potrf_downdate(ompfact_matrix *A, ompfact_matrix *V, int64_t *info);

/* ---- symmetric indefinite systems --------------------------------------------------------------------------------------- */

/**
 * A = L D L^H, A Hermitian (or real symmetric), L unit lower triangular but for the order of rows inside tiles, D of blocks of
 * one or two rows: at half the arithmetic, memory and transfers of LU. Collective.
 *
 * Pivots are chosen inside the diagonal tile alone (J. Bunch, L. Kaufman, "Some stable methods for calculating inertia and
 * solving symmetric linear systems", 1977, with rook pivoting), so nothing bounds how elements grow: ompfact_inertia() tells, and
 * ompfact_hesv() sees to it. A pivot below u max|A|, u the unit roundoff, is replaced by one of that size and its sign, and
 * counted.
 *
 * Beside the matrix a rank needs a few rows' memory for D and the order of rows of each tile on the diagonal, a small part of the
 * tile. It is part of the factors, and kept until A is destroyed. Devices do not take part.
 *
 * @param A     OMPFACT_HERMITIAN_LOWER or _UPPER; its triangle is overwritten: X of A = X J X^H, J of signs, as the library needs
 *              it for solves. On the diagonal tiles that is the triangle of L alone. The other triangles of diagonal tiles are
 *              neither read nor written
 * @param info  0, or 1 if all of A is zero; then A is undefined. The same on every rank
 */
ompfact_status ompfact_hetrf(ompfact_matrix *A, int64_t *info);

/** A = L D L^T, A symmetric, real or complex: OMPFACT_SYMMETRIC_LOWER or _UPPER; all else as in ompfact_hetrf(), which of real
    types is the same. Of complex ones J is the unit matrix, and a pivot that is replaced keeps its phase. Collective. */
ompfact_status ompfact_sytrf(ompfact_matrix *A, int64_t *info);

/**
 * The first rows and columns of ompfact_hetrf(), which leave the Schur complement S = A_22 - A_21 A_11^-1 A_21^H. Collective. As
 * ompfact_potrf_partial(); other calls go on from it, and ompfact_hetrf() to the end. ompfact_inertia() tells of A_11, and with
 * S's adds up to A's.
 *
 * S is to be of A's own rows, so none are mixed: the grid's option `butterfly` does not count, here and in what goes on. Pivots
 * inside diagonal tiles do by themselves where A_11 has no leading parts that are nearly singular, as in quasi-definite
 * matrices; else S is lost with ompfact_inertia_counts::growth.
 *
 * @param A     as for ompfact_hetrf(), with no sums (ompfact_options::abft)
 * @param rows  as for ompfact_potrf_partial()
 * @param info  as for ompfact_hetrf()
 */
ompfact_status ompfact_hetrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info);

/** The same for ompfact_sytrf(): S = A_22 - A_21 A_11^-1 A_21^T. Collective. */
ompfact_status ompfact_sytrf_partial(ompfact_matrix *A, int64_t rows, int64_t *info);

/**
 * Solves A X = B with the factors that ompfact_hetrf() left in A. Collective. Nothing is refined: X is as inaccurate as growth
 * and perturbed pivots have made the factors.
 *
 * @param A  n x n, factored with info 0; not changed, so that it serves for any number of solves
 * @param B  n x nrhs, made for A by ompfact_matrix_create_rhs(); overwritten by X
 */
ompfact_status ompfact_hetrs(ompfact_matrix *A, ompfact_matrix *B);

/** Solves A X = B with the factors that ompfact_sytrf() left in A; A and B as for ompfact_hetrs(). Collective. */
ompfact_status ompfact_sytrs(ompfact_matrix *A, ompfact_matrix *B);

/**
 * Solves A X = B, A Hermitian (or real symmetric). Factors A as ompfact_hetrf() does, solves, and refines the solution, by GMRES
 * where corrections by the factors alone do not halve its error, until in each column
 * max |b - A x| <= sqrt(n) u ||A||_inf max |x|, u A's unit roundoff. Where it stays above ten times that, A is factored once
 * more, as a general matrix, by LU with pivoting, whose factors solve and refine: at three times the arithmetic. Collective.
 *
 * Memory besides: a copy of A, in double where A is in single, four times B in that precision, with GMRES
 * ompfact_posv_refined()'s; for LU a general matrix.
 *
 * @param A           as for ompfact_hetrf(), dense; overwritten by its factors, also where LU solved
 * @param B           n x nrhs, made for A by ompfact_matrix_create_rhs(); overwritten by X if *info is 0
 * @param info        0; 1 if all of A is zero; else, where LU was needed, ompfact_getrf()'s: there is no solution then
 * @param iterations  solves with the factors of A, without the first one, of the tile column that took most; -1: LU was needed
 *
 * ompfact_last_report() of A is of its factorization, of B of all else, LU included.
 */
ompfact_status ompfact_hesv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);

/** Solves A X = B, A symmetric, real or complex, as ompfact_hesv() does for Hermitian ones: A as for ompfact_sytrf().
    Collective. */
ompfact_status ompfact_sysv(ompfact_matrix *A, ompfact_matrix *B, int64_t *info, int *iterations);

/** What D tells of a matrix. */
typedef struct {
    int64_t positive, negative;     /**< eigenvalues of D, and by Sylvester's law of A, as far as rounding goes; a perturbed pivot
                                         counts by its sign */
    int64_t zero;                   /**< those that are: of a matrix of zeros alone all; else 0. Of a complex symmetric matrix,
                                         whose eigenvalues have no signs, all three are -1 */
    int64_t perturbed;              /**< pivots that were too small, and were replaced */
    double growth;                  /**< the largest |element| of any block of D over max|A|; large growth means lost digits.
                                         NaN of a matrix of zeros */
    int64_t reserved[4];            /**< zero: room for members of later versions */
} ompfact_inertia_counts;

/**
 * The inertia of a matrix, and what its pivots were like. Collective.
 *
 * @param A       what ompfact_hetrf() or ompfact_sytrf() left, whatever its info, or for the rows that are eliminated
 *                ompfact_hetrf_partial() or ompfact_sytrf_partial(); not changed
 * @param counts  the same on every rank
 */
ompfact_status ompfact_inertia(ompfact_matrix *A, ompfact_inertia_counts *counts);

/** What belongs to a row of the matrix in ompfact_ldl(). Rows count from 1. */
typedef struct {
    int64_t pivot;              /**< LAPACK's ipiv */
    int64_t partner[2];         /**< of W_0 and W_1 the row that this one is mixed with; itself: with none */
    double weight[2];           /**< w: of partners x < y the columns of W_0, or W_1, are w_x (e_x + e_y) and w_y (e_x - e_y); 1
                                     where it is mixed with none */
} ompfact_ldl_row;

/**
 * Factors with signs become those of LAPACK's sytrf_rk and hetrf_rk, for others to read. Collective.
 *
 *     P W^T A W P^T = L D L^H,   W = W_0 W_1        so A x = b is  x = W P^T (L^-H (D^-1 (L^-1 (P W^T b))))
 *
 * L is unit lower triangular, D of blocks of order 1 and 2. P is made by interchanges: for k = 1, 2, .. of rows k and |pivot| of
 * row k; negative pivots are those of a block of order 2, two in a row. W is the identity without butterflies
 * (ompfact_options.butterfly).
 *
 * @param A     what ompfact_hetrf() or ompfact_sytrf() left with info 0; overwritten by L below the diagonal and D on it and,
 *              where its block is of order 2, below it, where L has a zero: LAPACK has that element in an array e of its own.
 *              Of what ompfact_hetrf_partial() or ompfact_sytrf_partial() left it is the first columns that become so, and the
 *              Schur complement stays behind them, as D's last block. Of OMPFACT_HERMITIAN_UPPER the upper triangle has L^H and
 *              D: not LAPACK's form for an upper triangle. It holds no factors for solves and inertia then. Of complex symmetric
 *              matrices ^H is ^T in all of this
 * @param rows  n, on every rank
 */
ompfact_status ompfact_ldl(ompfact_matrix *A, ompfact_ldl_row *rows);

/* ---- triangular matrices and inverses ----------------------------------------------------------------------------------- */

/**
 * B := alpha op(A)^-1 B from the left, or alpha B op(A)^-1 from the right, A triangular. Collective. B's tiles stay where they
 * are, A's travel to them: for many right-hand sides, of any layout. A zero on the diagonal is divided by, as BLAS does: what
 * follows from it is infinite or NaN. ompfact_zero_on_diagonal() says beforehand whether there is one.
 *
 * @param uplo      the triangle of A that counts; of a Hermitian matrix the one that it stores
 * @param unit      ones on the diagonal, whatever is stored
 * @param alpha_re, alpha_im  alpha; real types drop alpha_im. 0: B becomes zero, whatever it holds
 * @param A         n x n, with tile rows like its tile columns; not changed
 * @param B         OMPFACT_GENERAL, of A's type, on A's grid, in tile rows (from the right: tile columns) like A's; overwritten
 */
ompfact_status ompfact_trsm(ompfact_side side, ompfact_uplo uplo, ompfact_trans trans, bool unit, double alpha_re,
                            double alpha_im, ompfact_matrix *A, ompfact_matrix *B);

/**
 * The first zero on the diagonal of a triangle, which is singular then: the info of LAPACK's trtrs. Collective.
 *
 * @param A     n x n, with tile rows like its tile columns; not changed
 * @param info  0, or k if A(k,k) is exactly zero, the smallest such k
 */
ompfact_status ompfact_zero_on_diagonal(ompfact_matrix *A, int64_t *info);

/**
 * A := A^-1, A triangular: LAPACK's trtri. Collective. Needs as much memory again while it lasts.
 *
 * @param A     made as OMPFACT_HERMITIAN_LOWER or OMPFACT_HERMITIAN_UPPER, of which the triangle is the matrix; overwritten
 * @param unit  ones on the diagonal, which is neither read nor written
 * @param info  0, or k if A(k,k) is exactly zero, the smallest such k; then A is not changed
 */
ompfact_status ompfact_trtri(ompfact_matrix *A, bool unit, int64_t *info);

/**
 * A := A^-1 from the factors of ompfact_potrf(): LAPACK's potri. Collective. Needs as much memory again while it lasts.
 *
 * @param A     with the factor that ompfact_potrf() left with info 0; overwritten by the triangle of the inverse that it stores
 * @param info  0, or k if the factor's (k,k) is exactly zero; then A is not changed
 */
ompfact_status ompfact_potri(ompfact_matrix *A, int64_t *info);

/**
 * A := A^-1 from the factors of ompfact_getrf(): LAPACK's getri. Collective. Needs as much memory again while it lasts.
 *
 * @param A     n x n, with the factors that ompfact_getrf() left with info 0; overwritten, its interchanges forgotten
 * @param info  0, or k if U(k,k) is exactly zero; then A is not changed
 */
ompfact_status ompfact_getri(ompfact_matrix *A, int64_t *info);

/* ---- QR and least squares ----------------------------------------------------------------------------------------------- */

/**
 * QR factorization A = Q R, Q unitary (orthogonal if real), R upper triangular or trapezoidal. Collective.
 *
 * On each tile column each rank factors its own tiles as one panel; the triangles that are left are put together, two at a time,
 * along the grid's `tree` (Demmel, Grigori, Hoemmen, Langou, "Communication-optimal parallel and sequential QR and LU
 * factorizations", 2012). So Q is a product of more reflectors than LAPACK's, R agrees with LAPACK's but for the signs (phases)
 * of its rows.
 *
 * Beside the matrix a rank needs memory for the triangular factors of its blocks of reflectors and for what travels: some tiles
 * for each of its tile columns. It is kept until A is destroyed.
 *
 * @param A  m x n, OMPFACT_GENERAL, with square tiles on the diagonal and below it, but for the last row, none that is lower
 *           than those are wide; overwritten: R in the upper triangle, below it and beside the matrix what ompfact_unmqr() needs
 */
ompfact_status ompfact_geqrf(ompfact_matrix *A);

/**
 * C := Q C or Q^H C. Collective.
 *
 * @param A           m x n, what ompfact_geqrf() left; not changed
 * @param conj_trans  Q^H instead of Q
 * @param C           m x any number of columns, in tile rows like A's, of A's type, on A's grid, of any layout, for example
 *                    made by ompfact_matrix_create_rhs(); overwritten
 */
ompfact_status ompfact_unmqr(ompfact_matrix *A, bool conj_trans, ompfact_matrix *C);

/**
 * The first columns of Q. Collective.
 *
 * @param A  m x n, what ompfact_geqrf() left; not changed
 * @param Q  m x k, k <= m, in tile rows like A's and of A's type, on A's grid; overwritten
 */
ompfact_status ompfact_ungqr(ompfact_matrix *A, ompfact_matrix *Q);

/**
 * Least squares: for m >= n the X that minimises ||B - A X|| in each column, for m < n the solution of A X = B of least norm (A
 * has full rank). As in LAPACK's gels X is 0 if all of A is, and B becomes 0. Whether A has full rank to working precision
 * ompfact_rcond() tells afterwards. Collective.
 *
 * @param A     m x n; overwritten: for m >= n as ompfact_geqrf() leaves it, for m < n by L of A = L Q^H in its lower triangle,
 *              the rest undefined. Not changed if it is all zero
 * @param B     m x nrhs, made for A by ompfact_matrix_create_rhs(); overwritten: for m >= n by Q^H B, whose rows from n on have
 *              the residual's norm
 * @param X     the solution, n x nrhs; the caller's to destroy. NULL if info is not 0
 * @param info  0, or k if R(k,k) is exactly zero, the smallest such k: A has not full rank, nor is it all zero, and there is no
 *              solution
 */
ompfact_status ompfact_gels(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix **X, int64_t *info);

/* ---- factors that were made elsewhere ----------------------------------------------------------------------------------- */

/** What is in A are the factors that LAPACK's potrf leaves, or ours: for solves and inverses. Collective.
    @param A  as for ompfact_potrf() */
ompfact_status ompfact_adopt_potrf(ompfact_matrix *A);

/** What is in A are the factors that LAPACK's getrf leaves, or ours. Collective.
    @param A     as for ompfact_getrf()
    @param ipiv  the interchanges, as ompfact_ipiv() gives them, the same on every rank; NULL: there were none */
ompfact_status ompfact_adopt_getrf(ompfact_matrix *A, const int64_t *ipiv);

/**
 * The scalars of the elementary reflectors in A: LAPACK's tau. Collective. OMPFACT_BAD_ARGUMENT where a tile column is on several
 * ranks, whose reflectors are not LAPACK's; by layout "2dbc:1xP", P all ranks, each is on one.
 *
 * @param A    m x n, what ompfact_geqrf() left; not changed
 * @param tau  min(m,n) elements of A's type, on every rank
 */
ompfact_status ompfact_tau(ompfact_matrix *A, void *tau);

/**
 * What is in A is what LAPACK's geqrf leaves, or ours where ompfact_tau() has tau: for products with Q. Collective.
 *
 * @param A    as for ompfact_geqrf(), with each tile column on one rank; not changed
 * @param tau  min(m,n) elements of A's type, the same on every rank
 */
ompfact_status ompfact_adopt_geqrf(ompfact_matrix *A, const void *tau);

/* ---- what the factors tell ---------------------------------------------------------------------------------------------- */

/**
 * The determinant of the matrix that ompfact_potrf() or ompfact_getrf() factored with info 0, as sign times
 * exp(logabs): itself it would overflow or underflow soon. Collective. The same bits for the same factors, whatever their layout.
 *
 * @param A                 n x n, factored; not changed
 * @param logabs            log |det A|
 * @param sign_re, sign_im  det A / |det A|: 1 and 0 for Cholesky, 1 or -1 and 0 for real LU
 */
ompfact_status ompfact_determinant(ompfact_matrix *A, double *logabs, double *sign_re, double *sign_im);

/**
 * The smallest pivot, |U(k,k)| or L(k,k)^2, of a matrix factored with info 0: close to zero beside the matrix's norm if a leading
 * part, or after pivoting the matrix, is nearly singular. Collective.
 *
 * @param A      m x n, factored; not changed
 * @param pivot  the smallest; a NaN if there is one; infinity for a matrix without rows or columns
 * @param k      its first place, from 0; -1 if there is none
 */
ompfact_status ompfact_smallest_pivot(ompfact_matrix *A, double *pivot, int64_t *k);

/* ---- other layouts, and ScaLAPACK --------------------------------------------------------------------------------------- */

/** How a matrix is kept, all ranks together. */
typedef struct {
    int64_t dense_tiles;        /**< of the stored tiles; the others are U V^H: */
    double rank_mean;           /**<   their mean rank; NaN where there are none */
    int rank_max;               /**<   the largest one; -1 where there are none */
    int64_t bytes;              /**< of all elements that are kept; a tile on the diagonal is a full square */
    int64_t dense_bytes;        /**< of all elements if all tiles were dense */
} ompfact_tile_ranks;

/** Counts them, of any matrix. Collective. */
ompfact_status ompfact_count_ranks(ompfact_matrix *A, ompfact_tile_ranks *ranks);

/** The rank of every tile, row by row, to an array of as many numbers as A has tiles: -1 for a dense tile, -2 for one that is not
    stored. The same on every rank. Collective. */
ompfact_status ompfact_rank_map(ompfact_matrix *A, int *ranks);

/** How a matrix with a tile_precision is kept, all ranks together. */
typedef struct {
    int64_t double_tiles, single_tiles;     /**< as it was filled: of the stored tiles, so many were in each precision */
    int64_t widened;            /**< of those in single, so many are in double now */
    int64_t bytes;              /**< of all elements that are kept; a tile on the diagonal is a full square */
} ompfact_tile_precisions;

/** Counts them, of any matrix: a tile U V^H counts by the precision of U and V. Collective. */
ompfact_status ompfact_count_precisions(ompfact_matrix *A, ompfact_tile_precisions *precisions);

/**
 * B := A, whatever their layouts, tile sizes and storage. Collective. Factors of Cholesky and LU stay factors: B serves for
 * solves if A does; and a matrix whose first rows are eliminated (ompfact_potrf_partial()) stays one, if in B, too, a tile begins
 * behind these.
 *
 * Each rank needs 8 MiB beside the matrices, or less if they are small, which the grid keeps for the next time.
 * ompfact_last_report(B) has the time and the bytes that went to another rank.
 *
 * @param A  m x n; not changed. Of a Hermitian matrix only its triangle is read
 * @param B  another matrix of A's rows, columns, type and structure on A's grid, also one made by ompfact_matrix_create_rhs();
 *           overwritten. Of a Hermitian matrix only its triangle is written
 *
 * Refuses with OMPFACT_BAD_ARGUMENT before anything is written; or OMPFACT_NO_MEMORY for the 8 MiB.
 */
ompfact_status ompfact_redistribute(ompfact_matrix *A, ompfact_matrix *B);

/**
 * A sub-matrix of an array as ScaLAPACK distributes it: block-cyclic over nprow x npcol processes, which are ranks of our grid.
 * The library does not call ScaLAPACK or the BLACS. All but desc and its LLD_ is to be the same on every rank.
 */
typedef struct {
    const int *desc;        /**< the array's descriptor, nine ints as descinit_ fills them: DTYPE_ (1), CTXT_ (ignored), M_, N_,
                                 MB_, NB_, RSRC_, CSRC_, LLD_. Not looked at on ranks outside the process grid: NULL will do
                                 there */
    int nprow, npcol;       /**< of the array's process grid; nprow * npcol may be less than the ranks of our grid */
    const int *rank;        /**< nprow x npcol, row by row: which rank of our grid process (r,c) is. NULL: r * npcol + c, as
                                 Cblacs_gridinit() numbers them with "Row" on a communicator whose ranks are our grid's */
    int64_t ia, ja;         /**< row and column of the sub-matrix's first element in the array,
                                 from 1, as in ScaLAPACK; 0 means 1 */
} ompfact_scalapack;

/**
 * A := sub(array), its ia .. ia+m-1 by ja .. ja+n-1, m x n being A's size. Collective.
 *
 * Time, memory and report are as for ompfact_redistribute(), the report being A's. A then holds a matrix, no factors.
 *
 * @param A       of any layout, also made by ompfact_matrix_create_rhs(); overwritten. If it is Hermitian, only its triangle of
 *                the sub-matrix is read, and of A written
 * @param source  where the sub-matrix is; not changed
 * @param local   this rank's part of the array, of A's type, column-major, LLD_ by the columns that the process has; NULL on a
 *                rank that has nothing of it. Not changed
 *
 * Refuses with OMPFACT_BAD_ARGUMENT, on every rank and before anything is written, a descriptor or grid that is wrong, or that
 * is not the same on all ranks, and a sub-matrix that is not within the array.
 */
ompfact_status ompfact_from_scalapack(ompfact_matrix *A, const ompfact_scalapack *source, const void *local);

/**
 * sub(array) := A, what ompfact_from_scalapack() does the other way. Collective. The elements of the array outside the
 * sub-matrix are not touched, nor, if A is Hermitian, those of its other triangle: Cholesky factors go back to the triangle that
 * the matrix came from.
 *
 * @param A       not changed, but for its report
 * @param target  where the sub-matrix is
 * @param local   this rank's part of the array; the sub-matrix in it is overwritten
 */
ompfact_status ompfact_to_scalapack(ompfact_matrix *A, const ompfact_scalapack *target, void *local);

/* ---- norms and residuals ------------------------------------------------------------------------------------------------ */

/** The 1-norm of A, largest column sum of moduli. Collective. NaN if A has one. */
ompfact_status ompfact_norm1(ompfact_matrix *A, double *norm);

/**
 * Refines what compressed factors, or those of tiles of mixed precision, have solved to the accuracy of dense ones in one
 * precision, with the matrix itself: until in each column
 * ||b - A x||_2 <= 256 u ||A||_F ||x||_2, u the unit roundoff; at least once. Collective.
 *
 * @param A           with an accuracy or a tile_precision, and the factors that ompfact_potrf() or ompfact_getrf() left with
 *                    info 0; not changed
 * @param B           right-hand sides, made for A; not changed
 * @param X           what ompfact_potrs() or ompfact_getrs() made of them, or another approximation; improved
 * @param fill        makes the matrix's tiles again, as for ompfact_fill_tiles(), once in each refinement, since they are kept
 *                    nowhere
 * @param iterations  set to how many refinements there were, or to -31 where 100 were not enough
 *
 * Each rank needs memory for as many times n numbers as a tile column of X has columns, twice in double, once for each thread.
 * OMPFACT_BAD_ARGUMENT if A has neither or holds no factors, or if B and X were not made for it with as many columns.
 */
ompfact_status ompfact_refine(ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix *X,
                              void (*fill)(void *context, const ompfact_tile *tile), void *context, int *iterations);

/**
 * An estimate of 1 / (||A|| ||A^-1||), the reciprocal of the condition number, in the 1-norm: LAPACK's dpocon and dgecon (Higham,
 * ACM TOMS 14, 1988). Not below the true one but for rounding, hardly ever above three times it. Collective. Takes five solves or
 * so, at most eleven, with one right-hand side.
 *
 * Of a QR factorization it is that of R (dtrcon), whose condition in the 2-norm is A's. After ompfact_gels() it tells whether A
 * had full rank: where it is below n u, u the unit roundoff, A has not, to working precision, and of the solution no digit
 * need be right. Takes memory for R, as a square matrix, meanwhile.
 *
 * @param A      n x n, with the factors that ompfact_potrf() or ompfact_getrf() left with info 0; or m x n, m >= n, what
 *               ompfact_geqrf() left; or of any shape what ompfact_gels() left, whatever its info; not changed
 * @param norm   of A before it was factored: ompfact_norm1(). Not looked at for QR: R has its own
 * @param rcond  0 to 1; 0 if A is singular to working precision or all zero, or norm is 0, 1 if n is 0, NaN if norm is
 */
ompfact_status ompfact_rcond(ompfact_matrix *A, double norm, double *rcond);

/**
 * ||A - F|| / (n ||A|| eps), F the product of the factors: LAPACK's test ratio of a factorization (dpot01, dget01; 1-norm, eps
 * the unit roundoff, n = columns). Below 30 is right. Collective. Costs as much arithmetic as the factorization.
 *
 * @param A        the matrix before it was factored, made by ompfact_matrix_create_like(); overwritten by A - F
 * @param factors  what ompfact_potrf() or ompfact_getrf() left; not changed
 */
ompfact_status ompfact_residual_factors(ompfact_matrix *A, ompfact_matrix *factors, double *ratio);

/**
 * max over columns of ||A X v - v|| / (||A|| ||X|| ||v|| n eps) for a few random v: of a good inverse below 30, as LAPACK's test
 * ratio (dget03, dpot03; 1-norm), which takes all of A X. Collective. Costs as much as a few solves.
 *
 * @param A           n x n, the matrix before it was factored; not changed
 * @param X           its inverse, of A's shape and layout; not changed
 * @param triangular  of Hermitian matrices the triangles are meant, with their diagonals: then it is ||X^-1 A^-1 v - v||, of
 *                    upper ones ||X^-H A^-H v - v||
 */
ompfact_status ompfact_residual_inverse(ompfact_matrix *A, ompfact_matrix *X, bool triangular, double *ratio);

/**
 * max over columns of ||b - T x|| / (||T|| ||x|| n eps): LAPACK's test ratio of a triangular solve (dtrt02; 1-norm). Collective.
 *
 * @param T  Hermitian: the triangle that it stores, with its diagonal, is meant; not changed
 * @param X  the solution; not changed
 * @param B  the right-hand sides; overwritten by B - T X. Both in tile rows like T's and the same tile columns, of any layout
 *
 * OMPFACT_BAD_ARGUMENT where they are not.
 */
ompfact_status ompfact_residual_triangle(ompfact_matrix *T, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/**
 * The larger one of ||A - Q R|| / (m ||A|| eps) and ||I - Q^H Q|| / (m eps): LAPACK's test ratios of a QR factorization (dqrt01;
 * 1-norm, for m < n max(m,n) in place of m). Below 30 is right. Collective. Costs about three times the factorization and two
 * matrices' memory.
 *
 * @param A        the matrix before it was factored, made by ompfact_matrix_create_like(); overwritten
 * @param factors  what ompfact_geqrf() left; not changed
 */
ompfact_status ompfact_residual_qr(ompfact_matrix *A, ompfact_matrix *factors, double *ratio);

/**
 * LAPACK's test ratios of a least squares solution, r = b - A x (1-norms, the largest over all columns). Collective.
 *
 *     m >= n   ||A^H r|| / (||A|| (||b|| + ||A|| ||x||) max(m,n) eps)  the residual is orthogonal to the columns (dqrt17, which
 *              leaves out the term with x, and then fails solutions of ill-conditioned problems that are as good as can be)
 *     m < n    the larger one of ||r|| / (||A|| ||x|| max(m,n) eps)    it is a solution (dqrt16)
 *              and of ||x - A^H w|| / (||A|| ||w|| max(m,n) eps)       of least norm: A^H w is x's part in A's rows (dqrt14,
 *              which measures the rest of x by x itself, and so fails good solutions of ill-conditioned problems)
 *
 * @param A  the matrix before it was factored; not changed
 * @param X  the solution that ompfact_gels() made; not changed
 * @param B  the right-hand sides before; overwritten by B - A X
 */
ompfact_status ompfact_residual_gels(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/**
 * max |U| / max |A|: how much elements grew in an LU factorization. Large growth means lost digits. Collective.
 *
 * @param A        the matrix before it was factored; not changed
 * @param factors  what ompfact_getrf() left; not changed
 */
ompfact_status ompfact_growth(ompfact_matrix *A, ompfact_matrix *factors, double *growth);

/**
 * max over columns of ||b - A x|| / (||A|| ||x|| n eps): LAPACK's test ratio of a solve (dget02, dpot02; 1-norm). Collective.
 *
 * @param A  the matrix before it was factored; not changed
 * @param X  the solution; not changed
 * @param B  the right-hand sides; overwritten by B - A X. Both made by ompfact_matrix_create_rhs()
 */
ompfact_status ompfact_residual_solve(ompfact_matrix *A, ompfact_matrix *X, ompfact_matrix *B, double *ratio);

/* ---- checkpoints --------------------------------------------------------------------------------------------------------- */

/** Where checkpoints are made, and how often. */
typedef struct {
    const char *folder;     /**< that all ranks see; it is made where it is missing. Files in it that are no checkpoint's stay,
                                 but for one named manifest.json: the first checkpoint replaces it, be it another job's, which
                                 could have gone on from it. (The command refuses that.) Two jobs at a time want two folders */
    double interval_s;      /**< seconds from the begin of one to that of the next, more than 0 */
    const char *about;      /**< a text that is kept in it for whoever goes on from it; NULL: none */
    /** Called on the first rank, by a thread of the library's, when the first checkpoint of a factorization is in place (step:
        how many steps of it are done in it; failure NULL), and once when one could not be written (step -1; failure: the system's
        reason). The factorization goes on either way. May be NULL. */
    void (*tell)(void *context, int step, const char *failure);
    void *tell_context;     /**< handed to `tell` and `tell_time` */
    /** Called on the first rank, once, where the interval cannot be kept: a checkpoint was in place so many seconds after it was
        begun, which is more. May be NULL. */
    void (*tell_time)(void *context, double seconds);
    int64_t reserved[8];    /**< zero: room for members of later versions */
} ompfact_checkpoints;

/**
 * From now on factorizations on this grid are saved while they run: at an interval the state between two steps, by tasks that run
 * beside the others, and at the end their factors. What is final is written once. A file manifest.json, which is replaced when
 * all else is on the disk, names what is whole; so a job that dies has lost the time since then at most. Collective.
 *
 * @param how  the same on every rank, but for `tell`; NULL: no checkpoints any more
 *
 * Refuses with OMPFACT_BAD_ARGUMENT a folder that cannot be made or written, or that another job, or grid, writes to: while there
 * are to be checkpoints the first rank has a lock on a file ompfact.lock in it, as far as its file system has locks.
 */
ompfact_status ompfact_checkpoint(ompfact_grid *grid, const ompfact_checkpoints *how);

/**
 * Ends the factorization on this grid that runs now, or else the next one, where checkpoints are made: it is saved before the
 * next step that all ranks can still save before, and returns OMPFACT_STOPPED on every rank; one that has come to its last step
 * ends as ever. Its checkpoint is in place then, unless it could not be written (`tell`), and ompfact_restart() goes on from it;
 * what is in the matrix means nothing. Local: one rank is enough, or some, or all. Any thread, a signal handler too.
 */
void ompfact_stop(ompfact_grid *grid);

/**
 * The next factorization on this grid of such a matrix (routine, pivoting, type, size, triangle) takes its contents from a
 * checkpoint and goes on from there, on any number of ranks, with any layout. What is in the matrix before does not count, but
 * its tiles have to be cut like the checkpoint's as far as that is done: ompfact_restart_read(). All that the manifest names is
 * read and verified in this call, and read again by the factorization. Collective.
 *
 * @param folder  NULL: the next factorization begins with its first step, as ever
 *
 * Until that factorization no other one on this grid is saved: its checkpoint could replace what this one needs.
 *
 * Refuses with OMPFACT_BAD_ARGUMENT what is damaged, missing, or of another checkpoint, and names the file.
 */
ompfact_status ompfact_restart(ompfact_grid *grid, const char *folder);

/**
 * As ompfact_restart(), of a factor that ompfact_potrf() or ompfact_save() left there, for a matrix with more rows: the next
 * ompfact_potrf() on this grid of a Hermitian matrix of its type and triangle, with as many rows or more and no accuracy, takes
 * the factor of the first rows from the checkpoint and appends the other rows, as ompfact_potrf_append() does. Its tiles of the
 * first rows have to be cut like the checkpoint's, and one begins behind them; what is in them before does not count. Where
 * checkpoints are made (ompfact_checkpoint()) this factorization is saved as any other, and ompfact_restart() goes on with it.
 * Collective.
 *
 * @param folder  NULL: the next factorization begins with its first step, as ever
 *
 * OMPFACT_BAD_ARGUMENT as ompfact_restart(), and where the checkpoint is no whole dense factor of potrf.
 */
ompfact_status ompfact_restart_append(ompfact_grid *grid, const char *folder);

/** What a checkpoint is of. */
typedef struct {
    int64_t m, n;           /**< rows and columns of what is factored: of gels with m < n this is A^H */
    char type;              /**< of its elements */
    int step;               /**< of the factorization: so many are done */
    int mt, nt;             /**< tile rows and columns, */
    int *row_heights, *col_widths;      /**<   and their sizes, as a shape takes them */
    char *about;            /**< the text that was given with it */
    int64_t reserved[8];    /**< zero: room for members of later versions */
} ompfact_restarted;

/**
 * Reads the manifest of a checkpoint, and says how the matrix that goes on from it is to be cut into tiles. Local.
 *
 * @param nb         tile rows and columns of what is not done yet; 0: as the checkpoint has them
 * @param restarted  forgotten by ompfact_restarted_forget()
 * @param message    NULL, or room for OMPFACT_MESSAGE characters: one line on failure
 */
ompfact_status ompfact_restart_read(const char *folder, int nb, ompfact_restarted *restarted, char *message);
/** Frees what ompfact_restart_read() made. Local. */
void ompfact_restarted_forget(ompfact_restarted *restarted);

/**
 * Saves a factor: writes a checkpoint of which ompfact_load(), or ompfact_restart() and the same factorization, makes it again,
 * on any number of ranks. Each rank writes a file with its tiles, and manifest.json, which names these, comes last: what is in
 * the folder is whole at any moment, the old factor or the new one. Collective.
 *
 * @param A       dense, with the factor that ompfact_potrf(), ompfact_hetrf() or ompfact_sytrf() left with info 0, or what
 *                ompfact_potrf_update() and its like made of it; not changed
 * @param folder  as ompfact_checkpoints::folder, and as there with what else is in it; the same on every rank
 *
 * OMPFACT_BAD_ARGUMENT, with the system's reason, where the folder cannot be made or written, or the disk is full: what was saved
 * there before is as it was. The same where another job writes to the folder, or where the grid waits to go on from a
 * checkpoint (ompfact_restart()). Checkpoints that factorizations are to make (ompfact_checkpoint()) are not touched.
 */
ompfact_status ompfact_save(ompfact_matrix *A, const char *folder);

/**
 * What ompfact_save() has saved, or the last checkpoint of a factorization, in a new matrix, ready to solve with. All that the
 * manifest names is read and verified before there is a matrix. Collective.
 *
 * @param folder  the same on every rank; all ranks see it
 * @param A       set to the new matrix: of the tile sizes, type and triangle that were saved, in a layout that suits the ranks
 *                that there are now; the caller's to destroy. NULL on failure
 *
 * OMPFACT_BAD_ARGUMENT, and a message that names the folder and the file, where what is there is damaged, missing, or no finished
 * dense factor of potrf, hetrf or sytrf. The grid's option `butterfly` does not count: factors keep their own.
 * ompfact_last_report(A) has tiles_restored.
 */
ompfact_status ompfact_load(ompfact_grid *grid, const char *folder, ompfact_matrix **A);

/* ---- what a call did ---------------------------------------------------------------------------------------------------- */

/** Of the last factorization of A, the last solve with B, the last redistribution to them, or the last call that took them from
    or to ScaLAPACK's arrays: the same on every rank. A transfer is one tile delivered to one rank that does not own it.
    Redistributions, which move parts of tiles, have seconds and transfer_bytes alone: the bytes of elements that went to another
    rank. */
typedef struct {
    double seconds;                 /**< of the slowest rank */
    double flops;                   /**< real operations, all ranks;
                                         full counts, as LAPACK's lawn 41 gives them to leading order */
    double flops_max_over_mean;     /**< of the most loaded rank */
    int64_t transfers, transfer_bytes;      /**< counted as they were made */
    int64_t transfers_predicted;    /**< counted from the algorithm alone */
    int cache_tiles, cache_peak_tiles;      /**< room for remote tiles, and most in use, of the fullest rank */
    int tasks_peak;                 /**< most tasks in flight on one rank */
    int64_t rows_exchanged;         /**< by pivoting: parts of rows, one tile wide, that went from one rank to another; their
                                         bytes, and those of candidates and pivots, are in transfer_bytes too */
    double flops_per_device[OMPFACT_DEVICES];   /**< of all kernels on device d of each rank */
    double host_update_flops;       /**< of updates on the host, where there are devices */
    int64_t bytes_to_devices, bytes_from_devices;   /**< of tiles that moved */
    int64_t device_tiles, device_tiles_left;    /**< tiles with columns on devices,
                                                     and those for which device memory was too small */
    int max_uploads_per_tile;       /**< to one device, to be read there */
    int64_t candidate_tiles;        /**< rows among which pivots were searched that went from rank to rank, in tiles */
    int64_t wire_transfers, wire_bytes;     /**< what crossed from one node to another: in factorizations a tile to a node once,
                                                 however many ranks read it there, unless ompfact_options.copy_on_node; bytes of
                                                 candidates and of rows by pivoting, too */
    int64_t wire_transfers_predicted;       /**< counted from the algorithm alone */
    int64_t device_waits, device_allocations;       /**< while the clock ran, all ranks: how often a thread stood still until a
                                                         device was done, and how often memory of it and the like were made */
    int64_t bytes_between_devices;  /**< of a rank, without going through the host */
    int64_t bytes_unpinned;         /**< of memory on the host that tiles are in, all ranks: NVIDIA's or AMD's runtime did not pin
                                         it, so that its moves are slow and threads wait for them */
    int checkpoints;                /**< that this factorization put in place; -1: it was to make none */
    int restarted_from_step;        /**< the first step that was done; -1: it was none that went on from a checkpoint */
    int64_t tiles_restored;         /**< final ones that came from a checkpoint; -1 likewise */
    int64_t faults_found, faults_corrected;         /**< tiles' columns, or sums, in which bits had flipped, all ranks; 0 without
                                                         ompfact_options::abft */
    double flops_dense;     /**< what `flops` would be if all tiles were dense: the same, but for compressed matrices */
    double register_s;      /**< seconds that it took, when the matrix was created, to make the window through which other nodes
                                 read its tiles: of the slowest rank; 0 on one node, or where there is none */
    int64_t transfers_sums; /**< of `transfers`, tiles that are added up: of a matrix in copies, see ompfact_shape */
    int64_t transfers_home; /**< tiles of its factors that have come to the first layer since: they count nowhere else */
    int64_t reserved[14];   /**< zero: room for members of later versions */
} ompfact_report;

/** What the last call that factored, solved or moved A did. Local. */
ompfact_report ompfact_last_report(const ompfact_matrix *A);

/** Takes the events of one rank after the other, rank 0's first: elements of a list in Chrome's trace event format, with commas
    between them. It may change the text, which is gone afterwards. false: there is no point in more. */
typedef bool ompfact_trace_taker(void *context, char *events, size_t length);

/** What ompfact_trace_write() writes, handed to take() on rank 0. Collective; fails as that does where there is no trace. */
ompfact_status ompfact_trace_take(ompfact_grid *grid, ompfact_trace_taker *take, void *context);

/**
 * Writes what every thread of every rank did in the last factorization on this grid to a file, in Chrome's trace event format,
 * which Perfetto reads: tasks, and transfers, publications and waits. Collective; rank 0 writes. Times are in microseconds from
 * the start of the first rank; clocks of other nodes are set by messages to and fro. A file that was there is replaced when the
 * new one is whole.
 *
 * Fails with OMPFACT_BAD_ARGUMENT if the grid keeps no trace (ompfact_options), nothing was factored, or the file cannot be
 * written.
 */
ompfact_status ompfact_trace_write(ompfact_grid *grid, const char *path);

#ifdef __cplusplus
}
#endif
#endif
