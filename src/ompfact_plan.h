/**
 * @file ompfact_plan.h
 * Plans: what a routine would send, store and take on a cluster that need not exist. A plan needs no grid, no matrix and no
 * message.
 *
 * A *job* describes what is computed and where: a routine, the shape of its matrix, the options of the grid, and the cluster. One
 * call makes a *plan* from a job. The plan has the resolved layout and tile size, transfers, balance, memory and, if requested,
 * lower bounds of the time, or a simulated time on a platform. The counts are those of a run of the job, because plans and runs
 * use the same loops and the same layouts.
 *
 *     ompfact_plan *plan;
 *     ompfact_job job = { .routine = "potrf", .ranks = 23, .shape = { .n = 50000, .structure = OMPFACT_HERMITIAN_LOWER } };
 *     if (ompfact_plan_create(&job, &plan, message) == OMPFACT_SUCCESS)
 *         printf("%lld transfers\n", (long long)ompfact_plan_forecast(plan)->transfers);
 *     ompfact_plan_destroy(&plan);
 *
 * ompfact_plan_of_matrix() makes a plan for an existing matrix.
 *
 * All functions except ompfact_job_fits() and ompfact_grid_copies() are local and call no MPI, so a program may call them without
 * MPI_Init. ompfact.h defines the words and the errors. On failure a function writes one line to `message`, which is NULL or a
 * buffer of OMPFACT_MESSAGE characters.
 */
#ifndef OMPFACT_PLAN_H
#define OMPFACT_PLAN_H

#include "ompfact.h"
#include "ompfact_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- routines ----------------------------------------------------------------------------------------------------------- */

/** The factorization that a routine uses. */
typedef enum {
    OMPFACT_BY_CHOLESKY = 1,
    OMPFACT_BY_LU = 2,
    OMPFACT_BY_QR = 4,
    OMPFACT_BY_INDEFINITE = 8   /**< L D L^H or L D L^T of a Hermitian or symmetric matrix */
} ompfact_factorization;

/** A routine with its LAPACK name. */
typedef struct {
    const char *name;       /**< name, for example "potrf" */
    const char *help;       /**< description, for example "Cholesky factorization" */
    ompfact_factorization factor;   /**< the factorization that it uses */
    bool square;            /**< requires m = n */
    bool solves;            /**< solves for right-hand sides after the factorization */
    bool inverts;           /**< computes the inverse after the factorization */
    bool factored;          /**< the factorization comes first and does not count in time and flops */
    bool triangular;        /**< its matrix is a triangle, which is not factored */
    bool symmetric;         /**< for complex types its matrix is symmetric, not Hermitian */
    ompfact_purpose purpose;    /**< the purpose for the shape of its matrix */
} ompfact_routine;

/** All routines: potrf, getrf, geqrf, sytrf, hetrf, posv, gesv, gels, sysv, hesv, potrs, getrs, sytrs, hetrs, trsm, potri,
    getri, trtri. The last element has no name (NULL). Local. */
const ompfact_routine *ompfact_routines(void);

/** Finds the routine of a name; NULL: there is none. Local. */
const ompfact_routine *ompfact_routine_find(const char *name);

/* ---- jobs --------------------------------------------------------------------------------------------------------------- */

/** A cluster described for SimGrid: hosts and the links between them. See ompfact_platform_create(). */
typedef struct ompfact_platform ompfact_platform;

/** What is computed, and where. A job needs a routine, a shape and a number of ranks; all other members may be zero, and then
    each rank is a node like this machine. */
