/* Numbers and texts for people, in HTML. */
#ifndef OMPFACT_SRC_PAGE_FORMAT_H
#define OMPFACT_SRC_PAGE_FORMAT_H

#include <stdint.h>
#include <stdio.h>

enum { FORMAT_TEXT = 64 };      /* characters, the end included */

/* Each returns what it wrote to text. A number that is not finite is a dash. */
const char *format_count(double count, char text[FORMAT_TEXT]);        /* 1 234 567, narrow spaces between */
const char *format_seconds(double seconds, char text[FORMAT_TEXT]);    /* 12.3 ms */
const char *format_bytes(double bytes, char text[FORMAT_TEXT]);        /* 1.50 GiB */
const char *format_number(double number, char text[FORMAT_TEXT]);      /* four digits */
const char *format_rate(double gflops, char text[FORMAT_TEXT]);        /* 39.9 GFLOP/s */
const char *format_share(double share, char text[FORMAT_TEXT]);        /* 12 % */

/* Where one-sided reads between nodes wait for their owner: what would let them go on. A text of some lines. */
const char *one_sided_conditions(void);

/* What a text has of markup is none; quotes neither. What XML does not allow is replaced. */
void html_text(FILE *out, const char *text);

#endif
