/*
 * Platforms of SimGrid (Casanova, Giersch, Legrand, Quinson, Suter, "Versatile, Scalable, and Accurate Simulation of Distributed
 * Applications and Platforms", JPDC 74(10), 2014): hosts, and a wire between them on which flows share links. The model is
 * SimGrid's plain fluid one: flows share a link max-min fairly, with the latencies and rates of the platform.
 *
 * All functions are local. SimGrid loads at most one platform in the life of a process.
 */
#ifndef OMPFACT_SRC_MODEL_PLATFORM_H
#define OMPFACT_SRC_MODEL_PLATFORM_H

#include "src/model/model.h"

enum { PLATFORM_TEXT = 256 };

struct platform_host {
    const char *name;
    double speed;           /* flop/s of a core */
    int cores;
    bool flat;              /* the host's property kernel_rates is "flat": every kernel runs at `speed` */
};

struct platform {
    int hosts;
    struct platform_host *host;     /* natural order of their names: h2 before h10 */
};

/* 0, or 1 and one line in text: there is no such file, it is malformed, or the build has no SimGrid. */
int platform_load(const char *path, struct platform *platform, char text[PLATFORM_TEXT]);
void platform_free(struct platform *platform);
/* The best rate, in bytes a second, and the best latency, in seconds, between any two of the first hosts. 0: there is only one
   host. */
void platform_best_links(int hosts, double *rate, double *latency);

/* Runs body(context, wire) inside a simulation. Rank r is on host host_of[r] of the loaded platform. */
void platform_run(const int *host_of, void (*body)(void *context, const struct model_wire *wire), void *context);

#endif
