# The task graph and the host's kernels. One file a line, also headers.
libompfact_internal_a_SOURCES += \
  %D%/compression.h \
  %D%/device.h \
  %D%/execute.h \
  %D%/execution.h \
  %D%/help.h \
  %D%/order.h \
  %D%/order_memory.h \
  %D%/packing.h \
  %D%/pinned.c \
  %D%/pinned.h \
  %D%/ready.h \
  %D%/reserve.h \
  %D%/run.h \
  %D%/submit.h \
  %D%/task.h \
  %D%/task_kinds.h \
  %D%/trace.h \
  %D%/transfer.h \
  %D%/walk.h \
  %D%/execute.c \
  %D%/help.c \
  %D%/order.c \
  %D%/order_memory.c \
  %D%/packing.c \
  %D%/parts.c \
  %D%/ready.c \
  %D%/reserve.c \
  %D%/sink_count.c \
  %D%/sink_visit.c \
  %D%/submit.c \
  %D%/task_kinds.c \
  %D%/threads.c \
  %D%/trace.c \
  %D%/transfer.c \
  %D%/walk.c

libompfact_internal_a_SOURCES += \
  %D%/device_copies/copies.h \
  %D%/device_copies/residence.h \
  %D%/device_copies/copies.c \
  %D%/device_copies/residence.c

libompfact_internal_a_SOURCES += \
  %D%/kernels/mixing.h \
  %D%/kernels/mixing_body.h \
  %D%/kernels/mixing_real_body.h \
  %D%/kernels/flops.h \
  %D%/kernels/bf16.h \
  %D%/kernels/bf16_numbers.h \
  %D%/kernels/kernels.h \
  %D%/kernels/kernels_blas.h \
  %D%/kernels/kernels_body.h \
  %D%/kernels/kernels_columns.h \
  %D%/kernels/kernels_copies.h \
  %D%/kernels/kernels_inner.h \
  %D%/kernels/kernels_narrow.h \
  %D%/kernels/kernels_reflectors.h \
  %D%/kernels/kernels_strips.h \
  %D%/kernels/letters.h \
  %D%/kernels/truncation.h \
  %D%/kernels/truncation_body.h \
  %D%/kernels/packed_tile.h \
  %D%/kernels/panel.h \
  %D%/kernels/panel_qr.h \
  %D%/kernels/panel_tall.h \
  %D%/kernels/pivots.h \
  %D%/kernels/precision_off.h \
  %D%/kernels/each_precision.h \
  %D%/kernels/precision_on.h \
  %D%/kernels/extremes.h \
  %D%/kernels/products.h \
  %D%/kernels/rounding.h \
  %D%/kernels/sharing.h \
  %D%/kernels/signed_block.h \
  %D%/kernels/signed_block_body.h \
  %D%/kernels/tile_sums.h \
  %D%/kernels/tile_sums_body.h \
  %D%/kernels/update_reflectors.h \
  %D%/kernels/update_reflectors_body.h \
  %D%/kernels/workspace.h \
  %D%/kernels/bf16.c \
  %D%/kernels/blis.c \
  %D%/kernels/mixing.c \
  %D%/kernels/kernels.c \
  %D%/kernels/packed_tile.c \
  %D%/kernels/panel.c \
  %D%/kernels/panel_qr.c \
  %D%/kernels/truncation.c \
  %D%/kernels/panel_tall.c \
  %D%/kernels/pivots.c \
  %D%/kernels/products.c \
  %D%/kernels/rounding.c \
  %D%/kernels/sharing.c \
  %D%/kernels/signed_block.c \
  %D%/kernels/tile_repair.c \
  %D%/kernels/tile_sums.c \
  %D%/kernels/update_reflectors.c \
  %D%/kernels/workspace.c

libompfact_internal_a_SOURCES += \
  %D%/kernels/micro/packed.h \
  %D%/kernels/micro/packed_block.h \
  %D%/kernels/micro/packed_body.h \
  %D%/kernels/micro/packed_copies.h \
  %D%/kernels/micro/packed_factors.h \
  %D%/kernels/micro/packed_pivoted.h \
  %D%/kernels/micro/packed_rook.h \
  %D%/kernels/micro/packed_search.h \
  %D%/kernels/micro/packed_solve.h \
  %D%/kernels/micro/packed_types.h \
  %D%/kernels/micro/processors.h \
  %D%/kernels/micro/targets.h \
  %D%/kernels/micro/shuffles.h \
  %D%/kernels/micro/avx2.c \
  %D%/kernels/micro/avx512.c \
  %D%/kernels/micro/bf16_avx512.c \
  %D%/kernels/micro/generic.c \
  %D%/kernels/micro/neon.c \
  %D%/kernels/micro/processors.c

libompfact_internal_a_SOURCES += \
  %D%/tasks/bf16_tiles.h \
  %D%/tasks/device_tiles.h \
  %D%/tasks/low_rank_tiles.h \
  %D%/tasks/narrow_tiles.h \
  %D%/tasks/single_tiles.h \
  %D%/tasks/task_places.h \
  %D%/tasks/tasks.h \
  %D%/tasks/bf16_tiles.c \
  %D%/tasks/device_rows.c \
  %D%/tasks/device_tiles.c \
  %D%/tasks/task_add.c \
  %D%/tasks/low_rank_tiles.c \
  %D%/tasks/narrow_tiles.c \
  %D%/tasks/single_tiles.c \
  %D%/tasks/task_gemm.c \
  %D%/tasks/task_getrf.c \
  %D%/tasks/task_hand_over.c \
  %D%/tasks/task_hemm.c \
  %D%/tasks/task_herk.c \
  %D%/tasks/task_pivots.c \
  %D%/tasks/task_potrf.c \
  %D%/tasks/task_product.c \
  %D%/tasks/task_qr.c \
  %D%/tasks/task_rows.c \
  %D%/tasks/task_save.c \
  %D%/tasks/task_signed.c \
  %D%/tasks/task_sums.c \
  %D%/tasks/task_transpose.c \
  %D%/tasks/task_trsm.c \
  %D%/tasks/task_update.c

libompfact_internal_a_SOURCES += \
  %D%/team/sink_execute.h \
  %D%/team/team.h \
  %D%/team/sink_execute.c \
  %D%/team/team.c
