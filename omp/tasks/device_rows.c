/* Some rows of a tile on a device, from and to the host: through memory there where they lie together. */
#include "omp/execution.h"

void task_rows_from_device(const struct task *t, int count, int n, const int *from, const void *A, int lda, void *B, int ldb)
{
    struct devices *devices = t->run->plan->devices;
    size_t size = t->precision->size, width = (size_t)count * size;
    void *rows = count > 0 && n > 0 ? devices->scratch(devices, width * (size_t)n) : NULL;
    if (rows == NULL)
        return;
    task_kernels_away(t)->copy_rows(count, n, from, A, lda, NULL, rows, count);
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
    task_kernels_away(t)->copy_rows(count, n, NULL, rows, count, to, B, ldb);
}
