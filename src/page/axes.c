#include "src/page/axes.h"

#include <math.h>
#include <string.h>

/* Chooses about so many steps up to the largest value: 1, 2 or 5 times a power of ten. */
static double nice_step(double most, int steps)
{
    double rough = most / steps, power = pow(10, floor(log10(rough))), leading = rough / power;
    return power * (leading <= 1 ? 1 : leading <= 2 ? 2 : leading <= 5 ? 5 : 10);
}

/* Bytes count in powers of 1024. */
static double nice_step_for(const struct axes *a)
{
    enum { STEPS = 4 };
    double unit = 1;
    while (a->y_format == format_bytes && a->y_max / unit >= 1000)
        unit *= 1024;
    return unit * nice_step(a->y_max / unit, STEPS);
}

double axes_x(const struct axes *a, double x)
{
    return AXES_LEFT + x / a->x_max * (PICTURE_WIDTH - AXES_LEFT - AXES_RIGHT);
}

double axes_y(const struct axes *a, double y)
{
    return AXES_TOP + (a->y_down ? y / a->y_max : 1 - y / a->y_max) * a->height;
}

void axes_begin(FILE *out, struct axes *a, const char *label)
{
    enum { X_STEPS = 8 };
    char text[FORMAT_TEXT];
    a->x_max = a->x_max > 0 ? a->x_max : 1;
    a->y_max = a->y_max > 0 ? a->y_max : 1;
    double dx = nice_step(a->x_max, X_STEPS), dy = nice_step_for(a);
    fprintf(out, "<svg class=\"plot\" viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", PICTURE_WIDTH,
            a->height + AXES_TOP + AXES_BOTTOM);
    html_text(out, label);
    fputs("\"><g class=\"grid\">", out);
    for (int k = 0; k * dy <= a->y_max * (1 + 1e-9); k++)
        fprintf(out, "<path d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"at-end\">%s</text>", AXES_LEFT,
                axes_y(a, k * dy), PICTURE_WIDTH - AXES_RIGHT, AXES_LEFT - 8, axes_y(a, k * dy) + 4, a->y_format(k * dy, text));
    for (int k = 0; k * dx <= a->x_max * (1 + 1e-9); k++)
        fprintf(out, "<path d=\"M%.1f %dv%.0f\"/><text x=\"%.1f\" y=\"%.0f\" class=\"at-middle\">%s</text>", axes_x(a, k * dx),
                AXES_TOP, a->height, axes_x(a, k * dx), AXES_TOP + a->height + 17, a->x_format(k * dx, text));
    fputs("</g><text class=\"heading\" x=\"0\" y=\"13\">", out);
    html_text(out, a->title);
    fputs("</text>", out);
}

void axes_end(FILE *out)
{
    fputs("</svg>\n", out);
}

void axes_mark_x(FILE *out, const struct axes *a, double x, const char *word)
{
    double at = axes_x(a, x);
    if (!(x > 0 && x <= a->x_max))
        return;
    bool left = at > PICTURE_WIDTH / 2.0;
    fprintf(out, "<path class=\"bound\" d=\"M%.1f %dv%.0f\"/><text class=\"bound-name%s\" x=\"%.1f\" y=\"%d\">", at, AXES_TOP,
            a->height, left ? " at-end" : "", at + (left ? -5 : 5), AXES_TOP + (int)a->height - 8);
    html_text(out, word);
    fputs("</text>", out);
}

void axes_legend(FILE *out, double *place, const char *style, const char *word)
{
    const double LETTER = 6.4, SAMPLE = 18;
    double width = SAMPLE + 6 + LETTER * (double)strlen(word) + 16;
    *place = *place == 0 ? PICTURE_WIDTH - AXES_RIGHT : *place;
    *place -= width;
    fprintf(out, "<path class=\"%s\" d=\"M%.1f 9h%.0f\"/><text x=\"%.1f\" y=\"13\">%s</text>", style, *place, SAMPLE,
            *place + SAMPLE + 6, word);
}
