/* Parsers of values: each accepts a whole word in its range, or returns one line with the allowed values. */
#include "src/command/options_parts.h"
#include "src/io/c_locale.h"
#include "src/ompfact.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int word_index(const char *words, const char *word)
{
    for (int i = 0;; i++) {
        size_t length = strcspn(words, "|");
        if (strlen(word) == length && !memcmp(words, word, length))
            return i;
        if (!words[length])
            return -1;
        words += length + 1;
    }
}

/* In pairs, yes before no. */
static const char yes_and_no[] = "y|n|yes|no";

bool is_yes_or_no(const char *word)
{
    return word_index(yes_and_no, word) >= 0;
}

/* A missing value means yes. */
int parse_flag(const struct option *option, const char *value, void *field, char *text)
{
    return value != NULL ? parse_yes_no(option, value, field, text) : (*(bool *)field = true, 0);
}

int parse_text(const struct option *option, const char *value, void *field, char *text)
{
    if (!*value)
        return refuse(text, "--%s needs %s, not an empty word", option->name, option->form);
    *(const char **)field = value;
    return 0;
}

/* A missing value means "", no file. */
int parse_file_or_none(const struct option *option, const char *value, void *field, char *text)
{
    (void)option, (void)text;
    *(const char **)field = value;
    return 0;
}

int parse_word(const struct option *option, const char *value, void *field, char *text)
{
    int i = word_index(option->form, value);
    if (i < 0)
        return refuse(text, "--%s: \"%.64s\" is not one of %s", option->name, value, option->form);
    *(int *)field = option->values != NULL ? option->values[i] : i;
    return 0;
}

/* Stores the word itself; "auto" is NULL. */
int parse_name(const struct option *option, const char *value, void *field, char *text)
{
    int number;
    *(const char **)field = strcmp(value, "auto") == 0 ? NULL : value;
    return parse_word(option, value, &number, text);
}

/* Of two words, whether it is the second. */
int parse_second(const struct option *option, const char *value, void *field, char *text)
{
    int number = 0;
    int failed = parse_word(option, value, &number, text);
    *(bool *)field = number == 1;
    return failed;
}

int parse_yes_no(const struct option *option, const char *value, void *field, char *text)
{
    int word = word_index(yes_and_no, value);
    if (word < 0)
        return refuse(text, "--%s: \"%.64s\" is not one of y|n", option->name, value);
    *(bool *)field = word % 2 == 0;
    return 0;
}

/* Moves *s past the digits of a number that the option allows. */
static bool take_integer(const struct option *option, const char **s, int64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**s))
        return false;
    errno = 0;
    *value = strtoll(*s, &end, 10);
    *s = end;
    return errno == 0 && *value >= option->min && *value <= option->max;
}

int parse_int64(const struct option *option, const char *value, void *field, char *text)
{
    const char *s = value;
    int64_t number;
    if (!take_integer(option, &s, &number) || *s)
        return refuse(text, "--%s: \"%.64s\" is not an integer from %" PRId64 " to %" PRId64, option->name, value,
                      option->min, option->max);
    *(int64_t *)field = number;
    return 0;
}

int parse_int(const struct option *option, const char *value, void *field, char *text)
{
    int64_t number = 0;
    int status = parse_int64(option, value, &number, text);
    if (!status)
        *(int *)field = (int)number;
    return status;
}

int parse_positive(const struct option *option, const char *value, void *field, char *text)
{
    char *end;
    double number = c_locale_real(value, &end);
    /* strtod alone would take blanks, hexadecimal digits, "inf" and "nan". */
    bool decimal = *value && value[strspn(value, "0123456789.eE+-")] == '\0';
    if (!decimal || *end || !(number > 0) || !isfinite(number))
        return refuse(text, "--%s: \"%.64s\" is not a positive number", option->name, value);
    *(double *)field = number;
    return 0;
}

int parse_fraction(const struct option *option, const char *value, void *field, char *text)
{
    double number;
    if (parse_positive(option, value, &number, text) != 0 || number >= 1)
        return refuse(text, "--%s: \"%.64s\" is not a number between 0 and 1", option->name, value);
    *(double *)field = number;
    return 0;
}

