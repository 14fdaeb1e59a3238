/* A checkpoint's manifest, without its digest, which made-up bytes would never match: sizes agree, and names stay in the
   folder. */
#include "src/checkpoint/manifest.h"
#include "tests/fuzz/fuzz_readers.h"

#include <stdlib.h>
#include <string.h>

void read_manifest(const uint8_t *bytes, size_t size)
{
    char *text = reader_text(bytes, size), why[MANIFEST_TEXT] = "";
    struct manifest m;
    if (manifest_parse_members(text, &m, why) != 0) {
        reader_expect_line(why, sizeof why);
    } else {
        int64_t sum = 0;
        EXPECT(m.step >= 0 && m.step <= m.mt && m.step <= m.nt);
        for (int i = 0; i < m.mt; i++) {
            EXPECT(m.heights[i] > 0);
            sum += m.heights[i];
        }
        EXPECT(sum == m.m);
        for (int i = 0; i < m.files; i++)
            EXPECT(manifest_names(m.file[i].name, &(struct saved_name){ 0 }) && strchr(m.file[i].name, '/') == NULL &&
                   m.file[i].bytes >= 0);
    }
    manifest_forget(&m);
    free(text);
}
