/*
 * A file of tiles: what one rank has saved at one time. Threads write tiles side by side, each where the ones before have left
 * off; at the end comes a table of what is where.
 *
 *     header | tile | tile | ... | table of records
 *
 * Each record has its tile's digest, and the file's digest, which the manifest keeps, is that of header and table: so every
 * byte is covered. Numbers are as in this machine's memory; one of another kind refuses the header.
 *
 * What can fail returns 0 or errno.
 */
#ifndef OMPFACT_SRC_CHECKPOINT_TILE_FILE_H
#define OMPFACT_SRC_CHECKPOINT_TILE_FILE_H

#include "src/checkpoint/manifest.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Kinds of saved items of a factorization. For panels of QR src/factor/reflectors.h describes the items in addition to tiles. */
enum saved_kind { SAVED_TILE, SAVED_PIVOTS, SAVED_T, SAVED_R, SAVED_V, SAVED_TREE, SAVED_SIGNS, SAVED_KINDS };

/* Whether the tile was widened since it was filled, from single or from bfloat16, and else whether it has columns in single. */
enum saved_precision { SAVED_PLAIN, SAVED_WIDENED, SAVED_NARROW, SAVED_FROM_BF16 };

struct saved_record {
    int32_t kind, i, j;
    int32_t rank, pending;          /* of a tile with struct tile_form */
    int32_t precision;              /* an enum saved_precision, of a tile with struct tile_form */
    double left_out, rounded;       /* of a tile with struct tile_form */
    int64_t offset, bytes;
    uint64_t digest;
};

/* ---- written --------------------------------------------------------------------------------------------------------------- */

struct tile_writer {
    char *path;
    int file;                       /* -1: none */
    int64_t room;                   /* largest number of records */
    struct saved_record *record;
    _Atomic int64_t count, end;
    _Atomic int64_t pushed;         /* end of the file at the last push */
    atomic_int error;               /* errno of the first error */
    struct manifest_file sealed;      /* valid when the file is sealed */
};

/* Creates an empty file in the folder, for at most so many records. Errors are recorded. */
void tile_writer_open(struct tile_writer *w, const char *folder, const struct manifest_file *name, int64_t room);
/* Any thread may call this; record has all members but its place and digest. data NULL: there was no memory for the data, which
   is recorded. */
void tile_writer_put(struct tile_writer *w, struct saved_record record, const void *data);
/* Whether much of the file is not on the disk. Pushing it waits for the disk, and removes the pages from memory: they are not
   read again, and reused pages are cheaper than ever more new ones. One thread calls this, while others put. */
bool tile_writer_is_behind(const struct tile_writer *w);
void tile_writer_push(struct tile_writer *w);
/* Writes the table, syncs the file and closes it; w->sealed has its entry for the manifest. An empty file is removed. */
int tile_writer_seal(struct tile_writer *w);
/* Removes the file, sealed or not. */
void tile_writer_drop(struct tile_writer *w);
/* Frees what is left. */
void tile_writer_forget(struct tile_writer *w);

/* ---- read ------------------------------------------------------------------------------------------------------------------ */

struct tile_reader {
    char *path;                     /* each call opens the file, because a process may only have a limited number of open files */
    int64_t count;
    struct saved_record *record;
};

/* Reads the table of the file. EINVAL: it differs from the manifest. */
int tile_reader_create(struct tile_reader *r, const char *folder, const struct manifest *m, int number);
/* Makes room for so many records of a table that another rank reads. */
int tile_reader_expect(struct tile_reader *r, const char *folder, const struct manifest *m, int number, int64_t count);
/* The same as tile_reader_create() from this path, which it keeps and frees, of so many bytes; the caller compares the digest
   with the manifest's. */
int tile_reader_open(struct tile_reader *r, char *path, int64_t bytes, uint64_t *digest);
/* Checks that every tile is as written, and no byte is left over. meanwhile(context) is called after each tile; it may be
   NULL. */
int tile_reader_verify(const struct tile_reader *r, void (*meanwhile)(void *context), void *context);
/* Reads a record's bytes; EINVAL: they differ from those that were written. */
int tile_reader_get(const struct tile_reader *r, const struct saved_record *record, void *data);
void tile_reader_forget(struct tile_reader *r);

#endif
