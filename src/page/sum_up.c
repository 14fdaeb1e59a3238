/* Sorts and sums the data of a trace. */
#include "src/page/page_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

/* ---- tracks ---------------------------------------------------------------------------------------------------------------- */

struct numbered {
    struct page_track track;
    int number;
};

static int by_rank(const void *a, const void *b)
{
    const struct page_track *one = &((const struct numbered *)a)->track, *other = &((const struct numbered *)b)->track;
    return one->rank != other->rank ? order(one->rank, other->rank) : order(one->thread, other->thread);
}

static void renumber(struct page_data *d, const int *now)
{
    for (int64_t t = 0; t < d->tasks; t++)
        d->task[t].track = now[d->task[t].track];
    for (int64_t w = 0; w < d->waits; w++)
        d->wait[w].track = now[d->wait[w].track];
    for (int64_t f = 0; f < d->flows; f++)
        d->flow[f].track = now[d->flow[f].track];
}

/* By ranks and threads, then other tracks. */
static bool sort_tracks(struct page_data *d)
{
    struct numbered *list = malloc((size_t)d->tracks * sizeof *list + 1);
    int *now = malloc((size_t)d->tracks * sizeof *now + 1);
    bool done = list != NULL && now != NULL;
    for (int t = 0; done && t < d->tracks; t++)
        list[t] = (struct numbered){ d->track[t], t };
    if (done)
        qsort(list, (size_t)d->tracks, sizeof *list, by_rank);
    for (int t = 0; done && t < d->tracks; t++) {
        d->track[t] = list[t].track;
        now[list[t].number] = t;
        d->threads += !d->track[t].of_device;
    }
    if (done)
        renumber(d, now);
    free(list);
    free(now);
    return done;
}

/* ---- tasks ----------------------------------------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const struct page_task *one = a, *other = b;
    return one->track != other->track ? order(one->track, other->track) : order(one->start, other->start);
}

static void add_task(struct page_data *d, const struct page_task *t)
{
    struct page_track *track = &d->track[t->track];
    struct page_rank *rank = &d->rank[track->rank];
    double seconds = t->end - t->start;
    track->tasks++;
    track->busy += seconds;
    rank->busy += seconds;
    rank->seconds[t->kernel] += seconds;
    rank->flops[t->kernel] += t->flops;
    rank->tasks[t->kernel] += t->updates;
    d->kernel[t->kernel].tasks += t->updates;
    d->kernel[t->kernel].seconds += seconds;
    d->kernel[t->kernel].flops += t->flops;
    d->length = fmax(d->length, t->end);
    d->steps = t->step >= d->steps ? t->step + 1 : d->steps;
}

static void sum_up_tasks(struct page_data *d)
{
    if (d->tasks > 0)
        qsort(d->task, (size_t)d->tasks, sizeof *d->task, by_start);
    for (int64_t t = d->tasks - 1; t >= 0; t--)
        d->track[d->task[t].track].first = t;
    for (int64_t t = 0; t < d->tasks; t++)
        add_task(d, &d->task[t]);
    d->length = fmax(d->length, 1e-9);      /* a divisor */
}

