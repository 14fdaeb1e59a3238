#define _GNU_SOURCE     /* memfd_create */
#include "tests/fuzz/fuzz_readers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const struct reader readers[] = {
    { "compare", read_compare },    /* rows of --json, or a trace, for `ompfact compare` */
    { "machine", read_machine },    /* figures measured on this machine */
    { "manifest", read_manifest },  /* a checkpoint's manifest, without its digest */
    { "map", read_map_file },       /* --layout file:PATH */
    { "mtx", read_mtx },
    { "npy", read_npy },
    { "options", read_options },    /* a command line, one word a line */
    { "points", read_points },
    { "report", read_report },      /* a trace for `ompfact report` */
    { "scheme", read_scheme },      /* --layout SCHEME:ARGS */
    { "speeds", read_speeds },
    { "tiles", read_tiles },        /* a checkpoint's file of tiles, without its digest */
    { "weights", read_weights },
    { NULL, NULL },
};

const struct reader *reader_find(const char *name)
{
    const struct reader *r = readers;
    while (r->name != NULL && strcmp(r->name, name) != 0)
        r++;
    return r->name != NULL ? r : NULL;
}

void reader_expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "a reader broke its promise: %s\n", what);
    abort();
}

void reader_expect_line(const char *text, size_t room)
{
    size_t length = strnlen(text, room);
    EXPECT(length > 0 && length < room);
    for (size_t k = 0; k < length; k++)
        EXPECT(!iscntrl((unsigned char)text[k]));
}

const char *reader_file(const uint8_t *bytes, size_t size)
{
    static int fd = -1;
    static char path[40];
    if (fd < 0)
        fd = memfd_create("input", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size) {
        perror("no file for the input");
        exit(EXIT_FAILURE);
    }
    return path;
}

char *reader_text(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL) {
        perror("no memory for the input");
        exit(EXIT_FAILURE);
    }
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}
