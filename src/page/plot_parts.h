/* The parts of --plot's picture, for plot_write.c. Lengths are in pixels of the picture. */
#ifndef OMPFACT_SRC_PAGE_PLOT_PARTS_H
#define OMPFACT_SRC_PAGE_PLOT_PARTS_H

#include <stdbool.h>

#include "src/page/plot.h"
#include "src/page/rank_colour.h"

#define PLOT_INK   "#1b1f24"
#define PLOT_FAINT "#656d76"

/* ---- plot_svg.c ------------------------------------------------------------------------------------------------------------ */

/* Writes a text with attributes, its baseline from (x,y). It escapes or replaces what XML does not allow. */
void svg_text(FILE *out, double x, double y, const char *attributes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The approximate width of a line of digits and a few points in the font. */
double svg_digits_width(int digits, double font);

/* ---- plot_chart.c: what each rank has to do, and the key to the colours ---------------------------------------------------- */

/* The text that appears when a pointer is on a rank. */
void plot_rank_title(FILE *out, int rank, const ompfact_share *share);

struct plot_chart {
    const ompfact_share *share;
    int ranks;
    int shown;          /* number of ranks shown, which may be less than all */
    int rows, per_row;
    double pitch, bar;  /* widths of a rank and of a bar at its highest */
    double height;      /* of everything */
};
struct plot_chart plot_chart(const ompfact_share *share, int ranks, double width);
void plot_chart_draw(FILE *out, const struct plot_chart *chart, double x, double y);

/* ---- plot_board.c: the pattern, or the tiles of the matrix, as coloured cells ---------------------------------------------- */

struct plot_board {
    const struct plot *plot;
    const ompfact_pattern *pattern;
    int layer;
    bool of_matrix;                     /* otherwise of the pattern itself */
    bool mirrored;                      /* at the main diagonal */
    int rows, cols;                     /* on the board: the leading ones, if there are many more than pixels */
    double side;                        /* of a cell */
    int devices;                        /* of a rank; 0 on the board of the pattern */
    double host_share;                  /* of the columns of a tile */
    int *device;                        /* rows x cols like owner: the rank's device, 0 without a tile; NULL without devices */
    int *owner;                         /* rows x cols: the rank, LAYOUT_FREE, or less for a cell without a tile */
    int *first, *cell;                  /* the cells of rank q, row by row, are cell[first[q]] .. cell[first[q + 1] - 1] */
};
/* Makes a board no larger than width x height. Returns 0, or 1 if there is no memory; the caller destroys it in either case. */
int plot_board_create(struct plot_board *board, const struct plot *plot, int layer, bool of_matrix, double width, double height);
void plot_board_destroy(struct plot_board *board);
/* Whether lines show the repetitions of the pattern. */
bool plot_board_repeats(const struct plot_board *board);
void plot_board_draw(FILE *out, const struct plot_board *board, double x, double y);
/* Draws a single cell of this kind and size for a legend: a free one, or one of rank 0. */
void plot_board_sample(FILE *out, bool free, double x, double y, double side);

#endif
