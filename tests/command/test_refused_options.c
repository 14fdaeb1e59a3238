/* The command's option parser: refused and idle options, and their messages. */
#include "tests/command/test_command.h"

/* Numbers must be whole tokens in range. */
START_TEST(bad_numbers)
{
    bad("--dim -5 potrf", "--dim: \"-5\"");
    bad("--dim 12x potrf", "--dim: \"12x\"");
    bad("--dim 1e10", "--dim: \"1e10\"");
    bad("--dim 1.5", "--dim: \"1.5\"");
    bad("--dim 1.2345k", "--dim: \"1.2345k\"");
    bad("--dim 4g", "--dim: \"4g\"");
    bad("--dim 4kk", "--dim: \"4kk\"");
    bad("--dim 9223372036854775.9k", "--dim: \"9223372036854775.9k\"");
    bad("--dim 1001M", "from 0 to 1000000000");
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
    bad("--nb automatic", "--nb: \"automatic\" is not a list of NB, a:b:step or auto");
    bad("--dim auto", "--dim");
    bad("--nb 46341", "--nb");
    bad("--ib 0", "--ib: \"0\" is not an integer from 1");
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

/* Copies work for few routines: other routines, pivots and options are refused by name, and auto means one copy for them. */
START_TEST(copies)
{
    struct words w;
    bad("--copies 0 potrf", "--copies: \"0\"");
    bad("--copies two potrf", "--copies");
    bad("--copies 2 geqrf", "--copies is for potrf, posv, getrf and gesv, not for geqrf");
    bad("--copies 2 potri", "not for potri");
    bad("--copies 2 getrf", "--pivot none");
    bad("--copies 2 --pivot partial gesv", "without pivoting");
    bad("--copies 2 --abft potrf", "--abft is not for copies");
    bad("--copies 2 --checkpoint d potrf", "--checkpoint is not for copies");
    bad("--copies 2 --accuracy 1e-3 potrf", "--accuracy is not for copies");
    bad("--copies 2 --partial 10 potrf", "--partial is not for copies");
    bad("--copies 2 --devices 1 potrf", "--devices is not for copies");
    bad("--dry-run --ranks 4 --copies 5 potrf", "5 copies of the matrix cannot be on 4 ranks");
    const struct {
        const char *line;
        int copies;
    } allowed[] = { { "potrf", 1 }, { "--copies 3 potrf", 3 }, { "--copies auto posv", 0 }, { "--copies 2 --pivot none gesv", 2 },
                    { "--copies 2 --refine posv", 2 },
                    { "--copies auto getrf", 1 }, { "--copies auto geqrf", 1 }, { "--copies auto --abft potrf", 1 },
                    { "--copies 1 geqrf", 1 } };
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
        struct options o = good(&w, allowed[i].line);
        ck_assert_msg(o.job.shape.copies == allowed[i].copies, "%s: %d", allowed[i].line, (int)o.job.shape.copies);
        options_free(&o);
    }
}
END_TEST

/* Unknown words, missing values and surplus values are named. */
START_TEST(bad_values)
{
    bad("--tree fat geqrf", "--tree: \"fat\" is not one of flat|binary|greedy|auto");
    bad("--storage half", "--storage: \"half\" is not one of packed|full");
    bad("--check=maybe", "not one of y|n");
    bad("--check maybe", "unknown routine \"maybe\"");
    bad("--progress pac", "bar|json|off");
    bad("--progress bar|json", "bar|json|off");
    bad("--dim", "--dim needs a value: LIST");
    bad("--json --quiet", "--json needs a value: FILE");
    bad("--json=", "--json needs FILE");
    bad("--quiet=loud", "--quiet: \"loud\" is not one of y|n");
    bad("--report r.pdf potrf", "--report writes html, but \"r.pdf\" has another ending: use r.html");
    bad("--plot a.b/p.PNG potrf", "use p.svg");
    bad("--json r.csv potrf", "use r.json");
    bad("compare a b --report r.pdf", "use r.html");
    bad("report t.json r.pdf", "use r.html");
}
END_TEST

