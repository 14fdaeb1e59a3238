#include "src/command/options_restart.h"

#include "src/command/source.h"
#include "src/io/text_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static int commas(const char *text)
{
    int count = 0;
    for (; *text != '\0'; text++)
        count += *text == ',';
    return count;
}

/* Each END is greater than the one before. */
static bool take_ends(const char **at, struct batches *b)
{
    int64_t before = 0;
    for (char *end;; *at = end + 1) {
        errno = 0;
        const int64_t next = strtoll(*at, &end, 10);
        if (end == *at || errno != 0 || next <= before || (*end != ',' && *end != ':'))
            return false;
        b->end[b->count++] = before = next;
        if (*end == ':') {
            *at = end + 1;
            return true;
        }
    }
}

static bool parse(const char *text, struct batches *b)
{
    char *end;
    b->end = malloc(((size_t)commas(text) + 1) * sizeof *b->end);
    if (b->end == NULL || !take_ends(&text, b))
        return false;
    b->digest = strtoull(text, &end, 16);
    return end != text && *end == '\0';
}

struct batches *batches_parse(const char *text)
{
    struct batches *b = calloc(1, sizeof *b);
    if (b != NULL && !parse(text, b))
        batches_forget(&b);
    return b;
}

char *batches_text(const struct batches *before, const struct points *points)
{
    char *text = NULL;
    size_t length = 0;
    int64_t last = 0;
    FILE *out = text_stream(&text, &length);
    if (out == NULL)
        return NULL;
    for (int b = 0; before != NULL && b < before->count; b++) {
        last = before->end[b];
        fprintf(out, "%s%" PRId64, b > 0 ? "," : "", last);
    }
    if (last < points->count)
        fprintf(out, "%s%" PRId64, last > 0 ? "," : "", points->count);
    fprintf(out, ":%016" PRIx64, points_digest(points, points->count));
    return text_stream_end(out, &text);
}

void batches_forget(struct batches **b)
{
    if (*b != NULL)
        free((*b)->end);
    free(*b);
    *b = NULL;
}
