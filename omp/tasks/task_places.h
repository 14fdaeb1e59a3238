/* Functions for tasks whose tiles may be in several places. */
#ifndef OMPFACT_OMP_TASKS_TASK_PLACES_H
#define OMPFACT_OMP_TASKS_TASK_PLACES_H

#include "omp/task.h"
#include "omp/tasks/tasks.h"

/* Gathers on the host a final tile that other ranks read and that was computed in parts or on a device. */
void hand_over(struct run *run, struct operand o);
/* The rows of op(A) from `first` on; A is the task's first operand, op is `transa`. */
static inline const char *rows_from(const struct task *t, int first)
{
    const struct task_tile *A = &t->tile[0];
    return A->data + (size_t)first * (t->with.transa == NO_TRANS ? 1 : (size_t)A->mb) * t->precision->size;
}
/* Updates C's separate checksums: C += alpha A B^H, with the checksums of B, which are behind B. If only a triangle of C is
   stored, the checksums are those of the whole C. A is the task's first operand, C its last. task_sums.c */
void update_sums(const struct task *t, const struct task_tile *B);
/* The same by a product in this precision, double or single; A has the elements of the first operand in it. False: no memory. */
bool update_sums_in(const struct task *t, const struct precision *p, const void *A, const struct task_tile *B);
/* Gives a dense tile, an output of the task, a wider precision. The caller writes the wider elements; checksums, if the tile has
   any, are moved behind them. False: no memory, which is recorded, and the tile is as before. task_sums.c */
bool tile_widens(struct task *t, const struct task_tile *A, enum tile_precision to);
/* C -= A J B^H on the checksums. */
struct signed_block;
void update_signed_sums(const struct task *t, const struct signed_block *signs, const struct task_tile *B);
/* Whether the checksums of a packed B of so many rows are additional rows of B. They are if B's strips are all complete. */
static inline bool sums_are_rows(const struct task *t, const struct task_tile *B, int rows)
{
    enum { STRIP = 64 };
    size_t real = t->precision->type == 's' || t->precision->type == 'c' ? sizeof(float) : sizeof(double);
    return B->traits.packed && (size_t)rows * real % STRIP == 0;
}
/* Copies rows between the task's device and the host, n columns: rows from[r] of A on the device to rows r < count of B on the
   host, or rows r of A on the host to rows to[r] of B on the device. Both functions wait for the copy. */
void task_rows_from_device(const struct task *task, int count, int n, const int *from, const void *A, int lda, void *B, int ldb);
void task_rows_to_device(const struct task *task, int count, int n, const void *A, int lda, const int *to, void *B, int ldb);
/* Copies a block of rows x columns to the task's device, or from it. */
void task_to_device(const struct task *task, int rows, int columns, const void *A, int lda, void *B, int ldb);
void task_from_device(const struct task *task, int rows, int columns, const void *A, int lda, void *B, int ldb);
/* The kernels of this type for memory of the task's device. */
const struct kernels *task_kernels_of(const struct task *task, char type);
/* The kernels for bfloat16 of the task's device. */
const struct bf16_kernels *task_bf16_kernels(const struct task *task);
/* Moves few bytes from the task's device to pinned memory. */
void task_note(const struct task *task, void *on_host, const void *on_device, size_t bytes);
/* Memory of the lane until the task has been begun. NULL: no memory, which is a failure of the devices. */
void *task_scratch(const struct task *task, size_t bytes);
/* The kernels for panels of the task's device. */
const struct panel_kernels *task_device_panels(const struct task *task);

#endif
