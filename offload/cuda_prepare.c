/* Preparations of the backends "cuda" and "hip" before a run: memory for their kernels, tickets; and a first call of each
   kernel, which loads it. */
#include "offload/cuda.h"

#include <stdint.h>

enum { PIECES_BYTES = 4096 };       /* of scratch memory in addition to operands, for few numbers and gaps */

static bool is_warm(const struct cuda_device *d, const struct device_needs *n, int order)
{
    return d->warm[type_index(n->type)] >= order;
}

/* The order of a matrix with blocks of all kinds. */
static int two_blocks(int block, int n)
{
    return block > 0 && 2 * block < n ? 2 * block : n;
}

/* The forms in which factorizations and solves call these kernels. */
static const struct {
    enum trans a, b;
} products[] = { { NO_TRANS, CONJ_TRANS }, { CONJ_TRANS, NO_TRANS }, { NO_TRANS, NO_TRANS } };
static const struct {
    enum side side;
    enum uplo uplo;
    enum trans trans;
    enum diag diag;
} solves[] = {
    { RIGHT, LOWER, CONJ_TRANS, NON_UNIT }, { RIGHT, UPPER, NO_TRANS, NON_ZERO },  { LEFT, UPPER, CONJ_TRANS, NON_UNIT },
    { LEFT, LOWER, NO_TRANS, UNIT },        { LEFT, LOWER, NO_TRANS, NON_UNIT },   { LEFT, UPPER, NO_TRANS, NON_UNIT },
    { LEFT, LOWER, CONJ_TRANS, NON_UNIT },
};

/* Additional kernels for complex symmetric matrices. */
static void try_symmetric(const struct kernels *k, int n, void *X, void *Y)
{
    k->gemm(NO_TRANS, TRANS, n, n, n, -1, X, n, X, n, Y, n);
    k->gemm(TRANS, NO_TRANS, n, n, n, -1, X, n, X, n, Y, n);
    k->syrk(LOWER, NO_TRANS, n, n, -1, X, n, Y, n);
    k->syrk(UPPER, TRANS, n, n, -1, X, n, Y, n);
}

/* Kernels of this library's modules. Once loaded, they are loaded for all lanes of a device. */
static void try_own_kernels(const struct kernels *k, int n, void *X, void *Y)
{
    const int row = 0;
    k->copy_rows(n, n, NULL, X, n, NULL, Y, n);
    k->copy_rows(1, n, &row, X, n, &row, Y, n);
    k->from_other(n, n, X, n, Y, n);
    k->squares(LOWER, n, n, X, n, Y);
}

/* Calls kernels with a unit matrix X, and zeros Y as output. Only the lane for panels factors tiles and loads modules. */
static void try_kernels(char type, int n, enum lane lane, const struct device_blocks *blocks, void *X, void *Y)
{
    const struct kernels *k = cuda_kernels(type);
    int herk = two_blocks(blocks->herk, n), trsm = two_blocks(blocks->trsm, n);
    cuda_identity(type, n, n, X);
    k->clear(n, n, Y, n);
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        k->gemm(products[i].a, products[i].b, n, n, n, -1, X, n, X, n, Y, n);
    for (size_t i = 0; i < sizeof solves / sizeof solves[0]; i++)
        k->trsm(solves[i].side, solves[i].uplo, solves[i].trans, solves[i].diag, solves[i].side == LEFT ? trsm : n,
                solves[i].side == LEFT ? n : trsm, X, n, Y, n);
    k->herk(LOWER, NO_TRANS, herk, n, -1, X, n, Y, n);
    k->herk(UPPER, CONJ_TRANS, herk, n, -1, X, n, Y, n);
    if (type == 'c' || type == 'z')
        try_symmetric(k, n, X, Y);
    k->hemm(LOWER, n, n, 1, X, n, X, n, Y, n);
    k->trmm(LEFT, UPPER, CONJ_TRANS, NON_UNIT, n, n, 1, X, n, Y, n);
    k->add(n, n, 1, X, n, Y, n);
    k->conj_transpose(n, n, X, n, Y, n);
    if (lane != LANE_PANEL)
        return;
    try_own_kernels(k, n, X, Y);
    k->potrf(LOWER, n, X, n);
    k->potrf(UPPER, n, X, n);
    k->getrf(n, n, X, n);
}

