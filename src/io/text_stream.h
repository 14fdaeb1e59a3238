/* A stream whose text stays in memory, like open_memstream(). If memory runs out, open_memstream() drops text without an error;
   this stream has an error then: ferror(), and fclose() fails. */
#ifndef OMPFACT_IO_TEXT_STREAM_H
#define OMPFACT_IO_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* *text, which the caller frees, and *length, without the terminating zero, are valid after each fflush() and after fclose().
   NULL: no memory, and *text is NULL. */
FILE *text_stream(char **text, size_t *length);
/* Closes it, and returns the text; NULL: not all of it could be kept, and *text is free. */
char *text_stream_end(FILE *stream, char **text);

#endif
