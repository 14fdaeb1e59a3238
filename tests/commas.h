/* A locale whose numbers have a decimal comma. */
#ifndef OMPFACT_TESTS_COMMAS_H
#define OMPFACT_TESTS_COMMAS_H

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets the system's German locale, or a locale that is compiled at the path `place`. Returns false where neither is available. */
static inline bool set_comma_locale(const char *place)
{
    static const char *const same[] = { "CTYPE", "COLLATE", "MONETARY", "TIME", "MESSAGES" };
    char path[256], command[1024];
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        snprintf(path, sizeof path, "%s.source", place);
        FILE *source = fopen(path, "w");
        if (source == NULL)
            return false;
        fprintf(source, "comment_char %%\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\n"
                        "END LC_NUMERIC\n");
        for (size_t i = 0; i < sizeof same / sizeof *same; i++)
            fprintf(source, "LC_%s\ncopy \"POSIX\"\nEND LC_%s\n", same[i], same[i]);
        fclose(source);
        snprintf(command, sizeof command, "mkdir -p %s && localedef -c -i %s -f ISO-8859-1 %s/xx_XX > /dev/null 2>&1", place,
                 path, place);
        int unused = system(command);       /* localedef warns of parts that the source lacks */
        (void)unused;
        setenv("LOCPATH", place, 1);
        setlocale(LC_ALL, "xx_XX");
        unlink(path);
    }
    return strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Removes the files of the locale. The process that compiled the locale calls this. */
static inline void remove_comma_locale(const char *place)
{
    char command[512];
    snprintf(command, sizeof command, "rm -rf %s", place);
    int unused = system(command);
    (void)unused;
}

#endif
