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

/* One of the words of an option: what it stands for, and the word itself. */
struct choice {
    int value;
    const char *word;
};

/* Values where the library has no name for them;
   those of its enumerations are named as there, of --progress as in progress_line.h. */
enum { OPTION_LOWER, OPTION_UPPER };
enum { OPTION_PACKED, OPTION_FULL };
enum { OPTION_IN_PLACE, OPTION_COPY };
enum { OPTION_BACKEND_AUTO };       /* else the word tells */
enum help { HELP_SHORT, HELP_ALL, HELP_DEBUG, HELP_COMPARE, HELP_REPORT, HELP_PLATFORM, HELP_BARE, HELP_ROUTINE,
            HELP_OPTION };

struct problem_size {
    int64_t m, n;
};

struct size_list {
    struct problem_size *item;
    int count;
};

/* Where checkpoints are made, how often, and how long a run may last that a signal has told to end. */
struct checkpoint_place {
    char *folder;                       /* NULL: none are made; options_free() frees it */
    double interval, grace;             /* seconds */
};

/* The link of a node, both ways; rate 0: not given. */
struct wire {
    double rate;                        /* bytes a second */
    double latency;                     /* seconds */
};

/* What `ompfact platform` is asked for. */
struct platform_wanted {
    bool on, help;
    int hosts, cores;                   /* cores: of each */
    double gflops;                      /* of a core; 0: not given */
    struct wire link;
    const char *file;                   /* NULL: stdout */
};

/*
 * Strings point into argv or to constants. A file that was not asked for is NULL; "-" is stdout for json, csv, map,
 * owners and plot, one of them at most.
 */
struct options {
    char *const *argv;                  /* the command line */
    const ompfact_routine *routine;
    const char *compare[2];             /* the files of `ompfact compare A B`, else NULL: only report may be set then */
    const char *trace_to_show;          /* that of `ompfact report TRACE.json`, likewise, */
    bool summary;                       /*   as text, and as a page only if report names one */
    struct platform_wanted platform;    /* of `ompfact platform`, likewise */
    struct choice help;                 /* of enum help; no word: none. Beside this or the next two the rest does not count */
    bool version, bug_report;

    struct size_list dim, nb;               /* walked by options_problem; a tile size of 0 is "auto" */
    char type[5];                       /* some of s, d, c, z, in the order given */
    bool dim_given, type_given;         /* else --input may say what they are */
    int64_t nrhs, seed;
    struct choice uplo, butterfly, pivot, tree, storage, on_node, schedule, bcast, between_nodes;
    int ib;
    struct choice refine;               /* mixed precision; without a word: no */
    double accuracy;                    /* of compressed tiles; 0: they are dense */
    double tile_precision;              /* as in a shape: below 0 auto; 0: all tiles are in one precision */
    int band, max_rank;                 /* as in a shape: 0 is auto */
    const char *layout;                 /* as given: the layouts judge it, */
    int copies;                         /* of the matrix; 0: auto */
    const char *weights, *blr;          /*   and these, of which one at most is not NULL; weights may be "auto" */
    const char *speeds;                 /* a file, or "auto"; NULL: the ranks are equal */
    const char *matrix;                 /* KIND[:ARGS], NULL: what suits the routine */
    const char *input, *points, *rhs, *output, *ipiv, *schur;
    int64_t partial;                    /* rows that are eliminated; 0: all */

    int threads;                        /* 0: cores of the node over the ranks on it */
    int devices;                        /* -1: auto */
    double host_share;                  /* below 0: auto */
    struct choice device_backend;
    int64_t device_memory;              /* 0: all that there is */
    int herk_block, trsm_block;         /* columns; 0: off, below: auto */
    struct choice emulate;              /* .value: what NVIDIA's devices may emulate; 0: nothing */
    int repeat;
    double tol;
    bool check, warmup, pin, measure;
    struct choice rcond;                /* .value: 0 is yes; without a word: where it costs little */
    bool abft;                          /* bits that flip are looked for */
    ompfact_testing testing;            /* --jitter, --inject */
    int tasks, cache;                   /* 0: what the library takes */
    int watchdog;                       /* seconds of silence, 0: none */

    struct choice completion;           /* the shell: its completion is printed, and no problem is run; no word: no */
    const char *tune;                   /* the file of all that is measured, "": none; no problem is run then. NULL: no */
    bool dry_run;
    const char *simulate;               /* the platform; it is a dry run, too */
    int ranks;                          /* of a dry run, else 0 */
    int ranks_per_node;                 /* of a dry run */
    struct wire wire;
    int cores;                          /* of a node, of a dry run; 0: not given, as the next */
    double gflops;                      /* of a core of such a node */
    const char *machine;                /* the file of a machine that the nodes are like; NULL: this one */
    bool quiet, verbose, explain;
    struct choice progress;
    bool progress_given;                /* else the bar is for terminals alone */
    struct checkpoint_place checkpoint;
    const char *restart;                /* the folder of a checkpoint to go on from; NULL: none */
    int restart_step, restart_steps;    /* so many of its steps are done, of so many */
    bool restart_nb;                    /* with another tile size, */
    char *restart_text;                 /*   what it says */
    bool append;                        /* it is a factor, of fewer rows than the matrix: */
    int64_t rows;                       /*   of so many */
    struct batches *batches;            /* of the points that it is of; NULL: there are none */
    bool reads_checkpoint;              /* what this rank knows of the options another one may not: ranks have to agree */
    const char *json, *csv, *map, *owners, *tile_ranks, *plot, *trace, *report;

