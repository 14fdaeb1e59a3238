/* The thread that waits for the disk, so that no thread that computes does: it pushes what files have and seals
   them, and on the first rank it replaces the manifest. One thing at a time. */
#ifndef OMPFACT_SRC_CHECKPOINT_SEAL_H
#define OMPFACT_SRC_CHECKPOINT_SEAL_H

#include "src/checkpoint/tile_file.h"
#include "src/matrix/matrix.h"

/* What the first rank's manifest says, and what is to be there. Of the other ranks the number of the run alone. */
struct naming {
    const char *folder;
    const ompfact_checkpoints *how;
    struct manifest manifest;       /* its first `finals` files stay as long as the run does; then come those in work */
    int finals, room_for;           /* of manifest.file */
    int epoch;                      /* of those in work */
    int kept;                       /* as the manifest of an unfinished factorization says */
    int written;                    /* manifests */
    bool announced;                      /* that there is one */
};

bool naming_prepare(struct naming *n, const ompfact_matrix *A, const ompfact_checkpoints *how, uint64_t run,
                    const char *factorization, const char *pivot);      /* false: no memory */
bool naming_reserve(struct naming *n, int more);    /* room for so many files; false: no memory */
void naming_begin(struct naming *n, int step, int epoch);       /* forgets what was in work */
/* Empty files are left out. */
void naming_add(struct naming *n, const struct manifest_file *file, bool final);
/* Replaces the manifest; then what it does not name goes. 0 or errno. */
int naming_write(struct naming *n);
void naming_forget(struct naming *n);

enum seal_task { SEAL_NOTHING, SEAL_PUSH, SEAL_FILES, SEAL_NAME, SEAL_END };

struct seal;
/* NULL: none could be made. */
struct seal *seal_create(struct naming *naming, struct tile_writer *final, struct tile_writer *work);
void seal_request(struct seal *seal, enum seal_task task);
void seal_push(struct seal *seal);          /* if it has nothing else to do */
bool seal_is_done(struct seal *seal);
int seal_error(const struct seal *seal);    /* of the last SEAL_NAME: errno */
void seal_destroy(struct seal **seal);

#endif
