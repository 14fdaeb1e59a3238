#include "layouts/rank_speeds.h"
#include "layouts/layout.h"
#include "layouts/refusal.h"

#include <math.h>
#include <stdlib.h>

double *speeds_of_ranks(const double *speeds, int ranks)
{
    double *speed = malloc((size_t)ranks * sizeof *speed), slowest = HUGE_VAL;
    for (int rank = 0; speed != NULL && speeds != NULL && rank < ranks; rank++)
        slowest = speeds[rank] < slowest ? speeds[rank] : slowest;
    for (int rank = 0; speed != NULL && rank < ranks; rank++)
        speed[rank] = speeds != NULL ? speeds[rank] / slowest : 1;
    return speed;
}

int layout_check_speeds(const double *speeds, int ranks, char text[LAYOUT_TEXT])
{
    int slowest = 0, fastest = 0;
    for (int rank = 0; speeds != NULL && rank < ranks; rank++) {
        if (!isfinite(speeds[rank]) || !(speeds[rank] > 0))
            return layout_refuse(text, "the speed of rank %d is %g: a speed is a positive number", rank, speeds[rank]);
        if (speeds[rank] < speeds[slowest])
            slowest = rank;
        if (speeds[rank] > speeds[fastest])
            fastest = rank;
    }
    if (speeds == NULL || ranks < 1 || speeds[fastest] / LAYOUT_SPEED_RATIO <= speeds[slowest])
        return 0;
    return layout_refuse(text,
                         "the speed of rank %d is %g and that of rank %d is %g: no rank may be more than %g times as fast "
                         "as another", slowest, speeds[slowest], fastest, speeds[fastest], LAYOUT_SPEED_RATIO);
}
