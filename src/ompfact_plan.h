/**
 * @file ompfact_plan.h
 * What a routine would send, hold and take on a cluster that need not be there: no grid, no matrix, no message.
 *
 * A *job* says what is computed and where: a routine, the shape of its matrix, the options of the grid, and the cluster. A *plan*
 * is made of it, on paper, by one call. It tells the layout and the tile size that come of it, transfers, balance, memory and,
 * if wanted, what no run is faster than, or how long it would take on a platform. The counts are those of a run of this job,
 * for both come from the same loops and the same layouts.
 *
 *     ompfact_plan *plan;
 *     ompfact_job job = { .routine = "potrf", .ranks = 23, .shape = { .n = 50000, .structure = OMPFACT_HERMITIAN_LOWER } };
 *     if (ompfact_plan_create(&job, &plan, message) == OMPFACT_SUCCESS)
 *         printf("%lld transfers\n", (long long)ompfact_plan_forecast(plan)->transfers);
 *     ompfact_plan_destroy(&plan);
 *
 * A plan can also be made of a matrix that is there: ompfact_plan_of_matrix().
 *
 * All functions but ompfact_job_fits() are local and call no MPI: a program may call them without MPI_Init. Words, and errors,
 * are those of ompfact.h; a status that is not OMPFACT_SUCCESS comes with one line in `message`, which is NULL or has room for
 * OMPFACT_MESSAGE characters.
 */
#ifndef OMPFACT_PLAN_H
#define OMPFACT_PLAN_H

#include "ompfact.h"
#include "ompfact_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- routines ----------------------------------------------------------------------------------------------------------- */

/** The factorization that a routine goes by. */
typedef enum {
    OMPFACT_BY_CHOLESKY = 1,
    OMPFACT_BY_LU = 2,
    OMPFACT_BY_QR = 4,
    OMPFACT_BY_INDEFINITE = 8   /**< L D L^H or L D L^T of a matrix with a triangle */
} ompfact_factorization;

/** A routine of LAPACK's name. */
typedef struct {
    const char *name;       /**< "potrf" */
    const char *help;       /**< "Cholesky factorization" */
    ompfact_factorization factor;   /**< that it goes by */
    bool square;            /**< wants m = n */
    bool solves;            /**< for right-hand sides, */
    bool inverts;           /**<   or makes the inverse: after the factorization, */
    bool factored;          /**<   or with factors that are made beforehand and do not count, */
    bool triangular;        /**<   or of a triangle, which is not factored */
    bool symmetric;         /**< of complex types its matrix is symmetric, not Hermitian */
    ompfact_purpose purpose;    /**< that its matrix's shape should have */
} ompfact_routine;

/** potrf, getrf, geqrf, sytrf, hetrf, posv, gesv, gels, sysv, hesv, potrs, getrs, sytrs, hetrs, trsm, potri, getri, trtri; behind
    them one without a name. Local. */
const ompfact_routine *ompfact_routines(void);

/** That of a name. NULL: there is none. Local. */
const ompfact_routine *ompfact_routine_find(const char *name);

/* ---- jobs --------------------------------------------------------------------------------------------------------------- */

/** A cluster as SimGrid describes it: hosts, and links between them. See below. */
typedef struct ompfact_platform ompfact_platform;

