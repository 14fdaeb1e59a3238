/*
 * Measures the costs of tasks without their arithmetic: the library factors with other kernels, which do nothing, or wait or
 * sleep for a given time. The first rank prints a line for each run; the first run does not count.
 *
 * The linker replaces task_submit() by the function here (--wrap, bench/local.mk), which changes the kernel of a task and submits
 * the task; if tasks sleep, it also replaces rma_back_off(). All other code is the library's: loops, owners, dependences,
 * scheduling, messages.
 */
#include "omp/task.h"
#include "src/ompfact.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static const char usage[] =
    "usage: [mpiexec -n P] bench/task_times [options]     a line of JSON for each run on stdout\n"
    "  --routine potrf|getrf       without pivoting (default potrf)\n"
    "  --threads T --tiles NT      of each rank; tile rows (default 1, 32)\n"
    "  --runs R                    that count (default 1)\n"
    "  --spin US                   tasks keep their thread busy for US microseconds\n"
    "  --sleep KERNEL=US,...       tasks of a kernel sleep for US microseconds, so more threads than cores are at work\n"
    "tasks: of all ranks in one run; time_s: of the slowest rank; cpu_s: processor time of all ranks for the whole call;\n"
    "slept_us: the measured sleep of a task of each kernel.\n";

/* ---- other kernels --------------------------------------------------------------------------------------------------------- */

enum { THREAD_SLACK = 50000 };      /* nanoseconds by which Linux may wake a thread late, by default */

static double spin_s, sleep_s[TASK_KINDS];
static struct {
    int64_t submitted;              /* by the submitting thread */
    _Atomic int64_t slept, slept_ns;
} tally[TASK_KINDS];

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* clock_gettime(), because the clock of the runtime counts microseconds. */
static void spin(struct task *task)
{
    (void)task;
    int64_t end = now_ns() + (int64_t)(1e9 * spin_s);
    while (now_ns() < end)
        ;
}

/* Wakes up on time. Only this sleep does, so that threads without a task poll as often as in other programs. */
static void sleep_instead(struct task *task)
{
    int64_t begin = now_ns(), end = begin + (int64_t)(1e9 * sleep_s[task->kind]);
    struct timespec t = { .tv_sec = end / 1000000000, .tv_nsec = end % 1000000000 };
    prctl(PR_SET_TIMERSLACK, 1UL);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
    prctl(PR_SET_TIMERSLACK, (unsigned long)THREAD_SLACK);
    atomic_fetch_add_explicit(&tally[task->kind].slept, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&tally[task->kind].slept_ns, now_ns() - begin, memory_order_relaxed);
}

void __real_task_submit(struct task *task);
void __wrap_task_submit(struct task *task);

void __wrap_task_submit(struct task *task)
{
    tally[task->kind].submitted++;
    task->compute = sleep_s[task->kind] > 0 ? sleep_instead : spin_s > 0 ? spin : do_nothing;
    __real_task_submit(task);
}

/*
 * A thread without a task polls every tenth of a millisecond. 128 threads on two cores would do nothing else, so they poll less
 * often here: one of them every 8 microseconds.
 */
static int64_t rest_ns;             /* 0: as in other programs */

void __real_rma_back_off(struct rma_backoff *backoff);
void __wrap_rma_back_off(struct rma_backoff *backoff);

void __wrap_rma_back_off(struct rma_backoff *backoff)
{
    enum { BUSY_POLLS = 64 };
    struct timespec t = { .tv_nsec = rest_ns };
    if (rest_ns > 0 && backoff->idle >= BUSY_POLLS)
        nanosleep(&t, NULL);
    else
        __real_rma_back_off(backoff);
}

/* ---- runs ------------------------------------------------------------------------------------------------------------------ */

struct question {
    bool getrf;
    int threads, tiles, runs;
};

enum { NB = 8 };

