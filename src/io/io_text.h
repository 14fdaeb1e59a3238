/* Characters of a line about an error. */
#ifndef OMPFACT_IO_IO_TEXT_H
#define OMPFACT_IO_IO_TEXT_H

enum { IO_TEXT = 384 };     /* characters, its end included */

#endif
