/* Transfers from rank to rank, and between nodes: a square of cells, in which rows are senders. */
#include "src/page/figures.h"
#include "src/page/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 430, NUMBERED = 34, LABELLED = 15 };      /* side of the square; cells that have a number; height of a label beside
                                                           them */
enum { EDGE = 44, SHADES = 9 };                         /* room for labels; classes of page.css */
enum { CELLS_OF = 72 };                                 /* ranks up to which each cell is an element */

/* Writes the cells of a square matrix of counts; `pair` writes a cell's identity. */
struct board {
    const int64_t *count;
    int n;
    const char *what;           /* "rank" */
    bool of_ranks;
};

/* Rows and columns with a number: all, or every few. */
static int label_step(double side)
{
    int step = 1;
    while (step * side < LABELLED)
        step = step == 1 ? 2 : step == 2 ? 5 : 2 * step;
    return step;
}

/* 0: no class; otherwise a class of page.css. */
static int shade_of(int64_t count, double most)
{
    return count == 0 ? 0 : 1 + (int)fmin(SHADES - 1, SHADES * (double)count / most);
}

static void draw_cell(FILE *out, const struct board *b, int from, int to, double side, double most)
{
    int64_t count = b->count[(int64_t)from * b->n + to];
    char text[FORMAT_TEXT];
    double x = EDGE + to * side, y = EDGE + from * side;
    int shade = shade_of(count, most);
    if (count == 0 && from != to)
        return;
    if (from == to && count == 0) {
        fprintf(out, "<rect class=\"own\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x, y, side - 1, side - 1);
        return;
    }
    fprintf(out, "<rect class=\"heat h%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", shade, x, y, side - 1,
            side - 1);
    if (b->of_ranks)
        fprintf(out, " data-from=\"%d\" data-to=\"%d\" data-transfers=\"%lld\"", from, to, (long long)count);
    fprintf(out, "><title>%s %d to %s %d: %s tiles</title></rect>", b->what, from, b->what, to,
            format_count((double)count, text));
    if (side >= NUMBERED)
        fprintf(out, "<text class=\"at-middle on-h%d\" x=\"%.1f\" y=\"%.1f\">%s</text>", shade, x + side / 2, y + side / 2 + 4,
                format_count((double)count, text));
}

/* For many ranks: all cells of a shade are one path, with their range beside it, so that the page stays small. */
static void draw_many(FILE *out, const struct board *b, double side, double most)
{
    for (int shade = 1; shade <= SHADES; shade++) {
        fprintf(out, "<path class=\"h%d\" d=\"", shade);
        for (int from = 0; from < b->n; from++)
            for (int to = 0; to < b->n; to++)
                if (shade_of(b->count[(int64_t)from * b->n + to], most) == shade)
                    fprintf(out, "M%.1f %.1fh%.2fv%.2fh-%.2fz", EDGE + to * side, EDGE + from * side, side, side, side);
        fputs("\"/>", out);
    }
    for (int64_t c = 0; c < (int64_t)b->n * b->n && b->of_ranks; c++)
        if (b->count[c] > 0)
            fprintf(out, "<g data-from=\"%d\" data-to=\"%d\" data-transfers=\"%lld\"/>", (int)(c / b->n), (int)(c % b->n),
                    (long long)b->count[c]);
}

static void draw_board(FILE *out, const struct board *b)
{
    double side = fmin(64, SIDE / (double)b->n), most = 1;
    int step = label_step(side), size = (int)ceil(EDGE + side * b->n);
    for (int64_t c = 0; c < (int64_t)b->n * b->n; c++)
        most = fmax(most, (double)b->count[c]);
    fprintf(out,
            "<svg class=\"square\" style=\"max-width:%dpx\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Tiles sent from "
            "each %s, a row, to each other, a column; at most %.0f\">",
            size, size, size, b->what, most);
    fprintf(
        out,
        "<text x=\"%d\" y=\"12\">to %s</text><text x=\"0\" y=\"%d\" class=\"upright\" transform=\"rotate(-90 12 %d)\">from "
        "%s</text>",
        EDGE, b->what, EDGE + 60, EDGE + 60, b->what);
    for (int q = 0; q < b->n; q += step)
        fprintf(out,
                "<text class=\"at-middle\" x=\"%.1f\" y=\"%d\">%d</text><text class=\"at-end\" x=\"%d\" y=\"%.1f\">%d</text>",
                EDGE + (q + 0.5) * side, EDGE - 6, q, EDGE - 6, EDGE + (q + 0.5) * side + 4, q);
    for (int from = 0; from < b->n && b->n <= CELLS_OF; from++)
        for (int to = 0; to < b->n; to++)
            draw_cell(out, b, from, to, side, most);
    if (b->n > CELLS_OF)
        draw_many(out, b, side, most);
    fputs("</svg>\n", out);
}

/* Several ranks of a node may receive the same tile: these are deliveries, not transfers on a link. */
static bool draw_nodes(FILE *out, const struct page_data *d, int nodes)
{
    int64_t *count = calloc((size_t)nodes * (size_t)nodes, sizeof *count);
    for (int from = 0; count != NULL && from < d->ranks; from++)
        for (int to = 0; to < d->ranks; to++) {
            int one = from < d->nodes_known ? d->node_of[from] : 0, other = to < d->nodes_known ? d->node_of[to] : 0;
            if (one != other && one < nodes && other < nodes)
                count[(int64_t)one * nodes + other] += d->sent[(int64_t)from * d->ranks + to];
        }
    if (count != NULL)
        draw_board(out, &(struct board){ .count = count, .n = nodes, .what = "node" });
    bool drawn = count != NULL;
    free(count);
    return drawn;
}

bool fig_heat(FILE *out, const struct page_data *d)
{
    int nodes = page_nodes(d);
    int64_t all = 0;
    bool drawn = true;
    char text[FORMAT_TEXT];
    figure_begin(out, "heat", "Transfers between ranks");
    for (int64_t c = 0; c < (int64_t)d->ranks * d->ranks; c++)
        all += d->sent[c];
    if (all == 0) {
        fputs("<p class=\"none\">No tile went from one rank to another.</p></figure>\n", out);
        return true;
    }
    fputs("<div class=\"boards\">", out);
    draw_board(out, &(struct board){ .count = d->sent, .n = d->ranks, .what = "rank", .of_ranks = true });
    if (nodes > 1 && nodes < d->ranks)
        drawn = draw_nodes(out, d, nodes);
    fputs("</div>", out);
    if (d->facts.rma_native == 0 && d->facts.between_nodes != NULL && !strcmp(d->facts.between_nodes, "one-sided"))
        fprintf(out, "<p class=\"note\">%s</p>\n", one_sided_conditions());
    fprintf(
        out,
        "<figcaption>%s deliveries of a tile to a rank that does not own it; darker is more.</figcaption></figure>\n",
        format_count((double)all, text));
    return drawn;
}
