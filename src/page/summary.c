/* A run in numbers, as text: its limit, and the times of its kernels and threads. */
#include "src/page/page.h"
#include "src/page/cause.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Busy shares of the first, the middle and the last third. */
static void busy_thirds(const struct page_data *d, double share[3])
{
    double third = d->length / 3;
    for (int64_t t = 0; t < d->tasks; t++)
        for (int k = 0; k < 3 && !d->track[d->task[t].track].of_device; k++)
            share[k] += fmax(0, fmin(d->task[t].end, (k + 1) * third) - fmax(d->task[t].start, k * third)) / third / d->threads;
}

struct waits {
    double all, remote;         /* seconds without a ready task, and the part of them that a remote tile ended */
};

static struct waits waits_of(const struct page_data *d, int track)
{
    struct waits sum = { 0 };
    const struct page_track *t = &d->track[track];
    for (int64_t w = t->first_wait; w < t->first_wait + t->waits; w++) {
        double seconds = fmax(0, fmin(d->wait[w].end, d->length) - fmax(d->wait[w].start, 0));
        sum.all += seconds;
        sum.remote += d->wait[w].from >= 0 ? seconds : 0;
    }
    return sum;
}

static void write_totals(FILE *out, const struct page_data *d)
{
    struct waits waits = { 0 };
    double third[3] = { 0 }, busy = 0, percent = d->threads > 0 ? 100 / (d->threads * d->length) : 0;
    int64_t transfers = 0;
    busy_thirds(d, third);
    for (int t = 0; t < d->tracks; t++) {
        struct waits one = waits_of(d, t);
        waits.all += one.all;
        waits.remote += one.remote;
        busy += d->track[t].of_device ? 0 : d->track[t].busy;
    }
    for (int64_t pair = 0; pair < (int64_t)d->ranks * d->ranks; pair++)
        transfers += d->sent[pair];
    fprintf(out, "%lld tasks on %d rank%s, %d thread%s\nmakespan %.6f s\n", (long long)d->tasks, d->ranks,
            d->ranks == 1 ? "" : "s", d->threads, d->threads == 1 ? "" : "s", d->length);
    fprintf(out, "busy %.1f %%, idle %.1f %% (no task ready %.1f %%, of it waiting for remote tiles %.1f %%)\n", busy * percent,
            100 - busy * percent, waits.all * percent, waits.remote * percent);
    fprintf(out, "idle in the first, middle, last third: %.1f %%, %.1f %%, %.1f %%\ntransfers %lld\n", 100 * (1 - third[0]),
            100 * (1 - third[1]), 100 * (1 - third[2]), (long long)transfers);
}

/* A trace may have any value. */
static void write_name(FILE *out, const char *name)
{
    enum { WIDTH = 12 };
    for (const char *c = name; *c != '\0'; c++)
        fputc(iscntrl((unsigned char)*c) ? '?' : *c, out);
    fprintf(out, "%*s", strlen(name) < WIDTH ? WIDTH - (int)strlen(name) : 0, "");
}

static void write_kernels(FILE *out, const struct page_data *d)
{
    double all = 0;
    for (int k = 0; k < d->kernels; k++)
        all += d->kernel[k].seconds;
    fprintf(out, "\n%-12s%12s%12s%10s%10s%12s\n", "kernel", "updates", "total s", "mean ms", "of busy", "GFLOP/s");
    for (int k = 0; k < d->kernels; k++) {
        const struct page_kernel *one = &d->kernel[k];
        if (one->tasks == 0)
            continue;
        write_name(out, one->name);
        fprintf(out, "%12lld%12.6f%10.4f%9.1f%%%12.2f\n", (long long)one->tasks, one->seconds,
                1e3 * one->seconds / (double)one->tasks, 100 * one->seconds / fmax(all, 1e-9),
                1e-9 * one->flops / fmax(one->seconds, 1e-9));
    }
}

static void write_tracks(FILE *out, const struct page_data *d)
{
    fprintf(out, "\n%-8s%-12s%9s%12s%9s%9s%9s\n", "rank", "lane", "tasks", "busy s", "busy", "no task", "remote");
    for (int t = 0; t < d->tracks; t++) {
        const struct page_track *track = &d->track[t];
        struct waits waits = waits_of(d, t);
        fprintf(out, "%-8d", track->rank);
        write_name(out, track->name);
        fprintf(out, "%9lld%12.6f%8.1f%%%8.1f%%%8.1f%%\n", (long long)track->tasks, track->busy,
                100 * track->busy / d->length, 100 * waits.all / d->length, 100 * waits.remote / d->length);
    }
}

void page_summary(FILE *out, const struct page_data *d)
{
    struct cause cause = find_cause(d);
    fprintf(out, "%s\n%s\n\n", cause.sentence, cause.advice);
    write_totals(out, d);
    write_kernels(out, d);
    write_tracks(out, d);
}
