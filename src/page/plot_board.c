/*
 * Boards of cells, coloured by rank.
 *
 * All cells of a rank are one path in units of a cell, "h2v1h-2z" a run of two cells. So a tile costs a dozen bytes, and a
 * pointer that rests on one finds them all.
 */
#include "src/page/plot_parts.h"

#include <math.h>
#include <stdlib.h>

/* The smallest cells, in pixels, that can hold the number of their rank, outlines, or lines between them. */
static const double SIDE_NUMBERED = 15, SIDE_OUTLINED = 5, SIDE_RULED = 4;
static const double SIDE_LARGEST = 72, FONT_SMALLEST = 8;
/* Smaller repetitions of the pattern have no lines between them, or faint ones. */
static const double REPETITION_SMALLEST = 24, REPETITION_SMALL = 60;
enum { BOARD_MAX = 600 };           /* rows and columns */
enum { FRAMED_MIN = 5 };            /* ranks: with fewer, frames round all tiles of one would make a net */
enum { FREE = -1, NOT_STORED = -2 };

#define GREY      "#e4e7ea"
#define DARK_GREY "#8f98a3"

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Whether the pattern leaves this cell free; in the matrix it still has an owner. */
static bool is_free(const struct plot_board *b, int i, int j)
{
    const ompfact_pattern *p = b->pattern;
    return b->owner[i * b->cols + j] != NOT_STORED && p->cell[(int64_t)(i % p->rows) * p->cols + j % p->cols] == FREE;
}

/* ---- create and destroy ---------------------------------------------------------------------------------------------------- */

static int tile_owner(const struct plot_board *b, int i, int j)
{
    int owner = b->plot->owner(b->plot->context, b->layer, i, j);
    return owner >= 0 ? owner : NOT_STORED;
}

static void fill_owners(struct plot_board *b)
{
    for (int i = 0; i < b->rows; i++)
        for (int j = 0; j < b->cols; j++) {
            int *owner = &b->owner[i * b->cols + j];
            *owner = b->of_matrix ? tile_owner(b, i, j) : b->pattern->cell[(int64_t)i * b->pattern->cols + j];
        }
}

/* Lists the cells of each rank. first[q + 1] is the start of q's cells, until it has moved past the last of them. */
static void sort_cells(struct plot_board *b)
{
    int ranks = b->pattern->ranks, cells = b->rows * b->cols;
    for (int c = 0; c < cells; c++)
        if (b->owner[c] >= 0)
            b->first[b->owner[c] + 2]++;
    for (int q = 0; q < ranks; q++)
        b->first[q + 2] += b->first[q + 1];
    for (int c = 0; c < cells; c++)
        if (b->owner[c] >= 0)
            b->cell[b->first[b->owner[c] + 1]++] = c;
}

static int *device_of(const struct plot_board *b, int row, int col)
{
    return &b->device[b->mirrored ? col * b->cols + row : row * b->cols + col];
}

/* By row and column of the layout. A rank's devices take turns at the tile columns of its tiles (src/matrix/placement.c). */
static int find_devices(struct plot_board *b)
{
    int rows = b->mirrored ? b->cols : b->rows, cols = b->mirrored ? b->rows : b->cols, ranks = b->pattern->ranks;
    /* For each rank: the number of its tile columns; 1 + the last one. */
    int *columns = calloc((size_t)ranks, sizeof *columns), *last = calloc((size_t)ranks, sizeof *last);
    b->device = calloc((size_t)rows * (size_t)cols, sizeof *b->device);
    for (int j = 0; columns != NULL && last != NULL && b->device != NULL && j < cols; j++)
        for (int i = 0; i < b->plot->mt; i++) {
            int owner = tile_owner(b, b->mirrored ? j : i, b->mirrored ? i : j);
            if (owner < 0)
                continue;
            columns[owner] += last[owner] != j + 1;
            last[owner] = j + 1;
            if (i < rows)
                *device_of(b, i, j) = (columns[owner] - 1) % b->devices + 1;
        }
    int failed = columns == NULL || last == NULL || b->device == NULL;
    free(last);
    free(columns);
    return failed;
}

