/* The command's option parser: accepted options and their meaning. */
#include "src/command/progress_line.h"
#include "src/ompfact.h"
#include "tests/command/test_command.h"

/* Without further options the command runs getrf of order 2000, in tiles of a size to be chosen, with the defaults of the
   help. */
START_TEST(defaults)
{
    struct words w;
    struct options o = good(&w, "--seed 1");
    ompfact_shape p = options_problem(&o, 0).shape;
    ck_assert_str_eq(o.routine->name, "getrf");
    ck_assert_int_eq(options_problem_count(&o), 1);
    ck_assert(p.type == 'd' && p.m == 2000 && p.n == 2000 && p.nb == 0);
    ck_assert(!option_given(&o, "dim") && !option_given(&o, "type"));
    ck_assert(o.job.nrhs == 1 && o.seed == 1 && o.job.options.threads == 0 && o.job.options.devices == 0 && o.repeat == 1);
    ck_assert(o.uplo == OMPFACT_LOWER && o.job.options.pivot == OMPFACT_PIVOT_AUTO && !o.job.shape.full_storage);
    ck_assert(o.job.options.tree == OMPFACT_TREE_AUTO && o.job.options.ib == 16);
    ck_assert(o.job.options.host_share < 0 && o.job.options.device_backend == NULL && o.job.options.device_memory == 0);
    ck_assert(!o.job.options.copy_on_node && o.job.options.schedule == OMPFACT_DYNAMIC &&
              o.job.options.bcast == OMPFACT_BCAST_AUTO && o.job.options.between_nodes == OMPFACT_ONE_SIDED &&
              o.progress == PROGRESS_BAR);
    ck_assert(!refines(&o) && o.rcond == RCOND_IF_CHEAP && o.measure);
    ck_assert(o.tol == 30 && !o.job.checked && !o.warmup && !o.quiet && !o.verbose && !o.dry_run);
    ck_assert(o.job.options.max_tasks == 0 && o.job.options.cache_tiles == 0 && o.testing.jitter_us == 0 && o.watchdog == 60);
    ck_assert_int_eq(o.job.ranks, 0);
    ck_assert_str_eq(o.job.shape.layout, "auto");
    ck_assert(!o.json && !o.csv && !o.map && !o.owners && !o.plot && !o.input && !o.rhs && !o.output && !o.matrix && !o.weights &&
              !o.blr);
    ck_assert(!o.help.word && !o.version && !o.compare[0]);
    options_free(&o);
}
END_TEST

/* Every option stores its value. */
START_TEST(every_option)
{
    struct words w;
    struct options o = good(&w, "--layout 2dbc:2x3 --weights w --dim 300 --nb=64 --nrhs 2 --type z --uplo l --pivot none "
                                "--matrix rand --seed 7 --rhs b.npy --output x.npy --threads 2 --devices 1 "
                                "--storage=full --on-node copy --between-nodes messages --ib 8 --tree binary posv");
    ck_assert_str_eq(o.routine->name, "posv");
    ck_assert(o.routine->solves && o.routine->factor == OMPFACT_BY_CHOLESKY);
    ck_assert_str_eq(o.job.shape.layout, "2dbc:2x3");
    ck_assert_str_eq(o.weights, "w");
    ck_assert(o.job.options.ib == 8 && o.job.options.tree == OMPFACT_TREE_BINARY);
    ck_assert(o.job.nrhs == 2 && o.seed == 7 && o.job.options.threads == 2 && o.job.options.devices == 1);
    ck_assert(o.job.shape.full_storage);
    ck_assert(o.job.options.copy_on_node && o.job.options.between_nodes == OMPFACT_MESSAGES);
    ck_assert(option_given(&o, "dim") && option_given(&o, "type"));
    ck_assert_str_eq(o.type, "z");
    ck_assert_str_eq(o.matrix, "rand");
    ck_assert_str_eq(o.rhs, "b.npy");
    ck_assert_str_eq(o.output, "x.npy");
    options_free(&o);

    o = good(&w, "--input a.mtx --check y --repeat 3 --tol 1e2 --warmup y --verbose --progress json --quiet "
                 "--json - --csv c.csv --map m --owners o --plot p.svg --dry-run --ranks 23 --tasks 100 --cache 50 --jitter 10 "
                 "--watchdog 60 --rcond --blr=delta=16,seed=2");
    ck_assert_str_eq(o.blr, "delta=16,seed=2");
    ck_assert(!refines(&o) && wants_rcond(&o));
    ck_assert(o.job.checked && o.repeat == 3 && o.tol == 100 && o.warmup && o.verbose && o.quiet);
    ck_assert(o.progress == PROGRESS_JSON && o.dry_run && o.job.ranks == 23);
    ck_assert(o.job.options.max_tasks == 100 && o.job.options.cache_tiles == 50 && o.testing.jitter_us == 10 && o.watchdog == 60);
    ck_assert_str_eq(o.input, "a.mtx");
    ck_assert_str_eq(o.json, "-");
    ck_assert_str_eq(o.csv, "c.csv");
    ck_assert_str_eq(o.map, "m");
    ck_assert_str_eq(o.owners, "o");
    ck_assert_str_eq(o.plot, "p.svg");
    options_free(&o);
    o = good(&w, "--refine --measure n gesv");
    ck_assert(refines(&o) && !wants_rcond(&o) && !o.measure);
    options_free(&o);
}
END_TEST

