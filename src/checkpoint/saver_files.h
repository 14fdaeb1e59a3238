/* The files of a rank's snapshots: what is final in one, what is in work in the other; what a rank tells the others of them, and
   how the first rank's manifest comes to name them. */
#ifndef OMPFACT_SRC_CHECKPOINT_SAVER_FILES_H
#define OMPFACT_SRC_CHECKPOINT_SAVER_FILES_H

#include "src/checkpoint/seal.h"
#include "src/checkpoint/tile_file.h"

struct saver_files {
    int rank;
    int epoch;                      /* of their names */
    int64_t room;                   /* records of a snapshot, at most */
    bool open;                      /* these are */
    struct tile_writer final, work;
    struct naming naming;           /* of the first rank: what the manifest says */
};

void saver_files_open(struct saver_files *f);
void saver_files_close(struct saver_files *f, bool keep);

/* What a rank tells of what it has written. */
enum saver_files_index { FILES_ERROR, FILES_FINAL, FILES_FINAL_DIGEST, FILES_WORK, FILES_WORK_DIGEST, FILES_WORDS };

void saver_files_words(const struct saver_files *f, int64_t words[FILES_WORDS]);
/* On the first rank: what the next manifest is to say of the files of a rank, which has told so. There is room for it. */
void saver_files_note(struct saver_files *f, int rank, const int64_t words[FILES_WORDS]);

#endif
