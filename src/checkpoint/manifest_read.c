/* Reads manifests from any text. */
#include "src/checkpoint/manifest.h"
#include "src/io/c_locale.h"
#include "src/io/digest.h"
#include "src/io/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGITS = 16 };           /* of a digest */

static int wrong(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int wrong(char *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, MANIFEST_TEXT, format, arguments);
    va_end(arguments);
    return 1;
}

struct parsing {
    struct manifest *m;
    unsigned seen;              /* members, as bits */
    int room, *sizes, count;    /* of the list that is being read */
    bool no_memory;
};

/* Checks the result of malloc. */
static bool has(struct parsing *s, const void *memory)
{
    s->no_memory |= memory == NULL;
    return memory != NULL;
}

static bool take_integer(struct json_place *p, int64_t least, int64_t most, int64_t *value)
{
    struct json_value v;
    char *end;
    if (!json_take_value(p, &v) || v.kind != JSON_NUMBER)
        return false;
    errno = 0;
    long long number = strtoll(v.text, &end, 10);
    *value = number;
    return errno == 0 && end == v.text + v.length && number >= least && number <= most;
}

static bool take_int(struct json_place *p, int *value)
{
    int64_t number = 0;
    bool taken = take_integer(p, 0, INT_MAX, &number);
    *value = (int)number;
    return taken;
}

static bool take_digest(struct json_place *p, uint64_t *digest)
{
    const char *text;
    char *end;
    if (!json_take_string(p, &text) || strlen(text) != DIGITS || strspn(text, "0123456789abcdef") != DIGITS)
        return false;
    *digest = strtoull(text, &end, 16);
    return true;
}

