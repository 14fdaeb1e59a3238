#include "src/command/load_lists.h"

#include <stdio.h>
#include <stdlib.h>

enum { NUMBER = 26 };

/* Every so many-th double, so many of them: "[1, 2.5]". NULL: no memory. */
static char *list(const double *value, size_t stride, int count)
{
    char *text = malloc((size_t)count * NUMBER + 3), *end = text;
    if (text == NULL)
        return NULL;
    for (int i = 0; i < count; i++, value += stride)
        end += sprintf(end, "%s%.12g", i == 0 ? "[" : ", ", *value);
    sprintf(end, "]");
    return text;
}

static char *list_steps(const ompfact_loads *loads)
{
    char *text = malloc((size_t)loads->points * NUMBER + 3), *end = text;
    if (text == NULL)
        return NULL;
    for (int i = 0; i < loads->points; i++)
        end += sprintf(end, "%s%d", i == 0 ? "[" : ", ", loads->point[i].last_step);
    sprintf(end, "]");
    return text;
}

int loads_write(const ompfact_loads *from, struct loads *loads, char text[COMMAND_TEXT])
{
    const size_t stride = sizeof *from->point / sizeof(double);
    *loads = (struct loads){ 0 };
    if (from == NULL)
        return 0;
    const ompfact_step_load *point = from->point;
    *loads = (struct loads){ .abe = list(from->time, 1, from->ranks), .abe_steps = list_steps(from),
                             .abe_max = list(&point->most, stride, from->points),
                             .abe_ideal = list(&point->ideal, stride, from->points),
                             .cabe_spread = list(&point->spread, stride, from->points),
                             .cpb = from->bounded ? list(&point->bound, stride, from->points) : NULL };
    bool whole = loads->abe != NULL && loads->abe_steps != NULL && loads->abe_max != NULL && loads->abe_ideal != NULL &&
                 loads->cabe_spread != NULL && (!from->bounded || loads->cpb != NULL);
    return whole ? 0 : refuse(text, "no memory for the times of %d ranks", from->ranks);
}

void loads_forget(struct loads *loads)
{
    free(loads->abe);
    free(loads->abe_steps);
    free(loads->abe_max);
    free(loads->abe_ideal);
    free(loads->cabe_spread);
    free(loads->cpb);
    *loads = (struct loads){ 0 };
}
