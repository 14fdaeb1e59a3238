/* A heap of entries, the least first: by `first`, then by `second`. A heap of zero bytes is empty; the caller frees `entry`. */
#ifndef OMPFACT_SRC_MODEL_HEAP_H
#define OMPFACT_SRC_MODEL_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct entry {
    double first;
    int64_t second;
};

struct heap {
    struct entry *entry;            /* entry[0] is the least */
    int64_t count, room;
};

bool heap_push(struct heap *heap, struct entry entry);      /* false: no memory */
struct entry heap_pop(struct heap *heap);                   /* the heap must not be empty */

#endif
