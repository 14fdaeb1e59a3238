#include "src/command/progress.h"

#include "omp/run.h"

#include <stdio.h>
#include <unistd.h>

static void say(struct progress *p, double done)
{
    enum { WIDTH = 30 };
    double seconds = run_clock() - p->start, gflops = seconds > 0 ? 1e-9 * p->flops * done / seconds : 0;
    double left = done > 0 ? seconds * (1 - done) / done : 0;
    if (p->form == PROGRESS_JSON) {
        fprintf(stderr, "{\"percent\": %.0f, \"seconds\": %.3f, \"gflops\": %.3f, \"eta_s\": %.3f}\n", 100 * done, seconds, gflops, left);
        return;
    }
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < done * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r%s %3.0f %%  %.1f s, %.1f GFLOP/s, %.0f s left ", bar, 100 * done, seconds, gflops, left);
    fflush(stderr);
}

void progress_begin(struct progress *p, double flops)
{
    p->running = p->form != PROGRESS_OFF;
    p->start = run_clock();
    p->flops = flops;
    p->next = 0.01;
}

void progress_step(void *progress, double done)
{
    struct progress *p = progress;
    if (!p->running || done < p->next || done >= 1)
        return;
    say(p, done);
    p->next = done + (p->form == PROGRESS_JSON ? 0.04 : 0.002);
}

void progress_end(struct progress *p)
{
    if (!p->running)
        return;
    say(p, 1);
    if (p->form == PROGRESS_BAR)
        fputs("\r\033[K", stderr);
    p->running = false;
}

/* ---- a count ------------------------------------------------------------------------------------------------------------------------- */

struct counting counting_begin(int form, bool quiet)
{
    enum { PATIENCE_S = 3 };
    double now = run_clock();
    return (struct counting){ .form = form, .quiet = quiet, .on_terminal = isatty(STDERR_FILENO), .start = now, .next = now + PATIENCE_S };
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