/* Words and files that an option cannot have here are refused. */
START_TEST(refused_values)
{
    struct words w;
    bad("--weights w --blr delta=8", "--weights and --blr both");
    bad("--weights w --dim 300", "--nb must give");
    bad("--weights auto --nb 20", "give --accuracy");
    bad("--weights auto --nb 20 --accuracy 1e-3 --dry-run --ranks 2 potrf", "a dry run has none");
    good(&w, "--weights auto --nb auto --accuracy 1e-3 potrf");
    bad("--weights w --nb 20,auto", "--nb must give");
    bad("--tile-precision 1 potrf", "--tile-precision: \"1\" is not a number between 0 and 1");
    bad("--tile-precision auto --type d,s potrf", "--tile-precision is for types d and z");
    bad("--tile-precision 1e-6 gesv", "--tile-precision needs --pivot none");
    good(&w, "--tile-precision 1e-6 --accuracy 1e-6 potrf");
    good(&w, "--tile-precision auto,bf16 potrf");
    good(&w, "--tile-precision 1e-4,bf16 --pivot none --refine gesv");
    good(&w, "--tile-precision 1e-4,bf16 --type d,z potrf");
    good(&w, "--tile-precision 1e-4,bf16 --accuracy 1e-6 --checkpoint dir potrf");
    good(&w, "--tile-precision 1e-4,bf16 --abft --checkpoint dir potrf");
    good(&w, "--tile-precision 1e-6 --refine gmres posv");
    good(&w, "--accuracy 1e-6 --refine gmres posv");
    bad("--tile-precision 1e-4,bf8 potrf", "--tile-precision: \"1e-4,bf8\" is not a number between 0 and 1");
    bad("--tile-precision ,bf16 potrf", "--tile-precision: \",bf16\" is not a number between 0 and 1");
    good(&w, "--tile-precision 1e-4,bf16 --devices 1 potrf");
    bad("--tile-precision 1e-4,bf16 --abft --devices 1 potrf", "--tile-precision EPS,bf16 is not for --abft with --devices");
    good(&w, "--tile-precision 1e-6 --abft potrf");
    good(&w, "--tile-precision 1e-6 --devices 1 potrf");
    good(&w, "--tile-precision 1e-6 --devices 1 --emulate bf16x9 potrf");
    bad("--tile-precision 1e-6 --devices 1 --emulate tf32 --refine posv", "--tile-precision needs products in single");
    bad("--tile-precision 1e-6 --simulate one --ranks 2 potrf", "--simulate is for tiles of one precision");
    good(&w, "--tile-precision 1e-6 --pivot none --refine gesv");
    bad("--pivot rook potrf", "--pivot: \"rook\"");
    struct options o = good(&w, "--pivot tournament potrf");
    options_free(&o);
    o = good(&w, "--uplo u potrf");
    ck_assert_int_eq(o.uplo, OMPFACT_UPPER);
    options_free(&o);
}
END_TEST

/* Options that contradict each other are refused. */
START_TEST(contradictions)
{
    struct words w;
    bad("--dim 600x400 potrf", "600x400 is rectangular, but potrf needs a square matrix");
    bad("--dim 100,600x400 gesv", "rectangular");
    bad("--dim 400x600 --rcond geqrf", "400x600 is rectangular, but --rcond needs as many rows as columns, or more");
    bad("--dim 600x400 --rcond", "600x400 is rectangular, but --rcond needs a square matrix");
    bad("--refine --type d,s posv", "--refine is for types d and z, not for --type ds");
    bad("--refine --rcond gesv", "--rcond needs the factors, which --refine does not keep");
    bad("--dry-run", "--dry-run needs --ranks P");
    bad("--dry-run --ranks 2 --tune", "--tune measures");
    bad("--ranks 5", "--ranks is for --dry-run");
    bad("--json - --owners -", "--json and --owners both write to stdout");
    bad("--map - --plot -", "--map and --plot both write to stdout");
    bad("getrf potrf", "one routine at most");
    bad("--dim 100 200 potrf", "one routine at most");
    struct options o = good(&w, "--dim 600x400 getrf");
    options_free(&o);
}
END_TEST

