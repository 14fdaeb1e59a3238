/* The report: one JSON object on each line, appended in one write. */
#include "tests/cuda/engine.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ACCUSATIONS = 50, LINE = 1000, COUNTS_LINE = 512 };
static char *accused[MOST_ACCUSATIONS];
static int accusations;

/* Returns the line's offset in the file; -1: there is no file, or it has no offsets. */
static long append(const char *line, size_t length)
{
    int file = engine.settings.report[0] == '\0' ? -1 :
               open(engine.settings.report, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return -1;
    long end = write(file, line, length) == (ssize_t)length ? (long)lseek(file, 0, SEEK_CUR) : -1;
    close(file);
    return end < (long)length ? -1 : end - (long)length;
}

void emulated_accuse(const char *kind, const char *what, ...)
{
    char text[LINE / 2], line[LINE];
    va_list list;
    va_start(list, what);
    int length = snprintf(text, sizeof text, "%s: ", kind);
    vsnprintf(text + length, sizeof text - (size_t)length, what, list);
    va_end(list);
    for (int i = 0; i < accusations; i++)
        if (strcmp(accused[i], text) == 0)
            return;
    if (accusations == MOST_ACCUSATIONS)
        return;
    accused[accusations++] = strdup(text);
    int n = snprintf(line, sizeof line, "{\"what\": \"accusation\", \"kind\": \"%s\", \"rank\": %d, \"text\": \"%s\"}\n", kind,
                     engine.settings.rank, text + length);
    append(line, (size_t)n);
}

void emulated_print_fault(const char *kind)
{
    char line[LINE];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int n = snprintf(line, sizeof line, "{\"what\": \"fault\", \"kind\": \"%s\", \"rank\": %d, \"time\": %lld.%09ld}\n", kind,
                     engine.settings.rank, (long long)now.tv_sec, now.tv_nsec);
    append(line, (size_t)n);
}

/* ---- counts ------------------------------------------------------------------------------------------------------------- */

/* The line has a fixed length, so that a later one can replace it. */
static void counts_line(char line[COUNTS_LINE + 1], int device, const struct counts *c)
{
    int n = snprintf(line, COUNTS_LINE,
                     "{\"what\": \"counts\", \"rank\": %d, \"device\": %d, \"operations\": %ld, \"kernels\": %ld, "
                     "\"bytes_to_device\": %ld, \"bytes_from_device\": %ld, \"waits\": %ld, \"allocations\": %ld, "
                     "\"device_memory_allocations\": %ld, \"kernels_before_last_allocation\": %ld, \"left\": %ld",
                     engine.settings.rank, device, c->operations, c->kernels, c->bytes_to_device, c->bytes_from_device, c->waits,
                     c->allocations, c->device_memory_allocations, c->kernels_before_last_allocation, c->left);
    snprintf(line + n, COUNTS_LINE + 1 - (size_t)n, "%*s", COUNTS_LINE - n, "}\n");
}

/* false: the old line is no longer there. */
static bool replace(long place, const char *old, const char *new)
{
    char found[COUNTS_LINE];
    int file = open(engine.settings.report, O_RDWR | O_CLOEXEC);
    bool there = file >= 0 && pread(file, found, COUNTS_LINE, place) == COUNTS_LINE && memcmp(found, old, COUNTS_LINE) == 0 &&
                 pwrite(file, new, COUNTS_LINE, place) == COUNTS_LINE;
    if (file >= 0)
        close(file);
    return there;
}

/* Whether the file has offsets at which a line can be replaced. */
static bool has_places(void)
{
    struct stat s;
    return stat(engine.settings.report, &s) != 0 || S_ISREG(s.st_mode);
}

/* Writes one line for each device that was used. A process may end unnoticed, so counts are written whenever all streams and
   handles are gone, and replaced when there is more to count. */
void emulated_print_counts(bool last)
{
    static const struct counts none;
    if (engine.settings.report[0] == '\0' || (!last && !has_places()))
        return;
    for (int i = 0; i < engine.settings.devices; i++) {
        struct device *d = &engine.device[i];
        char old[COUNTS_LINE + 1], new[COUNTS_LINE + 1];
        if (memcmp(&d->counts, d->line < 0 ? &none : &d->reported, sizeof none) == 0)
            continue;
        counts_line(old, i, &d->reported);
        counts_line(new, i, &d->counts);
        if (d->line < 0 || !replace(d->line, old, new))
            d->line = append(new, COUNTS_LINE);
        d->reported = d->counts;
    }
}