int64_t page_task_count(const struct page_data *d)
{
    int64_t count = 0;
    for (int k = 0; k < d->kernels; k++)
        count += d->kernel[k].tasks;
    return count;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------------- */

int page_by_size(const void *a, const void *b)
{
    return order(*(const double *)a, *(const double *)b);
}

/* Kinds whose tasks follow each other in a step. In Cholesky gemm runs beside syrk, which leads to the next panel. */
static double chain_of_step(const struct page_data *d, const double *seconds, const int64_t *tasks)
{
    double chain = 0;
    bool syrk = false;
    for (int k = 0; k < d->kernels; k++)
        syrk |= tasks[k] > 0 && strcmp(d->kernel[k].name, "syrk") == 0;
    for (int k = 0; k < d->kernels; k++) {
        bool beside = strcmp(d->kernel[k].name, "hand over") == 0 || (syrk && strcmp(d->kernel[k].name, "gemm") == 0);
        if (tasks[k] > 0 && !beside)
            chain += seconds[k] / (double)tasks[k];
    }
    return chain;
}

static void sum_up_step(struct page_data *d, struct page_step *step, const struct page_task *const *task, double *ends)
{
    double seconds[PAGE_KERNELS] = { 0 };
    int64_t tasks[PAGE_KERNELS] = { 0 };
    step->first = INFINITY;
    for (int64_t t = 0; t < step->tasks; t++) {
        const struct page_task *one = task[t];
        seconds[one->kernel] += one->end - one->start;
        tasks[one->kernel]++;
        step->first = fmin(step->first, one->start);
        step->last = fmax(step->last, one->end);
        ends[t] = one->end;
    }
    qsort(ends, (size_t)step->tasks, sizeof *ends, page_by_size);
    if (step->tasks > 0)
        step->median = ends[step->tasks / 2];
    step->chain = chain_of_step(d, seconds, tasks);
}

/* Pointers to the tasks of each step, one step after the other. */
static void deal_out(const struct page_data *d, const struct page_task **list)
{
    int64_t before = 0;
    for (int s = 0; s < d->steps; s++) {
        int64_t tasks = d->step[s].tasks;
        d->step[s].tasks = before;
        before += tasks;
    }
    for (int64_t t = 0; t < d->tasks; t++)
        if (d->task[t].step >= 0)
            list[d->step[d->task[t].step].tasks++] = &d->task[t];
}

static bool sum_up_steps(struct page_data *d)
{
    d->step = calloc((size_t)d->steps + 1, sizeof *d->step);
    const struct page_task **list = malloc((size_t)d->tasks * sizeof *list + 1);
    double *ends = malloc((size_t)d->tasks * sizeof *ends + 1);
    bool done = d->step != NULL && list != NULL && ends != NULL;
    for (int64_t t = 0; done && t < d->tasks; t++)
        if (d->task[t].step >= 0)
            d->step[d->task[t].step].tasks++;
    if (done)
        deal_out(d, list);
    for (int64_t s = 0, first = 0, next; done && s < d->steps; s++, first = next) {
        next = d->step[s].tasks;
        d->step[s].tasks = next - first;
        sum_up_step(d, &d->step[s], list + first, ends);
    }
    free(list);
    free(ends);
    return done;
}

/* ---- transfers ------------------------------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    const struct page_flow *one = a, *other = b;
    if (one->id != other->id)
        return one->id < other->id ? -1 : 1;
    return one->arrives != other->arrives ? one->arrives - other->arrives : order(one->time, other->time);
}

static void add_transfer(struct page_data *d, const struct page_flow *sent, const struct page_flow *used)
{
    int from = d->track[sent->track].rank, to = d->track[used->track].rank;
    d->transfer[d->transfers++] = (struct page_transfer){ sent->track, used->track, sent->time, used->time };
    d->sent[(int64_t)from * d->ranks + to]++;
}

/* For one id first the ends where tiles are sent, then as many where they are used. */
static void join_ends(struct page_data *d)
{
    for (int64_t first = 0, next; first < d->flows; first = next) {
        int64_t sends = 0;
        for (next = first; next < d->flows && d->flow[next].id == d->flow[first].id; next++)
            sends += !d->flow[next].arrives;
        for (int64_t k = 0; k < sends && first + sends + k < next; k++)
            add_transfer(d, &d->flow[first + k], &d->flow[first + sends + k]);
    }
}

/* The trace of a simulation has no ends: there every fetch is a transfer. */
static bool join_flows(struct page_data *d)
{
    d->transfer = malloc((size_t)d->flows / 2 * sizeof *d->transfer + 1);
    d->sent = calloc((size_t)d->ranks * (size_t)d->ranks + 1, sizeof *d->sent);
    if (d->transfer == NULL || d->sent == NULL)
        return false;
    if (d->flows > 0)
        qsort(d->flow, (size_t)d->flows, sizeof *d->flow, by_id);
    join_ends(d);
    for (int64_t f = 0; f < d->fetches && d->flows == 0; f++)
        d->sent[(int64_t)d->fetch[f].from * d->ranks + d->fetch[f].rank]++;
    return true;
}

/* ---- waits ----------------------------------------------------------------------------------------------------------------- */

static int by_arrival(const void *a, const void *b)
{
    const struct page_fetch *one = a, *other = b;
    return one->rank != other->rank ? order(one->rank, other->rank) : order(one->end, other->end);
}

static int wait_by_start(const void *a, const void *b)
{
    const struct page_wait *one = a, *other = b;
    return one->track != other->track ? order(one->track, other->track) : order(one->start, other->start);
}

/* The first element of a sorted list, from `low` on, that does not come before the wanted one; `high`: there is none. */
static int64_t find_first(const void *list, size_t size, int64_t low, int64_t high, const void *wanted,
                          int (*by)(const void *a, const void *b))
{
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (by((const char *)list + (size_t)middle * size, wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last tile that reached the rank in this time; NULL: none. */
static const struct page_fetch *arrival_in(const struct page_data *d, int rank, double start, double end)
{
    const struct page_fetch after = { .rank = rank, .end = nextafter(end, INFINITY) };
    int64_t next = find_first(d->fetch, sizeof after, 0, d->fetches, &after, by_arrival);
    const struct page_fetch *last = next > 0 ? &d->fetch[next - 1] : NULL;
    return last != NULL && last->rank == rank && last->end >= start ? last : NULL;
}

/* The time when a tile became final; NAN: not known. */
static double time_sent(const struct page_data *d, int64_t id)
{
    const struct page_flow wanted = { .id = id, .time = -INFINITY };
    int64_t f = find_first(d->flow, sizeof wanted, 0, d->flows, &wanted, by_id);
    return f < d->flows && d->flow[f].id == id && !d->flow[f].arrives ? d->flow[f].time : NAN;
}

/* The step of the first task on the track that begins no earlier. */
static int step_after(const struct page_data *d, int track, double time)
{
    const double SLACK = 1e-6;
    const struct page_task wanted = { .track = track, .start = time - SLACK };
    int64_t end = d->track[track].first + d->track[track].tasks;
    int64_t t = find_first(d->task, sizeof wanted, d->track[track].first, end, &wanted, by_start);
    return t < end ? d->task[t].step : -1;
}

static void explain_wait(struct page_data *d, struct page_wait *w)
{
    const struct page_fetch *f = arrival_in(d, d->track[w->track].rank, w->start, w->end);
    if (f == NULL) {
        w->step = step_after(d, w->track, w->end);
        return;
    }
    double sent = time_sent(d, f->flow);
    w->from = f->from;
    w->step = f->i < 0 ? step_after(d, w->track, w->end) : f->i < f->j ? f->i : f->j;
    w->transit = isnan(sent) ? 0 : fmax(0, f->end - fmax(w->start, sent));
}

static void sum_up_waits(struct page_data *d)
{
    if (d->fetches > 0)
        qsort(d->fetch, (size_t)d->fetches, sizeof *d->fetch, by_arrival);
    if (d->waits > 0)
        qsort(d->wait, (size_t)d->waits, sizeof *d->wait, wait_by_start);
    for (int64_t w = d->waits - 1; w >= 0; w--) {
        d->track[d->wait[w].track].first_wait = w;
        d->track[d->wait[w].track].waits++;
    }
    for (int64_t w = 0; w < d->waits; w++)
        explain_wait(d, &d->wait[w]);
}

/* ---- ranks ----------------------------------------------------------------------------------------------------------------- */

static int more(int a, int b)
{
    return a > b ? a : b;
}

/* Ranks that have tracks, or that the trace describes. */
static void count_ranks(struct page_data *d)
{
    int64_t known = d->facts.ranks;
    d->ranks = known >= 1 && known < PAGE_RANKS_MAX ? (int)known : 1;
    for (int t = 0; t < d->tracks; t++)
        d->ranks = more(d->ranks, d->track[t].rank + 1);
    for (int64_t f = 0; f < d->fetches; f++)
        d->ranks = more(d->ranks, d->fetch[f].from + 1);
    for (int64_t s = 0; s < d->samples; s++)
        d->ranks = more(d->ranks, d->sample[s].rank + 1);
}

int page_nodes(const struct page_data *d)
{
    int nodes = 1;
    for (int r = 0; r < d->nodes_known && r < d->ranks; r++)
        nodes = d->node_of[r] < d->ranks ? more(nodes, d->node_of[r] + 1) : nodes;
    return nodes;
}

static void sum_up_ranks(struct page_data *d)
{
    double all = 0;
    for (int t = 0; t < d->tracks; t++)
        d->rank[d->track[t].rank].tracks++;
    for (int c = 0; c < page_owners(&d->layout); c++)
        if (d->layout.owner[c] >= 0 && d->layout.owner[c] < d->ranks)
            d->rank[d->layout.owner[c]].tiles++;
    for (int r = 0; r < d->ranks; r++)
        for (int k = 0; k < d->kernels; k++) {
            d->rank[r].work += d->rank[r].flops[k];
            all += d->rank[r].flops[k];
        }
    for (int r = 0; r < d->ranks && all > 0; r++)
        d->rank[r].work *= d->ranks / all;
}

static int sample_by_time(const void *a, const void *b)
{
    const struct page_sample *one = a, *other = b;
    return one->rank != other->rank ? order(one->rank, other->rank) : order(one->time, other->time);
}

bool page_data_finish(struct page_data *d)
{
    page_forget_lookup(d);
    if (d->layout.owner == NULL)
        d->layout = (struct page_layout){ 0 };
    count_ranks(d);
    d->rank = calloc((size_t)d->ranks, sizeof *d->rank);
    if (d->no_memory || d->rank == NULL || !sort_tracks(d))
        return false;
    sum_up_tasks(d);
    if (!sum_up_steps(d) || !join_flows(d))
        return false;
    sum_up_waits(d);
    sum_up_ranks(d);
    if (d->samples > 0)
        qsort(d->sample, (size_t)d->samples, sizeof *d->sample, sample_by_time);
    return true;
}