/* --refine may have a word, as the next argument or after an equals sign. Other words belong to the next option. */
START_TEST(optional_word)
{
    static const struct { const char *line; int value; } lines[] = {
        { "--refine posv", OMPFACT_REFINE_CLASSIC },        { "posv --refine", OMPFACT_REFINE_CLASSIC },
        { "--refine --nrhs 2 posv", OMPFACT_REFINE_CLASSIC }, { "--refine classic posv", OMPFACT_REFINE_CLASSIC },
        { "--refine gmres posv", OMPFACT_REFINE_GMRES },    { "posv --refine gmres", OMPFACT_REFINE_GMRES },
        { "--refine=gmres posv", OMPFACT_REFINE_GMRES },    { "--refine gmres --refine posv", OMPFACT_REFINE_CLASSIC },
    };
    struct words w;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct options o = good(&w, lines[i].line);
        ck_assert_msg(refines(&o) && (int)o.job.options.refinement == lines[i].value, "%s", lines[i].line);
        ck_assert_str_eq(o.routine->name, "posv");
        options_free(&o);
    }
    bad("--refine=gmress posv", "--refine: \"gmress\" is not one of classic|gmres");
    bad("--refine= posv", "--refine: \"\" is not one of classic|gmres");
    bad("--refine gmress posv", "\"gmress\" and \"posv\": one routine at most");
    bad("--refine gmres getrf", "--refine is for posv and gesv, not for getrf");
}
END_TEST

/* Types, sizes and tile sizes sweep; types are outermost, tile sizes innermost. */
START_TEST(sweep)
{
    static const struct { char type; int64_t m, n; int nb; } expected[] = {
        { 's', 10, 10, 2 }, { 's', 10, 10, 4 }, { 's', 3, 4, 2 }, { 's', 3, 4, 4 }, { 's', 0, 0, 2 }, { 's', 0, 0, 4 },
        { 's', 5, 5, 2 }, { 's', 5, 5, 4 }, { 'd', 10, 10, 2 },
    };
    struct words w;
    struct options o = good(&w, "--dim 10,3x4,0:9:5 --nb 2,4 --type s,d --pivot none");
    ck_assert_int_eq(options_problem_count(&o), 16);
    ck_assert(!pivots(&o));
    for (int i = 0; i < 9; i++) {
        ompfact_job job = options_problem(&o, i);
        const ompfact_shape *p = &job.shape;
        ck_assert_msg(p->type == expected[i].type && p->m == expected[i].m && p->n == expected[i].n && p->nb == expected[i].nb &&
                      job.nrhs == 1 && p->copies == 1,
                      "problem %d: %c %lld x %lld, nb %d", i, p->type, (long long)p->m, (long long)p->n, p->nb);
    }
    options_free(&o);
}
END_TEST

/* The tile size may be left to the command; it is 0 until it is chosen. */
START_TEST(tile_size_auto)
{
    struct words w;
    struct options o = good(&w, "--nb auto,256 --dim 100");
    ck_assert_int_eq(options_problem_count(&o), 2);
    ck_assert_int_eq(options_problem(&o, 0).shape.nb, 0);
    ck_assert_int_eq(options_problem(&o, 1).shape.nb, 256);
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

/* Sizes may have suffixes for thousands and millions, and powers of ten. */
START_TEST(sizes_in_thousands)
{
    static const struct { const char *line; int64_t m, n; } lines[] = {
        { "--dim 4k", 4000, 4000 }, { "--dim 4e3", 4000, 4000 }, { "--dim 1.5K", 1500, 1500 }, { "--dim 2.5e4", 25000, 25000 },
        { "--dim 1M", 1000000, 1000000 }, { "--dim 6kx400", 6000, 400 }, { "--dim 7e2x0.5k", 700, 500 },
        { "--dim 1k:2k:1k", 1000, 1000 }, { "--dim 4000", 4000, 4000 },
    };
    struct words w;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct options o = good(&w, lines[i].line);
        ck_assert_msg(o.dim.item[0].m == lines[i].m && o.dim.item[0].n == lines[i].n, "%s", lines[i].line);
        options_free(&o);
    }
    struct options o = good(&w, "--nrhs 2k --dim 4k,5e3 gesv");
    ck_assert(o.job.nrhs == 2000 && o.dim.count == 2 && o.dim.item[1].n == 5000);
    options_free(&o);
}
END_TEST

