/* Predicts the precisions of tiles by samples of the matrix, and from these transfers and memory. */
#include "src/choose/predict.h"
#include "src/plan/forecast.h"

#include <math.h>
#include <stdlib.h>

/* Sampled elements: of all tiles together, if this gives only few of each; of a side of a tile at least, and at most. */
enum { ALL_ELEMENTS = 1 << 24, FEWEST = 4, MOST = 32 };

struct sampling {
    const ompfact_matrix *A;        /* on paper */
    struct entries entries;
    int side;
};

/* Reads by the caller's rows and columns; layouts only know lower triangles. */
static double square_at(const struct sampling *s, int64_t row, int64_t col)
{
    double value[2] = { 0 }, re, im;
    bool turned = is_upper(&s->A->shape);
    s->entries.entry(s->entries.context, turned ? col : row, turned ? row : col, value);
    s->A->precision->get(value, &re, &im);
    return re * re + im * im;
}

/* The estimated sum of squares of tile (i,j). */
static double squares_of(const struct sampling *s, int i, int j)
{
    const ompfact_matrix *A = s->A;
    struct sample x = sample_of(A, i, j, s->side);
    double diagonal = 0, rest = 0;
    for (int c = 0; c < x.n; c++)
        for (int r = 0; r < x.m; r++) {
            int64_t row = sample_place(&A->rows, i, r, x.m), col = sample_place(&A->cols, j, c, x.n);
            *(i == j && x.mb == x.nb && row == col ? &diagonal : &rest) += square_at(s, row, col);
        }
    return sample_squares(&x, diagonal, rest);
}

/* Sums of all stored tiles, row by row, and of all of A, with both triangles. */
static double measure(const struct sampling *s, double *squares)
{
    const ompfact_matrix *A = s->A;
    double all = 0;
    for (int i = 0; i < A->mt; i++)
        for (int j = 0; j < A->nt; j++)
            if (!stores_triangle(&A->shape) || i >= j) {
                double found = squares[(int64_t)i * A->nt + j] = squares_of(s, i, j);
                all += stores_triangle(&A->shape) && i != j ? 2 * found : found;
            }
    return all;
}

/* The map also has the caller's rows and columns. */
static int *precision_at(const ompfact_plan *p, int i, int j)
{
    return &p->precision_map[is_upper(&p->A->shape) ? (int64_t)j * p->A->nt + i : (int64_t)i * p->A->nt + j];
}

/* Allocates the map, in which no tile is stored so far. False: no memory. */
static bool begin_map(ompfact_plan *p)
{
    enum { NOT_STORED = -2 };
    int64_t tiles = (int64_t)p->A->mt * p->A->nt;
    free(p->precision_map);
    p->precision_map = malloc(((size_t)tiles + 1) * sizeof *p->precision_map);
    for (int64_t t = 0; p->precision_map != NULL && t < tiles; t++)
        p->precision_map[t] = NOT_STORED;
    return p->precision_map != NULL;
}

/* Elements, transfers and memory of tiles of these precisions, instead of tiles in double. ranks, seen: scratch. */
static void count_tiles(ompfact_plan *p, const double *squares, const struct layout *of_nodes, int *ranks, unsigned char *seen,
                        ompfact_tile_precisions *found)
{
    const ompfact_matrix *A = p->A;
    ompfact_forecast *f = &p->forecast;
    enum layout_algorithm algorithm = algorithm_of(p->routine);
    for (int i = 0; i < A->mt; i++)
        for (int j = 0; j < A->nt; j++) {
            if (stores_triangle(&A->shape) && i < j)
                continue;
            int64_t bytes = (int64_t)A->precision->size * tiling_size(&A->rows, i) * tiling_size(&A->cols, j);
            enum tile_precision kept = precision_by_rule(A, i, j, sqrt(squares[(int64_t)i * A->nt + j]));
            int64_t saved = bytes - (bytes >> kept);
            *precision_at(p, i, j) = (int)kept;
            *(kept == IN_BF16 ? &found->bf16_tiles : kept == IN_SINGLE ? &found->single_tiles : &found->double_tiles) += 1;
            found->bytes += bytes >> kept;
            if (kept == IN_DOUBLE)
                continue;
            f->transfer_bytes -= saved * layout_readers(A->layout, algorithm, i, j, ranks, seen);
            f->wire_bytes -= saved * layout_readers(of_nodes, algorithm, i, j, ranks, seen);
            f->memory_bytes_max -= layout_owner(A->layout, i, j) == A->me ? bytes / 2 : 0;
        }
}

ompfact_status ompfact_plan_precisions(ompfact_plan *p, void (*entry)(void *context, int64_t i, int64_t j, void *value),
                                       void *context, ompfact_tile_precisions *precisions, char *message)
{
    ompfact_matrix *A = p->A;
    char why[MESSAGE] = "no memory for samples of tiles";
    *precisions = (ompfact_tile_precisions){ 0 };
    if (A->shape.tile_precision == 0)
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "precisions are predicted for matrices whose shape has a tile_precision");
    CLEANUP(layout_destroy) struct layout *of_nodes = NULL;
    CLEANUP(free_at) int *ranks = malloc((size_t)A->ranks * sizeof *ranks);
    CLEANUP(free_at) unsigned char *seen = calloc((size_t)A->ranks, 1);
    CLEANUP(free_at) double *squares = malloc(((size_t)A->mt * (size_t)A->nt + 1) * sizeof *squares);
    double tiles = (double)A->mt * A->nt, side = sqrt(ALL_ELEMENTS / fmax(tiles, 1));
    struct sampling s = { A, { entry, context }, (int)fmin(fmax(side, FEWEST), MOST) };
    if (ranks == NULL || seen == NULL || squares == NULL || !begin_map(p) ||
        layout_of_nodes(A->layout, p->job.shape.node_of, p->job.shape.nodes, &of_nodes, why) != 0)
        return fail_with(message, OMPFACT_NO_MEMORY, why);
    compressed_set_tolerance(A, sqrt(measure(&s, squares)));
    count_tiles(p, squares, of_nodes, ranks, seen, precisions);
    return OMPFACT_SUCCESS;
}

const int *ompfact_plan_precision_map(const ompfact_plan *p)
{
    return p->precision_map;
}
