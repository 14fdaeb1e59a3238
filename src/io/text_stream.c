#define _GNU_SOURCE      /* fopencookie */
#include "src/io/text_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct growing {
    char **text;
    size_t *length, room;
    bool broken;
};

/* Returns 0 where not all bytes could be kept: the stream then has an error. */
static ssize_t append(void *cookie, const char *bytes, size_t count)
{
    struct growing *g = cookie;
    size_t end = *g->length + count;
    if (end >= g->room && !g->broken) {
        char *larger = realloc(*g->text, 2 * end + 1);
        g->broken = larger == NULL;
        if (larger != NULL) {
            *g->text = larger;
            g->room = 2 * end + 1;
        }
    }
    if (g->broken)
        return 0;
    memcpy(*g->text + *g->length, bytes, count);
    (*g->text)[end] = '\0';
    *g->length = end;
    return (ssize_t)count;
}

static int finish(void *cookie)
{
    struct growing *g = cookie;
    bool broken = g->broken;
    free(g);
    return broken ? EOF : 0;
}

FILE *text_stream(char **text, size_t *length)
{
    struct growing *g = malloc(sizeof *g);
    FILE *stream = NULL;
    *length = 0;
    *text = calloc(1, 1);
    if (g != NULL && *text != NULL) {
        *g = (struct growing){ .text = text, .length = length, .room = 1 };
        stream = fopencookie(g, "w", (cookie_io_functions_t){ .write = append, .close = finish });
    }
    if (stream != NULL)
        return stream;
    free(g);
    free(*text);
    *text = NULL;
    return NULL;
}

char *text_stream_end(FILE *stream, char **text)
{
    if (fclose(stream) == 0)
        return *text;
    free(*text);
    return *text = NULL;
}