typedef struct {
    const char *routine;            /**< name of the routine: one of ompfact_routines() that does more than a solve */
    /** Shape of the matrix. The routine decides the purpose and checks the structure: Hermitian for Cholesky, hetrf, hesv and
        similar routines and for triangles; OMPFACT_SYMMETRIC_LOWER or _UPPER for sytrf, sysv and similar ones (for real types
        also Hermitian); otherwise general. node_of, or without it ranks_per_node, decides which ranks share a node. */
    ompfact_shape shape;
    int64_t nrhs;                   /**< number of right-hand sides, for routines that solve; default 1 */
    /** Options of the grid. These members count: threads (default: the cores of a node divided by its ranks), devices,
        device_backend, host_share, max_tasks, cache_tiles, schedule, bcast, pivot, tree, ib, copy_on_node, refinement, abft,
        progress (called while the tasks of QR are counted), and trace (for simulations). */
    ompfact_options options;
    bool refined;                   /**< the solve is ompfact_posv_refined() or ompfact_gesv_refined(); for a matrix with an
                                         accuracy, ompfact_refine() */
    bool checked;                   /**< the residual is computed afterwards; its memory counts in memory_bytes_max */
    int ranks;                      /**< number of ranks, at least 1 */
    int cores_per_node;             /**< cores of a node; default: those of the machine, or the threads of its ranks */
    int ranks_per_node;             /**< ranks of a node, without shape.node_of: rank r is on node r / ranks_per_node; default
                                         1 */
    int64_t memory;                 /**< bytes of a rank, for layout "auto"; 0: unlimited */
    double wire_rate;               /**< bytes per second of the link of a node, in each direction; 0: as measured by `ompfact
                                         --tune`, if it was */
    double wire_latency;            /**< latency of the link in seconds, with wire_rate */
    bool bounds;                    /**< also computes work_bound_s, link_bound_s, chain_bound_s and tasks_bound_s, which
                                         takes time */
    bool as_measured;               /**< bounds use only rates measured on this machine, no typical rates */
    double gemm_gflops;             /**< GEMM rate of all ranks together, for work_bound_s; 0: by the rates of the machine */
    const char *machine;            /**< file that `ompfact --tune` has written on the machine that the nodes are like; NULL:
                                         this machine */
    double core_gflops;             /**< GEMM rate of each core of the nodes on large tiles in double precision, to which the
                                         rates of other kernels are scaled; 0: the measured or typical rate */
    const ompfact_platform *platform;       /**< platform with the nodes and links: its first hosts are the nodes, a tile size
                                                 is chosen for their links and, where kernel_rates is flat, their rates;
                                                 wire_rate, wire_latency and cores_per_node are ignored; NULL: none */
    int64_t partial;                /**< for potrf, getrf, sytrf and hetrf, not 0: number of rows that ompfact_potrf_partial()
                                         or a similar function eliminates, fewer than all. It becomes the shape's cut if that
                                         is 0 */
    int64_t factored;               /**< for potrf and posv, not 0: number of rows that have their factor; the others are
                                         appended (ompfact_potrf_append()), and a tile begins behind these rows as for
                                         `partial` */
    int64_t reserved[6];            /**< zero; for members of later versions */
} ompfact_job;

/** The number of real operations that are timed, by LAPACK Working Note 41 to leading order: of the factorization, or of the
    inverse or the solution if only that counts; NaN for an unknown routine. Local. */
double ompfact_job_flops(const ompfact_job *job);

/* ---- plans -------------------------------------------------------------------------------------------------------------- */

/** The plan of a job. */
typedef struct ompfact_plan ompfact_plan;

