/* Characters as UTF-8 has them: names of files and hosts may be any bytes, and what is written for others may not. */
#ifndef OMPFACT_SRC_IO_UTF8_H
#define OMPFACT_SRC_IO_UTF8_H

#define UTF8_REPLACEMENT "\xef\xbf\xbd"     /* U+FFFD, in the place of a byte that belongs to no character */

/* Bytes of the character at s; 0: there is only an invalid byte. The function reads nothing beyond the end of the string. */
int utf8_bytes(const char *s);

#endif
