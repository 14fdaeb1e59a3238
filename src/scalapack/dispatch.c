/*
 * libompfact_scalapack.so, the one drop-in for programs of any MPI. It links none:
 *
 *     pdpotrf_(...)        names.c        every spelling
 *       dispatch           this file      the first call looks which MPI the process has, and opens its flavour
 *         ompfact_pdpotrf_                libompfact_scalapack-mpich.so or -openmpi.so: call.c
 *         or pdpotrf_                     the program's own, where there is no flavour for it; one line says why
 *
 * A flavour looks for ScaLAPACK and the BLACS by find_name() of this library, which alone has a place in the search order, and
 * shows none of ScaLAPACK's names itself: so neither finds the other.
 */
#define _GNU_SOURCE      /* dladdr, dl_iterate_phdr */
#include "src/scalapack/dispatch.h"
#include "src/process/launcher.h"
#include "src/scalapack/find.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Beginnings of the names of libraries. Debian calls MPICH so; an unmodified build is libmpi.so.12, as are its relatives. A
   flavour belongs to the MPI that it was built with. */
static const struct mpi {
    const char *library, *flavour, *name;
} known[] = {
    { "libmpich.so.12", "libompfact_scalapack-mpich.so", "MPICH" },
    { "libmpi.so.40", "libompfact_scalapack-openmpi.so", "Open MPI" },
    { "libmpi.so.12", "libompfact_scalapack-mpich.so", "MPICH's libmpi.so.12, or Intel's" },
    { "libmpi_cray.", "libompfact_scalapack-mpich.so", "Cray MPICH" },
};
enum { KNOWN = sizeof known / sizeof known[0] };

static void *flavour;       /* NULL: none */

/* Rank 0 of the launcher reports for all. */
static void say(const char *format, const char *what, const char *which)
{
    char text[600];
    if (launcher_rank() > 0)
        return;
    snprintf(text, sizeof text, format, what, which);
    fprintf(stderr, "ompfact: %s; calling ScaLAPACK's own routines\n", text);
}

static int look_at(struct dl_phdr_info *library, size_t size, void *is_there)
{
    const char *slash = strrchr(library->dlpi_name, '/'), *name = slash != NULL ? slash + 1 : library->dlpi_name;
    (void)size;
    for (int i = 0; i < KNOWN; i++)
        ((bool *)is_there)[i] |= strncmp(name, known[i].library, strlen(known[i].library)) == 0;
    return 0;
}

/* Counts the MPI libraries of this process, and finds the first two. */
static int find_mpis(const struct mpi *found[2])
{
    bool is_there[KNOWN] = { false };
    int count = 0;
    dl_iterate_phdr(look_at, is_there);
    for (int i = 0; i < KNOWN; i++)
        if (is_there[i] && count++ < 2)
            found[count - 1] = &known[i];
    return count;
}

/* NULL: no MPI library, or two. */
static const struct mpi *the_mpi(void)
{
    const struct mpi *found[2];
    int count = find_mpis(found);
    if (count == 0)
        say("this process has loaded no MPI library (searched: %s and %s)", known[0].name, known[1].name);
    if (count > 1)
        say("this process has loaded two MPI libraries, %s and %s", found[0]->name, found[1]->name);
    return count == 1 ? found[0] : NULL;
}

/* Opens the flavour in this library's folder, otherwise on the search path of the loader. NULL: dlerror() has the reason. */
static void *open_flavour(const char *name)
{
    static const char here;
    Dl_info us;
    char path[4096] = "";
    if (dladdr(&here, &us) != 0) {
        const char *slash = strrchr(us.dli_fname, '/');
        snprintf(path, sizeof path, "%.*s%s", slash != NULL ? (int)(slash + 1 - us.dli_fname) : 0, us.dli_fname, name);
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library != NULL || access(path, F_OK) == 0 ? library : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

static void choose(void)
{
    const struct mpi *mpi = the_mpi(), *found[2];
    if (mpi == NULL)
        return;
    void *library = open_flavour(mpi->flavour);
    if (library == NULL) {
        say("the MPI library of this process is %s, but there is no %s for it", mpi->name, dlerror());
        return;
    }
    if (find_mpis(found) > 1) {
        say("the MPI library of this process is %s, but %s is for another one", mpi->name, mpi->flavour);
        return;
    }
    void (*stand_behind)(void *(*find)(const char *name));
    *(void **)&stand_behind = dlsym(library, "ompfact_scalapack_behind");
    if (stand_behind == NULL) {
        say("%s has another version: %s", mpi->flavour, dlerror());
        return;
    }
    stand_behind(find_name);
    flavour = library;
}

void dispatch(const char *name, void **parameter, int count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char ours[40];
    snprintf(ours, sizeof ours, "ompfact_%s", name);
    pthread_once(&once, choose);
    void *routine = flavour != NULL ? dlsym(flavour, ours) : NULL;
    if (routine == NULL)
        routine = find_name(name);
    if (routine != NULL) {
        call_by_name(routine, parameter, count);
        return;
    }
    fprintf(stderr, "ompfact: %s: no ScaLAPACK is loaded after this library\n", name);
    if (strstr(name, "trsm") == NULL)       /* the only routine whose last parameter is not info */
        *(int *)parameter[count - 1] = -1;
}
