/*
 * usage: loader LIBRARY [ARGUMENT...]
 *
 * What an interpreter does with an extension: loads a program of ScaLAPACK's users, made as a library, so that nobody else sees
 * what it needs, and starts it.
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
