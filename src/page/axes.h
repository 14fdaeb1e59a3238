/* Pictures in SVG: a frame with two axes from 0, whose colours are classes of page.css. */
#ifndef OMPFACT_SRC_PAGE_AXES_H
#define OMPFACT_SRC_PAGE_AXES_H

#include "src/page/format.h"

#include <stdbool.h>

/* Of every picture; lengths are in its units, which are pixels where it has its full width. */
enum { PICTURE_WIDTH = 1080, AXES_LEFT = 74, AXES_RIGHT = 14, AXES_TOP = 24, AXES_BOTTOM = 26 };

typedef const char *axes_format(double number, char text[FORMAT_TEXT]);

struct axes {
    double height;              /* of the plot alone */
    double x_max, y_max;        /* at least what is shown; made round by axes_begin() on y */
    bool y_down;                /* 0 is on top */
    const char *title;
    axes_format *x_format, *y_format;
};

/* The element, its title for those who do not see it, grid and numbers. */
void axes_begin(FILE *out, struct axes *axes, const char *label);
void axes_end(FILE *out);
double axes_x(const struct axes *axes, double x);
double axes_y(const struct axes *axes, double y);
/* A dashed line across, with a word at its end. */
void axes_mark_x(FILE *out, const struct axes *axes, double x, const char *word);
/* An entry of the legend in the title's line; *place is where the next one may begin, at first 0. */
void axes_legend(FILE *out, double *place, const char *style, const char *word);

#endif
