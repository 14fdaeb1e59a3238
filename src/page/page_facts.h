/* Facts for people: their names and values. */
#ifndef OMPFACT_SRC_PAGE_PAGE_FACTS_H
#define OMPFACT_SRC_PAGE_PAGE_FACTS_H

#include "src/facts/facts.h"

bool fact_is_known(const struct fact *fact, const struct facts *facts);

/* Writes <data id="PREFIXKEY" value="VALUE">, with the value for people inside; a dash if it is not known. */
void fact_datum(FILE *out, const char *prefix, const struct fact *fact, const struct facts *facts);

/* Writes all known facts in tables by subject, except these facts (the last one NULL). */
void facts_tables(FILE *out, const struct facts *facts, const struct fact *const *but);
/* Writes rows of a table for two runs side by side, with a mark at differences. */
void facts_compared(FILE *out, const struct facts *a, const struct facts *b);

#endif
