#include "omp/packing.h"
#include "omp/help.h"

#include <stdlib.h>

void task_has_packed(const struct task *t, int i, enum trans trans)
{
    struct worker *me = run_worker(t->run);
    const struct task_tile *A = &t->tile[i];
    if (me->packed_count == me->packed_room) {
        int room = 2 * me->packed_room + 256;
        struct packed_tile *larger = realloc(me->packed, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            task_no_memory(t);
            return;
        }
        me->packed = larger;
        me->packed_room = room;
    }
    int m = trans == NO_TRANS ? A->mb : A->nb, n = trans == NO_TRANS ? A->nb : A->mb;
    me->packed[me->packed_count++] = (struct packed_tile){ precision_in(t, A), m, n, view_of_op(trans, A->data, A->mb) };
}

void run_unpack(struct run *run)
{
    int all = 0;
    for (int i = 0; i < run->threads; i++)
        all += run->worker[i].packed_count;
    for (int next; (next = atomic_fetch_add(&run->unpacked, 1)) < all;) {
        const struct worker *of = run->worker;
        for (; next >= of->packed_count; of++)
            next -= of->packed_count;
        if (unpack_in_place(&of->packed[next]) != 0)
            atomic_store(&run->no_memory, true);
    }
}
