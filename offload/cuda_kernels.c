/*
 * Kernels on the stream of the lane that the thread has begun, cuBLAS's, cuSOLVER's and our own (device_code.c), or rocBLAS's,
 * rocSOLVER's and our own: one generic body, four precisions. None waits for the device, or makes anything: what they work with
 * is the lane's, made before a run, or the handle's.
 */
#include "offload/cuda.h"

#include <stdio.h>
#include <string.h>

enum { INFO_BYTES = 256 };      /* before what else a kernel works with, which stays aligned */
enum { THREADS = 256, THREADS_OF_ONE = 512, MOST_BLOCKS = 4096 };       /* of kernels of our own; of one block; blocks */
enum { LOOK_BYTES = THREADS_OF_ONE * 2 * sizeof(double) };              /* what each thread of one block has found */

static int fill_mode(enum uplo uplo)
{
    return uplo == LOWER ? cuda_now()->words.lower : cuda_now()->words.upper;
}

static int side_mode(enum side side)
{
    return side == LEFT ? cuda_now()->words.left : cuda_now()->words.right;
}

static int diag_type(enum diag diag)
{
    return diag == UNIT ? cuda_now()->words.unit : cuda_now()->words.non_unit;
}

/* cuBLAS's, of products in single precision; 0: the type's own. */
static int compute_type(void)
{
    static const int types[EMULATIONS] = {
        [EMULATE_BF16X9] = CUBLAS_BF16X9, [EMULATE_TF32] = CUBLAS_FAST_TF32, [EMULATE_BF16] = CUBLAS_FAST_BF16
    };
    return types[current.offload->emulation];
}

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static char *cuda_work(struct cuda_lane *lane, size_t bytes)
{
    return cuda_room(&lane->work, &lane->work_bytes, bytes);
}

/* LAPACK's info, of the lane's last kernel: it is told with the ticket. */
static void cuda_info(struct cuda_lane *lane, const void *on_device)
{
    int *cell = cuda_info_cell(lane);
    if (cell != NULL)
        cuda_ok(cuda_now()->copy(cell, on_device, sizeof *cell, CUDA_TO_HOST, lane->stream), "cudaMemcpyAsync of info");
}

/* ---- our own --------------------------------------------------------------------------------------------------------------- */

int cuda_load_code(const struct cuda_library *l, struct cuda_device *d)
{
    char name[40];
    int error = l->module_load(&d->module, l->code);
    for (int i = 0; i < 3 && error == 0; i++) {
        snprintf(name, sizeof name, "ompfact_copy_rows_%d", 4 << i);
        error = l->module_function(&d->copy_rows[i], d->module, name);
    }
    const struct {
        const char *name;
        void **of_type;
    } numbers[] = { { "part", d->part }, { "from_other", d->from_other }, { "potrf_info", d->potrf_info }, { "getrf", d->getrf },
                    { "getrf_pivoted", d->getrf_pivoted } };
    int count = 4 * (int)(sizeof numbers / sizeof numbers[0]);
    for (int i = 0; i < count && error == 0; i++) {
        snprintf(name, sizeof name, "ompfact_%s_%c", numbers[i / 4].name, "sdcz"[i % 4]);
        error = l->module_function(&numbers[i / 4].of_type[i % 4], d->module, name);
    }
    return error;
}

static struct cuda_device *device_now(void)
{
    return cuda_device_of(current.offload, current.device);
}

