/* A stream whose text stays in memory, like open_memstream(). If memory runs out, open_memstream() drops text without an error;
   this stream then has an error: ferror() is true, and fclose() fails. */
#ifndef OMPFACT_IO_TEXT_STREAM_H
#define OMPFACT_IO_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

/* *text, which the caller frees, and *length, without the terminating zero, are valid after each fflush() and after fclose().
   NULL: no memory, and *text is NULL. */
FILE *text_stream(char **text, size_t *length);
/* Closes the stream, and returns the text. NULL: not all of the text could be kept, and *text is freed. */
char *text_stream_end(FILE *stream, char **text);

#endif
