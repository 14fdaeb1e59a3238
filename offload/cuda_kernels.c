/*
 * Kernels on the stream of the lane that the thread has begun: those of cuBLAS, cuSOLVER and this library (device_code.c), or
 * of rocBLAS, rocSOLVER and this library. One generic body for four precisions. No kernel waits for the device, or creates
 * anything: its workspace is the lane's, created before a run, or the handle's.
 */
#include "offload/cuda.h"

#include <stdio.h>
#include <string.h>

enum { INFO_BYTES = 256 };      /* bytes before the rest of a kernel's workspace, which remains aligned */
enum { THREADS = 256, THREADS_OF_ONE = 512, MOST_BLOCKS = 4096 };       /* threads of this library's kernels; of one block;
                                                                           most blocks */
enum { SUMMING_BLOCKS = 64, ADDING_THREADS = 128 };     /* of kernels for sums */
enum { RESULT_BYTES = THREADS_OF_ONE * 2 * sizeof(double) };              /* the result of each thread of one block */

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

/* cuBLAS's type of computation for products in single precision; 0: the type's own. */
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

/* Copies LAPACK's info of the lane's last kernel to the ticket. */
static void cuda_info(struct cuda_lane *lane, const void *on_device)
{
    int *cell = cuda_info_cell(lane);
    if (cell != NULL)
        cuda_ok(cuda_now()->copy(cell, on_device, sizeof *cell, CUDA_TO_HOST, lane->stream), "cudaMemcpyAsync of info");
}

/* ---- kernels of this library ----------------------------------------------------------------------------------------------- */

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
        void **function;
    } others[] = { { "ompfact_add_sums", &d->add_sums }, { "ompfact_widen_bf16", &d->widen_bf16 },
                   { "ompfact_round_bf16", &d->round_bf16 }, { "ompfact_changes_bf16", &d->changes_bf16 } };
    for (size_t i = 0; i < sizeof others / sizeof others[0] && error == 0; i++)
        error = l->module_function(others[i].function, d->module, others[i].name);
    const struct {
        const char *name;
        void **of_type;
    } numbers[] = { { "part", d->part }, { "from_other", d->from_other }, { "squares", d->squares },
                    { "potrf_info", d->potrf_info }, { "getrf", d->getrf }, { "getrf_pivoted", d->getrf_pivoted } };
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

/* One thread for each element, or fewer threads that handle several. */
static void launch_over(struct cuda_lane *lane, void *function, int64_t elements, void **arguments)
{
    launch(lane, function, (elements + THREADS - 1) / THREADS, THREADS, arguments);
}

/* Copies rows by lists that fit into a kernel's arguments. */
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

/* B := the part of A that is used, with zeros for the rest: device_code.c. */
static void copy_part(struct cuda_lane *lane, char type, enum uplo uplo, bool unit, bool mended, int m, int n, const void *A,
                      int lda, void *B, int ldb)
{
    int part = uplo, has_units = unit, is_mended = mended;
    launch_over(lane, device_now()->part[type_index(type)], (int64_t)m * n,
                (void *[]){ &part, &has_units, &is_mended, &m, &n, &A, &lda, &B, &ldb });
}

/* B := A of the other precision: device_code.c. */
static void copy_other(struct cuda_lane *lane, char type, int m, int n, const void *A, int lda, void *B, int ldb)
{
    launch_over(lane, device_now()->from_other[type_index(type)], (int64_t)m * n, (void *[]){ &m, &n, &A, &lda, &B, &ldb });
}

size_t cuda_sums_bytes(void)
{
    return (1 + SUMMING_BLOCKS * THREADS) * sizeof(double);
}

static int64_t summing_blocks(int64_t numbers)
{
    int64_t blocks = (numbers + THREADS - 1) / THREADS;
    return blocks < 1 ? 1 : blocks < SUMMING_BLOCKS ? blocks : SUMMING_BLOCKS;
}

/* *sum := the sum of the squares in a part of A: device_code.c. */
static void add_squares(struct cuda_lane *lane, char type, enum uplo uplo, int m, int n, const void *A, int lda, double *sum)
{
    int part = uplo;
    char *sums = cuda_work(lane, cuda_sums_bytes());
    if (sums == NULL)
        return;
    launch(lane, device_now()->squares[type_index(type)], summing_blocks((int64_t)m * n), THREADS,
           (void *[]){ &part, &m, &n, &A, &lda, &sums });
    launch(lane, device_now()->add_sums, 1, ADDING_THREADS, (void *[]){ &sums, &sum });
}

/* ---- workspace ------------------------------------------------------------------------------------------------------------- */

/* Stores a size, so that cuSOLVER is called only once for each order. */
static int remember_size(struct cuda_lane *lane, struct cuda_size queried)
{
    lane->size[lane->next_size] = queried;
    lane->next_size = (lane->next_size + 1) % CUDA_SIZES;
    return queried.size;
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

#define BODY "offload/cuda_kernels_body.h"
#include "omp/kernels/each_precision.h"
#define BODY "offload/cuda_panels_body.h"
#include "omp/kernels/each_precision.h"

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

/* ---- bfloat16 -------------------------------------------------------------------------------------------------------------- */

static void widen_bf16(size_t numbers, const void *A, float *B)
{
    struct cuda_lane *lane = cuda_lane();
    int64_t count = (int64_t)numbers;
    if (lane != NULL && count > 0)
        launch_over(lane, device_now()->widen_bf16, count, (void *[]){ &count, &A, &B });
}

static void round_bf16(size_t numbers, const float *A, void *B)
{
    struct cuda_lane *lane = cuda_lane();
    int64_t count = (int64_t)numbers;
    if (lane != NULL && count > 0)
        launch_over(lane, device_now()->round_bf16, count, (void *[]){ &count, &A, &B });
}

static void changes_bf16(size_t numbers, const double *A, double *sum)
{
    struct cuda_lane *lane = cuda_lane();
    int64_t count = (int64_t)numbers;
    char *sums = lane == NULL ? NULL : cuda_work(lane, cuda_sums_bytes());
    if (sums == NULL)
        return;
    launch(lane, device_now()->changes_bf16, summing_blocks(count), THREADS, (void *[]){ &count, &A, &sums });
    launch(lane, device_now()->add_sums, 1, ADDING_THREADS, (void *[]){ &sums, &sum });
}

static void gemm_bf16(enum trans transa, enum trans transb, int m, int n, int k, double alpha, const void *A, int lda,
                      const void *B, int ldb, float *C, int ldc)
{
    const struct cuda_words *w = &cuda_now()->words;
    int op_a = transa == NO_TRANS ? w->no_trans : w->trans, op_b = transb == NO_TRANS ? w->no_trans : w->trans;
    float factor = (float)alpha, one = 1;
    struct cuda_lane *lane = m > 0 && n > 0 && k > 0 ? cuda_lane() : NULL;
    if (lane != NULL)
        cuda_blas_ok(cuda_now()->gemm_ex(lane->blas, op_a, op_b, m, n, k, &factor, A, CUDA_REAL_BF16, lda, B, CUDA_REAL_BF16,
                                         ldb, &one, C, CUDA_REAL_32, ldc, CUBLAS_IN_SINGLE, CUBLAS_ANY_ALGORITHM), "gemm");
}

const struct bf16_kernels *cuda_bf16(bool multiplies)
{
    static const struct bf16_kernels plain = { widen_bf16, round_bf16, changes_bf16, NULL },
                                     with_gemm = { widen_bf16, round_bf16, changes_bf16, gemm_bf16 };
    return multiplies ? &with_gemm : &plain;
}
