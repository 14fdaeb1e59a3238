/* The option parser and the reporters of the command, as a user sees them. No MPI. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/command/fields.h"
#include "src/command/options.h"
#include "src/command/report.h"

enum { WORDS_MAX = 64, FILE_TEXT = 16384 };

/* A command line, split at blanks; the words live as long as it does. */
struct words {
    char line[1024];
    char *argv[WORDS_MAX];
    int argc;
};

static int parse(struct words *w, const char *line, struct options *o, char *text)
{
    snprintf(w->line, sizeof w->line, "ompfact %s", line);
    w->argc = 0;
    for (char *word = strtok(w->line, " "); word; word = strtok(NULL, " "))
        w->argv[w->argc++] = word;
    ck_assert_int_le(w->argc, WORDS_MAX);
    return options_parse(w->argc, w->argv, o, text);
}

static struct options good(struct words *w, const char *line)
{
    struct options o;
    char text[COMMAND_TEXT];
    int status = parse(w, line, &o, text);
    ck_assert_msg(status == 0, "%s: %s", line, text);
    return o;
}

/* What is said about a bad line: one line, and nothing is left to free. */
static void bad(const char *line, const char *expected)
{
    struct words w;
    struct options o;
    char text[COMMAND_TEXT];
    ck_assert_msg(parse(&w, line, &o, text) == COMMAND_USAGE, "%s is accepted", line);
    ck_assert_msg(strstr(text, expected), "%s: \"%s\" lacks \"%s\"", line, text, expected);
    ck_assert_ptr_null(strchr(text, '\n'));
    ck_assert_ptr_null(o.dim.item);
    ck_assert_ptr_null(o.nb.item);
}

/* All that a function printed, in buffer. */
static const char *contents(FILE *file, char buffer[FILE_TEXT])
{
    rewind(file);
    buffer[fread(buffer, 1, FILE_TEXT - 1, file)] = '\0';
    fclose(file);
    return buffer;
}

static FILE *scratch(void)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    return file;
}

static struct result sample(void)
{
    return (struct result){
        .routine = "getrf", .type = 'd', .m = 1000, .n = 1000, .nrhs = 1, .nb = 64, .layout = "g2dbc", .ranks = 5,
        .threads = 2, .devices = 0, .pivot = "none", .seed = 1, .time_s = 0.1, .gflops = 6.5, .error = 1.5,
        .status = "pass", .info = 0, .transfers = 1234, .transfer_bytes = 40435712, .transfers_predicted = 1234,
        .tiles_max = 52, .tiles_min = 50, .flops_max_over_mean = 1.0625, .cache_peak_tiles = 40,
        .memory_peak_bytes = 3 << 20, .solve_time_s = 0.25, .solve_transfers = 32, .gemm_gflops = 13,
    };
}

/* ---- options --------------------------------------------------------------------------------------------------- */

/* Nothing given means getrf of 2000 in tiles of 256 and the other defaults of the help. */
START_TEST(defaults)
{
    struct words w;
    struct options o = good(&w, "");
    struct problem p = options_problem(&o, 0);
    ck_assert_str_eq(o.routine->name, "getrf");
    ck_assert_int_eq(options_problem_count(&o), 1);
    ck_assert(p.type == 'd' && p.m == 2000 && p.n == 2000 && p.nb == 256);
    ck_assert(!o.dim_given && !o.type_given);
    ck_assert(o.nrhs == 1 && o.seed == 1 && o.threads == 0 && o.devices == 0 && o.repeat == 1);
    ck_assert(o.uplo == OPTION_LOWER && o.pivot == OPTION_PIVOT_NONE && o.storage == OPTION_PACKED);
    ck_assert(o.on_node == OPTION_COPY && o.progress == OPTION_PROGRESS_OFF);
    ck_assert(o.tol == 30 && !o.check && !o.ref && !o.warmup && !o.quiet && !o.verbose && !o.dry_run);
    ck_assert(o.tasks == 0 && o.cache == 0 && o.jitter == 0 && o.watchdog == 0 && o.ranks == 0);
    ck_assert_str_eq(o.layout, "auto");
    ck_assert(!o.json && !o.csv && !o.map && !o.owners && !o.input && !o.rhs && !o.output && !o.matrix);
    ck_assert(!o.help && !o.version && !o.compare[0]);
    options_free(&o);
}
END_TEST

