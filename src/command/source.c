/* Fills a distributed matrix from a generator or a file. */
#include "src/command/source.h"

#include "src/io/element.h"

#include <string.h>
#include <strings.h>

int source_generate(struct source *source, const char *kind, enum generate_symmetry symmetry, int64_t m, int64_t n, int64_t seed,
                    char text[COMMAND_TEXT])
{
    *source = (struct source){ .kind = SOURCE_GENERATOR, .rows = m, .cols = n, .seed = seed };
    char why[IO_TEXT];
    return generate_parse(kind, symmetry, m, n, (uint64_t)seed, &source->generator, why) == 0 ? 0 : refuse(text, "%s", why);
}

int source_make_points(struct source *source, const struct batches *before, char text[COMMAND_TEXT])
{
    char why[IO_TEXT];
    if (source->kind != SOURCE_GENERATOR || source->points.count > 0 || !generate_wants_points(&source->generator))
        return 0;
    if (points_make(source->cols, (uint64_t)source->seed, before, &source->points, why) != 0)
        return refuse(text, "%s", why);
    generate_on(&source->generator, &source->points);
    return 0;
}

int source_generate_on(struct source *source, const char *points, const struct batches *before, const char *kind,
                       enum generate_symmetry symmetry, int64_t seed, char text[COMMAND_TEXT])
{
    *source = (struct source){ .kind = SOURCE_GENERATOR };
    char why[IO_TEXT];
    if (points_read(points, before, &source->points, why) != 0)
        return refuse(text, "%s", why);
    const int64_t n = source->rows = source->cols = source->points.count;
    if (generate_parse(kind, symmetry, n, n, (uint64_t)seed, &source->generator, why) != 0)
        return refuse(text, "%s", why);
    if (!generate_wants_points(&source->generator))
        return refuse(text, "--points %s is for a kernel of --matrix, as in sqexp:0.1, and '%s' is none", points, kind);
    generate_on(&source->generator, &source->points);
    return 0;
}

int source_generate_rhs(struct source *source, int64_t n, int64_t nrhs, int64_t seed, char text[COMMAND_TEXT])
{
    return source_generate(source, "rands", GENERATE_GENERAL, n, nrhs, seed ^ INT64_C(0x5bd1e995), text);
}

bool path_ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcasecmp(path + length - end, ending) == 0;
}

int source_open(struct source *source, const char *path, char text[COMMAND_TEXT])
{
    static const char *const packed[] = { ".gz", ".bz2", ".xz", ".zst", ".zip", ".npz" };
    char why[IO_TEXT];
    const bool mtx = path_ends_in(path, ".mtx");
    *source = (struct source){ .kind = SOURCE_GENERATOR };
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (path_ends_in(path, packed[i]))
            return refuse(text, "%.256s: compressed files are not supported: unpack the file first", path);
    *source = (struct source){ .kind = mtx ? SOURCE_MTX : SOURCE_NPY };
    input_open(path);
    bool opened = (mtx ? mtx_open(path, &source->mtx, why) : npy_open(path, &source->npy, why)) == 0;
    input_mapped(mtx ? source->mtx.map : source->npy.map, mtx ? source->mtx.map_size : source->npy.map_size);
    if (!opened)
        return refuse(text, "%s", why);
    source->type = mtx ? source->mtx.type : source->npy.type;
    source->rows = mtx ? source->mtx.rows : source->npy.rows;
    source->cols = mtx ? source->mtx.cols : source->npy.cols;
    return 0;
}

void source_close(struct source *source)
{
    if (source->kind == SOURCE_GENERATOR) {
        points_forget(&source->points);
        return;
    }
    input_close(source->kind == SOURCE_NPY ? source->npy.map : source->mtx.map);
    if (source->kind == SOURCE_NPY)
        npy_close(&source->npy);
    else
        mtx_close(&source->mtx);
    points_forget(&source->points);
}

/* Whether each number of one type is also a number of the other type. */
static bool widens(char from, char to)
{
    return (element_is_complex(to) || !element_is_complex(from)) && (element_is_single(from) || !element_is_single(to));
}

/* Floating-point numbers of a .npy file are not rounded; integers, and real numbers of a text file, can have any type. */
bool source_suits(const struct source *source, char type)
{
    return source->type == '\0' || (source->kind == SOURCE_NPY && (source->npy.integers || widens(source->type, type))) ||
           (source->kind == SOURCE_MTX && (source->type == 'd' || element_is_complex(type)));
}

char source_type_of_both(const struct source *source, char type)
{
    bool is_complex = element_is_complex(source->type) || element_is_complex(type);
    return element_is_single(source->type) && element_is_single(type) ? (is_complex ? 'c' : 's') : is_complex ? 'z' : 'd';
}

