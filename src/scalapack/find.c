#define _GNU_SOURCE      /* dladdr, dl_iterate_phdr, RTLD_NEXT */
#include "src/scalapack/find.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- libraries that are loaded, whoever sees them ----------------------------------------------------------------------- */

/* Libraries must not be opened during the walk, so the walk stores their paths. */
struct libraries {
    char **path;
    int count, room;
};

static int keep_path(struct dl_phdr_info *info, size_t size, void *context)
{
    struct libraries *l = context;
    (void)size;
    if (info->dlpi_name == NULL || info->dlpi_name[0] == '\0')
        return 0;
    if (l->count == l->room) {
        char **larger = realloc(l->path, (size_t)(2 * l->room + 64) * sizeof *larger);
        if (larger == NULL)
            return 1;
        l->path = larger;
        l->room = 2 * l->room + 64;
    }
    l->path[l->count] = strdup(info->dlpi_name);
    l->count += l->path[l->count] != NULL;
    return 0;
}

static bool is_ours(const void *function)
{
    static const char here;
    Dl_info there, us;
    return dladdr(function, &there) != 0 && dladdr(&here, &us) != 0 && there.dli_fbase == us.dli_fbase;
}

/* Finds the name in this library, or in those that it needs. */
static void *search_in(const char *path, const char *name)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD), *found = library != NULL ? dlsym(library, name) : NULL;
    if (library != NULL)
        dlclose(library);       /* the library stays open because another owner has it open */
    return found != NULL && !is_ours(found) ? found : NULL;
}

static void *search_all(const char *name)
{
    struct libraries l = { NULL, 0, 0 };
    void *found = NULL;
    dl_iterate_phdr(keep_path, &l);
    for (int i = 0; i < l.count; i++) {
        if (found == NULL)
            found = search_in(l.path[i], name);
        free(l.path[i]);
    }
    free(l.path);
    return found;
}

/* ---- what was found -------------------------------------------------------------------------------------------------------- */

static void *(*finder)(const char *name);

void ompfact_scalapack_behind(void *(*find)(const char *name))
{
    finder = find;
}

static void *search_library(const char *name)
{
    if (finder != NULL)
        return finder(name);
    void *found = dlsym(RTLD_NEXT, name);
    return found != NULL ? found : search_all(name);
}

void *find_name(const char *name)
{
    enum { NAMES = 128 };       /* more names than are looked up */
    static struct { char name[24]; void *found; } known[NAMES];
    int i = 0;
    while (known[i].name[0] != '\0' && strcmp(known[i].name, name) != 0)
        i++;
    if (known[i].name[0] != '\0')
        return known[i].found;
    strcpy(known[i].name, name);
    known[i].found = search_library(name);
    return known[i].found;
}

/* ---- calls ----------------------------------------------------------------------------------------------------------------- */

void call_by_name(void *routine, void **parameter, int count)
{
    void *p[MOST_PARAMETERS];
    void (*call)(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                 void *, void *, void *, void *, void *, void *);
    *(void **)&call = routine;
    for (int i = 0; i < MOST_PARAMETERS; i++)
        p[i] = i < count ? parameter[i] : (void *)1;
    call(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17],
         p[18], p[19]);
}