/* Products in the other precision. */
static void try_narrow(char type, int n, enum lane lane, int herk, void *X, void *Y)
{
    const struct kernels *k = cuda_kernels(type);
    k->clear(n, n, X, n);
    k->clear(n, n, Y, n);
    if (lane == LANE_PANEL)
        try_own_kernels(k, n, X, Y);
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
        k->gemm(products[i].a, products[i].b, n, n, n, -1, X, n, X, n, Y, n);
    k->herk(LOWER, NO_TRANS, herk, n, -1, X, n, Y, n);
    k->herk(UPPER, CONJ_TRANS, herk, n, -1, X, n, Y, n);
}

static void try_bf16(int n, enum lane lane, void *X, void *Y)
{
    const struct bf16_kernels *bf16 = current.offload->table.bf16;
    size_t count = (size_t)n * (size_t)n;
    if (lane == LANE_PANEL) {       /* these are of this library's modules, too */
        bf16->widen(count, X, Y);
        bf16->round(count, Y, X);
        bf16->changes(count, X, Y);
    }
    for (size_t i = 0; bf16->gemm != NULL && i < sizeof products / sizeof products[0]; i++)
        bf16->gemm(products[i].a, products[i].b, n, n, n, -1, X, n, X, n, Y, n);
}

/* Calls kernels with a panel of two tiles X, the upper one a unit matrix. */
static void try_panels(char type, int n, void *X, void *on_host)
{
    const struct panel_kernels *k = cuda_panels(type);
    cuda_identity(type, 2 * n, n, X);
    k->getrf(2 * n, n, X, 2 * n, on_host, false);
    k->geqrt(2 * n, n, X, 2 * n, on_host, n);
}

/* The maximum for panels of each step's height, because a smaller one may need more. */
static size_t panels_bytes(struct cuda_lane *l, const struct device_needs *n)
{
    size_t most = 0;
    for (int m = n->panel_rows; m > 0; m -= n->rows) {
        const size_t bytes[] = { cuda_panel_bytes(l, n->type, m, n->columns), cuda_panel_bytes(l, n->type, m, n->last_columns) };
        most = bytes[0] > most ? bytes[0] : most;
        most = bytes[1] > most ? bytes[1] : most;
    }
    return most;
}

static size_t rounded_up(int n, int to)
{
    return ((size_t)n + (size_t)to - 1) / (size_t)to * (size_t)to;
}

/* The bytes that cuBLAS needs to emulate a product of n x n matrices in double precision; without this workspace it allocates
   memory at each call. An upper bound from cuBLAS's manual (13.1), fixed-point workspace requirements. */
static size_t emulation_bytes(char type, int n)
{
    size_t parts = type == 'z' ? 2 : 1, slices = (CUDA_EMULATED_BITS + 1 + 7) / 8, constant = (size_t)128 << 20;
    size_t rows = rounded_up(n, 1024), inner = rounded_up(n, 128), k = ((size_t)n + 8191) / 8192, order = (size_t)n;
    size_t sums = rows * rows * sizeof(int32_t) * parts * parts * slices, most_sums = (size_t)1 << 32;
    size_t factors = 2 * rows * inner * parts * slices + 2 * rows * sizeof(int32_t) * parts;
    size_t gemm = factors + (sums < most_sums ? sums : most_sums) * k;
    size_t scans = (2 * order * rounded_up(n, 64) / 64 + order * order) * sizeof(int32_t) * parts;
    return (gemm > scans ? gemm : scans) * 5 / 4 + constant;
}

/* Returns false after a failure. */
static bool set_workspace(struct offload *o, struct cuda_lane *lane, const struct device_needs *n)
{
    if (o->emulation != EMULATE_FP64 || (n->type != 'd' && n->type != 'z'))
        return true;
    size_t bytes = emulation_bytes(n->type, n->rows > n->columns ? n->rows : n->columns);
    void *workspace = cuda_room(&lane->workspace, &lane->workspace_bytes, bytes);
    return workspace != NULL && cuda_blas_ok(cuda_now()->blas_set_workspace(lane->blas, workspace, lane->workspace_bytes),
                                             "SetWorkspace");
}

