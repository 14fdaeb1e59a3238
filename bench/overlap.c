/*
 * Does one-sided communication overlap with computation? Two ranks; the target computes outside MPI, or enters it now and then.
 * The micro-benchmarks of Gustavson, Karlsson, Kagstrom, "Distributed SBP Cholesky Factorization Algorithms with Near-Optimal
 * Scheduling", section 5 (after Brightwell, Underwood, ICS 2004), for windows instead of messages:
 *
 *   eager-get, eager-put         origin: start, compute, complete            target: compute
 *   progress-get, progress-put   origin: start, complete                     target: compute, polling every poll_us (0: never)
 *   progress-load                origin: read the target's tile in place     target: the same
 *
 * Windows: allocate (MPI_Win_allocate), shared (MPI_Win_allocate_shared); loads need the shared one. CSV on stdout,
 * lower quartiles of the same rounds:
 *
 *   compute_us     the computation alone          transfer_us   the operation alone, the target in MPI
 *   overlap_share  (compute + transfer - total) / min(compute, transfer), total the larger of both ranks' times: 1 where the
 *                  shorter one is hidden, 0 where one comes after the other, less where computing suffers; empty where the
 *                  transfer is too short to tell
 */
#include <getopt.h>
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ORIGIN = 0, TARGET = 1, REPEAT_MAX = 1000, ITEMS_MAX = 64 };
enum operation { NONE, GET, PUT, LOAD };

struct bench {
    int rank, repeat;
    double compute_us, unit_us;     /* the requested time; the time of one unit of work */
    MPI_Win win;
    const char *window;
    char *here, *there;             /* this rank's part of the window; the target's, where it is shared, or NULL */
    char *local;                    /* what is got, or put */
    volatile double sink;
};

/* ---- work ------------------------------------------------------------------------------------------------------------------ */

static double now_us(void)
{
    return 1e6 * MPI_Wtime();
}

/* A product of small matrices, a few microseconds: in cache, no memory traffic of its own. */
static void work_unit(struct bench *b)
{
    enum { N = 24 };
    static double A[N][N], C[N][N];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                C[i][j] = 0.5 * C[i][j] + A[i][k] * A[k][j] + 1e-3;
    b->sink = C[1][1];
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Others who use the machine only ever add to a time, so not the median. */
static double lower_quartile(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 4];
}

static void calibrate(struct bench *b)
{
    enum { ROUNDS = 51, UNITS = 20 };
    double took[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
        double start = now_us();
        for (int u = 0; u < UNITS; u++)
            work_unit(b);
        took[r] = (now_us() - start) / UNITS;
    }
    b->unit_us = lower_quartile(took, ROUNDS);
}

/* As much work as takes so many microseconds undisturbed, whatever the polling. */
static void compute(struct bench *b, double microseconds, double poll_us)
{
    int units = (int)(microseconds / b->unit_us + 0.5), chunk = poll_us > 0 ? (int)(poll_us / b->unit_us + 0.5) : units;
    chunk = chunk < 1 ? 1 : chunk;
    for (int u = 0; u < units; u++) {
        work_unit(b);
        int flag;
        if (poll_us > 0 && (u + 1) % chunk == 0)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
}

/* ---- operations ------------------------------------------------------------------------------------------------------------ */

static MPI_Request start(struct bench *b, enum operation operation, int bytes)
{
    MPI_Request request = MPI_REQUEST_NULL;
    if (operation == GET)
        MPI_Rget(b->local, bytes, MPI_BYTE, TARGET, 0, bytes, MPI_BYTE, b->win, &request);
    else if (operation == PUT)
        MPI_Put(b->local, bytes, MPI_BYTE, TARGET, 0, bytes, MPI_BYTE, b->win);
    else if (operation == LOAD)
        memcpy(b->local, b->there, (size_t)bytes);
    return request;
}

/* Complete at the target, too. */
static void complete(struct bench *b, enum operation operation, MPI_Request *request)
{
    if (operation == GET)
        MPI_Wait(request, MPI_STATUS_IGNORE);
    else if (operation == PUT)
        MPI_Win_flush(TARGET, b->win);
}

/* Enters MPI until both ranks have come here. */
static void serve(void)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; !done; sched_yield())
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

