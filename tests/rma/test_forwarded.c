/* A tile crosses to a node once: the head of the node forwards it to the other readers. The ranks of this machine are two
   nodes. */
#include "tests/rma/captured.h"
#include "tests/rma/rma_tiles.h"

static void create_nodes(void)
{
    create_rma(true, RMA_AUTO);
    assert_everywhere(rma_set_sums(rma, true) == MPI_SUCCESS);
}

/* Polls on every rank: without polls a rank's operations may not proceed. */
static void poll_for(double seconds)
{
    struct rma_backoff backoff = { 0 };
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end; rma_back_off(&backoff))
        rma_progress(rma, false);
    assert_everywhere(rma_barrier(rma) == MPI_SUCCESS);
}

/* All other ranks, in the order of publish(). */
static int list_readers(int *readers)
{
    for (int q = 1; q < rma_ranks(rma); q++)
        readers[q - 1] = q;
    return rma_ranks(rma) - 1;
}

static bool holds_tile(const struct rma_slot *slot)
{
    const int64_t *word = slot->route.in_parent ? slot->parent_data : slot->data;
    bool right = rma_slot_is_intact(slot);
    for (int w = 0; w < WORDS; w++)
        right &= word[w] == stamp(1, slot->from.id) + w;
    return right;
}

/* A tile of the first rank, in the only slot of each reader of another node. */
struct forwarding {
    struct rma_space *space;
    struct rma_cache *cache;
    struct order order;
    struct rma_slot *slot;      /* a reader's slot, until the slot is freed */
    struct rma_route route;
    bool far, head;             /* far: this rank reads the tile; head: it forwards the tile, or would if there were other
                                   readers */
    bool right;                 /* all checks until now */
};

static int forwarded_to(const struct forwarding *l)
{
    return l->head ? l->route.children : 0;
}

/* Collective. When it returns each reader has its tile t. */
static void begin(struct forwarding *l, int t)
{
    const struct rma_nodes *nodes = rma_nodes(rma);
    int me = nodes->rank, readers[nodes->ranks + 1], count = list_readers(readers);
    *l = (struct forwarding){ .space = new_space(), .far = nodes->node_of[me] != nodes->node_of[0] };
    struct rma_address tile = address_of(l->space, 0, t);
    assert_everywhere(rma_cache_create(rma, 1, sizeof l->order.words, true, false, &l->cache) == MPI_SUCCESS);
    write_tile(l->space, 1, t);
    assert_everywhere(rma_open(rma, &l->space, &(bool){ false }, 1, l->cache) == MPI_SUCCESS);
    if (l->far) {
        l->route = rma_find_route(nodes, &tile, readers, count);
        l->slot = rma_cache_take(l->cache, 0, &tile, &l->route);
        l->slot->arrived = arrived_in_cache;
        l->slot->context = &l->order;
        rma_fetch(rma, l->slot);
    }
    if (me == 0) {
        publish(l->space, t);
        rma_progress(rma, true);
    }
    l->right = !l->far || (wait_for(&l->order, 1) && holds_tile(l->slot));
    l->head = l->far && !l->route.in_parent;
    poll_for(0);
}

/* Collective. All readers have released their tiles. */
static void end(struct forwarding *l)
{
    poll_for(0);
    rma_finish(rma);
    struct rma_counters counters = rma_counters(rma);
    assert_everywhere(l->right && counters.transfers == l->far && counters.wire_transfers == l->head);
    int heads = l->head;
    reduce(&heads, 1, MPI_INT, MPI_SUM);
    assert_everywhere(heads == (rma_nodes(rma)->count > 1));
    rma_cache_destroy(&l->cache);
    rma_space_destroy(&l->space);
}

/* The head's slot is not free before the last reader of its node has acknowledged the tile. */
START_TEST(one_slot)
{
    struct forwarding l;
    begin(&l, _i);
    const struct rma_nodes *nodes = rma_nodes(rma);
    struct rma_address next = address_of(l.space, 0, _i + 1);
    int beside = l.route.parent + 1 < nodes->ranks ? l.route.parent + 1 : l.route.parent - 1;
    bool first = l.route.in_parent && nodes->rank == beside;
    if (l.head || first)
        rma_cache_end_step(l.cache, 0);
    poll_for(0.1);
    l.right &= forwarded_to(&l) < 2 || rma_cache_take(l.cache, 1, &next, NULL) == NULL;
    l.right &= !l.route.in_parent || first || holds_tile(l.slot);
    if (l.route.in_parent && !first)
        rma_cache_end_step(l.cache, 0);
    poll_for(0);
    l.right &= !l.head || becomes_free(l.cache, &next, PATIENCE);
    end(&l);
}
END_TEST

/* A head whose readers do not acknowledge its tile is reported by the watchdog, and no other rank is. */
START_TEST(missing_acknowledgement_is_reported)
{
    struct forwarding l;
    char line[100];
    rma_set_watchdog(rma, 0.5);
    begin(&l, 0);
    capture();
    if (l.head)
        rma_cache_end_step(l.cache, 0);
    poll_for(3);
    snprintf(line, sizeof line, "was forwarded from here to %d rank(s), rank %d first, and read by 0 of them", forwarded_to(&l),
             rma_rank(rma) + 1);
    int alone = forwarded_to(&l) == 0, named = captured_here(line), all = captured("was forwarded");
    stop_capture();
    l.right &= (named == 0) == alone;
    reduce(&named, 1, MPI_INT, MPI_SUM);
    l.right &= named == all;
    if (l.route.in_parent)
        rma_cache_end_step(l.cache, 0);
    end(&l);
}
END_TEST

int main(int argc, char **argv)
{
    unsetenv("MPIR_CVAR_NUM_CLIQUES");      /* MPICH would divide each of the two nodes again */
    setenv("OMPFACT_TEST_NODES", "2", 1);
    Suite *suite = suite_create("forwarded");
    TCase *tcase = tcase_create("forwarded");
    tcase_add_unchecked_fixture(tcase, create_nodes, destroy_rma);
    tcase_add_loop_test(tcase, one_slot, 0, TILES - 1);
    tcase_add_test(tcase, missing_acknowledgement_is_reported);
    suite_add_tcase(suite, tcase);
    return run_suite(argc, argv, suite);
}
