/* Patterns and counts for programs that have no matrix yet. */
#include "src/choose/choose.h"

#include "layouts/unequal/plan.h"
#include "src/matrix/layers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Converts a pattern to the caller's form. The pattern is NULL after a failure with this status and text. */
static ompfact_status publish(ompfact_status status, struct pattern *p, const char *text, ompfact_pattern **pattern,
                              char *message)
{
    *pattern = status == OMPFACT_SUCCESS ? malloc(sizeof **pattern) : NULL;
    if (*pattern != NULL) {
        **pattern = (ompfact_pattern){ .ranks = p->ranks, .rows = p->rows, .cols = p->cols, .cell = p->cell,
                                       .cost_lu = pattern_cost_lu(p), .cost_cholesky = pattern_cost_cholesky(p) };
        snprintf((*pattern)->name, sizeof (*pattern)->name, "%s", p->name);
        p->cell = NULL;
    } else if (status == OMPFACT_SUCCESS) {
        status = OMPFACT_NO_MEMORY;
        text = "no memory for a pattern";
    }
    if (status != OMPFACT_SUCCESS)
        fail_with(message, status, text);
    pattern_destroy(&p);
    return status;
}

ompfact_status ompfact_pattern_create(const char *layout, int ranks, ompfact_pattern **pattern, char *message)
{
    char text[LAYOUT_TEXT];
    struct pattern *p;
    ompfact_status status = status_of_layout(pattern_create(layout == NULL ? "auto" : layout, ranks, &p, text));
    return publish(status, p, text, pattern, message);
}

ompfact_status ompfact_pattern_create_for(const ompfact_shape *shape, int ranks, ompfact_pattern **pattern, char *message)
{
    char text[MESSAGE] = "a layout needs at least one rank";
    struct pattern *p = NULL;
    ompfact_matrix *A = NULL;
    ompfact_shape tiled = *shape;
    ompfact_status status = ranks < 1 ? OMPFACT_BAD_ARGUMENT : shape_guess_nb(shape, ranks, &tiled.nb, text);
    if (status == OMPFACT_SUCCESS && copies_of_shape(shape) == 1)
        status = shape_pattern(&tiled, ranks, 0, &p, text);
    else if (status == OMPFACT_SUCCESS)
        status = shape_on_paper(&tiled, ranks, 0, 0, &A, text);
    if (A != NULL && (p = pattern_copy(A->pattern)) == NULL)
        status = fail_with(text, OMPFACT_NO_MEMORY, "no memory for a pattern");
    ompfact_matrix_destroy(&A);
    return publish(status, p, text, pattern, message);
}

void ompfact_pattern_destroy(ompfact_pattern **pattern)
{
    if (*pattern != NULL)
        free((*pattern)->cell);
    free(*pattern);
    *pattern = NULL;
}

/* The first layer on its ranks alone: their pattern, with their own numbers, and their speeds. */
struct first_layer {
    struct pattern *pattern;
    double *speeds;             /* NULL: equal */
};

static void forget_first(struct first_layer *of)
{
    pattern_destroy(&of->pattern);
    free(of->speeds);
}

/* False: no memory. */
static bool take_first(const ompfact_matrix *A, const double *speeds, struct first_layer *of)
{
    const struct roster *r = A->layers != NULL ? &A->layers->roster : NULL;
    int ranks = r != NULL ? roster_ranks(r, 0) : A->ranks;
    *of = (struct first_layer){ .pattern = pattern_copy(A->pattern) };
    if (speeds != NULL)
        of->speeds = malloc((size_t)ranks * sizeof *speeds);
    struct pattern *p = of->pattern;
    if (p == NULL || (speeds != NULL && of->speeds == NULL))
        return false;
    p->ranks = ranks;
    for (int64_t c = 0; r != NULL && c < (int64_t)p->rows * p->cols; c++)
        p->cell[c] = p->cell[c] == LAYOUT_FREE ? LAYOUT_FREE : r->place[p->cell[c]];
    for (int i = 0; speeds != NULL && i < ranks; i++)
        of->speeds[i] = speeds[r != NULL ? r->rank[i] : i];
    return true;
}

struct qr_options {
    ompfact_tree tree;
    int ib;
};

/* The counts that follow from the pattern alone. */
static ompfact_status count_pattern(const struct first_layer *of, enum layout_algorithm algorithm, ompfact_layout_counts *counts,
                                    char message[MESSAGE])
{
    const struct pattern *p = of->pattern;
    bool scheme = plan_is_scheme(p->name);
    *counts = (ompfact_layout_counts){
        .pattern_rows = p->rows, .pattern_cols = p->cols,
        .cost = algorithm == LAYOUT_CHOLESKY ? pattern_cost_cholesky(p) : pattern_cost_lu(p),
        .cost_bound = pattern_bound(p, algorithm, of->speeds),
        .perisum = scheme ? layout_perisum(of->speeds, p->ranks) : NAN };
    snprintf(counts->name, sizeof counts->name, "%s", p->name);
    if (isnan(counts->cost) || isnan(counts->cost_bound) || (scheme && isnan(counts->perisum)))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to sum up a layout");
    return OMPFACT_SUCCESS;
}

