#include "src/command/speeds.h"

#include "src/ompfact_machine.h"

#include <stdlib.h>

int speeds_create(int ranks, struct speeds *s, char text[COMMAND_TEXT])
{
    *s = (struct speeds){ .count = ranks, .speed = calloc((size_t)ranks, sizeof *s->speed) };
    if (s->speed != NULL)
        return 0;
    speeds_forget(s);
    return refuse(text, "no memory for the speeds of %d ranks", ranks);
}

int speeds_read(const char *path, int ranks, struct speeds *s, char text[COMMAND_TEXT])
{
    char why[OMPFACT_MESSAGE];
    int code = speeds_create(ranks, s, text);
    if (code == 0 && ompfact_read_speeds(path, ranks, s->speed, why) != OMPFACT_SUCCESS)
        code = refuse(text, "--speeds %s", why);
    if (code != 0)
        speeds_forget(s);
    return code;
}

int speeds_measure(ompfact_grid *grid, bool on_devices, struct speeds *s, char text[COMMAND_TEXT])
{
    if (ompfact_measure_speeds(grid, on_devices, s->speed, &s->spread) != OMPFACT_SUCCESS)
        return refuse(text, "--speeds auto: %s", ompfact_message(grid));
    s->measured = true;
    return 0;
}

void speeds_forget(struct speeds *s)
{
    free(s->speed);
    *s = (struct speeds){ 0 };
}

void speeds_print(const struct speeds *s, FILE *out)
{
    fprintf(out, "speeds%s: ", s->measured ? " as measured" : "");
    for (int first = 0, end; first < s->count; first = end) {
        for (end = first; end < s->count && s->speed[end] == s->speed[first]; end++)
            ;
        fprintf(out, first == 0 ? "" : ", ");
        if (end - first > 1)
            fprintf(out, "%d x ", end - first);
        fprintf(out, "%.6g", s->speed[first]);
    }
    if (s->measured)
        fprintf(out, " (differences below %.0f %% count as equal)", 100 * s->spread);
    fprintf(out, "\n");
}
