/* The owner of each tile, drawn over the matrix, and the work of each rank. */
#include "src/page/figures.h"
#include "src/page/rank_colour.h"
#include "src/page/format.h"

#include <math.h>

enum { SIDE = 430, NUMBERED = 15 };     /* side of the square; of a tile with a number */

void figure_begin(FILE *out, const char *name, const char *title)
{
    fprintf(out, "<figure id=\"fig-%s\" aria-labelledby=\"h-%s\"><h2 id=\"h-%s\">%s</h2>\n", name, name, name, title);
}

/* Writes runs in a row, each relative to the start of the last. */
void draw_cells(FILE *out, const int *cell, int rows, int cols, int value)
{
    int row = 0, col = 0;
    fputs("M0 0", out);
    for (int i = 0; i < rows; i++)
        for (int j = 0, run; j < cols; j += run) {
            int here = cell[(int64_t)i * cols + j];
            for (run = 1; j + run < cols && cell[(int64_t)i * cols + j + run] == here; run++)
                ;
            if (here != value)
                continue;
            fprintf(out, "m%d %dh%dv1h-%dz", j - col, i - row, run, run);
            row = i;
            col = j;
        }
}

/* Writes the tiles of a rank as one path. owner: that of the layer. */
static void draw_rank(FILE *out, const struct page_layout *l, const int *owner, int rank, const struct page_rank *sums)
{
    char text[FORMAT_TEXT];
    fprintf(out, "<path fill=\"%s\" d=\"", rank_colour(rank).hex);
    draw_cells(out, owner, l->rows, l->cols, rank);
    fprintf(out, "\"><title>rank %d: %s tiles, work %.3f of the mean</title></path>", rank, format_count(sums->tiles, text),
            sums->work);
}

static void draw_numbers(FILE *out, const struct page_layout *l, const int *owner_of, double side)
{
    for (int i = 0; i < l->rows && side >= NUMBERED; i++)
        for (int j = 0; j < l->cols; j++) {
            int owner = owner_of[i * l->cols + j];
            if (owner >= 0)
                fprintf(out, "<text class=\"at-middle tile%s\" x=\"%.1f\" y=\"%.1f\">%d</text>",
                        rank_colour(owner).dark ? " on-dark" : "", (j + 0.5) * side, (i + 0.5) * side + 4, owner);
        }
}

/* Of copies the layer has its number above. */
static void draw_tiles(FILE *out, const struct page_data *d, int layer)
{
    const struct page_layout *l = &d->layout;
    const int *owner = l->owner + layer * l->rows * l->cols;
    double side = fmin(SIDE / (double)l->rows, SIDE / (double)l->cols), above = l->layers > 1 ? 22 : 0;
    fprintf(out, "<svg class=\"square\" viewBox=\"0 %.0f %.1f %.1f\" role=\"img\" aria-label=\"The owners of %d by %d tiles",
            -above, side * l->cols, side * l->rows + above, l->rows, l->cols);
    if (l->layers > 1)
        fprintf(out, " on layer %d\"><text class=\"heading\" x=\"0\" y=\"-9\">Layer %d</text", layer, layer);
    else
        fputc('"', out);
    fprintf(out, "><g transform=\"scale(%.4f)\">", side);
    for (int rank = 0; rank < d->ranks; rank++)
        draw_rank(out, l, owner, rank, &d->rank[rank]);
    fputs("</g>", out);
    draw_numbers(out, l, owner, side);
    fputs("</svg>\n", out);
}

/* Draws a bar for each rank: its work over the mean, in its colour. */
static void draw_work(FILE *out, const struct page_data *d)
{
    const double PITCH = 18, WIDTH = 430, LEFT = 62, RIGHT = 60;
    double most = 1;
    for (int rank = 0; rank < d->ranks; rank++)
        most = fmax(most, d->rank[rank].work);
    double pitch = d->ranks <= 32 ? PITCH : fmax(4, 576.0 / d->ranks), scale = (WIDTH - LEFT - RIGHT) / most;
    fprintf(
        out,
        "<svg class=\"square bars\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Work of each rank over the mean\">",
        WIDTH, 22 + pitch * d->ranks + 4);
    fputs("<text class=\"heading\" x=\"0\" y=\"13\">Work, over the mean</text>", out);
    int step = pitch >= 11 ? 1 : pitch >= 6 ? 2 : 5;
    for (int rank = 0; rank < d->ranks; rank++) {
        double y = 22 + rank * pitch, work = d->rank[rank].work;
        fprintf(out,
                "<rect x=\"%.0f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>rank %d: %.3f</title></rect>",
                LEFT, y, fmax(0.5, scale * work), pitch > 8 ? pitch - 4 : pitch - 1, rank_colour(rank).hex, rank, work);
        if (rank % step == 0)
            fprintf(out, "<text class=\"at-end\" x=\"%.0f\" y=\"%.1f\">rank %d</text><text x=\"%.1f\" y=\"%.1f\">%.3f</text>",
                    LEFT - 8, y + fmin(11, pitch), rank, LEFT + scale * work + 6, y + fmin(11, pitch), work);
    }
    fprintf(out, "<path class=\"bound\" d=\"M%.1f 20v%.1f\"/></svg>\n", LEFT + scale, pitch * d->ranks);
}

bool fig_layout(FILE *out, const struct page_data *d)
{
    const struct page_layout *l = &d->layout;
    figure_begin(out, "layout", "The layout");
    fputs("<div class=\"boards\">", out);
    for (int layer = 0; layer < l->layers && page_owners(l) > 0; layer++)
        draw_tiles(out, d, layer);
    if (page_owners(l) == 0)
        fputs("<p class=\"none\">This trace does not have the owners of tiles.</p>", out);
    draw_work(out, d);
    fputs("</div><figcaption>", out);
    if (l->rows < l->mt || l->cols < l->nt)
        fprintf(out, "The leading %d × %d of %d × %d tiles. ", l->rows, l->cols, l->mt, l->nt);
    else if (l->rows > 0)
        fprintf(out, "%d × %d tiles, each in the colour of the rank that owns it. ", l->mt, l->nt);
    if (l->layers > 1)
        fputs("Each layer of ranks has all tiles. One layer does a step and keeps its factors. ", out);
    fputs("Work is what the tasks of a rank computed, in flops.</figcaption></figure>\n", out);
    return true;
}
