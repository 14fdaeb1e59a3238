/*
 * Error texts.
 */
#ifndef OMPFACT_LAYOUTS_REFUSAL_H
#define OMPFACT_LAYOUTS_REFUSAL_H

/* Writes one line of explanation to text (LAYOUT_TEXT characters, truncated if longer) and returns 1. */
int layout_refuse(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
