/*
 * usage: panel_times one-sided|messages [OWNER_US [READER_US [PANELS [TILES [in-place|copy]]]]]       (0 0 20 8 in-place)
 *
 * Measures the time from the publication of a panel by rank 0 until the last of its readers, all other ranks, has the last tile.
 * The owner sleeps OWNER_US microseconds outside MPI between two polls, a reader READER_US. MPIR_CVAR_NOLOCAL=1 makes a node of
 * each rank. Prints a line "WAY OWNER_US READER_US PANEL_MS TILE_MS WRONG" with medians over panels and over tiles; the first
 * panels are not counted. All ranks are on one machine, because they compare times of one clock. bench/native builds and runs
 * this program.
 */
#include "rma/rma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM = 3, TILE_BYTES = 512 << 10, WORDS = TILE_BYTES / 8, MOST_TILES = 64 };

static struct {
    const char *way;
    bool in_place;
    long owner_us, reader_us;
    int panels, tiles;
} how = { .way = "one-sided", .in_place = true, .panels = 20, .tiles = 8 };

static struct rma *rma;
static struct rma_space *space;
static struct rma_slot slots[MOST_TILES];
static int64_t *copies;         /* the tiles of a reader */
static double *published;       /* [panel]: time of publication; all ranks have the same clock */
static double *arrived_at;      /* [panel][tile]: time of arrival */
static double *now_arriving;    /* the row of the current panel */
static int arrivals, wrong;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sleeps outside MPI; with 0 microseconds like a rank without work. */
static void stay_outside(long microseconds, bool moved, struct rma_backoff *backoff)
{
    if (microseconds > 0)
        nanosleep(&(struct timespec){ .tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000 }, NULL);
    else if (!moved)
        rma_back_off(backoff);
}

static struct rma_address address_of(int tile)
{
    return (struct rma_address){ .space = space, .disp = (MPI_Aint)tile * TILE_BYTES, .bytes = TILE_BYTES, .id = tile };
}

static int64_t content(int panel, int tile, int word)
{
    return INT64_C(1000003) * (MOST_TILES * panel + tile) + word;
}

/* ---- the owner ----------------------------------------------------------------------------------------------------------- */

static void fill(int panel)
{
    int64_t *word = rma_space_base(space);
    for (int t = 0; t < how.tiles; t++)
        for (int w = 0; w < WORDS; w++)
            *word++ = content(panel, t, w);
}

static void publish(int tile)
{
    int readers = rma_ranks(rma) - 1;
    struct rma_publication *p = malloc(sizeof *p + (size_t)readers * sizeof p->reader[0]);
    if (p == NULL)
        abort();
    *p = (struct rma_publication){ .tile = address_of(tile), .count = readers };
    for (int r = 0; r < readers; r++)
        p->reader[r] = r + 1;
    rma_publish(rma, p);
}

/* The readers request all tiles before the panel is published, as in a run. */
static void be_owner(int panel)
{
    struct rma_backoff backoff = { 0 };
    for (double end = now() + 0.005 + 2e-6 * (double)how.reader_us; now() < end;)
        stay_outside(0, rma_progress(rma, false), &backoff);
    published[panel] = now();
    for (int t = 0; t < how.tiles; t++)
        publish(t);
    while (!rma_close(rma))
        stay_outside(how.owner_us, rma_progress(rma, true), &backoff);
}

/* ---- a reader ------------------------------------------------------------------------------------------------------------ */

static void arrived(struct rma_slot *slot)
{
    now_arriving[slot->from.id] = now();
    arrivals++;
}

static void request(int tile)
{
    struct rma_slot *s = &slots[tile];
    char *in_place = rma_space_in_place(space, 0);
    *s = (struct rma_slot){ .from = address_of(tile), .arrived = arrived, .copied = in_place == NULL };
    s->data = in_place != NULL ? (void *)(in_place + s->from.disp) : copies + (ptrdiff_t)tile * WORDS;
    rma_fetch(rma, s);
}

static bool is_right(int panel, int tile)
{
    const int64_t *word = slots[tile].data;
    bool right = true;
    for (int w = 0; w < WORDS; w++)
        right &= word[w] == content(panel, tile, w);
    return right;
}

