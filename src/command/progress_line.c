#include "src/command/progress_line.h"

#include "omp/run.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

/* What is known at some share of the work. */
struct state {
    double done, seconds, gflops, left;
};

static void say_json(const struct progress_line *p, const struct state *s)
{
    (void)p;
    fprintf(stderr, "{\"percent\": %.0f, \"seconds\": %.3f, \"gflops\": %.3f, \"eta_s\": %.3f}\n", 100 * s->done, s->seconds,
            s->gflops, s->left);
}

static void say_bar(const struct progress_line *p, const struct state *s)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    (void)p;
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < s->done * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%s %3.0f %%  %.1f s, %.1f GFLOP/s, %.0f s left ", bar, 100 * s->done, s->seconds, s->gflops, s->left);
    fflush(stderr);
}

/* One write: other ranks may write to the same log. */
static void say_line(const struct progress_line *p, const struct state *s)
{
    char share[40] = "", end[40];
    if (p->gemm_gflops > 0)
        snprintf(share, sizeof share, " (%.0f %% of %cGEMM)", 100 * s->gflops / p->gemm_gflops, toupper(p->type));
    snprintf(end, sizeof end, s->done < 1 ? "%.1f s left" : "%.1f s in all", s->done < 1 ? s->left : s->seconds);
    fprintf(stderr, "ompfact: %.0f %%, %.1f GFLOP/s%s, %s\n", 100 * s->done, s->gflops, share, end);
}

/* How often each form speaks, as a share of the work. */
static const struct {
    void (*say)(const struct progress_line *p, const struct state *s);
    double first, step;
} forms[] = {
    [PROGRESS_BAR] = { say_bar, 0.01, 0.002 },
    [PROGRESS_LINES] = { say_line, 0.05, 0.05 },
    [PROGRESS_JSON] = { say_json, 0.01, 0.04 },
};

static void say(struct progress_line *p, double done)
{
    struct state s = { .done = done, .seconds = run_clock() - p->start };
    s.gflops = s.seconds > 0 ? 1e-9 * p->flops * done / s.seconds : 0;
    s.left = done > 0 ? s.seconds * (1 - done) / done : 0;
    forms[p->form].say(p, &s);
    p->next = done + forms[p->form].step;
}

void progress_begin(struct progress_line *p, double flops, char type, double gemm_gflops)
{
    p->running = p->form != PROGRESS_OFF;
    p->start = run_clock();
    p->flops = flops;
    p->type = type;
    p->gemm_gflops = gemm_gflops;
    p->next = forms[p->form].first;
}

void progress_step(void *progress, double done)
{
    struct progress_line *p = progress;
    if (p->running && done >= p->next && done < 1)
        say(p, done);
}

void progress_end(struct progress_line *p)
{
    if (!p->running)
        return;
    say(p, 1);
    if (p->form == PROGRESS_BAR)
        fputs("\r\033[K", stderr);
    p->running = false;
}

/* ---- a count --------------------------------------------------------------------------------------------------------------- */

struct counting counting_begin(int form, bool quiet)
{
    enum { PATIENCE_S = 3 };
    double now = run_clock();
    return (struct counting){ .form = form, .quiet = quiet, .on_terminal = isatty(STDERR_FILENO), .start = now,
                              .next = now + PATIENCE_S };
}

void counting_step(void *context, double done)
{
    struct counting *c = context;
    double now = run_clock(), seconds = now - c->start, left = done > 0 ? seconds * (1 - done) / done : 0;
    if (now < c->next || c->form == PROGRESS_OFF)
        return;
    if (c->form == PROGRESS_JSON)
        fprintf(stderr, "{\"percent\": %.0f, \"seconds\": %.3f, \"eta_s\": %.3f}\n", 100 * done, seconds, left);
    else if (c->on_terminal)
        fprintf(stderr, "\rompfact: counting: %.0f %%, %.0f s left ", 100 * done, left);
    else if (!c->quiet)
        fprintf(stderr, "ompfact: counting: %.0f %%, %.0f s left\n", 100 * done, left);
    fflush(stderr);
    c->shown = true;
    c->next = now + (c->form == PROGRESS_BAR && c->on_terminal ? 0.5 : 5);
}

void counting_end(struct counting *c)
{
    if (c->shown && c->form == PROGRESS_BAR && c->on_terminal)
        fputs("\r\033[K", stderr);
}
