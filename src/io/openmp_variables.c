/* OMP_... are OpenMP's, KMP_... LLVM's own. */
#include "src/io/openmp_variables.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

/* NAME= of OpenMP's, and nothing behind it: its length, else 0. */
static size_t empty_name(const char *entry)
{
    size_t length = strcspn(entry, "=");
    bool theirs = strncmp(entry, "OMP_", 4) == 0 || strncmp(entry, "KMP_", 4) == 0;
    return theirs && entry[length] == '=' && entry[length + 1] == '\0' ? length : 0;
}

void openmp_forget_empty(void)
{
    enum { LONGEST = 64 };      /* theirs are shorter */
    char name[LONGEST];
    for (char **entry = environ; entry != NULL && *entry != NULL;) {
        size_t length = empty_name(*entry);
        if (length == 0 || length >= LONGEST) {
            entry++;
            continue;
        }
        memcpy(name, *entry, length);
        name[length] = '\0';
        unsetenv(name);         /* the next one takes its place */
    }
}

/* 0 does tasks where they are made, 1 only at barriers: LLVM's runtime (19) ends in either where a task is detached. */
bool openmp_no_tasks(void)
{
    const char *tasking = getenv("KMP_TASKING");
    return tasking != NULL && (strcmp(tasking, "0") == 0 || strcmp(tasking, "1") == 0);
}
