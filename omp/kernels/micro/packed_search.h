/* The search of packed_rook.h for the next pivot; a part of packed_body.h's code. */

/* Copies column r of A's remaining part to W. Left of the diagonal it is a row. */
TARGET static void M(copy_column)(const struct M(rook) *s, int r, int slot)
{
    int own = r / ROWS;
    for (int S = own; S < s->strips; S++)
        memcpy(M(column_of_w)(s, S, slot), M(column_of_a)(s, S, r), STEP * sizeof(REAL));
    for (int S = s->k / ROWS; S <= own; S++) {
        const REAL *row = M(column_of_a)(s, own, S * ROWS) + r % ROWS;
        REAL *w = M(column_of_w)(s, S, slot);
        int count = M(smaller)(ROWS, r - S * ROWS);
        for (int e = 0; e < count; e++) {
            REAL im = row[e * STEP + (PARTS - 1) * ROWS];
            w[(PARTS - 1) * ROWS + e] = s->conjugate ? -im : im;
            w[e] = row[e * STEP];
        }
    }
}

/* Computes column r of the rest in W. */
static void M(bring)(const struct M(rook) *s, int r, int slot)
{
    int from = s->k / ROWS, count = s->k - s->first;
    M(copy_column)(s, r, slot);
    REAL *w = M(column_of_w)(s, from, slot);
    const REAL *row = M(column_of_w)(s, r / ROWS, 0) + r % ROWS;
    struct M(sum) t = { .k = count, .a = M(column_of_a)(s, from, s->first), .apart = s->apart, .b = row,
                        .next = (const char *)row };
    if (count > 0)
        M(subtract_strips)(s->strips - from, STRIPS, M(subtract_single)[s->conjugate], t, w, M(slots) * STEP);
    for (int i = 0; i < s->k % ROWS; i++)
        M(put)(w, i, 0, 0);
    if (s->conjugate)
        M(put)(M(column_of_w)(s, r / ROWS, slot), r % ROWS, 0, creal(M(in_w)(s, r, slot)));
}

INLINED REAL M(modulus_in)(const REAL *w, int e)
{
    return (REAL)fabs(w[e]) + (PARTS == 2 ? (REAL)fabs(w[(PARTS - 1) * ROWS + e]) : 0);
}

/* The largest modulus of a column of W except in row r, and its place. A NaN does not count. */
TARGET static REAL M(largest)(const struct M(rook) *s, int r, int slot, int *place)
{
    REAL lanes[ROWS] = { 0 }, largest = 0, *own = M(column_of_w)(s, r / ROWS, slot);
    SCALAR diagonal = M(get)(own, r % ROWS, 0);
    M(put)(own, r % ROWS, 0, 0);
    for (int S = s->k / ROWS; S < s->strips; S++) {
        const REAL *w = M(column_of_w)(s, S, slot);
        for (int e = 0; e < ROWS; e++) {
            REAL a = M(modulus_in)(w, e);
            lanes[e] = a > lanes[e] ? a : lanes[e];
        }
    }
    for (int e = 0; e < ROWS; e++)
        largest = lanes[e] > largest ? lanes[e] : largest;
    *place = r;
    for (int S = s->k / ROWS; S < s->strips && largest > 0 && *place == r; S++) {
        const REAL *w = M(column_of_w)(s, S, slot);
        int found = 0;
        for (int e = 0; e < ROWS; e++)
            found |= (M(modulus_in)(w, e) == largest) << e;
        if (found != 0)
            *place = S * ROWS + __builtin_ctz((unsigned)found);
    }
    M(put)(own, r % ROWS, 0, diagonal);
    return largest;
}

/* Interchanges rows p and q of the panel, and its pivots p < q. A's row and column p become q; those of p are not read again.
   slots: number of W's columns in use. */
static void M(exchange)(const struct M(rook) *s, int p, int q, int slots)
{
    if (p == q)
        return;
    int row = s->d->order[p];
    s->d->order[p] = s->d->order[q];
    s->d->order[q] = row;
    for (int l = 0; l < slots; l++) {
        SCALAR swap = M(in_w)(s, p, l);
        M(put)(M(column_of_w)(s, p / ROWS, 0), p % ROWS, l, M(in_w)(s, q, l));
        M(put)(M(column_of_w)(s, q / ROWS, 0), q % ROWS, l, swap);
    }
    for (int j = s->first; j < s->k; j++) {
        SCALAR swap = M(in_a)(s, p, j);
        M(set_a)(s, p, j, M(in_a)(s, q, j));
        M(set_a)(s, q, j, swap);
    }
    M(set_a)(s, q, q, M(in_a)(s, p, p));
    for (int j = p + 1; j < q; j++)
        M(set_a)(s, q, j, M(mirrored)(s, M(in_a)(s, j, p)));
    int below = M(smaller)(s->n, (q / ROWS + 1) * ROWS);
    for (int i = q + 1; i < below; i++)
        M(set_a)(s, i, q, M(in_a)(s, i, p));
    for (int S = q / ROWS + 1; S < s->strips; S++)
        memcpy(M(column_of_a)(s, S, q), M(column_of_a)(s, S, p), STEP * sizeof(REAL));
}

static void M(move_slot)(const struct M(rook) *s, int from, int to)
{
    for (int S = s->k / ROWS; S < s->strips; S++)
        memcpy(M(column_of_w)(s, S, to), M(column_of_w)(s, S, from), STEP * sizeof(REAL));
}

/* Moves the next pivot to k, with its column in W; for a pivot of order 2 also its second row to k + 1. Returns its order. A
   NaN ends the search. Each row that the search visits has a larger element than the row before, so no row is searched
   twice. */
static int M(choose)(const struct M(rook) *s)
{
    const REAL alpha = (REAL)0.6403882032022076;    /* (1 + sqrt(17)) / 8 */
    int k = s->k, slot = k - s->first, p = k, i, j;
    M(bring)(s, k, slot);
    REAL here = MODULUS1(M(in_w)(s, k, slot)), most = M(largest)(s, k, slot, &i);
    if (!(here < alpha * most) || (here < s->d->threshold && most < s->d->threshold))
        return 1;
    for (;;) {
        M(bring)(s, i, slot + 1);
        REAL row = M(largest)(s, i, slot + 1, &j);
        bool single = !(MODULUS1(M(in_w)(s, i, slot + 1)) < alpha * row);
        if (!single && (j == p || !(row > most)))
            break;
        M(move_slot)(s, slot + 1, slot);
        if (single) {
            M(exchange)(s, k, i, slot + 1);
            return 1;
        }
        p = i;
        i = j;
        most = row;
    }
    M(exchange)(s, k, p, slot + 2);
    M(exchange)(s, k + 1, i == k ? p : i, slot + 2);
    return 2;
}
