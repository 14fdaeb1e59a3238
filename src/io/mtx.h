/*
 * Matrix Market files: all entries streamed, or a dense matrix written tile by tile by many processes at once.
 *
 * Format: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats: Initial Design", NISTIR 5935, 1996. Read: coordinate
 * and array; real, complex, integer; general, symmetric, hermitian, skew-symmetric. Pattern has no values and is refused.
 * Written: array general, each number in a fixed width and with enough digits to be read back exactly.
 *
 * What can fail returns 0, or 1 and one line in text that names the file. All calls are local. Threads may share a handle:
 * reading is free, tiles written at the same time must be disjoint. Numbers have a point, whatever the locale.
 */
#ifndef OMPFACT_IO_MTX_H
#define OMPFACT_IO_MTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/io/io_text.h"

struct mtx {
    char type;              /* 'd', or 'z' where the file's field is complex */
    int64_t rows, cols;
    int64_t entries;        /* in the file, mirrored ones not counted */
    int format, field, symmetry;    /* mtx.c's own */
    int64_t line;           /* of the size, from 1 */
    const char *data;       /* what follows it */
    const char *map;        /* the whole file */
    size_t map_size;
    char *path;
};

/* Opens for reading and reads as far as the size. mtx_close is harmless where this failed. */
int mtx_open(const char *path, struct mtx *mtx, char text[IO_TEXT]);
void mtx_close(struct mtx *mtx);
/* That of a file which is in memory: map, map_size and path are given, stay the caller's, and mtx_close is not for it. */
int mtx_scan(struct mtx *mtx, char text[IO_TEXT]);

/* "real", "complex" or "integer" of an array; NULL of a coordinate file. */
const char *mtx_array_field(const struct mtx *mtx);
/* NULL, or the symmetry that the file declares and that a Hermitian matrix, or a symmetric one, does not have: "skew-symmetric",
   for complex numbers also "symmetric", or "hermitian". */
const char *mtx_other_symmetry(const struct mtx *mtx, bool hermitian);

/* A_ij = re + im sqrt(-1), 0-based. */
typedef void mtx_entry(void *context, int64_t i, int64_t j, double re, double im);

/*
 * Calls back once for each entry of the file, in its order, and for its mirror image where the matrix is symmetric of some kind
 * (below the diagonal first). What a coordinate file does not name is zero; what it names twice comes twice. Any number of
 * passes over one open file. Where it fails some entries have been delivered; text names the line.
 */
int mtx_each(const struct mtx *mtx, mtx_entry *callback, void *context, char text[IO_TEXT]);

/*
 * A new array file at its full size, not yet readable. One process creates it; afterwards (the caller provides the barrier)
 * all that have tiles open it and write them. An existing file is overwritten, so it must not be open as input.
 */
int mtx_create(const char *path, char type, int64_t rows, int64_t cols, char text[IO_TEXT]);

struct mtx_writer {
    char type;              /* 's' 'd' 'c' 'z' */
    int64_t rows;
    int64_t start;          /* offset of the first entry */
    int fd;
    char *path;
};

int mtx_write_open(const char *path, struct mtx_writer *writer, char text[IO_TEXT]);

/* A(i0 : i0+rows, j0 : j0+cols) := tile, column-major with leading dimension ld, elements of the type it was created with. */
int mtx_write_tile(const struct mtx_writer *writer, int64_t i0, int64_t j0, int rows, int cols, const void *tile, int ld,
                   char text[IO_TEXT]);

/* Fails where the system finds only now that the data cannot be kept (disk full). Harmless after mtx_write_open failed. */
int mtx_write_close(struct mtx_writer *writer, char text[IO_TEXT]);

#endif
