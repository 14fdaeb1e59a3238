/*
 * Readers of what others wrote, each behind one function that takes any bytes. It returns whatever they are, or aborts: libFuzzer
 * looks for bytes that it does not return from (fuzz_main.c), and test_readers.c gives it those of corpus/NAME/.
 * To add a reader: its function here, its row in fuzz_readers.c, a folder corpus/NAME, perhaps words/NAME.dict.
 */
#ifndef OMPFACT_TESTS_FUZZ_FUZZ_READERS_H
#define OMPFACT_TESTS_FUZZ_FUZZ_READERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reader {
    const char *name;
    void (*take)(const uint8_t *bytes, size_t size);
};

extern const struct reader readers[];       /* ends with one that has no name */
const struct reader *reader_find(const char *name);     /* NULL: none of that name */

/* A file that holds these bytes, until the next one: its path. */
const char *reader_file(const uint8_t *bytes, size_t size);
/* These bytes with an end, as large as that: free() it. */
char *reader_text(const uint8_t *bytes, size_t size);

/* Aborts where it does not hold. */
void reader_expect(bool holds, const char *what);
#define EXPECT(condition) reader_expect(condition, #condition)
/* One line that says something, of at most so many characters, its end included. */
void reader_expect_line(const char *text, size_t room);

void read_compare(const uint8_t *bytes, size_t size);
void read_machine(const uint8_t *bytes, size_t size);
void read_manifest(const uint8_t *bytes, size_t size);
void read_map_file(const uint8_t *bytes, size_t size);
void read_mtx(const uint8_t *bytes, size_t size);
void read_npy(const uint8_t *bytes, size_t size);
void read_options(const uint8_t *bytes, size_t size);
void read_points(const uint8_t *bytes, size_t size);
void read_scheme(const uint8_t *bytes, size_t size);
void read_speeds(const uint8_t *bytes, size_t size);
void read_report(const uint8_t *bytes, size_t size);
void read_tiles(const uint8_t *bytes, size_t size);
void read_weights(const uint8_t *bytes, size_t size);

#endif
