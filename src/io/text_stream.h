/* A stream whose text stays in memory, as open_memstream() has it. Where memory runs out that one drops what comes next without
   a word; this one has an error then, as any stream: ferror(), and fclose() fails. */
#ifndef OMPFACT_IO_TEXT_STREAM_H
#define OMPFACT_IO_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* *text, which the caller frees, and *length, without the 0 behind it, are right after each fflush() and after fclose(). Where
   NULL is returned there is no memory, and *text is NULL. */
FILE *text_stream(char **text, size_t *length);
/* Closes it, and returns the text; NULL: not all of it could be kept, and *text is free. */
char *text_stream_end(FILE *stream, char **text);

#endif
