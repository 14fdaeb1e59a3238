/* Programs load the shared library, and a shared library that contains the static one, while they run, as an interpreter does.
   The objects are position independent, those of device images too. No symbol is missing, and the two libraries do not share
   symbols. */
#include "src/ompfact.h"
#include "tests/suite.h"

#include <dlfcn.h>

enum { N = 50, NB = 16 };

static const char *const files[] = { "tests/shared.so", SHARED_LINK };
enum { FILES = sizeof files / sizeof *files };

/* Looks up a function of the library, as a pointer of the right type. */
#define LOOK_UP(name)                                                                                                           \
    __typeof__(&name) name##_there = NULL;                                                                                      \
    *(void **)&name##_there = dlsym(library, #name);                                                                            \
    assert_everywhere(name##_there != NULL)

static void entry(void *context, int64_t i, int64_t j, void *value)
{
    (void)context;
    *(double *)value = i == j ? N : 1.0 / (double)(i + j + 1);
}

/* The library stays loaded: its threads may still run when the program ends. */
static void *load(const char *file)
{
    char path[4096];
    const char *folder = getenv("top_builddir");
    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : ".", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_everywhere_msg(library != NULL, "%s", library == NULL ? dlerror() : "");
    return library;
}

/* The loaded library factors and solves. */
START_TEST(loaded)
{
    void *library = load(files[_i]);
    LOOK_UP(ompfact_grid_create);
    LOOK_UP(ompfact_grid_destroy);
    LOOK_UP(ompfact_matrix_create);
    LOOK_UP(ompfact_matrix_create_like);
    LOOK_UP(ompfact_matrix_destroy);
    LOOK_UP(ompfact_fill_entries);
    LOOK_UP(ompfact_getrf);
    LOOK_UP(ompfact_residual_factors);
    ompfact_grid *grid;
    ompfact_matrix *A, *F;
    int64_t info = -1;
    double ratio = 1e300;
    char message[OMPFACT_MESSAGE] = "";
    ompfact_status status = ompfact_grid_create_there(MPI_COMM_WORLD, &(ompfact_options){ .threads = 2 }, &grid, message);
    assert_everywhere_msg(status == OMPFACT_SUCCESS, "%s", message);
    assert_everywhere(ompfact_matrix_create_there(grid, &(ompfact_shape){ .m = N, .n = N, .nb = NB }, &F) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_matrix_create_like_there(F, &A) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_fill_entries_there(F, entry, NULL) == OMPFACT_SUCCESS &&
                      ompfact_fill_entries_there(A, entry, NULL) == OMPFACT_SUCCESS);
    assert_everywhere(ompfact_getrf_there(F, &info) == OMPFACT_SUCCESS && info == 0);
    assert_everywhere(ompfact_residual_factors_there(A, F, &ratio) == OMPFACT_SUCCESS);
    assert_everywhere_msg(ratio < 30, "ratio %g", ratio);
    ompfact_matrix_destroy_there(&A);
    ompfact_matrix_destroy_there(&F);
    ompfact_grid_destroy_there(&grid);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("shared");
    TCase *tests = tcase_create("shared");
    tcase_add_loop_test(tests, loaded, 0, files[FILES - 1] != NULL ? FILES : FILES - 1);
    suite_add_tcase(suite, tests);
    return run_suite(argc, argv, suite);
}
