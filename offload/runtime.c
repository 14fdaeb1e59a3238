#define _GNU_SOURCE      /* dl_iterate_phdr */

#include "offload/runtime.h"

#include "config.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void registration(void *images);
typedef int launch(void *location, int64_t device, int32_t teams, int32_t threads, void *region, void *arguments);

/* These belong to the process, like the images: the library is loaded once, and never unloaded. */
static void *registered_images;
static struct runtime runtime;
static registration *unregister_images;
static launch *launch_region;
static char failure[300];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local bool region_failed;

void runtime_register(void *images)
{
    registered_images = images;
}

/* The call of the object at exit comes after the end of the library: see unregister. */
void runtime_unregister(void *images)
{
    (void)images;
}

static void unregister(void)
{
    unregister_images(registered_images);
}

static void *function(void *library, const char *name)
{
    void *address = dlsym(library, name);
    if (address == NULL && failure[0] == '\0')
        snprintf(failure, sizeof failure, "the OpenMP target runtime %s has no %s", OFFLOAD_RUNTIME, name);
    return address;
}

/* ---- images that LLVM does not recognize -------------------------------------------------------------------------------- */

/* The argument of __tgt_register_lib. */
struct image {
    char *start, *end;
    void *first_entry, *last_entry;
};
struct images {
    int32_t count;
    struct image *image;
    void *first_entry, *last_entry;
};

enum { CUDA_13_ABI = 8, ADDRESSES_OF_64_BITS = 0x400 };

/*
 * CUDA 13's assembler writes the architecture to another byte of the ELF header than earlier ones, and LLVM up to version 20
 * takes this for an unknown device. LLVM reads the header only when images are registered, and the driver only when they are
 * loaded later. So the header is changed to an earlier one's during the registration.
 */
static Elf64_Ehdr *misread_header(const struct image *image)
{
    Elf64_Ehdr *header = (Elf64_Ehdr *)(void *)image->start;
    bool cuda = (size_t)(image->end - image->start) >= sizeof *header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                header->e_machine == EM_CUDA && header->e_ident[EI_ABIVERSION] == CUDA_13_ABI;
    return cuda && atoi(&OFFLOAD_RUNTIME[strcspn(OFFLOAD_RUNTIME, "0123456789")]) < 21 ? header : NULL;
}

/* Copies the images that are not recognized, because their memory is read-only; the copies are never freed. false: no
   memory. */
static bool register_all(registration *register_images)
{
    static struct images all;
    all = *(const struct images *)registered_images;
    size_t count = (size_t)all.count;
    struct image *images = malloc(count * sizeof *images);
    Elf64_Word *flags = calloc(count, sizeof *flags);
    bool good = images != NULL && flags != NULL;
    size_t done = 0;
    for (size_t i = 0; good && i < count; i++, done++) {
        images[i] = all.image[i];
        if (misread_header(&images[i]) == NULL)
            continue;
        size_t bytes = (size_t)(images[i].end - images[i].start);
        char *copy = malloc(bytes);
        good = copy != NULL;
        if (!good)
            break;
        images[i].start = memcpy(copy, images[i].start, bytes);
        images[i].end = copy + bytes;
        flags[i] = misread_header(&images[i])->e_flags;
        misread_header(&images[i])->e_flags = (flags[i] >> 8 & 0xff) | ADDRESSES_OF_64_BITS;
    }
    if (good) {
        all.image = images;
        registered_images = &all;
        register_images(registered_images);
    }
    for (size_t i = 0; good && i < count; i++)
        if (flags[i] != 0)
            misread_header(&images[i])->e_flags = flags[i];
    for (size_t i = 0; !good && images != NULL && i < done; i++)
        if (images[i].start != all.image[i].start)
            free(images[i].start);
    if (!good)
        free(images);
    free(flags);
    return good;
}

/* RTLD_GLOBAL, because the OpenMP runtime searches global symbols for functions of devices. */
static void load(void)
{
    void *library = dlopen(OFFLOAD_RUNTIME, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL)
        library = dlopen(OFFLOAD_RUNTIME_FOLDER "/" OFFLOAD_RUNTIME, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL) {
        const char *why = dlerror();
        snprintf(failure, sizeof failure, "the OpenMP target runtime does not load: %s", why == NULL ? OFFLOAD_RUNTIME : why);
        return;
    }
    runtime.get_num_devices = (int (*)(void))function(library, "omp_get_num_devices");
    runtime.get_initial_device = (int (*)(void))function(library, "omp_get_initial_device");
    runtime.target_alloc = (void *(*)(size_t, int))function(library, "omp_target_alloc");
    runtime.target_free = (void (*)(void *, int))function(library, "omp_target_free");
    runtime.target_memcpy =
        (int (*)(void *, const void *, size_t, size_t, size_t, int, int))function(library, "omp_target_memcpy");
    registration *register_images = (registration *)function(library, "__tgt_register_lib");
    unregister_images = (registration *)function(library, "__tgt_unregister_lib");
    launch_region = (launch *)function(library, "__tgt_target_kernel");
    if (failure[0] != '\0')
        return;
    if (registered_images == NULL) {
        snprintf(failure, sizeof failure, "this program holds no code for devices");
        return;
    }
    if (!register_all(register_images)) {
        snprintf(failure, sizeof failure, "no memory for the code for devices");
        return;
    }
    atexit(unregister);     /* so that it comes before the end of the library */
}

const struct runtime *runtime_load(char *text, size_t text_size)
{
    pthread_once(&once, load);
    if (failure[0] == '\0')
        return &runtime;
    snprintf(text, text_size, "%s", failure);
    return NULL;
}

static int remove_file(struct dl_phdr_info *library, size_t size, void *prefix)
{
    (void)size;
    if (strncmp(library->dlpi_name, prefix, strlen(prefix)) == 0)
        unlink(library->dlpi_name);
    return 0;
}

void runtime_remove_files(void)
{
    static char prefix[] = "/tmp/tmpfile_";
    dl_iterate_phdr(remove_file, prefix);
}

bool runtime_region_failed(void)
{
    bool failed = region_failed;
    region_failed = false;
    return failed;
}

/* With any other result than 0 the region would run on the host, which was not requested. */
int runtime_target_kernel(void *location, int64_t device, int32_t teams, int32_t threads, void *region, void *arguments)
{
    if (launch_region == NULL || launch_region(location, device, teams, threads, region, arguments) != 0)
        region_failed = true;
    return 0;
}
