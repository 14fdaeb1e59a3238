/* The work of each tile, from a file or generated, and the resulting load of a layout. */
#include "layouts/arguments.h"
#include "layouts/random.h"
#include "layouts/refusal.h"
#include "layouts/uneven/uneven.h"
#include "layouts/words.h"
#include "layouts/work.h"

#include <math.h>
#include <stdlib.h>

static double *weights_alloc(int mt, int nt)
{
    return malloc(((size_t)mt * (size_t)nt + 1) * sizeof(double));
}

/* ---- files ------------------------------------------------------------------------------------------------------------ */

static int read_weight(struct word_reader *r, int mt, int nt, int64_t index, double *weight)
{
    int i = (int)(index / nt), j = (int)(index % nt);
    char expected[80];
    snprintf(expected, sizeof expected, "the weight of tile (%d,%d) of %d x %d", i, j, mt, nt);
    if (require_word(r, expected))
        return 1;
    if (!is_decimal(r, weight))
        return refuse_at_line(r, "\"%s\" is not a number; expected %s", r->word, expected);
    if (!(*weight >= 0) || !isfinite(*weight))
        return refuse_at_line(r, "%s for %s: weights are finite and not negative", r->word, expected);
    return 0;
}

static int read_weights(struct word_reader *r, int mt, int nt, double **weights)
{
    int rows, cols;
    if (words_size(r, "the number of rows of weights", &rows) || words_size(r, "the number of columns of weights", &cols))
        return 1;
    if (rows != mt || cols != nt)
        return refuse_at_line(r, "weights of %d x %d tiles, and the matrix has %d x %d", rows, cols, mt, nt);
    *weights = weights_alloc(mt, nt);
    if (*weights == NULL)
        return refuse_at_line(r, "no memory for %d x %d weights", mt, nt);
    for (int64_t index = 0; index < (int64_t)mt * nt; index++)
        if (read_weight(r, mt, nt, index, *weights + index))
            return 1;
    if (next_word(r))
        return refuse_at_line(r, "\"%s\" follows the last of %d x %d weights", r->word, mt, nt);
    return 0;
}

int weights_read(const char *path, int mt, int nt, double **weights, char text[LAYOUT_TEXT])
{
    struct word_reader reader;
    *weights = NULL;
    if (words_open(&reader, path, "weights", text))
        return 1;
    int failed = read_weights(&reader, mt, nt, weights);
    if (failed) {
        free(*weights);
        *weights = NULL;
    }
    words_close(&reader);
    return failed;
}

/* ---- maps of ranks as of a block-low-rank matrix (section 4.1 of the slides) ----------------------------------------------- */

/* In integers, and so the same on all machines. The unit of a density is 2^-20. */
enum { FULL_RANK = 1 << 20 };

enum kernel { KERNEL_LU, KERNEL_GEMM, KERNEL_OWN };

struct rank_map {
    int delta, seed, kernel;
    int n;                  /* tiles of the longer side */
    uint64_t state;
};

/* Nearly a normal variate: the sum of 12 uniform ones, minus 6, in units of 2^-16. */
static int64_t draw_normal(uint64_t *state)
{
    int64_t sum = -6 * 65536;
    for (int k = 0; k < 3; k++)
        for (uint64_t bits = random_bits(state), part = 0; part < 4; part++, bits >>= 16)
            sum += (int64_t)(bits & 65535);
    return sum;
}

/* exp(-x) with 31 binary digits behind the point, 18 of them correct: the series for x / 4096, squared twelve times. */
static int64_t exp_minus(int64_t x)
{
    const int64_t one = INT64_C(1) << 31;
    if (x >= 20 * one)
        return 0;
    int64_t u = x >> 12, square = u * u >> 31, result = one - u + square / 2 - (square * u >> 31) / 6;
    for (int k = 0; k < 12; k++)
        result = result * result >> 31;
    return result;
}

