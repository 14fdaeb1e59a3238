/* Some rows of a tile on a device, from and to the host: through memory there where they lie together. */
#include "omp/execution.h"

/* Columns of `count` elements, from ld `lda` to ld `ldb`: in one piece where they are one. */
static void move(const struct task *t, bool up, int count, int n, const char *A, int lda, char *B, int ldb)
{
    struct devices *devices = t->run->plan->devices;
    size_t size = t->precision->size;
    bool dense = lda == count && ldb == count;
    int pieces = dense ? 1 : n;
    for (int c = 0; c < pieces; c++) {
        size_t bytes = (size_t)count * (size_t)(dense ? n : 1) * size;
        const char *from = A + (size_t)c * (size_t)lda * size;
        char *to = B + (size_t)c * (size_t)ldb * size;
        if (up)
            devices->up(devices, to, from, bytes);
        else
            devices->down(devices, to, from, bytes);
    }
}

/* NULL: the device has failed, and says so, or there is no memory on it. */
static void *scratch(const struct task *t, int count, int n)
{
    struct devices *devices = t->run->plan->devices;
    void *memory = devices->allocate(devices, t->device, (size_t)count * (size_t)n * t->precision->size);
    if (memory == NULL)
        task_no_memory(t);
    return memory;
}

void task_rows_from_device(const struct task *t, int count, int n, const int *from, const void *A, int lda, void *B, int ldb)
{
    struct devices *devices = t->run->plan->devices;
    void *rows = count > 0 && n > 0 ? scratch(t, count, n) : NULL;
    if (rows == NULL)
        return;
    task_kernels_away(t)->copy_rows(count, n, from, A, lda, NULL, rows, count);
    move(t, false, count, n, rows, count, B, ldb);
    devices->wait(devices);
    devices->release(devices, t->device, rows);
}

void task_rows_to_device(const struct task *t, int count, int n, const void *A, int lda, const int *to, void *B, int ldb)
{
    struct devices *devices = t->run->plan->devices;
    void *rows = count > 0 && n > 0 ? scratch(t, count, n) : NULL;
    if (rows == NULL)
        return;
    move(t, true, count, n, A, lda, rows, count);
    task_kernels_away(t)->copy_rows(count, n, NULL, rows, count, to, B, ldb);
    devices->wait(devices);
    devices->release(devices, t->device, rows);
}
