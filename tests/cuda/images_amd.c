/*
 * libamdhip64.so.6: code objects for AMD's devices in one bundle (LLVM's documentation, Clang Offload Bundler): 24 letters, the
 * number of entries in 64 bits, then for each entry offset, size and length of its target's name, and the name.
 */
#define _GNU_SOURCE     /* memmem */
#include "tests/cuda/emulated.h"

#include <stdio.h>
#include <string.h>

enum { MAGIC = 24 };
struct entry {
    uint64_t offset, size, name_length;
};

/* Reads the entry at *at, and moves *at behind the entry and its name. */
static struct entry next_entry(const char **at)
{
    struct entry e;
    memcpy(&e, *at, sizeof e);
    *at += sizeof e + e.name_length;
    return e;
}

/* The number of entries; 0: the image is no bundle. */
static uint64_t entries(const char *image)
{
    uint64_t count;
    memcpy(&count, image + MAGIC, sizeof count);
    return strncmp(image, "__CLANG_OFFLOAD_BUNDLE__", MAGIC) == 0 ? count : 0;
}

size_t emulated_image_bytes(const char *image)
{
    size_t bytes = 0;
    const char *at = image + MAGIC + sizeof(uint64_t);
    for (uint64_t i = entries(image); i > 0; i--) {
        struct entry e = next_entry(&at);
        bytes = e.offset + e.size > bytes ? e.offset + e.size : bytes;
    }
    return bytes;
}

/* Every code object must have the kernel's descriptor, NAME.kd. The first entry is the host's, and empty. */
bool emulated_image_has(const char *image, const char *name)
{
    char symbol[80];
    int length = snprintf(symbol, sizeof symbol, "%s.kd", name), objects = 0;
    const char *at = image + MAGIC + sizeof(uint64_t);
    for (uint64_t i = entries(image); i > 0; i--) {
        struct entry e = next_entry(&at);
        if (e.size > 0 && memmem(image + e.offset, e.size, symbol, (size_t)length + 1) == NULL)
            return false;
        objects += e.size > 0;
    }
    return objects > 0;
}
