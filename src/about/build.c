/* Facts about this library and its build, for citations and for reports of faults. */
#include "config.h"

#include "src/about/commit.h"
#include "src/machine/machine.h"
#include "src/ompfact_machine.h"

#include <string.h>

const char *ompfact_version(void)
{
    return PACKAGE_VERSION;
}

const char *ompfact_commit(void)
{
    return BUILD_COMMIT;
}

const ompfact_build_fact *ompfact_build(void)
{
    static const ompfact_build_fact facts[] = {
        { "version", PACKAGE_VERSION },
        { "commit", BUILD_COMMIT },
        { "compiler", BUILD_COMPILER },
        { "OpenMP", BUILD_OPENMP },
        { "MPI", BUILD_MPI },
        { "BLAS", BUILD_BLAS },
        { "LAPACKE", BUILD_LAPACKE },
        { "devices", BUILD_DEVICES },
        { "SimGrid", BUILD_SIMGRID },
        { "sanitizers", BUILD_SANITIZERS },
        { "checks", ENABLE_CHECKS ? "yes" : "no" },
        { NULL, NULL },
    };
    return facts;
}

/* MPICH's text begins with a line of tabs and a version, and continues with the details of its build. */
void ompfact_mpi_version(char text[OMPFACT_MESSAGE])
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, put = 0;
    MPI_Get_library_version(library, &length);
    library[strcspn(library, "\n")] = '\0';
    for (const char *c = library; *c != '\0' && put < OMPFACT_MESSAGE - 1; c++)
        if (*c != '\t')
            text[put++] = *c;
        else if (put > 0 && text[put - 1] != ' ')
            text[put++] = ' ';
    text[put] = '\0';
}

void ompfact_processor(char text[OMPFACT_MESSAGE])
{
    struct machine machine;
    machine_here(&machine, "");
    snprintf(text, OMPFACT_MESSAGE, "%s", machine.cpu);
}
