/*
 * The Gantt chart. What it shows goes into the page as numbers, which page.js draws:
 *
 *   of each track   how many pieces; of each piece: its start, from the end of the piece before; its length; its kind, and
 *     0             no task was ready
 *     1             until a tile of another rank came: which rank's; how long it was on its way
 *     2 + 2 k       a task of kernel k: 1 + i, 1 + j, 1 + step
 *     3 + 2 k       several tasks, mostly of kernel k: how many; how much of the length they take, of 255
 *   of transfers    how many; of each: when it was sent, from the one before; from which track; to which; how long until its use
 *
 * Times are in ticks, of which the run has TICKS. Where there are more pieces than a page should carry, tasks that begin within
 * a short while are put together: less than a pixel, unless one looks very closely.
 */
#include "src/page/figures.h"
#include "src/page/packed_numbers.h"
#include "src/page/format.h"

#include <math.h>
#include <string.h>

enum { TICKS = 1 << 22, PIECES_MAX = 220000, ARROWS_MAX = 40000 };

struct chart {
    const struct page_data *d;
    const char *suffix;
    double quantum;             /* seconds; tasks that begin within a quantum are one piece. 0: each task is a piece */
    int name_of[PAGE_KERNELS];  /* a kernel on devices has the number of the same kernel on hosts */
    struct packed_numbers numbers;
    int64_t last_end, pieces;   /* of the present track */
};

/* Clips values far outside the chart. */
static int64_t ticks(const struct chart *c, double seconds)
{
    const double FAR = 64;
    return llround(fmax(-FAR, fmin(FAR, seconds / c->d->length)) * TICKS);
}

/* The time of a piece. */
static void pack_span(struct chart *c, struct packed_numbers *n, double start, double end)
{
    int64_t from = ticks(c, start), to = ticks(c, end);
    packed_add_signed(n, from - c->last_end);
    packed_add(n, (uint64_t)(to > from ? to - from : 0));
    c->last_end = to > from ? to : from;
    c->pieces++;
}

static void pack_wait(struct chart *c, struct packed_numbers *n, const struct page_wait *w)
{
    if (w->end - w->start < c->quantum)
        return;
    pack_span(c, n, w->start, w->end);
    packed_add(n, w->from >= 0);
    if (w->from >= 0) {
        packed_add(n, (uint64_t)w->from);
        packed_add(n, (uint64_t)ticks(c, w->transit));
    }
}

static void pack_task(struct chart *c, struct packed_numbers *n, const struct page_task *t)
{
    pack_span(c, n, t->start, t->end);
    packed_add(n, 2 + 2 * (uint64_t)c->name_of[t->kernel]);
    packed_add(n, (uint64_t)(t->i + 1));
    packed_add(n, (uint64_t)(t->j + 1));
    packed_add(n, (uint64_t)(t->step + 1));
}

/* Joins the tasks within a quantum, and returns their number. */
static int64_t pack_group(struct chart *c, struct packed_numbers *n, const struct page_task *task, int64_t left)
{
    double seconds[PAGE_KERNELS] = { 0 }, busy = 0, end = task->end;
    int64_t count = 0;
    int most = c->name_of[task->kernel];
    for (; count < left && (count == 0 || task[count].start < task->start + c->quantum); count++) {
        int kernel = c->name_of[task[count].kernel];
        seconds[kernel] += task[count].end - task[count].start;
        busy += task[count].end - task[count].start;
        end = fmax(end, task[count].end);
        most = seconds[kernel] > seconds[most] ? kernel : most;
    }
    if (count == 1) {
        pack_task(c, n, task);
        return 1;
    }
    pack_span(c, n, task->start, end);
    packed_add(n, 3 + 2 * (uint64_t)most);
    packed_add(n, (uint64_t)count);
    packed_add(n, (uint64_t)lround(255 * fmin(1, end > task->start ? busy / (end - task->start) : 1)));
    return count;
}

/* Writes the pieces to memory first, because their number precedes them. */
static void pack_track(struct chart *c, const struct page_track *track)
{
    struct packed_numbers own = { 0 };
    int64_t t = 0, w = 0;
    c->last_end = c->pieces = 0;
    while (t < track->tasks || w < track->waits) {
        const struct page_task *task = t < track->tasks ? &c->d->task[track->first + t] : NULL;
        const struct page_wait *wait = w < track->waits ? &c->d->wait[track->first_wait + w] : NULL;
        if (wait != NULL && (task == NULL || wait->start < task->start)) {
            pack_wait(c, &own, wait);
            w++;
        } else {
            t += pack_group(c, &own, task, track->tasks - t);
        }
    }
    packed_add(&c->numbers, (uint64_t)c->pieces);
    packed_add_all(&c->numbers, &own);
    packed_forget(&own);
}

static void pack_transfers(struct chart *c)
{
    const struct page_data *d = c->d;
    int64_t every = 1 + d->transfers / ARROWS_MAX, last = 0;
    packed_add(&c->numbers, (uint64_t)((d->transfers + every - 1) / every));
    for (int64_t x = 0; x < d->transfers; x += every) {
        const struct page_transfer *one = &d->transfer[x];
        int64_t sent = ticks(c, one->sent);
        packed_add_signed(&c->numbers, sent - last);
        last = sent;
        packed_add(&c->numbers, (uint64_t)one->from);
        packed_add(&c->numbers, (uint64_t)one->to);
        packed_add_signed(&c->numbers, ticks(c, one->used) - sent);
    }
}