static void be_reader(int panel)
{
    struct rma_backoff backoff = { 0 };
    arrivals = 0;
    now_arriving = arrived_at + (ptrdiff_t)panel * how.tiles;
    for (int t = 0; t < how.tiles; t++)
        request(t);
    while (arrivals < how.tiles) {
        bool moved = rma_progress(rma, true);
        moved |= rma_deliver(rma);
        if (arrivals < how.tiles)
            stay_outside(how.reader_us, moved, &backoff);
    }
    for (int t = 0; t < how.tiles; t++)
        wrong += !is_right(panel, t);
    rma_finish(rma);
}

/* ---- all ----------------------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

static void report(void)
{
    int all = WARM + how.panels, per_rank = all * how.tiles, ranks = rma_ranks(rma), count = 0;
    double *at = malloc(sizeof *at * (size_t)per_rank * (size_t)ranks), *panel = calloc((size_t)all, sizeof *panel);
    double *tile = malloc(sizeof *tile * (size_t)per_rank * (size_t)ranks);
    if (at == NULL || panel == NULL || tile == NULL)
        abort();
    MPI_Gather(arrived_at, per_rank, MPI_DOUBLE, at, per_rank, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = per_rank; i < ranks * per_rank; i++) {
        int p = i % per_rank / how.tiles;
        double took = 1e3 * (at[i] - published[p]);
        if (p < WARM)
            continue;
        tile[count++] = took;
        panel[p - WARM] = took > panel[p - WARM] ? took : panel[p - WARM];
    }
    if (rma_rank(rma) == 0)
        printf("%s %ld %ld %.3f %.3f %d\n", how.way, how.owner_us, how.reader_us, median(panel, how.panels),
               median(tile, count), wrong);
    free(at);
    free(panel);
    free(tile);
}

/* Returns NULL, or the name of the failed call. */
static const char *measure(void)
{
    static const bool SETTLED = false;
    char text[256];
    enum rma_between between = strcmp(how.way, "one-sided") == 0 ? RMA_ONE_SIDED : RMA_MESSAGES;
    if (rma_create(MPI_COMM_WORLD, how.in_place, RMA_FLAT, between, &rma, text, sizeof text) != 0)
        return "rma_create";
    bool owner = rma_rank(rma) == 0;
    if (rma_space_create(rma, owner ? (size_t)how.tiles * TILE_BYTES : 0, how.tiles, how.tiles, &space) != 0)
        return "rma_space_create";
    for (int p = 0; p < WARM + how.panels; p++) {
        if (owner)
            fill(p);
        if (rma_open(rma, &space, &SETTLED, 1, NULL) != 0)
            return "rma_open";
        (owner ? be_owner : be_reader)(p);
        if (rma_error(rma) != 0)
            return "a run";
    }
    report();
    rma_space_destroy(&space);
    rma_destroy(&rma);
    return NULL;
}

static bool read_words(int argc, char **argv)
{
    how.way = argc > 1 ? argv[1] : "";
    how.owner_us = argc > 2 ? atol(argv[2]) : 0;
    how.reader_us = argc > 3 ? atol(argv[3]) : 0;
    how.panels = argc > 4 ? atoi(argv[4]) : how.panels;
    how.tiles = argc > 5 ? atoi(argv[5]) : how.tiles;
    how.in_place = argc <= 6 || strcmp(argv[6], "copy") != 0;
    return (strcmp(how.way, "one-sided") == 0 || strcmp(how.way, "messages") == 0) && how.panels > 0 && how.tiles > 0 &&
           how.tiles <= MOST_TILES;
}

int main(int argc, char **argv)
{
    int level;
    const char *failed = NULL;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (!read_words(argc, argv)) {
        fprintf(stderr, "usage: panel_times one-sided|messages [OWNER_US [READER_US [PANELS [TILES [in-place|copy]]]]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    size_t panels = (size_t)(WARM + how.panels), tiles = (size_t)how.tiles;
    copies = malloc(tiles * TILE_BYTES);
    published = calloc(panels, sizeof *published);
    arrived_at = calloc(panels * tiles, sizeof *arrived_at);
    failed = copies == NULL || published == NULL || arrived_at == NULL ? "memory" : measure();
    if (failed != NULL) {
        fprintf(stderr, "panel_times: failed: %s\n", failed);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    free(copies);
    free(published);
    free(arrived_at);
    MPI_Finalize();
    return 0;
}
