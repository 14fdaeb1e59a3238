/* A map from tiles to numbers: open addressing with linear probing. An entry counts only if it has the current stamp of the
   table, so clearing the table adds one to the stamp. */
#include "rma/rma.h"

#include <stdlib.h>

struct entry {
    const void *matrix;
    int64_t id;
    int value;
    unsigned stamp;
};

struct rma_table {
    struct entry *entry;
    size_t mask;        /* entries - 1, entries a power of two at least twice the count */
    int count;
    unsigned stamp;     /* never 0, the stamp of a fresh entry */
};

struct rma_table *rma_table_create(int expected)
{
    size_t size = 256;
    while (size < 2 * (size_t)expected)
        size *= 2;
    struct rma_table *t = malloc(sizeof *t);
    struct entry *entry = calloc(size, sizeof *entry);
    if (t == NULL || entry == NULL) {
        free(t);
        free(entry);
        return NULL;
    }
    *t = (struct rma_table){ .entry = entry, .mask = size - 1, .stamp = 1 };
    return t;
}

void rma_table_destroy(struct rma_table **table)
{
    if (*table == NULL)
        return;
    free((*table)->entry);
    free(*table);
    *table = NULL;
}

void rma_table_clear(struct rma_table *t)
{
    t->count = 0;
    if (++t->stamp == 0) {
        for (size_t i = 0; i <= t->mask; i++)
            t->entry[i].stamp = 0;
        t->stamp = 1;
    }
}

int rma_table_count(const struct rma_table *t)
{
    return t->count;
}

/* The entry of the tile, or the free entry for it. */
static struct entry *locate(const struct rma_table *t, const void *matrix, int64_t id)
{
    uint64_t hash = ((uint64_t)id ^ (uint64_t)(uintptr_t)matrix >> 6) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & t->mask;
    while (t->entry[i].stamp == t->stamp && (t->entry[i].matrix != matrix || t->entry[i].id != id))
        i = (i + 1) & t->mask;
    return &t->entry[i];
}

int rma_table_find(const struct rma_table *t, const void *matrix, int64_t id)
{
    const struct entry *e = locate(t, matrix, id);
    return e->stamp == t->stamp ? e->value : -1;
}

static int grow(struct rma_table *t)
{
    struct rma_table larger = *t;
    larger.mask = 2 * t->mask + 1;
    larger.entry = calloc(larger.mask + 1, sizeof *larger.entry);
    if (larger.entry == NULL)
        return 1;
    for (size_t i = 0; i <= t->mask; i++)
        if (t->entry[i].stamp == t->stamp)
            *locate(&larger, t->entry[i].matrix, t->entry[i].id) = t->entry[i];
    free(t->entry);
    *t = larger;
    return 0;
}

int rma_table_insert(struct rma_table *t, const void *matrix, int64_t id, int value)
{
    if (2 * (size_t)(t->count + 1) > t->mask + 1 && grow(t) != 0)
        return 1;
    struct entry *e = locate(t, matrix, id);
    if (e->stamp != t->stamp)
        t->count++;
    *e = (struct entry){ .matrix = matrix, .id = id, .value = value, .stamp = t->stamp };
    return 0;
}
