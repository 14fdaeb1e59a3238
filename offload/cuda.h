/* Backend "cuda", and "hip", which is the same with AMD's libraries: what its parts know of each other. Opening and memory are in
   cuda.c, lanes and tickets in cuda_lanes.c, what is made before a run in cuda_prepare.c, kernels in cuda_kernels.c, and what
   functions are called where in cuda_names.c: the words here are CUDA's. */
#ifndef OMPFACT_OFFLOAD_CUDA_H
#define OMPFACT_OFFLOAD_CUDA_H

#include "offload/backend.h"
#include "offload/cuda_library.h"
#include "offload/device_code.h"

#include <pthread.h>
#include <stdbool.h>

/* What cuSOLVER has said of the workspace of a routine. */
struct cuda_size {
    char routine, type;
    int m, n;
    int size;               /* elements */
};
enum { CUDA_SIZES = 8 };    /* that a lane remembers */

/* The inverses of the blocks on the diagonal of a triangle, one beside the other, each as high as a block. */
struct cuda_inverses {
    const char *of;         /* where the triangle is, and ends; NULL: there are none */
    const char *end;
    char type, uplo, diag;
    int order, ld, block;
    void *data;
    size_t bytes;
};
enum { CUDA_EMULATED_BITS = 79 };       /* of emulated double precision, at most: cuBLAS's default */
enum { CUDA_INVERSES = 4 };     /* of two panels, L and U of each */

/* A stream with what kernels need, held by one thread from begin to end. */
struct cuda_lane {
    pthread_mutex_t held;
    void *stream;
    void *blas, *solver;    /* of lanes that have kernels; one for both, or two */
    void *work, *scratch;   /* on the device: what kernels work with, and what tasks do */
    void *workspace;        /* cuBLAS's, with --emulate fp64 */
    size_t work_bytes, scratch_bytes, workspace_bytes;
    uint64_t ticket;        /* of what is being begun; 0: none has been needed yet */
    struct cuda_size size[CUDA_SIZES];
    int next_size;
    struct cuda_inverses inverses[CUDA_INVERSES];       /* under the device's lock */
    int next_inverses;
};

struct cuda_device {
    int ordinal;            /* CUDA's number of it */
    struct cuda_lane lane[LANES];
    void *module;           /* device_code.c there, */
    void *copy_rows[3];     /*   its kernels: of elements of 4, 8, 16 bytes; of s, d, c, z */
    void *part[4], *from_other[4], *potrf_info[4], *getrf[4], *getrf_pivoted[4];
    uint64_t free_ticket;   /* 0: none */
    int tickets;
    pthread_mutex_t inverses_held;
    atomic_bool has_inverses;           /* of any lane; else there is nothing to look for */
    int warm[4], warm_panels[4];        /* order of the tiles of each type that its kernels have been tried on */
};

/* A ticket is a place in a list of these, from 1. */
struct cuda_ticket {
    void *event;
    int *info;              /* pinned */
    int device;
    uint64_t next_free;
};

/* Pinned memory for the info of tickets. */
struct cuda_cells {
    struct cuda_cells *next;
    int *cell;
};

struct cuda {
    const struct cuda_library *library;
    struct cuda_device *device;         /* [count] */
    pthread_mutex_t tickets_held;
    struct cuda_ticket *ticket;
    uint64_t ticket_count;
    struct cuda_cells *cells;
    struct device_blocks blocks[TYPES];
    bool *linked;                       /* [count][count]: the row's device may copy from the column's */
};

static inline struct cuda_device *cuda_device_of(const struct offload *o, int device)
{
    return &o->cuda->device[device - 1];
}

static inline const struct cuda_library *cuda_now(void)
{
    return current.offload->cuda->library;
}

/* Of the lane that this thread has begun. NULL after a failure: then there is nothing to do. */
struct cuda_lane *cuda_lane(void);

/* Did the call that is named, as CUDA does, succeed? If not, that is the devices' failure. In the words of the libraries;
   solvers have none. */
bool cuda_ok(int error, const char *call);
bool cuda_blas_ok(int status, const char *call);
bool cuda_solver_ok(int status, const char *call);

/* ---- cuda_lanes.c ---------------------------------------------------------------------------------------------------------- */

void cuda_use_lanes(struct devices *table);
void cuda_begin(struct devices *devices, int device, enum lane lane);
uint64_t cuda_end(struct devices *devices);
int cuda_done(struct devices *devices, uint64_t ticket, int *info);
/* Columns of `width` bytes, `pitch` bytes apart; kind: cudaMemcpyKind. */
void cuda_move_columns(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width, size_t count,
                       int kind);
/* Until all that was begun in the lane that this thread has begun is done. */
void cuda_wait(struct devices *devices);
/* Device memory that stays the lane's, at least so much. NULL, and a failure, where there is none. What was there is lost. */
void *cuda_room(void **memory, size_t *room, size_t bytes);
/* More tickets for a device. With its lanes begun or not. */
bool cuda_make_tickets(struct offload *o, int device, int count);
/* Where the info of what is being begun goes. NULL after a failure. */
int *cuda_info_cell(struct cuda_lane *lane);

/* ---- cuda_inverses.c ------------------------------------------------------------------------------------------------------ */

/* Those of such a triangle that the lane has, or NULL. */
const struct cuda_inverses *cuda_find_inverses(struct cuda_lane *lane, const struct cuda_inverses *like);
/* Memory for them, in the place of those that were made longest ago: as many bytes as `like` says. NULL after a failure. */
const struct cuda_inverses *cuda_new_inverses(struct cuda_lane *lane, const struct cuda_inverses *like);
/* All of the lane that is begun are forgotten, and there is room for others of so many bytes. False after a failure. */
bool cuda_room_for_inverses(struct cuda_lane *lane, size_t bytes);
/* Memory of the device in use is about to be written: no lane has inverses of it any more. */
void cuda_discard_inverses(const void *on_device, size_t bytes);

/* ---- cuda_prepare.c -------------------------------------------------------------------------------------------------------- */

void cuda_prepare(struct devices *devices, const struct device_needs *needs);

/* ---- cuda_kernels.c -------------------------------------------------------------------------------------------------------- */

const struct kernels *cuda_kernels(char type);
/* Of the functions of device_code.c; nothing else can fail. 0, or an error of the driver. */
int cuda_load_code(const struct cuda_library *library, struct cuda_device *device);
/* Bytes that the kernels work with on operands of m x n elements: as much as any takes. Between begin and end. */
size_t cuda_work_bytes(struct cuda_lane *lane, char type, int m, int n);
/* Of panels in one piece; rocSOLVER's are not used. */
const struct panel_kernels *cuda_panels(char type);
/* Bytes that they work with on an m x n panel. Between begin and end. */
size_t cuda_panel_bytes(struct cuda_lane *lane, char type, int m, int n);
/* B := I over zeros, rows x n, ld rows. Between begin and end. */
void cuda_identity(char type, int rows, int n, void *B);

#endif
