/* What the tests of packed tiles share: kinds of processors, views of tiles, and memory whose end is checked. */
#ifndef OMPFACT_TESTS_OMP_KERNELS_PACKED_TILES_H
#define OMPFACT_TESTS_OMP_KERNELS_PACKED_TILES_H

#include "omp/kernels/micro/packed.h"
#include "tests/omp/kernels/test_kernels.h"

enum { PROCESSORS = 3, TYPE_LETTERS = 4, BEHIND = 64 };

static const struct packed_kernels *packed;    /* under test */

/* Selects the kernels of test i. Returns false where this processor has no kernels with that number. */
static inline bool use_processor(int i)
{
    char type = "sdcz"[i % TYPE_LETTERS];
    use_type(type);
    packed = packed_kernels_number(i / TYPE_LETTERS, type);
    return packed != NULL;
}

static inline struct view view_of(const ompfact_tile *t)
{
    return (struct view){ t->data, 1, t->ld, false };
}

static inline struct view view_of_transpose(const ompfact_tile *t)
{
    return (struct view){ t->data, t->ld, 1, true };
}

/* Memory for a packed tile, and behind it bytes that no kernel may change. */
static inline unsigned char *new_packed(const ompfact_tile *t)
{
    size_t bytes = (size_t)t->mb * (size_t)t->nb * precision->size;
    unsigned char *P = malloc(bytes + BEHIND);
    memset(P, 0xa5, bytes + BEHIND);
    return P;
}

static inline void check_behind(const ompfact_tile *t, const unsigned char *P)
{
    for (int i = 0; i < BEHIND; i++)
        ck_assert_int_eq(P[(size_t)t->mb * (size_t)t->nb * precision->size + (size_t)i], 0xa5);
}

#endif