/* Flags take yes and no: a flag alone means yes, and a later no revokes it. */
START_TEST(yes_and_no)
{
    static const struct { const char *line; bool check, abft; } lines[] = {
        { "--check potrf", true, false }, { "--check y potrf", true, false }, { "--check=yes potrf", true, false },
        { "--check n potrf", false, false }, { "--check no --abft potrf", false, true }, { "--abft y potrf", false, true },
        { "--abft --abft=n potrf", false, false }, { "--check --abft n --quiet potrf", true, false },
        { "potrf --check", true, false },
        { "--abft n geqrf", false, false },
    };
    struct words w;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct options o = good(&w, lines[i].line);
        ck_assert_msg(o.job.checked == lines[i].check && o.job.options.abft == lines[i].abft, "%s", lines[i].line);
        options_free(&o);
    }
}
END_TEST

/* Devices are a number or auto, the host's share a fraction up to 1 or auto, memory a number of bytes with a unit. Other values
   are refused by name. */
START_TEST(devices)
{
    static const struct {
        const char *word;
        int64_t bytes;
    } memory[] = {
        { "1", 1 }, { "3K", 3 << 10 }, { "1M", 1 << 20 }, { "20G", 20LL << 30 }, { "2T", 2LL << 40 }, { "4096", 4096 }
    };
    static const double shares[] = { 0, 0.3, 1 };
    static const char *const backends[] = { "auto", "cuda", "hip", "host", "portable" };
    struct words w;
    char line[64];
    for (int i = 0; i < 6; i++) {
        snprintf(line, sizeof line, "--devices 2 --device-memory %s", memory[i].word);
        struct options o = good(&w, line);
        ck_assert(o.job.options.devices == 2 && o.job.options.device_memory == memory[i].bytes);
        options_free(&o);
    }
    for (int i = 0; i < 5; i++) {
        snprintf(line, sizeof line, "--devices auto --device-backend %s --host-share %g", backends[i], shares[i % 3]);
        struct options o = good(&w, line);
        ck_assert(o.job.options.devices == -1 && o.job.options.host_share == shares[i % 3]);
        ck_assert_str_eq(option_word(&o, "device-backend"), backends[i]);
        options_free(&o);
    }
    struct options o = good(&w, "--host-share 0.5 --host-share auto");
    ck_assert(o.job.options.host_share < 0);
    options_free(&o);
    for (const char *const *word = (const char *const[]){ "1.1", "-0.1", "1e-1", "half", "0.5x", "nan", ".", NULL };
         *word != NULL; word++) {
        snprintf(line, sizeof line, "--host-share=%s", *word);
        bad(line, "is neither auto nor a number from 0 to 1");
    }
    for (const char *const *word = (const char *const[]){ "0", "-1", "1m", "1.5G", "1GB", "G", "9000000T", NULL }; *word != NULL;
         word++) {
        snprintf(line, sizeof line, "--device-memory=%s", *word);
        bad(line, "is not a number of bytes");
    }
    bad("--devices=-1", "--devices: \"-1\"");
    bad("--devices all", "--devices: \"all\"");
    bad("--device-backend steam", "--device-backend: \"steam\" is not one of auto|cuda|hip|host|portable");
}
END_TEST

