#include "src/command/case.h"

#include "layouts/unequal/plan.h"
#include "omp/kernels/flops.h"
#include "omp/kernels/packed_tile.h"
#include "src/choose/choose.h"
#include "src/command/plot.h"
#include "src/command/report.h"
#include "src/factor/pivot.h"
#include "src/solve/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ompfact_shape case_shape(const struct options *o, const struct problem *p, const struct speeds *speeds)
{
    ompfact_structure hermitian = o->uplo.value == OPTION_UPPER ? OMPFACT_HERMITIAN_UPPER : OMPFACT_HERMITIAN_LOWER;
    return (ompfact_shape){ .m = p->m, .n = p->n, .type = p->type, .nb = p->nb, .full_storage = o->storage.value == OPTION_FULL,
                            .structure = is_cholesky(o) ? hermitian : OMPFACT_GENERAL,
                            .accuracy = o->accuracy, .band = o->band, .max_rank = o->max_rank,
                            .layout = o->layout, .speeds = speeds->speed, .weights = p->weights,
                            .purpose = o->routine->inverts  ? OMPFACT_FOR_INVERSE
                                       : !is_qr(o)          ? OMPFACT_FOR_LU
                                       : o->routine->solves ? OMPFACT_FOR_LEAST_SQUARES
                                                            : OMPFACT_FOR_QR };
}

int case_weights(const struct options *o, struct problem *p, char text[COMMAND_TEXT])
{
    char why[LAYOUT_TEXT];
    int mt = (int)(p->m / p->nb + (p->m % p->nb != 0)), nt = (int)(p->n / p->nb + (p->n % p->nb != 0)), failed = 0;
    p->weights = NULL;
    if (o->weights != NULL && !predicts_weights(o))
        failed = weights_read(o->weights, mt, nt, &p->weights, why);
    else if (o->blr != NULL && mt > 0 && nt > 0)
        failed = weights_blr(o->blr, is_cholesky(o) ? LAYOUT_CHOLESKY : LAYOUT_LU, mt, nt, &p->weights, why);
    return failed ? refuse(text, "%s", why) : 0;
}

struct choice case_pivot(const struct options *o, int ranks)
{
    if (!is_lu(o))
        return (struct choice){ OMPFACT_PIVOT_NONE, NULL };
    if (o->pivot.value != OMPFACT_PIVOT_AUTO)
        return o->pivot;
    return ranks == 1 ? (struct choice){ OMPFACT_PIVOT_PARTIAL, "partial" }
                      : (struct choice){ OMPFACT_PIVOT_TOURNAMENT, "tournament" };
}

struct choice case_tree(const struct options *o)
{
    return o->tree.value != OMPFACT_TREE_AUTO ? o->tree : (struct choice){ OMPFACT_TREE_GREEDY, "greedy" };
}

double case_flops(const struct options *o, const struct problem *p)
{
    double m = (double)p->m, n = (double)p->n, k = m < n ? m : n;
    double flops = times_solution(o->routine) ? n * n * (double)p->nrhs
                   : is_cholesky(o)           ? n * n * n / 3
                   : is_lu(o)                 ? getrf_flops(m, n)
                                              : 2 * k * k * (m + n - k - k / 3);
    if (o->routine->factored)
        flops *= 2;         /* the inverse of a factor, or a solve with it, and the other one */
    return p->type == 'c' || p->type == 'z' ? 4 * flops : flops;
}

/* Tiles of others that one step reads at most: of each tile row and each tile column in which the rank has tiles, one, and the
   diagonal one. With pivoting, beside them, rows of each other rank in each tile column, candidates and pivots, and with partial
   pivoting the panel. */
static int64_t remote_tiles(const ompfact_matrix *A, bool cholesky, const struct pivoting *p)
{
    unsigned char *row = calloc((size_t)A->mt + 1, 1);
    int64_t rows = 0, cols = 0;
    for (int j = first_col(A, 0); row != NULL && A->mt > 0 && j < A->nt; j = first_col(A, j + 1)) {
        int first = first_row(A, j, cholesky ? j : 0);
        if (first < A->mt && !(cholesky && row[j]))
            cols++;
        for (int i = first; i < A->mt; i = next_row(A, i, j)) {
            rows += !row[i];
            row[i] = 1;
        }
    }
    free(row);
    int64_t beside = p == NULL ? 0 : cols * p->most_owners + (p->partial ? A->mt : 0) + 4;
    return A->ranks == 1 ? 0 : rows + cols + 1 + beside;
}

static struct run_needs needs_of(const ompfact_matrix *A, const struct options *o)
{
    struct run_needs needs = { .slot_bytes = matrix_largest_tile(A) };
    if (is_qr(o)) {
        qr_needs(A, case_tree(o).value, o->ib, &needs);
        return needs;
    }
    struct pivoting pivoting = { 0 };
    int pivot = case_pivot(o, A->ranks).value;
    bool pivots = pivot != OMPFACT_PIVOT_NONE && pivoting_plan(A, pivot == OMPFACT_PIVOT_PARTIAL, &pivoting);
    needs.tally.step_tiles = (int)remote_tiles(A, is_cholesky(o), pivots ? &pivoting : NULL);
    needs.tally.step_tiles_next = 2 * needs.tally.step_tiles;
    needs.bytes = pivots ? pivoting_bytes(&pivoting) : 0;
    size_t part = pivots ? pivoting_slot_bytes(&pivoting) : 0;
    needs.slot_bytes = part > needs.slot_bytes ? part : needs.slot_bytes;
    pivoting_forget(&pivoting);
    return needs;
}

