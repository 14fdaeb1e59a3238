#include "src/io/utf8.h"

#include <stddef.h>

/* RFC 3629, section 4: the range of the first byte, the range of the second, and the number of bytes. */
static const struct form {
    unsigned char first, last, low, high;
    int bytes;
} forms[] = {
    { 0x01, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
    { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
    { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

int utf8_bytes(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        const struct form *form = &forms[f];
        if (s[0] < form->first || s[0] > form->last)
            continue;
        if (form->bytes > 1 && (s[1] < form->low || s[1] > form->high))
            return 0;
        for (int i = 2; i < form->bytes; i++)
            if ((s[i] & 0xc0) != 0x80)
                return 0;
        return form->bytes;
    }
    return 0;
}
