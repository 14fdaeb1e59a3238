/* Traces, and rows of --json: whole pages are made of what could be read. */
#include "src/command/options.h"
#include "src/command/write_page.h"
#include "tests/fuzz/fuzz_readers.h"

#include <stdlib.h>
#include <string.h>

void read_report(const uint8_t *bytes, size_t size)
{
    char text[COMMAND_TEXT] = "";
    if (page_of_trace(reader_file(bytes, size), "/dev/null", text) != 0)
        reader_expect_line(text, sizeof text);
}

void read_compare(const uint8_t *bytes, size_t size)
{
    const char *path = reader_file(bytes, size);
    char text[COMMAND_TEXT] = "", *table = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&table, &length);
    if (out == NULL)
        return;
    if (compare_run(path, path, "/dev/null", out, text) != 0)
        reader_expect_line(text, sizeof text);
    fclose(out);
    EXPECT(text[0] != '\0' || strchr(table, '\n') != NULL);
    free(table);
}