/** The results of a plan. Unknown seconds are NaN, unknown integers are negative. */
typedef struct {
    char layout[128];               /**< full name of the layout */
    int nb;                         /**< tile size */
    int mt, nt;                     /**< number of tile rows and tile columns */
    int ranks, nodes;               /**< number of ranks and of nodes */
    int threads;                    /**< threads of a rank */
    int pattern_rows, pattern_cols; /**< size of the layout's pattern, in tiles */
    double cost, cost_bound;        /**< as in ompfact_layout_counts */
    int64_t transfers, transfer_bytes;          /**< tiles delivered to ranks that do not own them, and their bytes, in the
                                                     factorization or the inverse; without rows and candidates of
                                                     pivoting, and checksums */
    int64_t wire_transfers, wire_bytes;         /**< transfers and bytes between nodes, where a tile crosses to a node once;
                                                     unknown for inverses */
    int64_t tiles_max, tiles_min;   /**< tiles of the rank with the most tiles, and of the one with the fewest */
    double flops;                   /**< the result of ompfact_job_flops() */
    double flops_max_over_mean;     /**< work of the most loaded rank over the mean; with weights, of the weights */
    double abe_max_over_mean;       /**< largest flops over speed of a rank over the mean, with speeds; otherwise NaN */
    double perisum;                 /**< as in ompfact_layout_counts */
    int max_ranks_per_row, max_ranks_per_col;   /**< largest number of distinct owners in a tile row, and in a tile column */
    int64_t memory_bytes_max;       /**< upper bound of the memory of the fullest rank: its tiles, remote tiles, right-hand
                                         sides, workspace, and copies for refinement and check */
    /* Lower bounds of the time for any order of tasks and transfers; NaN without ompfact_job::bounds or if unknown. They use
       rates that `ompfact --tune` or a run has measured on this machine, or typical rates. */
    double work_bound_s;            /**< bound by work: the most loaded rank at GEMM rate on all its threads */
    double link_bound_s;            /**< bound by links: the bytes of the busiest link at its full rate */
    double chain_bound_s;           /**< bound by dependences: the longest chain of tasks and transfers that wait for each
                                         other */
    double predicted_s;             /**< simulated time of the factorization, after ompfact_plan_simulate(); otherwise NaN */
    double tasks_bound_s;           /**< bound by task creation: the tasks of a rank (mean), submitted one after another */
    int copies;                     /**< copies of the matrix */
    int64_t transfers_sums;         /**< the part of `transfers` that carries tiles of copies to be added up */
} ompfact_forecast;

/** The load in a group of consecutive steps of a factorization. Times are in units of an update of a tile on the slowest
    rank. */
typedef struct {
    int last_step;                  /**< the last step of the group */
    double most;                    /**< time of the rank that takes longest in these steps (ABE) */
    double ideal;                   /**< time if the participating ranks had equal loads (ABE*) */
    double spread;                  /**< largest minus smallest work of a rank up to this step */
    double bound;                   /**< critical path bounds of the steps; infinite if the layout has no bounds */
} ompfact_step_load;

/** The loads of ranks with speeds, step by step. */
typedef struct {
    int ranks, points;              /**< number of elements of `time`, and of `point` */
    const double *time;             /**< time of each rank for all steps */
    const ompfact_step_load *point; /**< all steps, in at most 200 groups of nearly equal size */
    bool bounded;                   /**< the layout has bounds for its steps */
} ompfact_loads;

/**
 * Makes a plan of a job. Local. It takes at most seconds for most jobs; for QR it walks the tasks rank by rank. The plan
 * copies the job, but not the arrays and texts to which the job points; these must live as long as the plan.
 *
 * @param job      the job
 * @param plan     set to the new plan, or NULL on failure; destroyed by ompfact_plan_destroy()
 * @param message  NULL, or a buffer for one line on failure
 *
 * Fails with OMPFACT_BAD_ARGUMENT, OMPFACT_BAD_LAYOUT or OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_plan_create(const ompfact_job *job, ompfact_plan **plan, char *message);

/**
 * Makes a plan for an existing matrix. Local. The matrix must live as long as the plan.
 *
 * This plan does not walk the tasks, because a run counts them. So transfer_bytes, transfers between nodes and
 * memory_bytes_max are unknown; transfers are known for Cholesky and LU only, and for others flops_max_over_mean is that of
 * the last report of the matrix, if there is one. The machine is that of the grid's first rank if its rates have chosen a tile
 * size, otherwise that of this rank.
 *
 * @param job      may have a routine that only solves. Its ranks, nodes and cores and its shape are ignored except speeds and
 *                 weights, because the matrix has them. Speeds and weights must be those for which the layout was made
 * @param A        the matrix
 * @param plan     set to the new plan
 * @param message  NULL, or a buffer for one line on failure
 */
ompfact_status ompfact_plan_of_matrix(const ompfact_job *job, const ompfact_matrix *A, ompfact_plan **plan, char *message);

/**
 * Tests whether the nodes have memory for what a job needs in addition to its matrix and right-hand sides: remote tiles,
 * workspace, copies for refinement and check. Collective. Returns OMPFACT_NO_MEMORY if not, with the message of the grid.
 *
 * @param job  as for ompfact_plan_of_matrix()
 * @param A    the matrix
 * @param B    the right-hand sides; NULL: none
 */