/* Every option that is built stores its value. */
START_TEST(every_option)
{
    struct words w;
    struct options o = good(&w, "--layout 2dbc:2x3 --dim 300 --nb=64 --nrhs 2 --type z --uplo l --pivot none "
                                "--matrix rand --seed 7 --rhs b.npy --output x.npy --threads 2 --devices 1 "
                                "--storage=full --on-node copy posv");
    ck_assert_str_eq(o.routine->name, "posv");
    ck_assert(o.routine->solves && o.routine->factor == FACTOR_CHOLESKY);
    ck_assert_str_eq(o.layout, "2dbc:2x3");
    ck_assert(o.nrhs == 2 && o.seed == 7 && o.threads == 2 && o.devices == 1 && o.storage == OPTION_FULL);
    ck_assert(o.dim_given && o.type_given);
    ck_assert_str_eq(o.type, "z");
    ck_assert_str_eq(o.matrix, "rand");
    ck_assert_str_eq(o.rhs, "b.npy");
    ck_assert_str_eq(o.output, "x.npy");
    options_free(&o);

    o = good(&w, "--input a.mtx --check y --repeat 3 --tol 1e2 --ref n --warmup y --verbose --progress json --quiet "
                 "--json - --csv c.csv --map m --owners o --dry-run --ranks 23 --tasks 100 --cache 50 --jitter 10 "
                 "--watchdog 60");
    ck_assert(o.check && o.repeat == 3 && o.tol == 100 && !o.ref && o.warmup && o.verbose && o.quiet);
    ck_assert(o.progress == OPTION_PROGRESS_JSON && o.dry_run && o.ranks == 23);
    ck_assert(o.tasks == 100 && o.cache == 50 && o.jitter == 10 && o.watchdog == 60);
    ck_assert_str_eq(o.input, "a.mtx");
    ck_assert_str_eq(o.json, "-");
    ck_assert_str_eq(o.csv, "c.csv");
    ck_assert_str_eq(o.map, "m");
    ck_assert_str_eq(o.owners, "o");
    options_free(&o);
}
END_TEST

/* Types, sizes and tile sizes sweep, types outermost and tile sizes innermost. */
START_TEST(sweep)
{
    static const struct problem expected[] = {
        { 's', 10, 10, 2 }, { 's', 10, 10, 4 }, { 's', 3, 4, 2 }, { 's', 3, 4, 4 }, { 's', 0, 0, 2 },
        { 's', 0, 0, 4 }, { 's', 5, 5, 2 }, { 's', 5, 5, 4 }, { 'd', 10, 10, 2 },
    };
    struct words w;
    struct options o = good(&w, "--dim 10,3x4,0:9:5 --nb 2,4 --type s,d");
    ck_assert_int_eq(options_problem_count(&o), 16);
    for (int i = 0; i < 9; i++) {
        struct problem p = options_problem(&o, i);
        const struct problem *e = &expected[i];
        ck_assert_msg(p.type == e->type && p.m == e->m && p.n == e->n && p.nb == e->nb,
                      "problem %d: %c %lld x %lld, nb %d", i, p.type, (long long)p.m, (long long)p.n, p.nb);
    }
    options_free(&o);
}
END_TEST

/* The last value of a repeated option wins, with or without an equals sign. */
START_TEST(last_wins)
{
    struct words w;
    struct options o = good(&w, "--dim 5 --seed 3 --dim=6,7 --seed=4 potrf");
    ck_assert_int_eq(o.dim.count, 2);
    ck_assert_int_eq(o.dim.item[1].n, 7);
    ck_assert_int_eq(o.seed, 4);
    options_free(&o);
}
END_TEST

