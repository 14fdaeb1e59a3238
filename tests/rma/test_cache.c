/* The cache of remote tiles and its table. One process is enough, because no message is sent. */
#include "rma/rma.h"
#include "tests/suite.h"

/* A slot is found while its step lasts, is held by its readers afterwards, and is free when the last reader releases it. */
START_TEST(cache)
{
    struct rma_cache *c;
    struct rma_address tile[4];
    for (int t = 0; t < 4; t++)
        tile[t] = (struct rma_address){ .rank = 1, .bytes = 24, .id = t };
    ck_assert(rma_cache_create(NULL, 3, 24, false, false, &c) == MPI_SUCCESS);
    struct rma_slot *slot[3];
    bool right = true;
    for (int t = 0; t < 3; t++) {
        right &= rma_cache_find(c, 0, &tile[t]) == NULL;
        slot[t] = rma_cache_take(c, 0, &tile[t], NULL);
        right &= slot[t] != NULL && rma_cache_find(c, 0, &tile[t]) == slot[t] && slot[t]->from.id == t;
        right &= (uintptr_t)slot[t]->data % 64 == 0 && (t == 0 || slot[t]->data != slot[t - 1]->data);
        memset(slot[t]->data, t, 24);
    }
    right &= rma_cache_take(c, 0, &tile[3], NULL) == NULL;       /* full */
    right &= rma_cache_find(c, 0, &tile[3]) == NULL;
    rma_slot_hold(slot[1]);
    rma_slot_hold(slot[1]);
    rma_slot_hold(slot[2]);
    rma_cache_end_step(c, 0);            /* the step ends: slot 0 has no reader */
    for (int t = 0; t < 3; t++)
        right &= rma_cache_find(c, 0, &tile[t]) == NULL;
    right &= rma_cache_take(c, 0, &tile[3], NULL) == slot[0];
    right &= rma_cache_take(c, 0, &tile[0], NULL) == NULL;
    rma_slot_release(c, slot[1]);
    right &= rma_cache_take(c, 0, &tile[0], NULL) == NULL;       /* one reader is left */
    rma_slot_release(c, slot[1]);
    right &= rma_cache_take(c, 0, &tile[0], NULL) == slot[1];
    right &= *(char *)slot[2]->data == 2;               /* the last reader still reads */
    rma_slot_release(c, slot[2]);
    rma_cache_end_step(c, 0);
    right &= rma_cache_peak(c) == 3;
    rma_cache_destroy(&c);
    right &= c == NULL;
    ck_assert(right);
}
END_TEST

/* A cache without slots finds nothing and gives no slot. */
START_TEST(empty_cache)
{
    struct rma_cache *c;
    struct rma_address tile = { .id = 5 };
    ck_assert(rma_cache_create(NULL, 0, 0, false, false, &c) == MPI_SUCCESS);
    bool right = rma_cache_find(c, 0, &tile) == NULL && rma_cache_take(c, 0, &tile, NULL) == NULL;
    rma_cache_end_step(c, 0);
    right &= rma_cache_peak(c) == 0;
    rma_cache_destroy(&c);
    rma_cache_destroy(&c);
    ck_assert(right);
}
END_TEST

/* The table distinguishes pairs of matrix and id, grows, replaces entries, and clears all at once. */
START_TEST(table)
{
    enum { COUNT = 20000 };
    static const char matrix[2];
    struct rma_table *t = rma_table_create(10);
    bool right = t != NULL;
    for (int clear = 0; clear < 3; clear++) {
        for (int i = 0; i < COUNT; i++)
            right &= rma_table_insert(t, &matrix[i % 2], i / 2 * INT64_C(4294967296), i) == 0;
        right &= rma_table_count(t) == COUNT;
        for (int i = 0; i < COUNT; i++)
            right &= rma_table_find(t, &matrix[i % 2], i / 2 * INT64_C(4294967296)) == i;
        right &= rma_table_find(t, &matrix[0], 1) == -1 && rma_table_find(t, NULL, 0) == -1;
        right &= rma_table_insert(t, &matrix[0], 0, 77) == 0 && rma_table_find(t, &matrix[0], 0) == 77;
        right &= rma_table_count(t) == COUNT;
        rma_table_clear(t);
        right &= rma_table_count(t) == 0 && rma_table_find(t, &matrix[0], 0) == -1;
    }
    rma_table_destroy(&t);
    rma_table_destroy(&t);
    ck_assert(right);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cache");
    TCase *tests = tcase_create("cache");
    tcase_add_test(tests, cache);
    tcase_add_test(tests, empty_cache);
    tcase_add_test(tests, table);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
