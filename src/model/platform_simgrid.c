/*
 * The wire, by SimGrid. The model's clock is an actor, and so is each tile in flight: a carrier, which waits for a tile, sends
 * it, notes its arrival and signals the clock's semaphore. The clock sleeps until a signal or a timeout. Carriers are reused, so
 * there are as many as tiles have been in flight at once.
 *
 * Actors run one at a time in a single thread, so shared data need no lock.
 *
 * SimGrid's library contains an MPI and a BLAS of its own. So no program is linked with it: it is loaded on first use, and its
 * symbols stay local.
 */
#define _GNU_SOURCE     /* strverscmp */
#include "src/model/platform.h"

#include "src/io/c_locale.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <simgrid/version.h>
#include <xbt/config.h>

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the library ----------------------------------------------------------------------------------------------------------- */

#define FUNCTIONS(F)                                                                                                            \
    F(simgrid_init) F(simgrid_load_platform) F(simgrid_run) F(simgrid_get_clock) F(sg_cfg_set_string)                           \
    F(sg_cfg_set_boolean) F(sg_cfg_set_int) F(sg_host_list) F(sg_host_count) F(sg_host_get_name)                                \
    F(sg_host_get_speed) F(sg_host_core_count) F(sg_host_get_property_value) F(sg_host_get_route_latency)                       \
    F(sg_host_get_route_bandwidth) F(sg_host_sendto) F(sg_actor_create_) F(sg_actor_daemonize) F(sg_actor_sleep_for)            \
    F(sg_sem_init) F(sg_sem_acquire) F(sg_sem_acquire_timeout) F(sg_sem_release) F(sg_sem_destroy)

static struct {
    void *library;
#define MEMBER(name) __typeof__(name) *name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} sg;

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)
static const char library_name[] = "libsimgrid.so." NUMBER(SIMGRID_VERSION_MAJOR) "." NUMBER(SIMGRID_VERSION_MINOR);

/* Loads the library. false: the library is missing, or lacks a function. */
static bool load_library(void)
{
    sg.library = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
    bool whole = sg.library != NULL;
#define FIND(name) whole = whole && (sg.name = (__typeof__(name) *)dlsym(sg.library, #name)) != NULL;
    FUNCTIONS(FIND)
#undef FIND
    return whole;
}

/* ---- the platform ---------------------------------------------------------------------------------------------------------- */

static sg_host_t *hosts;            /* in the order of struct platform */

static void start_simgrid(const char *path)
{
    /* The last option: TCP's window does not limit a flow, whatever the latency. */
    char name[] = "ompfact", quiet[] = "--log=root.thres:critical", endless[] = "--cfg=network/TCP-gamma:1e30";
    char *arguments[] = { name, quiet, endless, NULL };
    int count = 3;
    struct c_locale c = c_locale_begin();       /* decimal points in platform files */
    sg.simgrid_init(&count, arguments);
    sg.sg_cfg_set_string("network/model", "CM02");
    sg.sg_cfg_set_boolean("network/crosstraffic", "no");
    sg.sg_cfg_set_int("contexts/stack-size", 256);     /* KiB */
    sg.simgrid_load_platform(path);
    c_locale_end(c);
}

/* Whether hosts compute, and there is a route between any two of them. Without a route SimGrid would abort. */
static bool can_be_used(void)
{
    size_t count = sg.sg_host_count();
    sg_host_t *all = sg.sg_host_list();
    bool usable = all != NULL;
    for (size_t a = 0; usable && a < count; a++) {
        usable = sg.sg_host_get_speed(all[a]) > 0;
        for (size_t b = 0; b < count; b++)
            usable &= a == b || sg.sg_host_get_route_bandwidth(all[a], all[b]) > 0;
    }
    free(all);
    return usable;
}

/* SimGrid prints errors on stderr and aborts, so a child process tries first. */
static bool can_be_loaded(const char *path)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(1);
        start_simgrid(path);
        _exit(!can_be_used());
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(sg.sg_host_get_name(*(const sg_host_t *)a), sg.sg_host_get_name(*(const sg_host_t *)b));
}

static struct platform_host host_of_simgrid(sg_host_t host)
{
    const char *rates = sg.sg_host_get_property_value(host, "kernel_rates");
    return (struct platform_host){ .name = sg.sg_host_get_name(host), .speed = sg.sg_host_get_speed(host),
                                   .cores = sg.sg_host_core_count(host), .flat = rates != NULL && strcmp(rates, "flat") == 0 };
}

int platform_load(const char *path, struct platform *platform, char text[PLATFORM_TEXT])
{
    *platform = (struct platform){ 0 };
    if (!load_library()) {
        snprintf(text, PLATFORM_TEXT, "--simulate needs SimGrid, but %s was not found: install libsimgrid", library_name);
        return 1;
    }
    if (access(path, R_OK) != 0) {
        snprintf(text, PLATFORM_TEXT, "%s: %s", path, strerror(errno));
        return 1;
    }
    if (!can_be_loaded(path)) {
        snprintf(text, PLATFORM_TEXT, "SimGrid cannot load %s as a platform", path);
        return 1;
    }
    start_simgrid(path);
    int count = (int)sg.sg_host_count();
    hosts = sg.sg_host_list();
    platform->host = malloc(((size_t)count + 1) * sizeof *platform->host);
    if (hosts == NULL || platform->host == NULL) {
        snprintf(text, PLATFORM_TEXT, "no memory for the %d hosts of %s", count, path);
        return 1;
    }
    qsort(hosts, (size_t)count, sizeof *hosts, by_name);
    for (platform->hosts = 0; platform->hosts < count; platform->hosts++)
        platform->host[platform->hosts] = host_of_simgrid(hosts[platform->hosts]);
    return 0;
}