/* Numbers are whole tokens in range. */
START_TEST(bad_numbers)
{
    bad("--dim -5 potrf", "--dim: \"-5\"");
    bad("--dim 12x potrf", "--dim: \"12x\"");
    bad("--dim 1e4", "--dim: \"1e4\"");
    bad("--dim 1,,2", "--dim");
    bad("--dim 1,", "--dim");
    bad("--dim= getrf", "--dim: \"\"");
    bad("--dim +5", "--dim");
    bad("--dim 10:5:1", "--dim");
    bad("--dim 1:5", "--dim");
    bad("--dim 1:5:0", "--dim");
    bad("--dim 1x2x3", "--dim");
    bad("--dim 0:1000000:1", "at most 10000");
    bad("--dim 99999999999999999999", "from 0 to 1000000000");
    bad("--dim 100 --nb 0 potrf", "from 1 to 46340");
    bad("--nb 3x4", "--nb");
    bad("--nb 46341", "--nb");
    bad("--nrhs 0", "--nrhs: \"0\" is not an integer from 1");
    bad("--seed 9223372036854775808", "--seed");
    bad("--threads 2.5", "--threads");
    bad("--repeat 2147483648", "--repeat");
    bad("--tol 0", "--tol: \"0\" is not a positive number");
    bad("--tol nan", "--tol");
    bad("--tol 1e999", "--tol");
    bad("--tol 30x", "--tol");
    bad("--type d,d", "--type");
    bad("--type q", "s, d, c, z");
    bad("--type dz", "--type");
    bad("--type d,", "--type");
}
END_TEST

/* Words that are none of an option's, missing values and values that are too many are named. */
START_TEST(bad_values)
{
    bad("--storage half", "--storage: \"half\" is not one of packed|full");
    bad("--check yes", "not one of y|n");
    bad("--progress pac", "bar|json|off");
    bad("--progress bar|json", "bar|json|off");
    bad("--dim", "--dim wants a value: LIST");
    bad("--json --quiet", "--json wants a value: FILE");
    bad("--json=", "--json wants FILE");
    bad("--quiet=y", "--quiet takes no value");
}
END_TEST

/* Unknown names get the near one as a suggestion. */
START_TEST(near_misses)
{
    bad("getfr", "unknown routine \"getfr\"; did you mean \"getrf\"?");
    bad("potr", "did you mean \"potrf\"?");
    bad("multiply", "known: potrf getrf posv gesv");
    bad("--frobnicate getrf", "unknown option \"--frobnicate\"");
    bad("--thread=2", "did you mean --threads?");
    bad("--ouptut x", "did you mean --output?");
    bad("-h", "did you mean --help?");
    bad("-", "unknown option \"-\"");
    bad("--=5", "unknown option \"--=5\"");
    bad("--a-name-that-is-far-too-long-to-be-one-of-ours", "unknown option");
}
END_TEST

/* What is planned but not built is refused by name, unless it is another routine's concern. */
START_TEST(not_built)
{
    struct words w;
    bad("geqrf", "geqrf is not built yet");
    bad("gels", "gels is not built yet");
    bad("--trace t.json getrf", "--trace is not built yet");
    bad("--refine", "--refine is not built yet");
    bad("--host-share=0.5", "--host-share is not built yet");
    bad("--pivot tournament", "--pivot tournament is not built yet; built: none");
    bad("--pivot partial gesv", "--pivot partial is not built yet");
    bad("--uplo u potrf", "--uplo u is not built yet");
    bad("--on-node in-place", "--on-node in-place is not built yet");
    bad("--ref y", "--ref y is not built yet");
    bad("--pivot rook potrf", "--pivot: \"rook\"");
    struct options o = good(&w, "--pivot tournament potrf");
    options_free(&o);
    o = good(&w, "--uplo u getrf");
    options_free(&o);
}
END_TEST

/* Options that do not go together are refused. */
START_TEST(contradictions)
{
    struct words w;
    bad("--dim 600x400 potrf", "600x400 is rectangular, and potrf wants a square matrix");
    bad("--dim 100,600x400 gesv", "rectangular");
    bad("--dry-run", "--dry-run wants --ranks P");
    bad("--ranks 5", "--ranks is for --dry-run");
    bad("--json - --owners -", "--json and --owners both write to stdout");
    bad("getrf potrf", "one routine at most");
    bad("--dim 100 200 potrf", "one routine at most");
    struct options o = good(&w, "--dim 600x400 getrf");
    options_free(&o);
}
END_TEST

/* A message stays one line whatever was typed. */
START_TEST(one_line)
{
    char *argv[] = { "ompfact", "--type", "d\n\033[2J" };
    char *longest[] = { "ompfact", NULL };
    struct options o;
    char text[COMMAND_TEXT], word[5000];
    ck_assert_int_eq(options_parse(3, argv, &o, text), COMMAND_USAGE);
    ck_assert_ptr_nonnull(strstr(text, "\"d??[2J\""));
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    longest[1] = word;
    ck_assert_int_eq(options_parse(2, longest, &o, text), COMMAND_USAGE);
    ck_assert_ptr_nonnull(strstr(text, "known: potrf"));
}
END_TEST

