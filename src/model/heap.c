#include "src/model/heap.h"

#include <stdlib.h>

static bool before(struct entry a, struct entry b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

bool heap_push(struct heap *h, struct entry e)
{
    if (h->count == h->room) {
        int64_t room = 2 * h->room + 64;
        struct entry *larger = realloc(h->entry, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return false;
        h->entry = larger;
        h->room = room;
    }
    int64_t at = h->count++;
    for (int64_t up = (at - 1) / 2; at > 0 && before(e, h->entry[up]); at = up, up = (at - 1) / 2)
        h->entry[at] = h->entry[up];
    h->entry[at] = e;
    return true;
}

struct entry heap_pop(struct heap *h)
{
    struct entry least = h->entry[0], e = h->entry[--h->count];
    int64_t at = 0;
    for (int64_t down = 1; down < h->count; down = 2 * at + 1) {
        down += down + 1 < h->count && before(h->entry[down + 1], h->entry[down]);
        if (!before(h->entry[down], e))
            break;
        h->entry[at] = h->entry[down];
        at = down;
    }
    h->entry[at] = e;
    return least;
}