void platform_free(struct platform *platform)
{
    free(platform->host);
    free(hosts);
    *platform = (struct platform){ 0 };
    hosts = NULL;
}

void platform_best_links(int count, double *rate, double *latency)
{
    *rate = *latency = 0;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            double best = a == b ? 0 : sg.sg_host_get_route_bandwidth(hosts[a], hosts[b]);
            double least = a == b ? *latency : sg.sg_host_get_route_latency(hosts[a], hosts[b]);
            *latency = *rate == 0 || least < *latency ? least : *latency;
            *rate = best > *rate ? best : *rate;
        }
}

/* ---- carriers -------------------------------------------------------------------------------------------------------------- */

struct carrier {
    sg_sem_t go;
    sg_host_t from, to;
    double bytes;
    int transfer;
    struct carrier *next;           /* the next carrier in the list of idle ones, or of those with an arrived transfer */
};

/* The state of one simulation. Only one runs at a time, and SimGrid's actors take only strings as arguments. */
static struct wire {
    const int *host_of;
    void (*body)(void *context, const struct model_wire *wire);
    void *context;
    double start;                   /* SimGrid's time at the start of the simulation */
    sg_sem_t bell;
    struct carrier *idle, *done;    /* done: the last arrival first */
    struct carrier **all;
    int count, room;
} wire;

static void carry(int argc, char **argv)
{
    (void)argc;
    struct carrier *c = wire.all[atoi(argv[1])];
    for (;;) {
        sg.sg_sem_acquire(c->go);
        sg.sg_host_sendto(c->from, c->to, c->bytes);
        c->next = wire.done;
        wire.done = c;
        sg.sg_sem_release(wire.bell);
    }
}

/* NULL: no memory. */
static struct carrier *new_carrier(void)
{
    if (wire.count == wire.room) {
        int room = 2 * wire.room + 64;
        struct carrier **larger = realloc(wire.all, (size_t)room * sizeof(struct carrier *));
        if (larger == NULL)
            return NULL;
        wire.all = larger;
        wire.room = room;
    }
    struct carrier *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    char number[16];
    const char *arguments[] = { "carrier", number, NULL };
    snprintf(number, sizeof number, "%d", wire.count);
    c->go = sg.sg_sem_init(0);
    wire.all[wire.count++] = c;
    sg.sg_actor_daemonize(sg.sg_actor_create_("carrier", hosts[0], carry, 2, arguments));
    return c;
}

static struct carrier *take_carrier(void)
{
    struct carrier *c = wire.idle;
    if (c == NULL)
        return new_carrier();
    wire.idle = c->next;
    return c;
}

/* ---- the wire -------------------------------------------------------------------------------------------------------------- */

static sg_host_t host(int rank)
{
    return hosts[wire.host_of[rank]];
}

static double now(void)
{
    return sg.simgrid_get_clock() - wire.start;
}

static double latency(void *context, int from, int to)
{
    (void)context;
    return sg.sg_host_get_route_latency(host(from), host(to));
}

static double alone(void *context, int from, int to, int64_t bytes)
{
    return latency(context, from, to) + (double)bytes / sg.sg_host_get_route_bandwidth(host(from), host(to));
}

/* Starts a transfer. SimGrid's time has stood still while nothing was in flight. */
static bool start(void *context, double time, int transfer, int from, int to, int64_t bytes)
{
    (void)context;
    if (time > now())
        sg.sg_actor_sleep_for(time - now());
    struct carrier *c = take_carrier();
    if (c == NULL)
        return false;
    c->transfer = transfer;
    c->from = host(from);
    c->to = host(to);
    c->bytes = (double)bytes;
    sg.sg_sem_release(c->go);
    return true;
}

/* Waits for an arrival. The semaphore may have been signalled for an arrival that the caller has already taken. */
static double wait_for(void *context, double until)
{
    (void)context;
    bool late = false;
    while (wire.done == NULL && !late) {
        double left = until - now();
        if (isinf(left))
            sg.sg_sem_acquire(wire.bell);
        else
            late = left <= 0 || sg.sg_sem_acquire_timeout(wire.bell, left) != 0;
    }
    return late ? until : now();
}

static int arrived(void *context)
{
    (void)context;
    struct carrier *c = wire.done;
    if (c == NULL)
        return -1;
    wire.done = c->next;
    c->next = wire.idle;
    wire.idle = c;
    return c->transfer;
}

static void keep_clock(int argc, char **argv)
{
    (void)argc, (void)argv;
    static const struct model_wire simgrid = { .latency = latency, .alone = alone, .start = start, .wait = wait_for,
                                               .arrived = arrived };
    wire.body(wire.context, &simgrid);
}

/* Carriers are daemons: they end with the clock. */
void platform_run(const int *host_of, void (*body)(void *context, const struct model_wire *wire), void *context)
{
    const char *arguments[] = { "clock", NULL };
    wire = (struct wire){ .host_of = host_of, .body = body, .context = context, .start = sg.simgrid_get_clock(),
                          .bell = sg.sg_sem_init(0) };
    sg.sg_actor_create_("clock", hosts[0], keep_clock, 1, arguments);
    sg.simgrid_run();
    for (int i = 0; i < wire.count; i++) {
        sg.sg_sem_destroy(wire.all[i]->go);
        free(wire.all[i]);
    }
    free(wire.all);
    sg.sg_sem_destroy(wire.bell);
}
