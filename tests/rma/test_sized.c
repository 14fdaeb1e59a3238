/*
 * Sized tiles: only the owner knows, when it publishes a tile, whether its data are all of the tile or its first columns. The
 * flag carries the size to all readers: those of the owner's node, who read in place or copy, and those of other nodes. With
 * checksums and without.
 */
#include "tests/rma/rma_tiles.h"

/* A column is not a whole number of pages or pieces. A tile is a few bytes longer than its columns. */
enum { COLUMN_WORDS = 83, COLUMNS = WORDS / COLUMN_WORDS };

static void create_nodes(void)
{
    create_rma(true, RMA_FLAT);
    assert_everywhere(all_ranks_count() == 1 || rma_nodes(rma)->count == 2);
}

/* The size that the owner determines for tile t in this run: a number of columns, or the whole tile. */
static int size_in(int run, int rank, int t)
{
    int columns = (7 * run + 3 * t + rank) % (COLUMNS + 2);
    return columns > COLUMNS ? RMA_ALL : columns;
}

static int words_in(int run, int rank, int t)
{
    int size = size_in(run, rank, t);
    return size == RMA_ALL ? WORDS : COLUMN_WORDS * size;
}

static struct rma_address sized_address(struct rma_space *space, int rank, int t)
{
    struct rma_address address = address_of(space, rank, t);
    address.column = COLUMN_WORDS * sizeof(int64_t);
    return address;
}

/* Writes the data of the tile, and behind them stamps of no run. */
static void write_sized(struct rma_space *space, int run, int t)
{
    int me = rma_rank(rma);
    int64_t *word = (int64_t *)rma_space_base(space) + (ptrdiff_t)WORDS * t;
    write_tile(space, run, t);
    for (int w = words_in(run, me, t); w < WORDS; w++)
        word[w] = -1;
}

static void publish_sized(struct rma_space *space, int run, int t)
{
    int me = rma_rank(rma);
    publish_as(sized_address(space, me, t), size_in(run, me, t));
}

/* Copies data that were read in place when they arrive, no more than there are. */
static void arrived_sized(struct rma_slot *slot)
{
    struct order *order = slot->context;
    if (!slot->copied)
        memcpy(order->words, slot->data, slot->from.bytes);
    order->arrivals++;
}

static void fetch_sized(struct rma_space *space, int rank, int t, struct order *order)
{
    *order = (struct order){ .arrivals = 0 };
    order->slot.from = sized_address(space, rank, t);
    char *in_place = rma_space_in_place(space, rank);
    order->slot.data = in_place != NULL ? in_place + order->slot.from.disp : (char *)order->words;
    order->slot.copied = in_place == NULL;
    order->slot.route.parent = rank;
    order->slot.arrived = arrived_sized;
    order->slot.context = order;
    rma_fetch(rma, &order->slot);
}

/* The right number of bytes has arrived, from the tile's beginning, and the reader knows their number. */
static bool sized_arrived_right(const struct order *order, int run)
{
    int rank = order->slot.from.rank, t = (int)(order->slot.from.id - (int64_t)rank * TILES), words = words_in(run, rank, t);
    bool right = order->arrivals == 1 && order->slot.size == size_in(run, rank, t) &&
                 order->slot.from.bytes == (size_t)words * sizeof(int64_t);
    for (int w = 0; w < WORDS; w++)
        right &= order->words[w] == (w < words ? stamp(run, order->slot.from.id) + w : 0);
    return right;
}

/* Every rank fetches all tiles of all others, half of them before they are published. */
static void exchange_sized(struct rma_space *space, int run)
{
    int me = rma_rank(rma), ranks = rma_ranks(rma), count = (ranks - 1) * TILES, fetched = 0;
    struct order *orders = calloc((size_t)count + 1, sizeof *orders);
    int64_t bytes = 0;
    open_run(&space, false);
    for (; fetched < count / 2; fetched++)
        fetch_sized(space, (me + 1 + fetched / TILES) % ranks, fetched % TILES, &orders[fetched]);
    for (int t = TILES - 1; t >= 0; t--) {
        write_sized(space, run, t);
        publish_sized(space, run, t);
        rma_progress(rma, true);
    }
    for (; fetched < count; fetched++)
        fetch_sized(space, (me + 1 + fetched / TILES) % ranks, fetched % TILES, &orders[fetched]);
    bool right = wait_for(orders, count);
    for (int i = 0; i < count && right; i++) {
        right &= sized_arrived_right(&orders[i], run) && (!rma_has_sums(rma) || rma_slot_is_intact(&orders[i].slot));
        bytes += (int64_t)orders[i].slot.from.bytes;
    }
    if (right && rma_has_sums(rma) && count > 0 && orders[0].slot.copied && orders[0].slot.from.bytes > 0) {
        orders[0].words[0]++;       /* changes a copy */
        right &= !rma_slot_is_intact(&orders[0].slot);
    }
    rma_finish(rma);
    struct rma_counters moved = rma_counters(rma);
    free(orders);
    assert_everywhere_msg(right, "run %d", run);
    assert_everywhere(rma_error(rma) == MPI_SUCCESS);
    assert_everywhere_msg(moved.transfers == count && moved.transfer_bytes == bytes, "%lld transfers of %lld bytes, not %d of "
                          "%lld", (long long)moved.transfers, (long long)moved.transfer_bytes, count, (long long)bytes);
}

