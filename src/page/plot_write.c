/*
 * The page of --plot:
 *
 *      potrf, sizes, ranks
 *      layout
 *
 *      pattern          matrix
 *      its legend
 *      numbers
 *
 *      pattern          matrix             of each other layer, where the matrix is in copies
 *
 *      work of each rank
 */
#include "src/page/plot_parts.h"
#include "src/page/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const double MARGIN = 40, LEFT = 520, BETWEEN = 60, RIGHT = 620;
static const double TOP = 112, LINE = 22, GAP = 40;
#define WIDTH (MARGIN + LEFT + BETWEEN + RIGHT + MARGIN)

#define TITLE   "font-size=\"22\" font-weight=\"bold\""
#define HEADING "font-size=\"15\" font-weight=\"bold\""
#define BODY    "font-size=\"14\""
#define NOTE    "font-size=\"13\" fill=\"" PLOT_FAINT "\""

struct page {
    const struct plot *plot;
    FILE *out;
    struct plot_board *pattern, *matrix;        /* of each layer */
    struct plot_chart chart;
    bool any_free;
};

/* ---- what there is to show ------------------------------------------------------------------------------------------------- */

static int page_create(struct page *page, const struct plot *plot, FILE *out)
{
    size_t layers = (size_t)plot->layers;
    *page = (struct page){ .plot = plot, .out = out, .pattern = calloc(layers, sizeof *page->pattern),
                           .matrix = calloc(layers, sizeof *page->matrix) };
    page->chart = plot_chart(plot->share, plot->pattern->ranks, WIDTH - 2 * MARGIN);
    int failed = page->pattern == NULL || page->matrix == NULL;
    for (int l = 0; !failed && l < plot->layers; l++) {
        const ompfact_pattern *p = &plot->pattern[l];
        for (int64_t c = 0; c < (int64_t)p->rows * p->cols; c++)
            page->any_free |= p->cell[c] < 0;
        failed = plot_board_create(&page->pattern[l], plot, l, false, LEFT, LEFT) != 0 ||
                 (plot->mt > 0 && plot_board_create(&page->matrix[l], plot, l, true, RIGHT, RIGHT) != 0);
    }
    return failed;
}

static void page_destroy(struct page *page)
{
    for (int l = 0; page->pattern != NULL && page->matrix != NULL && l < page->plot->layers; l++) {
        plot_board_destroy(&page->pattern[l]);
        plot_board_destroy(&page->matrix[l]);
    }
    free(page->pattern);
    free(page->matrix);
}

/* ---- parts ----------------------------------------------------------------------------------------------------------------- */

static void draw_title(const struct page *page)
{
    const struct plot *p = page->plot;
    char size[64];
    if (p->m == p->n)
        snprintf(size, sizeof size, "n = %" PRId64, p->n);
    else
        snprintf(size, sizeof size, "%" PRId64 " × %" PRId64, p->m, p->n);
    svg_text(page->out, MARGIN, 48, TITLE, "%s · %s, nb = %" PRId64 " (%d × %d tiles) · %d ranks", p->routine, size, p->nb,
             p->mt, p->nt, p->pattern->ranks);
    if (p->layers > 1)
        svg_text(page->out, MARGIN, 70, BODY, "layout %s · %d copies, each on a layer of ranks", p->pattern->name, p->layers);
    else
        svg_text(page->out, MARGIN, 70, BODY, "layout %s", p->pattern->name);
}

/* Writes "Matrix, 60 × 60", and the part of it on the board, and the board below that. */
static void draw_board(const struct page *page, double x, double y, const char *what, int rows, int cols,
                       const struct plot_board *b)
{
    char layer[32] = "", part[64] = "";
    if (page->plot->layers > 1)
        snprintf(layer, sizeof layer, " of layer %d", b->layer);
    if (b->rows < rows || b->cols < cols)
        snprintf(part, sizeof part, "; the leading %d × %d are shown", b->rows, b->cols);
    svg_text(page->out, x, y, HEADING, "%s%s, %d × %d%s", what, layer, rows, cols, part);
    plot_board_draw(page->out, b, x, y + LINE);
}

/* Below a board whose heading is at y. */
static double below(double y, const struct plot_board *b)
{
    return y + LINE + b->rows * b->side;
}

/* Writes a sample of a cell, and its meaning. */
static void draw_note(const struct page *page, bool free, double y, const char *note)
{
    plot_board_sample(page->out, free, MARGIN, y - 13, 16);
    svg_text(page->out, MARGIN + 26, y, NOTE, "%s", note);
}

static void draw_number(const struct page *page, double y, const char *name, const char *value, const char *note)
{
    svg_text(page->out, MARGIN, y, BODY, "%s", name);
    svg_text(page->out, MARGIN + 220, y, BODY " font-weight=\"bold\" text-anchor=\"end\"", "%s", value);
    svg_text(page->out, MARGIN + 236, y, NOTE, "%s", note);
}

