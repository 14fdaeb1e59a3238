#include "src/command/progress.h"

#include "omp/run.h"

#include <stdio.h>

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
