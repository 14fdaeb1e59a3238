# The task graph and the host's kernels. One file a line, headers too.
libompfact_internal_a_SOURCES += \
  %D%/internal.h \
  %D%/kernels.h \
  %D%/kernels_body.h \
  %D%/kernels_columns.h \
  %D%/kernels_small.h \
  %D%/kernels_strips.h \
  %D%/panel.h \
  %D%/pieces.h \
  %D%/pivots.h \
  %D%/precision_off.h \
  %D%/precision_on.h \
  %D%/ready.h \
  %D%/run.h \
  %D%/task.h \
  %D%/trace.h \
  %D%/blis.c \
  %D%/count.c \
  %D%/kernels.c \
  %D%/panel.c \
  %D%/pieces.c \
  %D%/pivots.c \
  %D%/ready.c \
  %D%/run.c \
  %D%/submit.c \
  %D%/task_add.c \
  %D%/task_gemm.c \
  %D%/task_getrf.c \
  %D%/task_hemm.c \
  %D%/task_herk.c \
  %D%/task_pivots.c \
  %D%/task_potrf.c \
  %D%/task_product.c \
  %D%/task_rows.c \
  %D%/task_trsm.c \
  %D%/trace.c
