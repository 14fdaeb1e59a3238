/* --version, and --bug-report: a text of one screen to paste into a report. */
#include "src/command/session.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { WIDTH = 14 };

static void print_line(FILE *out, const char *name, const char *value)
{
    fprintf(out, "  %-*s%s\n", WIDTH, name, value[0] != '\0' ? value : "not known");
}

void origin_print_version(FILE *out)
{
    char mpi[OMPFACT_MESSAGE];
    const char *commit = ompfact_commit(), *kernels = ompfact_blas_kernels(NULL);
    ompfact_mpi_version(mpi);
    fprintf(out, "ompfact %s%s%s%s\n\n", ompfact_version(), commit[0] != '\0' ? " (" : "", commit, commit[0] != '\0' ? ")" : "");
    fputs("Built with\n", out);
    for (const ompfact_build_fact *fact = ompfact_build(); fact->name != NULL; fact++)
        print_line(out, fact->name, fact->value);
    fputs("\nRuns with\n", out);
    print_line(out, "MPI", mpi);
    print_line(out, "BLIS kernels", kernels[0] != '\0' ? kernels : "none: another BLAS");
}

/* ---- this machine ---------------------------------------------------------------------------------------------------------- */

/* The number of names in a folder that are this beginning and digits. */
static int count_names(const char *folder, const char *begin)
{
    int count = 0;
    size_t length = strlen(begin);
    DIR *names = opendir(folder);
    for (struct dirent *name; names != NULL && (name = readdir(names)) != NULL;)
        if (strncmp(name->d_name, begin, length) == 0 && name->d_name[length] != '\0' &&
            name->d_name[length + strspn(name->d_name + length, "0123456789")] == '\0')
            count++;
    if (names != NULL)
        closedir(names);
    return count;
}

static void print_machine(FILE *out)
{
    char text[OMPFACT_MESSAGE], processor[OMPFACT_MESSAGE];
    struct utsname system;
    fputs("Machine\n", out);
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%.60s %.60s %.60s", system.sysname, system.release, system.machine);
        print_line(out, "system", text);
    }
    ompfact_processor(processor);
    print_line(out, "processor", processor);
    snprintf(text, sizeof text, "%d, %ld processors online", ompfact_node_cores(), sysconf(_SC_NPROCESSORS_ONLN));
    print_line(out, "cores", text);
    double page = (double)sysconf(_SC_PAGESIZE) * 0x1p-30;
    snprintf(text, sizeof text, "%.1f GiB, %.1f GiB of it free", (double)sysconf(_SC_PHYS_PAGES) * page,
             (double)sysconf(_SC_AVPHYS_PAGES) * page);
    print_line(out, "memory", text);
    snprintf(text, sizeof text, "%d of NVIDIA's, %d of AMD's", count_names("/dev", "nvidia"),
             count_names("/dev/dri", "renderD") * (access("/dev/kfd", F_OK) == 0));
    print_line(out, "devices", text);
}

/* ---- the environment ------------------------------------------------------------------------------------------------------- */

/* Beginnings of the names of variables that this program, its libraries or launchers read. */
static const char *const heeded[] = {
    "OMPFACT_", "OMP_", "KMP_", "LIBOMPTARGET_", "BLIS_", "OPENBLAS_", "MKL_",
    "MPICH_", "MPIR_", "MPIEXEC_", "HYDRA_", "PMI_", "PMIX_", "OMPI_", "I_MPI_", "MV2_", "UCX_", "FI_",
    "SLURM_NTASKS", "SLURM_NNODES", "SLURM_CPUS", "SLURM_MPI", "SLURM_TASKS", "SLURM_PROCID",
    "CUDA_", "NVIDIA_VISIBLE", "ROCR_", "HIP_", "ROCM_",
    "HWLOC_", "MALLOC_", "LD_PRELOAD", "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "LC_ALL", "LANG=", NULL
};

static bool is_heeded(const char *variable)
{
    for (const char *const *begin = heeded; *begin != NULL; begin++)
        if (strncmp(variable, *begin, strlen(*begin)) == 0)
            return true;
    return false;
}

/* The environment at the start of the program: the program and its libraries set some variables. */
static void print_environment(FILE *out)
{
    FILE *file = fopen("/proc/self/environ", "r");
    char *variable = NULL;
    size_t room = 0;
    int printed = 0;
    fputs("Environment\n", out);
    while (file != NULL && getdelim(&variable, &room, '\0', file) > 0)
        if (is_heeded(variable)) {
            fprintf(out, "  %s\n", variable);
            printed++;
        }
    if (file != NULL)
        fclose(file);
    free(variable);
    if (printed == 0)
        fputs(file != NULL ? "  no relevant variable\n" : "  not known\n", out);
}

void origin_print_bug_report(FILE *out)
{
    origin_print_version(out);
    fputc('\n', out);
    print_machine(out);
    fputc('\n', out);
    print_environment(out);
    fputs("\nAdd the command line, its output, and the output that you expected.\n", out);
}