static void refuse(const char *what, const char *why)
{
    fprintf(stderr, "task_times: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The sums over all ranks for each kind of tasks. */
struct counts {
    int64_t submitted[TASK_KINDS], slept[TASK_KINDS], slept_ns[TASK_KINDS];
};

static struct counts take_counts(void)
{
    enum { WORDS = sizeof(struct counts) / sizeof(int64_t) };
    struct counts mine, all;
    for (int kind = 0; kind < TASK_KINDS; kind++) {
        mine.submitted[kind] = tally[kind].submitted;
        mine.slept[kind] = atomic_load(&tally[kind].slept);
        mine.slept_ns[kind] = atomic_load(&tally[kind].slept_ns);
        tally[kind].submitted = 0;
        atomic_store(&tally[kind].slept, 0);
        atomic_store(&tally[kind].slept_ns, 0);
    }
    MPI_Allreduce(&mine, &all, WORDS, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void print_slept(const struct counts *c)
{
    const char *comma = "";
    for (int kind = 0; kind < TASK_KINDS; kind++)
        if (c->slept[kind] > 0) {
            double us = 1e-3 * (double)c->slept_ns[kind] / (double)c->slept[kind];
            printf("%s\"%s\": %.2f", comma, task_name((enum task_kind)kind), us);
            comma = ", ";
        }
}

/* A new matrix each time, whose tiles no program reads. */
static void factor(ompfact_grid *grid, const struct question *q, bool show)
{
    ompfact_shape shape = { .m = NB * q->tiles, .n = NB * q->tiles, .nb = NB,
                            .structure = q->getrf ? OMPFACT_GENERAL : OMPFACT_HERMITIAN_LOWER };
    ompfact_matrix *A;
    int64_t info;
    if (ompfact_matrix_create(grid, &shape, &A) != OMPFACT_SUCCESS)
        refuse("matrix", ompfact_message(grid));
    double cpu = cpu_seconds(), all_cpu;
    if ((q->getrf ? ompfact_getrf(A, &info) : ompfact_potrf(A, &info)) != OMPFACT_SUCCESS)
        refuse("factorization", ompfact_message(grid));
    cpu = cpu_seconds() - cpu;
    MPI_Reduce(&cpu, &all_cpu, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    struct counts c = take_counts();
    int64_t tasks = 0;
    for (int kind = 0; kind < TASK_KINDS; kind++)
        tasks += c.submitted[kind];
    if (show && ompfact_rank(grid) == 0) {
        printf("{\"routine\": \"%s\", \"ranks\": %d, \"threads\": %d, \"tiles\": %d, \"tasks\": %" PRId64
               ", \"time_s\": %.9f, \"cpu_s\": %.9f, \"slept_us\": {", q->getrf ? "getrf" : "potrf", ompfact_ranks(grid),
               ompfact_threads(grid), q->tiles, tasks, ompfact_last_report(A).seconds, all_cpu);
        print_slept(&c);
        puts("}}");
        fflush(stdout);
    }
    ompfact_matrix_destroy(&A);
}

/* ---- options --------------------------------------------------------------------------------------------------------------- */

static double number(const char *text, const char *follow, double least, const char *name)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || strspn(end, follow) < (*end != '\0') || !(value >= least && value <= 1e9))
        refuse(name, "not a number in range");
    return value;
}

static int whole(const char *text, const char *name)
{
    double value = number(text, "", 1, name);
    if (value != floor(value))
        refuse(name, "not a whole number");
    return (int)value;
}

static void read_sleep(const char *text)
{
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "=");
        int kind = 0;
        while (kind < TASK_KINDS && (strlen(task_name((enum task_kind)kind)) != length ||
                                     strncmp(task_name((enum task_kind)kind), at, length) != 0))
            kind++;
        if (kind == TASK_KINDS || at[length] != '=')
            refuse("--sleep", "KERNEL=US,... with potrf, trsm, syrk, gemm, getrf");
        sleep_s[kind] = 1e-6 * number(at + length + 1, ",", 0, "--sleep");
        at += length + strcspn(at + length, ",");
        at += *at == ',';
    }
}

static bool is_emulated(void)
{
    for (int kind = 0; kind < TASK_KINDS; kind++)
        if (sleep_s[kind] > 0)
            return true;
    return false;
}

static struct question read_options(int argc, char **argv)
{
    static const struct option options[] = {
        { "routine", 1, NULL, 'f' }, { "threads", 1, NULL, 't' }, { "tiles", 1, NULL, 'n' }, { "runs", 1, NULL, 'r' },
        { "spin", 1, NULL, 's' }, { "sleep", 1, NULL, 'l' }, { "help", 0, NULL, 'h' }, { 0 },
    };
    struct question q = { .threads = 1, .tiles = 32, .runs = 1 };
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'f':
            q.getrf = strcmp(optarg, "getrf") == 0;
            if (!q.getrf && strcmp(optarg, "potrf") != 0)
                refuse("--routine", "potrf or getrf");
            break;
        case 't': q.threads = whole(optarg, "--threads"); break;
        case 'n': q.tiles = whole(optarg, "--tiles"); break;
        case 'r': q.runs = whole(optarg, "--runs"); break;
        case 's': spin_s = 1e-6 * number(optarg, "", 0, "--spin"); break;
        case 'l': read_sleep(optarg); break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(2);
        }
    if (optind < argc)
        refuse(argv[optind], "no such option");
    return q;
}

int main(int argc, char **argv)
{
    int provided;
    char why[OMPFACT_MESSAGE];
    ompfact_grid *grid;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    struct question q = read_options(argc, argv);
    ompfact_options how = { .threads = q.threads, .pivot = OMPFACT_PIVOT_NONE };
    if (ompfact_grid_create(MPI_COMM_WORLD, &how, &grid, why) != OMPFACT_SUCCESS)
        refuse("grid", why);
    rest_ns = is_emulated() ? 8000 * (int64_t)q.threads : 0;
    for (int run = 0; run <= q.runs; run++)
        factor(grid, &q, run > 0);
    ompfact_grid_destroy(&grid);
    MPI_Finalize();
    return 0;
}
