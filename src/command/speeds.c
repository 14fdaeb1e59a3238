#include "src/command/speeds.h"

#include "layouts/words.h"
#include "src/grid/gemm_speed.h"
#include "src/grid/grid.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a file ---------------------------------------------------------------------------------------------------------------- */

static int read_lines(struct word_reader *r, int ranks, double *speed, char text[COMMAND_TEXT])
{
    int count = 0, line = 0;
    while (next_word(r)) {
        double value;
        if (r->line == line)
            return refuse(text, "--speeds %s, line %d: \"%s\" follows a speed, and a line has one", r->path, line, r->word);
        line = r->line;
        if (!is_decimal(r, &value) || !isfinite(value) || !(value > 0))
            return refuse(text, "--speeds %s, line %d: \"%s\" is not a speed, which is a positive number", r->path, line,
                          r->word);
        if (count == ranks)
            return refuse(text, "--speeds %s, line %d: one speed too many, there %s %d rank%s", r->path, line,
                          ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s");
        speed[count++] = value;
    }
    if (ferror(r->file))
        return refuse(text, "--speeds %s: %s", r->path, strerror(errno));
    if (count < ranks)
        return refuse(text, "--speeds %s ends after line %d: %d speed%s for %d ranks", r->path, line, count,
                      count == 1 ? "" : "s", ranks);
    return 0;
}

/* Makes room for so many; 0, or COMMAND_USAGE. */
static int speeds_create(int ranks, struct speeds *s, char text[COMMAND_TEXT])
{
    *s = (struct speeds){ .count = ranks, .speed = calloc((size_t)ranks, sizeof *s->speed) };
    if (s->speed != NULL)
        return 0;
    speeds_forget(s);
    return refuse(text, "no memory for the speeds of %d ranks", ranks);
}

int speeds_read(const char *path, int ranks, struct speeds *s, char text[COMMAND_TEXT])
{
    *s = (struct speeds){ 0 };
    struct word_reader reader;
    char why[LAYOUT_TEXT];
    if (words_open(&reader, path, "speeds", why) != 0)
        return refuse(text, "--speeds %s", why);
    int code = speeds_create(ranks, s, text);
    if (code == 0)
        code = read_lines(&reader, ranks, s->speed, text);
    words_close(&reader);
    if (code != 0)
        speeds_forget(s);
    return code;
}

int speeds_share(ompfact_grid *grid, struct speeds *s, char text[COMMAND_TEXT])
{
    int ranks = ompfact_ranks(grid), failed = s->count > 0 ? 0 : speeds_create(ranks, s, text), any = failed;
    rma_allreduce(grid->rma, &any, 1, MPI_INT, MPI_MAX);
    if (any != 0)
        return failed;
    rma_bcast(grid->rma, s->speed, ranks, MPI_DOUBLE, 0);
    return 0;
}

void speeds_forget(struct speeds *s)
{
    free(s->speed);
    *s = (struct speeds){ 0 };
}

/* ---- measured -------------------------------------------------------------------------------------------------------------- */

static const double WINDOW = 0.4;      /* seconds */

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
                rate[rank] = -round(20 * mean / unit) / 20;     /* marked as done */
    }
    for (int rank = 0; rank < ranks; rank++)
        rate[rank] = fabs(rate[rank]);
    free(sorted);
}

/* GFLOP/s of this rank, and how far the halves of the time are apart. 0: no memory. */
static double measure_here(ompfact_grid *grid, bool on_devices, double *spread)
{
    struct devices *devices = on_devices ? grid->devices : NULL;
    struct gemm_speed s;
    bool measured = gemm_speed_measure(ompfact_threads(grid), devices, WINDOW, &s);
    *spread = s.spread;
    return measured ? gemm_speed_together(&s, devices == NULL ? 1 : ompfact_host_share(grid)) : 0;
}

int speeds_measure(ompfact_grid *grid, bool on_devices, struct speeds *s, char text[COMMAND_TEXT])
{
    int ranks = ompfact_ranks(grid), failed = speeds_create(ranks, s, text);
    rma_allreduce(grid->rma, &failed, 1, MPI_INT, MPI_MAX);
    if (failed != 0)
        return refuse(text, "no memory for the speeds of %d ranks", ranks);
    ompfact_barrier(grid);
    double *mine = &s->speed[ompfact_rank(grid)], spread;
    *mine = measure_here(grid, on_devices, &spread);
    failed = !(*mine > 0);
    rma_allreduce(grid->rma, s->speed, ranks, MPI_DOUBLE, MPI_SUM);
    rma_allreduce(grid->rma, &spread, 1, MPI_DOUBLE, MPI_MAX);
    rma_allreduce(grid->rma, &failed, 1, MPI_INT, MPI_MAX);
    if (failed != 0)
        return refuse(text, "--speeds auto: a rank has no memory to measure its speed in, or its devices fail");
    s->measured = true;
    s->spread = fmin(fmax(spread, 0.1), 0.5);
    speeds_round(s->speed, ranks, s->spread);
    rma_bcast(grid->rma, s->speed, ranks, MPI_DOUBLE, 0);
    return 0;
}

void speeds_print(const struct speeds *s, FILE *out)
{
    fprintf(out, "speeds%s: ", s->measured ? " as measured" : "");
    for (int first = 0, end; first < s->count; first = end) {
        for (end = first; end < s->count && s->speed[end] == s->speed[first]; end++)
            ;
        fprintf(out, first == 0 ? "" : ", ");
        if (end - first > 1)
            fprintf(out, "%d x ", end - first);
        fprintf(out, "%.6g", s->speed[first]);
    }
    if (s->measured)
        fprintf(out, " (what differs by less than %.0f %% is taken for equal)", 100 * s->spread);
    fprintf(out, "\n");
}
