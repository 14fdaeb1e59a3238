/* A cache folder for one test, and the files that runs leave in it. */
#ifndef OMPFACT_TESTS_MACHINE_CACHE_FOLDER_H
#define OMPFACT_TESTS_MACHINE_CACHE_FOLDER_H

#include "src/machine/machine.h"
#include "tests/suite.h"

#include <dirent.h>
#include <sys/stat.h>

enum { CACHE_FOLDER = 32 };

/* Rank 0 has a new folder; the other ranks may not read theirs, nor write there. */
static inline void new_cache_folder(char folder[CACHE_FOLDER])
{
    strcpy(folder, "/tmp/ompfact-test-XXXXXX");
    if (my_rank() == 0)
        ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", my_rank() == 0 ? folder : "/dev/null", 1);
}

/* The number of files; with remove_them it removes the files, and the folder made for them. */
static inline int files_in_cache(const char *folder, bool remove_them)
{
    char path[512];
    int files = 0;
    snprintf(path, sizeof path, "%s/ompfact", folder);
    DIR *ompfact = opendir(path);
    for (struct dirent *entry; ompfact != NULL && (entry = readdir(ompfact)) != NULL;) {
        snprintf(path, sizeof path, "%s/ompfact/%s", folder, entry->d_name);
        files += entry->d_name[0] != '.';
        if (remove_them && entry->d_name[0] != '.')
            unlink(path);
    }
    if (ompfact != NULL)
        closedir(ompfact);
    snprintf(path, sizeof path, "%s/ompfact", folder);
    if (remove_them)
        rmdir(path);
    return files;
}

static inline bool cache_is_untouched(const char *folder)
{
    char path[CACHE_FOLDER + 16];
    struct stat status;
    snprintf(path, sizeof path, "%s/ompfact", folder);
    return my_rank() > 0 || stat(path, &status) != 0;
}

/* Removes the folder if it is empty. */
static inline void remove_cache_folder(const char *folder)
{
    if (my_rank() > 0)
        return;
    files_in_cache(folder, true);
    ck_assert_int_eq(rmdir(folder), 0);
}

static inline void keep_machine(const struct machine *m, bool as_tuned)
{
    char path[MACHINE_PATH];
    ck_assert(as_tuned ? machine_path(path) : machine_quick_path(m, path));
    ck_assert_int_eq(machine_write(path, m), 0);
}

/* Rank 0: keeps figures of this machine as --tune would: `threads` threads run all kernels at `gflops`, and a transfer takes a
   microsecond and a nanosecond for each word. */
static inline void keep_even_rates(int threads, int nb, double gflops, const char *blas_kernels)
{
    struct machine *m = my_rank() == 0 ? malloc(sizeof *m) : NULL;
    if (m == NULL)
        return;
    machine_here(m, blas_kernels);
    m->t_s = 1e-6;
    m->t_w = 1e-9;
    m->transfers_measured = true;
    for (int kernel = 0; kernel < RATE_KERNELS; kernel++)
        m->rate[m->rates++] = (struct machine_rate){ 'd', (enum rate_kernel)kernel, threads, nb, gflops };
    keep_machine(m, true);
    free(m);
}

/* Rank 0: keeps figures of this machine with tiles of order nb by far the fastest, as --tune would, or as a run. */
static inline void keep_fast_size(int nb, bool as_tuned, const char *blas_kernels)
{
    struct machine *m = my_rank() == 0 ? malloc(sizeof *m) : NULL;
    if (m == NULL)
        return;
    machine_here(m, blas_kernels);
    for (int size = 32; size <= 512; size += 32)
        for (int kernel = 0; kernel < RATE_KERNELS; kernel++)
            m->rate[m->rates++] = (struct machine_rate){ .type = 'd', .kernel = (enum rate_kernel)kernel, .threads = 1,
                                                         .nb = size, .gflops = size == nb ? 90 : 5 };
    keep_machine(m, as_tuned);
    free(m);
}

#endif
