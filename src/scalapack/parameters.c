/* Checks parameters in their order, as ScaLAPACK does; but sub-matrices may begin anywhere, and blocks need not be square.
   Parameters that a process has for itself, such as the length of its unused workspace, are not checked here. */
#include "src/scalapack/blacs.h"
#include "src/scalapack/call.h"

#include <string.h>

/* The descriptor of an array is the third parameter after the array. */
static int wrong_entry(const struct call *c, enum word array, int entry)
{
    return -(100 * (c->place[array] + 3) + entry + 1);
}

static const char *letters(const struct call *c, enum word word)
{
    bool two_kinds = c->of[NRHS] == NULL || c->of[M] != NULL;       /* all except getrs: gels and products with Q; trsm has three
                                                                       sizes */
    switch (word) {
    case SIDE:
        return "LR";
    case UPLO:
        return "UL";
    case DIAG:
        return "UN";
    default:
        return !two_kinds || c->of[DIAG] != NULL ? "NTC" : element_is_complex(c->type) ? "NC" : "NT";
    }
}

static int check_number(const struct call *c, enum word word)
{
    int value = number_of(c, word), most = value;
    if (word == K)
        most = (int)(c->of[SIDE] != NULL ? size_of(c, ORDER) : size_of(c, N));      /* reflectors of this order, or as many as
                                                                                       columns */
    else if (word == N && c->of[K] != NULL && c->of[SIDE] == NULL)
        most = number_of(c, M);                                                     /* columns of Q */
    return value >= 0 && value <= most ? 0 : -c->place[word];
}

static int place_of_size(const struct call *c, int size)
{
    bool rows = size == LONGER || (size == ORDER && letter_of(c, SIDE) == 'L');
    return c->place[size < WORDS ? size : rows ? M : N];
}

static int check_array(const struct call *c, enum word array)
{
    const int *desc = desc_of(c, array);
    int nprow, npcol, myrow, mycol, place = c->place[array];
    int64_t m = rows_of(c, array), n = cols_of(c, array), ia = first_row_of(c, array), ja = first_col_of(c, array);
    bool empty = m == 0 || n == 0;
    if (ia < 1)
        return -(place + 1);
    if (ja < 1)
        return -(place + 2);
    if (desc[DTYPE_] != 1)
        return wrong_entry(c, array, DTYPE_);
    blacs_grid(desc[CTXT_], &nprow, &npcol, &myrow, &mycol);
    if (nprow < 1 || myrow < 0 || desc[CTXT_] != desc_of(c, ARRAY_A)[CTXT_])
        return wrong_entry(c, array, CTXT_);
    const struct { int entry, least, most; } bounds[] = { { M_, 0, desc[M_] },     { N_, 0, desc[N_] },
                                                          { MB_, 1, desc[MB_] },   { NB_, 1, desc[NB_] },
                                                          { RSRC_, 0, nprow - 1 }, { CSRC_, 0, npcol - 1 } };
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
        if (desc[bounds[i].entry] < bounds[i].least || desc[bounds[i].entry] > bounds[i].most)
            return wrong_entry(c, array, bounds[i].entry);
    if (!empty && ia > desc[M_])
        return -(place + 1);
    if (!empty && ja > desc[N_])
        return -(place + 2);
    if (!empty && ia + m - 1 > desc[M_])
        return -place_of_size(c, c->routine->rows[array == ARRAY_B]);
    return !empty && ja + n - 1 > desc[N_] ? -place_of_size(c, c->routine->cols[array == ARRAY_B]) : 0;
}

int check_parameters(const struct call *c)
{
    int info = 0;
    for (const enum word *w = c->routine->parameter; *w != END && info == 0; w++)
        switch (*w) {
        case SIDE:
        case UPLO:
        case OP:
        case DIAG:
            info = letter_of(c, *w) != '\0' && strchr(letters(c, *w), letter_of(c, *w)) != NULL ? 0 : -c->place[*w];
            break;
        case M:
        case N:
        case K:
        case NRHS:
            info = check_number(c, *w);
            break;
        case ANORM:
            info = real_of(c, ANORM) < 0 ? -c->place[ANORM] : 0;
            break;
        case ARRAY_A:
        case ARRAY_B:
            info = check_array(c, *w);
            break;
        default:
            break;
        }
    return info;
}

int check_local_parameters(const struct call *c)
{
    const struct process_grid *p = c->processes;
    int info = 0;
    for (enum word array = ARRAY_A; array <= ARRAY_B && info == 0; array++) {
        if (c->of[array] == NULL)
            continue;
        const int *desc = desc_of(c, array);
        int rows = local_count(desc[M_], desc[MB_], p->myrow, desc[RSRC_], p->nprow);
        if (desc[LLD_] < (rows > 1 ? rows : 1))
            info = wrong_entry(c, array, LLD_);
    }
    reduce_over(p, &info, 1, MPI_INT, MPI_MIN);
    return info != 0 ? info : -c->place[ARRAY_A];
}