/* ---- what goes with the numbers -------------------------------------------------------------------------------------------- */

/* Writes a JSON string in a script, where HTML entities do not count. */
static void write_name(FILE *out, const char *name)
{
    fputc('"', out);
    for (; *name; name++)
        if ((unsigned char)*name < 0x20 || strchr("<\"\\", *name) != NULL)
            fprintf(out, "\\u%04x", (unsigned char)*name);
        else
            fputc(*name, out);
    fputc('"', out);
}

static void write_about(FILE *out, const struct chart *c, double length)
{
    const struct page_data *d = c->d;
    fprintf(
        out,
        "<script type=\"application/json\" id=\"about-gantt%s\">"
        "{\"length\":%.9g,\"shown\":%.9g,\"ticks\":%d,\"every\":%lld,\"kernels\":[",
        c->suffix, d->length, length, TICKS, (long long)(1 + d->transfers / ARROWS_MAX));
    for (int k = 0; k < d->kernels; k++) {
        fputs(k > 0 ? ",[" : "[", out);
        write_name(out, d->kernel[k].name);
        fprintf(out, ",\"%s\"]", kernel_role(d->kernel[k].name));
    }
    fputs("],\"tracks\":[", out);
    for (int t = 0; t < d->tracks; t++) {
        fprintf(out, "%s[%d,", t > 0 ? "," : "", d->track[t].rank);
        write_name(out, d->track[t].name);
        fprintf(out, ",%d]", d->track[t].of_device);
    }
    fputs("],\"abe\":[", out);
    for (int r = 0; r < d->ranks; r++)
        fprintf(out, "%s%.6g", r > 0 ? "," : "", d->rank[r].tracks > 0 ? d->rank[r].busy / d->rank[r].tracks : 0);
    fputs("]}</script>\n", out);
}

static void write_legend(FILE *out, const struct chart *c)
{
    const struct page_data *d = c->d;
    fputs("<ul class=\"legend\">", out);
    for (int k = 0; k < d->kernels; k++) {
        if (c->name_of[k] != k)
            continue;
        fprintf(out, "<li><span class=\"key f-%s\"></span>", kernel_role(d->kernel[k].name));
        html_text(out, d->kernel[k].name);
        fputs("</li>", out);
    }
    fputs("<li><span class=\"key f-wait\"></span>no task ready</li><li><span class=\"key f-remote\"></span>… until a tile "
          "came</li><li><span class=\"key f-abe\"></span>ABE of a rank</li></ul>\n",
          out);
}

static void write_chart(FILE *out, const struct chart *c, double length)
{
    static const struct { const char *what, *sign, *label; } buttons[] = {
        { "in", "+", "Zoom in" }, { "out", "−", "Zoom out" }, { "left", "←", "Earlier" }, { "right", "→", "Later" },
        { "all", "All", "Show all" },
    };
    char text[FORMAT_TEXT];
    const struct page_data *d = c->d;
    fprintf(out, "<div class=\"controls\" role=\"group\" aria-label=\"Time shown%s\">", c->suffix);
    for (size_t b = 0; b < sizeof buttons / sizeof buttons[0]; b++)
        fprintf(out, "<button type=\"button\" data-gantt=\"%s\" data-do=\"%s\" aria-label=\"%s\" title=\"%s\">%s</button>",
                c->suffix, buttons[b].what, buttons[b].label, buttons[b].label, buttons[b].sign);
    fprintf(out, "<span class=\"said\" id=\"said-gantt%s\" role=\"status\" aria-live=\"polite\"></span></div>\n", c->suffix);
    fprintf(out,
            "<div class=\"gantt\" id=\"fig-gantt%s\" tabindex=\"0\" role=\"group\" data-from=\"0\" data-to=\"%.9g\" "
            "aria-label=\"Gantt chart: what %d threads and lanes of devices did in %s. Plus and minus zoom, arrows move, 0 "
            "shows all.\"><canvas role=\"img\" aria-label=\"Tasks of each thread over time, coloured by kernel\"></canvas>"
            "</div>\n",
            c->suffix, length, d->tracks, format_seconds(d->length, text));
}

bool fig_gantt(FILE *out, const struct page_data *d, const char *suffix, double length)
{
    struct chart c = { .d = d, .suffix = suffix };
    if (d->tasks + d->waits > PIECES_MAX)
        c.quantum = d->length * d->tracks / PIECES_MAX;
    for (int k = 0; k < d->kernels; k++)
        for (c.name_of[k] = 0; strcmp(d->kernel[c.name_of[k]].name, d->kernel[k].name) != 0; c.name_of[k]++)
            ;
    for (int t = 0; t < d->tracks; t++)
        pack_track(&c, &d->track[t]);
    pack_transfers(&c);
    write_chart(out, &c, length);
    write_legend(out, &c);
    write_about(out, &c, length);
    fprintf(out, "<script type=\"text/plain\" id=\"data-gantt%s\">", suffix);
    packed_write(out, &c.numbers);
    fputs("</script>\n", out);
    if (c.quantum > 0) {
        char text[FORMAT_TEXT];
        fprintf(out, "<p class=\"note\">Of so many tasks those that begin within %s on a thread are drawn as one.</p>\n",
                format_seconds(c.quantum, text));
    }
    bool whole = !c.numbers.no_memory;
    packed_forget(&c.numbers);
    return whole;
}
