/* Pictures in SVG: a frame with two axes from 0, whose colours are classes of page.css. */
#ifndef OMPFACT_SRC_PAGE_AXES_H
#define OMPFACT_SRC_PAGE_AXES_H

#include "src/page/format.h"

#include <stdbool.h>

/* Sizes of every picture, in its units, which are pixels at its full width. */
enum { PICTURE_WIDTH = 1080, AXES_LEFT = 74, AXES_RIGHT = 14, AXES_TOP = 24, AXES_BOTTOM = 26 };

typedef const char *axes_format(double number, char text[FORMAT_TEXT]);

struct axes {
    double height;              /* of the plot alone */
    double x_max, y_max;        /* at least the largest values; axes_begin() rounds the one on y */
    bool y_down;                /* whether 0 is at the top */
    const char *title;
    axes_format *x_format, *y_format;
};

/* Writes the element, its title for screen readers, grid and numbers. */
void axes_begin(FILE *out, struct axes *axes, const char *label);
void axes_end(FILE *out);
double axes_x(const struct axes *axes, double x);
double axes_y(const struct axes *axes, double y);
/* Writes a dashed line across, with a word at its end. */
void axes_mark_x(FILE *out, const struct axes *axes, double x, const char *word);
/* Writes an entry of the legend in the line of the title; *place is the start of the next entry, at first 0. */
void axes_legend(FILE *out, double *place, const char *style, const char *word);

#endif