int plot_board_create(struct plot_board *board, const struct plot *plot, int layer, bool of_matrix, double width, double height)
{
    const ompfact_pattern *pattern = &plot->pattern[layer];
    int rows = of_matrix ? plot->mt : pattern->rows, cols = of_matrix ? plot->nt : pattern->cols;
    *board = (struct plot_board){ .plot = plot, .pattern = pattern, .layer = layer, .of_matrix = of_matrix,
                                  .mirrored = of_matrix && plot->mirrored };
    board->rows = least(rows, BOARD_MAX);
    board->cols = least(cols, BOARD_MAX);
    double side = fmin(SIDE_LARGEST, fmin(width / board->cols, height / board->rows));
    board->side = side >= SIDE_RULED ? floor(side) : floor(8 * side) / 8;       /* whole pixels, or eighths of small cells */
    size_t cells = (size_t)board->rows * (size_t)board->cols;
    board->owner = calloc(cells, sizeof *board->owner);
    board->cell = calloc(cells, sizeof *board->cell);
    board->first = calloc((size_t)plot->pattern->ranks + 2, sizeof *board->first);
    if (board->owner == NULL || board->cell == NULL || board->first == NULL)
        return 1;
    fill_owners(board);
    sort_cells(board);
    if (!of_matrix || plot->devices == 0)
        return 0;
    board->devices = plot->devices;
    board->host_share = plot->host_share;
    return find_devices(board);
}

void plot_board_destroy(struct plot_board *board)
{
    free(board->owner);
    free(board->cell);
    free(board->first);
    free(board->device);
    *board = (struct plot_board){ 0 };
}

/* ---- cells ----------------------------------------------------------------------------------------------------------------- */

/* Writes the rank's cells in runs, each relative to the start of the last. */
static void draw_runs(FILE *out, const struct plot_board *b, int rank)
{
    int row = 0, col = 0;
    for (int c = b->first[rank]; c < b->first[rank + 1];) {
        int i = b->cell[c] / b->cols, j = b->cell[c] % b->cols, run = 1;
        while (c + run < b->first[rank + 1] && b->cell[c + run] == b->cell[c] + run && j + run < b->cols)
            run++;
        fprintf(out, "m%d %dh%dv1h-%dz", j - col, i - row, run, run);
        row = i;
        col = j;
        c += run;
    }
}

static void draw_cells(FILE *out, const struct plot_board *b)
{
    fprintf(out, "<g class=\"cells\" transform=\"scale(%g)\" shape-rendering=\"crispEdges\">\n", b->side);
    for (int rank = 0; rank < b->pattern->ranks; rank++) {
        if (b->first[rank] == b->first[rank + 1])
            continue;
        fprintf(out, "<path fill=\"%s\" d=\"", rank_colour(rank).hex);
        draw_runs(out, b, rank);
        fprintf(out, "\">");
        plot_rank_title(out, rank, &b->plot->share[rank]);
        fprintf(out, "</path>\n");
    }
    fprintf(out, "</g>\n");
}

/* ---- what lies over the cells, in units of a cell -------------------------------------------------------------------------- */

/* Writes slanting strokes some pixels apart, the middle one from corner to corner. */
static void hatch(FILE *out, int x, int y, double side)
{
    long half = lround(fmax(1, side / 8));
    for (long k = 1; k < 2 * half; k++) {
        double t = (double)k / (double)half, from = fmin(t, 1), to = fmax(t - 1, 0);
        fprintf(out, "M%g %gL%g %g", x + to, y + from, x + from, y + to);
    }
}

/* Free cells are grey in the pattern; in the matrix they have the colour of an owner, and hatching as well. */
static void draw_free(FILE *out, const struct plot_board *b)
{
    if (!b->of_matrix) {
        fprintf(out, "<path class=\"free\" fill=\"" GREY "\" d=\"");
        for (int k = 0; k < least(b->rows, b->cols); k++)
            if (is_free(b, k, k))
                fprintf(out, "M%d %dh1v1h-1z", k, k);
        fprintf(out, "\"/>\n");
    }
    if (b->side < SIDE_RULED)
        return;
    fprintf(out, "<path class=\"hatch\" stroke=\"%s\" stroke-width=\"%g\" d=\"", b->of_matrix ? "#fff" : DARK_GREY,
            1 / b->side);
    for (int i = 0; i < b->rows; i++)
        for (int j = 0; j < b->cols; j++)
            if (is_free(b, i, j))
                hatch(out, j, i, b->side);
    fprintf(out, "\"/>\n");
}

