/*
 * How the steps of a factorization went, in the panels of Nesi, Schnorr, Legrand, "Communication-Aware Load Balancing of the LU
 * Factorization over Heterogeneous Clusters" (ICPADS 2020), figures 5 to 9: iterations over time; submitted and ready tasks; the
 * area bounds ABE and ABE* and the critical path bound CPB of what is left from each step on; cumulative ABE of each rank.
 *
 * There they come from a model; here from the times that the tasks took: ABE is what a rank's tasks take on its threads if none
 * ever waits, ABE* what all tasks take on all threads, CPB the chain of one task of each kind a step, transfers left out.
 */
#include "src/page/axes.h"
#include "src/page/cause.h"
#include "src/page/figures.h"
#include "src/page/rank_colour.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 360, CELLS = 24000 };   /* steps are joined to at most so many points; points of all ranks together */

struct steps {
    const struct page_data *d;
    int points;
    double *first, *last;       /* [rank * points + point]: start and end of the rank's work on it; last 0: never */
    double *load;               /* [rank * points + point]: ABE, seconds on its tracks */
};

static int first_step(const struct steps *s, int point)
{
    return (int)((int64_t)point * s->d->steps / s->points);
}

static bool steps_create(struct steps *s, const struct page_data *d)
{
    int most = (int)fmax(POINTS / 10, fmin(POINTS, CELLS / d->ranks));
    *s = (struct steps){ .d = d, .points = d->steps < most ? d->steps : most };
    size_t cells = (size_t)d->ranks * (size_t)s->points + 1;
    s->first = malloc(cells * sizeof(double));
    s->last = calloc(cells, sizeof(double));
    s->load = calloc(cells, sizeof(double));
    if (s->first == NULL || s->last == NULL || s->load == NULL)
        return false;
    for (size_t c = 0; c < cells; c++)
        s->first[c] = INFINITY;
    int *point_of = malloc(((size_t)d->steps + 1) * sizeof *point_of);
    for (int p = 0; point_of != NULL && p < s->points; p++)
        for (int k = first_step(s, p); k < first_step(s, p + 1); k++)
            point_of[k] = p;
    for (int64_t t = 0; point_of != NULL && t < d->tasks; t++) {
        const struct page_task *task = &d->task[t];
        if (task->step < 0)
            continue;
        int rank = d->track[task->track].rank;
        int64_t cell = (int64_t)rank * s->points + point_of[task->step];
        s->first[cell] = fmin(s->first[cell], task->start);
        s->last[cell] = fmax(s->last[cell], task->end);
        s->load[cell] += (task->end - task->start) / d->rank[rank].tracks;
    }
    bool made = point_of != NULL;
    free(point_of);
    return made;
}

/* ---- iterations over time -------------------------------------------------------------------------------------------------- */

static void draw_line(FILE *out, const struct axes *a, const struct steps *s, const char *style, size_t offset)
{
    fprintf(out, "<path class=\"%s\" d=\"M", style);
    for (int p = 0; p < s->points; p++) {
        const struct page_step *step = &s->d->step[first_step(s, p)];
        if (step->tasks > 0)
            fprintf(out, "%.1f %.1f ", axes_x(a, *(const double *)(const void *)((const char *)step + offset)),
                    axes_y(a, first_step(s, p) + 0.5));
    }
    fputs("\"/>", out);
}

static void draw_iterations(FILE *out, const struct steps *s)
{
    const struct page_data *d = s->d;
    double place = 0, all = 0, chain = chain_of(d);
    struct axes a = { .height = 200, .x_max = d->length, .y_max = d->steps, .y_down = true, .title = "Iteration over time",
                      .x_format = format_seconds, .y_format = format_number };
    axes_begin(out, &a, "Which steps of the factorization are worked on when");
    fputs("<path class=\"activity\" d=\"", out);
    for (int rank = 0; rank < d->ranks; rank++)
        for (int p = 0; p < s->points; p++) {
            int64_t cell = (int64_t)rank * s->points + p;
            if (s->last[cell] > 0)
                fprintf(out, "M%.1f %.1fH%.1f", axes_x(&a, s->first[cell]), axes_y(&a, first_step(s, p) + 0.5),
                        axes_x(&a, s->last[cell]));
        }
    fprintf(out, "\" style=\"stroke-width:%.2f;stroke-opacity:%.3f\"/>", fmax(0.6, a.height / s->points),
            fmax(0.08, 0.6 / d->ranks));
    draw_line(out, &a, s, "line", offsetof(struct page_step, first));
    draw_line(out, &a, s, "line thick", offsetof(struct page_step, median));
    draw_line(out, &a, s, "line", offsetof(struct page_step, last));
    for (int k = 0; k < d->kernels; k++)
        all += d->kernel[k].seconds;
    axes_mark_x(out, &a, all / fmax(1, d->tracks), "ABE*");
    axes_mark_x(out, &a, chain, "CPB");
    axes_legend(out, &place, "line", "first, last task");
    axes_legend(out, &place, "line thick", "median");
    axes_legend(out, &place, "activity sample", "a rank works on it");
    axes_end(out);
}