/* --help and --version end the parsing; compare takes two files. */
START_TEST(other_commands)
{
    struct words w;
    struct options o = good(&w, "--help --frobnicate");
    ck_assert(o.help.word && o.help.value == HELP_SHORT && !o.version);
    o = good(&w, "--dim 20 -h potrf");
    ck_assert(o.help.word && !o.version);
    o = good(&w, "--help all");
    ck_assert_int_eq(o.help.value, HELP_ALL);
    o = good(&w, "--help=debug");
    ck_assert_int_eq(o.help.value, HELP_DEBUG);
    o = good(&w, "help all");
    ck_assert_int_eq(o.help.value, HELP_ALL);
    o = good(&w, "help");
    ck_assert(o.help.word && o.help.value == HELP_SHORT);
    static const char *const of_gels[] = { "help gels", "gels --help", "--dim 20 gels -h --frob", "--help gels", "--help=gels" };
    for (size_t i = 0; i < sizeof of_gels / sizeof of_gels[0]; i++) {
        o = good(&w, of_gels[i]);
        ck_assert_int_eq(o.help.value, HELP_ROUTINE);
        ck_assert_str_eq(o.help.word, "gels");
    }
    static const char *const of_nb[] = { "help nb", "help --nb", "--help nb", "--help --nb", "--help=nb", "gels -h --nb" };
    for (size_t i = 0; i < sizeof of_nb / sizeof *of_nb; i++) {
        o = good(&w, of_nb[i]);
        ck_assert(o.help.value == HELP_OPTION && strcmp(o.help.word, "nb") == 0);
    }
    o = good(&w, "gels --help all");
    ck_assert_int_eq(o.help.value, HELP_ALL);
    bad("help lu", "did you mean getrf?");
    static const char *const nothing[] = { "help xyzzy", "--help xyzzy", "--help=xyzzy", "gels -h xyzzy" };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        bad(nothing[i], "\"xyzzy\" is no routine, no option and none of short|all|debug|compare|report|platform");
    bad("--help lyout", "--help: unknown word \"lyout\"; did you mean \"layout\"?");
    bad("--help al", "did you mean \"all\"?");
    bad("--help repport", "did you mean \"report\"?");
    bad("help --tre", "did you mean \"tree\"?");
    bad("--help potr", "did you mean \"potrf\"?");
    bad("--help kind", "did you mean \"matrix\"?");
    o = good(&w, "");
    ck_assert(o.help.word && o.help.value == HELP_BARE);
    o = good(&w, "compare --help");
    ck_assert_int_eq(o.help.value, HELP_COMPARE);
    o = good(&w, "report -h");
    ck_assert_int_eq(o.help.value, HELP_REPORT);
    o = good(&w, "help platform");
    ck_assert_int_eq(o.help.value, HELP_PLATFORM);
    static const char *const tuning[][2] = { { "--tune", "" }, { "--tune raw", "raw" }, { "--tune=raw", "raw" },
                                             { "--tune -", "-" }, { "--tune potrf", "" }, { "--tune --threads 2", "" } };
    for (size_t i = 0; i < sizeof tuning / sizeof tuning[0]; i++) {
        o = good(&w, tuning[i][0]);
        ck_assert_msg(o.tune != NULL && !o.help.word, "%s", tuning[i][0]);
        ck_assert_str_eq(o.tune, tuning[i][1]);
        options_free(&o);
    }
    o = good(&w, "--version");
    ck_assert(o.version && !o.help.word);
    o = good(&w, "--bug-report --frobnicate");
    ck_assert(o.bug_report && !o.version);
    o = good(&w, "compare a.json b.json");
    ck_assert_str_eq(o.compare[0], "a.json");
    ck_assert_str_eq(o.compare[1], "b.json");
    bad("compare a.json", "compare needs two files");
    bad("compare a b c", "compare needs two files");
    bad("compare a b --report", "compare needs two files");
    bad("compare a b --repotr c.html", "compare: unknown option \"--repotr\"; ompfact compare --help lists the known ones");
    bad("report a --report c.html", "report: unknown option \"--report\"");
    bad("report a --sumary", "report: unknown option \"--sumary\"");
    bad("report", "report needs a trace");
}
END_TEST

static const char *help_page(enum help page, char buffer[FILE_TEXT])
{
    FILE *file = scratch();
    options_help(file, &(struct help_page){ page, page == HELP_ROUTINE ? "gels" : "" }, "2dbc[:PxQ], g2dbc", "rand, spd");
    return contents(file, buffer);
}