/* Tiles in narrower precisions are paler than others. */
static void draw_narrow(FILE *out, const struct plot_board *b)
{
    enum { SINGLE = 1, NARROWEST = 2 };
    static const double PALE = 0.35;
    const int *precisions = b->of_matrix ? b->plot->precisions : NULL;
    for (int p = SINGLE; p <= NARROWEST && precisions != NULL; p++) {
        fprintf(out, "<path class=\"narrow\" fill=\"#fff\" fill-opacity=\"%g\" d=\"", PALE * p);
        for (int i = 0; i < b->rows; i++) {
            const int *row = precisions + (int64_t)i * b->plot->nt;
            for (int j = 0, run; j < b->cols; j += run) {
                run = 1;
                if (row[j] != p)
                    continue;
                while (j + run < b->cols && row[j + run] == p)
                    run++;
                fprintf(out, "M%d %dh%dv1h-%dz", j, i, run, run);
            }
        }
        fprintf(out, "\"/>\n");
    }
}

/* Draws the columns of tiles on devices, each device in its shade. */
static void draw_devices(FILE *out, const struct plot_board *b)
{
    static const double LIGHT = 0.15, DARK = 0.4;
    double host = isnan(b->host_share) ? 0 : b->host_share;
    int rows = b->mirrored ? b->cols : b->rows, cols = b->mirrored ? b->rows : b->cols;
    for (int d = 1; d <= b->devices && host < 1; d++) {
        double shade = b->devices == 1 ? LIGHT : LIGHT + (DARK - LIGHT) * (d - 1) / (b->devices - 1);
        fprintf(out, "<path class=\"device\"%s fill=\"" PLOT_INK "\" fill-opacity=\"%.3g\" d=\"",
                b->mirrored ? " transform=\"matrix(0 1 1 0 0 0)\"" : "", shade);
        for (int j = 0; j < cols; j++)
            for (int i = 0, run; i < rows; i += run) {
                run = 1;
                if (*device_of(b, i, j) != d)
                    continue;
                while (i + run < rows && *device_of(b, i + run, j) == d)
                    run++;
                fprintf(out, "M%.6g %dH%dv%dH%.6gz", j + host, i, j + 1, run, j + host);
            }
        fprintf(out, "\"/>\n");
    }
}

/* Draws white lines between cells; cells without a tile are white, too. */
static void draw_rules(FILE *out, const struct plot_board *b)
{
    if (b->side < SIDE_RULED)
        return;
    fprintf(out, "<path stroke=\"#fff\" stroke-width=\"%g\" d=\"", fmin(1, b->side / 12) / b->side);
    for (int i = 1; i < b->rows; i++)
        fprintf(out, "M0 %dh%d", i, b->cols);
    for (int j = 1; j < b->cols; j++)
        fprintf(out, "M%d 0v%d", j, b->rows);
    fprintf(out, "\"/>\n");
}

bool plot_board_repeats(const struct plot_board *b)
{
    int rows = b->pattern->rows, cols = b->pattern->cols;
    return b->of_matrix && least(rows, cols) > 1 && least(rows, cols) * b->side >= REPETITION_SMALLEST &&
           (rows < b->rows || cols < b->cols);
}

/* Draws lines at the repetitions of the pattern. In a triangle the lines end at the diagonal. */
static void draw_repetitions(FILE *out, const struct plot_board *b)
{
    int rows = b->pattern->rows, cols = b->pattern->cols;
    if (!plot_board_repeats(b))
        return;
    bool triangle = tile_owner(b, b->mirrored, !b->mirrored) < 0, small = least(rows, cols) * b->side < REPETITION_SMALL;
    fprintf(out, "<path class=\"repetitions\"%s stroke=\"" PLOT_INK "\" stroke-width=\"%g\" stroke-opacity=\"%g\" d=\"",
            b->mirrored ? " transform=\"matrix(0 1 1 0 0 0)\"" : "", (small ? 1 : 1.5) / b->side, small ? 0.6 : 1);
    for (int i = rows; i < b->rows; i += rows)
        fprintf(out, "M0 %dh%d", i, triangle ? least(i, b->cols) : b->cols);
    for (int j = cols; j < b->cols; j += cols)
        fprintf(out, "M%d %dV%d", j, triangle ? least(j, b->rows) : 0, b->rows);
    fprintf(out, "\"/>\n");
}

