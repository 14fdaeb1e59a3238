/* Checks of the files that a command line names, before the command uses them. */
#include "src/command/options_parts.h"
#include "src/io/replace.h"
#include "src/ompfact.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL if the value names no file. */
static const char *path_of(const struct options *o, const struct option *option)
{
    const char *value = option->file == FILE_NONE ? NULL : *(const char *const *)((const char *)o + option->field);
    if (value == NULL || value[0] == '\0' || strcmp(value, "-") == 0 || word_index(option->form, value) > 0)
        return NULL;
    size_t before = option->file_after == NULL ? 0 : strlen(option->file_after);
    return before == 0 || strncmp(value, option->file_after, before) == 0 ? value + before : NULL;
}

static bool is_written(const struct options *o, const struct option *option)
{
    bool by_this = option->file == FILE_REPORTED || (option->file == FILE_TRACED && o->simulate != NULL) ||
                   ((option->file == FILE_WRITTEN || option->file == FILE_TRACED) && !o->dry_run);
    return path_of(o, option) != NULL && by_this;
}

/* Two files that are read may be the same; no other two may. */
static int check_apart(const struct options *o, const struct option *option, char *text)
{
    const char *path = path_of(o, option);
    for (const struct option *other = option_table; other->name != NULL; other++) {
        bool clashes = other->file == FILE_READ ? path_of(o, other) != NULL : is_written(o, other) && other < option;
        if (clashes && replace_same(path, path_of(o, other)))
            return refuse(text, "--%s %s%.128s and --%s %.128s are one file", other->name,
                          other->file_after != NULL ? other->file_after : "", path_of(o, other), option->name, path);
    }
    return 0;
}

static int check_written(const struct options *o, const struct option *option, char *text)
{
    const char *path = path_of(o, option);
    int error = replace_try(path);
    if (error != 0)
        return refuse(text, "--%s %.256s cannot be written: %s", option->name, path, strerror(error));
    if ((path == o->output || path == o->schur) && replace_streams(path))
        return refuse(text, "--%s %.256s is not a regular file, and every rank writes its part of the file", option->name, path);
    return check_apart(o, option, text);
}

/* false: the name is too long for a file. */
static bool manifest_of(const char *folder, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/manifest.json", folder) < PATH_MAX;
}

static bool same_checkpoint(const char *folder, const char *other)
{
    char manifest[2][PATH_MAX];
    return other != NULL && manifest_of(folder, manifest[0]) && manifest_of(other, manifest[1]) &&
           replace_same(manifest[0], manifest[1]);
}

static bool has_manifest(const char *folder)
{
    char manifest[PATH_MAX];
    struct stat there;
    return manifest_of(folder, manifest) && lstat(manifest, &there) == 0;
}

/* An unfinished checkpoint of another run, or another person's file, must not be replaced. */
static int check_unfinished(const struct options *o, char *text)
{
    const char *folder = o->checkpoint.folder;
    ompfact_restarted there;
    char why[OMPFACT_MESSAGE];
    if (folder == NULL || o->dry_run || same_checkpoint(folder, o->restart) || !has_manifest(folder))
        return 0;
    if (ompfact_restart_read(folder, 0, &there, why) != OMPFACT_SUCCESS)
        return refuse(text, "--checkpoint would replace a file that may be needed: %.256s; use another folder, or remove that "
                            "file",
                      why);
    int steps = there.mt < there.nt ? there.mt : there.nt, done = there.step;
    ompfact_restarted_forget(&there);
    if (done == steps)
        return 0;
    return refuse(text, "--checkpoint %.256s: %d of %d steps of another run are saved there: continue with --restart, or "
                        "remove manifest.json there", folder, done, steps);
}

/* Checks that a file can be opened for reading and is no folder. */
static int check_read(const struct options *o, const struct option *option, char *text)
{
    const char *path = path_of(o, option);
    struct stat there;
    if (path == NULL)
        return 0;
    bool is_folder = stat(path, &there) == 0 && S_ISDIR(there.st_mode);
    if (!is_folder && access(path, R_OK) == 0)
        return 0;
    return refuse(text, "--%s %.256s: %s", option->name, path, strerror(is_folder ? EISDIR : errno));
}

int files_check(const struct options *o, char text[COMMAND_TEXT])
{
    int code = 0;
    for (const struct option *option = option_table; code == 0 && option->name != NULL; option++)
        if (is_written(o, option))
            code = check_written(o, option, text);
        else if (option->file == FILE_READ)
            code = check_read(o, option, text);
    return code == 0 ? check_unfinished(o, text) : code;
}
