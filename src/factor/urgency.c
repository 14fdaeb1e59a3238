#include "src/factor/factor.h"

/*
 * The longest way from a task to the end, for Cholesky and LU alike: an update of column (or row) `due` with step k has due - k
 * updates of its tile before it, then due .. end panels, each with an update of the next column, which take about twice as long
 * as an update. That is a constant less due + k. The panel itself goes first.
 */
int64_t longest_way(int due, int step, bool panel)
{
    return 2 * ((int64_t)due + step) - panel;
}