/* --help and --version end the reading; compare takes two files. */
START_TEST(other_commands)
{
    struct words w;
    struct options o = good(&w, "--help --frobnicate");
    ck_assert(o.help && !o.version);
    o = good(&w, "--version");
    ck_assert(o.version && !o.help);
    o = good(&w, "compare a.json b.json");
    ck_assert_str_eq(o.compare[0], "a.json");
    ck_assert_str_eq(o.compare[1], "b.json");
    bad("compare a.json", "compare wants two files");
    bad("compare a b c", "compare wants two files");
}
END_TEST

/* The help names routines, options, layouts and what is not built, in lines that fit a terminal. */
START_TEST(help)
{
    static const char *const names[] = {
        "potrf", "getrf", "posv", "gesv", "geqrf", "(not built yet)", "--layout", "--dim", "--watchdog", "--trace",
        "2dbc[:PxQ], g2dbc", "rand, spd", "compare",
    };
    char buffer[FILE_TEXT];
    FILE *file = scratch();
    options_help(file, "2dbc[:PxQ], g2dbc", "rand, spd");
    contents(file, buffer);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_msg(strstr(buffer, names[i]), "the help lacks %s", names[i]);
    for (char *line = strtok(buffer, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_msg(strlen(line) <= 100, "too long: %s", line);

    file = scratch();
    options_version(file);
    ck_assert(!strncmp(contents(file, buffer), "ompfact ", 8));
}
END_TEST

/* ---- reports --------------------------------------------------------------------------------------------------- */

static const char *json_of(const struct result *result, bool solves, char buffer[FILE_TEXT])
{
    FILE *file = scratch();
    json_write(file, run_fields, solves, result);
    return contents(file, buffer);
}

/* A run is one line of JSON with the keys of DESIGN.md in their order. */
START_TEST(json_keys)
{
    char buffer[FILE_TEXT];
    struct result r = sample();
    ck_assert_str_eq(json_of(&r, false, buffer),
        "{\"routine\": \"getrf\", \"type\": \"d\", \"m\": 1000, \"n\": 1000, \"nrhs\": 1, \"nb\": 64, "
        "\"layout\": \"g2dbc\", \"ranks\": 5, \"threads\": 2, \"devices\": 0, \"pivot\": \"none\", "
        "\"seed\": 1, \"time_s\": 0.1, \"gflops\": 6.5, "
        "\"error\": 1.5, \"status\": \"pass\", \"info\": 0, \"transfers\": 1234, \"transfer_bytes\": 40435712, "
        "\"transfers_predicted\": 1234, \"tiles_max\": 52, \"tiles_min\": 50, \"flops_max_over_mean\": 1.0625, "
        "\"cache_peak_tiles\": 40, \"memory_peak_bytes\": 3145728}\n");
    json_of(&r, true, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, ", \"solve_time_s\": 0.25, \"solve_transfers\": 32}\n"));
}
END_TEST

/* What is not known, or not finite, is null. */
START_TEST(json_null)
{
    char buffer[FILE_TEXT];
    struct result r = sample();
    r.pivot = NULL;
    r.error = NAN;
    r.gflops = INFINITY;
    r.info = REPORT_NONE;
    json_of(&r, false, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, "\"pivot\": null, "));
    ck_assert_ptr_nonnull(strstr(buffer, "\"gflops\": null, \"error\": null, "));
    ck_assert_ptr_nonnull(strstr(buffer, "\"info\": null, "));
}
END_TEST

/* Texts are escaped, and a reader gets back every value as it was. */
START_TEST(json_round_trip)
{
    char buffer[FILE_TEXT];
    struct result r = sample(), back;
    r.layout = "file:a \"b\"\\c\n\t\001/é.map";
    r.time_s = 1.0 / 3;
    r.gflops = 1e300;
    r.error = 5e-324;
    r.seed = INT64_MAX;
    json_of(&r, true, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, "\"file:a \\\"b\\\"\\\\c\\n\\t\\u0001/é.map\""));
    ck_assert_ptr_eq(strchr(buffer, '\n'), buffer + strlen(buffer) - 1);

    ck_assert_ptr_null(json_read(buffer, run_fields, &back));
    ck_assert_str_eq(back.layout, r.layout);
    ck_assert_str_eq(back.pivot, "none");
    ck_assert(back.type == 'd' && back.time_s == r.time_s && back.gflops == r.gflops && back.error == r.error);
    ck_assert(back.seed == r.seed && back.solve_transfers == 32);
}
END_TEST

