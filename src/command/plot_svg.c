/* SVG as text: the frame, and words that XML can hold. */
#include "src/command/plot_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* A pointer that rests on a rank turns all its cells dark. */
void svg_begin(FILE *out, double width, double height)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" stroke=\"none\" fill=\"" PLOT_INK "\">\n"
            "<style>.cells path:hover{fill:" PLOT_INK "} .bar:hover rect{fill:" PLOT_INK "}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            width, height, width, height);
}

void svg_end(FILE *out)
{
    fprintf(out, "</svg>\n");
}

/* Bytes of the character at s as UTF-8 (RFC 3629) has it, or 0: it is none, or XML does not allow it. */
static int character(const unsigned char *s)
{
    static const struct { unsigned char first, last, low, high; int bytes; } forms[] = {
        { 0x20, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if (s[0] < forms[f].first || s[0] > forms[f].last)
            continue;
        if (forms[f].bytes > 1 && (s[1] < forms[f].low || s[1] > forms[f].high))
            return 0;
        for (int i = 2; i < forms[f].bytes; i++)
            if ((s[i] & 0xc0) != 0x80)
                return 0;
        return memcmp(s, "\xef\xbf\xbe", 3) == 0 || memcmp(s, "\xef\xbf\xbf", 3) == 0 ? 0 : forms[f].bytes;
    }
    return 0;
}

static void print_escaped(FILE *out, const char *text)
{
    for (const char *s = text; *s != '\0';) {
        int bytes = character((const unsigned char *)s);
        if (bytes == 0)
            fputs("\xef\xbf\xbd", out);
        else if (strchr("&<>", *s) != NULL)
            fprintf(out, "&#%d;", *s);
        else
            fwrite(s, 1, (size_t)bytes, out);
        s += bytes == 0 ? 1 : bytes;
    }
}

void svg_text(FILE *out, double x, double y, const char *attributes, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, "<text x=\"%g\" y=\"%g\"%s%s>", x, y, *attributes ? " " : "", attributes);
    print_escaped(out, text);
    fprintf(out, "</text>\n");
}

double svg_digits_width(int digits, double font)
{
    return 0.58 * font * digits;
}

const char *svg_number(int64_t value, char text[SVG_NUMBER])
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRId64, value), used = 0;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            used += sprintf(text + used, "\u2009");
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}
