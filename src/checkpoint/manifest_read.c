/* Reads manifests from any text. */
#include "src/checkpoint/manifest.h"
#include "src/io/c_locale.h"
#include "src/io/digest.h"
#include "src/io/io.h"
#include "src/io/json_text.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

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
    const struct manifest_member *member;       /* the list that is being read, and for how many elements there is room */
    int room;
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

/* Makes room behind the `count` elements of a list. */
static bool grow(struct parsing *s, void **list, int count, size_t size)
{
    if (count < s->room)
        return true;
    if (s->room > INT_MAX / 4)
        return false;
    int room = 2 * s->room + 64;
    void *larger = realloc(*list, (size_t)room * size);
    if (!has(s, larger))
        return false;
    *list = larger;
    s->room = room;
    return true;
}

static bool take_size(void *context, struct json_place *p)
{
    struct parsing *s = context;
    int **sizes = (int **)(void *)((char *)s->m + s->member->place), *count = (int *)(void *)((char *)s->m + s->member->count);
    int64_t size;
    if (!grow(s, (void **)sizes, *count, sizeof **sizes) || !take_integer(p, 1, INT_MAX, &size))
        return false;
    (*sizes)[(*count)++] = (int)size;
    return true;
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
    if (!grow(s, (void **)&m->file, m->files, sizeof *m->file))
        return false;
    struct manifest_file *file = &m->file[m->files++];
    *file = (struct manifest_file){ .bytes = -1 };
    return json_take_object(p, file_member, file) && file->name[0] != '\0' && file->bytes >= 0;
}

static bool take_list(struct parsing *s, struct json_place *p, json_element *element)
{
    s->room = 0;
    return json_take_list(p, element, s);
}

static bool take_value(struct parsing *s, struct json_place *p, const struct manifest_member *member, void *at)
{
    uint64_t digest;
    const char *text;
    switch (member->kind) {
    case MEMBER_FORMAT: return json_take_string(p, &text) && strcmp(text, MANIFEST_FORMAT) == 0;
    case MEMBER_NUMBER_16: return take_digest(p, at);
    case MEMBER_INT: return take_int(p, at);
    case MEMBER_INTEGER: return take_integer(p, 0, INT64_MAX, at);
    case MEMBER_REAL: return take_real(p, at);
    case MEMBER_WORD: return take_word(p, at, member->room);
    case MEMBER_LETTER: return take_letter(p, member->letters, at);
    case MEMBER_TEXT: return json_take_string(p, &text) && has(s, *(char **)at = strdup(text));
    case MEMBER_SIZES: return take_list(s, p, take_size);
    case MEMBER_FILES: return take_list(s, p, take_file);
    case MEMBER_DIGEST: return take_digest(p, &digest);
    }
    return false;
}

static bool take_member(void *context, struct json_place *p, const char *key)
{
    struct parsing *s = context;
    int which = 0;
    while (which < MANIFEST_MEMBERS && strcmp(key, manifest_members[which].name) != 0)
        which++;
    if (which == MANIFEST_MEMBERS || s->seen & 1u << which)
        return false;
    s->seen |= 1u << which;
    s->member = &manifest_members[which];
    return take_value(s, p, s->member, (char *)s->m + s->member->place);
}

/* Whether the file has all members. */
static bool is_complete(const struct parsing *s)
{
    bool complete = true;
    for (int which = 0; which < MANIFEST_MEMBERS; which++)
        complete &= manifest_members[which].optional || s->seen & 1u << which;
    return complete;
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
    if (!taken || !is_complete(&s))
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

/* The bytes of the whole file, with a terminating zero. NULL, and errno. */
static char *read_file(const char *path, size_t *length)
{
    struct stat status;
    int file = open_regular(path), error = file < 0 || fstat(file, &status) != 0 ? errno : 0;
    char *text = error == 0 ? calloc((size_t)status.st_size + 1, 1) : NULL;
    if (error == 0)
        error = text == NULL ? ENOMEM : io_read_at(file, text, *length = (size_t)status.st_size, 0);
    if (file >= 0)
        close(file);
    if (error != 0) {
        free(text);
        text = NULL;
    }
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
