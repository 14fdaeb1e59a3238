/*
 * Memory that fails on request, in programs that are linked with $(FAILING_MEMORY). The functions of this header make all
 * allocations of the library's own code, and no others. Each allocation can be made to fail, and unfreed blocks are known.
 */
#ifndef OMPFACT_TESTS_FAILING_MEMORY_H
#define OMPFACT_TESTS_FAILING_MEMORY_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__real_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *memory);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *memory, size_t bytes);

/* ---- failing --------------------------------------------------------------------------------------------------------------- */

static struct {
    atomic_int left;            /* allocations until one fails; negative: none will */
    atomic_bool forever;        /* all later allocations fail too, until memory_recovers() */
    atomic_int failures;
    void *_Atomic where;        /* the call of the last failure */
} memory = { .left = -1 };

extern const char __executable_start;

/* The address of a place in the program, for addr2line -e PROGRAM. */
static inline long place_of(const void *call)
{
    return (long)((const char *)call - &__executable_start);
}

static inline void memory_fails_after(int allocations, bool forever)
{
    memory.failures = 0;
    memory.forever = forever;
    memory.left = allocations;
}

static inline void memory_recovers(void)
{
    memory.left = -1;
}

static inline bool memory_fails_now(void *call)
{
    int left = atomic_load(&memory.left);
    while (left > 0)
        if (atomic_compare_exchange_weak(&memory.left, &left, left - 1))
            return false;
    if (left < 0 || (!memory.forever && !atomic_compare_exchange_strong(&memory.left, &left, -1)))
        return false;
    memory.failures++;
    memory.where = call;
    errno = ENOMEM;
    return true;
}

/* ---- counting -------------------------------------------------------------------------------------------------------------- */

struct block {
    struct block *next;
    void *memory, *call;
    long number;
};
enum { BUCKETS = 4096 };
static struct block *buckets[BUCKETS];
static long blocks_made;
static atomic_flag blocks_lock = ATOMIC_FLAG_INIT;

static inline struct block **bucket_of(const void *block)
{
    return &buckets[((uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

static inline void *note_block(void *block, void *call)
{
    struct block *b = block != NULL ? __real_malloc(sizeof *b) : NULL;
    if (b == NULL)
        return block;
    while (atomic_flag_test_and_set(&blocks_lock))
        ;
    *b = (struct block){ *bucket_of(block), block, call, blocks_made++ };
    *bucket_of(block) = b;
    atomic_flag_clear(&blocks_lock);
    return block;
}

/* Must be called before the block is freed, because another thread may get the block at once. Ignores blocks that others
   allocated. */
static inline void forget_block(const void *block)
{
    while (atomic_flag_test_and_set(&blocks_lock))
        ;
    struct block **link = bucket_of(block), *b;
    while ((b = *link) != NULL && b->memory != block)
        link = &b->next;
    if (b != NULL)
        *link = b->next;
    atomic_flag_clear(&blocks_lock);
    __real_free(b);
}

/* The number of unfreed blocks since blocks_made was `since`; prints where some of them were allocated. */
static inline int blocks_left(long since)
{
    enum { SAID = 5 };
    int count = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (const struct block *b = buckets[i]; b != NULL; b = b->next)
            if (b->number >= since && count++ < SAID)
                printf("not freed: allocation %ld, made at 0x%lx\n", b->number - since, place_of(b->call));
    return count;
}

/* ---- the functions --------------------------------------------------------------------------------------------------------- */

void *__wrap_malloc(size_t bytes)
{
    void *call = __builtin_return_address(0);
    return memory_fails_now(call) ? NULL : note_block(__real_malloc(bytes), call);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    void *call = __builtin_return_address(0);
    return memory_fails_now(call) ? NULL : note_block(__real_calloc(count, bytes), call);
}

void *__wrap_realloc(void *block, size_t bytes)
{
    void *call = __builtin_return_address(0);
    if (memory_fails_now(call))
        return NULL;
    if (block != NULL)
        forget_block(block);
    return note_block(__real_realloc(block, bytes), call);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    void *call = __builtin_return_address(0);
    return memory_fails_now(call) ? NULL : note_block(__real_aligned_alloc(alignment, bytes), call);
}

void __wrap_free(void *block)
{
    if (block != NULL)
        forget_block(block);
    __real_free(block);
}

static inline char *copy_text(const char *text, size_t length, void *call)
{
    char *copy = memory_fails_now(call) ? NULL : note_block(__real_malloc(length + 1), call);
    if (copy != NULL)
        snprintf(copy, length + 1, "%.*s", (int)length, text);
    return copy;
}

char *__wrap_strdup(const char *text)
{
    return copy_text(text, strlen(text), __builtin_return_address(0));
}

char *__wrap_strndup(const char *text, size_t most)
{
    return copy_text(text, strnlen(text, most), __builtin_return_address(0));
}

void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    void *call = __builtin_return_address(0);
    if (memory_fails_now(call))
        return MAP_FAILED;
    void *mapped = __real_mmap(at, bytes, protection, flags, file, offset);
    return mapped == MAP_FAILED ? mapped : note_block(mapped, call);
}

int __wrap_munmap(void *mapped, size_t bytes)
{
    forget_block(mapped);
    return __real_munmap(mapped, bytes);
}

#endif
