/* Numbers and texts for people, in HTML. */
#ifndef OMPFACT_SRC_PAGE_FORMAT_H
#define OMPFACT_SRC_PAGE_FORMAT_H

#include <stdint.h>
#include <stdio.h>

enum { FORMAT_TEXT = 64 };      /* characters, including the terminating zero */

/* Each function returns `text`. A number that is not finite is a dash. */
const char *format_count(double count, char text[FORMAT_TEXT]);        /* 1 234 567, with narrow spaces */
const char *format_seconds(double seconds, char text[FORMAT_TEXT]);    /* 12.3 ms */
const char *format_bytes(double bytes, char text[FORMAT_TEXT]);        /* 1.50 GiB */
const char *format_number(double number, char text[FORMAT_TEXT]);      /* four digits */
const char *format_rate(double gflops, char text[FORMAT_TEXT]);        /* 39.9 GFLOP/s */
const char *format_share(double share, char text[FORMAT_TEXT]);        /* 12 % */

/* Advice, in some lines, that lets one-sided reads between nodes proceed without their owner. */
const char *one_sided_conditions(void);

/* Escapes markup except quotes, and replaces what XML does not allow. */
void html_text(FILE *out, const char *text);

#endif
