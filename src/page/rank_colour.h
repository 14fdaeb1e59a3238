/* A colour for each rank, for pictures and pages. */
#ifndef OMPFACT_SRC_PAGE_RANK_COLOUR_H
#define OMPFACT_SRC_PAGE_RANK_COLOUR_H

#include <stdbool.h>

struct rank_colour {
    char hex[8];
    bool dark;          /* white is more readable on it than black */
};
struct rank_colour rank_colour(int rank);

#endif
