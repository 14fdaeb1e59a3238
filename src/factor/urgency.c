#include "src/factor/factor.h"

/*
 * Tasks: the longest path to the end, for Cholesky and LU. An update of column (or row) `due` with step k is followed by due -
 * k updates of its tile, then by due .. end panels, each with an update of the next column, which take about twice as long as
 * an update. That is a constant minus due + k. The panel comes first. Among equal paths the one whose column is due first
 * comes first, because other ranks wait for its panel.
 *
 * Reads are different if the wire is the limit: tiles for the next panels, whose owners send while other links are idle, come
 * before tiles that only finish older steps. Among the reads for one column those of the newest step come first.
 */
int64_t longest_path(int due, int step, enum urgent what)
{
    if (what == URGENT_READ)
        return 2 * (int64_t)due - step;
    const int64_t COLUMNS = 1 << 24;        /* more columns than a matrix has: their tasks alone would not fit in memory */
    return (2 * ((int64_t)due + step) - (what == URGENT_PANEL)) * COLUMNS + due;
}
