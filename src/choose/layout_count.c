/* Patterns and counts for callers who have no matrix yet. */
#include "src/choose/choose.h"

#include "layouts/unequal/plan.h"
#include "src/matrix/layers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Turns a pattern, NULL after a failure with this status and text, into the caller's. */
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
    ompfact_shape tiled = *shape;
    ompfact_status status = ranks < 1 ? OMPFACT_BAD_ARGUMENT : shape_guess_nb(shape, ranks, &tiled.nb, text);
    if (status == OMPFACT_SUCCESS)
        status = shape_pattern(&tiled, ranks, 0, &p, text);
    return publish(status, p, text, pattern, message);
}

void ompfact_pattern_destroy(ompfact_pattern **pattern)
{
    if (*pattern != NULL)
        free((*pattern)->cell);
    free(*pattern);
    *pattern = NULL;
}

int fullest_rank(const ompfact_matrix *A)
{
    int fullest = 0;
    for (int rank = 1; rank < A->ranks; rank++)
        if (tiles_of_rank(A, rank) > tiles_of_rank(A, fullest))
            fullest = rank;
    return fullest;
}

/* As it is on these ranks alone: what no pattern for them is better than goes by how many there are. */
static struct pattern pattern_of_first_layer(const ompfact_matrix *A)
{
    struct pattern p = *A->pattern;
    p.ranks = ranks_of_layer(A->ranks, layers_count(A), 0);
    return p;
}

struct qr_options {
    ompfact_tree tree;
    int ib;
};

ompfact_status layout_counts(const ompfact_matrix *A, const double *speeds, ompfact_layout_counts *counts, char message[MESSAGE])
{
    bool cholesky = stores_triangle(&A->shape);
    const struct pattern of_layer = pattern_of_first_layer(A), *p = &of_layer;
    struct layout_summary s = { .flops_max_over_mean = 1 };
    enum layout_algorithm algorithm = cholesky ? LAYOUT_CHOLESKY : LAYOUT_LU;
    bool empty = A->mt == 0 || A->nt == 0;
    double abe = empty ? 1 : layout_abe_max_over_mean(A->layout, algorithm, speeds);
    if (isnan(abe) || (!empty && layout_summarise(A->layout, algorithm, &s) != 0))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to sum up a layout");
    *counts = (ompfact_layout_counts){
        .pattern_rows = p->rows, .pattern_cols = p->cols, .cost = cholesky ? pattern_cost_cholesky(p) : pattern_cost_lu(p),
        .cost_bound = pattern_bound(p, algorithm, speeds),
        .transfers = s.transfers, .tiles_max = s.tiles_max, .tiles_min = s.tiles_min,
        .flops_max_over_mean = s.flops_max_over_mean,
        .abe_max_over_mean = abe, .perisum = plan_is_scheme(p->name) ? layout_perisum(speeds, p->ranks) : NAN,
        .max_ranks_per_row = s.max_ranks_per_row, .max_ranks_per_col = s.max_ranks_per_col,
        .bytes_max = matrix_bytes(A, fullest_rank(A)) };
    snprintf(counts->name, sizeof counts->name, "%s", p->name);
    if (A->layers != NULL && !empty && !layers_sum_up(A, counts))
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to sum up layers");
    bool perisum_lacks = plan_is_scheme(p->name) && isnan(counts->perisum);
    if (isnan(counts->cost) || isnan(counts->cost_bound) || perisum_lacks)
        return fail_with(message, OMPFACT_NO_MEMORY, "no memory to sum up a layout");
    return OMPFACT_SUCCESS;
}

/* What is not known from the layout alone. */
static ompfact_status count_qr(ompfact_matrix *A, const struct qr_options *qr, ompfact_layout_counts *counts,
                               char message[MESSAGE])
{
    struct qr_counts counted;
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
    struct pattern *pattern = NULL;
    ompfact_matrix *A = NULL;
    ompfact_shape tiled = *shape;
    ompfact_status status = ranks < 1 ? OMPFACT_BAD_ARGUMENT : shape_guess_nb(shape, ranks, &tiled.nb, text);
    if (status == OMPFACT_SUCCESS)
        status = shape_pattern(&tiled, ranks, 0, &pattern, text);
    if (status == OMPFACT_SUCCESS)
        status = matrix_on_paper(&tiled, pattern, 0, &A, text);
    if (status == OMPFACT_SUCCESS)
        status = shape_add_layers(&tiled, 0, A, text);
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
