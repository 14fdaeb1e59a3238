/*
 * usage: layout_times
 *
 * Prints times of the layouts, one line each, the least of several runs: look-ups, counts, choices.
 */
#include "layouts/builders.h"
#include "layouts/designs/designs.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report(const char *what, double seconds)
{
    if (seconds < 1e-6) printf("%-60s %8.2f ns\n", what, 1e9 * seconds);
    else if (seconds < 0.1) printf("%-60s %8.2f ms\n", what, 1e3 * seconds);
    else printf("%-60s %8.2f s\n", what, seconds);
}

/* Runs the case `runs` times and reports the least. */
static void measure(const char *what, int runs, void (*run)(int parameter), int parameter)
{
    double least = 1e300;
    for (int k = 0; k < runs; k++) {
        double begin = now();
        run(parameter);
        double took = now() - begin;
        if (took < least) least = took;
    }
    report(what, least);
}

static void look_up(int ranks)
{
    struct pattern *p = pattern_design(ranks, 0);
    pattern_destroy(&p);
}

static void look_up_and_order(int ranks)
{
    struct pattern *p = pattern_design(ranks, 0);
    pattern_order(p, 100);
    pattern_destroy(&p);
}

static void choose(int ranks)
{
    struct layout_question q = {.algorithm = LAYOUT_CHOLESKY, .ranks = ranks, .mt = 100, .nt = 100, .part = LAYOUT_LOWER};
    struct layout_choice *choice = malloc(sizeof *choice);
    char text[LAYOUT_TEXT];
    layout_choose(&q, choice, text);
    free(choice);
}

static void gcrm(int seeds)
{
    struct pattern *p;
    pattern_gcrm(39, 0, seeds, &p);
    pattern_destroy(&p);
}

static void cover(int modulus)
{
    int *residues = malloc((size_t)modulus * sizeof *residues);
    cyclic_cover(modulus, residues);
    free(residues);
}

static void count(int nt)
{
    char text[LAYOUT_TEXT];
    struct pattern *p = pattern_design(256, 0);
    struct layout *l;
    struct layout_summary sum;
    if (layout_create(p, nt, nt, LAYOUT_LOWER, &l, text) == 0) layout_summarise(l, LAYOUT_CHOLESKY, &sum);
    layout_destroy(&l);
    pattern_destroy(&p);
}

/* The owners of all tiles of 1000 x 1000, the time of one. */
static void owners(void)
{
    char text[LAYOUT_TEXT];
    struct pattern *p = pattern_design(23, 0);
    struct layout *l;
    int64_t sum = 0;
    if (layout_create(p, 1000, 1000, LAYOUT_LOWER, &l, text)) exit(1);
    double begin = now();
    for (int i = 0; i < 1000; i++)
        for (int j = 0; j < 1000; j++)
            sum += layout_owner(l, i, j);
    double took = (now() - begin) / 1e6;
    report(sum > 0 ? "owner of a tile, design on 23 ranks, 1000 x 1000 tiles" : "", took);
    layout_destroy(&l);
    pattern_destroy(&p);
}

int main(void)
{
    owners();
    measure("catalogue look-up, 23 ranks", 20, look_up, 23);
    measure("catalogue look-up, 64 ranks", 20, look_up, 64);
    measure("catalogue look-up, 256 ranks", 20, look_up, 256);
    measure("the same, colrows ordered for 100 x 100 tiles, 23 ranks", 5, look_up_and_order, 23);
    measure("the same, colrows ordered for 100 x 100 tiles, 64 ranks", 5, look_up_and_order, 64);
    measure("the same, colrows ordered for 100 x 100 tiles, 256 ranks", 3, look_up_and_order, 256);
    measure("auto, Cholesky, 100 x 100 tiles, 23 ranks", 3, choose, 23);
    measure("auto, Cholesky, 100 x 100 tiles, 64 ranks", 3, choose, 64);
    measure("all counts, design on 256 ranks, 600 x 600 tiles", 3, count, 600);
    measure("gcrm on 39 ranks, 100 seeds", 1, gcrm, 100);
    measure("cyclic difference cover of 2000", 1, cover, 2000);
    return 0;
}
