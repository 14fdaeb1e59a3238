/* What a task is, and what the runtime makes of it: the one table to which a new kernel is added. */
#ifndef OMPFACT_OMP_TASK_KINDS_H
#define OMPFACT_OMP_TASK_KINDS_H

#include "omp/device.h"

/* The names are mostly those of kernels. */
enum task_kind { TASK_POTRF, TASK_GETRF, TASK_TRSM, TASK_SYRK, TASK_GEMM, TASK_HEMM, TASK_ADD, TASK_PRODUCT, TASK_STACK,
                 TASK_PIVOTS, TASK_CHOICE, TASK_LASWP, TASK_GEQRT, TASK_TPQRT, TASK_TRMM, TASK_HAND_OVER, TASK_SAVE, TASK_SUMS,
                 TASK_SYTRF, TASK_UPLOAD, TASK_ACROSS, TASK_DOWNLOAD, TASK_KINDS };

/* Where a task computes in a run that has devices, and so where it finds its tiles. */
enum task_place {
    ON_HOST,                /* what says nothing else: zero */
    WITH_OUTPUT,            /* where its output lives, on a device too */
    WITH_STACK,             /* where the memory of its operand lives that is apart; but what lives nowhere else is on the host */
    WHERE_COLUMNS_LIVE      /* a thread of the host: it finds each column where that lives, on the host or on a device */
};

struct task_facts {
    const char *name;       /* in traces */
    enum task_place place;
    enum lane lane;         /* of a device, unless the output becomes final: that is a panel */
    bool is_move;           /* of a tile, to or from a device, or from one to another */
    bool is_panel;          /* others wait for it as for what becomes final */
    bool is_update;         /* of the trailing matrix: the bulk of the work */
    bool only_reads;        /* has no output */
    bool hands_over;        /* computes nothing: tells readers of a final tile, or keeps writers of memory behind a signal */
};

const struct task_facts *task_facts(enum task_kind kind);
const char *task_name(enum task_kind kind);

#endif
