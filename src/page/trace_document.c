/* Reads a trace file into page_data, and writes one. */
#include "src/io/json_text.h"
#include "src/page/page_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool take_top(void *context, struct json_place *p, const char *key)
{
    struct page_data *d = context;
    struct json_value value;
    if (strcmp(key, "traceEvents") == 0)
        return json_take_list(p, page_take_event, d);
    return strcmp(key, "otherData") == 0 ? page_take_about(d, p) : json_take_value(p, &value);
}

/* Reads the whole file, with a terminating zero; NULL: errno has the reason. */
static char *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 1 << 16, got;
    *length = 0;
    for (bool more = file != NULL; more; *length += got) {
        room *= 2;
        char *larger = realloc(text, room);
        if (larger == NULL)
            break;
        text = larger;
        got = fread(text + *length, 1, room - *length - 1, file);
        more = got == room - *length - 1;
    }
    bool whole = file != NULL && text != NULL && feof(file) && !ferror(file);
    int error = file == NULL || ferror(file) ? errno : ENOMEM;
    if (file != NULL)
        fclose(file);
    if (whole) {
        text[*length] = '\0';
        return text;
    }
    free(text);
    errno = error;
    return NULL;
}

int page_read_trace(const char *path, struct page_data **data, char text[PAGE_TEXT])
{
    size_t length;
    char *all = read_whole(path, &length);
    *data = all != NULL ? page_data_create() : NULL;
    const char *why = NULL;
    if (all == NULL)
        why = strerror(errno);
    else if (*data == NULL)
        why = "no memory for it";
    struct json_place p = { all };
    bool good = why == NULL && json_take_object(&p, take_top, *data);
    if (good) {
        json_skip_blanks(&p);
        good = p.s == all + length;
    }
    if (why == NULL && !good)
        snprintf(text, PAGE_TEXT, "%.256s, byte %lld: not a trace as --trace writes it, or a part of one", path,
                 (long long)(p.s - all) + 1);
    else if (why == NULL && !page_data_finish(*data))
        why = "no memory for its tasks";
    else if (why == NULL && (*data)->tasks == 0)
        why = "no task in it: not a trace as --trace writes it";
    if (why != NULL)
        snprintf(text, PAGE_TEXT, "%.256s: %s", path, why);
    free(all);
    bool done = why == NULL && good;
    if (!done)
        page_data_destroy(data);
    return done ? 0 : 2;
}

bool page_is_trace(const char *path)
{
    static const char *const first[] = { "displayTimeUnit", "traceEvents", "otherData", NULL };
    FILE *file = fopen(path, "r");
    char text[64] = "";
    size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    text[length] = '\0';
    struct json_place p = { text };
    const char *key = NULL;
    bool is_one = false, is_object = json_take(&p, '{') && json_take_string(&p, &key);
    for (int k = 0; is_object && first[k] != NULL; k++)
        is_one |= strcmp(key, first[k]) == 0;
    return is_one;
}

struct page_data *page_data_create(void)
{
    struct page_data *d = calloc(1, sizeof *d);
    struct page_lookup *lookup = calloc(1, sizeof *lookup);
    if (d == NULL || lookup == NULL) {
        free(d);
        free(lookup);
        return NULL;
    }
    d->lookup = lookup;
    facts_clear(&d->facts, IN_ANY);
    return d;
}

void page_data_destroy(struct page_data **data)
{
    struct page_data *d = *data;
    if (d == NULL)
        return;
    page_forget_lookup(d);
    void *parts[] = { d->texts, d->layout.owner, d->tile_ranks.rank[0], d->tile_ranks.rank[1], d->tile_precisions.rank[0],
                      d->tile_precisions.rank[1], d->node_of, d->track, d->task, d->wait, d->fetch, d->flow, d->transfer,
                      d->sample, d->rank, d->step, d->sent };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        free(parts[i]);
    free(d);
    *data = NULL;
}
