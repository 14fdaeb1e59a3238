/* Matrix Market: every entry lies in the matrix, and there are no more than the file can hold. */
#include "src/io/mtx.h"
#include "tests/fuzz/fuzz_readers.h"

#include <stdlib.h>
#include <string.h>

struct seen {
    const struct mtx *mtx;
    int64_t entries;
};

static void see(void *context, int64_t i, int64_t j, double re, double im)
{
    struct seen *seen = context;
    (void)re, (void)im;
    EXPECT(i >= 0 && i < seen->mtx->rows && j >= 0 && j < seen->mtx->cols);
    seen->entries++;
}

void read_mtx(const uint8_t *bytes, size_t size)
{
    char text[IO_TEXT] = "";
    char *copy = size > 0 ? malloc(size) : NULL;    /* a block of exactly this size, so that sanitizers find reads beyond it */
    if (copy == NULL)
        return;
    memcpy(copy, bytes, size);
    struct mtx mtx = { .map = copy, .map_size = size, .path = (char []){ "input" } };
    struct seen seen = { &mtx, 0 };
    bool read = mtx_scan(&mtx, text) == 0;
    read = read && mtx_each(&mtx, see, &seen, text) == 0;
    if (!read)
        reader_expect_line(text, sizeof text);
    EXPECT(seen.entries <= 2 * (int64_t)size);
    free(copy);
}
