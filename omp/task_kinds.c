#include "omp/task_kinds.h"

const struct task_facts *task_facts(enum task_kind kind)
{
    static const struct task_facts facts[TASK_KINDS] = {
        [TASK_POTRF] = { .name = "potrf", .place = WITH_OUTPUT },
        [TASK_SYTRF] = { .name = "sytrf" },
        [TASK_GETRF] = { .name = "getrf", .place = WITH_OUTPUT },
        [TASK_TRSM] = { .name = "trsm", .place = WITH_OUTPUT },
        [TASK_SYRK] = { .name = "syrk", .place = WITH_OUTPUT, .is_update = true },
        [TASK_GEMM] = { .name = "gemm", .place = WITH_OUTPUT, .is_update = true },
        [TASK_HEMM] = { .name = "hemm" },
        [TASK_ADD] = { .name = "add", .place = WITH_OUTPUT },
        [TASK_PRODUCT] = { .name = "product" },
        [TASK_STACK] = { .name = "stack", .place = WITH_STACK, .lane = LANE_PANEL, .is_panel = true },
        [TASK_PIVOTS] = { .name = "pivots", .place = WITH_STACK, .lane = LANE_PANEL, .is_panel = true },
        [TASK_CHOICE] = { .name = "choice" },
        [TASK_LASWP] = { .name = "laswp", .place = WHERE_COLUMNS_RESIDE, .lane = LANE_PANEL },     /* ranks wait for rows */
        [TASK_GEQRT] = { .name = "geqrt", .place = WITH_STACK, .lane = LANE_PANEL },
        [TASK_TPQRT] = { .name = "tpqrt" },
        [TASK_TRMM] = { .name = "trmm", .place = WITH_OUTPUT },
        [TASK_ROUND] = { .name = "round", .place = WITH_OUTPUT },
        [TASK_SUMS] = { .name = "sums" },
        [TASK_HAND_OVER] = { .name = "hand over", .hands_over = true },
        [TASK_SAVE] = { .name = "save", .only_reads = true },
        [TASK_UPLOAD] = { .name = "upload", .lane = LANE_UP, .is_move = true },
        [TASK_ACROSS] = { .name = "across", .lane = LANE_UP, .is_move = true },
        [TASK_DOWNLOAD] = { .name = "download", .lane = LANE_DOWN, .is_move = true },
    };
    return &facts[kind];
}

const char *task_name(enum task_kind kind)
{
    return task_facts(kind)->name;
}
