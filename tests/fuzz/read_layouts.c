/* What layouts are made from: maps, weights, names with arguments. */
#include "layouts/layout.h"
#include "tests/fuzz/fuzz_readers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 6, MT = 3, NT = 2 };

static void expect_pattern(const struct pattern *p, int ranks)
{
    EXPECT(p->ranks == ranks && p->rows > 0 && p->cols > 0);
    for (int64_t c = 0; c < (int64_t)p->rows * p->cols; c++)
        EXPECT(p->cell[c] == LAYOUT_FREE ? p->rows == p->cols && c % (p->cols + 1) == 0 : p->cell[c] >= 0 && p->cell[c] < ranks);
}

void read_map_file(const uint8_t *bytes, size_t size)
{
    struct pattern *pattern;
    char text[LAYOUT_TEXT] = "";
    if (pattern_read(reader_file(bytes, size), RANKS, &pattern, text) != 0) {
        EXPECT(pattern == NULL);
        reader_expect_line(text, sizeof text);
        return;
    }
    expect_pattern(pattern, RANKS);
    pattern_destroy(&pattern);
}

void read_weights(const uint8_t *bytes, size_t size)
{
    double *weights;
    char text[LAYOUT_TEXT] = "";
    if (weights_read(reader_file(bytes, size), MT, NT, &weights, text) != 0) {
        EXPECT(weights == NULL);
        reader_expect_line(text, sizeof text);
        return;
    }
    for (int t = 0; t < MT * NT; t++)
        EXPECT(isfinite(weights[t]) && weights[t] >= 0);
    free(weights);
}

/* Some arguments say how long to search, and files are read_map_file's. */
static bool is_quick(const char *scheme)
{
    int digits = 0;
    for (const char *s = scheme; *s != '\0' && digits < 3; s++)
        digits = isdigit((unsigned char)*s) ? digits + 1 : 0;
    return digits < 3 && strstr(scheme, "file") == NULL;
}

void read_scheme(const uint8_t *bytes, size_t size)
{
    char *scheme = reader_text(bytes, size), text[LAYOUT_TEXT] = "";
    for (int ranks = 5; ranks <= RANKS && is_quick(scheme); ranks++) {
        struct pattern *pattern = NULL;
        double *weights = NULL;
        if (pattern_create(scheme, ranks, &pattern, text) != 0)
            EXPECT(pattern == NULL && text[0] != '\0');
        else
            expect_pattern(pattern, ranks);
        pattern_destroy(&pattern);
        if (weights_blr(scheme, LAYOUT_LU, MT, NT, &weights, text) != 0)
            EXPECT(weights == NULL && text[0] != '\0');
        free(weights);
    }
    free(scheme);
}