static void launch(struct cuda_lane *lane, void *function, int64_t blocks, int threads, void **arguments)
{
    unsigned count = (unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
    int error = cuda_now()->launch(function, count, 1, 1, (unsigned)threads, 1, 1, 0, lane->stream, arguments, NULL);
    char words[100];
    if (error != 0)
        offload_fail(current.offload, "device %d: %s: %s", current.device, cuda_called(cuda_now(), "cuLaunchKernel", words),
                     cuda_driver_text(cuda_now(), error));
}

/* As many threads as there are elements, or fewer that do several. */
static void launch_over(struct cuda_lane *lane, void *function, int64_t elements, void **arguments)
{
    launch(lane, function, (elements + THREADS - 1) / THREADS, THREADS, arguments);
}

/* Rows in lists as long as a kernel's arguments may be. */
static void copy_listed(struct cuda_lane *lane, size_t size, int count, int n, const int *from, const void *A, int lda,
                        const int *to, void *B, int ldb)
{
    void *function = device_now()->copy_rows[size / 8];
    for (int first = 0; first < count; first += ROWS_AT_ONCE) {
        int now = count - first < ROWS_AT_ONCE ? count - first : ROWS_AT_ONCE;
        struct row_lists rows = { .count = now, .from_is_given = from != NULL, .to_is_given = to != NULL };
        if (from != NULL)
            memcpy(rows.from, from + first, (size_t)now * sizeof *from);
        if (to != NULL)
            memcpy(rows.to, to + first, (size_t)now * sizeof *to);
        const char *source = (const char *)A + (from == NULL ? (size_t)first * size : 0);
        char *target = (char *)B + (to == NULL ? (size_t)first * size : 0);
        launch_over(lane, function, (int64_t)now * n, (void *[]){ &rows, &n, &source, &lda, &target, &ldb });
    }
}

/* The part of A that counts, with zeros for the rest, to B: device_code.c. */
static void copy_part(struct cuda_lane *lane, char type, enum uplo uplo, bool unit, bool mended, int m, int n, const void *A,
                      int lda, void *B, int ldb)
{
    int part = uplo, has_units = unit, is_mended = mended;
    launch_over(lane, device_now()->part[type_index(type)], (int64_t)m * n,
                (void *[]){ &part, &has_units, &is_mended, &m, &n, &A, &lda, &B, &ldb });
}

/* A of the other precision: device_code.c. */
static void copy_other(struct cuda_lane *lane, char type, int m, int n, const void *A, int lda, void *B, int ldb)
{
    launch_over(lane, device_now()->from_other[type_index(type)], (int64_t)m * n, (void *[]){ &m, &n, &A, &lda, &B, &ldb });
}

/* ---- what they work with --------------------------------------------------------------------------------------------------- */

/* cuSOLVER is asked once for each order. */
static int remember_size(struct cuda_lane *lane, struct cuda_size asked)
{
    lane->size[lane->next_size] = asked;
    lane->next_size = (lane->next_size + 1) % CUDA_SIZES;
    return asked.size;
}

static const struct cuda_size *known_size(const struct cuda_lane *lane, char routine, char type, int m, int n)
{
    for (int i = 0; i < CUDA_SIZES; i++) {
        const struct cuda_size *s = &lane->size[i];
        if (s->routine == routine && s->type == type && s->m == m && s->n == n)
            return s;
    }
    return NULL;
}

struct triangle {
    const void *data;
    int ld, order;
    enum uplo uplo;
    enum diag diag;
};

#define PRECISION_s
#include "omp/kernels/precision_on.h"
#include "offload/cuda_kernels_body.h"
#include "offload/cuda_panels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_d
#include "omp/kernels/precision_on.h"
#include "offload/cuda_kernels_body.h"
#include "offload/cuda_panels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_c
#include "omp/kernels/precision_on.h"
#include "offload/cuda_kernels_body.h"
#include "offload/cuda_panels_body.h"
#include "omp/kernels/precision_off.h"

#define PRECISION_z
#include "omp/kernels/precision_on.h"
#include "offload/cuda_kernels_body.h"
#include "offload/cuda_panels_body.h"
#include "omp/kernels/precision_off.h"

size_t cuda_work_bytes(struct cuda_lane *lane, char type, int m, int n)
{
    switch (type) {
    case 's': return s_work_bytes(lane, m, n);
    case 'd': return d_work_bytes(lane, m, n);
    case 'c': return c_work_bytes(lane, m, n);
    default: return z_work_bytes(lane, m, n);
    }
}

size_t cuda_panel_bytes(struct cuda_lane *lane, char type, int m, int n)
{
    switch (type) {
    case 's': return s_panel_bytes(lane, m, n);
    case 'd': return d_panel_bytes(lane, m, n);
    case 'c': return c_panel_bytes(lane, m, n);
    default: return z_panel_bytes(lane, m, n);
    }
}

const struct panel_kernels *cuda_panels(char type)
{
    static const struct panel_kernels *const tables[TYPES] = {
        [TYPE_S] = &s_cuda_panels, [TYPE_D] = &d_cuda_panels, [TYPE_C] = &c_cuda_panels, [TYPE_Z] = &z_cuda_panels
    };
    int i = type_index(type);
    return i < 0 ? NULL : tables[i];
}

void cuda_identity(char type, int rows, int n, void *B)
{
    cuda_kernels(type)->clear(rows, n, B, rows);
    struct cuda_lane *lane = cuda_lane();
    if (lane != NULL)
        copy_part(lane, type, GENERAL, true, false, n, n, B, rows, B, rows);
}

const struct kernels *cuda_kernels(char type)
{
    static const struct kernels *const tables[TYPES] = {
        [TYPE_S] = &s_cuda_table, [TYPE_D] = &d_cuda_table, [TYPE_C] = &c_cuda_table, [TYPE_Z] = &z_cuda_table
    };
    int i = type_index(type);
    return i < 0 ? NULL : tables[i];
}
