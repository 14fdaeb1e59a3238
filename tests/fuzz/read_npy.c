/* .npy files, and points from one: all data that the header declares can be read, from the first element to the last. */
#include "src/io/npy.h"
#include "src/generate/points.h"
#include "tests/fuzz/fuzz_readers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 12, WIDEST = 16 };        /* EDGE: order of a tile; WIDEST: bytes of an element */

static int at_most(int64_t a)
{
    return a < EDGE ? (int)a : EDGE;
}

void read_npy(const uint8_t *bytes, size_t size)
{
    char text[IO_TEXT] = "", tile[EDGE * EDGE * WIDEST];
    /* a block of exactly this size: in a mapped file reads up to the end of a page go unnoticed */
    char *copy = malloc(size + (size == 0));
    if (copy == NULL || size == 0) {
        free(copy);
        return;
    }
    memcpy(copy, bytes, size);
    struct npy npy = { .map = copy, .map_size = size };
    if (npy_scan("input", &npy, text) != 0) {
        reader_expect_line(text, sizeof text);
    } else {
        int rows = at_most(npy.rows), cols = at_most(npy.cols);
        EXPECT(npy.rows >= 0 && npy.cols >= 0 && npy.data >= copy && npy.data <= copy + size);
        npy_read_tile(&npy, 0, 0, rows, cols, tile, EDGE);
        npy_read_tile(&npy, npy.rows - rows, npy.cols - cols, rows, cols, tile, EDGE);
    }
    free(copy);
}

void read_points(const uint8_t *bytes, size_t size)
{
    struct points p;
    char text[IO_TEXT] = "";
    if (points_read(reader_file(bytes, size), NULL, &p, text) != 0)
        reader_expect_line(text, sizeof text);
    else
        for (int64_t k = 0; k < p.count; k++) {
            EXPECT(p.origin[k] >= 0 && p.origin[k] < p.count && p.place[p.origin[k]] == k);
            for (int d = 0; d < p.dims; d++)
                EXPECT(isfinite(p.x[d][k]));
        }
    points_forget(&p);
}
