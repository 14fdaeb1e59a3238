/* Any allocation of a rank fails while the command runs a command line. Either all ranks end with status 2 and the same line of
   text, or the work is done. Files are closed, and nothing is left. */
#include "src/command/session.h"
#include "tests/allocation_points.h"

enum { SAMPLES = 40, SAMPLES_OF_MANY = 9, ARGUMENTS = 40, N = 48 };

static char folder[64];     /* the same folder on all ranks */

static const char *at(const char *name)
{
    static char paths[ARGUMENTS][100];
    static int next;
    char *path = paths[next++ % ARGUMENTS];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* A word that begins with @ is a file in the folder. */
static const struct line {
    const char *name, *argument[ARGUMENTS];
    bool trace;
} lines[] = {
    { "gesv from .npy", { "--input", "@A.npy", "--rhs", "@b.npy", "--output", "@x.npy", "--json", "@r.json", "--csv", "@r.csv",
                          "--check", "y", "gesv" }, false },
    { "getrf from .mtx", { "--input", "@A.mtx", "--output", "@f.mtx", "--ipiv", "@ipiv", "--check", "y", "getrf" }, false },
    { "potrf with all reports", { "--dim", "80", "--rcond", "--trace", "@t.json", "--report", "@r.html", "--owners", "@o.map",
                                  "--plot", "@p.svg", "potrf" }, true },
    { "posv, compressed, from .mtx", { "--input", "@A.mtx", "--accuracy", "1e-3", "--refine", "posv" }, false },
    { "gels", { "--dim", "80x50", "--nrhs", "3", "--check", "y", "--output", "@y.npy", "gels" }, false },
    { "posv of points", { "--dim", "80", "--matrix", "sqexp:0.1", "--weights", "auto", "--accuracy", "1e-3", "posv" }, false },
};
enum { LINES = sizeof lines / sizeof lines[0] };

static ompfact_grid *grid;

static void make_grid(bool trace)
{
    ompfact_options options = { .threads = 1, .typical_rates = true, .trace = trace, .pivot = OMPFACT_PIVOT_TOURNAMENT };
    assert_everywhere(ompfact_grid_create(MPI_COMM_WORLD, &options, &grid, NULL) == OMPFACT_SUCCESS);
}

static int parse(const struct line *line, struct options *o, char text[COMMAND_TEXT])
{
    static char *argv[ARGUMENTS + 4];
    int argc = 0;
    argv[argc++] = "ompfact";
    argv[argc++] = "--quiet";
    argv[argc++] = "--nb";
    argv[argc++] = "16";
    for (int i = 0; i < ARGUMENTS && line->argument[i] != NULL; i++)
        argv[argc++] = (char *)(line->argument[i][0] == '@' ? at(line->argument[i] + 1) : line->argument[i]);
    return options_parse(argc, argv, o, text);
}

static void run_line(const void *what, const char *name, struct point p)
{
    const struct line *line = what;
    struct options o;
    char text[COMMAND_TEXT] = "", unread[COMMAND_TEXT] = "";
    assert_everywhere_msg(parse(line, &o, text) == 0, "%s", text);
    if (grid == NULL)
        make_grid(line->trace);
    struct session s = { .options = &o, .comm = MPI_COMM_WORLD, .grid = grid };
    begin_failing(p);
    int code = agree_line(&s, my_rank() == 0 ? report_open(&s.report, &o, text) : 0, text);
    if (code == 0)
        code = run_sweep(&s, text);
    int closed = my_rank() == 0 ? report_close(&s.report, code == 0 ? text : unread) : 0;
    end_failing(p);
    options_free(&o);
    if (line->trace)        /* the trace belongs to the grid */
        ompfact_grid_destroy(&grid);
    assert_everywhere_msg(agreed(code), "%s: code %d on this rank: %s", point_name(name, p), code, text);
    assert_everywhere_msg(code == 0 || code == COMMAND_USAGE, "%s: code %d: %s", point_name(name, p), code, text);
    assert_everywhere_msg((code == 0 && closed == 0) || (text[0] != '\0' && strchr(text, '\n') == NULL), "%s: code %d: '%s'",
                          point_name(name, p), code, text);
}

static struct trial trials[LINES];

START_TEST(any_allocation)
{
    run_line(&lines[_i], "first", (struct point){ .rank = -1 });
    try_points(&trials[_i], all_ranks_count() == 1 ? SAMPLES : SAMPLES_OF_MANY);
    ompfact_grid_destroy(&grid);
}
END_TEST

/* ---- files to read --------------------------------------------------------------------------------------------------------- */

static void write_npy(const char *name, int rows, int cols)
{
    FILE *file = fopen(at(name), "w");
    char head[128];
    int length = snprintf(head, sizeof head, "{'descr': '<f8', 'fortran_order': True, 'shape': (%d, %d), }", rows, cols);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fprintf(file, "%s%*s\n", head, 0x76 - 1 - length, "");
    for (int k = 0; k < rows * cols; k++)
        fwrite(&(double){ k % (rows + 1) == 0 ? 3 * N : k % 7 }, sizeof(double), 1, file);
    fclose(file);
}

static void write_mtx(const char *name)
{
    FILE *file = fopen(at(name), "w");
    fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", N, N, 2 * N - 1);
    for (int i = 1; i <= N; i++)
        fprintf(file, i < N ? "%d %d 4.0\n%d %d -1.0\n" : "%d %d 4.0\n", i, i, i + 1, i);
    fclose(file);
}

static void make_files(void)
{
    strcpy(folder, "/tmp/ompfact-sweep-XXXXXX");
    if (my_rank() == 0 && mkdtemp(folder) != NULL) {
        write_npy("A.npy", N, N);
        write_npy("b.npy", N, 2);
        write_mtx("A.mtx");
    }
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* The last test: it removes all named files. No others are left, so none with a temporary name. */
START_TEST(no_other_files)
{
    static const char *const names[] = { "A.npy", "b.npy", "A.mtx", "x.npy", "r.json", "r.csv", "f.mtx", "ipiv", "t.json",
                                         "r.html", "o.map", "p.svg", "y.npy" };
    for (size_t i = 0; my_rank() == 0 && i < sizeof names / sizeof names[0]; i++)
        unlink(at(names[i]));
    assert_everywhere_msg(my_rank() != 0 || rmdir(folder) == 0, "%s: files are left over", folder);
}
END_TEST

static Suite *sweep_suite(void)
{
    Suite *suite = suite_create("sweep memory");
    for (int i = 0; i < LINES; i++) {
        trials[i] = (struct trial){ .name = lines[i].name, .run = run_line, .what = &lines[i] };
        TCase *test = tcase_create(lines[i].name);
        tcase_add_loop_test(test, any_allocation, i, i + 1);
        suite_add_tcase(suite, test);
    }
    TCase *last = tcase_create("files");
    tcase_add_test(last, no_other_files);
    suite_add_tcase(suite, last);
    return suite;
}

int main(int argc, char **argv)
{
    start_mpi(&argc, &argv);
    make_files();
    return run_suite(argc, argv, sweep_suite());
}
