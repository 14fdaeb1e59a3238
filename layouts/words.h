/*
 * Text files of numbers between white space: maps, weights and speeds. Errors name the file, the line and what is wrong.
 */
#ifndef OMPFACT_LAYOUTS_WORDS_H
#define OMPFACT_LAYOUTS_WORDS_H

#include "layouts/layout.h"

struct word_reader {
    FILE *file;
    const char *path;
    int line;           /* of the word last read */
    char word[32];      /* cut where longer, with '?' for what cannot be printed */
    bool is_whole;      /* it was not cut */
    char *text;         /* LAYOUT_TEXT characters for an error */
};

/* 0, or 1 and a text in which `what`, for example "weights", tells what the file was to be of. */
int words_open(struct word_reader *r, const char *path, const char *what, char *text);
void words_close(struct word_reader *r);
/* Whether the file is too short for so many words: true of none that does not tell its size, such as a pipe. */
bool words_lack(const struct word_reader *r, int64_t count);

bool next_word(struct word_reader *r);      /* false at the end of the file */
/* The next word; where there is none 1 and a text that says what was wanted. */
int want_word(struct word_reader *r, const char *wanted);
/* The next word as a number. */
int words_number(struct word_reader *r, const char *wanted, long *value);
/* Whether the word last read is a decimal number, and which: infinite if it is too large. */
bool is_decimal(const struct word_reader *r, double *value);
/* The next word as a number from 1 to INT_MAX. */
int words_size(struct word_reader *r, const char *wanted, int *size);

/* strtod() with a point in numbers, whatever the program's language is. */
double words_real(const char *text, char **end);

int refuse_at_line(struct word_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