/** What is computed, and where. All zero but for routine, shape and ranks is a job: each rank is a node like this machine. */
typedef struct {
    const char *routine;            /**< its name: one of ompfact_routines() that does more than to solve */
    /** Of its matrix, of which the routine decides the purpose; Hermitian for Cholesky, hetrf and its kin, and triangles;
        OMPFACT_SYMMETRIC_LOWER or _UPPER for sytrf and its kin, of real types Hermitian, too; else general. node_of, or else
        ranks_per_node, says which ranks share a node. */
    ompfact_shape shape;
    int64_t nrhs;                   /**< right-hand sides, of routines that solve; default 1 */
    /** Of the grid. These count: threads (default: the cores of a node over its ranks), devices, device_backend,
        host_share, max_tasks, cache_tiles, schedule, bcast, pivot, tree, ib, copy_on_node, refinement, abft, progress, which is
        called while the tasks of QR are counted, and trace, of simulations. */
    ompfact_options options;
    bool refined;                   /**< ompfact_posv_refined() or ompfact_gesv_refined(); of a matrix with an accuracy
                                         ompfact_refine() */
    bool checked;                   /**< and then its residual, which takes memory: counted in memory_bytes_max */
    int ranks;                      /**< at least 1 */
    int cores_per_node;             /**< default: as many as the machine has, or as many as the threads of its ranks */
    int ranks_per_node;             /**< without shape.node_of: rank r is on node r / ranks_per_node; default 1 */
    int64_t memory;                 /**< bytes of a rank that layout "auto" heeds; 0: it has enough */
    double wire_rate;               /**< bytes a second of a node's link, both ways; 0: what `ompfact --tune` has measured, if
                                         it has */
    double wire_latency;            /**< seconds, with wire_rate */
    bool bounds;                    /**< work_bound_s, link_bound_s, chain_bound_s and tasks_bound_s are wanted, too: that
                                         takes time */
    bool as_measured;               /**< bounds go by what has been measured on this machine alone, not by typical rates */
    double gemm_gflops;             /**< for work_bound_s: GEMM's rate on all ranks together; 0: by the rates of the machine */
    const char *machine;            /**< the nodes are like that of a file which `ompfact --tune` has written, on any machine;
                                         NULL: like this one */
    double core_gflops;             /**< of each core of theirs, GEMM's rate on large tiles, in double precision, to which those
                                         of other kernels are in proportion; 0: as has been measured, or is typical */
    const ompfact_platform *platform;       /**< the nodes and links are this one's, whose first hosts have the nodes' numbers:
                                         wire_rate and wire_latency, and cores_per_node, do not count; NULL: there is none */
    int64_t partial;                /**< of potrf, getrf, sytrf and hetrf, not 0: ompfact_potrf_partial() and its like of so many
                                         rows, fewer than there are; the shape's cut, if it has none, becomes this */
    int64_t factored;               /**< of potrf and posv, not 0: so many rows have their factor, to which the others are
                                         appended (ompfact_potrf_append()), and a tile begins behind them as for `partial` */
    int64_t reserved[6];            /**< zero: room for members of later versions */
} ompfact_job;

/** Real operations of what is timed, LAPACK Working Note 41 to leading order: the factorization, or the inverse or the solution
    where that is all that counts; NaN where there is no such routine. Local. */
double ompfact_job_flops(const ompfact_job *job);

/* ---- plans -------------------------------------------------------------------------------------------------------------- */

/** A job on paper. */
typedef struct ompfact_plan ompfact_plan;

/** What comes of a job. Seconds are NaN, and integers negative, where they are not known. */
typedef struct {
    char layout[128];               /**< as resolved */
    int nb;                         /**< rows and columns of a tile, as resolved */
    int mt, nt;                     /**< tile rows and columns */
    int ranks, nodes;               /**< how many */
    int threads;                    /**< of a rank */
    int pattern_rows, pattern_cols; /**< of the layout, in tiles */
    double cost, cost_bound;        /**< as in ompfact_layout_counts */
    int64_t transfers, transfer_bytes;          /**< of the factorization, or of the inverse: tiles delivered to ranks that do not
                                                     own them, and what they carry */
    int64_t wire_transfers, wire_bytes;         /**< between nodes, where a tile goes to a node once; not of inverses */
    int64_t tiles_max, tiles_min;   /**< of the fullest and the emptiest rank */
    double flops;                   /**< ompfact_job_flops() */
    double flops_max_over_mean;     /**< of the most loaded rank; where the shape has weights, of these */
    double abe_max_over_mean;       /**< of flops over speed, where the shape has speeds; else NaN */
    double perisum;                 /**< as in ompfact_layout_counts */
    int max_ranks_per_row, max_ranks_per_col;   /**< distinct owners of a tile row, a tile column */
    int64_t memory_bytes_max;       /**< of the fullest rank, at most: its tiles, those of others that it reads, right-hand sides,
                                         workspace, and copies for refinement and check */
    /* What no order of tasks and transfers is faster than; NaN without ompfact_job::bounds, or where it is not known. By the
       rates that `ompfact --tune` or a run has measured on this machine, or else typical ones. */
    double work_bound_s;            /**< the work of the most loaded rank, at GEMM's rate on all its threads */
    double link_bound_s;            /**< the busiest link's bytes, at its full rate */
    double chain_bound_s;           /**< the longest chain of tasks and transfers that wait for each other */
    double predicted_s;             /**< of the factorization: ompfact_plan_simulate(); NaN before it */
    double tasks_bound_s;           /**< a bound, too: a rank's tasks, a mean, submitted one after the other */
    int copies;                     /**< of the matrix */
    int64_t transfers_sums;         /**< of the transfers, tiles of copies that are added up */
} ompfact_forecast;

