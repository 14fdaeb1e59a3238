/* One line with the reason why the command ends. */
#ifndef OMPFACT_SRC_COMMAND_REFUSE_H
#define OMPFACT_SRC_COMMAND_REFUSE_H

#include "src/ompfact.h"

enum { COMMAND_TEXT = 512 };    /* characters of the line, including the terminating zero */
/* Return values and exit statuses: bad usage, input or output; a signal ended a run with checkpoints. */
enum { COMMAND_USAGE = 2, COMMAND_STOPPED = 3 };

/* Formats the line, which stays one line for any arguments, and returns COMMAND_USAGE. */
int refuse(char text[COMMAND_TEXT], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes a call of the library that gives a reason to `why`. If the call fails, the function returns with this line. */
#define TRY_WHY(text, call)                                                                                                     \
    do {                                                                                                                        \
        char why[OMPFACT_MESSAGE];                                                                                              \
        if ((call) != OMPFACT_SUCCESS)                                                                                          \
            return refuse(text, "%s", why);                                                                                     \
    } while (0)

/* A local variable that a function ends, by its address, where its scope is left:
   CLEANUP(output_drop) struct output out = { 0 }. */
#define CLEANUP(end) __attribute__((cleanup(end)))

/* Returns the exit status of a call that failed from the function that makes the call. */
#define TRY_STEP(call)                                                                                                          \
    do {                                                                                                                        \
        int try_code = (call);                                                                                                  \
        if (try_code != 0)                                                                                                      \
            return try_code;                                                                                                    \
    } while (0)

#endif
