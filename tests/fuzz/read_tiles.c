/* A checkpoint's file of tiles, without the file's digest, which made-up bytes would never match: every record is a part of the
   file, and is read or refused. */
#include "src/checkpoint/tile_file.h"
#include "tests/fuzz/fuzz_readers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void read_tiles(const uint8_t *bytes, size_t size)
{
    struct tile_reader r;
    uint64_t digest;
    int64_t whole = (int64_t)size;
    int error = tile_reader_open(&r, strdup(reader_file(bytes, size)), whole, &digest);
    if (error == 0) {
        int64_t sum = 0;
        char *data = malloc(size);
        EXPECT(data != NULL);
        for (int64_t i = 0; i < r.count; i++) {
            const struct saved_record *record = &r.record[i];
            EXPECT(record->kind >= 0 && record->kind < SAVED_KINDS && record->i >= 0 && record->j >= 0);
            EXPECT(record->bytes >= 0 && record->bytes <= whole);
            error = tile_reader_get(&r, record, data);
            EXPECT(error == 0 || error == EINVAL);
            sum += record->bytes;
        }
        EXPECT(sum <= whole);
        error = tile_reader_verify(&r, NULL, NULL);
        EXPECT(error == 0 || error == EINVAL);
        free(data);
    }
    tile_reader_forget(&r);
}
