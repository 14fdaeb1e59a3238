/* The keys of a run's row for people: what they are called, and how their values are read. */
#ifndef OMPFACT_SRC_PAGE_FACTS_TABLE_H
#define OMPFACT_SRC_PAGE_FACTS_TABLE_H

#include "src/page/page_data.h"
#include "src/page/say.h"

#include <stdio.h>

/* <data id="PREFIXKEY" value="VALUE">, with the value for people inside. */
void facts_datum(FILE *out, const char *prefix, const struct page_fact *fact);
/* That of a key, or a dash where it is not there. */
void facts_datum_of(FILE *out, const char *prefix, const struct page_facts *facts, const char *key);
const char *facts_label(const char *key);       /* the key itself where it has no other name */

/* All facts in tables by subject, without those of these keys (the last one NULL). */
void facts_tables(FILE *out, const struct page_facts *facts, const char *const *but);
/* Two runs side by side: rows of a table, a mark where they differ. */
void facts_compared(FILE *out, const struct page_facts *a, const struct page_facts *b);

#endif
