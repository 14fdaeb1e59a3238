/*
 * What limited a run. Each cause leaves a mark of its own in a trace, and they are looked for in this order, since a cause that
 * comes first makes the marks of those behind it, too: everybody waits for a slow rank, and a chain of tasks grows by a wire.
 *
 *   rank     one rank's tasks take longer, kernel by kernel and flop by flop, than those of the others (its time is compared with
 *            the median of theirs, so that one other's bad luck does not count), far more so than any other's, and it has more
 *            to do for it than they have. A rank that is slow but has been given less work holds nobody up, nor does one that
 *            loses less time than is lost on the wire.
 *   work     the cores were busy: as many threads as there are cores were at work at any time. Where ranks share cores this is
 *            true though most threads wait.
 *   wire     threads wait for tiles that are final already, and on their way. Nodes must be several: on one node a tile is there
 *            when it is final.
 *   tiles,   the longest chain of tasks, panel, solve and update of each step, one after the other, takes much of the time. It
 *   chain    is as long as n nb^2, so smaller tiles shorten it, while the work stays: where tiles are not small it is theirs to
 *            mend, and a third of the time is much; else the matrix is too small for so many cores, if it takes half.
 *   balance  the ranks have unequal work, flops or speeds: those with less wait at the end. Where a rank has but a few tiles, no
 *            layout can share them out, and smaller ones could.
 *   panel    threads wait, and neither wire nor chain explains it: the tasks of the panel come late, behind others.
 *   work     nothing of this: threads compute nearly all the time.
 */
#include "src/page/cause.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cause counts from these shares on. */
static const double SLOW = 1.25, SLOW_LOSS = 0.12, SLOW_MORE_BUSY = 1.1, FULL = 0.85, IN_TRANSIT = 0.1, OF_IDLE = 0.35,
                    LINK = 0.6, CHAIN = 0.5, CHAIN_OF_LARGE = 0.3, UNEQUAL = 0.12, WAITING = 0.1;
enum { SMALL_TILE = 128, FEW_TILES = 24 };      /* a tile size; tiles of a thread */

/* The use of the threads' time, as shares of all of it. */
struct shares {
    double busy, idle, transit, waits;      /* waits: without a ready task, except at the end */
    double concurrency;                     /* mean number of threads at work */
    double cores;                           /* that the threads had, at most one each */
};

/* ---- a rank ---------------------------------------------------------------------------------------------------------------- */

static bool find_slow(const struct page_data *d, const struct shares *s, struct cause *cause)
{
    double most = 0, next = 0, idle = 0, time = 0;
    int slow = -1;
    for (int r = 0; r < d->ranks; r++) {
        double slowness = slowness_of(d, r);
        next = fmax(next, fmin(slowness, most));        /* one of the two may be NAN, which fmax and fmin ignore */
        slow = slowness > most ? r : slow;
        most = fmax(most, slowness);
    }
    if (slow < 0 || most < SLOW || most - 1 < 2 * (next - 1))
        return false;
    double lost = (1 - 1 / most) * load_of(d, slow) / d->length;
    bool less_than_wire = d->facts.nodes > 1 && lost < s->transit;
    if (lost < SLOW_LOSS || less_than_wire || load_of(d, slow) < SLOW_MORE_BUSY * usual_load(d, slow))
        return false;
    for (int t = 0; t < d->tracks; t++)
        if (d->track[t].rank != slow) {
            time += d->length;
            idle += fmax(0, d->length - d->track[t].busy);
        }
    cause->rank = slow;
    snprintf(
        cause->sentence, sizeof cause->sentence,
        "A slow rank: the tasks of rank %d took %.1f times as long as those of the other ranks, which did nothing %.0f %% of "
        "the time.",
        slow, most, time > 0 ? 100 * idle / time : 0);
    return true;
}

/* ---- shares ---------------------------------------------------------------------------------------------------------------- */

static int threads_on(const struct page_data *d, int node)
{
    int threads = 0;
    for (int t = 0; t < d->tracks; t++) {
        int rank = d->track[t].rank;
        threads += !d->track[t].of_device && (rank < d->nodes_known ? d->node_of[rank] : 0) == node;
    }
    return threads;
}

