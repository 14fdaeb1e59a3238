#include "omp/kernels/sharing.h"

bool worth_sharing(const atomic_int *idle, int from, int to, int size)
{
    return to - from > size && atomic_load_explicit(idle, memory_order_relaxed) > 0;
}

void share_pieces(void (*piece)(const void *work, int from, int to), const void *work, int from, int to, int size)
{
#pragma omp taskgroup
    for (int first = from; first < to; first += size) {
        int last = to - first < size ? to : first + size;
#pragma omp task untied firstprivate(work, piece, first, last)
        piece(work, first, last);
    }
}

void share_if_worth(const atomic_int *idle, void (*piece)(const void *work, int from, int to), const void *work, int from, int to,
                    int size)
{
    if (worth_sharing(idle, from, to, size))
        share_pieces(piece, work, from, to, size);
    else
        piece(work, from, to);
}
