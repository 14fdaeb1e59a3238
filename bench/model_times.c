/* Prints, as CSV, the time of a factorization by the model of execution (src/model/model.h) for given kernel rates. */
#include "src/choose/choose.h"
#include "src/model/chain.h"
#include "src/model/platform.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench/model_times [options]     CSV on stdout; lists are separated by commas\n"
    "  --ranks P --threads T       (default 1, 1)\n"
    "  --routine potrf|getrf       (default potrf)\n"
    "  --dim N,... --nb NB         (default 2000, 256)\n"
    "  --layout SCHEME             (default auto)\n"
    "  --schedule S,...            basic, static, dynamic (default: all three)\n"
    "  --rates KERNEL=GFLOPS,...   of potrf, trsm, syrk, gemm, getrf on one thread (default 1 each)\n"
    "  --task US                   microseconds in which a rank's first thread submits a task (default 0)\n"
    "  --per-rank                  a line for each rank: rank,tasks,compute_s,idle_s,transfers,transfer_bytes\n"
    "  --platform FILE             rank r is on host r of a platform of SimGrid, and all kernels have the speed of a host;\n"
    "                              by default transfers take no time\n"
    "  --ideal S,R                 any rank that has a tile may send it, in a plan for all ranks; a rank sends S tiles at a\n"
    "                              time and receives R\n";

struct question {
    int ranks, nb;
    bool getrf, per_rank;
    const char *dims, *layout, *schedules;
    struct model_machine machine;
    const char *platform;
    struct model_ideal ideal;
};

static void refuse(const char *what, const char *why)
{
    fprintf(stderr, "model_times: %s: %s\n", what, why);
    exit(2);
}

/* Reads a number that only an allowed character may follow. */
static double number(const char *text, const char *follow, double least, const char *name)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || strspn(end, follow) < (*end != '\0') || !(value >= least && value <= 1e18))
        refuse(name, "not a number in range");
    return value;
}

static int whole(const char *text, const char *name)
{
    double value = number(text, "", 1, name);
    if (value != (int)value)
        refuse(name, "not a whole number");
    return (int)value;
}

static void read_rates(const char *text, struct model_machine *machine)
{
    for (const char *at = text; *at != '\0';) {
        size_t length = strcspn(at, "=");
        int kind = 0;
        while (kind < TASK_KINDS && (strlen(task_name(kind)) != length || strncmp(task_name(kind), at, length) != 0))
            kind++;
        if (kind == TASK_KINDS || at[length] != '=')
            refuse("--rates", "KERNEL=GFLOPS,... with potrf, trsm, syrk, gemm, getrf");
        machine->rates.gflops[kind] = number(at + length + 1, ",", 1e-9, "--rates");
        at += length + strcspn(at + length, ",");
        at += *at == ',';
    }
}

static struct model_ideal read_ideal(const char *text)
{
    struct model_ideal ideal;
    char end;
    if (sscanf(text, "%d,%d%c", &ideal.sends, &ideal.receives, &end) != 2 || ideal.sends < 1 || ideal.receives < 1)
        refuse("--ideal", "S,R with S and R at least 1");
    return ideal;
}

static struct question read_options(int argc, char **argv)
{
    static const struct option options[] = {
        { "ranks", 1, NULL, 'r' }, { "threads", 1, NULL, 't' }, { "routine", 1, NULL, 'f' }, { "dim", 1, NULL, 'n' },
        { "nb", 1, NULL, 'b' }, { "layout", 1, NULL, 'l' }, { "schedule", 1, NULL, 's' }, { "rates", 1, NULL, 'g' },
        { "platform", 1, NULL, 'w' }, { "ideal", 1, NULL, 'i' }, { "per-rank", 0, NULL, 'p' }, { "task", 1, NULL, 'o' },
        { "help", 0, NULL, 'h' }, { 0 },
    };
    struct question q = { .ranks = 1, .nb = 256, .dims = "2000", .layout = "auto", .schedules = "basic,static,dynamic",
                          .machine.threads = 1 };
    for (int kind = 0; kind < TASK_KINDS; kind++)
        q.machine.rates.gflops[kind] = 1;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case 'r': q.ranks = whole(optarg, "--ranks"); break;
        case 't': q.machine.threads = whole(optarg, "--threads"); break;
        case 'f':
            q.getrf = strcmp(optarg, "getrf") == 0;
            if (!q.getrf && strcmp(optarg, "potrf") != 0)
                refuse("--routine", "potrf or getrf");
            break;
        case 'n': q.dims = optarg; break;
        case 'b': q.nb = whole(optarg, "--nb"); break;
        case 'l': q.layout = optarg; break;
        case 's': q.schedules = optarg; break;
        case 'g': read_rates(optarg, &q.machine); break;
        case 'w': q.platform = optarg; break;
        case 'i': q.ideal = read_ideal(optarg); break;
        case 'o': q.machine.task_s = 1e-6 * number(optarg, "", 0, "--task"); break;
        case 'p': q.per_rank = true; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(2);
        }
    if (optind < argc)
        refuse(argv[optind], "no such option");
    return q;
}

