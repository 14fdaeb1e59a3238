/*
 * A colour for each rank, and no two alike for as many ranks as can be.
 *
 * In OKLCH (B. Ottosson, "A perceptual color space for image processing", 2020) equal steps look equally large. From rank to
 * rank the hue goes round the circle and the lightness down a ladder, and never are both at once near to where they have been.
 * The steps are the best of a search: the nearest two of the first 2, 3, 4, 6 .. 128 colours are as far apart as could be, and
 * ranks with numbers less than ten apart, which are neighbours in patterns, farther still.
 */
#include "src/page/rank_colour.h"

#include <math.h>
#include <stdio.h>

static const double HUE_FIRST = 252, HUE_STEP = 0.38981 * 360;     /* degrees; from blue */
static const double LIGHTNESS_FIRST = 0.1, LIGHTNESS_STEP = 0.93377;    /* share of the way from the darkest to the lightest */
static const double DARKEST = 0.56, LIGHTEST = 0.88;
static const double CHROMA = 0.14;                                  /* where the screen has it, otherwise less */

struct linear {
    double red, green, blue;
};

static double cube(double x)
{
    return x * x * x;
}

static struct linear from_oklch(double lightness, double chroma, double hue)
{
    double a = chroma * cos(hue), b = chroma * sin(hue);
    double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
    double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
    double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
    return (struct linear){ 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s };
}

/* IEC 61966-2-1 */
static unsigned screen_value(double linear)
{
    double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (unsigned)lround(255 * value) & 0xff;
}

struct rank_colour rank_colour(int rank)
{
    const double degree = acos(-1) / 180;
    double lightness = DARKEST + (LIGHTEST - DARKEST) * fmod(LIGHTNESS_FIRST + rank * LIGHTNESS_STEP, 1);
    double hue = degree * fmod(HUE_FIRST + rank * HUE_STEP, 360);
    double chroma = CHROMA;
    struct linear c = from_oklch(lightness, chroma, hue);
    while (fmin(c.red, fmin(c.green, c.blue)) < 0 || fmax(c.red, fmax(c.green, c.blue)) > 1)
        c = from_oklch(lightness, chroma -= 0.005, hue);

    struct rank_colour colour;
    snprintf(colour.hex, sizeof colour.hex, "#%02x%02x%02x", screen_value(c.red), screen_value(c.green), screen_value(c.blue));
    colour.dark = 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue < 0.28;
    return colour;
}
