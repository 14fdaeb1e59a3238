/* One problem before its first run: its source, its tile size and layout, and room for all output. */
#include "src/command/instance.h"

#include "src/io/element.h"

#include <stdlib.h>
#include <string.h>

/* ---- input ----------------------------------------------------------------------------------------------------------------- */

/* The file gives the size of the matrix. */
static int take_size(struct instance *x, const char *file, char text[COMMAND_TEXT])
{
    ompfact_shape *shape = &x->job.shape;
    const struct source *source = &x->matrix_source;
    const char *of = source->kind == SOURCE_GENERATOR ? "the matrix of " : "";
    if (option_given(x->session->options, "dim") && (shape->m != source->rows || shape->n != source->cols))
        return refuse(text, "%s%s is %lld x %lld, but --dim gives %lld x %lld", of, file, (long long)source->rows,
                      (long long)source->cols, (long long)shape->m, (long long)shape->n);
    shape_resize(shape, source->rows, source->cols);
    return 0;
}

static enum generate_symmetry symmetry_of(const struct options *o)
{
    return !has_triangle(o) ? GENERATE_GENERAL : o->routine->symmetric ? GENERATE_SYMMETRIC : GENERATE_HERMITIAN;
}

static int generate_matrix(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    const ompfact_shape *shape = &x->job.shape;
    struct source *source = &x->matrix_source;
    const char *kind = case_kind(o);
    x->sources_open[0] = true;
    if (o->points == NULL)
        return source_generate(source, kind, symmetry_of(o), shape->m, shape->n, o->seed, text);
    TRY_STEP(source_generate_on(source, o->points, o->batches, kind, symmetry_of(o), o->seed, text));
    return take_size(x, o->points, text);
}

/* Refuses a file whose declared symmetry is not that of the routine's matrices. */
static int check_symmetry(const struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    const struct source *source = &x->matrix_source;
    const char *name = o->routine->name, *wanted = o->routine->symmetric ? "symmetric" : "Hermitian";
    const char *other = source->kind == SOURCE_MTX && has_triangle(o) ? mtx_other_symmetry(&source->mtx, !o->routine->symmetric)
                                                                      : NULL;
    if (other == NULL)
        return 0;
    if (is_indefinite(o) && strstr(other, "skew") == NULL)
        return refuse(text, "%s is complex %s, and %s needs a %s matrix: take %s%s", o->input, other, name, wanted,
                      o->routine->symmetric ? "he" : "sy", name + 2);
    return refuse(text, "%s is %s%s, and %s needs a %s matrix: take LU", o->input, source->type == 'z' ? "complex " : "", other,
                  name, wanted);
}

/* Checks, as far as possible, that this matrix begins with the matrix of an existing factor. */
static int check_appended(const struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    if (o->append && x->sources_open[0] && o->input == NULL && !generate_is_nested(&x->matrix_source.generator))
        return refuse(text, "--append: a larger matrix '%s' does not begin with the smaller one", case_kind(o));
    return 0;
}

/* Opens the source of the matrix, and takes from it the sizes and the type that the command line does not give. */
static int open_matrix(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    ompfact_shape *shape = &x->job.shape;
    struct source *source = &x->matrix_source;
    if (o->input == NULL)       /* a dry run makes no matrix, but needs its size, and samples its tiles if they have precisions */
        return o->dry_run && o->points == NULL && o->job.shape.tile_precision == 0 ? 0 : generate_matrix(x, text);
    TRY_STEP(source_open(source, o->input, text));
    x->sources_open[0] = true;
    if (!option_given(o, "type"))
        shape->type = source->type;
    TRY_STEP(take_size(x, o->input, text));
    if (!source_suits(source, shape->type))
        return refuse(text, "%s has values of type '%c', but --type gives '%c'", o->input, source->type, shape->type);
    TRY_STEP(check_symmetry(x, text));
    if (needs_square(o, shape->m, shape->n))
        return refuse(text, "%s is %lld x %lld, but %s needs %s", o->input, (long long)shape->m, (long long)shape->n,
                      o->routine->square ? o->routine->name : "--rcond", shape_wanted(o));
    return 0;
}

