#include "src/command/compare_parts.h"

#include <math.h>
#include <string.h>

/* Compares the times of repeated runs. */
struct times {
    int count;
    double least, most;
};

static void add_time(struct times *t, double seconds)
{
    t->least = t->count == 0 ? seconds : fmin(t->least, seconds);
    t->most = t->count == 0 ? seconds : fmax(t->most, seconds);
    t->count++;
}

static bool is_whole(const struct compared_pair *pair)
{
    return pair->run[0] && pair->run[1] && pair->run[0]->facts.time_s > 0 && pair->run[1]->facts.time_s > 0;
}

static bool repeats(const struct compared_run *a, const struct compared_run *b)
{
    const struct facts *f = &a->facts, *g = &b->facts;
    return !strcmp(f->routine, g->routine) && f->type == g->type && f->m == g->m && f->n == g->n && f->nb == g->nb &&
           f->ranks == g->ranks && (f->layout && g->layout ? !strcmp(f->layout, g->layout) : f->layout == g->layout);
}

static bool pair_repeats(const struct compared_pair *a, const struct compared_pair *b)
{
    return is_whole(a) && is_whole(b) && repeats(a->run[0], b->run[0]) && repeats(a->run[1], b->run[1]);
}

/* A difference of times that do not overlap. */
static void print_result(FILE *out, const struct facts *f, const struct times t[2])
{
    bool b_first = t[1].most < t[0].least, apart = b_first || t[0].most < t[1].least;
    fputs(f->routine, out);
    if (f->type != '\0')
        fprintf(out, " %c", f->type);
    if (f->nb > 0)
        fprintf(out, ", nb = %lld", (long long)f->nb);
    fprintf(out, ", n = %lld, %d runs each: A %.4g to %.4g s, B %.4g to %.4g s, ", (long long)f->n, t[0].count, t[0].least,
            t[0].most, t[1].least, t[1].most);
    if (apart)
        fprintf(out, "%c is faster in all of them\n", b_first ? 'B' : 'A');
    else
        fputs("the ranges overlap, so they show no difference\n", out);
}

void compare_weigh(FILE *out, const struct compared_pair *pairs, int count)
{
    bool once = false;
    for (int i = 0; i < count; i++) {
        struct times t[2] = { { 0 } };
        bool printed = !is_whole(&pairs[i]);
        for (int j = 0; j < i && !printed; j++)
            printed = pair_repeats(&pairs[j], &pairs[i]);
        for (int j = i; j < count && !printed; j++)
            for (int side = 0; side < 2 && pair_repeats(&pairs[i], &pairs[j]); side++)
                add_time(&t[side], pairs[j].run[side]->facts.time_s);
        once |= !printed && t[0].count == 1;
        if (!printed && t[0].count > 1)
            print_result(out, &pairs[i].run[0]->facts, t);
    }
    if (once)
        fputs("one run each proves nothing, because runs of one problem differ, too: --repeat 5 shows by how much\n", out);
}