static double cores_of(const struct page_data *d)
{
    int nodes = page_nodes(d), cores = 0;
    for (int node = 0; node < nodes; node++) {
        int threads = threads_on(d, node);
        cores += d->cores > 0 && d->cores < threads ? d->cores : threads;
    }
    return cores;
}

static struct shares shares_of(const struct page_data *d)
{
    struct shares s = { .cores = cores_of(d) };
    double busy = 0, on_devices = 0, time = d->length * fmax(1, d->threads);
    for (int t = 0; t < d->tracks; t++)
        *(d->track[t].of_device ? &on_devices : &busy) += fmin(d->track[t].busy, d->length);
    for (int64_t w = 0; w < d->waits; w++) {
        s.waits += (d->wait[w].end - d->wait[w].start) / time;
        s.transit += d->wait[w].transit / time;
    }
    s.busy = busy / time;
    s.idle = fmax(0, 1 - s.busy);
    s.concurrency = busy / d->length;
    enum { LANES = 3 };     /* tracks of a device */
    double devices = (d->tracks - d->threads) / (double)LANES;
    if (devices > 0 && on_devices / (devices * d->length) > s.busy)     /* devices have the work, and threads wait for them */
        s.concurrency = s.cores * on_devices / (devices * d->length);
    return s;
}

/* ---- the others ------------------------------------------------------------------------------------------------------------ */

static bool blame_work(const struct page_data *d, const struct shares *s, struct cause *cause)
{
    double rate = d->facts.gflops, gemm = d->facts.gemm_gflops;
    char type = d->facts.type;
    char of_gemm[80] = "";
    if (rate > 0 && gemm > 0)
        snprintf(of_gemm, sizeof of_gemm, ", %.0f %% of %cGEMM's rate", 100 * rate / gemm,
                 type != '\0' ? toupper((unsigned char)type) : 'D');
    if (d->threads > s->cores)
        snprintf(cause->sentence, sizeof cause->sentence,
                 "The work itself: %d threads shared %.0f core%s, and %.1f of them were at work at any time%s.", d->threads,
                 s->cores, s->cores == 1 ? "" : "s", s->concurrency, of_gemm);
    else
        snprintf(cause->sentence, sizeof cause->sentence, "The work itself: the cores were busy %.0f %% of the time%s.",
                 fmin(100, 100 * s->concurrency / s->cores), of_gemm);
    return true;
}

static bool find_full(const struct page_data *d, const struct shares *s, struct cause *cause)
{
    return s->concurrency >= FULL * s->cores && blame_work(d, s, cause);
}

/* The pair of ranks with the longest waits. */
static void worst_pair(const struct page_data *d, int *from, int *to)
{
    double *seconds = calloc((size_t)d->ranks * (size_t)d->ranks, sizeof *seconds), most = 0;
    *from = *to = -1;
    for (int64_t w = 0; seconds != NULL && w < d->waits; w++) {
        const struct page_wait *wait = &d->wait[w];
        if (wait->from < 0)
            continue;
        int64_t pair = (int64_t)wait->from * d->ranks + d->track[wait->track].rank;
        if ((seconds[pair] += wait->transit) > most) {
            most = seconds[pair];
            *from = wait->from;
            *to = d->track[wait->track].rank;
        }
    }
    free(seconds);
}

static bool find_wire(const struct page_data *d, const struct shares *s, struct cause *cause)
{
    int from, to;
    double link = d->facts.link_bound_s;
    bool waits = s->transit >= IN_TRANSIT && s->transit >= OF_IDLE * s->idle, full = link >= LINK * d->length;
    if ((d->facts.nodes != FACT_NONE && d->facts.nodes <= 1) || !(waits || full))
        return false;
    worst_pair(d, &from, &to);
    int length = snprintf(cause->sentence, sizeof cause->sentence,
                          "The wire: threads waited %.0f %% of the time for tiles on their way between ranks", 100 * s->transit);
    if (from >= 0)
        length += snprintf(cause->sentence + length, sizeof cause->sentence - (size_t)length, ", most from rank %d to rank %d",
                           from, to);
    if (link > 0)
        length += snprintf(cause->sentence + length, sizeof cause->sentence - (size_t)length,
                           "; the busiest link needs %.3g s of %.3g s at least", link, d->length);
    snprintf(cause->sentence + length, sizeof cause->sentence - (size_t)length, ".");
    return true;
}

