/* Text files of numbers between white space: maps, weights and speeds. Errors contain the file, the line and the reason. */
#ifndef OMPFACT_LAYOUTS_WORDS_H
#define OMPFACT_LAYOUTS_WORDS_H

#include "layouts/layout.h"

struct word_reader {
    FILE *file;
    const char *path;
    int line;           /* line of the last word */
    char word[32];      /* the last word, truncated if longer, with '?' for unprintable characters */
    bool is_whole;      /* whether the word was not truncated */
    char *text;         /* LAYOUT_TEXT characters for an error */
};

/* Returns 0, or 1 and a text with `what`, the expected contents, for example "weights". */
int words_open(struct word_reader *r, const char *path, const char *what, char *text);
void words_close(struct word_reader *r);
/* Whether the file is too short for so many words. False for a file of unknown size, such as a pipe. */
bool words_lack(const struct word_reader *r, int64_t count);

bool next_word(struct word_reader *r);      /* false at the end of the file */
/* Reads the next word. If there is none, returns 1 and a text with the expected contents. */
int require_word(struct word_reader *r, const char *expected);
/* Reads the next word as a number. */
int words_number(struct word_reader *r, const char *expected, long *value);
/* Whether the last word is a decimal number, and its value: infinite if it is too large. */
bool is_decimal(const struct word_reader *r, double *value);
/* Reads the next word as a number from 1 to INT_MAX. */
int words_size(struct word_reader *r, const char *expected, int *size);

/* strtod() with a decimal point, in any locale. */
double words_real(const char *text, char **end);

int refuse_at_line(struct word_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
