/* Writes a distributed matrix into one file; every rank writes its own tiles. */
#include "src/command/source.h"

#include "src/io/element.h"
#include "src/io/io.h"
#include "src/io/replace.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The two formats, by the ending of the file's name. */
static const struct form {
    const char *ending;
    int (*create)(const char *path, char type, int64_t rows, int64_t cols, char text[IO_TEXT]);
    int (*open)(const char *path, struct io_writer *writer, char text[IO_TEXT]);
    int (*write)(const struct io_writer *writer, int64_t i0, int64_t j0, int rows, int cols, const void *tile, int ld,
                 char text[IO_TEXT]);
    bool zeros;                     /* whether elements that are not written are zero */
} forms[] = {
    { ".npy", npy_create, npy_write_open, npy_write_tile, true },
    { ".mtx", mtx_create, mtx_write_open, mtx_write_tile, false },
};

static const struct form *form_of(const char *path)
{
    return path_ends_in(path, forms[0].ending) ? &forms[0] : path_ends_in(path, forms[1].ending) ? &forms[1] : NULL;
}

int output_check(const char *option, const char *path, char text[COMMAND_TEXT])
{
    return form_of(path) != NULL ? 0 : refuse(text, "--%s %s: the name must end in .npy or .mtx", option, path);
}

struct writer {
    const struct form *form;
    struct io_writer file;
    const struct points *order;     /* order of the matrix's rows; NULL: that of the file */
};

static int write_block(const struct writer *w, const ompfact_tile *t, char *why)
{
    return w->form->write(&w->file, t->row, t->col, t->mb, t->nb, t->data, t->ld, why);
}

/* Rows in another order are not adjacent in the file. */
static int writer_tile(const struct writer *w, const ompfact_tile *t, size_t size, char *why)
{
    int code = 0;
    if (w->order == NULL)
        return write_block(w, t, why);
    for (int r = 0; code == 0 && r < t->mb; r++) {
        const ompfact_tile row = tile_row(t, r, w->order, size);
        code = write_block(w, &row, why);
    }
    return code;
}

static int within(int64_t row, int rows)
{
    return row < 0 ? 0 : row > rows ? rows : (int)row;
}

/* A copy of a tile with zeros beyond the diagonal. */
static int write_triangle(const struct writer *w, const ompfact_tile *t, enum output_part part, size_t size, char *why)
{
    ompfact_tile triangle = *t;
    triangle.ld = t->mb;
    triangle.data = calloc((size_t)t->mb * (size_t)t->nb, size);
    if (triangle.data == NULL)
        return 1;
    for (int c = 0; c < t->nb; c++) {
        int64_t diagonal = t->col + c - t->row;
        int first = part == OUTPUT_LOWER ? within(diagonal, t->mb) : 0,
            end = part == OUTPUT_LOWER ? t->mb : within(diagonal + 1, t->mb);
        memcpy((char *)triangle.data + size * ((size_t)first + (size_t)c * (size_t)triangle.ld),
               (char *)t->data + size * ((size_t)first + (size_t)c * (size_t)t->ld), size * (size_t)(end - first));
    }
    int code = writer_tile(w, &triangle, size, why);
    free(triangle.data);
    return code;
}

/* Writes zeros for tile (j,i), which is not stored. */
static int write_mirror_of_zeros(const struct writer *w, const ompfact_tile *t, size_t size, char *why)
{
    ompfact_tile zeros = { .row = t->col, .col = t->row, .mb = t->nb, .nb = t->mb, .ld = t->nb };
    if (w->form->zeros)
        return 0;
    zeros.data = calloc((size_t)t->mb * (size_t)t->nb, size);
    int code = zeros.data == NULL ? 1 : writer_tile(w, &zeros, size, why);
    free(zeros.data);
    return code;
}