double chain_of(const struct page_data *d)
{
    double chain = 0;
    for (int s = 0; s < d->steps; s++)
        chain += d->step[s].chain;
    return chain;
}

static double tile_size(const struct page_data *d)
{
    return d->facts.nb > 0 ? (double)d->facts.nb : SMALL_TILE;
}

static bool find_chain(const struct page_data *d, const struct shares *s, struct cause *cause)
{
    double chain = chain_of(d), nb = tile_size(d);
    bool large = nb > SMALL_TILE;
    if (chain < (large ? CHAIN_OF_LARGE : CHAIN) * d->length)
        return false;
    if (large) {
        cause->by = "tiles";
        snprintf(cause->sentence, sizeof cause->sentence,
                 "The tiles are too large: with nb = %.0f there are %d steps, one after the other, whose chain of tasks "
                 "takes %.0f %% of the time, while threads did nothing %.0f %% of it.",
                 nb, d->steps, 100 * fmin(1, chain / d->length), 100 * s->idle);
    } else {
        cause->by = "chain";
        snprintf(cause->sentence, sizeof cause->sentence,
                 "The chain of %d steps, one after the other, takes %.0f %% of the time: the matrix is too small for %d "
                 "threads, which did nothing %.0f %% of it.",
                 d->steps, 100 * fmin(1, chain / d->length), d->threads, 100 * s->idle);
    }
    return true;
}

/* Seconds that a rank's tasks would take at the mean rate of each kernel on all ranks, which shows its share of the work. If
   ranks have given speeds, the seconds that its tasks took. */
static double given(const struct page_data *d, int rank)
{
    double seconds = 0;
    if (d->facts.abe_max_over_mean > 0)
        return load_of(d, rank);
    for (int k = 0; k < d->kernels; k++)
        if (d->kernel[k].flops > 0)
            seconds += d->rank[rank].flops[k] * d->kernel[k].seconds / d->kernel[k].flops;
    return seconds / fmax(1, d->rank[rank].tracks);
}

static bool find_unequal(const struct page_data *d, const struct shares *s, struct cause *cause)
{
    double most = 0, sum = 0, tiles = 0;
    int rank = -1;
    for (int r = 0; r < d->ranks; r++) {
        sum += given(d, r);
        tiles = fmax(tiles, d->rank[r].tiles);
        rank = given(d, r) > most ? r : rank;
        most = fmax(most, given(d, r));
    }
    double unequal = most > 0 ? 1 - sum / d->ranks / most : 0;
    double of_thread = tiles * d->ranks / fmax(1, d->threads);
    if (unequal < UNEQUAL || unequal < s->idle / 2)
        return false;
    if (tile_size(d) > SMALL_TILE && tiles > 0 && of_thread < FEW_TILES) {
        cause->by = "tiles";
        snprintf(cause->sentence, sizeof cause->sentence,
                 "The tiles are too large to be shared out: no rank has more than %.0f of them, rank %d has %.0f %% more to "
                 "do than the mean, and threads did nothing %.0f %% of the time.",
                 tiles, rank, 100 * (most * d->ranks / sum - 1), 100 * s->idle);
    } else {
        cause->by = "balance";
        cause->rank = rank;
        snprintf(cause->sentence, sizeof cause->sentence,
                 "The balance: rank %d has %.0f %% more to do than the mean of the ranks, and threads did nothing %.0f %% of "
                 "the time.",
                 rank, 100 * (most * d->ranks / sum - 1), 100 * s->idle);
    }
    return true;
}

/* ---- panels ---------------------------------------------------------------------------------------------------------------- */

/* The shortest range of steps with half of the waits. */
static void worst_steps(const double *seconds, int steps, double all, int *first, int *last)
{
    double inside = 0;
    *first = 0;
    *last = steps - 1;
    for (int low = 0, high = 0; high < steps; high++) {
        inside += seconds[high];
        while (low < high && inside - seconds[low] >= all / 2)
            inside -= seconds[low++];
        if (inside >= all / 2 && high - low < *last - *first) {
            *first = low;
            *last = high;
        }
    }
}

