/* Signals that ask a run with checkpoints to end: SIGTERM and SIGUSR1, as batch systems send them before they end a job. */
#ifndef OMPFACT_SRC_COMMAND_STOPPING_H
#define OMPFACT_SRC_COMMAND_STOPPING_H

#include "src/command/session.h"

/* From now on they are heard, if checkpoints are asked for: the factorization is saved and ends; and so many seconds after the
   first one the process does, whatever it is doing. Any rank may get them, or all. Local. */
void stopping_begin(const struct session *session);
void stopping_end(void);
/* Whether a rank has heard one: 0, or COMMAND_STOPPED and a line that is the same on every rank. Collective. */
int stopping_poll(struct session *session, char text[COMMAND_TEXT]);
/* That line, and COMMAND_STOPPED, where a factorization was stopped. Collective. */
int stopping_message(struct session *session, char text[COMMAND_TEXT]);

#endif