/* The reader skips what it does not know and takes a value of the wrong kind for unknown. */
START_TEST(json_lenient)
{
    char line[] = " { \"routine\" : \"a\\u00e9\\u20AC\\/\", \"speeds\": [1, -2.5e+3, \"x\"], \"e\": [], \"ok\": true, "
                  "\"n\": 1.5, \"m\": \"3\", \"type\": \"dd\", \"nb\": -12, \"time_s\": 2 } \r\n";
    struct result r;
    ck_assert_ptr_null(json_read(line, run_fields, &r));
    ck_assert_str_eq(r.routine, "aé€/");
    ck_assert(r.n == REPORT_NONE && r.m == REPORT_NONE && r.type == '\0' && r.nb == -12 && r.time_s == 2);
    ck_assert(isnan(r.error) && r.layout == NULL);
}
END_TEST

/* What is not an object of scalars and lists is refused. */
START_TEST(json_strict)
{
    static const char *const lines[] = {
        "", "[]", "{", "{}x", "{\"a\"}", "{\"a\": }", "{\"a\": 01}", "{\"a\": 1.}", "{\"a\": .5}", "{\"a\": +1}",
        "{\"a\": 1e}", "{\"a\": nan}", "{\"a\": 1,}", "{\"a\": 1 \"b\": 2}", "{a: 1}", "{\"a\": {}}",
        "{\"a\": [1,]}", "{\"a\": [[1]]}", "{\"a\": \"x", "{\"a\": \"\\", "{\"a\": \"\\q\"}",
        "{\"a\": \"\\u12\"}", "{\"a\": \"\\u0000\"}", "{\"a\": \"\\ud800\"}", "{\"a\": \"\t\"}",
        "{\"a\": 1} {\"a\": 2}", "{\"a\": truex}",
    };
    struct result r;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char *line = strdup(lines[i]);
        ck_assert_msg(json_read(line, run_fields, &r), "accepted: %s", lines[i]);
        free(line);
    }
    char empty[] = "{}";
    ck_assert_ptr_null(json_read(empty, run_fields, &r));
}
END_TEST

/* CSV has JSON's keys as its header, quotes where it must and leaves out what is not known. */
START_TEST(csv)
{
    char buffer[FILE_TEXT];
    struct result r = sample();
    FILE *file = scratch();
    r.layout = "file:a,\"b\"";
    r.error = NAN;
    csv_header(file, run_fields, false);
    csv_write(file, run_fields, false, &r);
    ck_assert_str_eq(contents(file, buffer),
        "routine,type,m,n,nrhs,nb,layout,ranks,threads,devices,pivot,seed,time_s,gflops,error,status,info,transfers,"
        "transfer_bytes,transfers_predicted,tiles_max,tiles_min,flops_max_over_mean,cache_peak_tiles,"
        "memory_peak_bytes\n"
        "getrf,d,1000,1000,1,64,\"file:a,\"\"b\"\"\",5,2,0,none,1,0.1,6.5,,pass,0,1234,40435712,1234,52,50,1.0625,40,"
        "3145728\n");
}
END_TEST