/** Some steps of a factorization one behind the other. Times are in updates of a tile on the slowest rank. */
typedef struct {
    int last_step;                  /**< its last one */
    double most;                    /**< of the rank that takes longest in these steps: ABE */
    double ideal;                   /**< if the ranks that take part shared it out evenly: ABE* */
    double spread;                  /**< most minus least of what the ranks have had by their end */
    double bound;                   /**< critical path bounds of the steps; infinite where nothing bounds the layout's steps */
} ompfact_step_load;

/** What the ranks' speeds make of each step. */
typedef struct {
    int ranks, points;              /**< how many there are of the next two */
    const double *time;             /**< of each rank, all steps */
    const ompfact_step_load *point; /**< all steps, divided into at most 200 points as evenly as can be */
    bool bounded;                   /**< something bounds the layout's steps */
} ompfact_loads;

/**
 * Plans a job. Local. Takes seconds at most for most; QR's tasks are walked, rank by rank.
 *
 * The plan copies the job, but not the arrays and texts that the job points to: these have to live as long as the plan.
 *
 * @param plan  set to the new plan, or NULL on failure; destroyed by ompfact_plan_destroy()
 *
 * Fails with OMPFACT_BAD_ARGUMENT, OMPFACT_BAD_LAYOUT or OMPFACT_NO_MEMORY.
 */
ompfact_status ompfact_plan_create(const ompfact_job *job, ompfact_plan **plan, char *message);

/**
 * Plans what is done with a matrix that is there. Local. The matrix has to live as long as the plan.
 *
 * Tasks are not walked, for there is a run that counts: transfer_bytes, what crosses between nodes, and memory_bytes_max are not
 * known, nor are transfers but of Cholesky and LU. flops_max_over_mean of the others is that of the matrix's last report, if it
 * has one. The machine is that of the grid's first rank, if a tile size has been chosen by it, else this rank's.
 *
 * @param job  also of a routine that only solves. Its ranks and nodes, their cores, and of its shape all but speeds and weights
 *             do not count: the matrix has them. Speeds and weights are to be those that its layout was made for
 */
ompfact_status ompfact_plan_of_matrix(const ompfact_job *job, const ompfact_matrix *A, ompfact_plan **plan, char *message);

/**
 * Whether the nodes have memory for what a job takes beside its matrix and right-hand sides, which are there: tiles of other
 * ranks, workspace, copies for refinement and check. Collective. OMPFACT_NO_MEMORY if not, with the grid's message.
 *
 * @param job  as for ompfact_plan_of_matrix()
 * @param B    NULL: none
 */
ompfact_status ompfact_job_fits(const ompfact_job *job, const ompfact_matrix *A, const ompfact_matrix *B);

/** Takes the address and sets the pointer to NULL; NULL is fine. Local. */
void ompfact_plan_destroy(ompfact_plan **plan);

/** How many copies of a matrix its factorization is fastest with, as far as a forecast tells. */
typedef struct {
    int64_t copies;                 /**< for ompfact_shape::copies */
    double seconds, seconds_of_one; /**< that the factorization takes then, and with one copy: the longest of its work, its
                                         busiest link, tiles on their way home included, and its chain; NaN: not known */
} ompfact_copies;

/** The share of ompfact_job::memory that matrices in copies may take with all that their ranks need. */
#define OMPFACT_COPIES_SHARE 0.5

/**
 * Weighs up to 8 copies for Cholesky or LU without pivoting, where the job can have them. One where the nodes' links are not
 * known (ompfact_job::wire_rate, or what `ompfact --tune` has measured), where there is one node, and where more do not fit.
 * Local; takes as long as so many plans.
 */
ompfact_status ompfact_plan_copies(const ompfact_job *job, ompfact_copies *choice, char *message);

/** That for a grid, whose ranks, nodes and free memory count in the place of the job's: the first rank's choice. Collective. */
ompfact_status ompfact_grid_copies(ompfact_grid *grid, const ompfact_job *job, ompfact_copies *choice);

/** What comes of it; valid as long as the plan. Local. */
const ompfact_forecast *ompfact_plan_forecast(const ompfact_plan *plan);