static int open_rhs(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    struct source *source = &x->rhs_source;
    if (!(o->routine->solves || (approximates(o) && o->job.checked)) || (o->rhs == NULL && o->dry_run))
        return 0;
    if (o->rhs == NULL)
        return source_generate_rhs(source, x->job.shape.m, x->job.nrhs, o->seed, text);
    TRY_STEP(source_open(source, o->rhs, text));
    x->sources_open[1] = true;
    x->job.nrhs = source->cols;
    if (source->rows != x->job.shape.m)
        return refuse(text, "%s has %lld rows, but the matrix %lld", o->rhs, (long long)source->rows, (long long)x->job.shape.m);
    char both = source_type_of_both(source, x->job.shape.type);
    bool open = o->input != NULL && !option_given(o, "type");
    if (open && !source_suits(source, x->job.shape.type) && source_suits(&x->matrix_source, both))
        x->job.shape.type = both;
    if (!source_suits(source, x->job.shape.type))
        return refuse(text, "%s holds values of type '%c', and the matrix '%c'", o->rhs, source->type, x->job.shape.type);
    return 0;
}

/* ---- tile size ------------------------------------------------------------------------------------------------------------- */

/* --copies auto. Collective. */
static int choose_copies(struct instance *x, char text[COMMAND_TEXT])
{
    if (x->job.shape.copies > 0)
        return 0;
    TRY_STEP(refuse_status(x->session, ompfact_grid_copies(x->session->grid, &x->job, &x->copies), text));
    x->job.shape.copies = x->copies.copies;
    return 0;
}

/* --weights auto. Collective. */
static int predict_weights(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const ompfact_shape *shape = &x->job.shape;
    size_t mt = (size_t)((shape->m + shape->nb - 1) / shape->nb), nt = (size_t)((shape->n + shape->nb - 1) / shape->nb);
    x->weights = malloc((mt * nt + 1) * sizeof *x->weights);
    TRY_STEP(agree_line(s, x->weights == NULL ? refuse(text, "no memory for %zu x %zu weights", mt, nt) : 0, text));
    return source_weigh(&x->matrix_source, s->grid, shape, x->weights, text);
}

int plan_matrix(struct instance *x, bool before, char text[COMMAND_TEXT])
{
    ompfact_job job = x->job;
    job.bounds = !before || x->session->options->explain;
    job.as_measured = !before;
    job.gemm_gflops = before ? 0 : gemm_known(x->session, job.shape.type);
    ompfact_plan_destroy(&x->plan);
    TRY_WHY(text, ompfact_plan_of_matrix(&job, x->A, &x->plan, why));
    return 0;
}

/* Whether the picture shows precisions, which need a source with an order. */
static bool draws_precisions(const struct instance *x)
{
    const struct options *o = x->session->options;
    return o->plot != NULL && o->job.shape.tile_precision != 0 && x->matrix_source.kind != SOURCE_MTX;
}

/* Prints the requested information before the run. */
static int print_before(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    if (o->map == NULL && o->owners == NULL && o->plot == NULL && !o->explain)
        return 0;
    TRY_STEP(plan_matrix(x, true, text));
    ompfact_tile_precisions predicted;
    if (draws_precisions(x))
        TRY_STEP(source_predict(&x->matrix_source, x->plan, x->job.shape.type, &predicted, text));
    TRY_STEP(case_write_layout(x->plan, o, &x->job.shape, text));
    return o->explain ? explain_case(x, text) : 0;
}

/* Checks all needs of a run before the first tile is filled, not after hours of work. */
static int prepare_outputs(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    int code = refuse_status(s, ompfact_job_fits(&x->job, x->A, x->B), text);
    if (code == 0 && ompfact_rank(s->grid) == 0)
        code = print_before(x, text);
    return agree_line(s, code, text);
}

int open_sources(struct instance *x, char text[COMMAND_TEXT])
{
    TRY_STEP(open_matrix(x, text));
    TRY_STEP(check_size_of(x->session->options, x->job.shape.m, x->job.shape.n, text));
    TRY_STEP(check_appended(x, text));
    return open_rhs(x, text);
}

int check_sources(struct session *s, char text[COMMAND_TEXT])
{
    struct instance x = instance_of(s, 0);
    int code = s->options->points == NULL ? open_sources(&x, text) : 0;
    forget_case(&x);
    return code;
}

/* Makes the points of the matrix, whose order is that of the right-hand sides' rows. */
static int make_points(struct instance *x, char text[COMMAND_TEXT])
{
    int64_t before = peak_resident_now();
    int code = agree_line(x->session, source_make_points(&x->matrix_source, x->session->options->batches, text), text);
    x->memory_before += peak_resident_now() - before;
    if (code == 0 && x->session->options->routine->solves && x->matrix_source.points.count > 0)
        x->rhs_source.order = &x->matrix_source.points;
    return code;
}

