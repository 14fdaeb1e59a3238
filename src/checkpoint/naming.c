/* The manifest of a run, as it grows, and its folder. */
#include "src/checkpoint/seal.h"

#include "src/io/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool naming_prepare(struct naming *n, const ompfact_matrix *A, const ompfact_checkpoints *how, uint64_t run,
                    const char *factorization, const char *pivot)
{
    struct manifest *m = &n->manifest;
    *n = (struct naming){ .folder = how->folder, .how = how, .kept = A->kept };
    *m = (struct manifest){ .run = run, .type = A->precision->type, .m = A->shape.m, .n = A->shape.n, .mt = A->mt, .nt = A->nt,
                            .structure = structure_letter(&A->shape),
                            .tiles = letter_of_tiles(A),
                            .heights = tiling_sizes(&A->rows), .widths = tiling_sizes(&A->cols),
                            .about = strdup(how->about != NULL ? how->about : "") };
    snprintf(m->factorization, sizeof m->factorization, "%s", factorization);
    snprintf(m->pivot, sizeof m->pivot, "%s", pivot);
    if (A->compressed != NULL) {
        const struct compression *how = &A->compressed->how;
        m->tolerance = how->tolerance;
        m->allowance = how->allowance;
        m->rounding = how->rounding;
        m->roundings = how->roundings;
        m->norm = A->compressed->norm;
        m->not_finite = A->compressed->not_finite;
    }
    return m->heights != NULL && m->widths != NULL && m->about != NULL;
}

bool naming_reserve(struct naming *n, int more)
{
    int room = n->finals + more;
    if (room <= n->room_for)
        return true;
    struct manifest_file *larger = realloc(n->manifest.file, 2 * (size_t)room * sizeof *larger);
    if (larger == NULL)
        return false;
    n->manifest.file = larger;
    n->room_for = 2 * room;
    return true;
}

void naming_begin(struct naming *n, int step, int epoch)
{
    n->manifest.step = step;
    n->manifest.kept = step < n->manifest.mt ? n->kept : 0;
    n->manifest.files = n->finals;
    n->epoch = epoch;
}

/* Files in work follow all final files. A new final file takes the place of the first file in work, which moves to the end. */
void naming_add(struct naming *n, const struct manifest_file *file, bool final)
{
    struct manifest *m = &n->manifest;
    if (file->bytes == 0)
        return;
    m->file[m->files] = *file;
    if (final) {
        m->file[m->files] = m->file[n->finals];
        m->file[n->finals++] = *file;
    }
    m->files++;
}

/* ---- the folder ------------------------------------------------------------------------------------------------------------ */

static void print_text(FILE *file, const void *text)
{
    fputs(text, file);
}

/* Final files stay as long as this run's checkpoints; a manifest that did not reach its place does not stay. */
static bool is_kept(const struct naming *n, const char *name)
{
    static const char begun[] = "manifest.json.part-";
    struct saved_name saved;
    if (strncmp(name, begun, sizeof begun - 1) == 0)
        return false;
    return !manifest_names(name, &saved) ||
           (saved.run == n->manifest.run && (saved.final || saved.epoch == n->epoch));
}

/* Removes files in work that no manifest names. */
static void remove_work(const struct naming *n)
{
    for (int f = n->finals; f < n->manifest.files; f++) {
        char *path = manifest_path(n->folder, n->manifest.file[f].name);
        if (path != NULL)
            unlink(path);
        free(path);
    }
}

/* Removes files of older checkpoints and of incomplete snapshots. Other files stay. */
static void remove_others(const struct naming *n)
{
    DIR *folder = opendir(n->folder);
    if (folder == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (!is_kept(n, entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
}

int naming_write(struct naming *n)
{
    char *path = manifest_path(n->folder, "manifest.json"), *text = manifest_write(&n->manifest);
    int error = path == NULL || text == NULL ? ENOMEM : sync_folder(n->folder);      /* names are on the disk before the manifest
                                                                                        that has them */
    if (error == 0)
        error = replace_by(path, print_text, text);
    free(path);
    free(text);
    if (error != 0) {
        remove_work(n);
        return error;
    }
    n->written++;
    remove_others(n);
    if (!n->announced && n->how->tell != NULL)
        n->how->tell(n->how->tell_context, n->manifest.step, NULL);
    n->announced = true;
    return 0;
}