/** The rank that owns tile (i,j), 0 <= i < mt, 0 <= j < nt; -1 where the shape stores no such tile. Local. */
int ompfact_plan_owner(const ompfact_plan *plan, int i, int j);

/** The rank that owns tile (i,j) on a layer of a matrix in copies, 0 the first one; -1 where the shape
    stores no such tile. Local. */
int ompfact_plan_owner_in(const ompfact_plan *plan, int layer, int i, int j);

/** The layer that does a step; both count from 0. Local. */
int ompfact_plan_layer_of_step(const ompfact_plan *plan, int step);

/** The pattern of a layer, whose cells name ranks of all. Valid as long as the plan. Local. */
ompfact_pattern ompfact_plan_pattern_in(const ompfact_plan *plan, int layer);

/** What its layout comes to for Cholesky, or where its matrix is general for LU: of QR, too. Valid as long as the plan.
    Local. */
const ompfact_layout_counts *ompfact_plan_layout(const ompfact_plan *plan);

/** The pattern of its layout, whose cells live as long as the plan; of its costs there is the one of its factorization, the other
    is NaN. Local. */
ompfact_pattern ompfact_plan_pattern(const ompfact_plan *plan);

/** The node of each of its ranks, from 0. Valid as long as the plan. Local. */
const int *ompfact_plan_node_of(const ompfact_plan *plan);

/** What each rank does with devices; of a matrix that is there, this one. Local. */
ompfact_device_use ompfact_plan_devices(const ompfact_plan *plan);

/** What a rank has of a matrix. */
typedef struct {
    int64_t tiles;                  /**< that it owns */
    double work;                    /**< its flops over the mean of all ranks, as in ompfact_plan_layout() */
} ompfact_share;

/** What each rank has. Local.
    @param share  room for one of each rank */
ompfact_status ompfact_plan_shares(const ompfact_plan *plan, ompfact_share *share, char *message);

/**
 * How many tiles of a matrix with a tile_precision would be in double and in single, and the bytes of all, from samples of its
 * elements: at most 32 x 32 of a tile. The forecast's transfer_bytes, wire_bytes and memory_bytes_max are of these tiles then.
 * Once for a plan on paper. Local.
 *
 * @param entry  writes element (i,j) of the matrix to *value, of its type, as for ompfact_fill_entries()
 */
ompfact_status ompfact_plan_precisions(ompfact_plan *plan, void (*entry)(void *context, int64_t i, int64_t j, void *value),
                                       void *context, ompfact_tile_precisions *precisions, char *message);

/** How its ranks are loaded step by step, of Cholesky and LU where the shape has speeds, or the layout is made for such; else
    NULL. Valid as long as the plan. Local. */
const ompfact_loads *ompfact_plan_loads(const ompfact_plan *plan);

/** The tile size that a job comes to, before weights of its tiles, which need it, are made. Local.
    @param nb  the shape's, or where that is 0 one that suits */
ompfact_status ompfact_plan_tile_size(const ompfact_job *job, int *nb, char *message);

/* ---- reasons ------------------------------------------------------------------------------------------------------------ */

/** A layout that "auto" considers. */
typedef struct {
    char name[128];                 /**< that ompfact_shape::layout takes */
    int pattern_rows, pattern_cols; /**< in tiles */
    double cost, cost_bound;        /**< as in ompfact_layout_counts */
    int64_t transfers;              /**< of the tiles that were counted */
    int64_t wire_transfers;         /**< between nodes; of ranks by themselves, or all on one node, all */
    double abe_max_over_mean;       /**< as in ompfact_layout_counts; where the shape has weights, of these */
    int64_t bytes_max;              /**< of the fullest rank, of whole tiles */
    bool by_node;                   /**< it is made for nodes */
    bool fits;                      /**< in the job's memory */
    bool balanced;                  /**< within 5 % of the best balance of those that fit: then transfers decide */
} ompfact_candidate;

/** What "auto" has to choose from. */
typedef struct {
    int count;                      /**< how many there are */
    const ompfact_candidate *candidate;     /**< the fewest transfers first, those between nodes before all */
    int chosen;                     /**< which of them "auto" takes */
    int counted_mt, counted_nt;     /**< tiles that were counted: all, or the leading ones */
    int fewer_ranks;                /**< a few ranks less would send much less; 0: no, or not looked for */
    ompfact_candidate fewer;        /**< then what "auto" takes for these, */
    double fewer_loss;              /**<   and the share of the speed that is lost, by the flops of the most loaded rank */
} ompfact_choice;

