/* A checkpoint to continue from: finds it, reads it, and checks that it suits a matrix. */
#include "src/checkpoint/restart.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static ompfact_status refuse_manifest(char *message, const char *folder, const char *why)
{
    char text[MESSAGE];
    snprintf(text, sizeof text, "checkpoint %.100s: manifest.json %.120s", folder, why);
    return fail_with(message, OMPFACT_BAD_ARGUMENT, text);
}

/* Checks that all ranks have read the same manifest. */
static ompfact_status check_same(ompfact_grid *grid, const struct restart *r)
{
    int64_t mine[] = { (int64_t)(r->manifest.run >> 1), r->manifest.step, r->manifest.files };
    int64_t ends[] = { mine[0], mine[1], mine[2], -mine[0], -mine[1], -mine[2] };
    TRY_MPI(grid, rma_allreduce(grid->rma, ends, 6, MPI_INT64_T, MPI_MAX));
    if (ends[0] == -ends[3] && ends[1] == -ends[4] && ends[2] == -ends[5])
        return OMPFACT_SUCCESS;
    return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.120s: ranks read different files manifest.json there", r->folder);
}

/* Rows can be appended only to a whole factor of dense tiles. */
static ompfact_status check_appends(ompfact_grid *grid, const struct restart *r)
{
    const struct manifest *m = &r->manifest;
    if (strcmp(m->factorization, "potrf") != 0 || m->tiles != 'd')
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s: manifest.json is of %s%s: rows are appended to dense factors "
                    "of potrf", r->folder, m->factorization, m->tiles != 'd' ? " of compressed tiles" : "");
    if (m->step < m->nt)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s: manifest.json is of a factorization of which %d of %d "
                                                "steps are done: ompfact_restart() continues it", r->folder, m->step, m->nt);
    return OMPFACT_SUCCESS;
}

/* Collective. */
static ompfact_status restart_read(ompfact_grid *grid, const char *folder, struct restart *r)
{
    char why[MANIFEST_TEXT];
    ompfact_status status = OMPFACT_SUCCESS;
    if (r == NULL || (r->folder = strdup(folder)) == NULL)
        status = fail(grid, OMPFACT_NO_MEMORY, "rank %d: no memory for a checkpoint", rma_rank(grid->rma));
    else if (manifest_read(folder, &r->manifest, why) != 0)
        status = refuse_manifest(grid->message, folder, why);
    TRY(agree(grid, status));
    TRY(check_same(grid, r));
    if (r->appends)
        TRY(check_appends(grid, r));
    return saved_open(grid, r);
}

static ompfact_status begin_restart(ompfact_grid *grid, const char *folder, bool appends)
{
    grid->forget_checkpoints = checkpoints_forget_all;
    if (folder == NULL) {
        restart_free(&grid->restart);
        return OMPFACT_SUCCESS;
    }
    CLEANUP(restart_free) struct restart *r = calloc(1, sizeof *r);
    if (r != NULL)
        r->appends = appends;
    TRY(restart_read(grid, folder, r));
    restart_free(&grid->restart);
    grid->restart = r;
    r = NULL;
    return OMPFACT_SUCCESS;
}

ompfact_status ompfact_restart(ompfact_grid *grid, const char *folder)
{
    return begin_restart(grid, folder, false);
}

ompfact_status ompfact_restart_append(ompfact_grid *grid, const char *folder)
{
    return begin_restart(grid, folder, true);
}

/* nb 0: the tiles of the checkpoint; else parts of nb behind those that must stay. */
static int *cut_side(const struct manifest *m, const int *sizes, int count, int64_t size, int nb, int64_t *parts)
{
    int fixed = m->step > m->kept ? m->step : m->kept;
    return nb > 0 ? tiling_cut(sizes, fixed, size, nb, 0, parts) : tiling_cut(sizes, count, size, 1, 0, parts);
}