static bool take_real(struct json_place *p, double *value)
{
    const char *text;
    char *end;
    if (!json_take_string(p, &text))
        return false;
    *value = c_locale_real(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && *value >= 0;
}

static bool take_word(struct json_place *p, char *word, size_t room)
{
    const char *text;
    if (!json_take_string(p, &text) || strlen(text) >= room)
        return false;
    strcpy(word, text);
    return true;
}

static bool take_letter(struct json_place *p, const char *letters, char *letter)
{
    char word[2] = "";
    bool taken = take_word(p, word, sizeof word) && word[0] != '\0' && strchr(letters, word[0]) != NULL;
    *letter = word[0];
    return taken;
}

static bool take_size(void *context, struct json_place *p)
{
    struct parsing *s = context;
    int64_t size;
    if (s->count == s->room) {
        if (s->room > INT_MAX / 4)
            return false;
        int room = 2 * s->room + 64;
        int *larger = realloc(s->sizes, (size_t)room * sizeof *larger);
        if (!has(s, larger))
            return false;
        s->sizes = larger;
        s->room = room;
    }
    if (!take_integer(p, 1, INT_MAX, &size))
        return false;
    s->sizes[s->count++] = (int)size;
    return true;
}

static bool take_sizes(struct parsing *s, struct json_place *p, int **sizes, int *count)
{
    s->sizes = NULL;
    s->room = s->count = 0;
    bool taken = json_take_list(p, take_size, s);
    free(*sizes);
    *sizes = s->sizes;
    *count = s->count;
    return taken;
}

static bool file_member(void *context, struct json_place *p, const char *key)
{
    struct manifest_file *file = context;
    struct saved_name name;
    if (strcmp(key, "name") == 0)
        return take_word(p, file->name, sizeof file->name) && manifest_names(file->name, &name);
    if (strcmp(key, "bytes") == 0)
        return take_integer(p, 0, INT64_MAX, &file->bytes);
    return strcmp(key, "digest") == 0 && take_digest(p, &file->digest);
}

static bool take_file(void *context, struct json_place *p)
{
    struct parsing *s = context;
    struct manifest *m = s->m;
    if (m->files == s->room) {
        if (s->room > INT_MAX / 4)
            return false;
        int room = 2 * s->room + 16;
        struct manifest_file *larger = realloc(m->file, (size_t)room * sizeof *larger);
        if (!has(s, larger))
            return false;
        m->file = larger;
        s->room = room;
    }
    struct manifest_file *file = &m->file[m->files++];
    *file = (struct manifest_file){ .bytes = -1 };
    return json_take_object(p, file_member, file) && file->name[0] != '\0' && file->bytes >= 0;
}

static bool take_files(struct parsing *s, struct json_place *p)
{
    free(s->m->file);
    s->m->file = NULL;
    s->m->files = s->room = 0;
    return json_take_list(p, take_file, s);
}

static bool take_about(struct parsing *s, struct json_place *p)
{
    struct manifest *m = s->m;
    const char *text;
    if (!json_take_string(p, &text))
        return false;
    free(m->about);
    m->about = strdup(text);
    return has(s, m->about);
}

static bool is_format(struct json_place *p)
{
    const char *text;
    return json_take_string(p, &text) && strcmp(text, MANIFEST_FORMAT) == 0;
}

enum { FORMAT_MEMBER, RUN, STEP, FACTORIZATION, PIVOT, TYPE, STRUCTURE, TILES, ROWS, COLUMNS, HEIGHTS, WIDTHS, TOLERANCE,
       ALLOWANCE, ROUNDING, ROUNDINGS, NORM, NOT_FINITE, ABOUT, FILES, DIGEST, KEPT, MEMBERS };
static const char *const members[MEMBERS] = { "format", "run", "step", "factorization", "pivot", "type", "structure", "tiles",
                                              "m", "n", "heights", "widths", "tolerance", "allowance", "rounding", "roundings",
                                              "norm", "not_finite", "about", "files", "digest", "kept" };

static bool take_member(void *context, struct json_place *p, const char *key)
{
    struct parsing *s = context;
    struct manifest *m = s->m;
    uint64_t digest;
    int which = 0;
    while (which < MEMBERS && strcmp(key, members[which]) != 0)
        which++;
    if (which == MEMBERS || s->seen & 1u << which)
        return false;
    s->seen |= 1u << which;
    switch (which) {
    case FORMAT_MEMBER: return is_format(p);
    case RUN: return take_digest(p, &m->run);
    case STEP: return take_int(p, &m->step);
    case FACTORIZATION: return take_word(p, m->factorization, sizeof m->factorization);
    case PIVOT: return take_word(p, m->pivot, sizeof m->pivot);
    case TYPE: return take_letter(p, "sdcz", &m->type);
    case STRUCTURE: return take_letter(p, "glust", &m->structure);
    case TILES: return take_letter(p, "dcmbtu", &m->tiles);
    case ROWS: return take_integer(p, 0, INT64_MAX, &m->m);
    case COLUMNS: return take_integer(p, 0, INT64_MAX, &m->n);
    case HEIGHTS: return take_sizes(s, p, &m->heights, &m->mt);
    case WIDTHS: return take_sizes(s, p, &m->widths, &m->nt);
    case TOLERANCE: return take_real(p, &m->tolerance);
    case ALLOWANCE: return take_real(p, &m->allowance);
    case ROUNDING: return take_real(p, &m->rounding);
    case ROUNDINGS: return take_real(p, &m->roundings);
    case NORM: return take_real(p, &m->norm);
    case NOT_FINITE: return take_integer(p, 0, INT64_MAX, &m->not_finite);
    case ABOUT: return take_about(s, p);
    case FILES: return take_files(s, p);
    case KEPT: return take_int(p, &m->kept);
    default: return take_digest(p, &digest);
    }
}

static int64_t sum_of(const int *sizes, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += sizes[i];
    return sum;
}

int manifest_parse_members(char *text, struct manifest *m, char *why)
{
    struct json_place p = { text };
    *m = (struct manifest){ 0 };
    struct parsing s = { .m = m };
    bool taken = json_take_object(&p, take_member, &s);
    if (s.no_memory)
        return wrong(why, "cannot be read: %s", strerror(ENOMEM));
    s.seen |= 1u << KEPT;       /* a whole factorization does not have this member */
    if (!taken || s.seen != (1u << MEMBERS) - 1)
        return wrong(why, "is no checkpoint of this version");
    json_skip_blanks(&p);
    int steps = m->mt < m->nt ? m->mt : m->nt;
    bool appends = m->kept > 0, may_append = strcmp(m->factorization, "potrf") == 0 && m->tiles == 'd' && m->kept < steps;
    if (*p.s != '\0' || sum_of(m->heights, m->mt) != m->m || sum_of(m->widths, m->nt) != m->n || m->step > steps ||
        (appends && !may_append))
        return wrong(why, "contradicts itself");
    return 0;
}

int manifest_parse(char *text, size_t length, struct manifest *m, char *why)
{
    static const char ending[] = "\"\n}\n";
    char digest[DIGITS + 1];
    *m = (struct manifest){ 0 };
    size_t tail = DIGITS + strlen(ending);
    if (strlen(text) != length || length < tail || strcmp(text + length - strlen(ending), ending) != 0)
        return wrong(why, "is damaged, or not a checkpoint's");
    snprintf(digest, sizeof digest, "%016" PRIx64, digest_of(0, text, length - tail));
    if (strncmp(digest, text + length - tail, DIGITS) != 0)
        return wrong(why, "is damaged, or not a checkpoint's");
    return manifest_parse_members(text, m, why);
}

static FILE *open_manifest(const char *path, int64_t *bytes)
{
    struct stat status;
    int number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);     /* opening a special file might block for ever */
    if (number < 0)
        return NULL;
    int error = fstat(number, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : S_ISREG(status.st_mode) ? 0 : EINVAL;
    FILE *file = error == 0 ? fdopen(number, "rb") : NULL;
    error = error == 0 && file == NULL ? errno : error;
    if (file == NULL)
        close(number);
    *bytes = status.st_size;
    errno = error;
    return file;
}

/* Reads the whole file, with a terminating zero. NULL, and errno. */
static char *read_file(const char *path, size_t *length)
{
    int64_t bytes;
    FILE *file = open_manifest(path, &bytes);
    if (file == NULL)
        return NULL;
    char *text = malloc((size_t)bytes + 1);
    if (text != NULL) {
        errno = 0;
        *length = fread(text, 1, (size_t)bytes, file);
        text[*length] = '\0';
        if (ferror(file)) {
            free(text);
            text = NULL;
        }
    }
    int error = errno;
    fclose(file);
    errno = error;
    return text;
}

int manifest_read(const char *folder, struct manifest *m, char *why)
{
    size_t length;
    char *path = manifest_path(folder, "manifest.json"), *text = path != NULL ? read_file(path, &length) : NULL;
    int error = errno;
    *m = (struct manifest){ 0 };
    free(path);
    if (text == NULL)
        return wrong(why, "cannot be read: %s", strerror(error));
    int code = manifest_parse(text, length, m, why);
    free(text);
    return code;
}