/* Routine names of other libraries are answered with the name here. */
START_TEST(routines_elsewhere)
{
    bad("cholesky", "unknown routine \"cholesky\"; did you mean potrf?");
    bad("lu", "did you mean getrf?");
    bad("QR", "did you mean geqrf?");
    bad("solve", "did you mean gesv, or posv where A is positive definite?");
    bad("lstsq", "did you mean gels?");
    bad("inv", "did you mean getri");
    bad("POTRF", "did you mean potrf?");
    bad("dgesv", "did you mean gesv?");
    bad("pzgetrf", "did you mean getrf?");
    bad("dpotfr", "did you mean \"potrf\"?");
}
END_TEST

/* For an unknown name the message suggests a similar one. */
START_TEST(near_misses)
{
    bad("getfr", "unknown routine \"getfr\"; did you mean \"getrf\"?");
    bad("potr", "did you mean \"potrf\"?");
    bad("multiply", "known: potrf getrf geqrf sytrf hetrf posv gesv gels");
    bad("--frobnicate getrf", "unknown option \"--frobnicate\"");
    bad("--thread=2", "did you mean --threads?");
    bad("--ouptut x", "did you mean --output?");
    bad("--dimension 20", "did you mean --dim?");
    bad("--sise 20", "did you mean --dim?");
    bad("--kind spd", "did you mean --matrix?");
    bad("--outfile x.npy", "did you mean --output?");
    bad("--threads-per-rank 2", "did you mean --threads?");
    bad("-q", "did you mean --quiet?");
    bad("-n 200", "did you mean --dim?");
    bad("--size=200", "did you mean --dim?");
    bad("--blocksize 64", "did you mean --nb?");
    bad("-o x.npy", "did you mean --output?");
    bad("--node 3", "unknown option \"--node\"; --help lists");
    bad("-", "unknown option \"-\"");
    bad("--=5", "unknown option \"--=5\"");
    bad("--a-name-that-is-far-too-long-to-be-one-of-ours", "unknown option");
}
END_TEST

/* An option that would change what the user gets, and cannot, is refused. One line lists all other options that have no
   effect. */
