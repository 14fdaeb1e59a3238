/* ompfact, the command: usage in usage.c, a run in run_case.c, a dry run in dryrun.c. */
#include "src/command/instance.h"
#include "src/process/launcher.h"
#include "src/process/openmp_variables.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Whether MPI_Finalize would wait for other ranks. */
static bool is_joined(void)
{
    int started, ranks = 1;
    MPI_Initialized(&started);
    if (started)
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks > 1;
}

/* One rank prints the line, and the others leave it time to print. Returns the code. */
static int complain(int code, const char *text)
{
    if (code < COMMAND_USAGE || text[0] == '\0')
        return code;
    if (launcher_rank() <= 0)
        fprintf(stderr, "ompfact: %s\n", text);
    else if (launcher_ends_all() && !is_joined())
        sleep(1);
    return code;
}

/* A function of OpenBLAS, if that is the BLAS. */
void openblas_set_num_threads(int threads) __attribute__((weak));

/* OpenMP's runtime reads these variables when it starts; the user's own settings stay. Tasks use the threads, and threads of the
   BLAS would compete. */
static void prepare_threads(void)
{
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
    openmp_forget_useless();
    setenv("KMP_BLOCKTIME", "0", 0);        /* idle threads sleep between runs: other ranks may need the core */
}

/* MPI's calls between ranks crash without a message on a smaller stack. */
static int check_stack(char text[COMMAND_TEXT])
{
    enum { LEAST_KIB = 192 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= LEAST_KIB << 10)
        return 0;
    return refuse(text, "the calling thread's stack has at most %llu KiB, %d are needed: ulimit -s 8192",
                  (unsigned long long)limit.rlim_cur >> 10, LEAST_KIB);
}

/* --help, or --completion. The usage for an empty command line is bad usage. */
static int explain_options(const struct options *o)
{
    const bool bare = o->help.word != NULL && o->help.value == HELP_BARE;
    char kinds[IO_TEXT], suffixes[IO_TEXT], matrices[2 * IO_TEXT + 40], layouts[OMPFACT_LAYOUT_NAMES];
    generate_kinds(kinds);
    generate_suffixes(suffixes);
    snprintf(matrices, sizeof matrices, "%s\nwith one or more of %s", kinds, suffixes);
    ompfact_layout_names(layouts);
    if (o->help.word != NULL)
        options_help(bare ? stderr : stdout, &o->help, layouts, matrices);
    else
        options_completion(stdout, o->completion, layouts, kinds);
    return bare ? COMMAND_USAGE : 0;
}

/* Opens closed standard streams: otherwise a file that is opened later would take the place of a closed stream and receive the
   printed text. */
static void open_streams(void)
{
    int file;
    while ((file = open("/dev/null", O_RDWR)) >= 0 && file <= STDERR_FILENO)
        ;
    if (file > STDERR_FILENO)
        close(file);
}

/* Printed text must reach its destination. */
static int flush_output(int code, char text[COMMAND_TEXT])
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return code != 0 ? code : refuse(text, "stdout: %s", strerror(errno));
}

/* Runs what needs no MPI, on the first rank. True if that was all. */
static bool run_alone(const struct options *o, int *code, char text[COMMAND_TEXT])
{
    const bool about = o->help.word != NULL || o->completion != NULL || o->version || o->bug_report;
    if (!about && o->compare[0] == NULL && o->trace_to_show == NULL && o->platform == NULL && !o->dry_run)
        return false;
    *code = 0;
    if (launcher_rank() > 0)
        return true;
    if (o->help.word != NULL || o->completion != NULL)
        *code = explain_options(o);
    else if (about)
        (o->version ? origin_print_version : origin_print_bug_report)(stdout);
    else if (o->compare[0] != NULL)
        *code = compare_run(o->compare[0], o->compare[1], o->report, stdout, text);
    else if (o->trace_to_show != NULL)
        *code = page_of_trace(o->trace_to_show, o->report, o->summary, text);
    else
        *code = o->platform != NULL ? platform_write(o, text) : dry_run_sweep(o, text);
    return true;
}

struct threads {
    int fewest, most;       /* of a rank */
    int64_t on_node;        /* of all ranks on this node */
};

/* Collective. */
static struct threads count_threads(const struct session *s)
{
    int own = ompfact_threads(s->grid), me = ompfact_rank(s->grid), ranks = ompfact_ranks(s->grid), all[ranks];
    const int *node_of = ompfact_node_of(s->grid);
    struct threads t = { own, own, 0 };
    memset(all, 0, sizeof all);
    all[me] = own;
    together_reduce(s->comm, all, ranks, MPI_INT, MPI_SUM);
    for (int rank = 0; rank < ranks; rank++) {
        t.fewest = all[rank] < t.fewest ? all[rank] : t.fewest;
        t.most = all[rank] > t.most ? all[rank] : t.most;
        t.on_node += node_of[rank] == node_of[me] ? all[rank] : 0;
    }
    return t;
}

/* Ranks that share a core are a way to experiment, and the line above the table has the numbers; --threads beyond the cores is
   probably a mistake. */
