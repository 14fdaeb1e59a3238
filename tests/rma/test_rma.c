/* Publication and fetches alone: windows, flags and reads, without layouts or kernels. */
#include "tests/rma/rma_tiles.h"

#include "rma/move.h"

/* In one run every rank fetches all tiles of all others: first half of them, then the rest after publishing its own tiles. */
static void exchange(struct rma_space *space, int run, bool settled)
{
    int me = rma_rank(rma), ranks = rma_ranks(rma), count = (ranks - 1) * TILES, asked = 0;
    struct order *orders = calloc((size_t)count + 1, sizeof *orders);
    if (settled)
        for (int t = 0; t < TILES; t++)
            write_tile(space, run, t);
    open_run(&space, settled);
    for (; asked < count / 2; asked++)
        fetch(space, (me + 1 + asked / TILES) % ranks, asked % TILES, &orders[asked]);
    for (int t = TILES - 1; t >= 0 && !settled; t--) {
        write_tile(space, run, t);
        publish(space, t);
        rma_progress(rma, true);
    }
    for (; asked < count; asked++)
        fetch(space, (me + 1 + asked / TILES) % ranks, asked % TILES, &orders[asked]);
    bool right = wait_for(orders, count);
    rma_finish(rma);
    for (int i = 0; i < count; i++)
        right &= arrived_right(&orders[i], run);
    struct rma_counters moved = rma_counters(rma);
    free(orders);
    assert_everywhere(right);
    assert_everywhere(rma_error(rma) == MPI_SUCCESS);
    assert_everywhere(moved.transfers == count && moved.transfer_bytes == (int64_t)count * WORDS * 8);
}

/* ---- runs ------------------------------------------------------------------------------------------------------------------ */

/* Every published tile reaches every other rank, in one run after another on the same space: flags of one run do not count in
   the next. */
START_TEST(publish_and_fetch)
{
    struct rma_space *space = new_space();
    for (int run = 1; run <= 10; run++)
        exchange(space, run, false);
    rma_space_destroy(&space);
    assert_everywhere(space == NULL);
}
END_TEST

/* Tiles are exchanged with random delays in every poll. */
START_TEST(with_delays)
{
    struct rma_space *space = new_space();
    rma_set_jitter(rma, 2000);
    for (int run = 1; run <= 5; run++)
        exchange(space, run, run % 2 == 0);
    rma_set_jitter(rma, 0);
    rma_space_destroy(&space);
}
END_TEST

/* Tiles of a settled space are fetched without flags, and the next run waits for flags again. */
START_TEST(settled)
{
    struct rma_space *space = new_space();
    for (int run = 1; run <= 4; run++)
        exchange(space, run, run % 2 == 1);
    rma_space_destroy(&space);
}
END_TEST

/* A tile that nobody has published does not arrive, however long the reader polls. */
START_TEST(not_before_published)
{
    struct rma_space *space = new_space();
    int me = rma_rank(rma), ranks = rma_ranks(rma), left = (me + 1) % ranks;
    struct order order;
    write_tile(space, 1, 0);
    open_run(&space, false);
    fetch(space, left, 0, &order);
    for (double end = MPI_Wtime() + 0.02; MPI_Wtime() < end;) {
        rma_progress(rma, false);
        rma_deliver(rma);
    }
    int early = order.arrivals;
    everywhere(true);       /* nobody publishes before all others have polled */
    publish(space, 0);
    bool came = ranks == 1 || wait_for(&order, 1);
    if (ranks == 1) {       /* no other rank will publish the tile: the flag is this rank's own */
        struct rma_publication *p = malloc(sizeof *p + sizeof p->reader[0] + sizeof p->word[0]);
        p->word = (struct rma_word *)(p->reader + 1);
        p->tile = address_of(space, 0, 0);
        p->count = 1;
        p->reader[0] = 0;
        rma_publish(rma, p);
        came = wait_for(&order, 1);
    }
    rma_finish(rma);
    assert_everywhere(early == 0);
    assert_everywhere(came && arrived_right(&order, 1));
    rma_space_destroy(&space);
}
END_TEST

/* Reads wait where more are requested than may be in flight at once. */
START_TEST(many_reads)
{
    enum { COUNT = 200 };
    struct rma_space *space = new_space();
    struct order *orders = calloc(COUNT, sizeof *orders);
    int ranks = rma_ranks(rma);
    for (int t = 0; t < TILES; t++)
        write_tile(space, 3, t);
    open_run(&space, true);
    for (int i = 0; i < COUNT; i++)
        fetch(space, i % ranks, i % TILES, &orders[i]);
    bool right = wait_for(orders, COUNT);
    rma_finish(rma);
    for (int i = 0; i < COUNT; i++)
        right &= arrived_right(&orders[i], 3);
    free(orders);
    assert_everywhere(right);
    assert_everywhere(rma_counters(rma).transfers == COUNT);
    rma_space_destroy(&space);
}
END_TEST