START_TEST(idle)
{
    static const struct { const char *line, *said; } idle_lines[] = {
        { "--nrhs 3 getrf", "--nrhs is for posv, gesv, gels, sysv, hesv, potrs, getrs, sytrs, hetrs and trsm, not for getrf" },
        { "--nrhs 3 --tree flat --storage full --ib 4 potrf",
          "--nrhs is for posv, gesv, gels, sysv, hesv, potrs, getrs, sytrs, hetrs and trsm, not for potrf; "
          "--tree and --ib are for geqrf and gels, not for potrf" },
        { "--storage packed geqrf",
          "--storage is for potrf, sytrf, hetrf, posv, sysv, hesv, potrs, sytrs, hetrs, trsm, potri and trtri, not for geqrf" },
        { "--butterfly 2 gesv", "--butterfly is for sytrf, hetrf, sysv, hesv, sytrs and hetrs, not for gesv" },
        { "--seed 3 --input A.npy getrf", "--seed means nothing beside --input: nothing is generated" },
        { "--seed 3 --input A.npy --rhs b.npy gesv", "--seed means nothing beside --input and --rhs: nothing is generated" },
        { "--nrhs 2 --rhs b.npy posv", "--nrhs means nothing beside --rhs: the file has them" },
        { "--dry-run --ranks 2 --output x.npy --trace t",
          "--output and --trace mean nothing beside --dry-run: nothing is computed" },
        { "--dry-run --ranks 2 --warmup --repeat 3 potrf",
          "--warmup and --repeat mean nothing beside --dry-run: nothing is computed" },
        { "--quiet --verbose potrf", "--verbose means nothing beside --quiet: there is no table" },
        { "--band auto --max-rank 4 --tile-ranks f posv",
          "--band, --max-rank and --tile-ranks mean nothing without --accuracy: no tile is compressed" },
        { "--host-share 0.5 --device-memory 2G potrf",
          "--host-share and --device-memory mean nothing without --devices" },
        { "--band 2 --device-backend host --max-rank 3 --emulate tf32 --type s posv",
          "--band and --max-rank mean nothing without --accuracy: no tile is compressed; "
          "--device-backend and --emulate mean nothing without --devices" },
        { "--devices 1 --emulate tf32 potrf", "--emulate is of products in single precision, and there are none" },
        { "--tol 5 potrf", "--tol means nothing without --check: no residual is judged" },
        { "--tol 5 --check n potrf", "--tol means nothing without --check: no residual is judged" },
        { "--dry-run --ranks 2 --ipiv p getrf", "--ipiv means nothing beside --dry-run: nothing is computed" },
    };
    static const char *const nothing[] = {
        "--pivot partial potrf", "--pivot none gels", "--seed 3 --input A.npy gesv", "--seed 3 --rhs b.npy gesv", "--nrhs 3 gels",
        "--uplo u --storage full posv", "--tree flat --ib 4 gels", "--refine --nrhs 2 gesv", "--rcond getrf", "--ipiv p gesv",
        "--rcond n gels", "--input A.npy potrf", "--uplo u --nrhs 2 --rcond potrs", "--ipiv p --rhs b.npy getrs",
        "--accuracy 1e-4 --band 3 --max-rank 4 posv", "--devices auto --host-share 0.5",
        "--devices 2 --device-backend host --emulate tf32 --type s", "--tol 5 --check",
        "--uplo u --nrhs 2 trsm", "--uplo u --butterfly 1 hesv", "--checkpoint d potrs", "--checkpoint d potri",
    };
    struct words w;
    bad("--rcond potri", "--rcond is for potrf, getrf, geqrf, sytrf, hetrf, posv, gesv, gels, sysv, hesv, potrs, getrs, sytrs "
                         "and hetrs, not for potri");
    bad("--refine getrf", "--refine is for posv and gesv, not for getrf");
    bad("--refine gels", "--refine is for posv and gesv, not for gels");
    bad("--refine sysv", "--refine is for posv and gesv, not for sysv");
    bad("--uplo u gesv", "--uplo is for potrf, sytrf, hetrf, posv, sysv, hesv, potrs, sytrs, hetrs, trsm, potri and trtri, not "
                         "for gesv");
    bad("--butterfly 3 sysv", "--butterfly: \"3\" is not one of auto|0|1|2");
    bad("--rhs b.npy potrf", "--rhs is for posv, gesv, gels, sysv, hesv, potrs, getrs, sytrs, hetrs and trsm, not for potrf");
    bad("--checkpoint d trsm",
        "--checkpoint is for potrf, getrf, geqrf, sytrf, hetrf, posv, gesv, gels, sysv, hesv, potrs, getrs, sytrs, hetrs, potri "
        "and getri, not for trsm");
    bad("--ipiv p posv", "--ipiv is for getrf, sytrf, hetrf, gesv, sysv, hesv, getrs, sytrs and hetrs, not for posv");
    bad("--matrix rand --input A.npy", "--matrix means nothing beside --input: the matrix is read");
    for (size_t i = 0; i < sizeof idle_lines / sizeof idle_lines[0]; i++) {
        struct options o = good(&w, idle_lines[i].line);
        ck_assert_str_eq(o.idle, idle_lines[i].said);
        options_free(&o);
    }
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        struct options o = good(&w, nothing[i]);
        ck_assert_str_eq(o.idle, "");
        options_free(&o);
    }
}
END_TEST

/* A message is one line, whatever the user typed. */
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

static TCase *refused_options_case(void)
{
    TCase *c = tcase_create("refused_options");
    tcase_add_test(c, bad_numbers);
    tcase_add_test(c, copies);
    tcase_add_test(c, bad_values);
    tcase_add_test(c, refused_values);
    tcase_add_test(c, contradictions);
    tcase_add_test(c, routines_elsewhere);
    tcase_add_test(c, near_misses);
    tcase_add_test(c, idle);
    tcase_add_test(c, one_line);
    return c;
}

int main(void)
{
    Suite *suite = suite_create("refused_options");
    suite_add_tcase(suite, refused_options_case());
    return run_serial_suite(suite);
}