/* Results for the host need pinned memory. */
static void warm_panels(struct cuda_device *d, char type, int order, void *X)
{
    size_t bytes = (size_t)order * (size_t)order * precision_of(type)->size;
    void *on_host = NULL;
    if (d->warm_panels[type_index(type)] >= order ||
        !cuda_ok(cuda_now()->host_allocate(&on_host, bytes, CUDA_PORTABLE), "cudaHostAlloc"))
        return;
    try_panels(type, order, X, on_host);
    cuda_wait(&current.offload->table);
    cuda_now()->host_release(on_host);
    d->warm_panels[type_index(type)] = order;
}

/* Allocates the lane's workspace, and two matrices as large as operands to try kernels on. */
static void prepare_lane(struct offload *o, int device, enum lane lane, const struct device_needs *n, int order)
{
    struct cuda_device *d = cuda_device_of(o, device);
    const struct device_blocks *blocks = &o->cuda->blocks[type_index(n->type)];
    const struct device_blocks *other = &o->cuda->blocks[type_index(precision_of(n->type)->other)];
    cuda_begin(&o->table, device, lane);
    struct cuda_lane *l = cuda_lane();
    size_t size = precision_of(n->type)->size, operand = (size_t)n->rows * (size_t)n->columns * size;
    size_t inverses = (size_t)blocks->trsm * (size_t)(n->rows < n->columns ? n->columns : n->rows) * size;
    size_t work = l == NULL ? 0 : cuda_work_bytes(l, n->type, n->rows, n->columns);
    size_t last = l == NULL ? 0 : cuda_work_bytes(l, n->type, n->last_rows, n->last_columns);
    bool made = l != NULL && cuda_room_for_inverses(l, inverses) && set_workspace(o, l, n);
    size_t panels = l != NULL && lane == LANE_PANEL && n->panel_rows > 0 ? panels_bytes(l, n) : 0;
    size_t sums = cuda_sums_bytes(), pieces = n->mixed ? 5 * operand + PIECES_BYTES : 2 * operand;
    work = panels > work ? panels : work;
    work = sums > work ? sums : work;
    char *X = made ? cuda_room(&l->scratch, &l->scratch_bytes, pieces) : NULL;
    bool warms = X != NULL && cuda_room(&l->work, &l->work_bytes, work > last ? work : last) != NULL && !is_warm(d, n, order);
    if (warms && n->mixed)
        try_narrow(precision_of(n->type)->other, order, lane, two_blocks(other->herk, order), X, X + operand);
    if (warms && n->bf16)
        try_bf16(order, lane, X, X + operand);
    if (warms)
        try_kernels(n->type, order, lane, blocks, X, X + operand);
    if (X != NULL && panels > 0)
        warm_panels(d, n->type, order, X);
    device_end_and_wait(&o->table);
}

/* Memory for tiles in the other precision, whose norms are computed there, or which are widened there. */
static void prepare_moves(struct offload *o, int device, const struct device_needs *n)
{
    cuda_begin(&o->table, device, LANE_UP);
    struct cuda_lane *l = cuda_lane();
    size_t single = (size_t)n->rows * (size_t)n->columns * precision_of(n->type)->size / 2;
    if (l != NULL && cuda_room(&l->work, &l->work_bytes, cuda_sums_bytes()) != NULL)
        cuda_room(&l->scratch, &l->scratch_bytes, single + PIECES_BYTES);
    device_end_and_wait(&o->table);
}

void cuda_prepare(struct devices *devices, const struct device_needs *needs)
{
    struct offload *o = offload_of(devices);
    int order = needs->rows < needs->columns ? needs->rows : needs->columns;
    for (int device = 1; device <= devices->count && !atomic_load(&o->failed); device++) {
        struct cuda_device *d = cuda_device_of(o, device);
        prepare_lane(o, device, LANE_UPDATE, needs, order);
        prepare_lane(o, device, LANE_UPDATE_TOO, needs, order);
        prepare_lane(o, device, LANE_PANEL, needs, order);
        if (needs->mixed)
            prepare_moves(o, device, needs);
        if (!is_warm(d, needs, order))
            d->warm[type_index(needs->type)] = order;
        cuda_make_tickets(o, device, needs->tickets - d->tickets);
    }
}
