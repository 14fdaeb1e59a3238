/* Texts in SVG. */
#include "src/page/plot_parts.h"
#include "src/page/format.h"

#include <stdarg.h>

void svg_text(FILE *out, double x, double y, const char *attributes, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, "<text x=\"%g\" y=\"%g\"%s%s>", x, y, *attributes ? " " : "", attributes);
    html_text(out, text);
    fprintf(out, "</text>\n");
}

double svg_digits_width(int digits, double font)
{
    return 0.58 * font * digits;
}