/* The rank whose tiles were waited for most in these steps; -1: no single rank. */
static int whose(const struct page_data *d, int first, int last)
{
    double *seconds = calloc((size_t)d->ranks, sizeof *seconds), all = 0;
    int most = 0;
    for (int64_t w = 0; seconds != NULL && w < d->waits; w++) {
        const struct page_wait *wait = &d->wait[w];
        if (wait->step < first || wait->step > last)
            continue;
        int rank = wait->from >= 0 ? wait->from : d->track[wait->track].rank;
        seconds[rank] += wait->end - wait->start;
        all += wait->end - wait->start;
        most = seconds[rank] > seconds[most] ? rank : most;
    }
    int rank = seconds != NULL && seconds[most] > all / 2 ? most : -1;
    free(seconds);
    return rank;
}

static bool find_panels(const struct page_data *d, const struct shares *s, struct cause *cause)
{
    double *seconds = calloc((size_t)d->steps + 1, sizeof *seconds), all = 0;
    if (s->waits < WAITING || seconds == NULL || d->steps == 0) {
        free(seconds);
        return false;
    }
    for (int64_t w = 0; w < d->waits; w++)
        if (d->wait[w].step >= 0 && d->wait[w].step < d->steps) {
            seconds[d->wait[w].step] += d->wait[w].end - d->wait[w].start;
            all += d->wait[w].end - d->wait[w].start;
        }
    int first, last;
    char of_rank[32] = "", range[48];
    worst_steps(seconds, d->steps, all, &first, &last);
    free(seconds);
    cause->rank = d->ranks > 1 ? whose(d, first, last) : -1;
    if (cause->rank >= 0)
        snprintf(of_rank, sizeof of_rank, ", most of rank %d", cause->rank);
    snprintf(range, sizeof range, first == last ? "panel %d" : "panels %d to %d", first, last);
    snprintf(cause->sentence, sizeof cause->sentence,
             "The panels: threads had no task ready %.0f %% of the time, half of it for want of %s of %d%s.",
             100 * s->waits, range, d->steps, of_rank);
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------------------------------------- */

static void advise(const struct page_data *d, const struct shares *s, struct cause *cause)
{
    static const char *const known[][2] = {
        { "rank",
          "Look at that rank's node: another job, a limit on its cores, a throttled processor, threads pinned to one core. "
          "If it is slower for good, --speeds auto gives it less work." },
        { "wire", "A layout that sends less (--layout auto --explain), a faster network, fewer ranks, or a larger matrix." },
        { "tiles", "Smaller tiles: --nb auto, or half of this --nb." },
        { "chain", "Fewer ranks or threads, or a larger matrix: more cores cannot shorten the chain." },
        { "balance", "--layout auto, smaller tiles, or --speeds auto where ranks are not alike." },
        { "panel", "Smaller tiles, --schedule dynamic, fewer ranks in a column of the layout; for LU --pivot tournament." },
        { "work", "Nothing in particular holds it up: more cores make it faster, as long as each has enough tiles." },
    };
    size_t i = 0;
    while (strcmp(known[i][0], cause->by) != 0)
        i++;
    int length = snprintf(cause->advice, sizeof cause->advice, "%s", known[i][1]);
    if (d->threads > s->cores)
        snprintf(cause->advice + length, sizeof cause->advice - (size_t)length,
                 " Here %d threads shared %.0f cores, and waited for these, too: first of all give each its own.", d->threads,
                 s->cores);
}

struct cause find_cause(const struct page_data *d)
{
    static const struct {
        const char *by;
        bool (*find)(const struct page_data *d, const struct shares *s, struct cause *cause);
    } causes[] = {
        { "rank", find_slow }, { "work", find_full }, { "wire", find_wire }, { "chain", find_chain },
        { "balance", find_unequal }, { "panel", find_panels }, { "work", blame_work },
    };
    struct shares s = shares_of(d);
    for (size_t c = 0;; c++) {
        struct cause cause = { .by = causes[c].by, .rank = -1 };
        if (causes[c].find(d, &s, &cause)) {
            advise(d, &s, &cause);
            return cause;
        }
    }
}
