/*
 * GF(p^k) as polynomials over GF(p) modulo an irreducible one; an element's number has the coefficients as digits in base p.
 */
#include "layouts/designs/field.h"

#include <stdbool.h>
#include <stdlib.h>

int prime_of_power(int q)
{
    int p = 2;
    while (p < q && q % p != 0)
        p++;
    for (int rest = q; rest > 1; rest /= p)
        if (rest % p != 0)
            return 0;
    return q > 1 ? p : 0;
}

static int add(int a, int b, int p)
{
    int sum = 0, digit = 1;
    for (; a > 0 || b > 0; a /= p, b /= p, digit *= p)
        sum += (a % p + b % p) % p * digit;
    return sum;
}

/* c * a, c in GF(p) */
static int scale(int a, int c, int p)
{
    int result = 0, digit = 1;
    for (; a > 0; a /= p, digit *= p)
        result += a % p * c % p * digit;
    return result;
}

/* x * a modulo the monic polynomial x^k + low */
static int times_x(int a, int low, int q, int p)
{
    int leading = a / (q / p), rest = a % (q / p) * p;
    return add(rest, scale(low, (p - leading) % p, p), p);
}

static int multiply(int a, int b, int low, int q, int p)
{
    int result = 0;
    for (; b > 0; b /= p, a = times_x(a, low, q, p))
        result = add(result, scale(a, b % p, p), p);
    return result;
}

/* Whether x^k + low makes x a generator of all non-zero elements; then it is irreducible, too. */
static bool is_primitive(int low, int q, int p)
{
    int power = p, order = 1;           /* the number p is the polynomial x */
    while (power != 1 && power != 0 && order < q) {
        power = times_x(power, low, q, p);
        order++;
    }
    return power == 1 && order == q - 1;
}

int field_create(struct field *f, int q)
{
    int p = prime_of_power(q), low = 0;
    size_t entries = (size_t)q * (size_t)q;
    *f = (struct field){ .order = q };
    if (p == 0)
        return 1;
    f->sum = malloc(entries * sizeof *f->sum);
    f->product = malloc(entries * sizeof *f->product);
    if (f->sum == NULL || f->product == NULL) {
        field_destroy(f);
        return 1;
    }
    while (p < q && !is_primitive(low, q, p))
        low++;
    for (int a = 0; a < q; a++)
        for (int b = 0; b < q; b++) {
            f->sum[a * q + b] = add(a, b, p);
            f->product[a * q + b] = p == q ? (int)((long)a * b % q) : multiply(a, b, low, q, p);
        }
    return 0;
}

void field_destroy(struct field *f)
{
    free(f->sum);
    free(f->product);
    f->sum = f->product = NULL;
}
