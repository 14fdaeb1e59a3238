/* Finite fields GF(q), q = p^k: elements 0 .. q-1, with tables. 0 and 1 are the field's zero and one. */
#ifndef OMPFACT_LAYOUTS_DESIGNS_FIELD_H
#define OMPFACT_LAYOUTS_DESIGNS_FIELD_H

struct field {
    int order;
    int *sum, *product;         /* order x order */
};

/* The prime p with q = p^k, or 0 if q is no prime power. */
int prime_of_power(int q);

/* Returns 0, or 1 if q is no prime power, or without memory. */
int field_create(struct field *f, int q);
void field_destroy(struct field *f);

static inline int field_sum(const struct field *f, int a, int b)
{
    return f->sum[a * f->order + b];
}

static inline int field_product(const struct field *f, int a, int b)
{
    return f->product[a * f->order + b];
}

#endif
