#include "layouts/arguments.h"

#include <stdint.h>
#include <string.h>

bool is_scheme(const char *scheme, const char *name, const char **args)
{
    size_t length = strlen(name);
    if (strncmp(scheme, name, length) != 0 || (scheme[length] != ':' && scheme[length] != '\0'))
        return false;
    *args = scheme[length] == ':' ? scheme + length + 1 : NULL;
    return true;
}

/* Parses a number with at most this number of decimals, in units of the last decimal. */
static int parse_decimal(const char **s, int decimals)
{
    int64_t value = 0;
    int behind = -1;        /* digits behind the point; -1: no point yet */
    for (; (**s >= '0' && **s <= '9' && behind < decimals) || (**s == '.' && behind < 0 && decimals > 0); ++*s) {
        behind += **s == '.' || behind >= 0;
        if (**s != '.')
            value = 10 * value + (**s - '0');
        if (value > INT32_MAX)
            return 0;
    }
    for (behind = behind < 0 ? 0 : behind; behind < decimals; behind++)
        value *= 10;
    return value > INT32_MAX ? 0 : (int)value;
}

int parse_count(const char **s)
{
    return parse_decimal(s, 0);
}

/* Returns the 1-based place of the word at *s in the list, or 0 if it is not in the list. */
static int parse_choice(const char **s, const char *words)
{
    size_t length = strcspn(*s, ",");
    for (int place = 1; *words != '\0'; place++) {
        size_t other = strcspn(words, "|");
        if (other == length && strncmp(*s, words, length) == 0) {
            *s += length;
            return place;
        }
        words += other + (words[other] == '|');
    }
    return 0;
}

int parse_arguments(const char *args, const struct argument *known, int count)
{
    for (const char *s = args; s != NULL && *s != '\0';) {
        int k = 0;
        size_t length = strcspn(s, "=");
        while (k < count && (strlen(known[k].name) != length || strncmp(s, known[k].name, length) != 0))
            k++;
        if (k == count || s[length] != '=')
            return 1;
        s += length + 1;
        int value = known[k].words != NULL ? parse_choice(&s, known[k].words) : parse_decimal(&s, known[k].decimals);
        if (value < 1 || (*s != ',' && *s != '\0'))
            return 1;
        *known[k].value = known[k].words != NULL ? value - 1 : value;
        s += *s == ',' && s[1] != '\0';
    }
    return args != NULL && *args == '\0';
}
