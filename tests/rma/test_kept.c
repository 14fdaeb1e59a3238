/* What a rank keeps for others: checksums of published tiles, and slots that are forwarded along a chain. */
#include "tests/rma/rma_tiles.h"

/* With checksums a reader finds out whether a tile still is as it was published. It finds that the owner has written the tile
   since, or that a copy has changed. */
START_TEST(sums)
{
    struct rma_space *space = new_space();
    int left = (rma_rank(rma) + 1) % rma_ranks(rma);
    struct order order;
    assert_everywhere(rma_has_sums(rma));
    write_tile(space, 1, 0);
    open_run(&space, false);
    fetch(space, left, 0, &order);
    publish(space, 0);
    bool came = rma_ranks(rma) > 1 && wait_for(&order, 1), intact = came && rma_slot_is_intact(&order.slot);
    meet(true);
    write_tile(space, 2, 0);
    everywhere(true);
    bool still = came && rma_slot_is_intact(&order.slot), copied = order.slot.copied;
    order.words[WORDS - 1]++;
    bool broken = came && !rma_slot_is_intact(&order.slot);
    rma_finish(rma);
    assert_everywhere(rma_ranks(rma) == 1 || (came && intact && broken && still == copied));
    rma_space_destroy(&space);
}
END_TEST

static void create_chain(void)
{
    create_rma(false, RMA_CHAIN);
}

/* Polls for so many seconds. Returns whether the order is still missing. */
static bool still_waits(const struct order *order, double seconds)
{
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end && order->arrivals == 0;) {
        rma_progress(rma, true);
        rma_deliver(rma);
    }
    return order->arrivals == 0;
}

/* In a chain a slot that another rank reads is not free before that rank has read it, even if its own readers are done. This
   holds before the read begins and, where reads take long, until it ends. */
START_TEST(forwarded_slot)
{
    struct rma_space *space = new_space();
    struct rma_cache *cache;
    struct order order = { .arrivals = 0 };
    int me = rma_rank(rma), ranks = rma_ranks(rma), readers[2] = { 1, 2 };
    bool first = ranks > 2 && me == 1, second = ranks > 2 && me == 2, kept = true;
    assert_everywhere(rma_cache_create(rma, 1, sizeof order.words, true, false, &cache) == MPI_SUCCESS);
    write_tile(space, 1, 0);
    assert_everywhere(rma_open(rma, &space, &(bool){ false }, 1, cache) == MPI_SUCCESS);
    struct rma_address tile = address_of(space, 0, 0), next = address_of(space, 0, 1);
    if (first || second) {
        struct rma_route route = rma_find_route(rma_nodes(rma), &tile, readers, 2);
        struct rma_slot *slot = rma_cache_take(cache, 0, &tile, &route);
        slot->arrived = arrived_in_cache;
        slot->context = &order;
        rma_fetch(rma, slot);
    }
    if (me == 0) {
        publish(space, 0);
        rma_progress(rma, true);
    }
    bool came = !first || wait_for(&order, 1);
    meet(me == 0);                                      /* the second reader has not polled yet */
    if (first) {
        rma_cache_end_step(cache, 0);
        rma_progress(rma, true);
        kept = rma_cache_take(cache, 1, &next, NULL) == NULL;
    }
    everywhere(true);
    int reading = second && still_waits(&order, 0.02);  /* its read has begun */
    reduce(&reading, 1, MPI_INT, MPI_SUM);
    if (first && reading)
        kept &= !becomes_free(cache, &next, 0.02);
    everywhere(true);
    came &= !second || wait_for(&order, 1);
    if (second)
        rma_cache_end_step(cache, 0);
    meet(!second);
    bool freed = !first || !kept || becomes_free(cache, &next, PATIENCE);
    rma_finish(rma);
    assert_everywhere(came && kept && freed);
    rma_cache_destroy(&cache);
    rma_space_destroy(&space);
}
END_TEST

/* A sized tile may have no data. This size travels down the chain, too, and the slots are acknowledged. */
START_TEST(empty_tile)
{
    struct rma_space *space = new_space();
    struct rma_cache *cache;
    struct order order = { .arrivals = 0 };
    int me = rma_rank(rma), ranks = rma_ranks(rma), readers[ranks], words = _i * 10;
    for (int q = 1; q < ranks; q++)
        readers[q - 1] = q;
    assert_everywhere(rma_cache_create(rma, 1, sizeof order.words, true, false, &cache) == MPI_SUCCESS);
    write_tile(space, 1, 0);
    assert_everywhere(rma_open(rma, &space, &(bool){ false }, 1, cache) == MPI_SUCCESS);
    struct rma_address tile = address_of(space, 0, 0), next = address_of(space, 0, 1);
    tile.column = sizeof(int64_t);
    struct rma_slot *slot = NULL;
    if (me > 0) {
        struct rma_route route = rma_find_route(rma_nodes(rma), &tile, readers, ranks - 1);
        slot = rma_cache_take(cache, 0, &tile, &route);
        slot->arrived = arrived_in_cache;
        slot->context = &order;
        rma_fetch(rma, slot);
    } else {
        publish_as(tile, words);
        rma_progress(rma, true);
    }
    bool came = me == 0 || (wait_for(&order, 1) && slot->size == words && slot->from.bytes == (size_t)words * sizeof(int64_t));
    if (me > 0)
        rma_cache_end_step(cache, 0);
    bool freed = me == 0 || !came || becomes_free(cache, &next, PATIENCE);
    meet(true);
    rma_finish(rma);
    assert_everywhere(came && freed);
    rma_cache_destroy(&cache);
    rma_space_destroy(&space);
}
END_TEST

static Suite *kept_suite(void)
{
    Suite *suite = suite_create("kept");
    TCase *chain = tcase_create("chain");
    tcase_add_unchecked_fixture(chain, create_chain, destroy_rma);
    tcase_add_test(chain, forwarded_slot);
    tcase_add_loop_test(chain, empty_tile, 0, 2);
    suite_add_tcase(suite, chain);
    TCase *copying = tcase_create("copying, sums");
    tcase_add_unchecked_fixture(copying, create_copying_with_sums, destroy_rma);
    tcase_add_test(copying, sums);
    suite_add_tcase(suite, copying);
    TCase *in_place = tcase_create("in place, sums");
    tcase_add_unchecked_fixture(in_place, create_in_place_with_sums, destroy_rma);
    tcase_add_test(in_place, sums);
    suite_add_tcase(suite, in_place);
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, kept_suite());
}