static void draw_numbers(const struct page *page, double y)
{
    const ompfact_layout_counts *s = page->plot->counts;
    char text[FORMAT_TEXT], most[FORMAT_TEXT], tiles[2 * FORMAT_TEXT + 8];
    snprintf(text, sizeof text, "%.3f", s->cost);
    draw_number(page, y, "Cost T", text, page->plot->cholesky ? "mean distinct ranks in a row and its column"
                                                   : "mean distinct ranks in a row, plus in a column");
    draw_number(page, y + LINE, "Transfers", format_count(s->transfers, text),
                page->plot->as_lu ? "tiles to ranks that do not own them, if it were LU" : "tiles to ranks that do not own them");
    snprintf(text, sizeof text, "%.3f", s->flops_max_over_mean);
    draw_number(page, y + 2 * LINE, "Flops", text,
                page->plot->as_lu ? "of the most loaded rank, over the mean, if it were LU"
                                  : "of the most loaded rank, over the mean");
    snprintf(tiles, sizeof tiles, "%s … %s", format_count(s->tiles_min, text), format_count(s->tiles_max, most));
    draw_number(page, y + 3 * LINE, "Tiles", tiles, "of the emptiest and of the fullest rank");
}

static void draw_devices_note(const struct page *page, double x, double y)
{
    const struct plot *p = page->plot;
    const char *columns = p->mirrored ? "rows" : "columns";
    char devices[48] = "the device of its rank";
    if (p->devices == 0)
        return;
    if (p->devices > 1)
        snprintf(devices, sizeof devices, "one of the %d devices of its rank", p->devices);
    if (isnan(p->host_share))
        svg_text(page->out, x, y, NOTE, "shaded: on %s; a run measures how many %s stay on the host", devices, columns);
    else
        svg_text(page->out, x, y, NOTE, "shaded: on %s; %.1f %% of the %s of a tile on the host", devices, 100 * p->host_share,
                 columns);
}

static void draw_matrix(const struct page *page, double top, const struct plot_board *matrix)
{
    double x = MARGIN + LEFT + BETWEEN;
    if (page->plot->mt == 0) {
        svg_text(page->out, x, top, HEADING, "Matrix without a tile");
        return;
    }
    draw_board(page, x, top, "Matrix", page->plot->mt, page->plot->nt, matrix);
    double y = below(top, matrix) + LINE;
    draw_devices_note(page, x, y);
    y += page->plot->devices > 0 ? LINE : 0;
    if (page->plot->precisions != NULL)
        svg_text(page->out, x, y, NOTE, "paler: in a narrower precision, as samples of the matrix predict");
    y += page->plot->precisions != NULL ? LINE : 0;
    if (plot_board_repeats(matrix))
        svg_text(page->out, x, y, NOTE, "lines: the pattern begins anew");
}

static void draw_chart(const struct page *page, double y)
{
    char part[64] = "";
    if (page->chart.shown < page->chart.ranks)
        snprintf(part, sizeof part, "; the first %d ranks", page->chart.shown);
    svg_text(page->out, MARGIN, y, HEADING, "Work of each rank, over the mean%s", part);
    plot_chart_draw(page->out, &page->chart, MARGIN, y + 16);
}

/* A layer, with its headings at `top`. The first one's pattern has the legend and the numbers below it. */
static void draw_layer(const struct page *page, int l, double top)
{
    const ompfact_pattern *p = &page->plot->pattern[l];
    double legend = below(top, &page->pattern[l]) + 30;
    draw_board(page, MARGIN, top, "Pattern", p->rows, p->cols, &page->pattern[l]);
    if (l == 0) {
        draw_note(page, false, legend, "rank 0; at the edges, the rows and columns that it is in");
        if (page->any_free)
            draw_note(page, true, legend + LINE, "free: each tile goes to the least loaded rank of its row and column");
        draw_numbers(page, legend + (page->any_free ? 2 : 1) * LINE + 12);
    }
    draw_matrix(page, top, &page->matrix[l]);
}

/* Where the headings behind a layer are. */
static double behind_layer(const struct page *page, int l, double top)
{
    double left = below(top, &page->pattern[l]) + (l > 0 ? 0 : 30 + (page->any_free ? 2 : 1) * LINE + 12 + 4 * LINE);
    double right = below(top, &page->matrix[l]) + 18 + (page->plot->devices > 0 ? LINE : 0) +
                   (page->plot->precisions != NULL ? LINE : 0);
    return fmax(left, right) + GAP;
}

/* ---- the page -------------------------------------------------------------------------------------------------------------- */

int plot_write(const struct plot *plot, FILE *out)
{
    struct page page;
    int failed = page_create(&page, plot, out);
    if (!failed) {
        double chart = TOP, top = TOP;
        for (int l = 0; l < plot->layers; l++)
            chart = behind_layer(&page, l, chart);
        double height = chart + 16 + page.chart.height + MARGIN;
        fprintf(out,        /* a pointer on a rank darkens all its cells */
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
                "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" stroke=\"none\" fill=\"" PLOT_INK "\">\n"
                "<style>.cells path:hover{fill:" PLOT_INK "} .bar:hover rect{fill:" PLOT_INK "}</style>\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                WIDTH, height, WIDTH, height);
        draw_title(&page);
        for (int l = 0; l < plot->layers; l++) {
            draw_layer(&page, l, top);
            top = behind_layer(&page, l, top);
        }
        draw_chart(&page, chart);
        fprintf(out, "</svg>\n");
    }
    page_destroy(&page);
    return failed;
}