/* The two members of a shape. */
int parse_tile_precision(const struct option *option, const char *value, void *field, char *text)
{
    static const char third[] = ",bf16";
    ompfact_shape *shape = field;
    size_t length = strlen(value), behind = sizeof third - 1;
    shape->bf16_tiles = length > behind && strcmp(value + length - behind, third) == 0;
    shape->tile_precision = OMPFACT_TILE_PRECISION_AUTO;
    char *eps = strndup(value, shape->bf16_tiles ? length - behind : length);
    if (eps == NULL)
        return refuse(text, "no memory");
    int failed = strcmp(eps, "auto") == 0 ? 0 : parse_fraction(option, eps, &shape->tile_precision, text);
    free(eps);
    return failed;
}

int parse_int64_or_auto(const struct option *option, const char *value, void *field, char *text)
{
    *(int64_t *)field = option->automatic;
    return strcmp(value, "auto") == 0 ? 0 : parse_int64(option, value, field, text);
}

int parse_int_or_auto(const struct option *option, const char *value, void *field, char *text)
{
    *(int *)field = (int)option->automatic;
    return strcmp(value, "auto") == 0 ? 0 : parse_int(option, value, field, text);
}

/* The value of a shape: 0 is auto, and a negative number none. */
int parse_rank(const struct option *option, const char *value, void *field, char *text)
{
    int failed = parse_int_or_auto(option, value, field, text);
    if (failed == 0 && *(int *)field == 0 && strcmp(value, "auto") != 0)
        *(int *)field = -1;
    return failed;
}

/* A number of columns, auto, or off, which is 0. */
int parse_block(const struct option *option, const char *value, void *field, char *text)
{
    *(int *)field = 0;
    return strcmp(value, "off") == 0 ? 0 : parse_int_or_auto(option, value, field, text);
}

int parse_share(const struct option *option, const char *value, void *field, char *text)
{
    char *end;
    double share = c_locale_real(value, &end);
    bool automatic = strcmp(value, "auto") == 0, decimal = *value && value[strspn(value, "0123456789.")] == '\0' && !*end;
    if (!automatic && !(decimal && share <= 1))
        return refuse(text, "--%s: \"%.64s\" is neither auto nor a number from 0 to 1", option->name, value);
    *(double *)field = automatic ? -1 : share;
    return 0;
}

/* Bytes, optionally with K, M, G or T for powers of 1024. */
int parse_bytes(const struct option *option, const char *value, void *field, char *text)
{
    static const char units[] = "KMGT";
    const char *s = value;
    int64_t bytes;
    if (take_integer(option, &s, &bytes)) {
        const char *unit = *s != '\0' ? strchr(units, *s) : NULL;
        int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
        s += unit != NULL;
        if (*s == '\0' && bytes <= INT64_MAX >> shift) {
            *(int64_t *)field = bytes << shift;
            return 0;
        }
    }
    return refuse(text, "--%s: \"%.64s\" is not a number of bytes: write digits, followed by K, M, G or T", option->name,
                  value);
}

struct unit {
    const char *name;
    double factor;
};

/* Moves *s past a positive number with one of these units; the last unit has no name. */
static bool take_quantity(const char **s, const struct unit *unit, double *value)
{
    char *end;
    if (!isdigit((unsigned char)**s))
        return false;
    *value = c_locale_real(*s, &end);
    for (; unit->name != NULL; unit++)
        if (strncmp(end, unit->name, strlen(unit->name)) == 0) {
            *value *= unit->factor;
            *s = end + strlen(unit->name);
            return isfinite(*value);
        }
    return false;
}

