/* The text of a Matrix Market file as lines of words and numbers. A function that can fail returns 0, or 1 and a line of text
   that names the file and the line in the file. */
#ifndef OMPFACT_IO_MTX_WORDS_H
#define OMPFACT_IO_MTX_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct scan {
    const char *at, *end;
    int64_t line;
    const char *path;
    char *text;
    int side;               /* the side of the diagonal on which the entries of a triangle lie: 1 below, -1 above, 0: not known
                               yet */
};

struct mtx_word {
    const char *at;
    int length;             /* 0 at the end of a line */
};

__attribute__((format(printf, 2, 3)))
int fail_at(const struct scan *s, const char *format, ...);

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline void skip_blanks(struct scan *s)
{
    while (s->at < s->end && is_blank(*s->at))
        s->at++;
}

static inline bool at_line_end(struct scan *s)
{
    skip_blanks(s);
    return s->at == s->end || *s->at == '\n';
}

enum { LONGEST = 512 };     /* A longer line is cut; the rest counts as words too many */

static inline struct mtx_word take_word(struct scan *s)
{
    skip_blanks(s);
    const char *first = s->at;
    while (s->at < s->end && *s->at != '\n' && !is_blank(*s->at) && s->at - first < LONGEST)
        s->at++;
    return (struct mtx_word){first, (int)(s->at - first)};
}

/* Moves to the first word of the next line that is neither blank nor a comment; false: there is none. */
static inline bool next_line(struct scan *s)
{
    while (s->at < s->end) {
        if (!at_line_end(s) && *s->at != '%')
            return true;
        const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
        s->line += newline != NULL;
        s->at = newline ? newline + 1 : s->end;
    }
    return false;
}

int end_line(struct scan *s);               /* moves to the next line; fails if the line has another word */
int read_integer(struct scan *s, const char *what, int64_t *value);
bool number(struct mtx_word w, double *x);
bool same(struct mtx_word w, const char *name);     /* ignores upper and lower case */

/* The length of a word in a message, for "%.*s". */
static inline int shown(struct mtx_word w)
{
    return w.length < 40 ? w.length : 40;
}

#endif
