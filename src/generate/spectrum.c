/*
 * With W_U, T_U of U and W_V, T_V of V, all real, and C = T_U W_U^T S W_V T_V^T,
 *
 *     (I - W_U T_U W_U^T) S (I - W_V T_V W_V^T)^T = S - W_U (T_U W_U^T S) - (S W_V T_V^T) W_V^T + W_U C W_V^T.
 *
 * Entry (i,j) of this needs row i of W_U and W_V, row j of both, S_i and S_j. For the compact form of a product of reflectors see
 * Schreiber, Van Loan, "A Storage-Efficient WY Representation for Products of Householder Transformations", 1989.
 */
#include "src/generate/spectrum.h"

#include "src/generate/random_by_place.h"

#include <math.h>

enum { REFLECTORS = SPECTRUM_REFLECTORS };
typedef double square[REFLECTORS][REFLECTORS];

/* ---- values --------------------------------------------------------------------------------------------------------------- */

static double value(const struct spectrum *s, int64_t i)
{
    if (i >= s->count)
        return 0;
    i = s->reversed ? s->count - 1 - i : i;
    const double t = s->count > 1 ? (double)i / (double)(s->count - 1) : 0;
    switch (s->distribution) {
    case SPECTRUM_LOGRAND: return pow(s->cond, -random_uniform(random_draw(s->key, i)));
    case SPECTRUM_ARITH: return 1 - t * (1 - 1 / s->cond);
    case SPECTRUM_GEO: return pow(s->cond, -t);
    case SPECTRUM_CLUSTER0: return i == 0 ? 1 : 1 / s->cond;
    case SPECTRUM_CLUSTER1: return t < 1 ? 1 : 1 / s->cond;
    }
    return 0;
}

/* ---- factors -------------------------------------------------------------------------------------------------------------- */

static double weight(const struct spectrum_factor *f, int r, int64_t i)
{
    return 2 * random_uniform(random_draw(f->key[r], i)) - 1;
}

/* H_1 H_2 with H_r = I - tau_r w_r w_r^T, tau_r = 2 / w_r^T w_r. Keys below zero belong to no column. */
static void make_factor(struct spectrum_factor *f, int64_t order, uint64_t seed, int64_t first_key)
{
    double squares[REFLECTORS] = { 0 }, product = 0;
    for (int r = 0; r < REFLECTORS; r++)
        f->key[r] = random_key(seed, -first_key - r, 0);
    f->phase_key = random_key(seed, -first_key - REFLECTORS, 0);
    for (int64_t i = 0; i < order; i++) {
        const double w0 = weight(f, 0, i), w1 = weight(f, 1, i);
        squares[0] += w0 * w0;
        squares[1] += w1 * w1;
        product += w0 * w1;
    }
    for (int r = 0; r < REFLECTORS; r++)
        f->T[r][r] = order > 0 ? 2 / squares[r] : 0;
    f->T[0][1] = -f->T[0][0] * f->T[1][1] * product;
    f->T[1][0] = 0;
}

/* core = T_U G T_V^T, G = W_U^T S W_V */
static void make_core(struct spectrum *s)
{
    square G = { { 0 } }, TG = { { 0 } };
    for (int64_t l = 0; l < s->count; l++)
        for (int a = 0; a < REFLECTORS; a++)
            for (int b = 0; b < REFLECTORS; b++)
                G[a][b] += weight(&s->left, a, l) * value(s, l) * weight(&s->right, b, l);
    for (int a = 0; a < REFLECTORS; a++)
        for (int b = 0; b < REFLECTORS; b++)
            for (int c = 0; c < REFLECTORS; c++)
                TG[a][b] += s->left.T[a][c] * G[c][b];
    for (int a = 0; a < REFLECTORS; a++)
        for (int b = 0; b < REFLECTORS; b++) {
            s->core[a][b] = 0;
            for (int c = 0; c < REFLECTORS; c++)
                s->core[a][b] += TG[a][c] * s->right.T[b][c];
        }
}

void spectrum_prepare(struct spectrum *s, enum spectrum_form form, int64_t m, int64_t n, uint64_t seed)
{
    enum { VALUES = 1, LEFT = 2, RIGHT = LEFT + REFLECTORS + 1 };       /* offsets of keys */
    s->count = m < n ? m : n;
    s->diagonal = form == SPECTRUM_DIAG;
    s->hermitian = form == SPECTRUM_POEV;
    s->key = random_key(seed, -VALUES, 0);
    if (s->diagonal)
        return;
    make_factor(&s->left, m, seed, LEFT);
    if (s->hermitian)
        s->right = s->left;
    else
        make_factor(&s->right, n, seed, RIGHT);
    make_core(s);
}

/* ---- entries -------------------------------------------------------------------------------------------------------------- */

/* A point of the unit circle without trigonometric functions: t = tan(angle / 2) in (-1,1), and a sign. */
static void set_phase(struct spectrum_line *line, uint64_t bits)
{
    const double t = 2 * random_uniform(bits) - 1, sign = bits & 1 ? 1 : -1;
    line->re = sign * (1 - t * t) / (1 + t * t);
    line->im = sign * 2 * t / (1 + t * t);
}

static struct spectrum_line line_of(const struct spectrum *s, const struct spectrum_factor *f, int64_t at)
{
    struct spectrum_line line = { .at = at, .value = value(s, at) };
    if (s->diagonal)
        return line;
    for (int r = 0; r < REFLECTORS; r++)
        line.w[r] = weight(f, r, at);
    set_phase(&line, random_draw(f->phase_key, at));
    return line;
}

struct spectrum_line spectrum_row(const struct spectrum *s, int64_t i)
{
    return line_of(s, &s->left, i);
}

struct spectrum_line spectrum_column(const struct spectrum *s, int64_t j)
{
    return line_of(s, &s->right, j);
}

/* x^T M y */
static double form_of(const double x[REFLECTORS], const square M, const double y[REFLECTORS])
{
    double sum = 0;
    for (int a = 0; a < REFLECTORS; a++)
        for (int b = 0; b < REFLECTORS; b++)
            sum += x[a] * M[a][b] * y[b];
    return sum;
}

void spectrum_entry(const struct spectrum *s, const struct spectrum_line *row, const struct spectrum_line *column,
                    bool is_complex, double *re, double *im)
{
    double a = row->at == column->at ? row->value : 0;
    *im = 0;
    *re = a;
    if (s->diagonal)
        return;
    /* Row i of W_V is needed if S_i is not 0, row j of W_U if S_j is not 0. */
    const struct spectrum_line of_v = s->hermitian || row->value == 0 ? *row : spectrum_column(s, row->at);
    const struct spectrum_line of_u = s->hermitian || column->value == 0 ? *column : spectrum_row(s, column->at);
    a += form_of(row->w, s->core, column->w) - column->value * form_of(row->w, s->left.T, of_u.w) -
         row->value * form_of(column->w, s->right.T, of_v.w);
    *re = a;
    if (!is_complex || (s->hermitian && row->at == column->at))
        return;
    *re = a * (row->re * column->re + row->im * column->im);        /* times one phase and the conjugate of the other */
    *im = a * (row->im * column->re - row->re * column->im);
}
