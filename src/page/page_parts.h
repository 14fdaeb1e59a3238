/* Declarations shared by the files that make a page's data. */
#ifndef OMPFACT_SRC_PAGE_PAGE_PARTS_H
#define OMPFACT_SRC_PAGE_PAGE_PARTS_H

#include "src/page/page_data.h"

struct json_place;

/* [rank][thread]: 1 + the track. */
struct page_lookup {
    int *of_rank[PAGE_RANKS_MAX];
    int64_t track_room;
    const char *open_id;        /* of the last "b" event, until its "e" event */
    double open_start;
};

/* Makes room for one more element of `size` bytes in the array that this points to; false: no memory. read_trace.c */
bool page_grow(void *array, int64_t count, int64_t *room, size_t size);
/* One element of the list of events. */
bool page_take_event(void *data, struct json_place *p);
/* Finishes after the last text. trace_document.c */
void page_forget_lookup(struct page_data *data);

/* Compares two doubles, for qsort(). sum_up.c */
int page_by_size(const void *a, const void *b);

/* Other data of a trace. trace_about.c */
bool page_take_about(struct page_data *data, struct json_place *p);

#endif
