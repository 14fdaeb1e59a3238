/* The options that a checkpoint contains: written, read, and kept apart from other options. */
#include "src/command/options_restart.h"
#include "src/checkpoint/manifest.h"
#include "src/generate/points.h"
#include "tests/command/test_command.h"

#include <sys/stat.h>

static char place[64], manifest[80];
static const struct points none;

static void make_folder(void)
{
    strcpy(place, "/tmp/ompfact-options-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place));
    snprintf(manifest, sizeof manifest, "%s/manifest.json", place);
}

static void remove_folder(void)
{
    unlink(manifest);
    rmdir(place);
}

/* Writes a checkpoint with `step` of two steps done, and this description. */
static void write_about(int step, char *about)
{
    int sizes[] = { 4, 4 };
    struct manifest m = { .factorization = "getrf", .pivot = "partial", .type = 'd', .structure = 'g', .tiles = 'd',
                          .step = step, .m = 8, .n = 8, .mt = 2, .nt = 2, .heights = sizes, .widths = sizes, .about = about };
    char *text = manifest_write(&m);
    FILE *file = fopen(manifest, "wb");
    ck_assert(file != NULL && text != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    free(text);
}

static void describe(char *about)
{
    write_about(0, about);
}

static const char *line(const char *rest)
{
    static char all[256];
    snprintf(all, sizeof all, "--restart %s%s", place, rest);
    return all;
}

/* Writes a checkpoint with the options of a run, and returns the shape of its matrix. */
static ompfact_shape save(const char *command_line)
{
    const struct run_facts facts = { "none", "laplace", &none };
    struct words w;
    char *about = NULL, text[COMMAND_TEXT];
    struct options o = good(&w, command_line);
    ompfact_job p = options_problem(&o, 0);
    const ompfact_shape shape = o.job.shape;
    ck_assert_msg(restart_write(&o, &p, &facts, &about, text) == 0, "%s", text);
    options_free(&o);
    describe(about);
    free(about);
    return shape;
}

/* The options of a problem return from its checkpoint. */
START_TEST(comes_back)
{
    struct words w;
    save("posv --dim 40 --nb 7 --type c --uplo u --accuracy 1e-5 --band 2 --max-rank 3 --seed 9 --nrhs 4");
    struct options o = good(&w, line(""));
    ompfact_job p = options_problem(&o, 0);
    ck_assert_str_eq(o.routine->name, "posv");
    ck_assert(p.shape.m == 40 && p.shape.n == 40 && p.shape.nb == 7 && p.shape.type == 'c' && p.shape.accuracy == 1e-5);
    ck_assert(p.nrhs == 4 && o.seed == 9);
    ck_assert(o.uplo == OMPFACT_UPPER && o.job.shape.band == 2 && o.job.shape.max_rank == 3 && strcmp(o.matrix, "laplace") == 0);
    options_free(&o);
}
END_TEST

/* The precisions of tiles return with their EPS, also three of them. */
START_TEST(precisions_come_back)
{
    static const char *const given[] = { "0.001", "1e-3,bf16", "auto", "auto,bf16" };
    struct words w;
    char all[128];
    snprintf(all, sizeof all, "posv --dim 8 --nb 4 --tile-precision %s", given[_i]);
    const ompfact_shape before = save(all);
    struct options o = good(&w, line(""));
    ck_assert(o.job.shape.tile_precision == before.tile_precision && o.job.shape.bf16_tiles == before.bf16_tiles &&
              before.bf16_tiles == _i % 2);
    options_free(&o);
}
END_TEST

/* Options about the execution and the output are not taken from the checkpoint. */
START_TEST(others)
{
    static const char *const names[] = { "output=/tmp/mine", "trace=t", "checkpoint=/tmp", "threads=3", "layout=2dbc",
                                         "tree=flat", "restart=/tmp", "nonsense=1" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char about[128];
        snprintf(about, sizeof about, "routine=getrf\ndim=8x8\nnb=4\ntype=d\nmatrix=rands\nseed=1\n%s\n", names[i]);
        describe(about);
        bad(line(""), "which this version does not support");
    }
}
END_TEST

/* The problem is the checkpoint's: none of its options may be given again, not even with the same value. */
START_TEST(problem_is_known)
{
    static const char *const options[] = { "--dim 8", "--type d", "--nrhs 1", "--uplo l", "--pivot auto", "--refine gmres",
                                           "--accuracy 1e-6", "--band 3", "--max-rank auto", "--matrix laplace", "--seed 1",
                                           "--input /tmp/a.npy", "--points /tmp/c.npy", "--rhs /tmp/b.npy" };
    static const char saved[] = "routine=posv\ndim=8x8\nnb=4\ntype=d\nnrhs=1\nuplo=l\nmatrix=laplace\nseed=1\n";
    char about[256], rest[64];
    struct words w;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        snprintf(rest, sizeof rest, " %s", options[i]);
        describe(strcpy(about, saved));
        bad(line(rest), "defines the problem");
    }
    struct options o = good(&w, line(" --nb 2 posv"));
    ck_assert(options_problem(&o, 0).shape.nb == 2 && o.restart_nb);
    options_free(&o);
    bad(line(" potrf"), "is of posv");
    bad(line(" --warmup y"), "--warmup with --restart");
}
END_TEST

/* To append rows makes the matrix larger, and keeps all other options. */
START_TEST(appends)
{
    static const char saved[] = "routine=posv\ndim=8x8\nnb=4\ntype=d\nnrhs=1\nuplo=l\nmatrix=kms\nseed=1\n"
                                "batches=3,8:00000000000000ff\n";
    char about[256];
    struct words w;
    write_about(2, strcpy(about, saved));
    struct options o = good(&w, line(" --append --dim 11 --matrix kms --nb 3"));
    ompfact_job p = options_problem(&o, 0);
    ck_assert(o.append && o.job.factored == 8 && p.shape.n == 11 && p.shape.nb == 3 && option_given(&o, "dim"));
    ck_assert(o.batches->count == 2 && o.batches->end[0] == 3 && o.batches->end[1] == 8 && o.batches->digest == 255);
    options_free(&o);
    o = good(&w, line(" --append --points /tmp/c.npy --rhs /tmp/b.npy"));
    ck_assert(!option_given(&o, "dim") && o.append);
    options_free(&o);
    bad(line(" --append"), "needs a matrix with more rows");
    bad(line(" --append --dim 7"), "the factor has 8 rows, and this matrix 7");
    bad(line(" --append --dim 11 --matrix kms:0.3"), "--matrix kms");
    bad(line(" --append --dim 11 --uplo u"), "--uplo l");
    bad(line(" --append --dim 11 --abft"), "--abft");
    write_about(1, strcpy(about, saved));
    bad(line(" --append --dim 11"), "1 of 2 steps are done");
    write_about(2, strcpy(about, "routine=getrf\ndim=8x8\nnb=4\ntype=d\n"));
    bad(line(" --append --dim 11"), "is of getrf");
    write_about(2, strcpy(about, "routine=posv\ndim=8x8\nnb=4\ntype=d\nbatches=8,3:1\n"));
    bad(line(""), "batches of points");
    bad("--append --dim 11 potrf", "needs --restart");
    bad("--dry-run --ranks 3 --append --dim 11 potrf", "needs --rows");
    bad("--dry-run --ranks 3 --rows 4 --dim 11 potrf", "--rows is for");
    bad("--dry-run --ranks 3 --append --rows 12 --dim 11 potrf", "the factor has 12 rows");
}
END_TEST

/* A path with a line break is refused. */
START_TEST(lines_in_paths)
{
    struct words w;
    char *about = NULL, text[COMMAND_TEXT], path[] = "/tmp/a\noutput=b";
    struct options o = good(&w, "gesv --dim 8 --nb 4");
    ompfact_job p = options_problem(&o, 0);
    o.rhs = path;
    const struct run_facts facts = { "partial", "rands", &none };
    ck_assert_int_ne(restart_write(&o, &p, &facts, &about, text), 0);
    ck_assert(about == NULL && strncmp(text, "--rhs: ", 7) == 0 && strchr(text, '\n') == NULL);
    o.rhs = NULL;
    options_free(&o);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("restart_options");
    TCase *tests = tcase_create("what a checkpoint says");
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, comes_back);
    tcase_add_loop_test(tests, precisions_come_back, 0, 4);
    tcase_add_test(tests, others);
    tcase_add_test(tests, problem_is_known);
    tcase_add_test(tests, appends);
    tcase_add_test(tests, lines_in_paths);
    suite_add_tcase(suite, tests);
    return run_serial_suite(suite);
}
