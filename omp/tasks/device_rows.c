/* Copies of rows between a tile on a device and the host. Scattered rows go through memory of the device in which they are
   contiguous. */
#include "omp/execution.h"

void task_rows_from_device(const struct task *t, int count, int n, const int *from, const void *A, int lda, void *B, int ldb)
{
    struct devices *devices = t->run->plan->devices;
    size_t size = t->precision->size, width = (size_t)count * size;
    void *rows = count > 0 && n > 0 ? devices->scratch(devices, width * (size_t)n) : NULL;
    if (rows == NULL)
        return;
    task_device_kernels(t)->copy_rows(count, n, from, A, lda, NULL, rows, count);
    devices->down_columns(devices, B, (size_t)ldb * size, rows, width, width, (size_t)n);
}

void task_rows_to_device(const struct task *t, int count, int n, const void *A, int lda, const int *to, void *B, int ldb)
{
    struct devices *devices = t->run->plan->devices;
    size_t size = t->precision->size, width = (size_t)count * size;
    void *rows = count > 0 && n > 0 ? devices->scratch(devices, width * (size_t)n) : NULL;
    if (rows == NULL)
        return;
    devices->up_columns(devices, rows, width, A, (size_t)lda * size, width, (size_t)n);
    task_device_kernels(t)->copy_rows(count, n, NULL, rows, count, to, B, ldb);
}

void task_to_device(const struct task *t, int rows, int columns, const void *A, int lda, void *B, int ldb)
{
    struct devices *devices = t->run->plan->devices;
    size_t size = t->precision->size;
    devices->up_columns(devices, B, (size_t)ldb * size, A, (size_t)lda * size, (size_t)rows * size, (size_t)columns);
}

void task_from_device(const struct task *t, int rows, int columns, const void *A, int lda, void *B, int ldb)
{
    struct devices *devices = t->run->plan->devices;
    size_t size = t->precision->size;
    devices->down_columns(devices, B, (size_t)ldb * size, A, (size_t)lda * size, (size_t)rows * size, (size_t)columns);
}

void *task_scratch(const struct task *t, size_t bytes)
{
    return t->run->plan->devices->scratch(t->run->plan->devices, bytes);
}

const struct panel_kernels *task_device_panels(const struct task *t)
{
    return t->run->plan->devices->panels(t->precision->type);
}

const struct kernels *task_kernels_of(const struct task *t, char type)
{
    return t->run->plan->devices->kernels(type);
}

void task_note(const struct task *t, void *on_host, const void *on_device, size_t bytes)
{
    struct devices *devices = t->run->plan->devices;
    devices->down(devices, on_host, on_device, bytes);
}

const struct bf16_kernels *task_bf16_kernels(const struct task *t)
{
    return t->run->plan->devices->bf16;
}
