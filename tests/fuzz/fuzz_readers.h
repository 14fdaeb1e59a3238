/*
 * Readers of files and options, each behind one function that takes any bytes. The function returns, whatever they are, or
 * aborts. libFuzzer searches for bytes from which it does not return (fuzz_main.c), and test_readers.c passes those of
 * corpus/NAME/. To add a reader: its function here, its row in fuzz_readers.c, a folder corpus/NAME, perhaps words/NAME.dict.
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

extern const struct reader readers[];       /* the last element has no name */
const struct reader *reader_find(const char *name);     /* NULL: there is no reader of that name */

/* Makes a file of these bytes, valid until the next call; returns its path. */
const char *reader_file(const uint8_t *bytes, size_t size);
/* A copy of these bytes with a terminating zero, in a block of exactly that size; the caller frees it. */
char *reader_text(const uint8_t *bytes, size_t size);

/* Aborts if `holds` is false. */
void reader_expect(bool holds, const char *what);
#define EXPECT(condition) reader_expect(condition, #condition)
/* Expects one line that is not empty and fits in `room` characters, the terminating zero included. */
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
