/*
 * The command line of ompfact, in the manner of SLATE's tester: options, then a routine.
 *
 * One table (options_table.c) drives the parser, --help and the list of what is known. Everything here is local and
 * plain libc: every rank may parse the same argv and comes to the same result.
 */
#ifndef OMPFACT_SRC_COMMAND_OPTIONS_H
#define OMPFACT_SRC_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "src/command/refuse.h"
#include "src/ompfact_plan.h"
#include "src/ompfact_testing.h"

/* With at most 10^9 rows and columns, elements fit int64_t, bytes of the widest type size_t and tile indices int. */
enum { OPTION_DIM_MAX = 1000000000 };
/* The largest square tile with fewer than 2^31 elements, so that one tile is one MPI count. */
enum { OPTION_NB_MAX = 46340 };

/* Values for which the library has no names; --progress has those of progress_line.h. */
enum { RCOND_IF_CHEAP, RCOND_WANTED, RCOND_UNWANTED };
enum help { HELP_SHORT, HELP_ALL, HELP_DEBUG, HELP_COMPARE, HELP_REPORT, HELP_PLATFORM, HELP_BARE, HELP_ROUTINE,
            HELP_OPTION };

/* A page of the help, and its word: the routine or the option of that name. */
struct help_page {
    enum help value;
    const char *word;
};

struct problem_size {
    int64_t m, n;
};

struct size_list {
    struct problem_size *item;
    int count;
};

/* The folder of checkpoints, their interval, and the time that a run may continue after a signal to end. */
struct checkpoint_place {
    char *folder;                       /* NULL: no checkpoints; options_free() frees the name */
    double interval, grace;             /* seconds */
};

enum { OPTION_TABLE_MAX = 96 };

/*
 * Strings point into argv or to constants. A file that is not given is NULL; "-" is stdout for json, csv, map, owners and plot,
 * of which at most one may have it.
 */
struct options {
    char *const *argv;                  /* the command line */
    const char *word[OPTION_TABLE_MAX]; /* of each option of the table: its value as a text, given or by default; NULL: none, or
                                           the option is a key of --debug */
    bool given[OPTION_TABLE_MAX];       /* on the command line, or by the checkpoint to continue from */
    const ompfact_routine *routine;
    ompfact_job job;                    /* what all problems of the sweep have in common: options_problem() adds the rest */
    const char *compare[2];             /* the files of `ompfact compare A B`, otherwise NULL; with them only report may be set */
    const char *trace_to_show;          /* the file of `ompfact report TRACE.json`, likewise */
    bool summary;                       /* whether to print text, with a page only if report names one */
    const char *platform;               /* the file that `ompfact platform` writes, "-": stdout; likewise, its numbers are the
                                           job's */
    struct help_page help;              /* no word: none. With it, or with the next two, all other options are ignored */
    bool version, bug_report;

    struct size_list dim, nb;           /* options_problem walks these; a tile size of 0 is "auto" */
    char type[5];                       /* some of s, d, c, z, in the order given */
    int64_t seed;
    ompfact_uplo uplo;
    const char *weights, *blr;          /* at most one of them is not NULL; weights may be "auto" */
    const char *speeds;                 /* a file, or "auto"; NULL: the ranks are equal */
    const char *matrix;                 /* KIND[:ARGS]; NULL: the default of the routine */
    const char *input, *points, *rhs, *output, *ipiv, *schur;

    int herk_block, trsm_block;         /* columns; 0: off; negative: auto */
    int repeat;
    double tol;
    bool warmup, pin, measure;
    int rcond;
    ompfact_testing testing;            /* --jitter, --inject */
    int watchdog;                       /* seconds of silence; 0: never */

    const char *completion;             /* the shell whose completion to print instead of a run; NULL: none */
    const char *tune;                   /* the file for all measurements instead of a run, "": no file; NULL: no measurement */
    bool dry_run;
    const char *simulate;               /* the platform; the command is then also a dry run */
    bool quiet, verbose, explain;
    int progress;                       /* a form of progress_line.h */
    struct checkpoint_place checkpoint;
    const char *restart;                /* the folder of a checkpoint to continue from; NULL: none */
    int restart_step, restart_steps;    /* finished steps of the checkpoint, and all its steps */
    bool restart_nb;                    /* --nb is given with --restart */
    bool reads_checkpoint;              /* another rank may not know the options that this rank read, so the ranks must agree */
    char *restart_text;                 /* memory of the checkpoint's options */
    bool append;                        /* the checkpoint is a factor of job.factored rows, fewer than the matrix has */
    struct batches *batches;            /* batches of the checkpoint's points; NULL: none */
    const char *json, *csv, *map, *owners, *tile_ranks, *plot, *trace, *report;

    char idle[COMMAND_TEXT];            /* one line for the user about given options without effect; otherwise "" */
};

/* The text of an option's value, given or by default; NULL: none. */
const char *option_word(const struct options *o, const char *name);
/* Whether the option is given, by the command line or by the checkpoint to continue from. */
bool option_given(const struct options *o, const char *name);

