/*
 * Finite planes, and designs in them.
 *
 * J. Singer, "A theorem in finite projective geometry and some applications to number theory", Trans. AMS 43 (1938): the
 * powers of a generator x of GF(q^3) over GF(q) run through the points of PG(2,q) in a cycle of q^2+q+1, and those in a plane
 * through the origin, a line of PG(2,q), are a difference set.
 *
 * R. H. F. Denniston, "Some maximal arcs in finite projective planes", J. Combinatorial Theory 6 (1969).
 */
#include "layouts/designs/designs.h"
#include "layouts/designs/field.h"

#include <stdlib.h>

/* ---- projective and affine planes --------------------------------------------------------------------------------------- */

/* v = x v modulo x^3 + c[2] x^2 + c[1] x + c[0], given as the negated coefficients. */
static void times_x(const struct field *f, const int negated[3], int v[3])
{
    int leading = v[2];
    for (int k = 2; k > 0; k--)
        v[k] = field_sum(f, v[k - 1], field_product(f, leading, negated[k]));
    v[0] = field_product(f, leading, negated[0]);
}

/* Lists the exponents below q^2+q+1 of powers of x without x^2. Returns 0 if a smaller power of x is in GF(q), or x is no
   generator. */
static int powers_on_line(const struct field *f, const int negated[3], int *residues)
{
    int q = f->order, points = q * q + q + 1, count = 0, v[3] = { 1, 0, 0 };
    for (int exponent = 0; exponent < points; exponent++) {
        int in_field = v[1] == 0 && v[2] == 0;
        if ((in_field && exponent > 0) || (in_field && v[0] == 0))
            return 0;
        if (v[2] == 0) {
            if (count == q + 1)
                return 0;
            residues[count++] = exponent;
        }
        times_x(f, negated, v);
    }
    return v[1] == 0 && v[2] == 0 && count == q + 1;
}

int singer_difference_set(int q, int *residues)
{
    struct field f;
    if (field_create(&f, q))
        return 1;
    int found = 0, cube = q * q * q;
    for (int k = 1; k < cube && !found; k++)
        found = powers_on_line(&f, (int[3]){ k % q, k / q % q, k / q / q }, residues);
    field_destroy(&f);
    return !found;
}

int cyclic_blocks(int modulus, const int *residues, int count, struct blocks *b)
{
    if (blocks_create(b, modulus, modulus, (int64_t)modulus * count))
        return 1;
    for (int p = 0, k = 0; p < modulus; p++) {
        for (int i = 0; i < count; i++)
            b->point[k++] = (residues[i] + p) % modulus;
        b->first[p + 1] = k;
    }
    return 0;
}

int projective_plane(int q, struct blocks *b)
{
    int *residues = malloc(((size_t)q + 1) * sizeof *residues);
    int failed = residues == NULL || singer_difference_set(q, residues) || cyclic_blocks(q * q + q + 1, residues, q + 1, b);
    free(residues);
    return failed;
}

int affine_plane(int q, struct blocks *b)
{
    struct blocks plane;
    if (projective_plane(q, &plane))
        return 1;
    int failed = blocks_create(b, q * q + q, q * q, (int64_t)(q * q + q) * q);
    int *name = calloc((size_t)plane.points, sizeof *name);     /* for each point outside line 0: its number */
    if (!failed && name != NULL) {
        for (int k = plane.first[0]; k < plane.first[1]; k++)
            name[plane.point[k]] = -1;
        for (int point = 0, next = 0; point < plane.points; point++)
            if (name[point] == 0)
                name[point] = next++;
        int count = 0;
        for (int line = 1; line < plane.ranks; line++) {
            for (int k = plane.first[line]; k < plane.first[line + 1]; k++)
                if (name[plane.point[k]] >= 0)
                    b->point[count++] = name[plane.point[k]];
            b->first[line] = count;
        }
    }
    failed = failed || name == NULL;
    if (failed)
        blocks_destroy(b);
    free(name);
    blocks_destroy(&plane);
    return failed;
}

/* ---- the Hermitian unital ----------------------------------------------------------------------------------------------- */

