/* Mapped input files that another program truncates during the run: SIGBUS becomes a line that names the file, and exit status
   2. */
#ifndef OMPFACT_SRC_COMMAND_INPUT_CUT_H
#define OMPFACT_SRC_COMMAND_INPUT_CUT_H

#include <stddef.h>

/* Call this before a file is mapped and read. The path must outlive the map. All functions here are local. */
void input_open(const char *path);
/* Call this after the attempt to map the file; NULL: the attempt failed. */
void input_mapped(const char *map, size_t bytes);
void input_close(const char *map);

#endif
