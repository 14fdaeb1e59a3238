#include "src/command/fields.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN(kind, key) { #key, kind, offsetof(struct result, key), 0 }
#define SOLVE(kind, key) { #key, kind, offsetof(struct result, key), FIELD_SOLVES }
#define LOW_RANK(kind, key) { #key, kind, offsetof(struct result, key), FIELD_COMPRESSED }
#define DRY(kind, key) { #key, kind, offsetof(struct dry_result, key), 0 }
#define LOAD(record, key) { #key, FIELD_LIST, offsetof(struct record, loads.key), 0 }
#define LOADS(record) LOAD(record, abe), LOAD(record, abe_steps), LOAD(record, abe_max), LOAD(record, abe_ideal), \
                      LOAD(record, cabe_spread), LOAD(record, cpb)

const struct field run_fields[] = {
    RUN(FIELD_TEXT, routine), RUN(FIELD_LETTER, type),
    RUN(FIELD_INTEGER, m), RUN(FIELD_INTEGER, n), RUN(FIELD_INTEGER, nrhs), RUN(FIELD_INTEGER, nb),
    RUN(FIELD_TEXT, layout),
    RUN(FIELD_INTEGER, ranks), RUN(FIELD_INTEGER, threads), RUN(FIELD_INTEGER, devices),
    RUN(FIELD_TEXT, pivot), RUN(FIELD_INTEGER, seed),
    RUN(FIELD_REAL, time_s), RUN(FIELD_REAL, gflops), RUN(FIELD_REAL, error),
    RUN(FIELD_TEXT, status), RUN(FIELD_INTEGER, info),
    RUN(FIELD_INTEGER, transfers), RUN(FIELD_INTEGER, transfer_bytes), RUN(FIELD_INTEGER, transfers_predicted),
    RUN(FIELD_INTEGER, nodes), RUN(FIELD_INTEGER, wire_transfers), RUN(FIELD_INTEGER, wire_bytes),
    RUN(FIELD_INTEGER, wire_transfers_predicted),
    RUN(FIELD_INTEGER, tiles_max), RUN(FIELD_INTEGER, tiles_min), RUN(FIELD_REAL, flops_max_over_mean),
    RUN(FIELD_INTEGER, cache_peak_tiles), RUN(FIELD_INTEGER, memory_peak_bytes),
    RUN(FIELD_INTEGER, tasks_peak), RUN(FIELD_REAL, gemm_gflops),
    RUN(FIELD_REAL, work_bound_s), RUN(FIELD_REAL, link_bound_s), RUN(FIELD_REAL, chain_bound_s),
    RUN(FIELD_TEXT, schedule), RUN(FIELD_TEXT, bcast), RUN(FIELD_TEXT, on_node),
    RUN(FIELD_TEXT, between_nodes), RUN(FIELD_BOOLEAN, rma_native), RUN(FIELD_REAL, register_s),
    LOW_RANK(FIELD_REAL, accuracy), LOW_RANK(FIELD_INTEGER, dense_tiles), LOW_RANK(FIELD_REAL, rank_mean),
    LOW_RANK(FIELD_INTEGER, rank_max), LOW_RANK(FIELD_INTEGER, matrix_bytes), LOW_RANK(FIELD_INTEGER, dense_bytes),
    LOW_RANK(FIELD_REAL, flops_over_dense),
    RUN(FIELD_INTEGER, faults_found), RUN(FIELD_INTEGER, faults_corrected),
    RUN(FIELD_REAL, growth), RUN(FIELD_INTEGER, rows_exchanged), RUN(FIELD_INTEGER, candidate_tiles),
    RUN(FIELD_TEXT, uplo), RUN(FIELD_TEXT, tree),
    RUN(FIELD_REAL, logdet), RUN(FIELD_INTEGER, det_sign), RUN(FIELD_REAL, det_phase), RUN(FIELD_REAL, smallest_pivot),
    RUN(FIELD_TEXT, device_backend), RUN(FIELD_REAL, host_share), RUN(FIELD_REAL, device_flops),
    RUN(FIELD_REAL, host_update_flops), RUN(FIELD_LIST, flops_per_device), RUN(FIELD_INTEGER, bytes_to_devices),
    RUN(FIELD_INTEGER, bytes_from_devices), RUN(FIELD_INTEGER, bytes_between_devices),
    RUN(FIELD_INTEGER, max_uploads_per_tile), RUN(FIELD_INTEGER, device_waits), RUN(FIELD_INTEGER, device_allocations),
    RUN(FIELD_INTEGER, bytes_unpinned),
    RUN(FIELD_LIST, speeds), RUN(FIELD_REAL, perisum), RUN(FIELD_REAL, abe_max_over_mean),
    LOADS(result),
    RUN(FIELD_INTEGER, checkpoints), RUN(FIELD_INTEGER, restarted_from_step), RUN(FIELD_INTEGER, tiles_restored),
    SOLVE(FIELD_REAL, solve_time_s), SOLVE(FIELD_INTEGER, solve_transfers),
    RUN(FIELD_REAL, rcond), SOLVE(FIELD_INTEGER, refine_iterations),
    { .key = NULL },
};