static ompfact_matrix *matrix_of(const struct question *q, int64_t n)
{
    ompfact_shape shape = { .m = n, .n = n, .nb = q->nb, .layout = q->layout,
                            .structure = q->getrf ? OMPFACT_GENERAL : OMPFACT_HERMITIAN_LOWER };
    struct pattern *pattern;
    ompfact_matrix *A = NULL;
    char why[MESSAGE];
    if (shape_pattern(&shape, q->ranks, 0, &pattern, why) != OMPFACT_SUCCESS ||
        matrix_on_paper(&shape, pattern, 0, &A, why) != OMPFACT_SUCCESS)
        refuse("--layout", why);
    return A;
}

static void print_ranks(const struct model_rank *ranks, int count)
{
    puts("rank,tasks,compute_s,idle_s,transfers,transfer_bytes");
    for (int k = 0; k < count; k++)
        printf("%d,%" PRId64 ",%.9g,%.9g,%" PRId64 ",%" PRId64 "\n", k, ranks[k].tasks, ranks[k].compute, ranks[k].idle,
               ranks[k].transfers, ranks[k].transfer_bytes);
}

/* ---- on a platform, or without one ----------------------------------------------------------------------------------------- */

struct execution {
    const struct model_graph *graph;
    struct model_machine machine;
    struct model_rank *ranks;
    struct model_outcome outcome;
    double chain;
    const ompfact_matrix *A;
    bool getrf;
    int failed;
};

static void execute(void *context, const struct model_wire *wire)
{
    struct execution *x = context;
    x->machine.wire = wire;
    x->failed = model_run(x->graph, &x->machine, &x->outcome, x->ranks, NULL);
    x->chain = chain_seconds(x->A, x->getrf ? &lu : &cholesky, NULL, &x->machine);
}

/* The caller frees the platform at its end. */
static struct platform use_platform(struct question *q)
{
    struct platform platform = { 0 };
    char why[PLATFORM_TEXT];
    if (q->platform == NULL)
        return platform;
    if (platform_load(q->platform, &platform, why) != 0)
        refuse("--platform", why);
    if (platform.hosts < q->ranks)
        refuse("--platform", "fewer hosts than ranks");
    for (int kind = 0; kind < TASK_KINDS; kind++)
        q->machine.rates.gflops[kind] = 1e-9 * platform.host[0].speed;
    return platform;
}

static void run_on(const struct question *q, struct execution *x)
{
    int *host_of = malloc((size_t)q->ranks * sizeof *host_of);
    for (int r = 0; host_of != NULL && r < q->ranks; r++)
        host_of[r] = r;
    if (q->platform == NULL)
        execute(x, NULL);
    else if (host_of != NULL)
        platform_run(host_of, execute, x);
    x->failed |= host_of == NULL;
    free(host_of);
}

static void answer(const struct question *q, int64_t n, const char *name, size_t length)
{
    static const char *const names[] = { [OMPFACT_DYNAMIC] = "dynamic", [OMPFACT_STATIC] = "static", [OMPFACT_BASIC] = "basic" };
    int schedule = 0;
    while (schedule < 3 && (strlen(names[schedule]) != length || strncmp(names[schedule], name, length) != 0))
        schedule++;
    if (schedule == 3)
        refuse("--schedule", "basic, static or dynamic");
    ompfact_matrix *A = matrix_of(q, n);
    struct rma_nodes nodes = { .ranks = q->ranks, .count = q->ranks, .in_place = true,
                               .bcast = q->platform != NULL && q->ideal.sends == 0 ? RMA_AUTO : RMA_FLAT };
    struct model_graph *graph = model_graph_create(A, q->getrf ? &lu : &cholesky, schedule, &nodes);
    struct model_rank *ranks = calloc((size_t)q->ranks, sizeof *ranks);
    struct execution x = { .graph = graph, .machine = q->machine, .ranks = ranks, .A = A, .getrf = q->getrf };
    x.machine.ideal = q->ideal.sends > 0 ? &q->ideal : NULL;
    if (graph != NULL && ranks != NULL)
        run_on(q, &x);
    if (graph == NULL || ranks == NULL || x.failed)
        refuse("--dim", "no memory for all tasks");
    struct model_outcome o = x.outcome;
    printf("%s,%d,%d,%" PRId64 ",%d,%s,%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.6g\n", q->getrf ? "getrf" : "potrf", q->ranks,
           q->machine.threads, n, q->nb, A->pattern->name, names[schedule], o.makespan,
           o.work, o.max_compute, o.min_idle, x.chain,
           o.makespan > 0 ? 1e-9 * o.flops / o.makespan : 0);
    if (q->per_rank)
        print_ranks(ranks, q->ranks);
    fflush(stdout);
    free(ranks);
    model_graph_destroy(&graph);
    ompfact_matrix_destroy(&A);
}

int main(int argc, char **argv)
{
    struct question q = read_options(argc, argv);
    struct platform platform = use_platform(&q);
    puts("routine,ranks,threads,n,nb,layout,schedule,makespan_s,work_s,max_compute_s,min_idle_s,"
         "chain_s,gflops");
    for (const char *n = q.dims; *n != '\0'; n += strcspn(n, ","), n += *n == ',')
        for (const char *s = q.schedules; *s != '\0'; s += strcspn(s, ","), s += *s == ',')
            answer(&q, (int64_t)number(n, ",", 0, "--dim"), s, strcspn(s, ","));
    platform_free(&platform);
    return 0;
}