/* ---- bounds of what is left ------------------------------------------------------------------------------------------------ */

/* From each point on: the times of the slowest rank, of all ranks together, and of the chain. */
static void sum_up_rest(const struct steps *s, double *most, double *mean, double *chain)
{
    const struct page_data *d = s->d;
    double *rest = calloc((size_t)d->ranks, sizeof *rest), together = 0, long_path = 0;
    for (int p = s->points - 1; rest != NULL && p >= 0; p--) {
        most[p] = 0;
        for (int rank = 0; rank < d->ranks; rank++) {
            rest[rank] += s->load[(int64_t)rank * s->points + p];
            together += s->load[(int64_t)rank * s->points + p] * d->rank[rank].tracks;
            most[p] = fmax(most[p], rest[rank]);
        }
        for (int k = first_step(s, p); k < first_step(s, p + 1); k++)
            long_path += d->step[k].chain;
        mean[p] = together / fmax(1, d->tracks);
        chain[p] = long_path;
    }
    free(rest);
}

static void draw_curve(FILE *out, const struct axes *a, const struct steps *s, const double *value, const char *style,
                       const char *colour)
{
    fprintf(out, "<path class=\"%s\"%s%s%s d=\"M", style, colour != NULL ? " style=\"stroke:" : "", colour != NULL ? colour : "",
            colour != NULL ? "\"" : "");
    for (int p = 0; p < s->points; p++)
        fprintf(out, "%.1f %.1f ", axes_x(a, first_step(s, p)), axes_y(a, value[p]));
    fputs("\"/>", out);
}

static void draw_bounds(FILE *out, const struct steps *s)
{
    double most[POINTS], mean[POINTS], chain[POINTS], place = 0;
    sum_up_rest(s, most, mean, chain);
    struct axes a = { .height = 130, .x_max = s->d->steps, .y_max = 1.05 * fmax(most[0], chain[0]),
                      .title = "Bounds of the remaining steps, from each iteration on",
                      .x_format = format_number, .y_format = format_seconds };
    axes_begin(out, &a, "Area bounds and critical path bound of the remaining steps");
    draw_curve(out, &a, s, most, "line abe", NULL);
    draw_curve(out, &a, s, mean, "line ideal", NULL);
    draw_curve(out, &a, s, chain, "line cpb", NULL);
    axes_legend(out, &place, "line cpb", "CPB, the chain of tasks");
    axes_legend(out, &place, "line ideal", "ABE*, all ranks alike");
    axes_legend(out, &place, "line abe", "ABE, the rank with most");
    axes_end(out);
}

static void draw_cumulative(FILE *out, struct steps *s)
{
    const struct page_data *d = s->d;
    double spread[POINTS] = { 0 }, most = 0, place = 0;
    for (int p = 0; p < s->points; p++) {
        double least = INFINITY, largest = 0;
        for (int rank = 0; rank < d->ranks; rank++) {
            double *own = &s->load[(int64_t)rank * s->points + p];
            *own += p > 0 ? own[-1] : 0;
            least = fmin(least, *own);
            largest = fmax(largest, *own);
        }
        spread[p] = largest - least;
        most = fmax(most, largest);
    }
    struct axes a = { .height = 130,
                      .x_max = d->steps,
                      .y_max = 1.05 * most,
                      .title = "Cumulative ABE of each rank, up to each iteration",
                      .x_format = format_number,
                      .y_format = format_seconds };
    axes_begin(out, &a, "Seconds of tasks of each rank up to each step, and how far ranks are apart");
    for (int rank = 0; rank < d->ranks; rank++)
        draw_curve(out, &a, s, s->load + (int64_t)rank * s->points, "line", rank_colour(rank).hex);
    draw_curve(out, &a, s, spread, "line abe", NULL);
    axes_legend(out, &place, "line abe", "most less least");
    axes_end(out);
}

bool fig_steps(FILE *out, const struct page_data *d)
{
    struct steps s;
    figure_begin(out, "steps", "Step by step");
    if (d->steps == 0) {
        fputs("<p class=\"none\">This trace does not have the steps of tasks.</p></figure>\n", out);
        return true;
    }
    bool done = steps_create(&s, d);
    if (done) {
        fputs("<div class=\"wide\">", out);
        draw_iterations(out, &s);
        done = fig_tasks_in_hand(out, d, 0) && fig_tasks_in_hand(out, d, 1);
        draw_bounds(out, &s);
        draw_cumulative(out, &s);
        fputs("</div><figcaption>ABE (area bound): what a rank's tasks take on its threads if none ever waits; ABE*: all "
              "tasks on all threads. CPB (critical path bound): one task of each kind a step, one after the other, without "
              "transfers. All from the times that tasks took in this run.</figcaption>",
              out);
    }
    free(s.first);
    free(s.last);
    free(s.load);
    fputs("</figure>\n", out);
    return done;
}
