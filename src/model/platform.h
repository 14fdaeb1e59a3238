/*
 * Platforms of SimGrid (Casanova, Giersch, Legrand, Quinson, Suter, "Versatile, Scalable, and Accurate Simulation of Distributed
 * Applications and Platforms", JPDC 74(10), 2014): hosts, and a wire between them on which flows share links. Its plain fluid
 * model: what a link carries is shared out max-min, latencies and rates are as the platform says them.
 *
 * Local. SimGrid keeps one platform in a process: at most one is loaded in its life.
 */
#ifndef OMPFACT_SRC_MODEL_PLATFORM_H
#define OMPFACT_SRC_MODEL_PLATFORM_H

#include "src/model/model.h"

enum { PLATFORM_TEXT = 256 };

struct platform_host {
    const char *name;
    double speed;           /* flop/s of a core */
    int cores;
    bool flat;              /* its property kernel_rates is "flat": every kernel runs at that speed */
};

struct platform {
    int hosts;
    struct platform_host *host;     /* in natural order of their names: h2 before h10 */
};

/* 0, or 1 and one line in text: there is no such file, it is malformed, or this is a build without SimGrid. */
int platform_load(const char *path, struct platform *platform, char text[PLATFORM_TEXT]);
void platform_free(struct platform *platform);
/* Of the best ways between two of its first hosts, each: bytes a second, seconds; 0: there is but one. */
void platform_best_links(int hosts, double *rate, double *latency);

/* body(context, wire) inside a simulation, rank r being on host host_of[r] of the platform that is loaded. */
void platform_run(const int *host_of, void (*body)(void *context, const struct model_wire *wire), void *context);

#endif
