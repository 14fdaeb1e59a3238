#include "src/machine/tile_size.h"

#include "omp/kernels/flops.h"

#include <math.h>

static const double TASK_SECONDS = 3e-6;

static const int candidates[] = { TILE_SIZE_MIN, 48,  64,  80,  96,  112, 128, 144, 160, 176, 192, 208, 224,
                                  256,           288, 320, 352, 384, 416, 448, 480, TILE_SIZE_MAX };

/*
 * Counts the tasks of QR as kernels that have rates: panels run at the rate of LU's diagonal tiles, updates at GEMM's, with two
 * such tasks (V^H C and V W) for a tile. A panel has 2 nb^2 (rows - nb / 3) flops.
 */
static void count_qr_tasks(const struct tile_question *q, double nb, double count[RATE_KERNELS])
{
    double m = (double)q->m, n = (double)q->n, least = m < n ? m : n, steps = least / nb;
    double flops = 2 * least * least * (m + n - least - least / 3),
           panels = 2 * nb * nb * steps * (m - (least - nb) / 2 - nb / 3);
    count[RATE_GETRF] = panels / rate_kernel_flops(RATE_GETRF, nb, 'd');
    count[RATE_GEMM] = fmax(0, flops - panels) / rate_kernel_flops(RATE_GEMM, nb, 'd');
}

/* With pivoting a tile column is factored as a whole, and only the tiles right of the diagonal are solved with. */
static void count_pivoted_panels(const struct tile_question *q, double nb, double count[RATE_KERNELS])
{
    double m = (double)q->m, n = (double)q->n, least = m < n ? m : n, steps = least / nb;
    count[RATE_GETRF] = nb * nb * steps * (m - (least - nb) / 2 - nb / 3) / rate_kernel_flops(RATE_GETRF, nb, 'd');
    count[RATE_TRSM] = fmax(0, steps * n / nb - steps * (steps + 1) / 2);
}

/* The number of tasks of each kernel. nt = n / nb need not be an integer, so that the numbers are continuous. */
static void count_tasks(const struct tile_question *q, double nb, double count[RATE_KERNELS])
{
    double m = (double)q->m, n = (double)q->n, least = m < n ? m : n, steps = least / nb;
    double flops = q->cholesky ? n * n * n / 3 : getrf_flops(m, n);
    for (int kernel = 0; kernel < RATE_KERNELS; kernel++)
        count[kernel] = 0;
    if (q->qr) {
        count_qr_tasks(q, nb, count);
        return;
    }
    if (q->cholesky) {
        count[RATE_POTRF] = steps;
        count[RATE_TRSM] = count[RATE_SYRK] = steps * (steps - 1) / 2;
    } else if (q->pivots) {
        count_pivoted_panels(q, nb, count);
    } else {
        count[RATE_GETRF] = steps;
        count[RATE_TRSM] = fmax(0, steps * (m + n) / nb - steps * steps - steps);
    }
    for (int kernel = 0; kernel < RATE_GEMM; kernel++)
        flops -= count[kernel] * rate_kernel_flops((enum rate_kernel)kernel, nb, 'd');
    count[RATE_GEMM] = fmax(0, flops / rate_kernel_flops(RATE_GEMM, nb, 'd'));
}

/* Seconds of a step on the critical path: a diagonal tile, a tile below it and the update of that tile. In QR, and with pivoting,
   a rank's part of the panel is one task, followed by one update. */
static double step_seconds(const struct tile_question *q, double nb, const double seconds[RATE_KERNELS])
{
    double rows = (double)q->m - 0.5 * (double)(q->m < q->n ? q->m : q->n), tiles = fmax(1, rows / nb / sqrt(q->ranks));
    if (q->qr)
        return 3 * tiles * seconds[RATE_GETRF] + 2 * tiles * seconds[RATE_GEMM];
    double panel = q->pivots ? 1.5 * tiles : 1;
    return q->cholesky ? seconds[RATE_POTRF] + seconds[RATE_TRSM] + seconds[RATE_SYRK]
                       : panel * seconds[RATE_GETRF] + seconds[RATE_TRSM] + seconds[RATE_GEMM];
}

/* The work of the busiest of some parts over the mean, if tile columns are dealt to them in turn. A column is updated in every
   step before it, and steps have fewer and fewer rows, of other in all. Also for rows, with m and n exchanged. */
static double most_over_mean(double length, double other, double nb, int parts)
{
    enum { MANY = 1000 };       /* a part with so many columns has less than 0.2 % more than the mean */
    double sum = 0, most = 0;
    if (length > MANY * nb * parts)
        return 1;
    for (int part = 0; part < parts; part++) {
        double work = 0;
        for (double begin = part * nb; begin < length; begin += parts * nb) {
            double width = fmin(nb, length - begin), steps = fmin(begin + width / 2, other);
            work += width * steps * (2 * other - steps);
        }
        sum += work;
        most = fmax(most, work);
    }
    return most * parts / sum;
}

/* The columns of a grid with cells about as wide as high: a divisor of ranks if there is one up to twice as large. */
static int grid_columns(int ranks, double n_over_m)
{
    int least = (int)fmin(ranks, ceil(0.9 * sqrt(ranks * n_over_m))), columns = least;
    while (columns <= 2 * least && ranks % columns != 0)
        columns++;
    return columns <= 2 * least ? columns : least;
}

/* The work of the busiest rank over the mean, less 1. */
static double imbalance(const struct tile_question *q, double nb)
{
    double m = (double)q->m, n = (double)q->n;
    if (q->ranks == 1)
        return 0;
    if (q->cholesky)
        return sqrt(q->ranks) / 4 * nb / n;
    int columns = grid_columns(q->ranks, n / m);
    return most_over_mean(n, m, nb, columns) * most_over_mean(m, n, nb, q->ranks / columns) - 1;
}

