/* Factors on disk, in the form of a checkpoint of a complete factorization. They are saved without a factorization, and loaded
   by a factorization that continues from the checkpoint and has no steps left. */
#include "src/checkpoint/restart.h"
#include "src/factor/signs.h"
#include "src/factor/snapshot.h"

#include <stdio.h>
#include <string.h>

/* ---- saving ---------------------------------------------------------------------------------------------------------------- */

/* The reason of a failure; "": none, or not received on this rank. */
struct save_failure {
    char failure[96];
};

static void note_failure(void *context, int step, const char *failure)
{
    struct save_failure *failed = context;
    (void)step;
    if (failure != NULL)
        snprintf(failed->failure, sizeof failed->failure, "%s", failure);
}

static ompfact_status check_saved(const ompfact_matrix *A)
{
    ompfact_grid *grid = A->grid;
    TRY(check_whole(A, NULL));
    if (A->contents != CONTENTS_CHOLESKY && A->contents != CONTENTS_INDEFINITE)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "the matrix does not hold factors of potrf, hetrf or sytrf with info 0");
    if (grid->restart != NULL)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "the grid waits to continue from checkpoint %.120s, so nothing is saved",
                    grid->restart->folder);
    return check_dense(A);
}

/* Saves to the place that grid->checkpoints has. */
static ompfact_status save(ompfact_matrix *A, const char *folder, const struct save_failure *failed)
{
    struct signs *signs = A->contents == CONTENTS_INDEFINITE ? signs_of(A) : NULL;
    struct job job = { .A = A, .algorithm = signs != NULL ? &indefinite : &cholesky, .signs = signs };
    int checkpoints;
    ompfact_status status = OMPFACT_SUCCESS;
    TRY(snapshot_save(&job, &checkpoints));
    if (A->me == 0 && checkpoints == 0)
        status = fail(A->grid, OMPFACT_BAD_ARGUMENT, "the factor could not be saved to %.100s: %s", folder, failed->failure);
    return agree(A->grid, status);
}

/* The grid's own checkpoints are suspended meanwhile. */
ompfact_status ompfact_save(ompfact_matrix *A, const char *folder)
{
    ompfact_grid *grid = A->grid;
    struct save_failure failed = { "" };
    ompfact_checkpoints how = { .folder = folder, .interval_s = 1e9, .tell = note_failure, .tell_context = &failed };
    TRY(check_saved(A));
    TRY(ompfact_bring_home(A));
    struct checkpoints *others = grid->checkpoints;
    grid->checkpoints = NULL;
    ompfact_status status = ompfact_checkpoint(grid, &how);
    if (status == OMPFACT_SUCCESS)
        status = save(A, folder, &failed);
    ompfact_checkpoint(grid, NULL);
    grid->checkpoints = others;
    return agree(grid, status);     /* after the first rank has removed its lock */
}

/* ---- loading --------------------------------------------------------------------------------------------------------------- */

/* The manifest is the same on every rank. */
static ompfact_status check_loaded(ompfact_grid *grid, const struct restart *from)
{
    const struct manifest *m = &from->manifest;
    bool known = strcmp(m->factorization, "potrf") == 0 || strcmp(m->factorization, "sytrf") == 0;
    int steps = m->mt < m->nt ? m->mt : m->nt;
    if (!known || m->tiles != 'd')
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s: manifest.json is of %s%s: dense factors of potrf, hetrf or "
                    "sytrf are loaded", from->folder, m->factorization, m->tiles == 'd' ? "" : " of tiles in other forms");
    if (m->step < steps)
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoint %.100s: manifest.json is of a factorization of which %d of %d "
                                                "steps are done: ompfact_restart() continues it", from->folder, m->step, steps);
    return OMPFACT_SUCCESS;
}

static ompfact_structure structure_of(char letter)
{
    static const char letters[] = "glust";
    static const ompfact_structure structures[] = { OMPFACT_GENERAL, OMPFACT_HERMITIAN_LOWER, OMPFACT_HERMITIAN_UPPER,
                                                    OMPFACT_SYMMETRIC_LOWER, OMPFACT_SYMMETRIC_UPPER };
    return structures[strchr(letters, letter) - letters];
}

/* The butterfly for this kind of pivoting: see signs_pivoting(). */
static ompfact_butterfly butterfly_behind(const char *pivoting)
{
    static const ompfact_butterfly butterflies[] = { OMPFACT_BUTTERFLY_NONE, OMPFACT_BUTTERFLY_ONE, OMPFACT_BUTTERFLY_TWO };
    int depth = 0;
    while (depth < 2 && strcmp(pivoting, signs_pivoting(depth)) != 0)
        depth++;
    return butterflies[depth];
}

/* Continues the factorization, which has no steps left, without the grid's checkpoints. */
static ompfact_status continue_to_end(ompfact_matrix *A, bool definite, ompfact_butterfly butterfly)
{
    ompfact_grid *grid = A->grid;
    struct checkpoints *others = grid->checkpoints;
    ompfact_butterfly before = grid->butterfly;
    int64_t info = 0;
    grid->checkpoints = NULL;
    grid->butterfly = butterfly;
    ompfact_status status = definite ? ompfact_potrf(A, &info) : is_hermitian(&A->shape) ? ompfact_hetrf(A, &info)
                                                                                         : ompfact_sytrf(A, &info);
    grid->checkpoints = others;
    grid->butterfly = before;
    return status;
}

static ompfact_status load(ompfact_grid *grid, ompfact_matrix **A)
{
    const struct manifest *m = &grid->restart->manifest;
    bool definite = strcmp(m->factorization, "potrf") == 0;
    ompfact_shape shape = { .m = m->m, .n = m->n, .type = m->type, .structure = structure_of(m->structure),
                            .row_heights = m->heights, .mt = m->mt, .col_widths = m->widths, .nt = m->nt,
                            .nb = m->mt > 0 ? grid->restart->tiles->rows.largest : 0 };
    ompfact_butterfly butterfly = butterfly_behind(m->pivot);
    TRY(check_loaded(grid, grid->restart));
    TRY(ompfact_matrix_create(grid, &shape, A));
    return matrix_only_after(continue_to_end(*A, definite, butterfly), A);
}

ompfact_status ompfact_load(ompfact_grid *grid, const char *folder, ompfact_matrix **A)
{
    *A = NULL;
    if (folder == NULL || grid->restart != NULL)
        return fail(grid, OMPFACT_BAD_ARGUMENT, folder == NULL ? "a factor is loaded from a folder"
                                                               : "the grid waits to continue from a checkpoint, so nothing is "
                                                                 "loaded");
    TRY(ompfact_restart(grid, folder));
    ompfact_status status = load(grid, A);
    restart_free(&grid->restart);
    return status;
}
