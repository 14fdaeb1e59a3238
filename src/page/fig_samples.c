/* The tasks in hand, the remote tiles and the memory of ranks over time. */
#include "src/page/axes.h"
#include "src/page/figures.h"
#include "src/page/rank_colour.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 270, CELLS = 24000 };     /* points of time, of four units of the picture each; points of all ranks together, at
                                           most */

/* value[rank * count + bin] */
struct bins {
    int ranks, count;
    double *value;
    bool any;                   /* whether any value is above 0 */
};
enum { SUBMITTED, READY, TILES, RESIDENT };

/* Means of samples; a point without samples has the mean of the point before. Before the first sample there are no tasks, but
   there is memory. */
static void fill_bins(double *value, const int *samples, int bins, bool lasts)
{
    double before = 0;
    for (int bin = 0; bin < bins && lasts && before == 0; bin++)
        before = samples[bin] > 0 ? value[bin] / samples[bin] : 0;
    for (int bin = 0; bin < bins; bin++)
        before = value[bin] = samples[bin] > 0 ? value[bin] / samples[bin] : before;
}

/* false: no memory. */
static bool sample_bins(const struct page_data *d, int which, struct bins *b)
{
    *b = (struct bins){ .ranks = d->ranks, .count = (int)fmax(BINS / 10, fmin(BINS, CELLS / d->ranks)) };
    b->value = calloc((size_t)d->ranks * (size_t)b->count, sizeof *b->value);
    int *samples = calloc((size_t)d->ranks * (size_t)b->count, sizeof *samples);
    bool made = b->value != NULL && samples != NULL;
    for (int64_t s = 0; made && s < d->samples; s++) {
        const struct page_sample *sample = &d->sample[s];
        if (sample->of_tasks != (which <= READY))
            continue;
        int bin = (int)fmin(b->count - 1, fmax(0, b->count * sample->time / d->length));
        int64_t at = (int64_t)sample->rank * b->count + bin;
        b->value[at] += (double)sample->value[which % 2];
        samples[at]++;
        b->any |= sample->value[which % 2] > 0;
    }
    for (int rank = 0; made && rank < d->ranks; rank++)
        fill_bins(b->value + (int64_t)rank * b->count, samples + (int64_t)rank * b->count, b->count, which >= TILES);
    free(samples);
    return made;
}

static double middle_of(const struct axes *a, const struct bins *b, int bin)
{
    return axes_x(a, (bin + 0.5) * a->x_max / b->count);
}

/* Stacks the area of each rank on that of the rank before. */
static void draw_stacked(FILE *out, const struct axes *a, const struct bins *b)
{
    double below[BINS] = { 0 };
    for (int rank = 0; rank < b->ranks; rank++) {
        double *own = b->value + (int64_t)rank * b->count;
        fprintf(out, "<path fill=\"%s\" d=\"M", rank_colour(rank).hex);
        for (int bin = 0; bin < b->count; bin++) {
            own[bin] += below[bin];
            fprintf(out, "%.0f %.1f ", middle_of(a, b, bin), axes_y(a, own[bin]));
        }
        for (int bin = b->count - 1; bin >= 0; bin--) {
            fprintf(out, "%.0f %.1f ", middle_of(a, b, bin), axes_y(a, below[bin]));
            below[bin] = own[bin];
        }
        fprintf(out, "z\"><title>rank %d</title></path>", rank);
    }
}

static void draw_lines(FILE *out, const struct axes *a, const struct bins *b)
{
    for (int rank = 0; rank < b->ranks; rank++) {
        fprintf(out, "<path class=\"line\" style=\"stroke:%s\" d=\"M", rank_colour(rank).hex);
        for (int bin = 0; bin < b->count; bin++)
            fprintf(out, "%.0f %.1f ", middle_of(a, b, bin), axes_y(a, b->value[(int64_t)rank * b->count + bin]));
        fprintf(out, "\"><title>rank %d</title></path>", rank);
    }
}

static double most_of(const struct bins *b, bool stacked)
{
    double most = 0;
    for (int bin = 0; bin < b->count; bin++) {
        double sum = 0;
        for (int rank = 0; rank < b->ranks; rank++) {
            double value = b->value[(int64_t)rank * b->count + bin];
            sum += value;
            most = fmax(most, value);
        }
        most = stacked ? fmax(most, sum) : most;
    }
    return most;
}

static const struct {
    const char *title, *label, *missing;
    axes_format *format;
    bool stacked;
} kinds[] = {
    [SUBMITTED] = { "Submitted tasks, rank on rank", "Tasks that are submitted and not done, of all ranks, over time",
                    "This trace has no numbers of submitted tasks.", format_number, true },
    [READY] = { "Ready tasks, rank on rank", "Tasks that are ready and that no thread has taken, of all ranks, over time",
                "No task waited for a thread, or this trace has no such data.", format_number, true },
    [TILES] = { "Copies of remote tiles, rank by rank", "Copies of remote tiles in the caches, over time",
                "No rank held a copy of another's tile: ranks of one node read each other's tiles in place.",
                format_number, false },
    [RESIDENT] = { "Resident memory, rank by rank", "Resident memory of each rank over time",
                   "This trace has no data about memory.", format_bytes, false },
};

static bool draw(FILE *out, const struct page_data *d, int which)
{
    struct bins b;
    bool made = sample_bins(d, which, &b);
    if (made && b.any) {
        struct axes a = { .height = 110, .x_max = d->length, .y_max = 1.08 * most_of(&b, kinds[which].stacked),
                          .title = kinds[which].title, .x_format = format_seconds, .y_format = kinds[which].format };
        axes_begin(out, &a, kinds[which].label);
        (kinds[which].stacked ? draw_stacked : draw_lines)(out, &a, &b);
        axes_end(out);
    } else if (made) {
        fprintf(out, "<p class=\"none\">%s</p>\n", kinds[which].missing);
    }
    free(b.value);
    return made;
}

bool fig_tasks_in_hand(FILE *out, const struct page_data *d, int which)
{
    return draw(out, d, which == 0 ? SUBMITTED : READY);
}

bool fig_memory(FILE *out, const struct page_data *d)
{
    figure_begin(out, "memory", "Memory over time");
    fputs("<div class=\"wide\">", out);
    bool drawn = draw(out, d, RESIDENT) && draw(out, d, TILES);
    fputs("</div><figcaption>Resident memory is the process's own, MPI and libraries included. Lines have the colours of the "
          "ranks in the layout.</figcaption></figure>\n",
          out);
    return drawn;
}