ompfact_status ompfact_restart_read(const char *folder, int nb, ompfact_restarted *restarted, char *message)
{
    CLEANUP(manifest_forget) struct manifest m;
    char why[MANIFEST_TEXT];
    int64_t rows, cols;
    *restarted = (ompfact_restarted){ .step = -1 };
    if (manifest_read(folder, &m, why) != 0)
        return refuse_manifest(message, folder, why);
    *restarted = (ompfact_restarted){ .m = m.m, .n = m.n, .type = m.type, .step = m.step,
                                      .row_heights = cut_side(&m, m.heights, m.mt, m.m, nb, &rows),
                                      .col_widths = cut_side(&m, m.widths, m.nt, m.n, nb, &cols), .about = m.about };
    m.about = NULL;
    restarted->mt = (int)rows;
    restarted->nt = (int)cols;
    if (restarted->row_heights != NULL && restarted->col_widths != NULL && restarted->about != NULL)
        return OMPFACT_SUCCESS;
    ompfact_restarted_forget(restarted);
    return rows > INT_MAX || cols > INT_MAX
               ? refuse_manifest(message, folder, "has a matrix that would have too many tiles of that size")
               : fail_with(message, OMPFACT_NO_MEMORY, "no memory for a checkpoint's tile sizes");
}

void ompfact_restarted_forget(ompfact_restarted *restarted)
{
    free(restarted->row_heights);
    free(restarted->col_widths);
    free(restarted->about);
    *restarted = (ompfact_restarted){ .step = -1 };
}

static bool cut_alike(const struct tiling *t, const int *sizes, int done)
{
    for (int i = 0; i < done; i++)
        if (i >= t->count || tiling_size(t, i) != sizes[i])
            return false;
    return true;
}

static bool cut_as(const struct tiling *t, const int *sizes, int count)
{
    return t->count == count && cut_alike(t, sizes, count);
}

int restart_steps(const ompfact_grid *grid, const char *factorization, int64_t m, int64_t n)
{
    const struct restart *r = grid->restart;
    bool suits = r != NULL && strcmp(r->manifest.factorization, factorization) == 0 && r->manifest.m == m && r->manifest.n == n;
    return suits ? r->manifest.step : 0;
}

static bool has_size(const struct restart *r, const ompfact_matrix *A)
{
    const struct manifest *m = &r->manifest;
    return r->appends ? m->m <= A->shape.m && m->n <= A->shape.n : m->m == A->shape.m && m->n == A->shape.n;
}

int restart_kept(const ompfact_matrix *A)
{
    const struct restart *r = A->grid->restart;
    return r->appends && r->manifest.nt < A->nt ? r->manifest.nt : r->manifest.kept;
}

ompfact_status restart_suits(const ompfact_matrix *A, const char *factorization, const char *pivot, bool *suits)
{
    ompfact_grid *grid = A->grid;
    const struct restart *r = grid->restart;
    const struct manifest *m = r != NULL ? &r->manifest : NULL;
    *suits = r != NULL && strcmp(m->factorization, factorization) == 0 && m->type == A->precision->type && has_size(r, A) &&
             m->structure == structure_letter(&A->shape);
    if (!*suits)
        return OMPFACT_SUCCESS;
    int kept = restart_kept(A), fixed = m->step > kept ? m->step : kept;
    if (strcmp(m->pivot, pivot) != 0 || m->tiles != letter_of_tiles(A))
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s is of %s with pivoting %s, and of %s tiles", r->folder,
                    m->factorization, m->pivot, name_of_tiles(m->tiles));
    if (A->compressed != NULL && (!cut_as(&A->rows, m->heights, m->mt) || !cut_as(&A->cols, m->widths, m->nt)))
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s has %s tiles, which keep their size: omit --nb", r->folder,
                    name_of_tiles(m->tiles));
    if (kept > 0 && A->has_sums)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s: rows are appended to a factor without checksums: omit abft",
                    r->folder);
    if (!cut_alike(&A->rows, m->heights, fixed) || !cut_alike(&A->cols, m->widths, fixed))
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s has other tiles in its first %d steps: see "
                    "ompfact_restart_read()", r->folder, fixed);
    return OMPFACT_SUCCESS;
}