static void warn_of_threads(const struct options *o, int cores)
{
    const int threads = o->job.options.threads;
    if (cores > 0 && threads > cores)
        fprintf(stderr, "ompfact: --threads %d on a node of %d core%s: more threads than cores are slower\n", threads, cores,
                cores == 1 ? "" : "s");
}

static void print_between(FILE *out, const struct session *s)
{
    const char *how = ompfact_between_nodes(s->grid), *why = "";
    if (how[0] == '\0')
        return;
    if (!strcmp(how, "one-sided"))
        why = ompfact_reads_proceed(s->grid) ? " (reads proceed while their owner computes)"
                                             : " (reads wait until their owner polls)";
    else if (s->options->job.options.between_nodes == OMPFACT_ONE_SIDED)
        why = " (this MPI library makes no window that spans nodes)";
    fprintf(out, "tiles between nodes: %s%s\n", how, why);
}

static void print_preamble(const struct session *s, const struct threads *threads, int cores, bool users_kernels)
{
    const struct options *o = s->options;
    FILE *out = s->report.table.file;
    if (out == NULL)
        return;
    int ranks = ompfact_ranks(s->grid);
    char range[24] = "";
    if (threads->fewest < threads->most)
        snprintf(range, sizeof range, "%d to ", threads->fewest);
    const char *kernels = ompfact_blas_kernels(s->grid);
    fprintf(out, "ompfact %s, %s", OMPFACT_VERSION, o->routine->name);
    if (pivots(o))
        fprintf(out, " with %s pivoting", case_pivot(o, ranks));
    else if (is_lu(o))
        fprintf(out, " without pivoting");
    fprintf(out, ": %d rank%s (%d on this node) x %s%d thread%s", ranks, ranks == 1 ? "" : "s", ompfact_ranks_on_node(s->grid),
            range, threads->most, threads->most == 1 ? "" : "s");
    if (cores > 0 && threads->on_node > cores)
        fprintf(out, " on %d core%s", cores, cores == 1 ? "" : "s");
    if (kernels[0] != '\0')
        fprintf(out, ", BLIS kernels %s%s", kernels, users_kernels ? " (BLIS_ARCH_TYPE)" : "");
    if (ompfact_devices(s->grid) > 0)
        fprintf(out, ", %d device%s (%s), host share %.3g", ompfact_devices(s->grid), ompfact_devices(s->grid) == 1 ? "" : "s",
                ompfact_device_backend(s->grid), ompfact_host_share(s->grid));
    fprintf(out, "\n");
    print_between(out, s);
    if (o->input != NULL)
        fprintf(out, "matrix from %s\n", o->input);
    if (o->points != NULL)
        fprintf(out, "points from %s\n", o->points);
    if (o->restart != NULL && o->append)
        fprintf(out, "appends rows to %s, a factor of %lld\n", o->restart, (long long)o->job.factored);
    else if (o->restart != NULL)
        fprintf(out, "continues from %s, %d of %d step%s done\n", o->restart, o->restart_step, o->restart_steps,
                o->restart_steps == 1 ? "" : "s");
    fflush(out);
}

/* A launcher's pipe or a log is no terminal: there the bar becomes lines, and without --progress only after some seconds. */
static struct progress_line choose_progress(const struct options *o)
{
    enum { PATIENCE_S = 10 };
    if (o->progress != PROGRESS_BAR || isatty(STDERR_FILENO))
        return (struct progress_line){ .form = o->progress };
    if (option_given(o, "progress"))
        return (struct progress_line){ .form = PROGRESS_LINES };
    return (struct progress_line){ .form = o->quiet ? PROGRESS_OFF : PROGRESS_LINES, .patience = PATIENCE_S };
}

/* Whether the first rank prints progress: then all ranks share theirs, at once if --progress is given. Collective. */
static int share_progress(struct session *s, struct progress_line *progress, char text[COMMAND_TEXT])
{
    int how[] = { progress->form != PROGRESS_OFF, progress->patience > 0 };
    progress->grid = s->grid;
    if (!together_share(s->comm, how, 2, MPI_INT, 0))
        return refuse(text, "ranks could not agree whether to show progress: MPI failed");
    s->shares_late = how[0] && how[1];
    s->shares = how[0] && !how[1];
    progress->names_slowest = s->shares && ompfact_ranks(s->grid) > 1;
    return s->shares ? refuse_status(s, ompfact_share_progress(s->grid), text) : 0;
}

/* Options of a grid, with those that only a run has. */
static ompfact_options options_of_run(const struct options *o)
{
    ompfact_options options = o->job.options;
    options.pin_threads = o->pin && o->tune == NULL;
    options.trace = o->trace != NULL || o->report != NULL;
    options.testing = &o->testing;
    options.typical_rates = !o->measure;
    options.watchdog_s = o->watchdog > 0 ? o->watchdog : -1;
    return options;
}

