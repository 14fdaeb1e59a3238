/*
 * Work of a panel that idle threads share.
 *
 * A panel stands on the critical path, so it must not be one thread's where others idle. Shared work is cut into pieces, each a
 * child task in a taskgroup: whoever idles takes one at its next taskyield, and the thread that shares does what is left. Pieces
 * wait for nothing, so the group ends. In the meantime the waiting thread may also run the runtime's notes that tasks are ready,
 * which do not wait either. Where nobody idles nothing is cut: pieces cost more than they bring, and one that a busy thread took
 * in between would be waited for.
 */
#ifndef OMPFACT_OMP_KERNELS_SHARING_H
#define OMPFACT_OMP_KERNELS_SHARING_H

#include <stdatomic.h>
#include <stdbool.h>

/* Whether to cut from .. to-1 into pieces of `size`. idle: how many threads of this team wait for work, at any moment. */
bool worth_sharing(const atomic_int *idle, int from, int to, int size);
/* Runs the pieces, all of them `size` long but the last one, and waits for them. */
void share_pieces(void (*piece)(const void *work, int from, int to), const void *work, int from, int to, int size);
/* Either this, or all of it at once. */
void share_if_worth(const atomic_int *idle, void (*piece)(const void *work, int from, int to), const void *work, int from, int to,
                    int size);

#endif
