/*
 * A layout's name, and what follows its colon: "name=value,name=value,...".
 */
#ifndef OMPFACT_LAYOUTS_ARGUMENTS_H
#define OMPFACT_LAYOUTS_ARGUMENTS_H

#include <stdbool.h>

/* Is the scheme `name`, or `name` and a colon? *args is then what follows the colon, NULL where there is none. */
bool is_scheme(const char *scheme, const char *name, const char **args);

/* A name, and where its value goes: a number of at least 1, in units of 10^-decimals,
   or the place of a word in "word|word|...". */
struct argument {
    const char *name;
    int *value;
    int decimals;
    const char *words;      /* NULL: a number */
};

/* Gives every value to its name; others stay. 1 for anything else, args that are empty too; NULL stands for no arguments. */
int parse_arguments(const char *args, const struct argument *known, int count);

/* Decimal digits and nothing else, at most INT_MAX. Moves *s past them; 0 where there is no such number. */
int parse_count(const char **s);

#endif
