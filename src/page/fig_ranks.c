/* Forms of tiles: the rank of each compressed tile as a shade, for the matrix and for its factors side by side; and the tiles in
   single precision. */
#include "src/page/figures.h"
#include "src/page/format.h"

#include <limits.h>
#include <math.h>

enum { SIDE = 430, SHADES = 9 };        /* side of a map; classes of page.css */
enum { KEY_WIDTH = 14, KEY_HEIGHT = 12 };
#define DENSE_FILL "var(--diagonal)"

/* A class of page.css: none for rank 0. */
static const char *shade_of(int rank, int largest)
{
    static const char *const shades[SHADES + 1] = { "own", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9" };
    return shades[rank > 0 ? (int)ceil(SHADES * (double)rank / largest) : 0];
}

/* The smallest value above this one; INT_MAX: there is none. */
static int next_value(const int *cell, int64_t cells, int value)
{
    int next = INT_MAX;
    for (int64_t c = 0; c < cells; c++)
        if (cell[c] > value && cell[c] < next)
            next = cell[c];
    return next;
}

/* Writes all cells of a value as one path, which keeps the page small: of a rank, or of a share in single precision. */
static void draw_value(FILE *out, const struct page_tile_ranks *r, const int *cell, bool ranks, int value)
{
    const char *what = r->block > 1 ? "block" : "tile";
    char text[FORMAT_TEXT];
    int64_t count = 0;
    for (int64_t c = 0; c < (int64_t)r->rows * r->cols; c++)
        count += cell[c] == value;
    fprintf(out, "<path data-%s=\"%d\" data-%ss=\"%lld\" ", ranks ? "tile-rank" : "in-single", value, what, (long long)count);
    if (value == RANK_DENSE)
        fputs("style=\"fill:" DENSE_FILL "\" d=\"", out);
    else
        fprintf(out, "class=\"%s\" d=\"", shade_of(value, r->largest));
    draw_cells(out, cell, r->rows, r->cols, value);
    fputs("\"><title>", out);
    if (value == RANK_DENSE)
        fputs("dense", out);
    else if (ranks)
        fprintf(out, "%s %d", r->block > 1 ? "mean rank" : "rank", value);
    else if (r->block > 1)
        fprintf(out, "%d %% in single", value);
    else
        fputs(value > 0 ? "single" : "double", out);
    fprintf(out, ": %s %s%s</title></path>", format_count((double)count, text), what, count == 1 ? "" : "s");
}

/* Before and after the factorization. */
static void draw_maps(FILE *out, const struct page_tile_ranks *r, bool ranks)
{
    int64_t cells = (int64_t)r->rows * r->cols;
    double side = fmin(SIDE / (double)r->rows, SIDE / (double)r->cols);
    fputs("<div class=\"pair figure\">\n", out);
    for (int factored = 0; factored < 2; factored++) {
        const int *cell = r->rank[factored];
        fprintf(out,
                "<div><h3>%s the factorization</h3><svg class=\"square\" viewBox=\"0 0 %.1f %.1f\" role=\"img\" "
                "aria-label=\"%s of %d by %d %s %s the factorization\"><g transform=\"scale(%.4f)\" "
                "shape-rendering=\"crispEdges\">",
                factored ? "After" : "Before", side * r->cols, side * r->rows, ranks ? "Ranks" : "Precisions", r->rows, r->cols,
                r->block > 1 ? "blocks of tiles" : "tiles", factored ? "after" : "before", side);
        for (int rank = next_value(cell, cells, RANK_NOT_STORED); rank < INT_MAX; rank = next_value(cell, cells, rank))
            draw_value(out, r, cell, ranks, rank);
        fputs("</g></svg></div>\n", out);
    }
    fputs("</div>\n", out);
}

static void write_legend(FILE *out, int largest)
{
    fprintf(out, "<ul class=\"legend\"><li>rank 0 <svg width=\"%d\" height=\"%d\" aria-hidden=\"true\">",
            KEY_WIDTH * (SHADES + 1), KEY_HEIGHT);
    for (int shade = 0; shade <= SHADES; shade++)
        fprintf(out, "<path class=\"%s\" d=\"M%d 0h%dv%dh-%dz\"/>", shade_of(shade, SHADES), KEY_WIDTH * shade, KEY_WIDTH,
                KEY_HEIGHT, KEY_WIDTH);
    fprintf(out,
            "</svg> <span class=\"largest\">%d</span></li><li><span class=\"key\" style=\"background:" DENSE_FILL
            "\"></span>dense</li></ul>\n",
            largest);
}

bool fig_ranks(FILE *out, const struct page_data *d)
{
    const struct page_tile_ranks *r = &d->tile_ranks;
    if (r->block == 0)
        return true;
    figure_begin(out, "ranks", "Ranks of compressed tiles");
    draw_maps(out, r, true);
    write_legend(out, r->largest);
    fprintf(out,
            "<figcaption>The largest rank, of tiles and not of processes, is %d: a tile of rank r is kept as two factors of r "
            "columns each, a dense one whole.",
            r->largest);
    if (r->block > 1)
        fprintf(out, " Each cell is a block of %d × %d tiles in the shade of their mean rank, dense where most of them are.",
                r->block, r->block);
    fputs("</figcaption></figure>\n", out);
    return true;
}

bool fig_precisions(FILE *out, const struct page_data *d)
{
    const struct page_tile_ranks *r = &d->tile_precisions;
    if (r->block == 0)
        return true;
    figure_begin(out, "precisions", "Precisions of tiles");
    draw_maps(out, r, false);
    fputs("<figcaption>Light: in double precision; dark: in single, or in bfloat16.", out);
    if (r->block > 1)
        fprintf(out, " Each cell is a block of %d × %d tiles, the darker the more of them are in single.", r->block, r->block);
    fputs("</figcaption></figure>\n", out);
    return true;
}
