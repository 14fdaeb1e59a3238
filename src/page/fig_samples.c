/* What ranks had in hand over time: tasks, tiles of others, memory. */
#include "src/page/axes.h"
#include "src/page/figures.h"
#include "src/page/rank_colour.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 270 };        /* of time: four units of the picture each */
enum { SUBMITTED, READY, TILES, RESIDENT };

/* Means of samples; a bin without any is as the one before. Before the first one there are no tasks, but there is memory. */
static void fill_bins(double *value, const int *count, bool lasts)
{
    double before = 0;
    for (int bin = 0; bin < BINS && lasts && before == 0; bin++)
        before = count[bin] > 0 ? value[bin] / count[bin] : 0;
    for (int bin = 0; bin < BINS; bin++)
        before = value[bin] = count[bin] > 0 ? value[bin] / count[bin] : before;
}

/* [rank * BINS + bin]; NULL: no memory. *any: is any of them more than 0? */
static double *sample_bins(const struct page_data *d, int which, bool *any)
{
    double *value = calloc((size_t)d->ranks * BINS, sizeof *value);
    int *count = calloc((size_t)d->ranks * BINS, sizeof *count);
    *any = false;
    for (int64_t s = 0; value != NULL && count != NULL && s < d->samples; s++) {
        const struct page_sample *sample = &d->sample[s];
        if (sample->of_tasks != (which <= READY))
            continue;
        int bin = (int)fmin(BINS - 1, fmax(0, BINS * sample->time / d->length));
        int64_t at = (int64_t)sample->rank * BINS + bin;
        value[at] += (double)sample->value[which % 2];
        count[at]++;
        *any |= sample->value[which % 2] > 0;
    }
    if (count == NULL) {
        free(value);
        value = NULL;
    }
    for (int rank = 0; value != NULL && rank < d->ranks; rank++)
        fill_bins(value + (int64_t)rank * BINS, count + (int64_t)rank * BINS, which >= TILES);
    free(count);
    return value;
}

/* Each rank's area on that of the rank before. */
static void draw_stacked(FILE *out, const struct axes *a, double *value, int ranks)
{
    double below[BINS] = { 0 };
    for (int rank = 0; rank < ranks; rank++) {
        double *own = value + (int64_t)rank * BINS;
        fprintf(out, "<path fill=\"%s\" d=\"M", rank_colour(rank).hex);
        for (int b = 0; b < BINS; b++) {
            own[b] += below[b];
            fprintf(out, "%.0f %.1f ", axes_x(a, (b + 0.5) * a->x_max / BINS), axes_y(a, own[b]));
        }
        for (int b = BINS - 1; b >= 0; b--) {
            fprintf(out, "%.0f %.1f ", axes_x(a, (b + 0.5) * a->x_max / BINS), axes_y(a, below[b]));
            below[b] = own[b];
        }
        fprintf(out, "z\"><title>rank %d</title></path>", rank);
    }
}

static void draw_lines(FILE *out, const struct axes *a, const double *value, int ranks)
{
    for (int rank = 0; rank < ranks; rank++) {
        fprintf(out, "<path class=\"line\" style=\"stroke:%s\" d=\"M", rank_colour(rank).hex);
        for (int b = 0; b < BINS; b++)
            fprintf(out, "%.0f %.1f ", axes_x(a, (b + 0.5) * a->x_max / BINS), axes_y(a, value[(int64_t)rank * BINS + b]));
        fprintf(out, "\"><title>rank %d</title></path>", rank);
    }
}

static double most_of(const double *value, int ranks, bool stacked)
{
    double most = 0;
    for (int b = 0; b < BINS; b++) {
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += value[(int64_t)rank * BINS + b];
            most = fmax(most, value[(int64_t)rank * BINS + b]);
        }
        most = stacked ? fmax(most, sum) : most;
    }
    return most;
}

static const struct {
    const char *title, *label, *missing;
    axes_say *say;
    bool stacked;
} kinds[] = {
    [SUBMITTED] = { "Submitted tasks, rank on rank", "Tasks that are submitted and not done, of all ranks, over time",
                    "This trace does not tell how many tasks were submitted.", say_number, true },
    [READY] = { "Ready tasks, rank on rank", "Tasks that are ready and that no thread has taken, of all ranks, over time",
                "No task ever waited for a thread, or this trace does not tell.", say_number, true },
    [TILES] = { "Copies of remote tiles, rank by rank", "Copies of remote tiles in the caches, over time",
                "No rank held a copy of another's tile: ranks of one node read each other's tiles where they are.",
                say_number, false },
    [RESIDENT] = { "Resident memory, rank by rank", "Resident memory of each rank over time",
                   "This trace does not tell how much memory ranks had.", say_bytes, false },
};

static bool draw(FILE *out, const struct page_data *d, int which)
{
    bool any;
    double *value = sample_bins(d, which, &any);
    if (value == NULL)
        return false;
    if (any) {
        struct axes a = { .height = 110, .x_max = d->length, .y_max = 1.08 * most_of(value, d->ranks, kinds[which].stacked),
                          .title = kinds[which].title, .x_say = say_seconds, .y_say = kinds[which].say };
        axes_begin(out, &a, kinds[which].label);
        if (kinds[which].stacked)
            draw_stacked(out, &a, value, d->ranks);
        else
            draw_lines(out, &a, value, d->ranks);
        axes_end(out);
    } else {
        fprintf(out, "<p class=\"none\">%s</p>\n", kinds[which].missing);
    }
    free(value);
    return true;
}

bool fig_tasks_in_hand(FILE *out, const struct page_data *d, int which)
{
    return draw(out, d, which == 0 ? SUBMITTED : READY);
}

bool fig_memory(FILE *out, const struct page_data *d)
{
    fputs("<figure id=\"fig-memory\" aria-labelledby=\"h-memory\"><h2 id=\"h-memory\">Memory over time</h2>\n<div "
          "class=\"wide\">",
          out);
    bool drawn = draw(out, d, RESIDENT) && draw(out, d, TILES);
    fputs("</div><figcaption>Resident memory is the process's own, MPI and libraries included. Lines have the colours of the "
          "ranks in the layout.</figcaption></figure>\n",
          out);
    return drawn;
}
