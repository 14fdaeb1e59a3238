/* Divides rows or columns into tile rows or tile columns. */
#include "src/matrix/tiling.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ompfact_status decline(char message[MESSAGE], const char *text, long long value)
{
    snprintf(message, MESSAGE, text, value);
    return OMPFACT_BAD_ARGUMENT;
}

ompfact_status tiling_check(int64_t size, int nb, const int *sizes, int count, char message[MESSAGE])
{
    if (size < 0)
        return decline(message, "a matrix cannot have %lld rows or columns", size);
    if (sizes == NULL) {
        if (nb < 1)
            return decline(message, "a tile cannot have %lld rows", nb);
        return size / nb < INT_MAX ? OMPFACT_SUCCESS
                                   : decline(message, "tiles of %lld rows are too many for an int: use larger ones", nb);
    }
    if (count < 0)
        return decline(message, "there cannot be %lld tile rows or columns", count);
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        if (sizes[i] < 1)
            return decline(message, "a tile cannot have %lld rows or columns", sizes[i]);
        sum += sizes[i];
    }
    return sum == size ? OMPFACT_SUCCESS : decline(message, "the tiles' sizes sum to %lld, not to the matrix's size", sum);
}

ompfact_status tiling_create(struct tiling *t, int64_t size, int nb, const int *sizes, int count, char message[MESSAGE])
{
    TRY(tiling_check(size, nb, sizes, count, message));
    t->count = sizes != NULL ? count : (int)((size + nb - 1) / nb);
    t->largest = 1;
    t->start = malloc(((size_t)t->count + 1) * sizeof *t->start);
    if (t->start == NULL) {
        snprintf(message, MESSAGE, "no memory for the sizes of %d tile rows", t->count);
        return OMPFACT_NO_MEMORY;
    }
    t->start[0] = 0;
    for (int i = 0; i < t->count; i++) {
        int64_t end = t->start[i] + (sizes != NULL ? sizes[i] : nb);
        t->start[i + 1] = end < size ? end : size;
        if (tiling_size(t, i) > t->largest)
            t->largest = tiling_size(t, i);
    }
    return OMPFACT_SUCCESS;
}

bool tiling_equal(const struct tiling *a, const struct tiling *b)
{
    return a->count == b->count && memcmp(a->start, b->start, ((size_t)a->count + 1) * sizeof *a->start) == 0;
}

void tiling_destroy(struct tiling *t)
{
    free(t->start);
    t->start = NULL;
}

int tiling_part(const struct tiling *t, int64_t at)
{
    int low = 0, high = t->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(t->start[middle] <= at ? &low : &high) = middle;
    }
    return low;
}

static int64_t parts_of(int64_t size, int nb)
{
    return size / nb + (size % nb != 0);
}

int *tiling_cut(const int *given, int fixed, int64_t size, int nb, int64_t cut, int64_t *count)
{
    int64_t at = 0;
    for (int i = 0; i < fixed; i++)
        at += given[i];
    *count = fixed + (at < cut ? parts_of(cut - at, nb) + parts_of(size - cut, nb) : parts_of(size - at, nb));
    int *parts = *count < INT_MAX ? malloc(((size_t)*count + 1) * sizeof *parts) : NULL;
    at = 0;
    for (int64_t i = 0; parts != NULL && i < *count; at += parts[i++]) {
        int64_t left = (at < cut ? cut : size) - at;
        parts[i] = i < fixed ? given[i] : left < nb ? (int)left : nb;
    }
    return parts;
}

int *tiling_sizes(const struct tiling *t)
{
    int *sizes = malloc(((size_t)t->count + 1) * sizeof *sizes);
    for (int i = 0; sizes != NULL && i < t->count; i++)
        sizes[i] = tiling_size(t, i);
    return sizes;
}
