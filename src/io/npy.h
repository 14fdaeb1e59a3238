/*
 * NumPy's .npy files: reads a matrix tile by tile, or writes it tile by tile from many processes at once.
 *
 * Types '<f4' '<f8' '<c8' '<c16' (precision 's' 'd' 'c' 'z'), versions 1 to 3 of the format (numpy.lib.format). Signed and
 * unsigned integers of 1 to 8 bytes and booleans are read as 'd'.
 *
 * A function that can fail returns 0, or 1 and one line in `text` that names the file. All calls are local. Threads may share a
 * handle: they may read at any time; tiles written at the same time must be disjoint.
 */
#ifndef OMPFACT_IO_NPY_H
#define OMPFACT_IO_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/io/io_text.h"

struct io_writer;

struct npy {
    char type;              /* 's' 'd' 'c' 'z': the type of tiles that npy_read_tile returns */
    const struct npy_type *stored;      /* the type of the file's elements, declared in npy.c */
    bool integers;          /* the file has integers; those of more than 53 bits are rounded to the nearest double */
    int64_t rows, cols;     /* a vector (n,) is n x 1; either may be 0 */
    bool fortran_order;     /* the order in the file; tiles are column-major in both cases */
    const char *data;       /* first element, not necessarily aligned */
    const char *map;        /* the whole file */
    size_t map_size;
};

/* Opens for reading, and checks that the file has all its data. npy_close is harmless where npy_open failed. */
int npy_open(const char *path, struct npy *npy, char text[IO_TEXT]);
void npy_close(struct npy *npy);
/* Does the same for a file in memory. The caller sets map and map_size, and keeps the memory; npy_close must not be called. */
int npy_scan(const char *path, struct npy *npy, char text[IO_TEXT]);

/*
 * block := A(i0 : i0+rows, j0 : j0+cols), column-major with leading dimension ld >= rows, elements of npy->type.
 * The submatrix must lie inside the matrix.
 */
void npy_read_tile(const struct npy *npy, int64_t i0, int64_t j0, int rows, int cols, void *block, int ld);

/*
 * Creates a file in Fortran order of the full size, all zeros. One process creates it. After a barrier, which the caller
 * provides, all processes that have tiles open the file and write them. An existing file is overwritten, so it must not be open
 * as input.
 */
int npy_create(const char *path, char type, int64_t rows, int64_t cols, char text[IO_TEXT]);

/* The caller closes the writer by io_write_close(). */
int npy_write_open(const char *path, struct io_writer *writer, char text[IO_TEXT]);

/* A(i0 : i0+rows, j0 : j0+cols) := block, column-major with leading dimension ld, elements in the file's type. */
int npy_write_tile(const struct io_writer *writer, int64_t i0, int64_t j0, int rows, int cols, const void *block, int ld,
                   char text[IO_TEXT]);

#endif