static inline bool is_cholesky(const struct options *o)
{
    return o->routine->factor == OMPFACT_BY_CHOLESKY;
}
static inline bool is_indefinite(const struct options *o)
{
    return o->routine->factor == OMPFACT_BY_INDEFINITE;
}
/* Whether one triangle defines the matrix. */
static inline bool has_triangle(const struct options *o)
{
    return is_cholesky(o) || is_indefinite(o);
}
static inline bool is_lu(const struct options *o)
{
    return o->routine->factor == OMPFACT_BY_LU;
}
/* Whether the factorization exchanges rows. */
static inline bool pivots(const struct options *o)
{
    return is_lu(o) && o->job.options.pivot != OMPFACT_PIVOT_NONE;
}
static inline bool is_qr(const struct options *o)
{
    return o->routine->factor == OMPFACT_BY_QR;
}
static inline bool refines(const struct options *o)
{
    return o->job.refined;
}
/* Whether the factors are those of an approximation of the matrix. */
static inline bool approximates(const struct options *o)
{
    return o->job.shape.accuracy > 0 || o->job.shape.tile_precision != 0;
}
/* Whether factors are in single precision. Approximate factors stay, and their refinement is separate. */
static inline bool refines_in_mixed(const struct options *o)
{
    return refines(o) && !approximates(o);
}
/* Whether one call factors, solves and refines. */
static inline bool refines_at_once(const struct options *o)
{
    return refines_in_mixed(o) || (is_indefinite(o) && o->routine->solves && !o->routine->factored);
}
static inline bool wants_rcond(const struct options *o)
{
    return o->rcond == RCOND_WANTED;
}
/* Whether the routine's factors give a condition number for a matrix of this shape. */
static inline bool has_condition(const struct options *o, int64_t m, int64_t n)
{
    return m == n || (is_qr(o) && (m > n || o->routine->solves));
}
/* Whether the routine needs a square matrix, and this one is not. */
static inline bool needs_square(const struct options *o, int64_t m, int64_t n)
{
    return (o->routine->square && m != n) || (wants_rcond(o) && !has_condition(o, m, n));
}
static inline const char *shape_wanted(const struct options *o)
{
    return is_qr(o) ? "as many rows as columns, or more" : "a square matrix";
}
static inline bool predicts_weights(const struct options *o)
{
    return o->weights != NULL && !strcmp(o->weights, "auto");
}
/* Whether A holds its factors at the end. */
static inline bool leaves_factors(const ompfact_routine *r)
{
    return !r->inverts && !r->triangular;
}
/* The timed part: the factorization, or otherwise the inverse or the solution. */
static inline bool times_factors(const ompfact_routine *r)
{
    return !r->factored && !r->triangular;
}
static inline bool times_solution(const ompfact_routine *r)
{
    return !times_factors(r) && r->solves;
}
/*
 * Reads argv, which must outlive *o. Returns 0, or COMMAND_USAGE and one line in text without the program's name or a newline,
 * with the error, the option, and the allowed values; *o then holds nothing to free. The last value of a repeated option wins;
 * words after --help or --version are ignored.
 */
int options_parse(int argc, char **argv, struct options *o, char text[COMMAND_TEXT]);
void options_free(struct options *o);

/* Checks that a matrix of this size has more rows than --partial eliminates, and at least the rows of --append's factor. 0, or
   COMMAND_USAGE and one line in text. */
int check_size_of(const struct options *o, int64_t m, int64_t n, char *text);

/* files.c: local, for one rank. Checks that all files to read can be opened and all files to write can be written, that no file
   to write is another file of the command line, and that --checkpoint replaces no unfinished checkpoint. Changes no file. The
   same results. */
int files_check(const struct options *o, char text[COMMAND_TEXT]);

/* Prints the line about options without effect, if there is one. */
void options_warn(FILE *out, const struct options *o);

/* The sweep: types outermost, then sizes, then tile sizes. The caller repeats runs. */
int64_t options_problem_count(const struct options *o);
ompfact_job options_problem(const struct options *o, int64_t index);
void shape_resize(ompfact_shape *shape, int64_t m, int64_t n);

/* Prints a page of --help: HELP_BARE is for an empty command line, HELP_ROUTINE and HELP_OPTION for the routine or option of that
   name. layouts and matrices are names from other folders; either may be NULL. */
void options_help(FILE *out, const struct help_page *help, const char *layouts, const char *matrices);
/* --completion */
void options_completion(FILE *out, const char *shell, const char *layouts, const char *matrices);

/* `ompfact platform` writes the file, and its help. 0, or COMMAND_USAGE and one line in text. */
int platform_write(const struct options *o, char text[COMMAND_TEXT]);
void platform_help(FILE *out);

/* Prints the runs of two files that --json or --trace wrote side by side, and writes a page if its name is not NULL. Returns 0,
   or COMMAND_USAGE and one line in text. */
int compare_run(const char *a, const char *b, const char *page, FILE *out, char text[COMMAND_TEXT]);
/* `ompfact report [--summary] TRACE.json [FILE.html]`, in write_page.c. file NULL: the trace's name with .html, or no page if the
   summary goes to stdout. The same results. */
int page_of_trace(const char *trace, const char *file, bool summary, char text[COMMAND_TEXT]);

#endif