/* In a run with two spaces each tile's flag belongs to its own space. */
START_TEST(two_spaces)
{
    struct rma_space *spaces[2] = { new_space(), new_space() };
    int left = (rma_rank(rma) + 1) % rma_ranks(rma), alone = rma_ranks(rma) == 1;
    struct order orders[2];
    for (int s = 0; s < 2; s++)
        write_tile(spaces[s], 1 + s, 2);
    assert_everywhere(rma_open(rma, spaces, (bool[]){ alone, true }, 2, NULL) == MPI_SUCCESS);
    for (int s = 0; s < 2; s++)
        fetch(spaces[s], left, 2, &orders[s]);
    bool second = wait_for(&orders[1], 1);
    publish(spaces[0], 2);
    bool first = wait_for(&orders[0], 1);
    rma_finish(rma);
    assert_everywhere(first && second);
    assert_everywhere(arrived_right(&orders[0], 1) && arrived_right(&orders[1], 2));
    rma_space_destroy(&spaces[1]);
    rma_space_destroy(&spaces[0]);
}
END_TEST

/* A run ends when all ranks have closed it, not before, and serves readers until then. */
START_TEST(closing)
{
    struct rma_space *space = new_space();
    bool last = rma_rank(rma) == rma_ranks(rma) - 1, early = false, came = true;
    struct order order;
    write_tile(space, 9, 1);
    open_run(&space, true);
    for (double end = MPI_Wtime() + 0.02; !last && MPI_Wtime() < end;) {    /* the others try to close, */
        early |= rma_close(rma);
        rma_progress(rma, false);
    }
    everywhere(true);
    if (last) {                                                             /* this rank still reads */
        fetch(space, 0, 1, &order);
        came = wait_for(&order, 1) && arrived_right(&order, 9);
    }
    rma_finish(rma);
    assert_everywhere(!early);
    assert_everywhere(came);
    assert_everywhere(rma_close(rma));
    rma_space_destroy(&space);
}
END_TEST

/* Tiles of a space are aligned at least as malloc's memory is. A space may be empty. */
START_TEST(spaces)
{
    struct rma_space *space = new_space(), *empty;
    assert_everywhere((uintptr_t)rma_space_base(space) % 16 == 0);
    assert_everywhere(rma_space_create(rma, 0, 0, 1, &empty) == MPI_SUCCESS);
    open_run(&empty, false);
    rma_finish(rma);
    assert_everywhere(rma_counters(rma).transfers == 0);
    rma_space_destroy(&empty);
    rma_space_destroy(&space);
    rma_space_destroy(&space);      /* NULL is allowed */
}
END_TEST

/* ---- exchanges in rounds --------------------------------------------------------------------------------------------------- */

/* The bytes that rank `from` has for rank `to` in a round: none, or some that are not whole words. */
static int64_t parcel(int round, int from, int to)
{
    return from == to ? 0 : (3 * from + 5 * to + round) % 4 * 37;
}

static unsigned char content(int round, int from, int to, int64_t byte)
{
    return (unsigned char)(byte * 7 + 50 * round + 11 * from + 3 * to);
}

/* Each round brings every rank the others' bytes for it, and nothing of earlier rounds. The bytes are counted. */
START_TEST(exchanges)
{
    enum { ROUNDS = 12, ROOM = 4096, RANKS = 64 };
    struct rma_exchange *x;
    int me = rma_rank(rma), ranks = rma_ranks(rma);
    int64_t out[RANKS + 1] = { 0 }, in[RANKS + 1] = { 0 }, all = 0;
    bool right = true;
    assert_everywhere(rma_exchange_create(rma, ROOM, &x) == MPI_SUCCESS);
    rma_set_jitter(rma, 500);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t position = 100 * round + me;
        right &= rma_exchange_agree(x, &position) == MPI_SUCCESS && position == 100 * round;
        for (int i = 0; i < ranks; i++) {
            out[i + 1] = out[i] + parcel(round, me, i);
            in[i + 1] = in[i] + parcel(round, i, me);
            for (int64_t b = out[i]; b < out[i + 1]; b++)
                ((unsigned char *)rma_exchange_outbox(x))[b] = content(round, me, i, b - out[i]);
        }
        right &= rma_exchange_move(x, out, in) == MPI_SUCCESS;
        for (int i = 0; i < ranks; i++)
            for (int64_t b = in[i]; b < in[i + 1]; b++)
                right &= ((const unsigned char *)rma_exchange_inbox(x))[b] == content(round, i, me, b - in[i]);
        all += in[ranks];
    }
    rma_set_jitter(rma, 0);
    assert_everywhere(right && rma_exchange_bytes(x) == all);
    rma_exchange_destroy(&x);
    assert_everywhere(x == NULL);
    rma_exchange_destroy(&x);
}
END_TEST

