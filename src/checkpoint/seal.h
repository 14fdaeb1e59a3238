/* The thread that waits for the disk, so that no computing thread does: it pushes and seals files, and on the first rank it
   replaces the manifest. It has one request at a time. */
#ifndef OMPFACT_SRC_CHECKPOINT_SEAL_H
#define OMPFACT_SRC_CHECKPOINT_SEAL_H

#include "src/checkpoint/tile_file.h"
#include "src/matrix/matrix.h"

/* Contents of the first rank's manifest. Other ranks only have the number of the run. */
struct naming {
    const char *folder;
    const ompfact_checkpoints *how;
    struct manifest manifest;       /* its first `finals` files stay as long as the run; files in work follow */
    int finals, room_for;           /* room_for: files that manifest.file has room for */
    int epoch;                      /* of the files in work */
    int kept;                       /* the value in the manifest of an unfinished factorization */
    int written;                    /* number of manifests written */
    bool announced;                 /* whether the caller knows that there is a manifest */
};

bool naming_prepare(struct naming *n, const ompfact_matrix *A, const ompfact_checkpoints *how, uint64_t run,
                    const char *factorization, const char *pivot);      /* false: no memory */
bool naming_reserve(struct naming *n, int more);    /* makes room for so many files; false: no memory */
void naming_begin(struct naming *n, int step, int epoch);       /* removes the names of files in work */
/* Leaves out empty files. */
void naming_add(struct naming *n, const struct manifest_file *file, bool final);
/* Replaces the manifest; then removes files that it does not name. 0 or errno. */
int naming_write(struct naming *n);

enum seal_task { SEAL_NOTHING, SEAL_PUSH, SEAL_FILES, SEAL_NAME, SEAL_END };

struct seal;
/* NULL: the thread could not start. */
struct seal *seal_create(struct naming *naming, struct tile_writer *final, struct tile_writer *work);
void seal_request(struct seal *seal, enum seal_task task);
void seal_push(struct seal *seal);          /* if it has no other request */
bool seal_is_done(struct seal *seal);
int seal_error(const struct seal *seal);    /* errno of the last SEAL_NAME */
void seal_destroy(struct seal **seal);

#endif
