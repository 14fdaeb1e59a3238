/*
 * usage: STARPU_NCPU=THREADS peer_starpu NT SPIN_US
 *
 * The tasks of peer_tasks.c in StarPU, which derives their dependences from the handles of their tiles. bench/metg compiles and
 * runs this program.
 */
#include <starpu.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double spin_us;

static void spin(void *buffers[], void *argument)
{
    (void)buffers, (void)argument;
    if (spin_us > 0)
        for (double end = starpu_timing_now() + spin_us; starpu_timing_now() < end;)
            ;
}

static struct starpu_codelet one = { .cpu_funcs = { spin }, .nbuffers = 1, .modes = { STARPU_RW } },
                             two = { .cpu_funcs = { spin }, .nbuffers = 2, .modes = { STARPU_R, STARPU_RW } },
                             three = { .cpu_funcs = { spin }, .nbuffers = 3, .modes = { STARPU_R, STARPU_R, STARPU_RW } };

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Panels first. */
static long cholesky(int nt, starpu_data_handle_t (*tile)[nt])
{
    long tasks = 0;
    for (int k = 0; k < nt; k++) {
        starpu_task_insert(&one, STARPU_PRIORITY, STARPU_MAX_PRIO, STARPU_RW, tile[k][k], 0);
        tasks++;
        for (int m = k + 1; m < nt; m++, tasks++)
            starpu_task_insert(&two, STARPU_PRIORITY, STARPU_MAX_PRIO, STARPU_R, tile[k][k], STARPU_RW, tile[m][k], 0);
        for (int n = k + 1; n < nt; n++) {
            starpu_task_insert(&two, STARPU_R, tile[n][k], STARPU_RW, tile[n][n], 0);
            tasks++;
            for (int m = n + 1; m < nt; m++, tasks++)
                starpu_task_insert(&three, STARPU_R, tile[m][k], STARPU_R, tile[n][k], STARPU_RW, tile[m][n], 0);
        }
    }
    return tasks;
}

int main(int argc, char **argv)
{
    int nt = argc > 1 ? atoi(argv[1]) : 0;
    spin_us = argc > 2 ? atof(argv[2]) : 0;
    starpu_data_handle_t (*tile)[nt] = nt > 0 ? malloc((size_t)nt * sizeof *tile) : NULL;
    double *word = nt > 0 ? calloc((size_t)nt * (size_t)nt, sizeof *word) : NULL;
    if (tile == NULL || word == NULL || starpu_init(NULL) != 0) {
        fprintf(stderr, "usage: STARPU_NCPU=THREADS peer_starpu NT SPIN_US\n");
        return 2;
    }
    for (int m = 0; m < nt; m++)
        for (int n = 0; n < nt; n++)
            starpu_variable_data_register(&tile[m][n], STARPU_MAIN_RAM, (uintptr_t)&word[m * nt + n], sizeof *word);
    long tasks = 0;
    double time = 0, cpu = 0;
    for (int run = 0; run < 2; run++) {
        time = starpu_timing_now();
        cpu = cpu_seconds();
        tasks = cholesky(nt, tile);
        starpu_task_wait_for_all();
        cpu = cpu_seconds() - cpu;
        time = 1e-6 * (starpu_timing_now() - time);
    }
    printf("{\"tasks\": %ld, \"time_s\": %.9f, \"cpu_s\": %.9f}\n", tasks, time, cpu);
    for (int m = 0; m < nt; m++)
        for (int n = 0; n < nt; n++)
            starpu_data_unregister(tile[m][n]);
    starpu_shutdown();
    free(word);
    free(tile);
    return 0;
}
