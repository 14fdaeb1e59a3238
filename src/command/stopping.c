#include "src/command/session.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t received;     /* the first signal; 0: none */
static ompfact_grid *grid;              /* the grid to stop; written only while there is no handler */
static unsigned patience;               /* seconds */
static char too_late[160];              /* the first rank's last line */

/* ---- in handlers: what is allowed there, and no more ----------------------------------------------------------------------- */

static void out_of_time(int signal)
{
    (void)signal;
    ssize_t written = write(STDERR_FILENO, too_late, strlen(too_late));
    (void)written;
    _exit(COMMAND_STOPPED);
}

static void receive(int signal)
{
    if (received == 0)
        alarm(patience);
    received = signal;
    ompfact_stop(grid);
}

/* ---- around it ------------------------------------------------------------------------------------------------------------- */

/* The first rank ends a second before the others, because it prints a line. */
void stopping_begin(const struct session *s)
{
    const struct checkpoint_place *place = &s->options->checkpoint;
    bool first = ompfact_rank(s->grid) == 0;
    if (place->folder == NULL)
        return;
    grid = s->grid;
    patience = (unsigned)ceil(place->grace) + !first;
    if (first)
        snprintf(too_late, sizeof too_late,
                 "ompfact: ended by a signal, without a new checkpoint after %g s: the last checkpoint "
                 "remains\n", place->grace);
    const struct { int signal; void (*handler)(int signal); } all[] = {
        { SIGALRM, out_of_time }, { SIGTERM, receive }, { SIGUSR1, receive } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct sigaction action = { .sa_handler = all[i].handler, .sa_flags = SA_RESTART };
        sigemptyset(&action.sa_mask);
        sigaction(all[i].signal, &action, NULL);
    }
}

void stopping_end(void)
{
    if (grid == NULL)
        return;
    signal(SIGTERM, SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
    alarm(0);
}

int stopping_message(struct session *s, char text[COMMAND_TEXT])
{
    const char *folder = s->options->checkpoint.folder;
    char manifest[COMMAND_TEXT];
    snprintf(manifest, sizeof manifest, "%s/manifest.json", folder);
    int saved = access(manifest, F_OK) == 0;
    together_share(s->comm, &saved, 1, MPI_INT, 0);
    if (saved)
        refuse(text, "ended by a signal: --restart %.256s continues", folder);
    else
        refuse(text, "ended by a signal: there is no checkpoint in %.256s yet", folder);
    return COMMAND_STOPPED;
}

int stopping_poll(struct session *s, char text[COMMAND_TEXT])
{
    int any = received != 0;
    if (s->options->checkpoint.folder == NULL || !together_reduce(s->comm, &any, 1, MPI_INT, MPI_MAX))
        return 0;
    return any ? stopping_message(s, text) : 0;
}
