/* Sources of layouts: maps, weights, and scheme names with arguments. */
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

/* read_map_file tests files. Searches are excluded: "auto", which an empty text also means, and schemes whose time grows with
   their numbers. */
static bool is_quick(const char *scheme)
{
    int digits = 0, most = strstr(scheme, "gcrm") != NULL ? 1 : 2;
    size_t length = strlen(scheme);
    for (const char *s = scheme; *s != '\0' && digits <= most; s++)
        digits = isdigit((unsigned char)*s) ? digits + 1 : 0;
    bool searches = strstr(scheme, "auto") != NULL || (strstr(scheme, "gcrm") != NULL && strstr(scheme, "seeds=") == NULL);
    return digits <= most && !searches && strstr(scheme, "file") == NULL && length > 0 && scheme[length - 1] != ':';
}

static void lay_out(const char *scheme, enum layout_algorithm algorithm)
{
    static const double speeds[RANKS] = { 1, 1, 1, 2, 2, 3 }, weights[4 * 4] = { 5, 0, 1, 2, 3, 4, 0, 1, 1e9, 1e-9 };
    char text[LAYOUT_TEXT] = "";
    for (int uneven = 0; uneven < 2; uneven++) {
        struct pattern *pattern = NULL;
        struct layout_question q = { .algorithm = algorithm, .ranks = RANKS - uneven, .mt = 4, .nt = 4,
                                     .weights = uneven ? weights : NULL, .speeds = uneven ? NULL : speeds };
        if (pattern_create_for(scheme, &q, &pattern, text) != 0)
            EXPECT(pattern == NULL && text[0] != '\0');
        else
            expect_pattern(pattern, q.ranks);
        pattern_destroy(&pattern);
    }
}

void read_scheme(const uint8_t *bytes, size_t size)
{
    char *scheme = reader_text(bytes, size), text[LAYOUT_TEXT] = "";
    double *weights = NULL;
    if (is_quick(scheme)) {
        lay_out(scheme, LAYOUT_LU);
        lay_out(scheme, LAYOUT_CHOLESKY);
    }
    if (weights_blr(scheme, LAYOUT_LU, MT, NT, &weights, text) != 0)
        EXPECT(weights == NULL && text[0] != '\0');
    free(weights);
    free(scheme);
}
