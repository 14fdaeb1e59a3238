/* libcuda.so.1: device code for NVIDIA as text. */
#include "tests/cuda/emulated.h"

#include <string.h>

size_t emulated_image_bytes(const char *image)
{
    return strstr(image, ".version") == NULL ? 0 : strlen(image) + 1;
}

/* PTX has ".entry NAME(" for a kernel. */
bool emulated_image_has(const char *image, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = image; (at = strstr(at, ".entry ")) != NULL;) {
        at += strlen(".entry ");
        if (strncmp(at, name, length) == 0 && at[length] == '(')
            return true;
    }
    return false;
}
