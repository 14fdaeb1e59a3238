/* Internals of the option parser: the table and its types. */
#ifndef OMPFACT_SRC_COMMAND_OPTIONS_PARTS_H
#define OMPFACT_SRC_COMMAND_OPTIONS_PARTS_H

#include <stddef.h>

#include "src/command/options.h"

enum option_group {
    GROUP_PROBLEM, GROUP_FILES, GROUP_MACHINE, GROUP_CHECK, GROUP_OUTPUT, GROUP_DRY, GROUP_DEBUG, GROUP_COUNT
};

/* Whether an option's value names a file, and who writes it: only runs; or also simulations; or also dry runs. */
enum option_file { FILE_NONE, FILE_READ, FILE_WRITTEN, FILE_TRACED, FILE_REPORTED };

/* The treatment of an option that does not concern the routine: refused if the user would not get the requested result. */
enum option_idle { IDLE_NOTED, IDLE_REFUSED, IDLE_IGNORED };

/* Properties of routines: they solve, or do not; they leave factors; the timed part is the factorization; they factor at all, not
   a given triangle; they are counted in advance, not solves alone. */
enum option_only { SOLVERS = 1, NO_SOLVERS = 2, OF_FACTORS = 4, FACTORING = 8, FACTORING_FIRST = 16, COUNTING = 32 };

/* Whether a checkpoint defines the option for a run that continues. With --append the same value may be given, or a larger
   matrix, or another value; some values may always be others. */
enum option_saved { SAVED_NOT, SAVED_SAME, SAVED_SIZE, SAVED_ANOTHER, SAVED_FREE };

struct option;

/* Stores a value at `field`. Returns 0, or COMMAND_USAGE and one line in text. */
typedef int option_parse(const struct option *option, const char *value, void *field, char *text);

struct option {
    const char *name;           /* without dashes */
    const char *form;           /* form of the argument, "this|that" for words; NULL: no argument */
    const char *help;
    enum option_group group;
    option_parse *parse;        /* NULL: the value contains options of GROUP_DEBUG */
    size_t field;               /* offset in struct options */
    const char *implied;         /* the value if none follows, for an option whose value may be missing; NULL: the value is
                                   required */
    const char *initial;        /* the default, parsed like a value; NULL: the field stays zero */
    int64_t min, max, automatic;        /* of integers; and the value of "auto" */
    const int *values;          /* values of the words of form, in their order; NULL: 0, 1, ... */
    enum option_file file;
    const char *format;         /* endings, "html|htm", that a file name may have for its format; NULL: any */
    const char *file_after;     /* only after this prefix the value names a file; NULL: each value except the words of form after
                                   the first */
    enum option_saved saved;
    bool seldom;                /* not in the short help */
    char letter;                /* the short name after one dash; '\0': none */
    int factors;                /* ompfact_factorization of the routines that this option is for; 0: all */
    int only;                   /* enum option_only: only for routines with all of these properties */
    enum option_idle idle;      /* for other routines */
};

/* The last entry of a table has no name. */
extern const struct option option_table[];
extern const char *const option_groups[GROUP_COUNT];

/* NULL: there is none. */
const struct option *option_find(const char *name, size_t length);
int option_index(const char *name);     /* in the table, which has the name */
const struct option *option_by_letter(const char *letter);
const struct option *option_named(const char *word);        /* "nb" or "--nb" */
/* The name that was probably meant, or NULL. */
const char *option_near(const struct option *options, const char *name, size_t length);
const char *routine_near(const char *name);
const char *word_near(const char *name, char *words);       /* of "this|that"; words is modified, and the result points into it */
/* The routine for a name from another program, "cholesky", "dgetrf"; or NULL. */
const char *routine_meant(const char *name);

/* A function that reads a command line, with the results of options_parse(). */
typedef int options_parser(int argc, char **argv, struct options *o, char *text);
/* The parser for the first word, "compare", "report", "platform" or "help" (options_verbs.c); NULL: a run. */
options_parser *options_verb(const char *word);
/* The parsers of an empty command line, which prints the usage, and of "platform" (platform_file.c). */
options_parser options_bare, options_platform;

/* Checks that a file of a format with these endings does not have the ending of another format (options_formats.c). 0, or
   COMMAND_USAGE and one line in text. */
int format_check(const char *option, const char *format, const char *name, char *text);

/* Whether the word is y, n, yes or no. */
bool is_yes_or_no(const char *word);

/* Parsers of values. */
option_parse parse_flag, parse_text, parse_file_or_none;
option_parse parse_word, parse_name, parse_second, parse_yes_no, parse_int, parse_int64, parse_positive, parse_types;
option_parse parse_fraction, parse_tile_precision, parse_int_or_auto, parse_int64_or_auto, parse_rank;
option_parse parse_block, parse_share, parse_bytes, parse_wire, parse_checkpoint, parse_flip;
option_parse parse_size, parse_sizes, parse_tile_sizes;      /* options_sizes.c */
option_parse parse_help;                                     /* options_table.c */

/* The names alone of "2dbc[:PxQ], g2dbc, file:PATH", separated by blanks; a name keeps its colon if an argument is required. */
enum { OPTION_WORDS = 1024 };
void option_names(const char *list, char words[OPTION_WORDS]);

/* Whether an option is for a routine (options_idle.c). */
bool option_concerns(const struct option *option, const ompfact_routine *routine);

enum { OPTION_WHY = 160 };       /* characters of a list of names, including the terminating zero */

/* Checks the stored options for combinations that are not allowed. 0, or COMMAND_USAGE and one line in text. options_check.c */
int options_check(struct options *o, char *text);
/* Finds given options without effect (options_idle.c). Returns 0 and a line in o->idle; or COMMAND_USAGE and one line in text. */
int options_check_idle(struct options *o, char *text);

/* The position of a word in "this|that", or -1. */
int word_index(const char *words, const char *word);

#endif