/* Bits per second, and optionally a time, for a job. */
int parse_wire(const struct option *option, const char *value, void *field, char *text)
{
    static const struct unit rates[] = { { "kbit", 1e3 / 8 }, { "mbit", 1e6 / 8 }, { "gbit", 1e9 / 8 }, { NULL, 0 } };
    static const struct unit times[] = { { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 }, { NULL, 0 } };
    ompfact_job *job = field;
    const char *s = value;
    bool good = take_quantity(&s, rates, &job->wire_rate) && job->wire_rate > 0;
    if (good && *s == ',') {
        s++;
        good = take_quantity(&s, times, &job->wire_latency);
    }
    return good && *s == '\0' ? 0 : refuse(text, "--%s: \"%.64s\" is not RATE[,LATENCY], as in 100mbit or 10gbit,20us",
                                          option->name, value);
}

/* Reads KEY=SECONDS, up to `end`, into the field of this key. Returns 1; 0: not a valid number; -1: no such key. */
static int take_seconds(const char *word, const char *end, double *interval, double *grace)
{
    const struct { const char *key; double *field; } known[] = { { "interval=", interval }, { "grace=", grace } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].key);
        char *behind;
        if (strncmp(word, known[i].key, length) != 0)
            continue;
        *known[i].field = c_locale_real(word + length, &behind);
        return behind != word + length && behind == end && isfinite(*known[i].field) && *known[i].field > 0;
    }
    return -1;
}

/* The folder's name of so many characters; 0: there is none. */
static size_t last_comma(const char *text, size_t length)
{
    while (length > 0 && text[--length] != ',')
        ;
    return length;
}

/* A folder, whose name may contain commas except before a key, and optionally the interval and the grace period. */
int parse_checkpoint(const struct option *option, const char *value, void *field, char *text)
{
    enum { MINUTE = 60, HALF = 30, DAYS = 1000000 };
    struct checkpoint_place place = { .interval = MINUTE, .grace = HALF };
    size_t length = strlen(value);
    int taken = 1, keys = 0;
    for (size_t at; taken == 1 && (at = last_comma(value, length)) > 0; keys++) {
        taken = take_seconds(value + at + 1, value + length, &place.interval, &place.grace);
        length = taken == 1 ? at : length;
    }
    bool good = length > 0 && value[0] != ',' && (taken == 1 || (taken < 0 && keys > 1));
    if (!good || place.grace > DAYS)
        return refuse(text, "--%s: \"%.128s\" is not DIR[,interval=SECONDS][,grace=SECONDS], more than 0", option->name, value);
    place.folder = strndup(value, length);
    *(struct checkpoint_place *)field = place;
    return place.folder != NULL ? 0 : refuse(text, "no memory for the options");
}

/* Moves *s past a word and a number. */
static bool take_number(const struct option *option, const char **s, const char *word, int *value)
{
    int64_t number;
    if (strncmp(*s, word, strlen(word)) != 0)
        return false;
    *s += strlen(word);
    if (!take_integer(option, s, &number))
        return false;
    *value = (int)number;
    return true;
}

int parse_flip(const struct option *option, const char *value, void *field, char *text)
{
    ompfact_flip *f = field;
    const char *s = value;
    f->on = take_number(option, &s, "step=", &f->step) && take_number(option, &s, ",tile=", &f->i) &&
            take_number(option, &s, ",", &f->j) && take_number(option, &s, ",bit=", &f->bit) && !*s;
    if (!f->on)
        return refuse(text, "--%s: \"%.64s\" is not %s, four integers from 0", option->name, value, option->form);
    if (f->step > f->i || f->step > f->j)
        return refuse(text, "--%s: before step %d tile (%d,%d) is final", option->name, f->step, f->i, f->j);
    return 0;
}

/* Each of s, d, c, z at most once, so four letters are enough. */
int parse_types(const struct option *option, const char *value, void *field, char *text)
{
    char *types = field;
    int count = 0;
    for (const char *s = value;; s++) {
        bool known = *s && strchr("sdcz", *s) && !memchr(types, *s, (size_t)count);
        if (!known || (s[1] && s[1] != ','))
            return refuse(text, "--%s: \"%.64s\" is not a list of s, d, c, z, each at most once", option->name, value);
        types[count++] = *s++;
        types[count] = '\0';
        if (!*s)
            return 0;
    }
}