/* Checks the files of the command line and prints the lines above the table. Collective. */
static int begin(struct session *s, bool users_kernels, char text[COMMAND_TEXT])
{
    const struct options *o = s->options;
    bool first = ompfact_rank(s->grid) == 0;
    int code = first ? files_check(o, text) : 0;
    if (code == 0 && first)
        code = check_sources(s, text);
    if (code == 0 && first)
        code = report_open(&s->report, o, text);
    code = agree_line(s, code, text);
    struct threads threads = count_threads(s);
    if (code == 0 && first) {
        int cores = ompfact_node_cores();
        options_warn(stderr, o);
        case_warn_of_idle_ranks(o, ompfact_ranks(s->grid));
        warn_of_threads(o, cores);
        origin_find(&s->origin, o->argv, s->grid);
        print_preamble(s, &threads, cores, users_kernels);
    }
    return code;
}

/* Collective. */
static int run_parallel(struct session *s, char text[COMMAND_TEXT])
{
    const struct options *o = s->options;
    struct progress_line progress = choose_progress(o);
    int rank;
    bool users_kernels = getenv("BLIS_ARCH_TYPE") != NULL;      /* before the library sets it */
    ompfact_options options = options_of_run(o);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    s->speaks = rank == 0 && (progress.form == PROGRESS_BAR || progress.form == PROGRESS_LINES);
    struct counting measuring = counting_begin("measuring", o->progress, o->quiet);
    if (rank == 0 && o->tune != NULL) {
        options.progress = counting_step;
        options.progress_context = &measuring;
    } else if (rank == 0 && progress.form != PROGRESS_OFF) {
        s->progress = &progress;
        options.progress = progress_step;
        options.progress_context = &progress;
    }
    char why[OMPFACT_MESSAGE];
    if (ompfact_grid_create(MPI_COMM_WORLD, &options, &s->grid, why) != OMPFACT_SUCCESS)
        return refuse(text, "%s", why);
    stopping_begin(s);
    int code = agree_line(s, share_progress(s, &progress, text), text);
    for (const char *type = "sdcz"; code == 0 && *type != '\0'; type++)
        code = refuse_status(s, ompfact_set_device_blocks(s->grid, *type, o->herk_block, o->trsm_block), text);
    if (code == 0)
        code = o->tune != NULL ? tune_run(s, text) : begin(s, users_kernels, text);
    if (code == 0 && o->tune == NULL)
        code = run_sweep(s, text);
    if (options.progress == counting_step)
        counting_end(&measuring);
    char unread[COMMAND_TEXT];
    origin_forget(&s->origin);
    int closed = rank == 0 ? report_close(&s->report, code == 0 ? text : unread) : 0;
    stopping_end();
    ompfact_grid_destroy(&s->grid);
    return code != 0 ? code : closed;
}

static volatile sig_atomic_t final_code;

static void end_now(int signal)
{
    (void)signal;
    _exit(final_code);
}

/*
 * With UCX over TCP, MPI_Finalize may never return, also on ranks that only started (MPICH 4.0.2; similar to openucx/ucx#2254).
 * By then all output is written, so a process ends if it waits there for too long.
 */
static void finalize(int code)
{
    enum { PATIENCE_S = 10 };
    fflush(NULL);
    final_code = code;
    signal(SIGALRM, end_now);
    alarm(PATIENCE_S);
    MPI_Finalize();
    alarm(0);
}

/* Whether ranks agree about their options before a wrong option ends the program: another rank may not know the options that this
   rank read from a checkpoint. */
static bool agrees(const struct options *o)
{
    return o->reads_checkpoint || launcher_ends_all();
}

/* code: the result of reading the options. Perhaps only some ranks could read the checkpoint, or they read different ones. */
static int run_under_mpi(int *argc, char ***argv, const struct options *o, int code, char text[COMMAND_TEXT])
{
    int level;
    struct session s = { .options = o };
    MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    if (!together_begin(&s.comm))
        code = refuse(text, "MPI could not create a second communicator");
    else if (agrees(o))
        code = agree_line(&s, code, text);
    if (code == 0)
        code = flush_output(run_parallel(&s, text), text);
    complain(code, text);
    if (s.comm != MPI_COMM_NULL)
        MPI_Comm_free(&s.comm);
    finalize(code);
    return code;
}

int main(int argc, char **argv)
{
    struct options o;
    char text[COMMAND_TEXT] = "";
    signal(SIGXFSZ, SIG_IGN);       /* so that a limit on file sizes is an error of the code that writes, which reports it */
    open_streams();
    prepare_threads();
    launcher_let_yield();
    int code = options_parse(argc, argv, &o, text);
    if (code == 0 && o.output != NULL)
        code = output_check("output", o.output, text);
    if (code == 0 && o.schur != NULL)
        code = output_check("schur", o.schur, text);
    if (code != 0 && agrees(&o))
        code = run_under_mpi(&argc, &argv, &o, code, text);
    else if (code != 0 || run_alone(&o, &code, text) || (code = check_stack(text)) != 0)
        code = complain(flush_output(code, text), text);
    else
        code = run_under_mpi(&argc, &argv, &o, 0, text);
    options_free(&o);
    return code;
}
