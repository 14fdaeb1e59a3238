/* The kinds of tasks, in the one table to which a new kernel is added. */
#ifndef OMPFACT_OMP_TASK_KINDS_H
#define OMPFACT_OMP_TASK_KINDS_H

#include "omp/device.h"

/* Most names are those of kernels. */
enum task_kind { TASK_POTRF, TASK_GETRF, TASK_TRSM, TASK_SYRK, TASK_GEMM, TASK_HEMM, TASK_ADD, TASK_PRODUCT, TASK_STACK,
                 TASK_PIVOTS, TASK_CHOICE, TASK_LASWP, TASK_GEQRT, TASK_TPQRT, TASK_TRMM, TASK_HAND_OVER, TASK_SAVE, TASK_SUMS,
                 TASK_SYTRF, TASK_ROUND, TASK_UPLOAD, TASK_ACROSS, TASK_DOWNLOAD, TASK_KINDS };

/* The place where a task computes in a run with devices, and so where its tiles are. */
enum task_place {
    ON_HOST,                /* the default: zero */
    WITH_OUTPUT,            /* where its output resides, also on a device */
    WITH_STACK,             /* where the memory of its separate operand resides; operands without a place are on the host */
    WHERE_COLUMNS_RESIDE      /* a thread of the host, which uses each column where it resides, on the host or on a device */
};

struct task_facts {
    const char *name;       /* in traces */
    enum task_place place;
    enum lane lane;         /* lane of a device, unless the output becomes final: then the lane of panels */
    bool is_move;           /* moves a tile to or from a device, or between devices */
    bool is_panel;          /* other tasks wait for it as for a final tile */
    bool is_update;         /* an update of the trailing matrix: most of the work */
    bool only_reads;        /* has no output */
    bool hands_over;        /* computes nothing: publishes a final tile, or keeps writers of memory behind a signal */
};

const struct task_facts *task_facts(enum task_kind kind);
const char *task_name(enum task_kind kind);

#endif
