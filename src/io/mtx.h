/*
 * Matrix Market files: reads all entries as a stream, or writes a dense matrix tile by tile from many processes at once.
 *
 * Format: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats: Initial Design", NISTIR 5935, 1996. Readable files:
 * coordinate and array; real, complex, integer; general, symmetric, hermitian, skew-symmetric. Pattern files have no values and
 * are refused. Files are written as array general, with numbers of a fixed width and enough digits to be read back exactly.
 *
 * A function that can fail returns 0, or 1 and one line in `text` that names the file. All calls are local. Threads may share a
 * handle: they may read at any time; tiles written at the same time must be disjoint. Numbers have a decimal point, whatever the
 * locale.
 */
#ifndef OMPFACT_IO_MTX_H
#define OMPFACT_IO_MTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/io/io_text.h"

struct io_writer;

struct mtx {
    char type;              /* 'd', or 'z' where the file's field is complex */
    int64_t rows, cols;
    int64_t entries;        /* lines of the file; mirror images are not counted */
    int format, field, symmetry;    /* values of mtx.c */
    int64_t line;           /* the line that has the size, from 1 */
    const char *data;       /* the text after the size */
    const char *map;        /* the whole file */
    size_t map_size;
    char *path;
};

/* Opens for reading and reads the banner and the size. mtx_close is harmless where mtx_open failed. */
int mtx_open(const char *path, struct mtx *mtx, char text[IO_TEXT]);
void mtx_close(struct mtx *mtx);
/* Does the same for a file in memory. The caller sets map, map_size and path, and keeps the memory; mtx_close must not be
   called. */
int mtx_scan(struct mtx *mtx, char text[IO_TEXT]);

/* "real", "complex" or "integer" for an array file; NULL for a coordinate file. */
const char *mtx_array_field(const struct mtx *mtx);
/* The file's symmetry if it contradicts a Hermitian matrix, or a symmetric one: "skew-symmetric", for complex numbers also
   "symmetric", or "hermitian". NULL: there is no contradiction. */
const char *mtx_other_symmetry(const struct mtx *mtx, bool hermitian);

/* A_ij = re + im sqrt(-1), 0-based. */
typedef void mtx_entry(void *context, int64_t i, int64_t j, double re, double im);

/*
 * Calls `callback` for each entry of the file, in its order, and for the mirror image of an entry where the matrix has a symmetry
 * (the entry below the diagonal first). Entries that a coordinate file does not list are zero; an entry that it lists twice is
 * passed twice. An open file can be read any number of times. If the call fails, some entries have been passed; `text` names the
 * line.
 */
int mtx_each(const struct mtx *mtx, mtx_entry *callback, void *context, char text[IO_TEXT]);

/*
 * Creates an array file of the full size, not yet readable. One process creates it. After a barrier, which the caller provides,
 * all processes that have tiles open the file and write them. An existing file is overwritten, so it must not be open as input.
 */
int mtx_create(const char *path, char type, int64_t rows, int64_t cols, char text[IO_TEXT]);

/* The caller closes the writer by io_write_close(). */
int mtx_write_open(const char *path, struct io_writer *writer, char text[IO_TEXT]);

/* A(i0 : i0+rows, j0 : j0+cols) := tile, column-major with leading dimension ld. The elements have the type passed to
   mtx_create. */
int mtx_write_tile(const struct io_writer *writer, int64_t i0, int64_t j0, int rows, int cols, const void *tile, int ld,
                   char text[IO_TEXT]);

#endif
