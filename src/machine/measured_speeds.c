#include "src/machine/measured_speeds.h"

#include "layouts/refusal.h"
#include "layouts/words.h"
#include "src/grid/gemm_speed.h"
#include "src/grid/grid.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- speeds from a file ------------------------------------------------------------------------------------------------- */

static int read_lines(struct word_reader *r, const char *path, int ranks, double *speed)
{
    int count = 0, line = 0;
    while (next_word(r)) {
        double value;
        if (r->line == line)
            return layout_refuse(r->text, "%s, line %d: \"%s\" follows a speed, and a line has one", path, line, r->word);
        line = r->line;
        if (!is_decimal(r, &value) || !isfinite(value) || !(value > 0))
            return layout_refuse(r->text, "%s, line %d: \"%s\" is not a speed, which is a positive number", path, line, r->word);
        if (count == ranks)
            return layout_refuse(r->text, "%s, line %d: one speed too many, there %s %d rank%s", path, line,
                                 ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s");
        speed[count++] = value;
    }
    if (ferror(r->file))
        return layout_refuse(r->text, "%s: %s", path, strerror(errno));
    if (count < ranks)
        return layout_refuse(r->text, "%s ends after line %d: %d speed%s for %d ranks", path, line, count, count == 1 ? "" : "s",
                             ranks);
    return 0;
}

ompfact_status ompfact_read_speeds(const char *path, int ranks, double *speeds, char *message)
{
    enum { MOST = 120 };        /* characters of the path in a message; its end is the most useful part */
    size_t length = strlen(path);
    struct word_reader reader;
    char why[LAYOUT_TEXT];
    if (words_open(&reader, path, "speeds", why) != 0)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, why);
    int failed = read_lines(&reader, length > MOST ? path + length - MOST : path, ranks, speeds);
    words_close(&reader);
    return failed ? fail_with(message, OMPFACT_BAD_ARGUMENT, why) : OMPFACT_SUCCESS;
}

/* ---- measured speeds ---------------------------------------------------------------------------------------------------- */

static int upwards(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

void speeds_round(double *rate, int ranks, double spread)
{
    double *sorted = malloc((size_t)ranks * sizeof *sorted), unit = 0;
    if (sorted == NULL)
        return;
    memcpy(sorted, rate, (size_t)ranks * sizeof *sorted);
    qsort(sorted, (size_t)ranks, sizeof *sorted, upwards);
    for (int first = 0, end; first < ranks; first = end) {
        double low = sorted[first], high = low, sum = 0;
        for (end = first; end < ranks && sorted[end] <= low * (1 + spread); end++)
            sum += high = sorted[end];
        double mean = sum / (end - first);
        unit = unit > 0 ? unit : mean;
        for (int rank = 0; rank < ranks; rank++)
            if (rate[rank] > 0 && rate[rank] >= low && rate[rank] <= high)
                rate[rank] = -round(20 * mean / unit) / 20;     /* negative: done */
    }
    for (int rank = 0; rank < ranks; rank++)
        rate[rank] = fabs(rate[rank]);
    free(sorted);
}

/* GFLOP/s of this rank, and the difference between the halves of the time. 0: no memory. */
static double measure_here(ompfact_grid *grid, bool on_devices, double *spread)
{
    static const double WINDOW = 0.4;      /* seconds */
    struct devices *devices = on_devices ? grid->devices : NULL;
    struct gemm_speed s;
    bool measured = gemm_speed_measure(ompfact_threads(grid), devices, WINDOW, &s);
    *spread = s.spread;
    return measured ? gemm_speed_together(&s, devices == NULL ? 1 : ompfact_host_share(grid)) : 0;
}

ompfact_status ompfact_measure_speeds(ompfact_grid *grid, bool on_devices, double *speeds, double *spread)
{
    int ranks = ompfact_ranks(grid);
    double mine[2];         /* speed and spread: the largest of all ranks, and whether any rank has failed */
    memset(speeds, 0, (size_t)ranks * sizeof *speeds);
    TRY(ompfact_barrier(grid));
    double *rate = &speeds[ompfact_rank(grid)];
    *rate = measure_here(grid, on_devices, &mine[0]);
    mine[1] = !(*rate > 0);
    TRY_MPI(grid, rma_allreduce(grid->rma, speeds, ranks, MPI_DOUBLE, MPI_SUM));
    TRY_MPI(grid, rma_allreduce(grid->rma, mine, 2, MPI_DOUBLE, MPI_MAX));
    if (mine[1] > 0)
        return fail(grid, OMPFACT_NO_MEMORY, "a rank has no memory to measure its speed in, or its devices fail");
    *spread = fmin(fmax(mine[0], 0.1), 0.5);
    speeds_round(speeds, ranks, *spread);
    TRY_MPI(grid, rma_bcast(grid->rma, speeds, ranks, MPI_DOUBLE, 0));
    return OMPFACT_SUCCESS;
}
