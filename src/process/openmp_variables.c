/* OMP_... are OpenMP's variables, KMP_... LLVM's own. */
#include "src/process/openmp_variables.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char blanks[] = " \t\n";

/* Whether the value is a list of thread numbers, one for each level. Otherwise LLVM's runtime (19) ends the program by an
   assertion. */
static bool is_list_of_threads(const char *value)
{
    enum { MOST = 1000000 };
    char *end;
    bool right;
    do {
        value += strspn(value, blanks);
        long threads = strtol(value, &end, 10);
        right = *value >= '0' && *value <= '9' && threads > 0 && threads <= MOST;
        end += strspn(end, blanks);
        value = end + 1;
    } while (right && *end == ',');
    return right && *end == '\0';
}

/* The length of NAME in NAME=VALUE if the runtime must not see the variable, else 0. */
static size_t useless_name(const char *entry)
{
    size_t length = strcspn(entry, "=");
    static const char threads[] = "OMP_NUM_THREADS";
    bool theirs = strncmp(entry, "OMP_", 4) == 0 || strncmp(entry, "KMP_", 4) == 0;
    if (!theirs || entry[length] != '=')
        return 0;
    const char *value = entry + length + 1;
    bool counts = length == strlen(threads) && strncmp(entry, threads, length) == 0;
    return value[strspn(value, blanks)] == '\0' || (counts && !is_list_of_threads(value)) ? length : 0;
}

void openmp_forget_useless(void)
{
    enum { LONGEST = 64 };      /* names of OpenMP's variables are shorter */
    char name[LONGEST];
    for (char **entry = environ; entry != NULL && *entry != NULL;) {
        size_t length = useless_name(*entry);
        if (length == 0 || length >= LONGEST) {
            entry++;
            continue;
        }
        memcpy(name, *entry, length);
        name[length] = '\0';
        unsetenv(name);         /* the next variable moves to this index */
    }
}

/* KMP_TASKING 0 executes tasks where they are created, 1 only at barriers. LLVM's runtime (19) aborts in both where a task is
   detached. */
bool openmp_no_tasks(void)
{
    const char *tasking = getenv("KMP_TASKING");
    return tasking != NULL && (strcmp(tasking, "0") == 0 || strcmp(tasking, "1") == 0);
}
