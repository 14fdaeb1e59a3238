/* The platform functions of a build without SimGrid. */
#include "src/model/platform.h"

int platform_load(const char *path, struct platform *platform, char text[PLATFORM_TEXT])
{
    *platform = (struct platform){ 0 };
    (void)path;
    snprintf(text, PLATFORM_TEXT, "--simulate needs SimGrid (libsimgrid-dev), and this program was configured without it");
    return 1;
}

void platform_free(struct platform *platform)
{
    (void)platform;
}

void platform_best_links(int hosts, double *rate, double *latency)
{
    (void)hosts;
    *rate = *latency = 0;
}

void platform_run(const int *host_of, void (*body)(void *context, const struct model_wire *wire), void *context)
{
    (void)host_of, (void)body, (void)context;
}