/* The table's header and its rows end in the same column, from one rank to 9999 and n = 10^7. */
START_TEST(table_alignment)
{
    for (int form = 0; form < 4; form++) {
        bool solves = form & 1, verbose = form & 2;
        char buffer[FILE_TEXT];
        struct result small = sample(), large = sample();
        small.pivot = NULL;
        small.error = NAN;
        small.layout = "schéma";
        large.m = large.n = 10000000;
        large.ranks = 9999;
        large.threads = 128;
        large.nb = 46340;
        large.nrhs = 100000;
        large.layout = "file:/a/long/path/to/some.map";
        large.time_s = 999999.5;
        large.gflops = large.gemm_gflops = 99999999;
        large.error = 1.5e-300;
        large.transfers = large.transfers_predicted = large.solve_transfers = 1000000000000;
        large.transfer_bytes = INT64_C(1) << 60;
        large.status = "no check";

        FILE *file = scratch();
        table_header(file, &small, solves, verbose);
        table_run(file, &small, solves, verbose);
        table_run(file, &large, solves, verbose);
        contents(file, buffer);
        ck_assert_ptr_nonnull(strstr(buffer, "file:/a/long/…"));
        ck_assert(solves == (strstr(buffer, "nrhs") != NULL) && verbose == (strstr(buffer, "predicted") != NULL));
        strtok(buffer, "\n");
        int width = cell_width(strtok(NULL, "\n"));
        ck_assert_int_eq(cell_width(strtok(NULL, "\n")), width);
        ck_assert_int_eq(cell_width(strtok(NULL, "\n")), width);
    }
}
END_TEST

/* The table shows the rate as a percentage of DGEMM's, and "-" where that was not measured. */
START_TEST(table_gemm)
{
    char buffer[FILE_TEXT];
    struct result r = sample();
    FILE *file = scratch();
    table_run(file, &r, false, false);
    r.gemm_gflops = 0;
    table_run(file, &r, false, false);
    contents(file, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, " 1.062   50.0 pass"));
    ck_assert_ptr_nonnull(strstr(buffer, " 1.062      - pass"));
}
END_TEST