ompfact_status ompfact_job_fits(const ompfact_job *job, const ompfact_matrix *A, const ompfact_matrix *B);

/** Destroys a plan and sets the pointer to NULL; a NULL plan is allowed. Local. */
void ompfact_plan_destroy(ompfact_plan **plan);

/** The number of copies of a matrix with which its factorization is fastest, by a forecast. */
typedef struct {
    int64_t copies;                 /**< number of copies, for ompfact_shape::copies */
    double seconds, seconds_of_one; /**< predicted time of the factorization with these copies, and with one copy: the largest
                                         of its work, its busiest link and its chain; NaN: unknown */
} ompfact_copies;

/** The share of ompfact_job::memory that matrices in copies may take, including everything that their ranks need. */
#define OMPFACT_COPIES_SHARE 0.5

/**
 * Compares up to 8 copies for Cholesky or LU without pivoting, if the job allows copies. Local; takes as long as so many
 * plans. The choice is one copy if the links of the nodes are unknown (ompfact_job::wire_rate, or a measurement by
 * `ompfact --tune`), if there is one node, or if more copies do not fit.
 */
ompfact_status ompfact_plan_copies(const ompfact_job *job, ompfact_copies *choice, char *message);

/** Makes the same choice for a grid, with its ranks, nodes and free memory in place of those of the job; the first rank
    chooses. Collective. */
ompfact_status ompfact_grid_copies(ompfact_grid *grid, const ompfact_job *job, ompfact_copies *choice);

/** The results of a plan; valid as long as the plan. Local. */
const ompfact_forecast *ompfact_plan_forecast(const ompfact_plan *plan);

/** The rank that owns tile (i,j), 0 <= i < mt, 0 <= j < nt; -1 if the shape stores no such tile. Local. */
int ompfact_plan_owner(const ompfact_plan *plan, int i, int j);

/** The rank that owns tile (i,j) on a layer of a matrix in copies, from layer 0; -1 if the shape stores no such tile. Local. */
int ompfact_plan_owner_in(const ompfact_plan *plan, int layer, int i, int j);

/** The layer that does a step; layers and steps count from 0. Local. */
int ompfact_plan_layer_of_step(const ompfact_plan *plan, int step);

/** The nodes of the layers of a matrix in copies. */
typedef struct {
    bool compared;                  /**< both ways were counted: there are copies, and nodes with several ranks */
    bool in_turn;                   /**< each node has ranks of all layers in turn, where sums can stay on it; else each layer is
                                         on as few nodes as possible */
    int64_t wire_transfers_in_a_row, wire_transfers_in_turn;    /**< tiles between nodes with layers on few nodes, and in turn */
} ompfact_layer_nodes;

/** The nodes of the plan's layers. Local. */
ompfact_layer_nodes ompfact_plan_layer_nodes(const ompfact_plan *plan);

/** The pattern of a layer, with ranks numbered over all layers. Valid as long as the plan. Local. */
ompfact_pattern ompfact_plan_pattern_in(const ompfact_plan *plan, int layer);

/** The counts of the layout for Cholesky, or for LU if the matrix is general (also for QR). Valid as long as the plan. Local. */
const ompfact_layout_counts *ompfact_plan_layout(const ompfact_plan *plan);

/** The pattern of the layout; its cells live as long as the plan. Only the cost of the plan's factorization is set, the other
    one is NaN. Local. */
ompfact_pattern ompfact_plan_pattern(const ompfact_plan *plan);

/** The node of each rank, from 0. Valid as long as the plan. Local. */
const int *ompfact_plan_node_of(const ompfact_plan *plan);

/** How each rank uses devices; for an existing matrix, how this rank does. Local. */
ompfact_device_use ompfact_plan_devices(const ompfact_plan *plan);

/** The share of a rank in a matrix. */
typedef struct {
    int64_t tiles;                  /**< number of tiles that it owns */
    double work;                    /**< its flops over the mean of all ranks, as in ompfact_plan_layout() */
} ompfact_share;

