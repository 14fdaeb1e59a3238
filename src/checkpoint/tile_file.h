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

/* What is kept of a factorization. Of panels of QR src/factor/reflectors.h says what there is beside tiles. */
enum saved_kind { SAVED_TILE, SAVED_PIVOTS, SAVED_T, SAVED_R, SAVED_V, SAVED_TREE, SAVED_SIGNS, SAVED_KINDS };

/* As the tile was filled, unless it was widened: in the matrix's precision, or its columns in single. */
enum saved_precision { SAVED_PLAIN, SAVED_WIDENED, SAVED_NARROW };

struct saved_record {
    int32_t kind, i, j;
    int32_t rank, pending;          /* of a tile in a form of its own: struct tile_form; */
    int32_t precision;              /*   as is this, an enum saved_precision, */
    double left_out, rounded;       /*   and these */
    int64_t offset, bytes;
    uint64_t digest;
};

/* ---- written --------------------------------------------------------------------------------------------------------------- */

struct tile_writer {
    char *path;
    int file;                       /* -1: none */
    int64_t room;                   /* records, at most */
    struct saved_record *record;
    _Atomic int64_t count, end;
    _Atomic int64_t pushed;         /* its end when it was pushed last */
    atomic_int error;               /* the first one: errno */
    struct manifest_file sealed;      /* when it is sealed */
};

/* An empty one in the folder, for at most so many records. What fails is noted. */
void tile_writer_open(struct tile_writer *w, const char *folder, const struct manifest_file *name, int64_t room);
/* By any thread; record has all but its place and digest. data NULL: there was no memory for it, which is noted. */
void tile_writer_put(struct tile_writer *w, struct saved_record record, const void *data);
/* Is there much of it that is not on the disk yet? Pushing it there waits for that. Then it is in memory no more: nobody reads
   it, and pages that are used again and again are cheaper than ever more of them. By one thread, while others put. */
bool tile_writer_is_behind(const struct tile_writer *w);
void tile_writer_push(struct tile_writer *w);
/* Writes the table, sees to it that all is on the disk, closes it: w->told is what the manifest is to say. One that has nothing
   in it is removed. */
int tile_writer_seal(struct tile_writer *w);
/* Removes it, sealed or not. */
void tile_writer_drop(struct tile_writer *w);
/* Frees what is left. */
void tile_writer_forget(struct tile_writer *w);

/* ---- read ------------------------------------------------------------------------------------------------------------------ */

struct tile_reader {
    char *path;                     /* it is opened for each call: there may be more than a process may have open */
    int64_t count;
    struct saved_record *record;
};

/* Reads its table. EINVAL: it is not what the manifest says. */
int tile_reader_create(struct tile_reader *r, const char *folder, const struct manifest *m, int number);
/* Room for so many records of a table that is read elsewhere. */
int tile_reader_expect(struct tile_reader *r, const char *folder, const struct manifest *m, int number, int64_t count);
/* As tile_reader_create() from this path, which it keeps and frees, of so many bytes; whether the digest is the manifest's is
   for the caller. */
int tile_reader_open(struct tile_reader *r, char *path, int64_t bytes, uint64_t *digest);
/* Whether every tile is what was written, and no byte is left over. meanwhile(context) is called after each; NULL: nothing is. */
int tile_reader_verify(const struct tile_reader *r, void (*meanwhile)(void *context), void *context);
/* A record's bytes; EINVAL: they are not what was written. */
int tile_reader_get(const struct tile_reader *r, const struct saved_record *record, void *data);
void tile_reader_forget(struct tile_reader *r);

#endif
