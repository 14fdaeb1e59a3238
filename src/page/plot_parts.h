/* The parts of --plot's picture, for plot_write.c. Lengths are in pixels of the picture. */
#ifndef OMPFACT_SRC_PAGE_PLOT_PARTS_H
#define OMPFACT_SRC_PAGE_PLOT_PARTS_H

#include <stdbool.h>

#include "src/page/plot.h"
#include "src/page/rank_colour.h"

#define PLOT_INK   "#1b1f24"
#define PLOT_FAINT "#656d76"

/* ---- plot_svg.c ------------------------------------------------------------------------------------------------------------ */

void svg_begin(FILE *out, double width, double height);
void svg_end(FILE *out);
/* A text with attributes, its baseline from (x,y). What XML does not allow is escaped or replaced. */
void svg_text(FILE *out, double x, double y, const char *attributes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* The width of a line of digits and a few points in the font, about. */
double svg_digits_width(int digits, double font);

/* ---- plot_chart.c: what each rank has to do, and the key to the colours ---------------------------------------------------- */

/* The words that show wherever a pointer rests on a rank. */
void plot_rank_title(FILE *out, int rank, const ompfact_share *share);

struct plot_chart {
    const ompfact_share *share;
    int ranks;
    int shown;          /* of so many ranks not all may be */
    int rows, per_row;
    double pitch, bar;  /* of a rank, of a bar at its highest */
    double height;      /* of everything */
};
struct plot_chart plot_chart(const ompfact_share *share, int ranks, double width);
void plot_chart_draw(FILE *out, const struct plot_chart *chart, double x, double y);

/* ---- plot_board.c: the pattern, or the tiles of the matrix, as coloured cells ---------------------------------------------- */

struct plot_board {
    const struct plot *plot;
    const ompfact_pattern *pattern;
    bool of_matrix;                     /* else of the pattern itself */
    bool mirrored;                      /* at the main diagonal */
    int rows, cols;                     /* on the board: the leading ones, where there are many more than pixels */
    double side;                        /* of a cell */
    int devices;                        /* of a rank; 0 on the pattern's board */
    double host_share;                  /* of the columns of a tile */
    int *device;                        /* rows x cols as owner: the rank's device, 0 without a tile; NULL without devices */
    int *owner;                         /* rows x cols: the rank, LAYOUT_FREE, or less where nothing is stored */
    int *first, *cell;                  /* the cells of rank q, row by row, are cell[first[q]] .. cell[first[q + 1] - 1] */
};
/* A board no larger than width x height. Returns 0, or 1 where there is no memory; destroyed in either case. */
int plot_board_create(struct plot_board *board, const struct plot *plot, bool of_matrix, double width, double height);
void plot_board_destroy(struct plot_board *board);
/* Do lines show where the pattern begins anew? */
bool plot_board_repeats(const struct plot_board *board);
void plot_board_draw(FILE *out, const struct plot_board *board, double x, double y);
/* A cell of this kind and size by itself, for a legend: a free one, or rank 0's. */
void plot_board_sample(FILE *out, bool free, double x, double y, double side);

#endif
