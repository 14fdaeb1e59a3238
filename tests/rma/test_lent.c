/* A tile crosses to a node once: its head there lends it to the other readers. MPICH makes two nodes of this one. */
#include "tests/rma/rma_tiles.h"

static void create_nodes(void)
{
    create_rma(true, RMA_AUTO);
    assert_everywhere(rma_set_sums(rma, true) == MPI_SUCCESS);
}

/* On every rank: nobody's operations proceed without. */
static void poll_for(double seconds)
{
    struct rma_backoff backoff = { 0 };
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end; rma_back_off(&backoff))
        rma_progress(rma, true);
    assert_everywhere(rma_barrier(rma) == MPI_SUCCESS);
}

/* All other ranks, in the order in which publish() has them. */
static int list_readers(int *readers)
{
    for (int q = 1; q < rma_ranks(rma); q++)
        readers[q - 1] = q;
    return rma_ranks(rma) - 1;
}

static bool holds_tile(const struct rma_slot *slot)
{
    const int64_t *word = slot->way.borrowed ? slot->borrowed : slot->data;
    bool right = rma_slot_is_intact(slot);
    for (int w = 0; w < WORDS; w++)
        right &= word[w] == stamp(1, slot->from.id) + w;
    return right;
}

/* The head's slot is not free before the last of those has given it back that it was lent to. */
START_TEST(one_slot)
{
    struct rma_space *space = new_space();
    struct rma_cache *cache;
    struct order order = { .arrivals = 0 };
    const struct rma_nodes *nodes = rma_nodes(rma);
    int me = nodes->rank, readers[nodes->ranks + 1], count = list_readers(readers);
    bool far = nodes->node_of[me] != nodes->node_of[0], right = true;
    struct rma_address tile = address_of(space, 0, _i), next = address_of(space, 0, _i + 1);
    struct rma_slot *slot = NULL;
    struct rma_way way = { 0 };
    assert_everywhere(rma_cache_create(rma, 1, sizeof order.words, true, &cache) == MPI_SUCCESS);
    write_tile(space, 1, _i);
    assert_everywhere(rma_open(rma, &space, &(bool){ false }, 1, cache) == MPI_SUCCESS);
    if (far) {
        way = rma_find_way(nodes, &tile, readers, count);
        slot = rma_cache_take(cache, 0, &tile, &way, readers);
        slot->arrived = arrived_in_cache;
        slot->context = &order;
        rma_fetch(rma, slot);
    }
    if (me == 0) {
        publish(space, _i);
        rma_progress(rma, true);
    }
    right &= !far || (wait_for(&order, 1) && holds_tile(slot));
    int beside = way.parent + 1 < nodes->ranks ? way.parent + 1 : way.parent - 1;
    bool head = far && !way.borrowed, first = way.borrowed && me == beside;
    int lent_to = head ? way.children : 0;
    poll_for(0);
    if (head || first)
        rma_cache_forget(cache, 0);
    poll_for(0.1);
    right &= !head || lent_to < 2 || rma_cache_take(cache, 1, &next, NULL, NULL) == NULL;
    right &= !way.borrowed || first || holds_tile(slot);
    if (way.borrowed && !first)
        rma_cache_forget(cache, 0);
    poll_for(0);
    right &= !head || comes_free(cache, &next);
    rma_finish(rma);
    struct rma_counters counters = rma_counters(rma);
    right &= counters.transfers == far && counters.wire_transfers == head;
    assert_everywhere(right);
    int heads = head;
    reduce(&heads, 1, MPI_INT, MPI_SUM);
    assert_everywhere(heads == (nodes->count > 1));
    rma_cache_destroy(&cache);
    rma_space_destroy(&space);
}
END_TEST

int main(int argc, char **argv)
{
    setenv("MPIR_CVAR_NUM_CLIQUES", "2", 1);
    setenv("MPIR_CVAR_CLIQUES_BY_BLOCK", "1", 1);
    Suite *suite = suite_create("lent");
    TCase *tcase = tcase_create("lent");
    tcase_add_unchecked_fixture(tcase, create_nodes, destroy_rma);
    tcase_add_loop_test(tcase, one_slot, 0, TILES - 1);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
