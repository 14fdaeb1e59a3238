/* UTF-8 characters. Names of files and hosts may be any bytes; output for other programs must be valid UTF-8. */
#ifndef OMPFACT_SRC_IO_UTF8_H
#define OMPFACT_SRC_IO_UTF8_H

#define UTF8_REPLACEMENT "\xef\xbf\xbd"     /* U+FFFD replaces a byte that belongs to no character */

/* Bytes of the character at s; 0: the first byte is invalid. The function reads nothing beyond the end of the string. */
int utf8_bytes(const char *s);

#endif
