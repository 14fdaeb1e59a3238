#include "src/command/source.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { INPUTS = 8 };            /* at one time: matrix, right-hand sides, points */

/* Data of the signal handler: a slot's map is set last, and cleared first. */
static struct {
    const char *path, *map;
    size_t bytes;
} input[INPUTS];
static const char *opened;      /* the file that is being mapped; NULL: none */

static void say(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

/* Another cause than a file: acts as if there were no handler. */
static void bus_error(int number, siginfo_t *info, void *context)
{
    (void)context;
    const char *at = info->si_addr, *path = opened;
    for (int i = 0; i < INPUTS; i++)
        if (input[i].map != NULL && at >= input[i].map && at < input[i].map + input[i].bytes)
            path = input[i].path;
    if (path == NULL) {
        signal(number, SIG_DFL);
        return;
    }
    say("ompfact: ");
    say(path);
    say(": the file was truncated while it was read\n");
    _exit(COMMAND_USAGE);
}

void input_open(const char *path)
{
    struct sigaction action = { .sa_sigaction = bus_error, .sa_flags = SA_SIGINFO };
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
    opened = path;
}

void input_mapped(const char *map, size_t bytes)
{
    for (int i = 0; i < INPUTS && map != NULL; i++) {
        if (input[i].map != NULL)
            continue;
        input[i].path = opened;
        input[i].bytes = bytes;
        input[i].map = map;
        break;
    }
    opened = NULL;
}

void input_close(const char *map)
{
    for (int i = 0; i < INPUTS; i++)
        if (input[i].map == map)
            input[i].map = NULL;
}
