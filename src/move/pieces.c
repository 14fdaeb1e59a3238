/* Cuts a matrix into the pieces that two places have in common, visits them and copies them. */
#include "src/move/pieces.h"

#include "src/matrix/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum dimension { ROWS, COLS };

/* ---- cutting -------------------------------------------------------------------------------------------------------------- */

/* Describes the position of index i in a place, and returns the first index after its tile or block. On entry `tile` is at most
   the tile of i; on return it is that tile. */
static int64_t find(const struct piece_place *place, enum piece_end end, enum dimension d, int *tile, int64_t i, struct span *s)
{
    if (place->A != NULL) {
        const struct tiling *t = d == ROWS ? &place->A->rows : &place->A->cols;
        const struct layout *l = place->A->layout;
        while (t->start[*tile + 1] <= i)
            ++*tile;
        s->in[end].tile = *tile;
        s->in[end].cell = *tile % ((d == ROWS) != is_upper(&place->A->shape) ? l->rows : l->cols);
        s->in[end].index = i - t->start[*tile];
        return t->start[*tile + 1];
    }
    const struct cyclic *c = d == ROWS ? &place->array->rows : &place->array->cols;
    s->in[end].cell = cyclic_process(c, i);
    s->in[end].index = cyclic_local(c, i);
    return cyclic_end(c, i);
}

/* Cuts `size` rows or columns. Without memory (spans is NULL) it only counts the spans. */
static int64_t cut(const struct piece_place place[2], enum dimension d, int64_t size, struct span *spans)
{
    int tile[2] = { 0, 0 };
    int64_t count = 0;
    for (int64_t i = 0; i < size; count++) {
        struct span s = { .first = i };
        int64_t end = size < i + PIECE_ROWS ? size : i + PIECE_ROWS;
        for (enum piece_end e = FROM; e <= TO; e++) {
            int64_t part_end = find(&place[e], e, d, &tile[e], i, &s);
            end = part_end < end ? part_end : end;
        }
        s.size = (int)(end - i);
        if (spans != NULL)
            spans[count] = s;
        i = end;
    }
    return count;
}

bool pieces_create(struct pieces *p, const ompfact_matrix *A, struct piece_place from, struct piece_place to, double bytes)
{
    int64_t m = A->shape.m, n = A->shape.n;
    *p = (struct pieces){ .place = { from, to }, .me = A->me, .part = part_used(A, 0, 0), .element = A->precision->size };
    for (enum piece_end e = FROM; e <= TO; e++) {
        const struct piece_place *place = &p->place[e];
        p->cell[e] = place->A != NULL ? place->A->layout->cell : place->array->rank;
        bool mirrored = place->A != NULL && is_upper(&place->A->shape);
        int cols = place->A != NULL ? place->A->layout->cols : place->array->cols.processes;
        p->row_step[e] = mirrored ? 1 : cols;
        p->col_step[e] = mirrored ? cols : 1;
    }
    p->row_count = n == 0 ? 0 : cut(p->place, ROWS, m, NULL);
    p->col_count = m == 0 ? 0 : cut(p->place, COLS, n, NULL);
    p->rows = malloc(((size_t)p->row_count + 1) * sizeof *p->rows);
    p->cols = malloc(((size_t)p->col_count + 1) * sizeof *p->cols);
    if (p->rows == NULL || p->cols == NULL) {
        pieces_destroy(p);
        return false;
    }
    if (p->row_count > 0 && p->col_count > 0) {
        cut(p->place, ROWS, m, p->rows);
        cut(p->place, COLS, n, p->cols);
    }
    double part = sqrt(bytes / (double)p->element) / (double)(n + 1);
    p->strip = part < 1 ? (int64_t)(part * (double)p->col_count) + 1 : p->col_count + 1;
    return true;
}

void pieces_destroy(struct pieces *p)
{
    free(p->rows);
    free(p->cols);
    p->rows = p->cols = NULL;
}

/* ---- walking -------------------------------------------------------------------------------------------------------------- */

int64_t pieces_end(const struct pieces *p)
{
    return p->row_count * p->col_count;
}

static int rank_of(const struct pieces *p, enum piece_end end, const struct span *row, const struct span *col)
{
    if (p->place[end].spread)
        return ompfact_owner(factor_at(p->place[end].A, row->in[end].tile, col->in[end].tile), row->in[end].tile,
                             col->in[end].tile);
    return p->cell[end][row->in[end].cell * p->row_step[end] + col->in[end].cell * p->col_step[end]];
}

/* Visits one row of a strip: the pieces row x col[0 .. count-1]. Returns the index of the piece whose visit returned false, or
   count. */
