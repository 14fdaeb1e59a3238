/*
 * usage: loader LIBRARY [ARGUMENT...]
 *
 * Works like an interpreter with an extension: loads a program that uses ScaLAPACK, built as a library, with local symbols, and
 * calls its main function.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int (*start)(int argc, char **argv);
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "loader: %s\n", argc > 1 ? dlerror() : "no library");
        return 2;
    }
    *(void **)&start = dlsym(library, "main");
    return start(argc - 1, argv + 1);
}