/* Draws a frame round each cell of rank 0, one rank to follow. */
static void draw_outlines(FILE *out, const struct plot_board *b)
{
    if (b->side < SIDE_OUTLINED || (b->of_matrix && b->pattern->ranks < FRAMED_MIN))
        return;
    fprintf(out, "<path class=\"outline\" fill=\"none\" stroke=\"" PLOT_INK "\" stroke-width=\"%g\" d=\"",
            fmin(2, b->side / 5) / b->side);
    for (int c = b->first[0]; c < b->first[1]; c++)
        fprintf(out, "M%d %dh1v1h-1z", b->cell[c] % b->cols, b->cell[c] / b->cols);
    fprintf(out, "\"/>\n");
}

/* Draws strokes beside the rows and above the columns of the pattern with rank 0, in which it takes part. */
static void draw_edges(FILE *out, const struct plot_board *b)
{
    fprintf(out, "<path class=\"edges\" stroke=\"" PLOT_INK "\" stroke-width=\"%g\" d=\"", 3 / b->side);
    for (int i = 0, c = b->first[0]; i < b->rows; i++) {
        if (c < b->first[1] && b->cell[c] / b->cols == i)
            fprintf(out, "M%g %dv1", -6 / b->side, i);
        while (c < b->first[1] && b->cell[c] / b->cols == i)
            c++;
    }
    for (int j = 0; j < b->cols; j++)
        for (int c = b->first[0]; c < b->first[1]; c++)
            if (b->cell[c] % b->cols == j) {
                fprintf(out, "M%d %gh1", j, -6 / b->side);
                break;
            }
    fprintf(out, "\"/>\n");
}

/* ---- numbers --------------------------------------------------------------------------------------------------------------- */

static void draw_numbers(FILE *out, const struct plot_board *b)
{
    int digits = snprintf(NULL, 0, "%d", b->pattern->ranks - 1);
    double font = fmin(15, fmin(0.6 * b->side, 0.9 * b->side / svg_digits_width(digits, 1)));
    if (b->side < SIDE_NUMBERED || font < FONT_SMALLEST)
        return;
    fprintf(out, "<g class=\"numbers\" font-size=\"%.3g\" text-anchor=\"middle\" pointer-events=\"none\">\n", font);
    for (int rank = 0; rank < b->pattern->ranks; rank++)
        for (int c = b->first[rank]; c < b->first[rank + 1]; c++) {
            double x = (b->cell[c] % b->cols + 0.5) * b->side, y = (b->cell[c] / b->cols + 0.5) * b->side + 0.36 * font;
            svg_text(out, x, y, rank_colour(rank).dark ? "fill=\"#fff\"" : "", "%d", rank);
        }
    fprintf(out, "</g>\n");
}

void plot_board_draw(FILE *out, const struct plot_board *b, double x, double y)
{
    fprintf(out, "<g class=\"%s\" transform=\"translate(%g %g)\">\n", b->of_matrix ? "matrix" : "pattern", x, y);
    draw_cells(out, b);
    fprintf(out, "<g transform=\"scale(%g)\" pointer-events=\"none\">\n", b->side);
    draw_narrow(out, b);
    draw_free(out, b);
    draw_devices(out, b);
    draw_rules(out, b);
    draw_repetitions(out, b);
    draw_outlines(out, b);
    if (!b->of_matrix)
        draw_edges(out, b);
    fprintf(out, "</g>\n");
    draw_numbers(out, b);
    fprintf(out, "</g>\n");
}

void plot_board_sample(FILE *out, bool free, double x, double y, double side)
{
    fprintf(out, "<g transform=\"translate(%g %g) scale(%g)\">", x, y, side);
    fprintf(out, "<path fill=\"%s\" d=\"M0 0h1v1h-1z\"/>", free ? GREY : rank_colour(0).hex);
    fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" d=\"", free ? DARK_GREY : PLOT_INK,
            (free ? 1 : 2) / side);
    if (free)
        hatch(out, 0, 0, side);
    else
        fprintf(out, "M0 0h1v1h-1z");
    fprintf(out, "\"/></g>\n");
}
