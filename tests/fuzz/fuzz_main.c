/* The entry of libFuzzer; FUZZ_READER names the reader to test. */
#include "tests/fuzz/fuzz_readers.h"

#include <stdio.h>
#include <stdlib.h>

static const struct reader *chosen;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("FUZZ_READER");
    (void)argc, (void)argv;
    chosen = name != NULL ? reader_find(name) : NULL;
    if (chosen == NULL) {
        fprintf(stderr, "FUZZ_READER names no reader; there are:\n");
        for (const struct reader *r = readers; r->name != NULL; r++)
            fprintf(stderr, "%s\n", r->name);
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    chosen->take(bytes, size);
    return 0;
}
