/*
 * LLVM's runtime for target regions, libomptarget, loaded only when devices are requested: it loads all of LLVM's compiler,
 * and takes a tenth of a second to start. The object with the target regions is linked such that it calls runtime_* here (see
 * local.mk).
 */
#ifndef OMPFACT_OFFLOAD_RUNTIME_H
#define OMPFACT_OFFLOAD_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions of OpenMP 5.1, section 3.8, without omp_ in their names. */
struct runtime {
    int (*get_num_devices)(void);
    int (*get_initial_device)(void);
    void *(*target_alloc)(size_t bytes, int device);
    void (*target_free)(void *data, int device);
    int (*target_memcpy)(void *target, const void *source, size_t bytes, size_t target_offset, size_t source_offset,
                         int target_device, int source_device);
};

/* NULL, and one line, if there is none. Always the same result. */
const struct runtime *runtime_load(char *text, size_t text_size);

/* Whether a target region of this thread has failed to run on its device since the last call. Such a region has run nowhere. */
bool runtime_region_failed(void);

/* LLVM's plugin for emulated devices loads their code from files in /tmp and does not delete them: removes those of this
   process. */
void runtime_remove_files(void);

/* Called by the object with the target regions in place of __tgt_*: for the images of this program, once, and for each
   region. */
void runtime_register(void *images);
void runtime_unregister(void *images);
int runtime_target_kernel(void *location, int64_t device, int32_t teams, int32_t threads, void *region, void *arguments);

#endif
