#include "src/command/tile_ranks.h"

#include "src/command/files.h"
#include "src/matrix/matrix.h"

#include <stdlib.h>

static bool are_shown(const struct options *o)
{
    return o->tile_ranks != NULL || (o->accuracy > 0 && (o->trace != NULL || o->report != NULL));
}

ompfact_status tile_ranks_note(struct instance *x, bool factored)
{
    ompfact_matrix *A = x->A;
    int **map = &x->rank_map[factored];
    if (!are_shown(x->session->options))
        return OMPFACT_SUCCESS;
    if (*map == NULL)
        *map = malloc(((size_t)A->mt * (size_t)A->nt + 1) * sizeof **map);
    TRY(agree(A->grid, *map != NULL ? OMPFACT_SUCCESS
                                    : fail(A->grid, OMPFACT_NO_MEMORY, "rank %d: no memory for the ranks of tiles", A->me)));
    return ompfact_rank_map(A, *map);
}

static void write_map(const ompfact_matrix *A, const int *map, FILE *file)
{
    fprintf(file, "%d %d\n", A->mt, A->nt);
    for (int i = 0; i < A->mt; i++)
        for (int j = 0; j < A->nt; j++)
            fprintf(file, "%d%c", map[(int64_t)i * A->nt + j], j + 1 < A->nt ? ' ' : '\n');
}

int tile_ranks_write(const struct instance *x, char text[COMMAND_TEXT])
{
    struct output output = { 0 };
    int code = output_open(&output, "tile-ranks", x->session->options->tile_ranks, text);
    for (int i = 0; i < 2 && code == 0 && output.file != NULL; i++)
        if (x->rank_map[i] != NULL)
            write_map(x->A, x->rank_map[i], output.file);
    if (code == 0)
        return output_close(&output, text);
    output_drop(&output);
    return code;
}

void tile_ranks_forget(struct instance *x)
{
    free(x->rank_map[0]);
    free(x->rank_map[1]);
    x->rank_map[0] = x->rank_map[1] = NULL;
}
