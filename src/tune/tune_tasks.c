/* Measures the time of a task beside its arithmetic: Cholesky of tiles so small that there is almost none. */
#include "src/tune/tune.h"

enum { NB = 8, TILES = 48, TASKS = TILES * (TILES + 1) * (TILES + 2) / 6 };

static void measure(int threads, struct machine *m)
{
    const double n = NB * TILES;
    ompfact_grid *alone;
    ompfact_options options = { .threads = threads };
    if (ompfact_grid_create(MPI_COMM_SELF, &options, &alone, NULL) != OMPFACT_SUCCESS)
        return;
    double gflops = tune_potrf(alone, NB * TILES, NB);
    ompfact_grid_destroy(&alone);
    if (gflops > 0)
        machine_keep_task(m, (struct machine_task){ .threads = threads, .seconds = 1e-9 * n * n * n / 3 / gflops / TASKS });
}

void tune_tasks(struct machine *m)
{
    int cores = default_threads(1);
    m->tasks = 0;
    for (int threads = 1; threads < cores; threads *= 4)
        measure(threads, m);
    measure(cores, m);
}
