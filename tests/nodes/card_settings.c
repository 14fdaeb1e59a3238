/* OMPFACT_TEST_NATIVE=KEY=VALUE,... */
#include "tests/nodes/card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(struct card_settings *s, const char *key, double value)
{
    if (strcmp(key, "latency") == 0)
        s->latency = 1e-6 * value;
    else if (strcmp(key, "rate") == 0)
        s->rate = 1e6 * value;
    else if (strcmp(key, "shuffle") == 0)
        s->shuffle = (unsigned)value;
    else if (strcmp(key, "forbid") == 0)
        s->forbid = (long)value;
    else if (strcmp(key, "windows") == 0)
        s->no_windows = value == 0;
    else if (strcmp(key, "pins") == 0)
        s->pins = value != 0;
    else if (strcmp(key, "report") == 0)
        s->report = value != 0;
    else
        fprintf(stderr, "native: OMPFACT_TEST_NATIVE has no %s\n", key);
}

struct card_settings card_settings(void)
{
    const char *text = getenv("OMPFACT_TEST_NATIVE");
    struct card_settings s = { .forbid = -1 };
    char *copy = strdup(text == NULL ? "" : text), *rest = NULL;
    for (char *key = strtok_r(copy, ",", &rest); key != NULL; key = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(key, '=');
        if (value != NULL)
            *value++ = '\0';
        set(&s, key, value == NULL ? 1 : atof(value));
    }
    free(copy);
    return s;
}
