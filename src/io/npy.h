/*
 * NumPy's .npy files: one matrix, read tile by tile, or written tile by tile by many processes at once.
 *
 * Types '<f4' '<f8' '<c8' '<c16' (precision 's' 'd' 'c' 'z'), versions 1 to 3 of the format (numpy.lib.format). Integers of 1 to
 * 8 bytes, with a sign or without, and booleans are read as 'd'.
 *
 * What can fail returns 0, or 1 and one line in text that names the file. All calls are local. Threads may share a handle:
 * reading is free, tiles written at the same time must be disjoint.
 */
#ifndef OMPFACT_IO_NPY_H
#define OMPFACT_IO_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/io/io_text.h"

struct npy {
    char type;              /* 's' 'd' 'c' 'z': of the tiles that are read */
    const struct npy_type *stored;      /* what the file's elements are, inside npy.c */
    bool integers;          /* the file's, rounded to the nearest double where they have more than 53 bits */
    int64_t rows, cols;     /* a vector (n,) is n x 1; either may be 0 */
    bool fortran_order;     /* how the file stores it; tiles come column-major from both */
    const char *data;       /* first element, not necessarily aligned */
    const char *map;        /* the whole file */
    size_t map_size;
};

/* Opens for reading; afterwards the file is known to hold all its data. npy_close is harmless where this failed. */
int npy_open(const char *path, struct npy *npy, char text[IO_TEXT]);
void npy_close(struct npy *npy);
/* That of a file which is in memory: map and map_size are given, stay the caller's, and npy_close is not for it. */
int npy_scan(const char *path, struct npy *npy, char text[IO_TEXT]);

/*
 * block := A(i0 : i0+rows, j0 : j0+cols), column-major with leading dimension ld >= rows, elements of npy->type.
 * The submatrix must lie inside the matrix.
 */
void npy_read_tile(const struct npy *npy, int64_t i0, int64_t j0, int rows, int cols, void *block, int ld);

/*
 * A new file in Fortran order at its full size, all zeros. One process creates it; afterwards (the caller provides the
 * barrier) all that have tiles open it and write them. An existing file is overwritten, so it must not be open as input.
 */
int npy_create(const char *path, char type, int64_t rows, int64_t cols, char text[IO_TEXT]);

struct npy_writer {
    char type;
    int64_t rows;
    int64_t start;          /* offset of the first element */
    int fd;
    char *path;
};

int npy_write_open(const char *path, struct npy_writer *writer, char text[IO_TEXT]);

/* A(i0 : i0+rows, j0 : j0+cols) := block, column-major with leading dimension ld, elements in the file's type. */
int npy_write_tile(const struct npy_writer *writer, int64_t i0, int64_t j0, int rows, int cols, const void *block, int ld,
                   char text[IO_TEXT]);

/* Fails where the system finds only now that the data cannot be kept (disk full). Harmless after npy_write_open failed. */
int npy_write_close(struct npy_writer *writer, char text[IO_TEXT]);

#endif
