#include "src/command/tile_ranks.h"

#include "src/command/files.h"

#include <stdlib.h>

static bool are_shown(const struct options *o)
{
    return o->tile_ranks != NULL || (o->accuracy > 0 && (o->trace != NULL || o->report != NULL));
}

int tile_ranks_note(struct instance *x, bool factored, char text[COMMAND_TEXT])
{
    struct session *s = x->session;
    int **map = &x->rank_map[factored], code = 0;
    if (!are_shown(s->options))
        return 0;
    if (*map == NULL)
        *map = malloc(((size_t)ompfact_tile_rows(x->A) * (size_t)ompfact_tile_cols(x->A) + 1) * sizeof **map);
    if (*map == NULL)
        code = refuse(text, "rank %d: no memory for the ranks of tiles", ompfact_rank(s->grid));
    code = agree_line(s, code, text);
    return code == 0 ? refuse_status(s, ompfact_rank_map(x->A, *map), text) : code;
}

static void write_map(const ompfact_matrix *A, const int *map, FILE *file)
{
    int mt = ompfact_tile_rows(A), nt = ompfact_tile_cols(A);
    fprintf(file, "%d %d\n", mt, nt);
    for (int i = 0; i < mt; i++)
        for (int j = 0; j < nt; j++)
            fprintf(file, "%d%c", map[(int64_t)i * nt + j], j + 1 < nt ? ' ' : '\n');
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