double tile_size_tasks(const struct tile_question *q, double nb)
{
    double count[RATE_KERNELS], sum = 0;
    count_tasks(q, nb, count);
    for (int kernel = 0; kernel < RATE_KERNELS; kernel++)
        sum += count[kernel];
    return sum / q->ranks;
}

double tile_size_seconds(const struct machine *machine, const struct tile_question *q, double nb)
{
    double count[RATE_KERNELS], seconds[RATE_KERNELS], work = 0;
    double least = (double)(q->m < q->n ? q->m : q->n), on_node = q->ranks_on_node > 0 ? q->ranks_on_node : q->ranks;
    int busy = machine_busy(machine, q->threads, (int)on_node);
    double workers = busy * fmax(1, q->ranks / on_node);
    if (least <= 0)
        return 0;
    if (nb > least)
        nb = least;
    count_tasks(q, nb, count);
    for (int i = 0; i < RATE_KERNELS; i++) {
        enum rate_kernel kernel = (enum rate_kernel)i;
        double rate = 1e9 * machine_thread_rate(machine, q->type, kernel, busy, nb);
        seconds[i] = rate_kernel_flops(kernel, nb, q->type) / rate + TASK_SECONDS;
        work += count[i] * seconds[i];
    }
    double bytes = q->type == 's' ? 4 : q->type == 'z' ? 16 : 8;
    double transfer = q->ranks > 1 ? machine->t_s + machine->t_w * nb * nb * bytes / 8 : 0;
    double path = least / nb * (step_seconds(q, nb, seconds) + 2 * transfer) * (q->qr ? 0.8 : q->cholesky ? 0.5 : 0.4);
    double cores = work / workers * (1 + imbalance(q, nb)) + (q->ranks > 1 ? 1 : 1 - 1 / workers) * path;
    /* of the thread that submits tasks; with a single thread these are part of its work */
    double submission = q->threads > 1 ? tile_size_tasks(q, nb) * machine_task_seconds(machine, q->threads) : 0;
    return pow(pow(cores, 4) + pow(submission, 4), 0.25);
}

static int64_t shorter(const struct tile_question *q)
{
    return q->m < q->n ? q->m : q->n;
}

bool tile_size_is_open(const struct tile_question *q)
{
    return shorter(q) >= 2 * candidates[1];
}

/* The size below which tasks would cost more than their arithmetic, where each worker has many of them. */
static int thin_size(const struct tile_question *q)
{
    enum { PLENTY = 64, LARGE = 256 };
    int64_t longer = q->m > q->n ? q->m : q->n, size = longer / PLENTY / q->ranks / q->threads;
    size = size < TILE_SIZE_MIN ? TILE_SIZE_MIN : size > LARGE ? LARGE : size;
    return (int)(longer > 0 && longer < size ? longer : size);
}

/* The rows of a strip of a packed tile. */
static int strip_rows(const struct tile_question *q)
{
    return q->type == 's' || q->type == 'c' ? 16 : 8;
}

/* Whether the last tile has at least a quarter of the others' rows: a thin last step costs as much as another, and owners of the
   last row or column are not to have less work. */
static bool ends_well(const struct tile_question *q, int size)
{
    int64_t n = shorter(q);
    return 4 * (n - (n - 1) / size * size) >= size;
}

/* The size of as many tiles, or a few more, in whole strips, that ends well if there is one. */
static int even_size(const struct tile_question *q, int nb)
{
    int strip = strip_rows(q);
    int64_t n = shorter(q), count = (n + nb - 1) / nb, even = (n + count - 1) / count;
    int most = (int)((even + strip - 1) / strip) * strip;
    for (int size = most; 4 * size > 3 * most; size -= strip)
        if (ends_well(q, size))
            return size;
    return most;
}

/* A size and its seconds by the model. */
struct choice {
    int nb;
    double seconds;
};

static void compare(const struct machine *machine, const struct tile_question *q, int nb, struct choice *best)
{
    double seconds = tile_size_seconds(machine, q, nb);
    if (seconds < best->seconds)
        *best = (struct choice){ nb, seconds };
}

/* All sizes within a fifth of the best. They differ by how well ranks are balanced. */
static void compare_near(const struct machine *machine, const struct tile_question *q, struct choice *best)
{
    int strip = strip_rows(q), near = best->nb / 5 / strip * strip, first = best->nb - near, last = best->nb + near;
    for (int nb = first; nb <= last && nb <= TILE_SIZE_MAX && 2 * nb <= shorter(q); nb += strip)
        if (nb >= TILE_SIZE_MIN && ends_well(q, nb))
            compare(machine, q, nb, best);
}

int tile_size_choose(const struct machine *machine, const struct tile_question *q)
{
    if (!tile_size_is_open(q))
        return thin_size(q);
    struct choice best = { TILE_SIZE_MIN, tile_size_seconds(machine, q, TILE_SIZE_MIN) };
    for (size_t i = 1; i < sizeof candidates / sizeof candidates[0] && 2 * candidates[i] <= shorter(q); i++)
        compare(machine, q, even_size(q, candidates[i]), &best);
    if (!q->cholesky && !q->qr && q->ranks > 1)
        compare_near(machine, q, &best);
    return best.nb;
}

/* doc/results/low-rank.md has the measurements. */
int tile_size_compressed(int64_t n, int ranks)
{
    const double BEST = 5.6;
    double nb = BEST * sqrt((double)n), most = (double)n / (4 * sqrt(ranks));
    int size = (int)(nb < most ? nb : most) / 8 * 8, least = n < TILE_SIZE_MIN ? (int)n : TILE_SIZE_MIN;
    return size > least ? size : least > 0 ? least : 1;
}
