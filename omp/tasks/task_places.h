/* What the tasks of a tile that lives in several places share. */
#ifndef OMPFACT_OMP_TASKS_TASK_PLACES_H
#define OMPFACT_OMP_TASKS_TASK_PLACES_H

#include "omp/task.h"
#include "omp/tasks/tasks.h"

/* A final tile that was computed in parts, or away: gathered on the host where others read it. */
void hand_over(struct run *run, struct operand o);
/* Rows of op(A) from `first` on, A the task's first operand, op its transa. */
static inline const char *rows_from(const struct task *t, int first)
{
    const struct task_tile *A = &t->tile[0];
    return A->data + (size_t)first * (t->with.transa == NO_TRANS ? 1 : (size_t)A->mb) * t->precision->size;
}
/* C += alpha A B^H on C's sums, apart, by those of B, which lie behind it; of a C of which a triangle is there, those of all of
   it. A is the task's first operand, C its last. task_sums.c */
void update_sums(const struct task *t, const struct task_tile *B);
/* The same by a product in this precision, double or single, in which the elements of the first operand are A. False: there is no
   memory. */
bool update_sums_in(const struct task *t, const struct precision *p, const void *A, const struct task_tile *B);
/* Of a tile in single that is about to be in double: its sums, if it has any, move to where they are then. */
void sums_to_double(const struct task *t, const struct task_tile *A);
/* C -= A J B^H likewise. */
struct signed_block;
void update_signed_sums(const struct task *t, const struct signed_block *signs, const struct task_tile *B);
/* Are the sums of a packed B, of so many rows, simply more of them? Where its strips are whole. */
static inline bool sums_are_rows(const struct task *t, const struct task_tile *B, int rows)
{
    enum { STRIP = 64 };
    size_t real = t->precision->type == 's' || t->precision->type == 'c' ? sizeof(float) : sizeof(double);
    return B->traits.packed && (size_t)rows * real % STRIP == 0;
}
/* Rows from[r] of A, on the task's device, to rows r < count of B on the host, n columns; and from A on the host to rows to[r] of
   B. They wait. */
void task_rows_from_device(const struct task *task, int count, int n, const int *from, const void *A, int lda, void *B, int ldb);
void task_rows_to_device(const struct task *task, int count, int n, const void *A, int lda, const int *to, void *B, int ldb);
/* A block of rows x columns to the task's device, and from it. */
void task_to_device(const struct task *task, int rows, int columns, const void *A, int lda, void *B, int ldb);
void task_from_device(const struct task *task, int rows, int columns, const void *A, int lda, void *B, int ldb);
/* Memory of the lane, until the task has been begun there. NULL: there is none, which is the devices' failure. */
void *task_scratch(const struct task *task, size_t bytes);
/* Of the task's device. */
const struct panel_kernels *task_device_panels(const struct task *task);

#endif