/* The collectives that yield return the same results as MPI's. */
START_TEST(collectives)
{
    int ranks = rma_ranks(rma), sum = rma_rank(rma) + 1, word = rma_rank(rma);
    assert_everywhere(ranks == all_ranks_count() && rma_rank(rma) == my_rank() && rma_ranks_on_node(rma) <= ranks);
    assert_everywhere(rma_allreduce(rma, &sum, 1, MPI_INT, MPI_SUM) == MPI_SUCCESS && sum == ranks * (ranks + 1) / 2);
    assert_everywhere(rma_bcast(rma, &word, 1, MPI_INT, ranks - 1) == MPI_SUCCESS && word == ranks - 1);
    assert_everywhere(rma_barrier(rma) == MPI_SUCCESS);
}
END_TEST

static bool all_reported(double share)
{
    bool right = true;
    for (int rank = 1; rma_rank(rma) == 0 && rank < rma_ranks(rma); rank++)
        right &= rma_reported_share(rma, rank) == share;
    return right;
}

/* Rank 0 receives the progress of all ranks during a run, and all of it before the run is closed. Between runs nothing travels.
   */
START_TEST(shares)
{
    struct rma_space *space = new_space();
    assert_everywhere(rma_set_shares(rma, true) == MPI_SUCCESS);
    for (int polls = 0; polls < 20; polls++)
        rma_barrier(rma);
    assert_everywhere(all_reported(0));
    for (int run = 0; run < 3; run++) {
        open_run(&space, false);
        bool fresh = all_reported(0), half = false;
        everywhere(true);
        rma_report_share(rma, 0.5);
        for (double end = MPI_Wtime() + 10; !half && MPI_Wtime() < end; half = all_reported(0.5))
            rma_progress(rma, true);
        everywhere(true);
        rma_finish(rma);
        assert_everywhere(fresh && half && all_reported(1));
    }
    rma_space_destroy(&space);
}
END_TEST

/* A tree reaches every member once. The parent that a member names has this member as a child. */
START_TEST(trees)
{
    enum { MOST = 40 };
    static const enum rma_bcast kinds[] = { RMA_AUTO, RMA_FLAT, RMA_CHAIN, RMA_BINOMIAL };
    bool right = true;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (int count = 0; count < MOST; count++) {
            int parent_of[MOST + 1], named_by[MOST + 1], child[MOST];
            memset(named_by, -1, sizeof named_by);
            for (int i = 0; i <= count; i++) {
                int children = rma_tree(kinds[kind], count, i, &parent_of[i], child);
                for (int c = 0; c < children; c++) {
                    right &= child[c] > i && child[c] <= count && named_by[child[c]] == -1;
                    named_by[child[c]] = i;
                }
            }
            for (int i = 0; i <= count; i++)
                right &= parent_of[i] == named_by[i] && parent_of[i] < i;
        }
    assert_everywhere(right);
}
END_TEST

static TCase *runs(const char *name, void (*create)(void))
{
    TCase *runs = tcase_create(name);
    tcase_add_unchecked_fixture(runs, create, destroy_rma);
    tcase_add_test(runs, publish_and_fetch);
    tcase_add_test(runs, with_delays);
    tcase_add_test(runs, settled);
    tcase_add_test(runs, not_before_published);
    tcase_add_test(runs, many_reads);
    tcase_add_test(runs, two_spaces);
    tcase_add_test(runs, closing);
    tcase_add_test(runs, spaces);
    return runs;
}

static Suite *rma_suite(void)
{
    Suite *suite = suite_create("rma");
    TCase *copying = runs("copying", create_copying);
    tcase_add_test(copying, exchanges);
    tcase_add_test(copying, collectives);
    tcase_add_test(copying, trees);
    tcase_add_test(copying, shares);
    suite_add_tcase(suite, copying);
    TCase *in_place = runs("in place", create_in_place);
    tcase_add_test(in_place, exchanges);
    suite_add_tcase(suite, in_place);
    suite_add_tcase(suite, runs("copying, sums", create_copying_with_sums));
    suite_add_tcase(suite, runs("in place, sums", create_in_place_with_sums));
    return suite;
}

int main(int argc, char **argv)
{
    return run_suite(argc, argv, rma_suite());
}
