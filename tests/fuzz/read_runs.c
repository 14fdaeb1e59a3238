/* Traces, and rows of --json: pages and comparisons are made of what could be read. */
#define _GNU_SOURCE     /* memmem */
#include "src/command/options.h"
#include "src/page/page.h"
#include "tests/fuzz/fuzz_readers.h"

#include <stdlib.h>
#include <string.h>

/* No text of the file may become markup of the page: words/report.dict has this element for libFuzzer to try. */
static const char element[] = "<b id=";

void read_report(const uint8_t *bytes, size_t size)
{
    struct page_data *data = NULL;
    char text[PAGE_TEXT] = "", *page = NULL;
    size_t length = 0;
    if (page_read_trace(reader_file(bytes, size), &data, text) != 0) {
        EXPECT(data == NULL);
        reader_expect_line(text, sizeof text);
        return;
    }
    FILE *out = open_memstream(&page, &length);
    bool written = out != NULL && page_write(out, data);
    if (out != NULL)
        fclose(out);
    EXPECT(!written || (length > 0 && memmem(page, length, element, strlen(element)) == NULL));
    free(page);
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere != NULL) {
        page_summary(nowhere, data);
        fclose(nowhere);
    }
    page_data_destroy(&data);
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