/* The points (1,y,z), (0,1,z), (0,0,1) of PG(2,q^2) are numbered in this order. */
static void coordinates(int point, int order, int v[3])
{
    int square = order * order;
    v[0] = point < square;
    v[1] = point < square ? point / order : point < square + order;
    v[2] = point < square + order ? point % order : 1;
}

static int power(const struct field *f, int a, int exponent)
{
    int result = 1;
    while (exponent-- > 0)
        result = field_product(f, result, a);
    return result;
}

static int dot(const struct field *f, const int a[3], const int b[3])
{
    int sum = 0;
    for (int k = 0; k < 3; k++)
        sum = field_sum(f, sum, field_product(f, a[k], b[k]));
    return sum;
}

/* Numbers the points with x^(q+1) + y^(q+1) + z^(q+1) = 0; the others get -1. */
static int number_points(const struct field *f, int q, int *name)
{
    int points = f->order * f->order + f->order + 1, count = 0;
    for (int point = 0; point < points; point++) {
        int v[3], norm = 0;
        coordinates(point, f->order, v);
        for (int k = 0; k < 3; k++)
            norm = field_sum(f, norm, power(f, v[k], q + 1));
        name[point] = norm == 0 ? count++ : -1;
    }
    return count;
}

/* The blocks are the lines of PG(2,q^2) with q+1 points of the unital; the other lines are tangents, with one point. */
static void list_secants(const struct field *f, int q, const int *name, struct blocks *b)
{
    int points = f->order * f->order + f->order + 1, blocks = 0;
    for (int line = 0; line < points && blocks < b->ranks; line++) {
        int a[3], v[3], count = b->first[blocks];
        coordinates(line, f->order, a);
        for (int point = 0; point < points && count - b->first[blocks] <= q; point++) {
            coordinates(point, f->order, v);
            if (name[point] >= 0 && dot(f, a, v) == 0)
                b->point[count++] = name[point];
        }
        if (count - b->first[blocks] == q + 1)
            b->first[++blocks] = count;
    }
}

int hermitian_unital(int q, struct blocks *b)
{
    struct field f;
    if (field_create(&f, q * q))
        return 1;
    int ranks = q * q * (q * q - q + 1), points = q * q * q + 1;
    int *name = malloc(((size_t)f.order * (size_t)f.order + (size_t)f.order + 1) * sizeof *name);
    int failed = name == NULL || number_points(&f, q, name) != points ||
                 blocks_create(b, ranks, points, (int64_t)ranks * (q + 1));
    if (!failed)
        list_secants(&f, q, name, b);
    free(name);
    field_destroy(&f);
    return failed;
}

/* ---- maximal arcs ------------------------------------------------------------------------------------------------------- */

/* The least c for which x^2 + x + c is never 0. */
static int irreducible_constant(const struct field *f)
{
    for (int c = 1, x = 0; c < f->order; c++) {
        for (x = 0; x < f->order; x++)
            if (field_sum(f, field_product(f, x, field_sum(f, x, 1)), c) == 0)
                break;
        if (x == f->order)
            return c;
    }
    return 0;
}

/* x^2 + x y + c y^2 of the point (1,x,y), `order` and more for points on the line at infinity. */
static int form(const struct field *f, int c, const int v[3])
{
    if (v[0] == 0)
        return f->order;
    int first = field_product(f, v[1], field_sum(f, v[1], v[2])), second = field_product(f, c, field_product(f, v[2], v[2]));
    return field_sum(f, first, second);
}

int maximal_arc(int q, int n, struct blocks *b)
{
    struct field f;
    if (n < 2 || n > q || prime_of_power(q) != 2 || prime_of_power(n) != 2 || field_create(&f, q))
        return 1;
    int points = (n - 1) * (q + 1) + 1, ranks = points * (q + 1) / n, all = q * q + q + 1, c = irreducible_constant(&f);
    int *name = malloc((size_t)all * sizeof *name), count = 0;
    for (int point = 0; point < all && name != NULL; point++) {
        int v[3];
        coordinates(point, q, v);
        name[point] = form(&f, c, v) < n ? count++ : -1;        /* those below n are closed under addition */
    }
    int failed = name == NULL || blocks_create(b, ranks, points, (int64_t)ranks * n);
    if (!failed)
        list_secants(&f, n - 1, name, b);
    free(name);
    field_destroy(&f);
    return failed;
}
