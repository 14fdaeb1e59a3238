/* One bar for each rank, whose height is its work over the mean, above its number in its colour: also the key to the picture. */
#include "src/page/plot_parts.h"

#include <inttypes.h>
#include <math.h>

enum { ROW_NUMBERED = 64, NUMBERED_MAX = 512, ROW_DENSE = 150, ROWS_MAX = 20 };     /* bars in a row, ranks, rows */
static const double PITCH_LARGEST = 44, KEY = 16, GAP = 16, FONT = 11, FONT_VALUE = 10;
static const double PITCH_BESIDE = 30;      /* from this width on a value fits above a bar horizontally */

static int divide_up(int a, int b)
{
    return (a + b - 1) / b;
}

void plot_rank_title(FILE *out, int rank, const ompfact_share *share)
{
    fprintf(out, "<title>rank %d: %" PRId64 " tiles, work %.3f of the mean</title>", rank, share->tiles, share->work);
}

struct plot_chart plot_chart(const ompfact_share *share, int ranks, double width)
{
    int row = ranks <= NUMBERED_MAX ? ROW_NUMBERED : ROW_DENSE;
    struct plot_chart chart = { .share = share, .ranks = ranks, .shown = ranks };
    if (chart.shown > ROWS_MAX * row)
        chart.shown = ROWS_MAX * row;
    chart.rows = divide_up(chart.shown, row);
    chart.per_row = divide_up(chart.shown, chart.rows);
    chart.pitch = fmin(PITCH_LARGEST, width / chart.per_row);
    chart.bar = row == ROW_DENSE ? 34 : 96;
    chart.height = chart.rows * (chart.bar + KEY + GAP) - GAP;
    return chart;
}

/* The value of a wide bar is above it and above the line of the mean. The value of a narrow bar is upright in it, or above a bar
   that is too short, on white at the line. */
static void draw_value(FILE *out, const struct plot_chart *chart, int rank, double x, double base, double scale)
{
    static const char on_white[] = " stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"", on_dark[] = " fill=\"#fff\"";
    char attributes[128];
    double work = chart->share[rank].work, height = scale * work;
    if (chart->pitch >= PITCH_BESIDE) {
        svg_text(out, x, base - fmax(height, scale) - 4, "text-anchor=\"middle\"", "%.3f", work);
        return;
    }
    bool inside = height >= svg_digits_width(5, FONT_VALUE) + 6;
    double y = inside ? base - 4 : base - height - 4;
    x += 0.36 * FONT_VALUE;
    snprintf(attributes, sizeof attributes, "transform=\"rotate(-90 %g %g)\"%s", x, y,
             !inside ? on_white : rank_colour(rank).dark ? on_dark : "");
    svg_text(out, x, y, attributes, "%.3f", work);
}

static void draw_number(FILE *out, const struct plot_chart *chart, int rank, double x, double y, double wide)
{
    char attributes[96];
    double font = fmin(FONT, 0.95 * wide / svg_digits_width(snprintf(NULL, 0, "%d", chart->ranks - 1), 1));
    snprintf(attributes, sizeof attributes, "font-size=\"%.3g\" text-anchor=\"middle\"%s", font,
             rank_colour(rank).dark ? " fill=\"#fff\"" : "");
    svg_text(out, x, y + 0.36 * font, attributes, "%d", rank);
}

static double bar_width(const struct plot_chart *chart)
{
    return chart->pitch - (chart->pitch >= 12 ? 2 : 1);
}

static void draw_bar(FILE *out, const struct plot_chart *chart, int rank, double x, double base, double scale)
{
    double wide = bar_width(chart), height = scale * chart->share[rank].work;
    fprintf(out, "<g class=\"bar\" fill=\"%s\">", rank_colour(rank).hex);
    plot_rank_title(out, rank, &chart->share[rank]);
    fprintf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>", x, base - height, wide, height);
    fprintf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"%s/></g>\n", x, base + 2, wide, KEY - 2,
            rank == 0 ? " stroke=\"" PLOT_INK "\" stroke-width=\"2\"" : "");
}

static void draw_words(FILE *out, const struct plot_chart *chart, int rank, double x, double base, double scale)
{
    double middle = x + bar_width(chart) / 2;
    if (chart->ranks <= NUMBERED_MAX) {
        draw_number(out, chart, rank, middle, base + 2 + (KEY - 2) / 2, bar_width(chart));
        draw_value(out, chart, rank, middle, base, scale);
    } else if (rank % 10 == 0) {
        svg_text(out, x, base + KEY + FONT, "", "%d", rank);
    }
}

void plot_chart_draw(FILE *out, const struct plot_chart *chart, double x, double y)
{
    double most = 1, pitch = chart->pitch;
    for (int rank = 0; rank < chart->shown; rank++)
        most = fmax(most, chart->share[rank].work);
    double scale = (chart->bar - FONT - 4) / most;
    fprintf(out, "<g class=\"chart\" font-size=\"%g\" transform=\"translate(%g %g)\">\n", FONT_VALUE, x, y);
    for (int first = 0; first < chart->shown; first += chart->per_row) {
        double base = first / chart->per_row * (chart->bar + KEY + GAP) + chart->bar;
        int end = first + chart->per_row < chart->shown ? first + chart->per_row : chart->shown;
        double wide = pitch * (end - first);
        for (int rank = first; rank < end; rank++)
            draw_bar(out, chart, rank, pitch * (rank - first), base, scale);
        fprintf(out, "<path stroke=\"" PLOT_INK "\" stroke-dasharray=\"4 3\" d=\"M0 %gh%g\"/>\n", base - scale, wide + 4);
        svg_text(out, wide + 7, base - scale + 4, "fill=\"" PLOT_FAINT "\"", "mean");
        fprintf(out, "<g pointer-events=\"none\">\n");
        for (int rank = first; rank < end; rank++)
            draw_words(out, chart, rank, pitch * (rank - first), base, scale);
        fprintf(out, "</g>\n");
    }
    fprintf(out, "</g>\n");
}
