/* The name of a layout, and its arguments behind a colon: "name=value,name=value,...". */
#ifndef OMPFACT_LAYOUTS_ARGUMENTS_H
#define OMPFACT_LAYOUTS_ARGUMENTS_H

#include <stdbool.h>

/* Whether the scheme is `name`, or `name` and a colon. *args is then the text behind the colon, or NULL without a colon. */
bool is_scheme(const char *scheme, const char *name, const char **args);

/* A name, and the place for its value: a number of at least 1, in units of 10^-decimals, or the place of a word in
   "word|word|...". */
struct argument {
    const char *name;
    int *value;
    int decimals;
    const char *words;      /* the words; NULL: the value is a number */
};

/* Stores the value of every name in args; other values remain. Returns 1 if args are invalid or empty; NULL stands for no
   arguments. */
int parse_arguments(const char *args, const struct argument *known, int count);

/* Parses decimal digits, at most INT_MAX, and moves *s behind them. Returns 0 if there is no such number. */
int parse_count(const char **s);

#endif