static int write_tiles(const struct writer *w, ompfact_matrix *A, enum output_part part, char *why)
{
    const ompfact_shape shape = ompfact_shape_of(A);
    size_t size = element_size(shape.type);
    bool mirrored = shape.structure != OMPFACT_GENERAL && part != OUTPUT_ALL;
    bool approximate = shape.accuracy > 0 || shape.tile_precision > 0;
    size_t largest = (size_t)ompfact_tile_height(A) * (size_t)ompfact_tile_width(A) * size;
    void *room = approximate ? malloc(largest) : NULL;
    int code = approximate && room == NULL;
    for (int i = -1, j = -1; code == 0 && ompfact_next_tile(A, &i, &j);) {
        ompfact_tile t;
        if (mirrored && (part == OUTPUT_LOWER ? i < j : i > j))
            continue;
        ompfact_tile_read(A, i, j, room, &t);
        bool whole = part == OUTPUT_ALL || (mirrored ? i != j : t.row + t.mb <= t.col + 1);
        code = whole ? writer_tile(w, &t, size, why) : write_triangle(w, &t, part, size, why);
        if (code == 0 && mirrored && i != j)
            code = write_mirror_of_zeros(w, &t, size, why);
    }
    free(room);
    return code;
}

/* Replaces the temporary name in an error by the user's name. */
static int name_path(const char *path, const char *fresh, char *why)
{
    char reason[IO_TEXT];
    memcpy(reason, why, sizeof reason);
    return io_fail(why, path, "%s", io_reason(reason, fresh));
}

/* Writes this rank's tiles into an existing file. */
static int write_mine(ompfact_matrix *A, enum output_part part, const struct points *order, const char *path, const char *fresh,
                      char *why)
{
    struct writer w = { .form = form_of(path), .order = order };
    char closing[IO_TEXT];
    int code = w.form->open(fresh, &w.file, why);
    if (code != 0)
        return name_path(path, fresh, why);
    io_fail(why, fresh, "no memory to write a tile");
    code = write_tiles(&w, A, part, why);
    if (io_write_close(&w.file, closing) != 0 && code == 0) {
        code = 1;
        memcpy(why, closing, sizeof closing);
    }
    return code != 0 ? name_path(path, fresh, why) : 0;
}

/* Rank 0: creates a file of full size for all ranks. Until the file is complete it has another name, `fresh`. */
static int create(const ompfact_matrix *A, const char *path, struct replacement *place, char fresh[PATH_MAX], char *why)
{
    int error = replace_begin(path, place);
    if (error == 0 && strlen(replace_path(place)) >= PATH_MAX)
        error = ENAMETOOLONG;
    if (error != 0) {
        snprintf(why, IO_TEXT, "%.100s cannot be written: %s", path, strerror(error));
        return 1;
    }
    strcpy(fresh, replace_path(place));
    return form_of(path)->create(fresh, ompfact_type(A), ompfact_rows(A), ompfact_cols(A), why) != 0
               ? name_path(path, fresh, why) : 0;
}

int output_matrix(MPI_Comm comm, ompfact_matrix *A, enum output_part part, const struct points *order, const char *option,
                  const char *path, char text[COMMAND_TEXT])
{
    char why[IO_TEXT] = "", fresh[PATH_MAX] = "";
    struct replacement place = { 0 };
    int code = ompfact_rank(ompfact_grid_of(A)) == 0 ? create(A, path, &place, fresh, why) : 0, worst = code;
    bool agreed = together_share(comm, &worst, 1, MPI_INT, 0) &&      /* the other ranks open the file after this */
                together_share(comm, fresh, sizeof fresh, MPI_CHAR, 0);
    if (agreed && worst == 0) {
        worst = code = write_mine(A, part, order, path, fresh, why);
        agreed = together_reduce(comm, &worst, 1, MPI_INT, MPI_MAX);
    }
    if (agreed && worst == 0 && place.place != NULL) {
        int error = replace_commit(&place);
        code = error != 0;
        if (error != 0)
            snprintf(why, sizeof why, "%.100s cannot be written: %s", path, strerror(error));
    }
    replace_drop(&place);
    if (!agreed)
        return refuse(text, "--%s %s: ranks could not agree whether it is complete: MPI failed", option, path);
    return code == 0 ? 0 : refuse(text, "--%s %s", option, why);
}