static int64_t walk_row(const struct pieces *p, const struct span *row, const struct span *col, int64_t count,
                        bool (*visit)(void *context, const struct piece *piece), void *context)
{
    for (int64_t c = 0; c < count; c++) {
        if (p->part == LOWER && col[c].first >= row->first + row->size)
            return count;       /* this column and the next ones are above the diagonal */
        if (p->part == UPPER && col[c].first + col[c].size <= row->first)
            continue;           /* the column is below the diagonal */
        struct piece piece = { row, &col[c], { rank_of(p, FROM, row, &col[c]), rank_of(p, TO, row, &col[c]) } };
        if ((piece.rank[FROM] == p->me || piece.rank[TO] == p->me) && !visit(context, &piece))
            return c;
    }
    return count;
}

int64_t pieces_walk(const struct pieces *p, int64_t begin, int64_t end, bool (*visit)(void *context, const struct piece *piece),
                    void *context)
{
    int64_t strip_positions = p->strip * p->row_count;
    for (int64_t position = begin; position < end;) {
        int64_t first_col = position / strip_positions * p->strip, in_strip = position % strip_positions;
        int64_t width = p->col_count - first_col < p->strip ? p->col_count - first_col : p->strip;
        int64_t r = in_strip / width, c = in_strip % width;
        int64_t count = width - c < end - position ? width - c : end - position;
        int64_t done = walk_row(p, &p->rows[r], &p->cols[first_col + c], count, visit, context);
        position += done;
        if (done < count)
            return position;
    }
    return end;
}

/* ---- copying -------------------------------------------------------------------------------------------------------------- */

/* The stored elements of column c of a piece: rows first .. first + count - 1 of the piece. */
struct stretch {
    int64_t first, count;
};

static struct stretch rows_of(const struct pieces *p, const struct piece *piece, int c)
{
    int64_t diagonal = piece->cols->first + c - piece->rows->first, first = 0, end = piece->rows->size;
    if (p->part == LOWER && diagonal > 0)
        first = diagonal < end ? diagonal : end;
    if (p->part == UPPER && diagonal + 1 < end)
        end = diagonal + 1 > 0 ? diagonal + 1 : 0;
    return (struct stretch){ first, end - first };
}

int64_t piece_bytes(const struct pieces *p, const struct piece *piece)
{
    int longest_cut = p->part == UPPER ? 0 : piece->cols->size - 1;     /* if this column is whole, all are */
    int64_t elements = 0;
    if (rows_of(p, piece, longest_cut).count == piece->rows->size)
        return (int64_t)p->element * piece->rows->size * piece->cols->size;
    for (int c = 0; c < piece->cols->size; c++)
        elements += rows_of(p, piece, c).count;
    return (int64_t)p->element * elements;
}

/* The piece's first element at one end, on this rank, and the leading dimension there. */
static char *memory_of(const struct pieces *p, enum piece_end end, const struct piece *piece, int64_t *ld)
{
    const struct piece_place *place = &p->place[end];
    int tile_row = piece->rows->in[end].tile, tile_col = piece->cols->in[end].tile;
    *ld = place->A != NULL ? tiling_size(&place->A->rows, tile_row) : place->array->lld;
    const ompfact_matrix *A = place->spread ? factor_at(place->A, tile_row, tile_col) : place->A;
    char *base = A != NULL ? matrix_tile(A, tile_row, tile_col) : place->local;
    return base + (piece->rows->in[end].index + piece->cols->in[end].index * *ld) * (int64_t)p->element;
}

/* Copies column by column. The caller gives the packed side, whose columns are adjacent. */
static void copy(const struct pieces *p, const struct piece *piece, const char *packed_from, char *packed_to)
{
    int64_t from_ld = 0, to_ld = 0, element = (int64_t)p->element;
    const char *from = packed_from != NULL ? NULL : memory_of(p, FROM, piece, &from_ld);
    char *to = packed_to != NULL ? NULL : memory_of(p, TO, piece, &to_ld);
    for (int c = 0; c < piece->cols->size; c++) {
        struct stretch rows = rows_of(p, piece, c);
        int64_t bytes = rows.count * element;
        const char *source = packed_from != NULL ? packed_from : from + (rows.first + c * from_ld) * element;
        memcpy(packed_to != NULL ? packed_to : to + (rows.first + c * to_ld) * element, source, (size_t)bytes);
        packed_from = packed_from != NULL ? packed_from + bytes : NULL;
        packed_to = packed_to != NULL ? packed_to + bytes : NULL;
    }
}

void piece_pack(const struct pieces *p, const struct piece *piece, void *packed)
{
    copy(p, piece, NULL, packed);
}

void piece_unpack(const struct pieces *p, const struct piece *piece, const void *packed)
{
    copy(p, piece, packed, NULL);
}

void piece_copy(const struct pieces *p, const struct piece *piece)
{
    copy(p, piece, NULL, NULL);
}
