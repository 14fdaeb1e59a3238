/*
 * Work of a panel that idle threads share.
 *
 * A panel is on the critical path, so one thread should not compute it alone while others are idle. Shared work is cut into
 * pieces, each a child task in a taskgroup. An idle thread takes a piece at its next taskyield, and the thread that shares the
 * work does the remaining pieces. Pieces wait for nothing, so the group ends. Meanwhile the waiting thread may also run tasks
 * of the runtime that report ready tasks, which do not wait either. If no thread is idle, the work is not cut: pieces cost
 * more than they save, and the group would wait for a piece that a busy thread has taken.
 */
#ifndef OMPFACT_OMP_KERNELS_SHARING_H
#define OMPFACT_OMP_KERNELS_SHARING_H

#include <stdatomic.h>
#include <stdbool.h>

/* Whether to cut from .. to-1 into pieces of `size`. idle: the present number of idle threads of this team. */
bool worth_sharing(const atomic_int *idle, int from, int to, int size);
/* Runs the pieces, which all have this size except the last one, and waits for them. */
void share_pieces(void (*piece)(const void *work, int from, int to), const void *work, int from, int to, int size);
/* Runs the work in pieces if that is worth it, else all at once. */
void share_if_worth(const atomic_int *idle, void (*piece)(const void *work, int from, int to), const void *work, int from, int to,
                    int size);

#endif
