/* Reads OMPFACT_TEST_CUDA=KEY=VALUE,... */
#include "tests/cuda/engine.h"

#include "src/process/launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set(struct settings *s, int *only, const char *key, const char *value)
{
    if (strcmp(key, "report") == 0)
        snprintf(s->report, sizeof s->report, "%s", value);
    else if (strcmp(key, "devices") == 0)
        s->devices = atoi(value);
    else if (strcmp(key, "capability") == 0)
        s->capability = atoi(value);
    else if (strcmp(key, "delay") == 0)
        s->delay = atol(value);
    else if (strcmp(key, "seed") == 0)
        s->seed = strtoull(value, NULL, 10);
    else if (strcmp(key, "fail_alloc") == 0)
        s->fail_alloc = atol(value);
    else if (strcmp(key, "lose_after") == 0)
        s->lose_after = atol(value);
    else if (strcmp(key, "refuse") == 0)
        snprintf(s->refuse, sizeof s->refuse, "%s", value);
    else if (strcmp(key, "rank") == 0)
        *only = atoi(value);
    else
        fprintf(stderr, "emulated CUDA: OMPFACT_TEST_CUDA has no %s\n", key);
}

struct settings emulated_settings(void)
{
    const char *text = getenv("OMPFACT_TEST_CUDA");
    int rank = launcher_rank();
    struct settings s = { .devices = 4, .capability = 90, .rank = rank < 0 ? 0 : rank };
    int only = s.rank;
    char *copy = strdup(text == NULL ? "" : text), *rest = NULL;
    for (char *key = strtok_r(copy, ",", &rest); key != NULL; key = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(key, '=');
        if (value != NULL)
            *value++ = '\0';
        set(&s, &only, key, value == NULL ? "" : value);
    }
    free(copy);
    if (s.devices < 0 || s.devices > 1024)
        s.devices = 0;
    if (only != s.rank) {
        s.fail_alloc = s.lose_after = 0;
        s.refuse[0] = '\0';
    }
    return s;
}