const struct field dry_fields[] = {
    DRY(FIELD_TEXT, routine), DRY(FIELD_INTEGER, m), DRY(FIELD_INTEGER, n), DRY(FIELD_INTEGER, nb), DRY(FIELD_TEXT, layout),
    DRY(FIELD_INTEGER, ranks), DRY(FIELD_INTEGER, mt), DRY(FIELD_INTEGER, nt),
    DRY(FIELD_INTEGER, pattern_rows), DRY(FIELD_INTEGER, pattern_cols), DRY(FIELD_REAL, cost),
    DRY(FIELD_REAL, cost_bound),
    DRY(FIELD_INTEGER, transfers), DRY(FIELD_INTEGER, transfer_bytes),
    DRY(FIELD_INTEGER, nodes), DRY(FIELD_INTEGER, wire_transfers), DRY(FIELD_INTEGER, wire_bytes),
    DRY(FIELD_REAL, work_bound_s), DRY(FIELD_REAL, link_bound_s), DRY(FIELD_REAL, chain_bound_s), DRY(FIELD_REAL, predicted_s),
    DRY(FIELD_INTEGER, tiles_max), DRY(FIELD_INTEGER, tiles_min), DRY(FIELD_REAL, flops_max_over_mean),
    DRY(FIELD_INTEGER, max_ranks_per_row), DRY(FIELD_INTEGER, max_ranks_per_col), DRY(FIELD_INTEGER, memory_bytes_max),
    DRY(FIELD_LIST, speeds), DRY(FIELD_REAL, perisum), DRY(FIELD_REAL, abe_max_over_mean),
    LOADS(dry_result),
    { .key = NULL },
};

const struct field *field_find(const struct field *fields, const char *key)
{
    for (; fields->key; fields++)
        if (!strcmp(fields->key, key))
            return fields;
    return NULL;
}

static const void *at(const struct field *field, const void *record)
{
    return (const char *)record + field->offset;
}

static void clear_integer(void *value)
{
    *(int64_t *)value = REPORT_NONE;
}

static void clear_real(void *value)
{
    *(double *)value = NAN;
}

static void clear_text(void *value)
{
    *(const char **)value = NULL;
}

static void clear_letter(void *value)
{
    *(char *)value = '\0';
}

void fields_clear(const struct field *fields, void *record)
{
    static void (*const clear[])(void *) = {
        [FIELD_INTEGER] = clear_integer, [FIELD_BOOLEAN] = clear_integer, [FIELD_REAL] = clear_real,
        [FIELD_TEXT] = clear_text, [FIELD_LETTER] = clear_letter, [FIELD_LIST] = clear_text,
    };
    for (; fields->key; fields++)
        clear[fields->kind]((char *)record + fields->offset);
}

static const char *text_of_integer(const void *value, char *number)
{
    int64_t integer = *(const int64_t *)value;
    snprintf(number, FIELD_NUMBER, "%" PRId64, integer);
    return integer == REPORT_NONE ? NULL : number;
}

static const char *text_of_boolean(const void *value, char *number)
{
    (void)number;
    int64_t boolean = *(const int64_t *)value;
    return boolean == REPORT_NONE ? NULL : boolean != 0 ? "true" : "false";
}

/* The fewest digits that read back as the same number. */
static const char *text_of_real(const void *value, char *number)
{
    double real = *(const double *)value;
    if (!isfinite(real))
        return NULL;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number, FIELD_NUMBER, "%.*g", digits, real);
        if (strtod(number, NULL) == real)
            break;
    }
    return number;
}

static const char *text_of_text(const void *value, char *number)
{
    (void)number;
    return *(const char *const *)value;
}

static const char *text_of_letter(const void *value, char *number)
{
    number[0] = *(const char *)value;
    number[1] = '\0';
    return number[0] ? number : NULL;
}

const char *field_text(const struct field *field, const void *record, char number[FIELD_NUMBER])
{
    static const char *(*const text_of[])(const void *, char *) = {
        [FIELD_INTEGER] = text_of_integer, [FIELD_BOOLEAN] = text_of_boolean, [FIELD_REAL] = text_of_real,
        [FIELD_TEXT] = text_of_text, [FIELD_LETTER] = text_of_letter, [FIELD_LIST] = text_of_text,
    };
    return text_of[field->kind](at(field, record), number);
}

/* ---- cells of tables ------------------------------------------------------------------------------------------- */

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

int cell_width(const char *cell)
{
    int width = 0;
    for (; *cell; cell++)
        width += !continues_character(*cell);
    return width;
}

void cell_print(FILE *out, const char *cell, int width, bool text)
{
    int used = cell_width(cell);
    bool cut = text && used > width;
    int left = cut ? width - 1 : used;

    fprintf(out, "%*s", text || used >= width ? 0 : width - used, "");
    for (; *cell && (left > 0 || continues_character(*cell)); cell++) {
        left -= !continues_character(*cell);
        fputc(iscntrl((unsigned char)*cell) ? '?' : *cell, out);
    }
    fprintf(out, "%s%*s", cut ? "…" : "", text && used < width ? width - used : 0, "");
}

void cell_bytes(int64_t bytes, char cell[CELL_TEXT])
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    double amount = (double)bytes;
    int unit = 0;
    for (; amount >= 1024; unit++)
        amount /= 1024;
    snprintf(cell, CELL_TEXT, "%.*f %s", unit ? 2 : 0, amount, units[unit]);
}

void cell_real(double value, struct cell_look look, char cell[CELL_TEXT])
{
    const char *format = look.letter == 'e' ? "%.*e" : "%.*f";
    if (isfinite(value))
        snprintf(cell, CELL_TEXT, format, look.digits, value);
    else
        strcpy(cell, "-");
}

void cell_field(const struct field *field, const void *record, struct cell_look look, char cell[CELL_TEXT])
{
    char number[FIELD_NUMBER];
    const char *text = field_text(field, record, number);
    if (!text)
        strcpy(cell, "-");
    else if (look.letter == 'b')
        cell_bytes(*(const int64_t *)at(field, record), cell);
    else if (look.letter)
        cell_real(*(const double *)at(field, record), look, cell);
    else
        snprintf(cell, CELL_TEXT, "%s", text);
}
