/* Numbers and texts for people, in HTML. */
#ifndef OMPFACT_SRC_PAGE_SAY_H
#define OMPFACT_SRC_PAGE_SAY_H

#include <stdint.h>
#include <stdio.h>

enum { SAY = 64 };      /* characters, the end included */

/* Each returns what it wrote to text. A number that is not finite is a dash. */
const char *say_count(double count, char text[SAY]);        /* 1 234 567, narrow spaces between */
const char *say_seconds(double seconds, char text[SAY]);    /* 12.3 ms */
const char *say_bytes(double bytes, char text[SAY]);        /* 1.50 GiB */
const char *say_number(double number, char text[SAY]);      /* four digits */
const char *say_rate(double gflops, char text[SAY]);        /* 39.9 GFLOP/s */
const char *say_share(double share, char text[SAY]);        /* 12 % */

/* Where one-sided reads between nodes wait for their owner: what would let them go on. A text of some lines. */
const char *say_what_reads_want(void);

/* What a text has of markup is none; quotes neither. What XML does not allow is replaced. */
void html_text(FILE *out, const char *text);

#endif
