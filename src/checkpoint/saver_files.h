/* The files of a rank's snapshots: final tiles in one, other tiles in the other; the message of a rank about them, and how the
   first rank's manifest gets their names. */
#ifndef OMPFACT_SRC_CHECKPOINT_SAVER_FILES_H
#define OMPFACT_SRC_CHECKPOINT_SAVER_FILES_H

#include "omp/tasks/tasks.h"
#include "src/checkpoint/seal.h"
#include "src/checkpoint/tile_file.h"

struct saver_files {
    int rank;
    int epoch;                      /* of their names */
    int64_t room;                   /* largest number of records of a snapshot */
    bool open;                      /* whether the files are open */
    struct tile_writer final, work;
    struct naming naming;           /* of the first rank: contents of the manifest */
};

void saver_files_open(struct saver_files *f);
void saver_files_close(struct saver_files *f, bool keep);

/* Writes an item of a snapshot before this step. Returns whether the disk is behind. Any thread. */
bool saver_files_put(struct saver_files *f, int step, const struct to_save *what);

/* A rank's message about its files. */
enum saver_files_index { FILES_ERROR, FILES_FINAL, FILES_FINAL_DIGEST, FILES_WORK, FILES_WORK_DIGEST, FILES_WORDS };

void saver_files_words(const struct saver_files *f, int64_t words[FILES_WORDS]);
/* On the first rank: adds the files in a rank's message to the next manifest, which has room for them. */
void saver_files_note(struct saver_files *f, int rank, const int64_t words[FILES_WORDS]);

#endif
