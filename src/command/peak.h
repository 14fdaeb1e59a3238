/* Memory of this process, as the kernel counts it: resident pages, shared windows included once touched. */
#ifndef OMPFACT_SRC_COMMAND_PEAK_H
#define OMPFACT_SRC_COMMAND_PEAK_H

#include <stdint.h>

int64_t peak_resident_now(void);    /* bytes; 0: not known */
void peak_reset(void);              /* forget the peak so far, where the kernel allows it */
int64_t peak_resident(void);        /* most bytes since the last reset */

#endif