ompfact_status layout_counts(const ompfact_matrix *A, const double *speeds, ompfact_layout_counts *counts, char message[MESSAGE])
{
    enum layout_algorithm algorithm = stores_triangle(&A->shape) ? LAYOUT_CHOLESKY : LAYOUT_LU;
    struct layout_summary s = { .flops_max_over_mean = 1 };
    CLEANUP(forget_first) struct first_layer of;
    bool empty = A->mt == 0 || A->nt == 0;
    double abe = empty ? 1 : layout_abe_max_over_mean(A->layout, algorithm, speeds);
    if (!take_first(A, speeds, &of) || isnan(abe) || (!empty && layout_summarise(A->layout, algorithm, &s) != 0))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to sum up a layout");
    TRY(count_pattern(&of, algorithm, counts, message));
    counts->transfers = s.transfers;
    counts->tiles_max = s.tiles_max;
    counts->tiles_min = s.tiles_min;
    counts->flops_max_over_mean = s.flops_max_over_mean;
    counts->abe_max_over_mean = abe;
    counts->max_ranks_per_row = s.max_ranks_per_row;
    counts->max_ranks_per_col = s.max_ranks_per_col;
    counts->bytes_max = matrix_bytes(A, fullest_rank(A));
    if (A->layers != NULL && !empty && !layers_sum_up(A, speeds, counts))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to sum up layers");
    return OMPFACT_SUCCESS;
}

/* The counts that the layout alone does not give. */
static ompfact_status count_qr(ompfact_matrix *A, const struct qr_options *qr, ompfact_layout_counts *counts,
                               char message[MESSAGE])
{
    struct task_counts counted;
    if (stores_triangle(&A->shape))
        return fail_with(message, OMPFACT_BAD_ARGUMENT, "geqrf needs a shape that is OMPFACT_GENERAL");
    if (!qr_count(A, qr->tree, qr->ib, NULL, NULL, &counted))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to count the transfers of QR");
    counts->transfers = counted.transfers;
    counts->flops_max_over_mean = counted.flops_max_over_mean;
    counts->abe_max_over_mean = counted.abe_max_over_mean;
    return OMPFACT_SUCCESS;
}

/* qr: NULL for Cholesky and LU. */
static ompfact_status count_shape(const ompfact_shape *shape, int ranks, const struct qr_options *qr,
                                  ompfact_layout_counts *counts, char *message)
{
    char text[MESSAGE] = "a layout needs at least one rank";
    ompfact_matrix *A = NULL;
    ompfact_shape tiled = *shape;
    ompfact_status status = ranks < 1 ? OMPFACT_BAD_ARGUMENT : shape_guess_nb(shape, ranks, &tiled.nb, text);
    if (status == OMPFACT_SUCCESS)
        status = shape_on_paper(&tiled, ranks, 0, 0, &A, text);
    if (status == OMPFACT_SUCCESS)
        status = layout_counts(A, A->shape.speeds, counts, text);
    if (status == OMPFACT_SUCCESS && qr != NULL)
        status = count_qr(A, qr, counts, text);
    if (status == OMPFACT_SUCCESS && !shape_weigh(&tiled, A->layout, &counts->flops_max_over_mean))
        status = fail_with(text, OMPFACT_NO_MEMORY, "no memory for the weights of a layout");
    ompfact_matrix_destroy(&A);
    return status == OMPFACT_SUCCESS ? status : fail_with(message, status, text);
}

ompfact_status ompfact_layout_count(const ompfact_shape *shape, int ranks, ompfact_layout_counts *counts, char *message)
{
    return count_shape(shape, ranks, NULL, counts, message);
}

ompfact_status ompfact_layout_count_qr(const ompfact_shape *shape, int ranks, ompfact_tree tree, int ib,
                                       ompfact_layout_counts *counts, char *message)
{
    return count_shape(shape, ranks, &(struct qr_options){ tree, ib }, counts, message);
}

/* ---- names and weights ----------------------------------------------------------------------------------------------------- */

void ompfact_layout_names(char text[OMPFACT_LAYOUT_NAMES])
{
    pattern_schemes(text);
}

ompfact_status ompfact_weights_read(const char *path, int mt, int nt, double **weights, char *message)
{
    char text[LAYOUT_TEXT];
    ompfact_status status = status_of_layout(weights_read(path, mt, nt, weights, text));
    return status == OMPFACT_SUCCESS ? status : fail_with(message, status, text);
}

ompfact_status ompfact_weights_blr(const char *how, bool hermitian, int mt, int nt, double **weights, char *message)
{
    char text[LAYOUT_TEXT];
    enum layout_algorithm algorithm = hermitian ? LAYOUT_CHOLESKY : LAYOUT_LU;
    ompfact_status status = status_of_layout(weights_blr(how, algorithm, mt, nt, weights, text));
    return status == OMPFACT_SUCCESS ? status : fail_with(message, status, text);
}
