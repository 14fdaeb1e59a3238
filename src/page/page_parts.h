/* What the files share that make a page's data. */
#ifndef OMPFACT_SRC_PAGE_PAGE_PARTS_H
#define OMPFACT_SRC_PAGE_PAGE_PARTS_H

#include "src/page/page_data.h"

struct json_place;

/* Room for one more of `size` bytes in the array that this points to; false: no memory. read_trace.c */
bool page_grow(void *array, int64_t count, int64_t *room, size_t size);
void page_forget_lookup(struct page_data *data);

/* What a trace carries beside events. trace_about.c */
bool page_take_about(struct page_data *data, struct json_place *p);

#endif
