/* Facts for people: what they are called, and their values. */
#ifndef OMPFACT_SRC_PAGE_PAGE_FACTS_H
#define OMPFACT_SRC_PAGE_PAGE_FACTS_H

#include "src/facts/facts.h"

bool fact_is_known(const struct fact *fact, const struct facts *facts);

/* <data id="PREFIXKEY" value="VALUE">, with the value for people inside; a dash where it is not known. */
void fact_datum(FILE *out, const char *prefix, const struct fact *fact, const struct facts *facts);

/* All that is known in tables by subject, without these facts (the last one NULL). */
void facts_tables(FILE *out, const struct facts *facts, const struct fact *const *but);
/* Two runs side by side: rows of a table, a mark where they differ. */
void facts_compared(FILE *out, const struct facts *a, const struct facts *b);

#endif
