/* The parts of a tile's columns that are in one place each. A task on whole columns is one task for each part. */
#include "omp/task.h"

bool next_part(const struct operand *o, struct part *p)
{
    int first = p->first + p->columns, all = memory_columns(o);
    if (first >= all)
        return false;
    *p = (struct part){ first, all - first };
    if (o->split != NULL && first < o->split->host) {
        int strip = o->split->strip, host = o->split->host - first;
        p->columns = p->columns < host ? p->columns : host;
        p->columns = p->columns < strip ? p->columns : strip;
    }
    return true;
}

struct operand part_of(struct operand o, struct part p)
{
    o.used = p;
    return o;
}
