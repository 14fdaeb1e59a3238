/* Signals to end a run with checkpoints: SIGTERM and SIGUSR1, which batch systems send before they end a job. */
#ifndef OMPFACT_SRC_COMMAND_STOPPING_H
#define OMPFACT_SRC_COMMAND_STOPPING_H

#include "src/command/session.h"

/* From now on the process receives the signals, if checkpoints are requested: the factorization saves a checkpoint and ends. So
   many seconds after the first signal the process ends in any case. Any rank may get the signals, or all. Local. */
void stopping_begin(const struct session *session);
void stopping_end(void);
/* Whether a rank has received a signal: 0, or COMMAND_STOPPED and a line that is the same on every rank. Collective. */
int stopping_poll(struct session *session, char text[COMMAND_TEXT]);
/* The same line and COMMAND_STOPPED, for a factorization that was stopped. Collective. */
int stopping_message(struct session *session, char text[COMMAND_TEXT]);

#endif