/**
 * Returns the share of each rank. Local.
 *
 * @param plan     the plan
 * @param share    memory for one element for each rank
 * @param message  NULL, or a buffer for one line on failure
 */
ompfact_status ompfact_plan_shares(const ompfact_plan *plan, ompfact_share *share, char *message);

/**
 * Predicts how many tiles of a matrix with a tile_precision are in double and in single, and the bytes of all tiles, from
 * samples of at most 32 x 32 elements of a tile. Local; once for each plan of a job. Afterwards transfer_bytes, wire_bytes and
 * memory_bytes_max of the results count these tiles.
 *
 * @param plan        the plan
 * @param entry       writes element (i,j) of the matrix to *value, of its type, as for ompfact_fill_entries()
 * @param context     the first argument of entry
 * @param precisions  set to the counts
 * @param message     NULL, or a buffer for one line on failure
 */
ompfact_status ompfact_plan_precisions(ompfact_plan *plan, void (*entry)(void *context, int64_t i, int64_t j, void *value),
                                       void *context, ompfact_tile_precisions *precisions, char *message);

/** The precision of every tile that ompfact_plan_precisions() has predicted, in the form of ompfact_precision_map(); NULL without
    such a prediction. Valid as long as the plan. Local. */
const int *ompfact_plan_precision_map(const ompfact_plan *plan);

/** The loads of the ranks step by step, for Cholesky and LU if the shape has speeds or the layout is made for them; otherwise
    NULL. Valid as long as the plan. Local. */
const ompfact_loads *ompfact_plan_loads(const ompfact_plan *plan);

/**
 * Returns the tile size of a job before weights of its tiles exist, since weights need it. Local.
 *
 * @param job      the job
 * @param nb       set to the nb of the shape, or to the chosen size if that is 0
 * @param message  NULL, or a buffer for one line on failure
 */
ompfact_status ompfact_plan_tile_size(const ompfact_job *job, int *nb, char *message);

/* ---- reasons ------------------------------------------------------------------------------------------------------------ */

/** A layout that "auto" considers. */
typedef struct {
    char name[128];                 /**< name for ompfact_shape::layout */
    int pattern_rows, pattern_cols; /**< size of the pattern, in tiles */
    double cost, cost_bound;        /**< as in ompfact_layout_counts */
    int64_t transfers;              /**< transfers of the counted tiles */
    int64_t wire_transfers;         /**< transfers between nodes; all transfers if each rank is a node or if there is one node */
    double abe_max_over_mean;       /**< as in ompfact_layout_counts; with weights, of the weights */
    int64_t bytes_max;              /**< bytes of the fullest rank, in whole tiles */
    bool by_node;                   /**< the layout is made for nodes */
    bool fits;                      /**< the layout fits in the memory of the job */
    bool balanced;                  /**< within 5 % of the best balance of the layouts that fit; among these, transfers decide */
} ompfact_candidate;

/** The candidates of layout "auto", and its choice. */
typedef struct {
    int count;                      /**< number of candidates */
    const ompfact_candidate *candidate;     /**< the candidates, in the order of transfers between nodes and then of all
                                                 transfers */
    int chosen;                     /**< index of the candidate that "auto" takes */
    int counted_mt, counted_nt;     /**< tile rows and tile columns that were counted: all, or the leading ones */
    int fewer_ranks;                /**< number of ranks, a few less than given, that would send much less; 0: none, or not
                                         searched */
    ompfact_candidate fewer;        /**< the choice of "auto" for fewer_ranks */
    double fewer_loss;              /**< share of the speed lost with fewer_ranks, by the flops of the most loaded rank */
} ompfact_choice;

/** Returns the candidates of "auto", for any layout that the shape of the job names. Local; takes as long as the choice. The
    memory belongs to the plan. */
ompfact_status ompfact_plan_choice(ompfact_plan *plan, const ompfact_choice **choice, char *message);

/** A group of steps of a factorization in which the same ranks participate. */
typedef struct {
    int first, last;                /**< the first and the last step */
    int ranks;                      /**< number of participating ranks */
    double speed;                   /**< sum of their speeds, in units of the slowest of all ranks */
    double bound;                   /**< critical path bound of a step; infinite for "1d1d" */
    double most, ideal;             /**< times of all steps of the group, as in ompfact_step_load */
} ompfact_section;

