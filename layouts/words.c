#include "layouts/words.h"
#include "layouts/refusal.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The end of a path, which is its most useful part, short enough to leave room for the message. */
static const char *tail(const char *path)
{
    const size_t most = 120;
    size_t length = strlen(path);
    return length > most ? path + length - most : path;
}

int words_open(struct word_reader *r, const char *path, const char *what, char *text)
{
    *r = (struct word_reader){ .file = fopen(path, "r"), .path = path, .line = 1, .text = text };
    return r->file != NULL ? 0 : layout_refuse(text, "%s: %s; expected a file of %s", tail(path), strerror(errno), what);
}

void words_close(struct word_reader *r)
{
    fclose(r->file);
}

bool words_lack(const struct word_reader *r, int64_t count)
{
    struct stat status;
    return fstat(fileno(r->file), &status) == 0 && S_ISREG(status.st_mode) && status.st_size < count;
}

int refuse_at_line(struct word_reader *r, const char *format, ...)
{
    char message[LAYOUT_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return layout_refuse(r->text, "%s:%d: %s", tail(r->path), r->line, message);
}

bool next_word(struct word_reader *r)
{
    int c = getc(r->file);
    for (; c != EOF && isspace(c); c = getc(r->file))
        r->line += c == '\n';
    if (c == EOF)
        return false;

    size_t length = 0;
    r->is_whole = true;
    for (; c != EOF && !isspace(c); c = getc(r->file))
        if (length + 1 < sizeof r->word)
            r->word[length++] = (char)(isgraph(c) ? c : '?');
        else
            r->is_whole = false;
    r->word[length] = '\0';
    ungetc(c, r->file);     /* a newline counts when the next word is read; EOF is not pushed back */
    return true;
}

int require_word(struct word_reader *r, const char *expected)
{
    if (next_word(r))
        return 0;
    if (ferror(r->file))
        return refuse_at_line(r, "cannot be read; expected %s", expected);
    return refuse_at_line(r, "the file ends; expected %s", expected);
}

int words_number(struct word_reader *r, const char *expected, long *value)
{
    char *end;
    if (require_word(r, expected))
        return 1;
    *value = strtol(r->word, &end, 10);     /* saturates out of range, and every caller refuses that */
    return *end == '\0' && r->is_whole ? 0 : refuse_at_line(r, "\"%s\" is not a number; expected %s", r->word, expected);
}

double words_real(const char *text, char **end)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = c != (locale_t)0 ? uselocale(c) : (locale_t)0;
    double value = strtod(text, end);
    if (c != (locale_t)0) {
        uselocale(before);
        freelocale(c);
    }
    return value;
}

/* strtod alone would accept hexadecimal digits, "inf" and "nan". */
bool is_decimal(const struct word_reader *r, double *value)
{
    char *end;
    *value = words_real(r->word, &end);
    return r->is_whole && *end == '\0' && r->word[strspn(r->word, "0123456789.eE+-")] == '\0';
}

int words_size(struct word_reader *r, const char *expected, int *size)
{
    long value;
    if (words_number(r, expected, &value))
        return 1;
    if (value < 1 || value > INT32_MAX)
        return refuse_at_line(r, "%s is not %s", r->word, expected);
    *size = (int)value;
    return 0;
}
