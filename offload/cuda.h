/* Backend "cuda", and "hip", which is the same with AMD's libraries: declarations that its parts share. Opening and memory are
   in cuda.c, lanes and tickets in cuda_lanes.c, preparations before a run in cuda_prepare.c, kernels in cuda_kernels.c, and the
   names of the libraries' functions in cuda_names.c. The terms here are CUDA's. */
#ifndef OMPFACT_OFFLOAD_CUDA_H
#define OMPFACT_OFFLOAD_CUDA_H

#include "offload/backend.h"
#include "offload/cuda_library.h"
#include "offload/device_code.h"

#include <pthread.h>
#include <stdbool.h>

/* The size of the workspace of a cuSOLVER routine. */
struct cuda_size {
    char routine, type;
    int m, n;
    int size;               /* number of elements */
};
enum { CUDA_SIZES = 8 };    /* most sizes that a lane stores */

/* The inverses of the diagonal blocks of a triangle, one beside the other, each as high as a block. */
struct cuda_inverses {
    const char *of;         /* begin of the triangle; NULL: none */
    const char *end;
    char type, uplo, diag;
    int order, ld, block;
    void *data;
    size_t bytes;
};
enum { CUDA_EMULATED_BITS = 79 };       /* most bits of emulated double precision: cuBLAS's default */
enum { CUDA_INVERSES = 4 };     /* inverses of two panels, L and U of each */

/* A stream with the resources of kernels. One thread holds it from begin to end. */
struct cuda_lane {
    pthread_mutex_t held;
    void *stream;
    void *blas, *solver;    /* handles, in lanes for kernels: one for both libraries, or two */
    void *work, *scratch;   /* device memory: workspace of kernels, scratch memory of tasks */
    void *workspace;        /* cuBLAS's workspace, with --emulate fp64 */
    size_t work_bytes, scratch_bytes, workspace_bytes;
    uint64_t ticket;        /* ticket of the work that is being begun; 0: not needed yet */
    struct cuda_size size[CUDA_SIZES];
    int next_size;
    struct cuda_inverses inverses[CUDA_INVERSES];       /* inverses of the lane, under the device's lock */
    int next_inverses;
};

struct cuda_device {
    int ordinal;            /* CUDA's number of the device */
    struct cuda_lane lane[LANES];
    void *module;           /* device_code.c on the device */
    void *copy_rows[3];     /* its kernels: for elements of 4, 8, 16 bytes; for s, d, c, z */
    void *add_sums, *widen_bf16, *round_bf16, *changes_bf16;
    void *part[4], *from_other[4], *squares[4], *potrf_info[4], *getrf[4], *getrf_pivoted[4];
    uint64_t free_ticket;   /* first free ticket; 0: none */
    int tickets;
    pthread_mutex_t inverses_held;
    atomic_bool has_inverses;           /* whether any lane has inverses */
    int warm[4], warm_panels[4];        /* order of the tiles of each type on which its kernels have been tried */
};

/* A ticket is an index in a list of these, from 1. */
struct cuda_ticket {
    void *event;
    int *info;              /* info in pinned memory */
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

/* The lane that this thread has begun. NULL after a failure: then the caller does nothing. */
struct cuda_lane *cuda_lane(void);

/* Whether the call with this CUDA name succeeded. If not, it is a failure of the devices, with the text of the library; solvers
   have no texts. cuda_status.c */
bool cuda_ok(int error, const char *call);
bool cuda_blas_ok(int status, const char *call);
bool cuda_solver_ok(int status, const char *call);

/* ---- cuda_lanes.c ---------------------------------------------------------------------------------------------------------- */

void cuda_use_lanes(struct devices *table);
void cuda_begin(struct devices *devices, int device, enum lane lane);
/* Waits until all work begun in this thread's lane is done. */
void cuda_wait(struct devices *devices);
/* Device memory of the lane with at least so many bytes; former contents are lost. NULL, and a failure, if there is none. */
void *cuda_room(void **memory, size_t *room, size_t bytes);
/* Creates more tickets for a device, whether its lanes are begun or not. */
bool cuda_make_tickets(struct offload *o, int device, int count);
/* The place for the info of the work that is being begun. NULL after a failure. */
int *cuda_info_cell(struct cuda_lane *lane);

/* ---- cuda_inverses.c ------------------------------------------------------------------------------------------------------ */

/* The lane's inverses for such a triangle, or NULL. */
const struct cuda_inverses *cuda_find_inverses(struct cuda_lane *lane, const struct cuda_inverses *like);
/* Memory for inverses, with the size in `like`; replaces the oldest ones. NULL after a failure. */
const struct cuda_inverses *cuda_new_inverses(struct cuda_lane *lane, const struct cuda_inverses *like);
/* Discards all inverses of the lane that is begun, and makes room for others of so many bytes. False after a failure. */
bool cuda_room_for_inverses(struct cuda_lane *lane, size_t bytes);
/* Called before memory of the current device is written: discards all lanes' inverses of it. */
void cuda_discard_inverses(const void *on_device, size_t bytes);

/* ---- cuda_moves.c ---------------------------------------------------------------------------------------------------------- */

void cuda_use_moves(struct devices *table);
/* Columns of `width` bytes, `pitch` bytes apart; kind: cudaMemcpyKind. */
void cuda_move_columns(void *target, size_t target_pitch, const void *source, size_t source_pitch, size_t width, size_t count,
                       int kind);

/* ---- cuda_prepare.c -------------------------------------------------------------------------------------------------------- */

void cuda_prepare(struct devices *devices, const struct device_needs *needs);

/* ---- cuda_kernels.c -------------------------------------------------------------------------------------------------------- */

const struct kernels *cuda_kernels(char type);
/* Loads the functions of device_code.c, the only step that can fail. Returns 0, or an error of the driver. */
int cuda_load_code(const struct cuda_library *library, struct cuda_device *device);
/* The bytes of workspace that kernels need for operands of m x n elements: the maximum over all kernels. Between begin and
   end. */
size_t cuda_work_bytes(struct cuda_lane *lane, char type, int m, int n);
/* The bytes of workspace for sums over a tile. */
size_t cuda_sums_bytes(void);
/* Kernels for bfloat16; `multiplies`: with cuBLAS's products. */
const struct bf16_kernels *cuda_bf16(bool multiplies);
/* Kernels for panels in one piece; rocSOLVER's are not used. */
const struct panel_kernels *cuda_panels(char type);
/* The bytes that they need for an m x n panel. Between begin and end. */
size_t cuda_panel_bytes(struct cuda_lane *lane, char type, int m, int n);
/* B := I above zeros, rows x n, ld rows. Between begin and end. */
void cuda_identity(char type, int rows, int n, void *B);

#endif