    char idle[COMMAND_TEXT];            /* one line for the user where an option that is given means nothing; else "" */
};

static inline bool is_cholesky(const struct options *o)
{
    return o->routine->factor == OMPFACT_BY_CHOLESKY;
}
static inline bool is_indefinite(const struct options *o)
{
    return o->routine->factor == OMPFACT_BY_INDEFINITE;
}
/* Is the matrix given by one of its triangles? */
static inline bool has_triangle(const struct options *o)
{
    return is_cholesky(o) || is_indefinite(o);
}
static inline bool is_lu(const struct options *o)
{
    return o->routine->factor == OMPFACT_BY_LU;
}
static inline bool is_qr(const struct options *o)
{
    return o->routine->factor == OMPFACT_BY_QR;
}
static inline bool refines(const struct options *o)
{
    return o->refine.word != NULL;
}
/* Are factors nearer to another matrix than to that which was filled in? */
static inline bool approximates(const struct options *o)
{
    return o->accuracy > 0 || o->tile_precision != 0;
}
/* With factors in single precision? Those that approximate are refined by themselves, and stay. */
static inline bool refines_in_mixed(const struct options *o)
{
    return refines(o) && !approximates(o);
}
/* Are the factorization, the solution and its refinement one call? */
static inline bool refines_at_once(const struct options *o)
{
    return refines_in_mixed(o) || (is_indefinite(o) && o->routine->solves && !o->routine->factored);
}
static inline bool wants_rcond(const struct options *o)
{
    return o->rcond.word != NULL && o->rcond.value == 0;
}
/* Has a matrix of this shape a condition that the routine's factors tell? */
static inline bool has_condition(const struct options *o, int64_t m, int64_t n)
{
    return m == n || (is_qr(o) && (m > n || o->routine->solves));
}
/* And has this one the wrong one? */
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
/* Are A's factors there in the end? */
static inline bool leaves_factors(const ompfact_routine *r)
{
    return !r->inverts && !r->triangular;
}
/* What is timed, and told about: the factorization, or else the inverse or the solution. */
static inline bool times_factors(const ompfact_routine *r)
{
    return !r->factored && !r->triangular;
}
static inline bool times_solution(const ompfact_routine *r)
{
    return !times_factors(r) && r->solves;
}
/* One problem of the sweep. */
struct problem {
    char type;
    int64_t m, n, nrhs;
    int nb;             /* 0: to be chosen */
    int copies;         /* of the matrix; 0: to be chosen */
    bool pivots;        /* rows are exchanged */
    double *weights;    /* of the tiles, from case_weights(); NULL: none */
};

/*
 * Reads argv, which must outlive *o. Returns 0, or COMMAND_USAGE and one line in text without the program's name or a
 * newline: what is wrong, in which option, what is allowed; *o then holds nothing to free. The last value of a repeated
 * option wins; what follows --help or --version is not read.
 */
int options_parse(int argc, char **argv, struct options *o, char text[COMMAND_TEXT]);
void options_free(struct options *o);

/* Has a matrix of this size more rows than --partial eliminates? 0, or COMMAND_USAGE and one line in text. */
int check_partial_of(const struct options *o, int64_t m, int64_t n, char *text);
/* Has a matrix of this size fewer rows than the factor that --append has? The same. */
int check_append_of(const struct options *o, int64_t n, char *text);

/* The line about options that mean nothing, if there is one. */
void options_warn(FILE *out, const struct options *o);

/* The sweep: types outermost, then sizes, then tile sizes. Repetitions are the caller's. */
int64_t options_problem_count(const struct options *o);
struct problem options_problem(const struct options *o, int64_t index);

/* --help, one of its pages: of HELP_BARE what a command line without a word gets, of HELP_ROUTINE what is for the routine of that
   name. layouts and matrices are the names that other rooms know; either may be NULL. */
void options_help(FILE *out, const struct choice *help, const char *layouts, const char *matrices);
/* --completion */
void options_completion(FILE *out, const char *shell, const char *layouts, const char *matrices);

/* `ompfact platform`: its words, and what it writes. Return 0, or COMMAND_USAGE and one line in text. */
int options_parse_platform(int argc, char **argv, struct platform_wanted *wanted, char text[COMMAND_TEXT]);
int platform_write(const struct platform_wanted *wanted, char text[COMMAND_TEXT]);
void platform_help(FILE *out);      /* what it takes */

/* Side by side, the runs of two files that --json or --trace wrote, and where it is not NULL a page. Returns 0, or COMMAND_USAGE
   and one line in text. */
int compare_run(const char *a, const char *b, const char *page, FILE *out, char text[COMMAND_TEXT]);

#endif
