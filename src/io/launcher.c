/* The variables of MPICH's launchers (PMI), of PMIx, of Open MPI and of Slurm. */
#include "src/io/launcher.h"

#include <stddef.h>
#include <stdlib.h>

static int number(const char *const *names)
{
    for (; *names != NULL; names++) {
        const char *value = getenv(*names);
        if (value != NULL)
            return atoi(value);
    }
    return -1;
}

int launcher_rank(void)
{
    static const char *const names[] = { "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID", NULL };
    return number(names);
}

int launcher_size(void)
{
    static const char *const names[] = { "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", NULL };
    return number(names);
}
