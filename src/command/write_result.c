/* Writes --output, --ipiv and --schur: the solution, or the factors, the data of their rows, and the Schur complement. */
#include "src/command/instance.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_interchanges(FILE *file, const ompfact_matrix *A, int64_t *ipiv)
{
    int64_t count = ompfact_rows(A) < ompfact_cols(A) ? ompfact_rows(A) : ompfact_cols(A);
    ompfact_ipiv(A, ipiv);
    for (int64_t i = 0; i < count; i++)
        fprintf(file, "%" PRId64 "\n", ipiv[i]);
}

/* If rows were mixed, writes after the pivot the rows that each row was mixed with, and the factors. */
static void print_rows(FILE *file, int64_t n, const ompfact_ldl_row *rows)
{
    bool mixed = false;
    for (int64_t i = 0; i < n; i++)
        mixed |= rows[i].partner[0] != i + 1 || rows[i].partner[1] != i + 1;
    for (int64_t i = 0; i < n; i++) {
        const ompfact_ldl_row *r = &rows[i];
        fprintf(file, "%" PRId64, r->pivot);
        for (int level = 0; mixed && level < 2; level++)
            fprintf(file, " %" PRId64 " %.17g", r->partner[level], r->weight[level]);
        fputc('\n', file);
    }
}

/* One rank writes data that every rank has; rows: of L D L^H. */
static int write_ipiv(const struct instance *x, const ompfact_ldl_row *rows, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    const int64_t n = ompfact_rows(x->A);
    struct output file = { 0 };
    if (o->ipiv == NULL || ompfact_rank(x->session->grid) != 0)
        return 0;
    int64_t *ipiv = malloc(((size_t)n + 1) * sizeof *ipiv);
    if (ipiv == NULL)
        return refuse(text, "no memory for %" PRId64 " pivots", n);
    int code = output_open(&file, "ipiv", o->ipiv, text);
    if (code == 0)
        rows != NULL ? print_rows(file.file, n, rows) : print_interchanges(file.file, x->A, ipiv);
    free(ipiv);
    return code != 0 ? code : output_close(&file, text);
}

/* Converts factors with signs to LAPACK's form, after the last solve with them. Collective. */
static int convert_factors(struct instance *x, ompfact_ldl_row **rows, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    if (!is_indefinite(o) || (o->ipiv == NULL && o->routine->solves))
        return 0;
    *rows = malloc(((size_t)ompfact_rows(x->A) + 1) * sizeof **rows);
    int code = agree_line(s, *rows == NULL ? refuse(text, "no memory for the rows of L") : 0, text);
    return code == 0 ? refuse_status(s, ompfact_ldl(x->A, *rows), text) : code;
}

static int write_matrix(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    if (o->output == NULL)
        return 0;
    ompfact_matrix *matrix = x->X != NULL ? x->X : o->routine->solves ? x->B : x->A;
    bool upper = is_qr(o) || o->uplo == OMPFACT_UPPER;
    enum output_part part = o->routine->solves || is_lu(o) ? OUTPUT_ALL : upper ? OUTPUT_UPPER : OUTPUT_LOWER;
    return agree_line(x->session, output_matrix(x->session->comm, matrix, part, x->rhs_source.order, "output", o->output, text),
                      text);
}

static int write_schur(struct instance *x, char text[COMMAND_TEXT])
{
    const struct options *o = x->session->options;
    CLEANUP(ompfact_matrix_destroy) ompfact_matrix *S = NULL;
    if (o->schur == NULL)
        return 0;
    TRY_STEP(refuse_status(x->session, ompfact_schur(x->A, true, &S), text));
    return agree_line(x->session, output_matrix(x->session->comm, S, OUTPUT_ALL, NULL, "schur", o->schur, text), text);
}

int write_result(struct instance *x, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    const struct options *o = s->options;
    const char *paths[] = { o->output, o->ipiv, o->schur };
    ompfact_ldl_row *rows = NULL;
    for (int i = 0; i < 3 && s->failed && ompfact_rank(s->grid) == 0; i++)
        if (paths[i] != NULL)
            fprintf(stderr, "ompfact: %s is not written: %s\n", paths[i], s->why_failed);
    if (s->failed || (o->output == NULL && o->ipiv == NULL && o->schur == NULL))
        return 0;
    int code = write_schur(x, text);
    if (code == 0)
        code = convert_factors(x, &rows, text);
    if (code == 0)
        code = agree_line(s, write_ipiv(x, rows, text), text);
    free(rows);
    return code == 0 ? write_matrix(x, text) : code;
}
