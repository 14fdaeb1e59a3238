#include "src/machine/machine.h"

#include <hwloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- this machine ---------------------------------------------------------------------------------------------------------- */

void machine_set_name(char name[MACHINE_NAME], const char *value)
{
    snprintf(name, MACHINE_NAME, "%s", value == NULL || value[0] == '\0' ? "unknown" : value);
    for (char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    for (size_t end = strlen(name); end > 1 && name[end - 1] == ' '; end--)
        name[end - 1] = '\0';
}

void machine_here(struct machine *machine, const char *blas_kernels)
{
    char host[MACHINE_NAME] = "";
    hwloc_topology_t topology;
    *machine = (struct machine){ .cores = 1, .t_s = 2e-6, .t_w = 1.5e-9 };      /* a pair of ranks on one node */
    gethostname(host, sizeof host - 1);
    machine_set_name(machine->host, host);
    machine_set_name(machine->cpu, NULL);
    machine_set_name(machine->blas, blas_kernels[0] == '\0' ? "other" : blas_kernels);
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_load(topology) == 0) {
        hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
        int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
        machine->cores = cores > 0 ? cores : 1;
        machine_set_name(machine->cpu, package == NULL ? NULL : hwloc_obj_get_info_by_name(package, "CPUModel"));
    }
    hwloc_topology_destroy(topology);
}

/* ---- rates ----------------------------------------------------------------------------------------------------------------- */

/* A typical rate: half of the full rate at an order of `half`, more for larger tiles, and constant once a tile outgrows the
   second-level cache. The full rate of a core is that of DGEMM: core_gflops, or 50 GFLOP/s where that is not known. */
static double typical_rate(const struct machine *m, char type, enum rate_kernel kernel, double nb)
{
    const double full = m->core_gflops > 0 ? m->core_gflops : 50;
    static const double half[RATE_KERNELS] = { 230, 200, 150, 170, 110 };
    nb = nb < 448 ? nb : 448;
    return full * (type == 's' || type == 'c' ? 2 : 1) * nb * nb / (nb * nb + half[kernel] * half[kernel]);
}

/* Interpolates along a curve R nb^2 / (nb^2 + h^2), as typical rates have it: its inverse is a line over 1 / nb^2. So a few sizes
   suffice, and no measured size is a corner at which a choice would end up. */
static double between(const struct machine_rate *below, const struct machine_rate *above, double nb)
{
    double low = 1.0 / below->nb / below->nb, high = 1.0 / above->nb / above->nb, weight = (low - 1 / nb / nb) / (low - high);
    return 1 / ((1 - weight) / below->gflops + weight / above->gflops);
}

/* The rate of one of `threads` threads at nb, from measurements with exactly as many threads; 0: there are none. */
static double measured_rate(const struct machine *m, char type, enum rate_kernel kernel, int threads, double nb)
{
    const struct machine_rate *below = NULL, *above = NULL;
    for (int i = 0; i < m->rates; i++) {
        const struct machine_rate *r = &m->rate[i];
        if (r->type != type || r->kernel != kernel || r->threads != threads)
            continue;
        if (r->nb <= nb && (below == NULL || r->nb > below->nb))
            below = r;
        if (r->nb >= nb && (above == NULL || r->nb < above->nb))
            above = r;
    }
    if (below == NULL && above == NULL)
        return 0;
    if (below != NULL && above != NULL)
        return (below == above ? below->gflops : between(below, above, nb)) / threads;
    const struct machine_rate *nearest = below != NULL ? below : above;     /* beyond all sizes: extrapolates with typical
                                                                               rates */
    return nearest->gflops / threads * typical_rate(m, type, kernel, nb) / typical_rate(m, type, kernel, nearest->nb);
}

/* The measured number of threads that is nearest to `threads`. */
static int nearest_threads(const struct machine *m, char type, int threads)
{
    int nearest = 0;
    for (int i = 0; i < m->rates; i++)
        if (m->rate[i].type == type && (nearest == 0 || abs(m->rate[i].threads - threads) < abs(nearest - threads)))
            nearest = m->rate[i].threads;
    return nearest;
}

double machine_thread_rate(const struct machine *m, char type, enum rate_kernel kernel, int threads, double nb)
{
    double rate = measured_rate(m, type, kernel, nearest_threads(m, type, threads), nb);
    if (rate == 0 && type != 'd')       /* this type was not measured: its typical ratio to d is taken */
        rate = measured_rate(m, 'd', kernel, nearest_threads(m, 'd', threads), nb) * typical_rate(m, type, kernel, nb) /
               typical_rate(m, 'd', kernel, nb);
    return rate > 0 ? rate : typical_rate(m, type, kernel, nb);
}

int machine_busy(const struct machine *m, int threads, int ranks_on_node)
{
    int64_t busy = (int64_t)threads * ranks_on_node;
    return busy < m->cores ? (int)busy : m->cores;
}

double machine_task_seconds(const struct machine *m, int threads)
{
    const double TYPICAL = 2e-6;
    const struct machine_task *nearest = NULL;
    for (int i = 0; i < m->tasks; i++)
        if (nearest == NULL || abs(m->task[i].threads - threads) < abs(nearest->threads - threads))
            nearest = &m->task[i];
    return nearest != NULL ? nearest->seconds : TYPICAL;
}

void machine_keep(void *table, int *count, int most, size_t size, const void *item, size_t key)
{
    int i = 0;
    char *at = table;
    for (; i < *count && memcmp(at, item, key) != 0; i++)
        at += size;
    if (i == most)
        return;
    memcpy(at, item, size);
    *count = i == *count ? i + 1 : *count;
}

void machine_keep_task(struct machine *m, struct machine_task task)
{
    machine_keep(m->task, &m->tasks, MACHINE_TASKS, sizeof task, &task, sizeof task.threads);
}

int machine_low_rank(const struct machine *m, char type, int nb)
{
    for (int i = 0; i < m->low_ranks; i++)
        if (m->low_rank[i].type == type && m->low_rank[i].nb == nb)
            return m->low_rank[i].rank;
    return 0;
}

bool machine_has_rates(const struct machine *m, char type, int threads)
{
    for (int i = 0; i < m->rates; i++)
        if (m->rate[i].type == type && m->rate[i].threads == threads)
            return true;
    return false;
}