/** What there was to choose from, whatever layout the job's shape names. Local; takes as long as the choice. It belongs to the
    plan. */
ompfact_status ompfact_plan_choice(ompfact_plan *plan, const ompfact_choice **choice, char *message);

/** Steps of a factorization in which the same ranks take part. */
typedef struct {
    int first, last;                /**< of the steps */
    int ranks;                      /**< that take part */
    double speed;                   /**< theirs together, that of the slowest of all ranks being 1 */
    double bound;                   /**< critical path bound of a step; infinite of "1d1d" */
    double most, ideal;             /**< times of all its steps, as in ompfact_step_load */
} ompfact_section;

/** How "1d1d" or one of its kin shares tiles out among ranks of unequal speed: the unit square cut into columns of ranks. */
typedef struct {
    char name[128];                 /**< of the layout, as resolved */
    int ranks;                      /**< how many */
    int columns;                    /**< of the square */
    const int *ranks_of_column;     /**< how many each has, from slow to fast ranks */
    int rows;                       /**< between all ends of ranks in the columns */
    double perisum;                 /**< as in ompfact_layout_counts */
    int sections;                   /**< how many there are of the next */
    const ompfact_section *section; /**< that of the last steps first */
    const int *section_of_rank;     /**< the last one, the first in that order, in which it takes part; `sections`: in none */
    int levelled, moved;            /**< sections in which tiles were moved, and how many tiles; -1: not "1d1d-cs" */
    double most, ideal;             /**< times of all steps, if all ranks shared them out evenly */
} ompfact_partition;

/** How the plan's layout came about; NULL where it is none of these. Local. It belongs to the plan. */
ompfact_status ompfact_plan_partition(ompfact_plan *plan, const ompfact_partition **partition, char *message);

/** What is known of the machine that a matrix will be factored on, and what that says of its tiles and devices. */
typedef struct {
    ompfact_machine machine;        /**< what is known of it */
    int ranks_on_node, threads;     /**< of the node, and of each rank, for which tile sizes are compared */
    int nb, best_nb;                /**< the matrix's tile size, and the one that is the fastest on hosts by a simple model; */
    double nb_s, best_nb_s;         /**<   seconds of either by this model */
    ompfact_device_use devices;     /**< of this rank, in a plan of each */
    double balanced_share;          /**< of the host, by the rates of devices that were measured; NaN: they were not */
    int64_t reserved[8];            /**< zero: room for members of later versions */
} ompfact_outlook;

/** What is known of this machine, as one of the job's nodes, and what that says of tiles and devices. Local. Texts and arrays are
    the plan's, or of a matrix that is there its grid's. */
ompfact_status ompfact_plan_outlook(ompfact_plan *plan, ompfact_outlook *outlook, char *message);

/* ---- simulation --------------------------------------------------------------------------------------------------------- */

/**
 * Reads a platform. Local. SimGrid, which is loaded now, keeps one in a process: a program may create one in its life.
 *
 * Fails with OMPFACT_BAD_ARGUMENT if the file is missing or malformed, or SimGrid is not there.
 */
ompfact_status ompfact_platform_create(const char *path, ompfact_platform **platform, char *message);
/** Takes the address and sets the pointer to NULL; NULL is fine. Local. */
void ompfact_platform_destroy(ompfact_platform **platform);
/** How many hosts it has. Local. */
int ompfact_platform_hosts(const ompfact_platform *platform);

/**
 * How long the plan's factorization takes on a platform, where node i of the plan is its host i in the natural order of names
 * (h2 before h10): the tasks of all ranks are run on paper, kernels at the rates of this machine, or if the host's property
 * kernel_rates is "flat" at its speed, and tiles on its links. Sets the forecast's predicted_s. Local. Takes time and memory in
 * proportion to all tasks.
 *
 * OMPFACT_BAD_ARGUMENT but for potrf and posv, and getrf and gesv without pivoting, on hosts, with as many of these as nodes.
 */
ompfact_status ompfact_plan_simulate(ompfact_plan *plan, const ompfact_platform *platform, char *message);

/** What each thread of each rank did in the simulation, handed to take() as by ompfact_trace_take(). Local. For jobs whose
    options have `trace`. */
ompfact_status ompfact_plan_trace(const ompfact_plan *plan, ompfact_trace_taker *take, void *context, char *message);

#ifdef __cplusplus
}
#endif
#endif