/* Where tiles may be in half the precision, the size contains the precision. */
START_TEST(halves)
{
    struct rma_address tile = { .bytes = 1000, .column = 80, .half = 520, .quarter = 260 };
    ck_assert_uint_eq(rma_size_bytes(&tile, RMA_ALL), 1000);
    ck_assert_uint_eq(rma_size_bytes(&tile, RMA_ALL_HALVED), 520);
    ck_assert_uint_eq(rma_size_bytes(&tile, RMA_ALL_QUARTERED), 260);
    ck_assert_int_eq(rma_halved_size(0, true), 0);
    for (int columns = 0; columns < RMA_ALL_QUARTERED / 2; columns++)
        for (int halved = 0; halved < 2; halved++) {
            int size = rma_halved_size(columns, halved);
            ck_assert(size < RMA_ALL_QUARTERED && size != RMA_ALL_HALVED && size >> RMA_SIZE_BITS == 0 && size / 2 == columns);
            ck_assert_uint_eq(rma_size_bytes(&tile, size), (size_t)columns * (halved ? 40 : 80));
        }
}
END_TEST

/* Every run has other sizes: no data, columns and whole tiles. Reused memory may have any contents. */
START_TEST(sizes)
{
    struct rma_space *space;
    int tiles = rma_ranks(rma) * TILES;
    assert_everywhere(rma_space_create_sparse(rma, sizeof(int64_t) * WORDS * TILES, tiles, TILES, &space) == MPI_SUCCESS);
    rma_set_jitter(rma, _i ? 1000 : 0);
    for (int run = 1; run <= 12; run++)
        exchange_sized(space, run);
    rma_set_jitter(rma, 0);
    rma_space_destroy(&space);
}
END_TEST

/* In a settled space tiles have no size: they arrive whole. */
START_TEST(settled)
{
    struct rma_space *space = new_space();
    int me = rma_rank(rma), ranks = rma_ranks(rma), count = (ranks - 1) * TILES;
    struct order *orders = calloc((size_t)count + 1, sizeof *orders);
    for (int t = 0; t < TILES; t++)
        write_tile(space, 1, t);
    open_run(&space, true);
    for (int i = 0; i < count; i++)
        fetch_sized(space, (me + 1 + i / TILES) % ranks, i % TILES, &orders[i]);
    bool right = wait_for(orders, count);
    for (int i = 0; i < count; i++)
        right &= orders[i].slot.size == RMA_ALL && orders[i].words[WORDS - 1] == stamp(1, orders[i].slot.from.id) + WORDS - 1;
    rma_finish(rma);
    free(orders);
    assert_everywhere(right);
    rma_space_destroy(&space);
}
END_TEST

static void add_case(Suite *suite, const char *name, void (*create)(void))
{
    TCase *tests = tcase_create(name);
    tcase_add_test(tests, halves);
    tcase_add_unchecked_fixture(tests, create, destroy_rma);
    tcase_add_loop_test(tests, sizes, 0, 2);
    tcase_add_test(tests, settled);
    suite_add_tcase(suite, tests);
}

int main(int argc, char **argv)
{
    setenv("OMPFACT_TEST_NODES", "2", 1);
    Suite *suite = suite_create("sized");
    add_case(suite, "copying", create_copying);
    add_case(suite, "copying, sums", create_copying_with_sums);
    add_case(suite, "in place", create_nodes);
    add_case(suite, "in place, sums", create_in_place_with_sums);
    return run_suite(argc, argv, suite);
}
