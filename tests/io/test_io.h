/* Shared by the tests of files and of generated matrices. "Processes" are several handles on one file: no MPI. */
#ifndef OMPFACT_TESTS_IO_TEST_IO_H
#define OMPFACT_TESTS_IO_TEST_IO_H

#include "tests/suite.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS = 23, COLS = 17, LENGTH = 4096 };

static const char types[] = "sdcz";
static char folder[64];

static inline void make_folder(void)
{
    strcpy(folder, "/tmp/ompfact-test-io-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void remove_folder(void)
{
    DIR *all = opendir(folder);
    for (struct dirent *one; all && (one = readdir(all));)
        unlinkat(dirfd(all), one->d_name, 0);
    closedir(all);
    rmdir(folder);
}

static inline void write_file(const char *name, const void *bytes, size_t size, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static inline void says(const char *text, const char *path, const char *what)
{
    ck_assert_msg(strncmp(text, path, strlen(path)) == 0 && strstr(text + strlen(path), what) && !strchr(text, '\n'),
                  "\"%s\" should name %s and say \"%s\"", text, path, what);
}

/* ---- elements of any type ----------------------------------------------------------------------------------------------- */

static inline size_t size_of(char type)
{
    return type == 's' ? 4 : type == 'z' ? 16 : 8;
}

static inline void set(char type, void *tile, size_t k, double re, double im)
{
    if (type == 's')
        memcpy((float *)tile + k, &(float){(float)re}, 4);
    else if (type == 'd')
        memcpy((double *)tile + k, &re, 8);
    else if (type == 'c')
        memcpy((float *)tile + 2 * k, (float[]){(float)re, (float)im}, 8);
    else
        memcpy((double *)tile + 2 * k, (double[]){re, im}, 16);
}

/* Entry (i,j) of the written matrix: any two bytes of a tile differ in meaning. */
static inline void set_entry(char type, void *tile, size_t k, int64_t i, int64_t j)
{
    set(type, tile, k, 1.0 / (double)(3 * i + 1) - (double)j, (double)(100 * i + j));
}

/* The part of the matrix at (i0,j0) in a tile of leading dimension ld; gaps between columns are 0x55. */
static inline void set_tile(char type, int64_t i0, int64_t j0, int rows, int cols, void *tile, int ld)
{
    memset(tile, 0x55, (size_t)(ld * cols) * size_of(type));
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            set_entry(type, tile, (size_t)(j * ld + i), i0 + i, j0 + j);
}

static inline int least(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

#endif