/* Copies of the matrix and of right-hand sides that a refinement makes, in bytes, and the most that GMRES takes. */
static int64_t copies_to_refine(const ompfact_matrix *B, const struct options *o, int64_t matrix, int64_t rhs, int threads)
{
    if (!refines_in_mixed(o))
        return 0;
    return matrix / 2 + rhs / 2 + 2 * rhs + (o->refine.value == OMPFACT_REFINE_GMRES ? gmres_bytes(B, threads) : 0);
}

/* Those that the routine and then its check make. */
static int64_t copies_of(const ompfact_matrix *A, const ompfact_matrix *B, const struct options *o, int64_t matrix, int64_t rhs,
                         int threads)
{
    if (o->routine->inverts)
        return matrix;      /* the inverse beside the factors, and then the matrix beside it for the check */
    int64_t refine = copies_to_refine(B, o, matrix, rhs, threads), check = o->check ? matrix + rhs : 0;
    if (!is_qr(o))
        return check > refine ? check : refine;
    if (!o->routine->solves)
        return o->check ? 2 * matrix + matrix / 2 : 0;      /* A, Q and half of Q^H Q */
    bool wide = A->shape.m < A->shape.n;
    int64_t solution = wide ? rhs * (1 + A->shape.n / (A->shape.m > 0 ? A->shape.m : 1)) : rhs, transposed = wide ? matrix : 0;
    return solution + transposed + (o->check ? check + solution + transposed : 0);
}

size_t case_rhs_bytes(const ompfact_matrix *B, int rank)
{
    return B == NULL ? 0 : matrix_bytes(B, rank) + (B->work == NULL ? 0 : matrix_bytes(B->work, rank));
}

int64_t case_extra_memory(const ompfact_matrix *A, const ompfact_matrix *B, const struct options *o)
{
    struct run_needs needs = needs_of(A, o);
    if (o->schedule.value == OMPFACT_STATIC)
        needs.tally.step_tiles = needs.tally.step_tiles_next;
    int slots = run_cache_tiles(&needs.tally, &(struct run_settings){ .cache_tiles = o->cache });
    bool copies = A->grid == NULL || rma_copies(A->grid->rma);
    bool sparse = A->grid != NULL && A->compressed != NULL;     /* tiles are bounded as they are filled */
    int64_t matrix = sparse ? 0 : (int64_t)matrix_bytes(A, A->me), rhs = (int64_t)case_rhs_bytes(B, A->me);
    int64_t workspace = (int64_t)packed_workspace(A->precision, A->rows.largest, A->cols.largest);
    int threads = A->grid != NULL ? A->grid->settings.threads : o->threads > 0 ? o->threads : default_threads(1);
    int64_t cache = copies && !sparse ? (int64_t)slots * (int64_t)needs.slot_bytes : 0;
    return needs.bytes + threads * workspace + cache + copies_of(A, B, o, matrix, rhs, threads);
}

double case_perisum(const ompfact_matrix *A, const struct speeds *speeds)
{
    return plan_is_scheme(A->pattern->name) ? layout_perisum(speeds->speed, A->ranks) : NAN;
}

bool case_has_loads(const ompfact_matrix *A, const struct options *o, const struct speeds *speeds)
{
    return !is_qr(o) && times_factors(o->routine) && A->mt > 0 && A->nt > 0 &&
           (speeds->count > 0 || plan_is_scheme(A->pattern->name));
}

static int write_plot(const ompfact_matrix *A, const struct options *o, const struct device_plan *d, FILE *file,
                      char text[COMMAND_TEXT])
{
    bool empty = A->mt == 0 || A->nt == 0;
    struct plot plot = { .routine = o->routine->name, .m = A->shape.m, .n = A->shape.n, .nb = A->shape.nb,
                         .algorithm = is_cholesky(o) ? LAYOUT_CHOLESKY : LAYOUT_LU, .pattern = A->pattern,
                         .layout = empty ? NULL : A->layout, .mirrored = is_upper(&A->shape), .as_lu = is_qr(o),
                         .devices = d->devices, .host_share = d->share };
    return plot_write(&plot, file) == 0 ? 0 : refuse(text, "no memory to draw a layout");
}

int case_write_layout(const ompfact_matrix *A, const struct options *o, const struct device_plan *devices,
                      char text[COMMAND_TEXT])
{
    struct output map = { 0 }, owners = { 0 }, plot = { 0 };
    int code = output_open(&map, "map", o->map, text);
    if (code == 0)
        code = output_open(&owners, "owners", o->owners, text);
    if (code == 0)
        code = output_open(&plot, "plot", o->plot, text);
    if (code == 0 && map.file != NULL)
        pattern_write(A->pattern, map.file);
    if (code == 0 && owners.file != NULL && A->mt > 0 && A->nt > 0)
        layout_write_owners(A->layout, is_upper(&A->shape), owners.file);
    if (code == 0 && plot.file != NULL)
        code = write_plot(A, o, devices, plot.file, text);
    struct output *outputs[] = { &map, &owners, &plot };
    for (int i = 0; i < 3; i++)
        if (code == 0)
            code = output_close(outputs[i], text);
        else
            output_drop(outputs[i]);
    return code;
}