/* Right-hand sides of a solve with factors have the owners of the diagonal; trsm accepts a matrix of any layout. */
ompfact_status create_rhs(struct instance *x, ompfact_matrix *A, ompfact_matrix **B)
{
    ompfact_shape shape = { .type = x->job.shape.type, .nb = x->job.shape.nb, .speeds = x->session->speeds.speed };
    shape_resize(&shape, x->job.shape.m, x->job.nrhs);
    return x->session->options->routine->triangular ? ompfact_matrix_create(x->session->grid, &shape, B)
                                                    : ompfact_matrix_create_rhs(A, x->job.nrhs, B);
}

/* Checks the tile and the bit of --inject in the factored matrix, which for a wide least squares problem is the transposed
   matrix. */
static int check_flip(const struct instance *x, char text[COMMAND_TEXT])
{
    enum { BITS = 8 };
    const struct options *o = x->session->options;
    const ompfact_flip *f = &o->testing.flip;
    bool transposed = is_qr(o) && o->routine->solves && x->job.shape.m < x->job.shape.n, upper = o->uplo == OMPFACT_UPPER;
    int rows = ompfact_tile_rows(x->A), cols = ompfact_tile_cols(x->A), bits = BITS * (int)element_size(x->job.shape.type);
    int mt = transposed ? cols : rows, nt = transposed ? rows : cols;
    bool unused = has_triangle(o) && (upper ? f->i > f->j : f->i < f->j);
    if (f->on && (f->i >= mt || f->j >= nt || unused))
        return refuse(text, "--inject: there is no tile (%d,%d) among the stored ones of %d x %d", f->i, f->j, mt, nt);
    if (f->on && f->bit >= bits)
        return refuse(text, "--inject: an element of type %c has bits 0 to %d, but no bit %d", x->job.shape.type, bits - 1,
                      f->bit);
    if (f->on && o->restart != NULL && f->step < x->restarted.step)
        return refuse(text, "--inject: step %d is done in %.128s; step %d is next", f->step, o->restart, x->restarted.step);
    return 0;
}

static int prepare(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    TRY_STEP(agree_line(s, open_sources(x, text), text));
    /* The tile size is as the library would choose it, but earlier: weights need tiles. */
    TRY_STEP(refuse_status(s, ompfact_tile_size(s->grid, &x->job.shape, &x->job.shape.nb), text));
    TRY_STEP(agree_line(s, case_weights(s->options, &x->job.shape, &x->weights, text), text));
    if (predicts_weights(s->options) || draws_precisions(x))
        TRY_STEP(make_points(x, text));
    if (predicts_weights(s->options))
        TRY_STEP(predict_weights(x, text));
    x->job.shape.weights = x->weights;
    TRY_STEP(choose_copies(x, text));
    x->memory_before = peak_resident_now();
    ompfact_shape shape = x->job.shape;
    TRY_STEP(saving_cut(x, &shape, text));
    TRY_STEP(refuse_status(s, ompfact_matrix_create(s->grid, &shape, &x->A), text));
    TRY_STEP(check_flip(x, text));
    if (s->options->routine->solves)
        TRY_STEP(refuse_status(s, create_rhs(x, x->A, &x->B), text));
    TRY_STEP(prepare_outputs(x, text));
    TRY_STEP(make_points(x, text));
    return saving_begin(x, text);
}

int prepare_case(struct instance *x, char text[COMMAND_TEXT])
{
    return doing_part(x, DOING_PATIENCE_S, "sampling the matrix and choosing its layout", prepare, text);
}

void forget_case(struct instance *x)
{
    free(x->rank_map[0]);
    free(x->rank_map[1]);
    free(x->precision_map[0]);
    free(x->precision_map[1]);
    ompfact_restarted_forget(&x->restarted);
    ompfact_plan_destroy(&x->plan);
    ompfact_matrix_destroy(&x->X);
    ompfact_matrix_destroy(&x->B);
    ompfact_matrix_destroy(&x->A);
    free(x->weights);
    if (x->sources_open[1])
        source_close(&x->rhs_source);
    if (x->sources_open[0])
        source_close(&x->matrix_source);
}
