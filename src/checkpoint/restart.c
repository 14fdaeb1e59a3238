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
    struct restart *r = calloc(1, sizeof *r);
    if (r != NULL)
        r->appends = appends;
    ompfact_status status = restart_read(grid, folder, r);
    if (status == OMPFACT_SUCCESS) {
        restart_free(&grid->restart);
        grid->restart = r;
    } else {
        restart_free(&r);
    }
    return status;
}

ompfact_status ompfact_restart(ompfact_grid *grid, const char *folder)
{
    return begin_restart(grid, folder, false);
}

ompfact_status ompfact_restart_append(ompfact_grid *grid, const char *folder)
{
    return begin_restart(grid, folder, true);
}

/* Tile sizes of a side: those of the checkpoint up to a place, and then parts of nb. */
static int64_t parts_of(const int *sizes, int done, int64_t size, int nb)
{
    int64_t rest = size;
    for (int i = 0; i < done; i++)
        rest -= sizes[i];
    return done + rest / nb + (rest % nb != 0);
}

/* NULL: no memory. */
static int *cut(const int *sizes, int done, int64_t size, int nb, int *count)
{
    int64_t at = 0;
    *count = (int)parts_of(sizes, done, size, nb);
    int *parts = malloc(((size_t)*count + 1) * sizeof *parts);
    for (int i = 0; parts != NULL && i < *count; i++) {
        int64_t left = size - at;
        parts[i] = i < done ? sizes[i] : left < nb ? (int)left : nb;
        at += parts[i];
    }
    return parts;
}

static int *same(const int *sizes, int count)
{
    int *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (copy != NULL && count > 0)
        memcpy(copy, sizes, (size_t)count * sizeof *copy);
    return copy;
}

ompfact_status ompfact_restart_read(const char *folder, int nb, ompfact_restarted *restarted, char *message)
{
    struct manifest m;
    char why[MANIFEST_TEXT];
    *restarted = (ompfact_restarted){ .step = -1 };
    if (manifest_read(folder, &m, why) != 0) {
        manifest_forget(&m);
        return refuse_manifest(message, folder, why);
    }
    int fixed = m.step > m.kept ? m.step : m.kept;
    if (nb > 0 && (parts_of(m.heights, fixed, m.m, nb) > INT_MAX || parts_of(m.widths, fixed, m.n, nb) > INT_MAX)) {
        manifest_forget(&m);
        return refuse_manifest(message, folder, "has a matrix that would have too many tiles of that size");
    }
    restarted->m = m.m;
    restarted->n = m.n;
    restarted->type = m.type;
    restarted->step = m.step;
    restarted->mt = m.mt;
    restarted->nt = m.nt;
    restarted->row_heights = nb > 0 ? cut(m.heights, fixed, m.m, nb, &restarted->mt) : same(m.heights, m.mt);
    restarted->col_widths = nb > 0 ? cut(m.widths, fixed, m.n, nb, &restarted->nt) : same(m.widths, m.nt);
    restarted->about = m.about;
    m.about = NULL;
    manifest_forget(&m);
    if (restarted->row_heights != NULL && restarted->col_widths != NULL && restarted->about != NULL)
        return OMPFACT_SUCCESS;
    ompfact_restarted_forget(restarted);
    return fail_with(message, OMPFACT_NO_MEMORY, "no memory for a checkpoint's tile sizes");
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

/* Checks settings that do not allow appended rows. */
static int refuse_sums(const ompfact_matrix *A, const struct restart *r)
{
    fail(A->grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s: rows are appended to a factor without checksums: omit abft",
         r->folder);
    return -1;
}

int restart_suits(const ompfact_matrix *A, const char *factorization, const char *pivot)
{
    const struct restart *r = A->grid->restart;
    if (r == NULL)
        return 0;
    const struct manifest *m = &r->manifest;
    if (strcmp(m->factorization, factorization) != 0 || m->type != A->precision->type || !has_size(r, A) ||
        m->structure != structure_letter(&A->shape))
        return 0;
    if (strcmp(m->pivot, pivot) != 0 || m->tiles != letter_of_tiles(A)) {
        fail(A->grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s is of %s with pivoting %s, and of %s tiles", r->folder,
             m->factorization, m->pivot, name_of_tiles(m->tiles));
        return -1;
    }
    if (A->compressed != NULL && (!cut_as(&A->rows, m->heights, m->mt) || !cut_as(&A->cols, m->widths, m->nt))) {
        fail(A->grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s has %s tiles, which keep their size: omit --nb", r->folder,
             name_of_tiles(m->tiles));
        return -1;
    }
    int kept = restart_kept(A), fixed = m->step > kept ? m->step : kept;
    if (kept > 0 && A->has_sums)
        return refuse_sums(A, r);
    if (!cut_alike(&A->rows, m->heights, fixed) || !cut_alike(&A->cols, m->widths, fixed)) {
        fail(A->grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s has other tiles in its first %d steps: see ompfact_restart_read()",
             r->folder, fixed);
        return -1;
    }
    return 1;
}