/* The help names routines, options and layouts, in lines that fit a terminal. The help without a topic fits a screen. */
START_TEST(help)
{
    static const char *const names[][16] = {
        [HELP_SHORT] = { "potrf", "trtri", "--layout", "--dim", "--restart", "--report", "--debug", "--help, -h", "2dbc g2dbc",
                         "compare", "--help all", "Examples" },
        [HELP_ALL] = { "potrf   ", "trtri   ", "--tree", "--ib", "--layout", "--dim", "--trace", "--report", "--help, -h",
                       "--debug", "2dbc[:PxQ], g2dbc", "rand, spd", "compare" },
        [HELP_COMPARE] = { "Usage: ompfact compare A.json B.json", "--repeat" },
        [HELP_REPORT] = { "Usage: ompfact report [--summary] TRACE.json", "--trace" },
        [HELP_PLATFORM] = { "Usage: ompfact platform --hosts N", "--link" },
        [HELP_BARE] = { "Usage: mpiexec -n P ompfact", "--dim 20k --check potrf", "ompfact --help" },
        [HELP_ROUTINE] = { "Usage: mpiexec -n P ompfact [options] gels", "--tree", "--ib", "--dim", "--rcond" },
        [HELP_DEBUG] = { "tasks=N", "jitter=US", "inject=step=K,tile=I,J,bit=B", "watchdog=SECONDS", "pin=y|n", "--debug" },
    };
    static const char *const others[] = { [HELP_SHORT] = "--ib", [HELP_ALL] = "jitter", [HELP_DEBUG] = "--dim",
                                          [HELP_COMPARE] = "--uplo", [HELP_REPORT] = "--uplo",
                                          [HELP_PLATFORM] = "--uplo", [HELP_BARE] = "--uplo", [HELP_ROUTINE] = "--uplo" };
    char buffer[FILE_TEXT];
    for (enum help page = HELP_SHORT; page <= HELP_ROUTINE; page++) {
        help_page(page, buffer);
        for (int i = 0; names[page][i] != NULL; i++)
            ck_assert_msg(strstr(buffer, names[page][i]), "page %d of the help lacks %s", page, names[page][i]);
        ck_assert_msg(!strstr(buffer, others[page]), "page %d of the help has %s", page, others[page]);
        int lines = 0;
        for (char *line = strtok(buffer, "\n"); line; line = strtok(NULL, "\n"), lines++)
            ck_assert_msg(strlen(line) <= 100, "too long: %s", line);
        ck_assert_int_le(lines, page == HELP_ALL ? 200 : 60);
    }
}
END_TEST

/* A key of --debug is also an option by itself; the last of both counts. */
START_TEST(debug)
{
    struct words w;
    struct options o = good(&w, "--debug jitter=20,inject=step=1,tile=2,3,bit=4,cache=9 "
                                "--debug=pin=n,measure=n --jitter 30 potrf");
    ck_assert(o.testing.jitter_us == 30 && o.job.options.cache_tiles == 9 && !o.pin && !o.measure && o.watchdog == 60);
    const ompfact_flip *flip = &o.testing.flip;
    ck_assert(flip->on && flip->step == 1 && flip->i == 2 && flip->j == 3 && flip->bit == 4);
    options_free(&o);
    o = good(&w, "--watchdog 5 --debug herk-block=off,trsm-block=32,watchdog=0,tasks=7");
    ck_assert(o.herk_block == 0 && o.trsm_block == 32 && o.watchdog == 0 && o.job.options.max_tasks == 7);
    options_free(&o);
    bad("--debug", "--debug needs a value: KEY=VALUE,...");
    bad("--debug jitter", "--debug: \"jitter\" is not KEY=VALUE,...; --help debug lists the keys");
    bad("--debug dim=20", "--debug: \"dim=20\" is not KEY=VALUE");
    bad("--debug jitter=", "--jitter: \"\" is not an integer");
    bad("--debug jitter=5,", "--jitter: \"5,\" is not an integer");
    bad("--debug jitter=5,dim=20", "--jitter: \"5,dim=20\" is not an integer");
    bad("--debug inject=step=1,tile=0,0,bit=2 potrf", "--inject: before step 1 tile (0,0) is final");
    bad("--debug inject=step=1,tile=2,2,bit=2 trsm", "--inject is for");
}
END_TEST

static TCase *options_case(void)
{
    TCase *c = tcase_create("options");
    tcase_add_test(c, defaults);
    tcase_add_test(c, every_option);
    tcase_add_test(c, optional_word);
    tcase_add_test(c, sweep);
    tcase_add_test(c, tile_size_auto);
    tcase_add_test(c, last_wins);
    tcase_add_test(c, sizes_in_thousands);
    tcase_add_test(c, yes_and_no);
    tcase_add_test(c, devices);
    tcase_add_test(c, other_commands);
    tcase_add_test(c, help);
    tcase_add_test(c, debug);
    return c;
}

int main(void)
{
    Suite *suite = suite_create("options");
    suite_add_tcase(suite, options_case());
    return run_serial_suite(suite);
}
