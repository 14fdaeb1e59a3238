/* One line that says why the command will not go on. */
#ifndef OMPFACT_SRC_COMMAND_REFUSE_H
#define OMPFACT_SRC_COMMAND_REFUSE_H

enum { COMMAND_TEXT = 512 };    /* characters in such a line, its end included */
/* What a call returns, and the exit status: usage, input or output is bad; a signal has ended a run with checkpoints. */
enum { COMMAND_USAGE = 2, COMMAND_STOPPED = 3 };

/* Formats the line, one line whatever the arguments hold, and returns COMMAND_USAGE. */
int refuse(char text[COMMAND_TEXT], const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
