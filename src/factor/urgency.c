#include "src/factor/factor.h"

/*
 * Tasks: the longest way to the end, for Cholesky and LU alike. An update of column (or row) `due` with step k has due - k
 * updates of its tile before it, then due .. end panels, each with an update of the next column, which take about twice as long
 * as an update. That is a constant less due + k. The panel itself goes first; and of ways as long the one whose column is due
 * first, for other ranks wait for its panel.
 *
 * Reads are another matter where the wire is the limit: then what makes the next panels, whose owners send while others' links
 * are idle, goes before what only finishes older steps. Of the reads for one column those of the newest step come first.
 */
int64_t longest_path(int due, int step, enum urgent what)
{
    if (what == URGENT_READ)
        return 2 * (int64_t)due - step;
    const int64_t COLUMNS = 1 << 24;        /* more than a matrix has: their tasks alone would not fit in memory */
    return (2 * ((int64_t)due + step) - (what == URGENT_PANEL)) * COLUMNS + due;
}
