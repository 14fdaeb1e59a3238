#include "src/command/progress_line.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Seconds of the monotonic clock. */
static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Numbers at some share of the work, and texts that are empty if they are not known. */
struct state {
    int percent;                /* 100 is the end */
    double done, seconds, gflops, left;
    int slowest;                /* slowest rank */
    char of_gemm[40], rank[32]; /* " (71 % of DGEMM)", ", slowest rank 3" */
};

static void say_json(const struct state *s)
{
    fprintf(stderr, "{\"percent\": %d, \"seconds\": %.3f, \"gflops\": %.3f, \"eta_s\": %.3f, \"slowest_rank\": %d}\n",
            s->percent, s->seconds, s->gflops, s->left, s->slowest);
}

static void say_bar(const struct state *s)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1] = "";
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < s->done * WIDTH ? '#' : '.';
    fprintf(stderr, "\r%s %3d %%  %.1f s, %.1f GFLOP/s%s, %.0f s left%s \033[K", bar, s->percent, s->seconds, s->gflops,
            s->of_gemm, s->left, s->rank);
    fflush(stderr);
}

/* One write for each line, because other ranks may write to the same log. */
static void say_line(const struct state *s)
{
    char end[64];
    if (s->done < 1)
        snprintf(end, sizeof end, "%.1f s left%s", s->left, s->rank);
    else
        snprintf(end, sizeof end, "%.1f s in all", s->seconds);
    fprintf(stderr, "ompfact: %d %%, %.1f GFLOP/s%s, %s\n", s->percent, s->gflops, s->of_gemm, end);
}

/* How often each form prints, as a share of the work. */
static const struct {
    void (*say)(const struct state *s);
    double first, step;
} forms[] = {
    [PROGRESS_BAR] = { say_bar, 0.01, 0.002 },
    [PROGRESS_LINES] = { say_line, 0.05, 0.05 },
    [PROGRESS_JSON] = { say_json, 0.01, 0.04 },
};

/* The shared progress of all ranks: the mean of their shares, and the rank with the least. */
static double share_of_all(const struct progress_line *p, double done, int *slowest)
{
    double sum = 0, least = 2;
    *slowest = 0;
    if (p->grid == NULL)
        return done;
    int ranks = ompfact_ranks(p->grid);
    for (int rank = 0; rank < ranks; rank++) {
        double share = ompfact_progress_of(p->grid, rank);
        *slowest = share < least ? rank : *slowest;
        least = share < least ? share : least;
        sum += share;
    }
    return sum / ranks;
}

/* done: the share to print; all: of all ranks' work, which gives the rate. */
static void say(struct progress_line *p, double done, double all, int slowest)
{
    struct state s = { .percent = (int)(100 * done), .done = done, .seconds = clock_now() - p->start, .slowest = slowest };
    s.gflops = s.seconds > 0 ? 1e-9 * p->flops * all / s.seconds : 0;
    s.left = done > 0 ? s.seconds * (1 - done) / done : 0;
    if (p->gemm_gflops > 0)
        snprintf(s.of_gemm, sizeof s.of_gemm, " (%.0f %% of %cGEMM)", 100 * s.gflops / p->gemm_gflops, toupper(p->type));
    if (p->names_slowest)
        snprintf(s.rank, sizeof s.rank, ", slowest rank %d", slowest);
    forms[p->form].say(&s);
    p->spoke = true;
    p->next = done + forms[p->form].step;
    p->next_time = clock_now() + p->patience;
}

void progress_begin(struct progress_line *p, double flops, char type, double gemm_gflops)
{
    p->running = p->form != PROGRESS_OFF;
    p->start = clock_now();
    p->flops = flops;
    p->type = type;
    p->gemm_gflops = gemm_gflops;
    p->next = p->patience > 0 ? 0 : forms[p->form].first;
    p->next_time = p->start + p->patience;
    p->spoke = false;
}

void progress_step(void *progress, double done)
{
    struct progress_line *p = progress;
    int last;
    if (!p->running)
        return;
    /* The mean alone would jump if this rank had no core for a while. */
    double all = share_of_all(p, done, &last), shown = done < all ? done : all;
    bool due = shown >= p->next && (p->patience == 0 || (shown > 0 && clock_now() >= p->next_time));
    if (due && shown < 1)
        say(p, shown, all, last);
}

void progress_end(struct progress_line *p, bool whole)
{
    if (!p->running)
        return;
    if (whole && (p->patience == 0 || p->spoke))
        say(p, 1, 1, 0);
    if (p->form == PROGRESS_BAR)
        fputs("\r\033[K", stderr);
    p->running = false;
}

/* ---- a count --------------------------------------------------------------------------------------------------------------- */

struct counting counting_begin(const char *word, int form, bool quiet)
{
    enum { PATIENCE_S = 2 };
    double now = clock_now();
    return (struct counting){ .word = word, .form = form, .quiet = quiet, .on_terminal = isatty(STDERR_FILENO), .start = now,
                              .next = now + PATIENCE_S };
}

void counting_step(void *context, double done)
{
    struct counting *c = context;
    double now = clock_now();
    char estimate[32] = "";
    if (c->first == 0) {
        c->first = now;
        c->first_done = done;
    }
    if (done >= 1)
        counting_end(c);
    if (now < c->next || c->form == PROGRESS_OFF || (done >= 1 && c->on_terminal))
        return;
    /* Seconds until the end, at the pace since the first step; negative while too little has been counted. */
    double left = done - c->first_done < 0.01 ? -1 : (now - c->first) * (1 - done) / (done - c->first_done);
    if (left >= 0)
        snprintf(estimate, sizeof estimate, ", %.0f s left", left);
    if (c->form == PROGRESS_JSON)
        fprintf(stderr, "{\"percent\": %.0f, \"seconds\": %.3f, \"eta_s\": %.3f}\n", 100 * done, now - c->start, fmax(left, 0));
    else if (c->on_terminal)
        fprintf(stderr, "\rompfact: %s: %.0f %%%s \033[K", c->word, 100 * done, estimate);
    else if (!c->quiet)
        fprintf(stderr, "ompfact: %s: %.0f %%%s\n", c->word, 100 * done, estimate);
    fflush(stderr);
    c->shown = true;
    c->next = now + (c->form == PROGRESS_BAR && c->on_terminal ? 0.5 : 5);
}

void counting_end(struct counting *c)
{
    if (c->shown && c->form == PROGRESS_BAR && c->on_terminal)
        fputs("\r\033[K", stderr);
    c->shown = false;
}
