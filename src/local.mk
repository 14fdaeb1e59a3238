# The public interface, the factorizations, and the command. One file a line, headers too.
include_HEADERS += %D%/ompfact.h
nobase_dist_doc_DATA += %D%/ompfact.h

libompfact_internal_a_SOURCES += \
  %D%/block_cyclic.h \
  %D%/gemm_speed.h \
  %D%/launcher.h \
  %D%/matrix.h \
  %D%/model.h \
  %D%/model_graph.h \
  %D%/pieces.h \
  %D%/pivot.h \
  %D%/placement.h \
  %D%/reflectors.h \
  %D%/block_cyclic.c \
  %D%/check.c \
  %D%/check_qr.c \
  %D%/cores.c \
  %D%/determinant.c \
  %D%/error.c \
  %D%/factor.c \
  %D%/gels.c \
  %D%/gemm_speed.c \
  %D%/geqrf.c \
  %D%/getrf.c \
  %D%/grid.c \
  %D%/interchange.c \
  %D%/launcher.c \
  %D%/layouts.c \
  %D%/matrix.c \
  %D%/memory.c \
  %D%/model.c \
  %D%/model_graph.c \
  %D%/multiply.c \
  %D%/norm.c \
  %D%/not_finite.c \
  %D%/pieces.c \
  %D%/pivot.c \
  %D%/pivot_memory.c \
  %D%/placement.c \
  %D%/potrf.c \
  %D%/reflect.c \
  %D%/reflectors.c \
  %D%/tree.c \
  %D%/rcond.c \
  %D%/qr_count.c \
  %D%/redistribute.c \
  %D%/refine.c \
  %D%/schedule.c \
  %D%/solve.c \
  %D%/storage.c \
  %D%/substitute.c \
  %D%/substitute.h \
  %D%/io/replace.c \
  %D%/io/replace.h \
  %D%/tiles.c \
  %D%/tiling.c \
  %D%/trace.c

# What belongs to the command and not to the library: all but main, so that tests can link it.
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
  %D%/command/case.h \
  %D%/command/explain.h \
  %D%/command/factors.h \
  %D%/command/fields.h \
  %D%/command/files.h \
  %D%/command/gemm_rate.h \
  %D%/command/instance.h \
  %D%/command/kernel_rates.h \
  %D%/command/loads.h \
  %D%/command/machine.h \
  %D%/command/peak.h \
  %D%/command/plot.h \
  %D%/command/plot_parts.h \
  %D%/command/options.h \
  %D%/command/options_table.h \
  %D%/command/refuse.h \
  %D%/command/report.h \
  %D%/command/run_case.h \
  %D%/command/source.h \
  %D%/command/progress.h \
  %D%/command/speeds.h \
  %D%/command/text_file.h \
  %D%/command/tile_size.h \
  %D%/command/device_plan.h \
  %D%/command/tune.h \
  %D%/io/generate.h \
  %D%/io/generate_kind.h \
  %D%/io/io.h \
  %D%/io/mtx.h \
  %D%/io/npy.h \
  %D%/io/random.h \
  %D%/io/spectrum.h \
  %D%/io/text.h \
  %D%/command/case.c \
  %D%/command/compare.c \
  %D%/command/compute.c \
  %D%/command/csv.c \
  %D%/command/dryrun.c \
  %D%/command/explain.c \
  %D%/command/explain_machine.c \
  %D%/command/explain_plan.c \
  %D%/command/factors.c \
  %D%/command/fields.c \
  %D%/command/files.c \
  %D%/command/gemm_rate.c \
  %D%/command/json.c \
  %D%/command/kernel_rates.c \
  %D%/command/device_plan.c \
  %D%/command/loads.c \
  %D%/command/machine.c \
  %D%/command/machine_devices.c \
  %D%/command/options.c \
  %D%/command/options_idle.c \
  %D%/command/options_near.c \
  %D%/command/options_table.c \
  %D%/command/options_values.c \
  %D%/command/output.c \
  %D%/command/peak.c \
  %D%/command/plot.c \
  %D%/command/plot_board.c \
  %D%/command/plot_chart.c \
  %D%/command/plot_colour.c \
  %D%/command/plot_svg.c \
  %D%/command/prepare_case.c \
  %D%/command/progress.c \
  %D%/command/refuse.c \
  %D%/command/report.c \
  %D%/command/report_case.c \
  %D%/command/run_case.c \
  %D%/command/source.c \
  %D%/command/speeds.c \
  %D%/command/table.c \
  %D%/command/text_file.c \
  %D%/command/tile_size.c \
  %D%/command/tune.c \
  %D%/command/tune_devices.c \
  %D%/command/usage.c \
  %D%/io/generate.c \
  %D%/io/generate_kind.c \
  %D%/io/mtx.c \
  %D%/io/npy.c \
  %D%/io/spectrum.c

bin_PROGRAMS += ompfact
ompfact_SOURCES = %D%/command/main.c
ompfact_LDADD = libcommand.a libompfact_internal.a $(ompfact_libs)
