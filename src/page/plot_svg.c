/* SVG as text: the frame, and texts in it. */
#include "src/page/plot_parts.h"
#include "src/page/format.h"

#include <stdarg.h>

/* A pointer on a rank darkens all its cells. */
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