/** How "1d1d" or a layout of its family distributes tiles over ranks of unequal speed: a partition of the unit square into
    columns of ranks. */
typedef struct {
    char name[128];                 /**< full name of the layout */
    int ranks;                      /**< number of ranks */
    int columns;                    /**< number of columns of the square */
    const int *ranks_of_column;     /**< number of ranks in each column, from slow to fast ranks */
    int rows;                       /**< number of rows between all ends of ranks in the columns */
    double perisum;                 /**< as in ompfact_layout_counts */
    int sections;                   /**< number of elements of `section` */
    const ompfact_section *section; /**< the groups of steps, the last steps first */
    const int *section_of_rank;     /**< for each rank the index of the section with the last steps in which it participates;
                                         `sections`: it participates in none */
    int levelled, moved;            /**< sections in which "1d1d-cs" moved tiles, and number of moved tiles; -1 for other
                                         layouts */
    double most, ideal;             /**< times of all steps, and these times if all ranks had equal loads */
} ompfact_partition;

/** Returns how the layout of the plan was made, for layouts of the "1d1d" family; otherwise sets *partition to NULL. Local.
    The memory belongs to the plan. */
ompfact_status ompfact_plan_partition(ompfact_plan *plan, const ompfact_partition **partition, char *message);

/** The machine on which a matrix will be factored, and what follows for tiles and devices. */
typedef struct {
    ompfact_machine machine;        /**< the machine */
    int ranks_on_node, threads;     /**< ranks of a node and threads of a rank for which tile sizes are compared */
    int nb, best_nb;                /**< tile size of the matrix, and the fastest tile size on hosts by a simple model */
    double nb_s, best_nb_s;         /**< seconds with nb, and with best_nb, by this model */
    ompfact_device_use devices;     /**< devices of this rank; in the plan of a job, of each rank */
    double balanced_share;          /**< share of the host by the measured rates of devices; NaN: not measured */
    int64_t reserved[8];            /**< zero; for members of later versions */
} ompfact_outlook;

/** Returns what is known about this machine as a node of the job, and what follows for tiles and devices. Local. Texts and
    arrays belong to the plan, or for an existing matrix to its grid. */
ompfact_status ompfact_plan_outlook(ompfact_plan *plan, ompfact_outlook *outlook, char *message);

/* ---- simulation --------------------------------------------------------------------------------------------------------- */

/**
 * Reads a platform. Local. The call loads SimGrid, which allows one platform in the life of a process. Fails with
 * OMPFACT_BAD_ARGUMENT if the file is missing or malformed, or if SimGrid is not installed.
 */
ompfact_status ompfact_platform_create(const char *path, ompfact_platform **platform, char *message);
/** Destroys a platform and sets the pointer to NULL; a NULL platform is allowed. Local. */
void ompfact_platform_destroy(ompfact_platform **platform);
/** The number of hosts of a platform. Local. */
int ompfact_platform_hosts(const ompfact_platform *platform);

/**
 * Simulates the factorization of a plan on a platform and sets predicted_s of the forecast. Local.
 *
 * Node i of the plan is host i of the platform in the natural order of names (h2 before h10). The simulation runs the tasks of
 * all ranks in simulated time: kernels at the rates of this machine, or at the speed of the host if its property kernel_rates
 * is "flat"; tiles on the links of the platform. It takes time and memory in proportion to the number of tasks.
 *
 * Returns OMPFACT_BAD_ARGUMENT except for potrf and posv, and getrf and gesv without pivoting, in the precision of the matrix, on
 * hosts without devices, with at least as many hosts as nodes.
 */
ompfact_status ompfact_plan_simulate(ompfact_plan *plan, const ompfact_platform *platform, char *message);

/** Passes the trace of the simulation, with the work of each thread of each rank, to take(), as ompfact_trace_take() does.
    Local. The options of the job must have `trace`. */
ompfact_status ompfact_plan_trace(const ompfact_plan *plan, ompfact_trace_taker *take, void *context, char *message);

#ifdef __cplusplus
}
#endif
#endif