/* ---- filling --------------------------------------------------------------------------------------------------------------- */

struct filling {
    const struct source *source;
    ompfact_matrix *A;
    char type;
};

/* Converts the numbers of the file to another type, a piece of a column at a time. */
static void convert_from_npy(const struct filling *f, const ompfact_tile *t)
{
    enum { PIECE = 256 };
    const char type = f->source->npy.type;
    const size_t size = element_size(type), to_size = element_size(f->type);
    double number[2 * PIECE], re, im;       /* room for complex numbers */
    for (int c = 0; c < t->nb; c++)
        for (int first = 0; first < t->mb; first += PIECE) {
            int count = t->mb - first < PIECE ? t->mb - first : PIECE;
            npy_read_tile(&f->source->npy, t->row + first, t->col + c, count, 1, number, count);
            char *element = (char *)t->data + to_size * ((size_t)c * (size_t)t->ld + (size_t)first);
            for (int i = 0; i < count; i++, element += to_size) {
                element_get(type, (const char *)number + (size_t)i * size, &re, &im);
                element_set(f->type, element, re, im);
            }
        }
}

ompfact_tile tile_row(const ompfact_tile *t, int r, const struct points *order, size_t size)
{
    ompfact_tile row = *t;
    row.row = order->origin[t->row + r];
    row.mb = 1;
    row.data = (char *)t->data + (size_t)r * size;
    return row;
}

/* The entries of a .mtx file are added to zeros later. */
static void fill_plainly(const struct filling *f, const ompfact_tile *t)
{
    const struct source *s = f->source;
    if (s->kind == SOURCE_GENERATOR)
        generate_tile(&s->generator, f->type, t->row, t->col, t->mb, t->nb, t->data, t->ld);
    else if (s->kind == SOURCE_MTX)
        memset(t->data, 0, (size_t)t->ld * (size_t)t->nb * element_size(f->type));
    else if (f->type != s->npy.type)
        convert_from_npy(f, t);
    else
        npy_read_tile(&s->npy, t->row, t->col, t->mb, t->nb, t->data, t->ld);
}

static void fill_in_order(void *context, const ompfact_tile *t)
{
    const struct filling *f = context;
    if (f->source->order == NULL || f->source->kind == SOURCE_MTX) {
        fill_plainly(f, t);
        return;
    }
    for (int r = 0; r < t->mb; r++) {
        const ompfact_tile row = tile_row(t, r, f->source->order, element_size(f->type));
        fill_plainly(f, &row);
    }
}

/* Adds entries that a file has twice, as in assembled matrices. */
static void add_entry(void *context, int64_t i, int64_t j, double re, double im)
{
    struct filling *f = context;
    ompfact_tile t;
    i = f->source->order != NULL ? f->source->order->place[i] : i;
    int ti = ompfact_tile_row_of(f->A, i), tj = ompfact_tile_col_of(f->A, j);
    if (ompfact_owner(f->A, ti, tj) < 0 || ompfact_tile_get(f->A, ti, tj, &t) != OMPFACT_SUCCESS)
        return;
    void *element = (char *)t.data + element_size(f->type) * (size_t)((i - t.row) + (j - t.col) * t.ld);
    double old_re, old_im;
    element_get(f->type, element, &old_re, &old_im);
    element_set(f->type, element, old_re + re, old_im + im);
    ompfact_tile_restore(f->A, &t);
}

static void copy_tile(void *context, const ompfact_tile *to)
{
    const ompfact_matrix *dense = context;
    size_t size = element_size(ompfact_type(dense));
    ompfact_tile from;
    if (ompfact_tile_read(dense, to->i, to->j, NULL, &from) != OMPFACT_SUCCESS)
        return;
    for (size_t c = 0; c < (size_t)to->nb; c++)
        memcpy((char *)to->data + c * (size_t)to->ld * size, (char *)from.data + c * (size_t)from.ld * size,
               (size_t)to->mb * size);
}

/* A file of entries without order fills a dense matrix first. Collective. */
static int compress_from_mtx(const struct source *source, ompfact_matrix *A, char text[COMMAND_TEXT])
{
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *dense = NULL;
    if (ompfact_matrix_create_dense(A, &dense) != OMPFACT_SUCCESS)
        return refuse(text, "%s", ompfact_message(ompfact_grid_of(A)));
    int code = source_fill(source, dense, text);
    if (ompfact_fill_tiles(A, copy_tile, dense) != OMPFACT_SUCCESS && code == 0)
        code = refuse(text, "%s", ompfact_message(ompfact_grid_of(A)));
    return code;
}

