/* The environment variables of MPICH's launchers (PMI), of PMIx, of Open MPI and of Slurm. */
#include "src/process/launcher.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static int number(const char *const *names)
{
    for (; *names != NULL; names++) {
        const char *value = getenv(*names);
        if (value != NULL)
            return atoi(value);
    }
    return -1;
}

/* A shell that Slurm has started passes its variables to its child processes, which run one after the other, each alone. */
static bool is_of_slurm(void)
{
    const char *task = getenv("SLURM_TASK_PID");
    return task == NULL || atoi(task) == (int)getpid();
}

int launcher_rank(void)
{
    static const char *const names[] = { "PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", NULL };
    static const char *const of_slurm[] = { "SLURM_PROCID", NULL };
    int rank = number(names);
    return rank < 0 && launcher_size() > 1 && is_of_slurm() ? number(of_slurm) : rank;
}

int launcher_size(void)
{
    static const char *const names[] = { "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", NULL };
    return number(names);
}

bool launcher_ends_all(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") != NULL && launcher_size() > 1;
}

void launcher_let_yield(void)
{
    const char *ranks_here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (ranks_here != NULL && atol(ranks_here) > sysconf(_SC_NPROCESSORS_ONLN))
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}
