/* The public interface to checkpoints: where the library makes them. */
#include "src/checkpoint/restart.h"

#include "src/io/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void checkpoints_free(struct checkpoints **checkpoints)
{
    if (*checkpoints == NULL)
        return;
    folder_unlock(&(*checkpoints)->lock);
    free((char *)(*checkpoints)->how.folder);
    free((char *)(*checkpoints)->how.about);
    free(*checkpoints);
    *checkpoints = NULL;
}

void checkpoints_forget_all(ompfact_grid *grid)
{
    checkpoints_free(&grid->checkpoints);
    restart_free(&grid->restart);
}

/* ---- a folder to write to -------------------------------------------------------------------------------------------------- */

static int try_folder(const char *folder)
{
    struct stat status;
    int error = make_folders(folder, 0777);
    char *path = manifest_path(folder, "manifest.json");
    if (error == 0)
        error = stat(folder, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    if (error == 0)
        error = path == NULL ? ENOMEM : replace_try(path);
    free(path);
    return error;
}

static ompfact_status refuse_folder(ompfact_grid *grid, const char *folder, int error)
{
    if (error == 0)
        return OMPFACT_SUCCESS;
    return fail(grid, OMPFACT_BAD_ARGUMENT, "rank %d: checkpoints cannot be written to %.120s: %s", rma_rank(grid->rma), folder,
                strerror(error));
}

/* All other ranks must see what the first rank has put there: the folder may be local to each node. */
static ompfact_status check_shared(ompfact_grid *grid, const char *folder)
{
    bool first = rma_rank(grid->rma) == 0;
    int64_t number = (int64_t)getpid();
    char name[SAVED_NAME];
    TRY_MPI(grid, rma_bcast(grid->rma, &number, 1, MPI_INT64_T, 0));
    manifest_name(name, (uint64_t)number, 0, 0, false);
    char *path = manifest_path(folder, name);
    int file = first && path != NULL ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    ompfact_status status = agree(grid, refuse_folder(grid, folder, path == NULL ? ENOMEM : first && file < 0 ? errno : 0));
    if (status == OMPFACT_SUCCESS && access(path, F_OK) != 0)
        status = fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoints need a folder that all ranks share: rank %d has another %.120s "
                                                  "than rank 0", rma_rank(grid->rma), folder);
    status = agree(grid, status);
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    free(path);
    return status;
}

ompfact_status ompfact_checkpoint(ompfact_grid *grid, const ompfact_checkpoints *how)
{
    grid->forget_checkpoints = checkpoints_forget_all;
    if (how == NULL) {
        checkpoints_free(&grid->checkpoints);
        return OMPFACT_SUCCESS;
    }
    if (!OF_THIS_VERSION(how))
        return fail(grid, OMPFACT_BAD_ARGUMENT, 
                    "ompfact_checkpoints.reserved is not zero: the structure was never zeroed, or has a later version");
    if (how->folder == NULL || how->folder[0] == '\0' || !(how->interval_s > 0) || !isfinite(how->interval_s))
        return fail(grid, OMPFACT_BAD_ARGUMENT, "checkpoints need a folder, and an interval of more than 0 s");
    TRY(agree(grid, rma_rank(grid->rma) == 0 ? refuse_folder(grid, how->folder, try_folder(how->folder)) : OMPFACT_SUCCESS));
    TRY(agree(grid, refuse_folder(grid, how->folder, access(how->folder, R_OK | W_OK | X_OK) != 0 ? errno : 0)));
    TRY(check_shared(grid, how->folder));
    CLEANUP(folder_unlock) struct folder_lock *lock = NULL;
    TRY(folder_lock(grid, how->folder, &lock));
    CLEANUP(checkpoints_free) struct checkpoints *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->how = *how;
        c->how.folder = strdup(how->folder);
        c->how.about = how->about != NULL ? strdup(how->about) : NULL;
    }
    bool whole = c != NULL && c->how.folder != NULL && (how->about == NULL || c->how.about != NULL);
    TRY(agree_memory(grid, whole, "for checkpoints"));      /* on failure the previous settings stay */
    checkpoints_free(&grid->checkpoints);
    grid->checkpoints = c;
    c->lock = lock;
    lock = NULL;
    c = NULL;
    return OMPFACT_SUCCESS;
}

void ompfact_stop(ompfact_grid *grid)
{
    atomic_store(&grid->stops, true);
}
