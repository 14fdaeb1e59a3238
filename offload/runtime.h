/*
 * LLVM's runtime for target regions, libomptarget, loaded when devices are asked for and not before: it brings all of LLVM's
 * compiler, and starts in a tenth of a second. The object with the target regions is linked so that it calls runtime_* here (see
 * local.mk).
 */
#ifndef OMPFACT_OFFLOAD_RUNTIME_H
#define OMPFACT_OFFLOAD_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* OpenMP 5.1, section 3.8, under its names without omp_. */
struct runtime {
    int (*get_num_devices)(void);
    int (*get_initial_device)(void);
    void *(*target_alloc)(size_t bytes, int device);
    void (*target_free)(void *data, int device);
    int (*target_memcpy)(void *target, const void *source, size_t bytes, size_t target_offset, size_t source_offset,
                         int target_device, int source_device);
};

/* NULL, and one line, where there is none. The same each time. */
const struct runtime *runtime_load(char *text, size_t text_size);

/* Has a target region of this thread failed to run on its device since this was asked last? It has then run nowhere. */
bool runtime_region_failed(void);

/* LLVM's plugin for emulated devices loads their code from files in /tmp that it leaves there: removes those of this process. */
void runtime_remove_files(void);

/* Called by the target regions' object in place of __tgt_*: the images of this program, once, and each region. */
void runtime_register(void *images);
void runtime_unregister(void *images);
int runtime_target_kernel(void *location, int64_t device, int32_t teams, int32_t threads, void *region, void *arguments);

#endif
