/* Files that are mapped into memory, and cut by somebody while they are read: the system's SIGBUS becomes a line that names the
   file, and exit status 2. */
#ifndef OMPFACT_SRC_COMMAND_INPUT_CUT_H
#define OMPFACT_SRC_COMMAND_INPUT_CUT_H

#include <stddef.h>

/* A file is about to be mapped, and looked into. The path must outlive the map. Local, as all here. */
void input_open(const char *path);
/* It is there, or could not be: NULL. */
void input_mapped(const char *map, size_t bytes);
void input_close(const char *map);

#endif
