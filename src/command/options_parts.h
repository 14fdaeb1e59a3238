/* Inside the option parser: the table and what it is made of. */
#ifndef OMPFACT_SRC_COMMAND_OPTIONS_PARTS_H
#define OMPFACT_SRC_COMMAND_OPTIONS_PARTS_H

#include <stddef.h>

#include "src/command/options.h"

enum { OPTION_TABLE_MAX = 96 };

enum option_group {
    GROUP_PROBLEM, GROUP_FILES, GROUP_MACHINE, GROUP_CHECK, GROUP_OUTPUT, GROUP_DRY, GROUP_DEBUG, GROUP_COUNT
};

/* Whether an option's value names a file, and who writes it: runs alone, or simulations, or dry runs as well. */
enum option_file { FILE_NONE, FILE_READ, FILE_WRITTEN, FILE_TRACED, FILE_REPORTED };

/* What becomes of an option that is given to a routine which it does not concern:
   refused where the user would not get what was asked for. */
enum option_idle { IDLE_NOTED, IDLE_REFUSED, IDLE_IGNORED };

struct option;

/* Stores a value where field points. Returns 0, or COMMAND_USAGE and one line in text. */
typedef int option_parse(const struct option *option, const char *value, void *field, char *text);

struct option {
    const char *name;           /* without its dashes */
    const char *form;           /* of the argument, for words "this|that"; NULL: takes none */
    const char *help;
    enum option_group group;
    option_parse *parse;        /* NULL: the value has options of GROUP_DEBUG in it */
    size_t field;               /* offset in struct options */
    const char *unsaid;         /* the value where no word of form follows, which it then need not; NULL: one has to */
    const char *initial;        /* the default, parsed like a value; NULL: the field stays zero */
    int64_t min, max;           /* of integers */
    const int *values;          /* what the words of form stand for, in their order; NULL: 0, 1, ... */
    enum option_file file;
    const char *format;         /* endings, "html|htm", of a name that says what is written; NULL: it may end in anything */
    const char *file_after;     /* names a file behind this alone; NULL: with any value but the words of form after the first */
    bool seldom;                /* not in the short help */
    char letter;                /* that stands for the name behind one dash; '\0': none */
    int factors;                /* ompfact_factorization of the routines that this option is for; 0: of all */
    bool solvers;               /* for those among them that solve */
    bool of_factors;            /* only for routines that leave factors, */
    bool alone;                 /*   and do nothing else */
    bool factoring;             /* only for those whose factorization is the run */
    bool factoring_first;       /* only for those that factor, be it first: not for a triangle that is given */
    bool counting;              /* only for those whose run is counted beforehand: not for solves alone */
    enum option_idle idle;      /* for the others */
};

/* Tables end with an entry that has no name. */
extern const struct option option_table[];
extern const char *const option_groups[GROUP_COUNT];

/* NULL where there is none. */
const struct option *option_find(const char *name, size_t length);
const struct option *option_by_letter(const char *letter);
const struct option *option_named(const char *word);        /* "nb" or "--nb" */
/* The name that was probably meant, or NULL. */
const char *option_near(const char *name, size_t length);
const char *routine_near(const char *name);
/* For a routine by its name elsewhere, "cholesky", "dgetrf", what it is here; or NULL. */
const char *routine_meant(const char *name);

/* How a command line is read, as options_parse() tells. */
typedef int options_parser(int argc, char **argv, struct options *o, char *text);
/* By its first word, one of "compare", "report", "platform" and "help" (options_verbs.c); NULL: a run. */
options_parser *options_verb(const char *word);
/* One without any word: how to use it is said, and nothing run. */
options_parser options_bare;

/* Whether a file may be called so whose format has these endings: not by that of another one (options_formats.c). 0, or
   COMMAND_USAGE and one line in text. */
int format_check(const char *option, const char *format, const char *name, char *text);

/* y, n, yes or no? */
bool is_yes_or_no(const char *word);

/* The values of options. */
option_parse parse_flag, parse_text, parse_file_or_none;
option_parse parse_word, parse_help, parse_yes_no, parse_int, parse_int64, parse_positive, parse_types;
option_parse parse_fraction, parse_tile_precision, parse_int_or_auto, parse_rank;
option_parse parse_devices, parse_block, parse_share, parse_bytes, parse_wire, parse_checkpoint, parse_flip;
option_parse parse_size, parse_sizes, parse_tile_sizes;      /* options_sizes.c */

/* Out of "2dbc[:PxQ], g2dbc, file:PATH" the names alone, with their colon where something has to follow; blanks between. */
enum { OPTION_WORDS = 1024 };
void option_names(const char *list, char words[OPTION_WORDS]);

/* Whether an option is for a routine (options_idle.c). */
bool option_concerns(const struct option *option, const ompfact_routine *routine);

enum { OPTION_WHY = 160 };       /* characters of a list of names, its end included */

/* Options as they are stored: what does not go together is refused; rows_given: --rows is there. 0, or COMMAND_USAGE and one line
   in text. options_check.c */
int options_check(struct options *o, bool rows_given, char *text);
/* And a restart that would come to nothing. */
int options_check_restart(const struct options *o, char *text);
/* Options that are given and mean nothing (options_idle.c). 0, and o->idle says which; or COMMAND_USAGE and one line in text. */
int options_check_idle(const bool given[OPTION_TABLE_MAX], struct options *o, char *text);

/* Position of a word in "this|that", or -1. */
int word_index(const char *words, const char *word);

#endif
