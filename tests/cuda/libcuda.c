/* libcuda.so.1: the functions of the driver that are used. */
#include "tests/cuda/emulated.h"

#include <stdio.h>

enum { VERSION = 13000, CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };

int cuInit(unsigned flags)
{
    (void)flags;
    int error = emulated_begin(__func__) && emulated_devices() == 0 ? NO_DEVICE : 0;
    return emulated_end(error);
}

int cuDriverGetVersion(int *version)
{
    if (version != NULL)
        *version = VERSION;
    return version == NULL ? INVALID_VALUE : 0;
}

int cuDeviceGetCount(int *count)
{
    emulated_begin(__func__);
    if (count != NULL)
        *count = emulated_devices();
    return emulated_end(count == NULL ? INVALID_VALUE : 0);
}

/* The result of a call that writes something of a device to `target`. */
static int end_of(const void *target, int device)
{
    return emulated_end(target == NULL ? INVALID_VALUE : device >= 0 && device < emulated_devices() ? 0 : BAD_DEVICE);
}

int cuDeviceGet(int *device, int ordinal)
{
    emulated_begin(__func__);
    if (device != NULL)
        *device = ordinal;
    return end_of(device, ordinal);
}

int cuDeviceGetName(char *name, int length, int device)
{
    emulated_begin(__func__);
    if (name != NULL && length > 0)
        snprintf(name, (size_t)length, "Emulated GPU (emulated by the host)");
    return end_of(name, device);
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    emulated_begin(__func__);
    if (value != NULL)
        *value = attribute == CAPABILITY_MAJOR ? emulated_capability() / 10 :
                 attribute == CAPABILITY_MINOR ? emulated_capability() % 10 : 1;
    return end_of(value, device);
}

int cuGetErrorString(int error, const char **text)
{
    const char *known = emulated_error_text(error);
    if (text != NULL)
        *text = known;
    return text == NULL || known == NULL ? INVALID_VALUE : 0;
}

int cuGetErrorName(int error, const char **name)
{
    static _Thread_local char text[60];
    const char *known = emulated_error_name(error);
    snprintf(text, sizeof text, "CUDA_%s%s", error == 0 ? "" : "ERROR_", known == NULL ? "" : known);
    if (name != NULL)
        *name = known == NULL ? NULL : text;
    return name == NULL || known == NULL ? INVALID_VALUE : 0;
}

int cuMemGetInfo_v2(size_t *available, size_t *total)
{
    int device = emulated_begin(__func__) ? emulated_device_set() : -1;
    if (device < 0 || available == NULL || total == NULL)
        return emulated_end(device < 0 ? NO_CONTEXT : INVALID_VALUE);
    emulated_memory_info(device, available, total);
    return emulated_end(0);
}

/* A context is its device's number, from 1. */
int cuCtxGetCurrent(void **context)
{
    emulated_begin(__func__);
    if (context != NULL)
        *context = (void *)(intptr_t)(emulated_device_set() + 1);
    return emulated_end(context == NULL ? INVALID_VALUE : 0);
}