int source_fill(const struct source *source, ompfact_matrix *A, char text[COMMAND_TEXT])
{
    ompfact_shape shape = ompfact_shape_of(A);
    if ((shape.accuracy > 0 || shape.tile_precision > 0) && source->kind == SOURCE_MTX)
        return compress_from_mtx(source, A, text);
    struct filling f = { source, A, ompfact_type(A) };
    if (ompfact_fill_tiles(A, fill_in_order, &f) != OMPFACT_SUCCESS)
        return refuse(text, "%s", ompfact_message(ompfact_grid_of(A)));
    char why[IO_TEXT];
    if (source->kind != SOURCE_MTX)
        return 0;
    return mtx_each(&source->mtx, add_entry, &f, why) == 0 ? 0 : refuse(text, "%s", why);
}

int source_refine(const struct source *source, ompfact_matrix *A, ompfact_matrix *B, ompfact_matrix *X, int *iterations,
                  char text[COMMAND_TEXT])
{
    struct filling f = { source, A, ompfact_type(A) };
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *dense = NULL;
    int code = 0;
    if (source->kind == SOURCE_MTX) {
        if (ompfact_matrix_create_dense(A, &dense) != OMPFACT_SUCCESS)
            return refuse(text, "%s", ompfact_message(ompfact_grid_of(A)));
        code = source_fill(source, dense, text);
    }
    ompfact_status status = dense != NULL ? ompfact_refine(A, B, X, copy_tile, dense, iterations)
                                          : ompfact_refine(A, B, X, fill_in_order, &f, iterations);
    if (status != OMPFACT_SUCCESS && code == 0)
        code = refuse(text, "%s", ompfact_message(ompfact_grid_of(A)));
    return code;
}

static void make_entry(void *context, int64_t i, int64_t j, void *value)
{
    fill_in_order(context, &(ompfact_tile){ .row = i, .col = j, .mb = 1, .nb = 1, .ld = 1, .data = value });
}

int source_weigh(const struct source *source, ompfact_grid *grid, const ompfact_shape *shape, double *weights,
                 char text[COMMAND_TEXT])
{
    struct filling f = { source, NULL, shape->type };
    if (source->kind == SOURCE_MTX)
        return refuse(text, "--weights auto reads scattered elements, but a .mtx file has no order: use a .npy");
    return ompfact_predict_weights(grid, shape, make_entry, &f, weights) == OMPFACT_SUCCESS
               ? 0 : refuse(text, "%s", ompfact_message(grid));
}

int source_predict(const struct source *source, ompfact_plan *plan, char type, ompfact_tile_precisions *precisions,
                    char text[COMMAND_TEXT])
{
    struct filling f = { source, NULL, type };
    if (source->kind == SOURCE_MTX)
        return refuse(text, "--tile-precision reads scattered elements, but a .mtx file has no order: use a .npy");
    TRY_WHY(text, ompfact_plan_precisions(plan, make_entry, &f, precisions, why));
    return 0;
}

int source_check(const struct source *source, ompfact_matrix *A, const char *path, char text[COMMAND_TEXT])
{
    int64_t row, col;
    bool nan;
    if (source->kind == SOURCE_GENERATOR)
        return 0;
    if (ompfact_find_not_finite(A, &row, &col, &nan) != OMPFACT_SUCCESS)
        return refuse(text, "%s", ompfact_message(ompfact_grid_of(A)));
    if (row < 0)
        return 0;
    row = source->order != NULL ? source->order->origin[row] : row;
    return refuse(text, "%s: row %lld, column %lld is %s (counted from 1)", path, (long long)row + 1, (long long)col + 1,
                  nan ? "NaN" : "infinity");
}

int source_check_diagonal(MPI_Comm comm, const struct source *source, const ompfact_matrix *A, const char *path,
                          char text[COMMAND_TEXT])
{
    const char type = ompfact_type(A);
    int64_t first = INT64_MAX;
    if (source->kind == SOURCE_GENERATOR || !element_is_complex(type))
        return 0;
    for (int i = -1, j = -1; ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        if (i != j || ompfact_tile_read(A, i, j, NULL, &t) != OMPFACT_SUCCESS)
            continue;
        for (int r = t.mb - 1; r >= 0; r--) {
            double re, im;
            element_get(type, (const char *)t.data + element_size(type) * (size_t)r * ((size_t)t.ld + 1), &re, &im);
            first = im != 0 && t.row + r < first ? t.row + r : first;
        }
    }
    if (!together_reduce(comm, &first, 1, MPI_INT64_T, MPI_MIN))
        return refuse(text, "%s: ranks could not agree whether its diagonal is real: MPI failed", path);
    return first == INT64_MAX ? 0 : refuse(text, "%s: row %lld, column %lld is not real, but the diagonal of a Hermitian "
                                                 "matrix must be (counted from 1)", path, (long long)first + 1,
                                                     (long long)first + 1);
}
