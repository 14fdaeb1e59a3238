/*
 * usage: peer_tasks THREADS NT SPIN_US
 *
 * The tasks of a Cholesky factorization by tiles in OpenMP alone. A kernel keeps its thread busy for SPIN_US microseconds, and a
 * task depends on a word of each of its tiles. The second of two runs in the process counts. Prints a line of JSON. bench/metg
 * compiles and runs this program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double spin_s;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void spin(void)
{
    if (spin_s > 0)
        for (double end = seconds(CLOCK_MONOTONIC) + spin_s; seconds(CLOCK_MONOTONIC) < end;)
            ;
}

/* Runs on the submitting thread. tile: [nt][nt], at least a cache line for each tile. */
static long cholesky(int nt, char (*tile)[nt][128])
{
    long tasks = 0;
    for (int k = 0; k < nt; k++) {
#pragma omp task depend(inout : tile[k][k][0])
        spin();
        tasks++;
        for (int m = k + 1; m < nt; m++, tasks++) {
#pragma omp task depend(in : tile[k][k][0]) depend(inout : tile[m][k][0])
            spin();
        }
        for (int n = k + 1; n < nt; n++) {
#pragma omp task depend(in : tile[n][k][0]) depend(inout : tile[n][n][0])
            spin();
            tasks++;
            for (int m = n + 1; m < nt; m++, tasks++) {
#pragma omp task depend(in : tile[m][k][0], tile[n][k][0]) depend(inout : tile[m][n][0])
                spin();
            }
        }
    }
    return tasks;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 0, nt = argc > 2 ? atoi(argv[2]) : 0;
    spin_s = argc > 3 ? 1e-6 * atof(argv[3]) : 0;
    char (*tile)[nt][128] = nt > 0 ? malloc((size_t)nt * sizeof *tile) : NULL;
    if (threads < 1 || tile == NULL) {
        fprintf(stderr, "usage: peer_tasks THREADS NT SPIN_US\n");
        return 2;
    }
    long tasks = 0;
    double time = 0, cpu = 0;
    for (int run = 0; run < 2; run++) {
        time = seconds(CLOCK_MONOTONIC);
        cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
#pragma omp parallel num_threads(threads)
#pragma omp single
        tasks = cholesky(nt, tile);
        cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        time = seconds(CLOCK_MONOTONIC) - time;
    }
    printf("{\"tasks\": %ld, \"time_s\": %.9f, \"cpu_s\": %.9f}\n", tasks, time, cpu);
    free(tile);
    return 0;
}