/* exp(-delta / 2 ((i - j) / (n - 1))^2) plus noise of deviation 1/20, limited to 0 .. 1; 1 on the diagonal. */
static int64_t density(struct rank_map *map, int i, int j)
{
    int64_t noise = draw_normal(&map->state) * FULL_RANK / (20 * 65536);
    if (i == j)
        return FULL_RANK;
    int64_t distance = ((int64_t)abs(i - j) << 31) / (map->n - 1), square = distance * distance >> 31;
    int64_t value = (exp_minus(map->delta * square / 2) >> 11) + noise;
    return value < 0 ? 0 : value > FULL_RANK ? FULL_RANK : value;
}

/* Work of a tile of full rank in nb^3 / 3 flops; for GEMM that of a product with n tiles on either side. */
static int64_t full_work(const struct rank_map *map, enum layout_algorithm algorithm, int i, int j)
{
    if (map->kernel == KERNEL_GEMM)
        return 6 * (int64_t)map->n;
    return layout_work(map->kernel == KERNEL_LU ? LAYOUT_LU : algorithm, i, j);
}

/* Some tiles off the diagonal have full rank: sqrt(n) of them with deviation sqrt(n) / 2. */
static void add_anomalies(struct rank_map *map, int mt, int nt, double *weights, enum layout_algorithm algorithm)
{
    int64_t root = 0;       /* in units of 1/256 */
    while ((root + 1) * (root + 1) <= (int64_t)map->n << 16)
        root++;
    int64_t count = (root + root * draw_normal(&map->state) / (2 * 65536) + 128) / 256;
    for (int64_t k = 0; k < count; k++) {
        int i = random_below(&map->state, mt), j = random_below(&map->state, nt);
        if (i != j)
            weights[(int64_t)i * nt + j] = (double)full_work(map, algorithm, i, j);
        else
            k -= mt > 1 || nt > 1;
    }
}

static void mirror(int n, double *weights)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            weights[(int64_t)j * n + i] = weights[(int64_t)i * n + j];
}

int weights_blr(const char *args, enum layout_algorithm algorithm, int mt, int nt, double **weights, char text[LAYOUT_TEXT])
{
    struct rank_map map = { .delta = 8, .seed = 1, .kernel = KERNEL_OWN, .n = mt > nt ? mt : nt };
    const struct argument known[] = { { .name = "delta", .value = &map.delta }, { .name = "seed", .value = &map.seed },
                                      { .name = "kernel", .value = &map.kernel, .words = "lu|gemm" } };
    *weights = NULL;
    if (parse_arguments(args, known, 3) || map.delta > 1000000)
        return layout_refuse(text,
                             "weights of blr:%.60s: write delta=NUMBER,seed=NUMBER,kernel=lu|gemm, or some of these, numbers "
                             "from 1, delta to 1000000", args);
    *weights = weights_alloc(mt, nt);
    if (*weights == NULL)
        return layout_refuse(text, "no memory for %d x %d weights", mt, nt);
    map.state = (uint64_t)map.seed;
    for (int i = 0; i < mt; i++)
        for (int j = 0; j < nt; j++)
            (*weights)[(int64_t)i * nt + j] = (double)(density(&map, i, j) * full_work(&map, algorithm, i, j)) / FULL_RANK;
    add_anomalies(&map, mt, nt, *weights, algorithm);
    if (algorithm == LAYOUT_CHOLESKY)
        mirror(nt, *weights);
    return 0;
}

double weights_scale(const double *weights, int64_t count)
{
    double most = 0;
    for (int64_t t = 0; t < count; t++)
        most = fmax(most, weights[t]);
    return most > 0x1p512 ? 0x1p-512 : 1;
}

/* ---- the load of a layout -------------------------------------------------------------------------------------------------- */

int layout_load(const struct layout *l, const struct layout_question *q, double *result)
{
    double *load = calloc((size_t)l->ranks, sizeof *load);
    if (load == NULL)
        return 1;
    for (int i = 0; i < q->mt; i++)
        for (int j = 0; j < row_end(q, i); j++)
            load[layout_owner(l, i, j)] += tile_weight(q, i, j);
    *result = max_over_mean(load, l->ranks);
    free(load);
    return 0;
}