struct load {
    enum operation operation;
    int bytes;
    double origin_us, target_us, poll_us;   /* what they compute meanwhile */
};

/* This rank's time, from a common start to the end of its own part. */
static double measure(struct bench *b, const struct load *l)
{
    serve();
    double begin = now_us();
    if (b->rank == ORIGIN) {
        MPI_Request request = start(b, l->operation, l->bytes);
        compute(b, l->origin_us, 0);
        complete(b, l->operation, &request);
    } else {
        compute(b, l->target_us, l->poll_us);
    }
    double took = now_us() - begin;
    serve();
    return took;
}

/* ---- tests ----------------------------------------------------------------------------------------------------------------- */

/* Of the target, at the origin. */
static double from_target(const struct bench *b, double value)
{
    if (b->rank == TARGET)
        MPI_Send(&value, 1, MPI_DOUBLE, ORIGIN, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_DOUBLE, TARGET, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

/* In turn: the computation alone, the transfer alone, both. A machine that is busy with other things is so for all three. */
static void test(struct bench *b, const char *name, const struct load *l)
{
    enum { COMPUTE, TRANSFER, BOTH, LOADS };
    struct load loads[LOADS] = { [COMPUTE] = { .origin_us = b->compute_us, .target_us = b->compute_us },
                                 [TRANSFER] = { .operation = l->operation, .bytes = l->bytes }, [BOTH] = *l };
    double took[LOADS][REPEAT_MAX], mine[LOADS];
    for (int r = 0; r < b->repeat; r++)
        for (int k = 0; k < LOADS; k++)
            took[k][r] = measure(b, &loads[k]);
    for (int k = 0; k < LOADS; k++)
        mine[k] = lower_quartile(took[k], b->repeat);
    double target_us = from_target(b, mine[BOTH]), origin_us = mine[BOTH], compute_us = mine[COMPUTE],
           transfer_us = mine[TRANSFER];
    if (b->rank != ORIGIN)
        return;
    double total = origin_us > target_us ? origin_us : target_us, shorter = compute_us < transfer_us ? compute_us : transfer_us;
    printf("%s,%s,%d,%g,%.2f,%.2f,%.2f,%.2f,", name, b->window, l->bytes, l->poll_us, compute_us, transfer_us, origin_us,
           target_us);
    if (transfer_us >= 0.05 * compute_us)
        printf("%.3f", (compute_us + transfer_us - total) / shorter);
    puts("");
    fflush(stdout);
}

struct list {
    int count, value[ITEMS_MAX];
};

static void test_window(struct bench *b, const struct list *bytes, const struct list *polls)
{
    double us = b->compute_us;
    for (int i = 0; i < bytes->count; i++) {
        test(b, "eager-get", &(struct load){ GET, bytes->value[i], us, us, 0 });
        test(b, "eager-put", &(struct load){ PUT, bytes->value[i], us, us, 0 });
        for (int p = 0; p < polls->count; p++) {
            test(b, "progress-get", &(struct load){ GET, bytes->value[i], 0, us, polls->value[p] });
            test(b, "progress-put", &(struct load){ PUT, bytes->value[i], 0, us, polls->value[p] });
        }
        if (b->there != NULL)
            test(b, "progress-load", &(struct load){ LOAD, bytes->value[i], 0, us, 0 });
    }
}

static bool on_one_node(void)
{
    MPI_Comm node;
    int size;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &size);
    MPI_Comm_free(&node);
    return size == 2;
}

static void run_window(struct bench *b, bool shared, int room, const struct list *bytes, const struct list *polls)
{
    if (shared && !on_one_node()) {
        if (b->rank == ORIGIN)
            fprintf(stderr, "overlap: no shared window: the ranks are on two nodes\n");
        return;
    }
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    b->window = shared ? "shared" : "allocate";
    b->there = NULL;
    (shared ? MPI_Win_allocate_shared : MPI_Win_allocate)(room, 1, info, MPI_COMM_WORLD, &b->here, &b->win);
    memset(b->here, b->rank + 1, (size_t)room);
    if (shared) {
        MPI_Aint size;
        int unit;
        MPI_Win_shared_query(b->win, TARGET, &size, &unit, &b->there);
    }
    MPI_Win_lock_all(MPI_MODE_NOCHECK, b->win);
    for (enum operation o = GET; o <= PUT; o++)     /* connections are made by the first operation */
        measure(b, &(struct load){ .operation = o, .bytes = room });
    test_window(b, bytes, polls);
    MPI_Win_unlock_all(b->win);
    MPI_Win_free(&b->win);
    MPI_Info_free(&info);
}

/* ---- options --------------------------------------------------------------------------------------------------------------- */

static void refuse(int rank, const char *why)
{
    if (rank == ORIGIN)
        fprintf(stderr, "overlap: %s\n"
                        "usage: mpiexec -n 2 bench/overlap [--bytes B,...] [--poll US,...] [--compute US] [--repeat R]"
                        " [--windows allocate,shared]\n", why);
    MPI_Finalize();
    exit(2);
}

static struct list read_list(const char *text, long least, long most, int rank)
{
    struct list l = { 0 };
    for (const char *at = text; *at != '\0' && l.count < ITEMS_MAX;) {
        char *end;
        long value = strtol(at, &end, 10);
        if (end == at || (*end != ',' && *end != '\0') || value < least || value > most)
            refuse(rank, "not a list of numbers in range");
        l.value[l.count++] = (int)value;
        at = end + (*end == ',');
    }
    return l;
}

int main(int argc, char **argv)
{
    static const struct option options[] = { { "bytes", 1, NULL, 'b' }, { "poll", 1, NULL, 'p' }, { "compute", 1, NULL, 'c' },
                                             { "repeat", 1, NULL, 'r' }, { "windows", 1, NULL, 'w' }, { 0 } };
    enum { LARGEST = 1 << 28 };
    struct list bytes = { 5, { 8, 4096, 65536, 524288, 2097152 } }, polls = { 4, { 0, 10, 50, 200 } };
    struct bench b = { .compute_us = 500, .repeat = 21 };
    const char *windows = "allocate,shared";
    int ranks, room = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'b': bytes = read_list(optarg, 1, LARGEST, b.rank); break;
        case 'p': polls = read_list(optarg, 0, 1000000, b.rank); break;
        case 'c': b.compute_us = read_list(optarg, 1, 10000000, b.rank).value[0]; break;
        case 'r': b.repeat = read_list(optarg, 1, REPEAT_MAX, b.rank).value[0]; break;
        case 'w': windows = optarg; break;
        default: refuse(b.rank, "no such option");
        }
    if (ranks != 2 || optind < argc)
        refuse(b.rank, "two ranks, and options alone");
    for (int i = 0; i < bytes.count; i++)
        room = bytes.value[i] > room ? bytes.value[i] : room;
    b.local = calloc(1, (size_t)room);
    if (b.local == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    calibrate(&b);
    if (b.rank == ORIGIN)
        puts("test,window,bytes,poll_us,compute_us,transfer_us,total_origin_us,total_target_us,overlap_share");
    if (strstr(windows, "allocate") != NULL)
        run_window(&b, false, room, &bytes, &polls);
    if (strstr(windows, "shared") != NULL)
        run_window(&b, true, room, &bytes, &polls);
    free(b.local);
    fflush(stdout);
    serve();
    /* Over TCP, MPICH 4.0.2 hung in MPI_Finalize in half of the runs:
       one rank waiting in it for the other, which no longer polls. */
    _exit(EXIT_SUCCESS);
}
