/* Names of files whose ending promises another format than the one that is written. */
#include "src/command/options_parts.h"

#include <string.h>
#include <strings.h>

/* Endings of formats that a user would expect in a file of such a name. */
static const char known[] = "html|htm|pdf|svg|png|jpg|jpeg|gif|ps|eps|json|jsonl|csv|tsv|xls|xlsx|doc|docx|npy|npz|mtx|mat|h5";

/* Whether the word is one of "this|that", in upper or lower case. */
static bool is_among(const char *endings, const char *ending)
{
    size_t length = strlen(ending);
    for (const char *s = endings; *s != '\0'; s += s[strcspn(s, "|")] != '\0') {
        if (strcspn(s, "|") == length && strncasecmp(s, ending, length) == 0)
            return true;
        s += strcspn(s, "|");
    }
    return false;
}

int format_check(const char *option, const char *format, const char *name, char *text)
{
    const char *slash = strrchr(name, '/'), *file = slash != NULL ? slash + 1 : name, *dot = strrchr(file, '.');
    if (dot == NULL || !is_among(known, dot + 1) || is_among(format, dot + 1))
        return 0;
    int first = (int)strcspn(format, "|");
    return refuse(text, "--%s writes %.*s, but \"%.128s\" has another ending: use %.*s.%.*s", option, first, format, name,
                  (int)(dot - file), file, first, format);
}