/* Bytes are shown in the largest unit that leaves a number of one or more. */
START_TEST(bytes)
{
    static const struct { int64_t bytes; const char *text; } cases[] = {
        { 0, "0 B" }, { 1023, "1023 B" }, { 1024, "1.00 KiB" }, { 1536 << 10, "1.50 MiB" },
        { INT64_C(3) << 40, "3.00 TiB" }, { INT64_MAX, "8.00 EiB" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char cell[CELL_TEXT];
        cell_bytes(cases[i].bytes, cell);
        ck_assert_str_eq(cell, cases[i].text);
    }
}
END_TEST

/* A file that the test owns, with its text. */
static void make_file(char path[32], const char *text)
{
    strcpy(path, "/tmp/ompfact-test-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static const char *take_file(const char *path, char buffer[FILE_TEXT])
{
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    unlink(path);
    return contents(file, buffer);
}

/* A report fills the files it was asked for, one header and a line for each run. */
START_TEST(report_files)
{
    char json[32], csv[32], line[256], buffer[FILE_TEXT], text[COMMAND_TEXT];
    struct words w;
    struct report report;
    struct result r = sample();
    make_file(json, "old");
    make_file(csv, "old");
    snprintf(line, sizeof line, "--quiet --json %s --csv %s gesv", json, csv);
    struct options o = good(&w, line);
    ck_assert_int_eq(report_open(&report, &o, text), 0);
    ck_assert_ptr_null(report.table.file);
    ck_assert_int_eq(report_run(&report, &r, text), 0);
    ck_assert_int_eq(report_run(&report, &r, text), 0);
    ck_assert_int_eq(report_close(&report, text), 0);

    take_file(json, buffer);
    char *second = strchr(buffer, '\n') + 1;
    ck_assert_int_eq(strlen(second), (size_t)(second - buffer));
    ck_assert_ptr_nonnull(strstr(second, "solve_transfers"));
    take_file(csv, buffer);
    ck_assert(!strncmp(buffer, "routine,", 8));
    ck_assert_ptr_null(strstr(buffer + 8, "routine,"));
    options_free(&o);
}
END_TEST

/* A dry run has its own keys and its own form for people. */
START_TEST(dry_run)
{
    struct dry_result d = {
        .routine = "getrf", .n = 5000, .nb = 50, .layout = "g2dbc", .ranks = 23, .mt = 100, .nt = 100,
        .pattern_rows = 20, .pattern_cols = 23, .cost = 9.652173913043478, .transfers = 77777,
        .transfer_bytes = 77777 * 20000LL, .tiles_max = 440, .tiles_min = 430, .flops_max_over_mean = 1.0123,
        .max_ranks_per_row = 5, .max_ranks_per_col = 6, .memory_bytes_max = 9 << 20,
    };
    char json[32], line[128], buffer[FILE_TEXT], text[COMMAND_TEXT];
    struct words w;
    struct report report;
    make_file(json, "");
    snprintf(line, sizeof line, "--quiet --json %s --dry-run --ranks 23", json);
    struct options o = good(&w, line);
    ck_assert_int_eq(report_open(&report, &o, text), 0);
    ck_assert_int_eq(report_dry(&report, &d, text), 0);
    ck_assert_int_eq(report_close(&report, text), 0);
    ck_assert_str_eq(take_file(json, buffer),
        "{\"routine\": \"getrf\", \"n\": 5000, \"nb\": 50, \"layout\": \"g2dbc\", \"ranks\": 23, "
        "\"mt\": 100, \"nt\": 100, \"pattern_rows\": 20, \"pattern_cols\": 23, \"cost\": 9.652173913043478, "
        "\"transfers\": 77777, \"transfer_bytes\": 1555540000, \"tiles_max\": 440, \"tiles_min\": 430, "
        "\"flops_max_over_mean\": 1.0123, \"max_ranks_per_row\": 5, \"max_ranks_per_col\": 6, "
        "\"memory_bytes_max\": 9437184}\n");
    options_free(&o);

    FILE *file = scratch();
    table_dry(file, &d);
    contents(file, buffer);
    ck_assert_ptr_nonnull(strstr(buffer, "pattern    20 x 23, cost T = 9.652\n"));
    ck_assert_ptr_nonnull(strstr(buffer, "77777 tiles, 1.45 GiB\n"));
    ck_assert_ptr_nonnull(strstr(buffer, "at most 9.00 MiB a rank\n"));
}
END_TEST

/* Files that cannot be opened or written are named. */
START_TEST(report_failures)
{
    char text[COMMAND_TEXT];
    struct words w;
    struct report report;
    struct result r = sample();
    struct options o = good(&w, "--quiet --json /nonexistent/a.json");
    ck_assert_int_eq(report_open(&report, &o, text), COMMAND_USAGE);
    ck_assert_str_eq(text, "--json /nonexistent/a.json: No such file or directory");
    options_free(&o);
    if (access("/dev/full", W_OK))
        return;
    o = good(&w, "--quiet --csv /dev/full");
    ck_assert_int_eq(report_open(&report, &o, text), 0);
    ck_assert_int_eq(report_run(&report, &r, text), COMMAND_USAGE);
    ck_assert_str_eq(text, "--csv /dev/full: No space left on device");
    report_close(&report, text);
    options_free(&o);
}
END_TEST

/* The table leaves stdout to an output that asked for it. */
START_TEST(report_stdout)
{
    static const char *const takers[] = { "--json -", "--csv -", "--map -", "--owners -", "--quiet" };
    char text[COMMAND_TEXT];
    struct words w;
    struct report report;
    for (int i = 0; i < 5; i++) {
        struct options o = good(&w, takers[i]);
        ck_assert_int_eq(report_open(&report, &o, text), 0);
        ck_assert_ptr_null(report.table.file);
        ck_assert_int_eq(report_close(&report, text), 0);
        options_free(&o);
    }
    struct options o = good(&w, "");
    ck_assert_int_eq(report_open(&report, &o, text), 0);
    ck_assert_ptr_eq(report.table.file, stdout);
    ck_assert_int_eq(report_close(&report, text), 0);
    options_free(&o);
}
END_TEST

/* ---- compare --------------------------------------------------------------------------------------------------- */

static int compare_texts(const char *a, const char *b, char buffer[FILE_TEXT], char text[COMMAND_TEXT])
{
    char paths[2][32];
    make_file(paths[0], a);
    make_file(paths[1], b);
    FILE *file = scratch();
    int status = compare_run(paths[0], paths[1], file, text);
    contents(file, buffer);
    unlink(paths[0]);
    unlink(paths[1]);
    return status;
}

/* Runs of one problem meet in their order, whatever else differs; what one file lacks is shown too. */
START_TEST(compare)
{
    static const char a[] =
        "{\"routine\": \"potrf\", \"n\": 10, \"layout\": \"2dbc\", \"time_s\": 2, \"transfers\": 7}\n\n"
        "{\"routine\": \"getrf\", \"n\": 10, \"layout\": \"2dbc\", \"time_s\": 4, \"error\": null}\n"
        "{\"routine\": \"getrf\", \"n\": 10, \"layout\": \"2dbc\", \"time_s\": 8}";
    static const char b[] =
        "{\"routine\": \"getrf\", \"n\": 10, \"layout\": \"g2dbc\", \"time_s\": 1}\n"
        "{\"routine\": \"getrf\", \"n\": 10, \"layout\": \"g2dbc\", \"time_s\": 12, \"error\": 0.5}\n"
        "{\"routine\": \"getrf\", \"n\": 20, \"layout\": \"g2dbc\", \"time_s\": 3}\n";
    static const char *const rows[][4] = {
        { "potrf", "2.0000", "-", "7" }, { "getrf", "4.0000", "1.0000", "0.250" },
        { "getrf", "8.0000", "12.0000", "1.500" }, { "getrf", "20", "-", "3.0000" },
    };
    char buffer[FILE_TEXT], text[COMMAND_TEXT];
    ck_assert_int_eq(compare_texts(a, b, buffer, text), 0);
    strtok(buffer, "\n");
    strtok(NULL, "\n");
    int width = cell_width(strtok(NULL, "\n"));
    for (int r = 0; r < 4; r++) {
        char *line = strtok(NULL, "\n");
        ck_assert_int_eq(cell_width(line), width);
        for (int i = 0; i < 4; i++)
            ck_assert_msg(strstr(line, rows[r][i]), "row %d, \"%s\", lacks %s", r, line, rows[r][i]);
    }
    ck_assert_ptr_null(strtok(NULL, "\n"));
}
END_TEST

/* Files that are not of --json are refused with the place. */
START_TEST(compare_failures)
{
    static const char run[] = "{\"routine\": \"potrf\"}\n";
    char buffer[FILE_TEXT], text[COMMAND_TEXT];
    ck_assert_int_eq(compare_texts(run, "{\"routine\": \"potrf\"}\n{\"n\": 5x}\n", buffer, text), COMMAND_USAGE);
    ck_assert_ptr_nonnull(strstr(text, ", line 2, column 8: not an object as --json writes it"));
    ck_assert_int_eq(compare_texts("{\"n\": 5}\n", run, buffer, text), COMMAND_USAGE);
    ck_assert_ptr_nonnull(strstr(text, ", line 1: names no routine"));
    ck_assert_int_eq(compare_texts(run, "\n", buffer, text), COMMAND_USAGE);
    ck_assert_ptr_nonnull(strstr(text, ": no run in this file"));
    ck_assert_int_eq(compare_run("/nonexistent/a", "/nonexistent/b", stdout, text), COMMAND_USAGE);
    ck_assert_str_eq(text, "/nonexistent/a: No such file or directory");
}
END_TEST

static TCase *options_case(void)
{
    TCase *c = tcase_create("options");
    tcase_add_test(c, defaults);
    tcase_add_test(c, every_option);
    tcase_add_test(c, sweep);
    tcase_add_test(c, last_wins);
    tcase_add_test(c, bad_numbers);
    tcase_add_test(c, bad_values);
    tcase_add_test(c, near_misses);
    tcase_add_test(c, not_built);
    tcase_add_test(c, contradictions);
    tcase_add_test(c, one_line);
    tcase_add_test(c, other_commands);
    tcase_add_test(c, help);
    return c;
}

static TCase *report_case(void)
{
    TCase *c = tcase_create("report");
    tcase_add_test(c, json_keys);
    tcase_add_test(c, json_null);
    tcase_add_test(c, json_round_trip);
    tcase_add_test(c, json_lenient);
    tcase_add_test(c, json_strict);
    tcase_add_test(c, csv);
    tcase_add_test(c, table_alignment);
    tcase_add_test(c, table_gemm);
    tcase_add_test(c, bytes);
    tcase_add_test(c, report_files);
    tcase_add_test(c, dry_run);
    tcase_add_test(c, report_failures);
    tcase_add_test(c, report_stdout);
    return c;
}

static TCase *compare_case(void)
{
    TCase *c = tcase_create("compare");
    tcase_add_test(c, compare);
    tcase_add_test(c, compare_failures);
    return c;
}

int main(void)
{
    Suite *suite = suite_create("command units");
    suite_add_tcase(suite, options_case());
    suite_add_tcase(suite, report_case());
    suite_add_tcase(suite, compare_case());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
