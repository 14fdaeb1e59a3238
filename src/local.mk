# The public interface, the factorizations, and the command. One file a line, also headers.
include_HEADERS += %D%/ompfact.h %D%/ompfact_machine.h %D%/ompfact_plan.h
nobase_dist_doc_DATA += %D%/ompfact.h %D%/ompfact_machine.h %D%/ompfact_plan.h
libompfact_internal_a_SOURCES += %D%/ompfact_testing.h

# The commit: that of the project's git tree, otherwise that in the tarball, otherwise "". Each make checks it, and writes the file only
# if it has changed.
libompfact_internal_a_SOURCES += %D%/about/build.c
CLEANFILES += %D%/about/commit.h
%D%/about/build.$(OBJEXT): %D%/about/commit.h
.PHONY: check-commit
%D%/about/commit.h: check-commit
	@$(MKDIR_P) %D%/about && { if test -e $(srcdir)/.git; then git -C $(srcdir) describe --always --dirty --abbrev=12 --exclude='*'; \
	  else cat $(srcdir)/.commit; fi 2>/dev/null || :; } | sed 's/.*/#define BUILD_COMMIT "&"/' > $@.tmp && \
	{ test -s $@.tmp || echo '#define BUILD_COMMIT ""' > $@.tmp; } && \
	{ cmp -s $@.tmp $@ && rm -f $@.tmp || mv $@.tmp $@; }
dist-hook: %D%/about/commit.h
	sed -n 's/.*"\(..*\)"/\1/p' %D%/about/commit.h > $(distdir)/.commit

libompfact_internal_a_SOURCES += \
  %D%/checkpoint/checkpoint.h \
  %D%/checkpoint/folder_lock.h \
  %D%/checkpoint/manifest.h \
  %D%/checkpoint/restart.h \
  %D%/checkpoint/saver.h \
  %D%/checkpoint/saver_files.h \
  %D%/checkpoint/seal.h \
  %D%/checkpoint/tile_file.h \
  %D%/checkpoint/checkpoint.c \
  %D%/checkpoint/folder_lock.c \
  %D%/checkpoint/manifest.c \
  %D%/checkpoint/manifest_read.c \
  %D%/checkpoint/naming.c \
  %D%/checkpoint/restart.c \
  %D%/checkpoint/restore_tiles.c \
  %D%/checkpoint/saved_tiles.c \
  %D%/checkpoint/saver.c \
  %D%/checkpoint/saver_files.c \
  %D%/checkpoint/seal.c \
  %D%/checkpoint/tile_file.c

libompfact_internal_a_SOURCES += \
  %D%/choose/choose.h \
  %D%/choose/predict.h \
  %D%/choose/qr_plan.h \
  %D%/choose/create.c \
  %D%/choose/inverse_count.c \
  %D%/choose/layers_count.c \
  %D%/choose/layout_count.c \
  %D%/choose/predict_ranks.c \
  %D%/choose/predict_weights.c \
  %D%/choose/predict_work.c \
  %D%/choose/qr_count.c \
  %D%/choose/qr_sums.c \
  %D%/choose/shape_cut.c \
  %D%/choose/shape_layers.c \
  %D%/choose/shape_layout.c \
  %D%/choose/shape_tiles.c \
  %D%/choose/step_bounds.c

libompfact_internal_a_SOURCES += \
  %D%/factor/beside.h \
  %D%/factor/factor.h \
  %D%/factor/guard.h \
  %D%/factor/pivot.h \
  %D%/factor/qr_tree.h \
  %D%/factor/reflectors.h \
  %D%/factor/row_lists.h \
  %D%/factor/row_rounds.h \
  %D%/factor/saved_panels.h \
  %D%/factor/signs.h \
  %D%/factor/snapshot.h \
  %D%/factor/restored.h \
  %D%/factor/trace_text.h \
  %D%/factor/adopt.c \
  %D%/factor/append.c \
  %D%/factor/layer_sums.c \
  %D%/factor/layer_sums.h \
  %D%/factor/apply_q.c \
  %D%/factor/beside.c \
  %D%/factor/checks.c \
  %D%/factor/factor_cholesky.c \
  %D%/factor/factorize.c \
  %D%/factor/flip.c \
  %D%/factor/geqrf.c \
  %D%/factor/getrf.c \
  %D%/factor/guard.c \
  %D%/factor/interchange.c \
  %D%/factor/job.c \
  %D%/factor/pivot.c \
  %D%/factor/panel_device.c \
  %D%/factor/pivot_memory.c \
  %D%/factor/partial.c \
  %D%/factor/potrf.c \
  %D%/factor/qr_tree.c \
  %D%/factor/reflect.c \
  %D%/factor/reflectors.c \
  %D%/factor/reflectors_memory.c \
  %D%/factor/reflectors_plan.c \
  %D%/factor/report_sum.c \
  %D%/factor/resume.c \
  %D%/factor/restored.c \
  %D%/factor/row_lists.c \
  %D%/factor/row_rounds.c \
  %D%/factor/saved_panels.c \
  %D%/factor/schedule.c \
  %D%/factor/signs.c \
  %D%/factor/snapshot.c \
  %D%/factor/sytrf.c \
  %D%/factor/tau.c \
  %D%/factor/trace_file.c \
  %D%/factor/trace_text.c \
  %D%/factor/urgency.c

libompfact_internal_a_SOURCES += \
  %D%/grid/gemm_speed.h \
  %D%/grid/grid.h \
  %D%/grid/cores.c \
  %D%/grid/error.c \
  %D%/grid/gemm_speed.c \
  %D%/grid/grid_create.c \
  %D%/grid/memory.c \
  %D%/grid/openmp_fit.c \
  %D%/grid/staging.c

libompfact_internal_a_SOURCES += \
  %D%/io/c_locale.h \
  %D%/io/digest.h \
  %D%/io/element.h \
  %D%/io/json_text.h \
  %D%/io/replace.h \
  %D%/io/digest.c \
  %D%/io/json_text.c \
  %D%/io/replace.c \
  %D%/io/text_stream.h \
  %D%/io/trace_frame.h \
  %D%/io/utf8.h \
  %D%/io/text_stream.c \
  %D%/io/utf8.c

libompfact_internal_a_SOURCES += \
  %D%/process/cgroup.h \
  %D%/process/launcher.h \
  %D%/process/openmp_variables.h \
  %D%/process/cgroup.c \
  %D%/process/launcher.c \
  %D%/process/openmp_variables.c

libompfact_internal_a_SOURCES += \
  %D%/machine/gemm_rate.h \
  %D%/machine/kernel_rates.h \
  %D%/machine/break_even.h \
  %D%/machine/machine.h \
  %D%/machine/machine_known.h \
  %D%/machine/measured_speeds.h \
  %D%/machine/quick_rates.h \
  %D%/machine/tile_size.h \
  %D%/machine/gemm_rate.c \
  %D%/machine/kernel_rates.c \
  %D%/machine/break_even.c \
  %D%/machine/machine.c \
  %D%/machine/machine_devices.c \
  %D%/machine/machine_file.c \
  %D%/machine/machine_known.c \
  %D%/machine/machine_view.c \
  %D%/machine/measured_speeds.c \
  %D%/machine/open_grid.c \
  %D%/machine/quick_rates.c \
  %D%/machine/tile_size.c

libompfact_internal_a_SOURCES += \
  %D%/matrix/compressed.h \
  %D%/matrix/matrix.h \
  %D%/matrix/placement.h \
  %D%/matrix/shape.h \
  %D%/matrix/tiling.h \
  %D%/matrix/compressed.c \
  %D%/matrix/compressed_fill.c \
  %D%/matrix/fill.c \
  %D%/matrix/holds.c \
  %D%/matrix/matrix_create.c \
  %D%/matrix/matrix_destroy.c \
  %D%/matrix/matrix_like.c \
  %D%/matrix/matrix_on_paper.c \
  %D%/matrix/layers.c \
  %D%/matrix/layers.h \
  %D%/matrix/norm.c \
  %D%/matrix/not_finite.c \
  %D%/matrix/placement.c \
  %D%/matrix/storage.c \
  %D%/matrix/tile_counts.c \
  %D%/matrix/tiles.c \
  %D%/matrix/tiling.c

libompfact_internal_a_SOURCES += \
  %D%/model/chain.h \
  %D%/model/heap.h \
  %D%/model/model.h \
  %D%/model/model_graph.h \
  %D%/model/platform.h \
  %D%/model/simulation.h \
  %D%/model/chain.c \
  %D%/model/heap.c \
  %D%/model/model.c \
  %D%/model/model_graph.c \
  %D%/model/transfers.c \
  %D%/model/transfers_ideal.c
if HAVE_SIMGRID
libompfact_internal_a_SOURCES += %D%/model/platform_simgrid.c
else
libompfact_internal_a_SOURCES += %D%/model/platform_none.c
endif

libompfact_internal_a_SOURCES += \
  %D%/tune/tune.h \
  %D%/tune/device_trial.c \
  %D%/tune/tune.c \
  %D%/tune/tune_devices.c \
  %D%/tune/tune_potrf.c \
  %D%/tune/tune_tasks.c

libompfact_internal_a_SOURCES += \
  %D%/plan/choices.h \
  %D%/plan/forecast.h \
  %D%/plan/limits.h \
  %D%/plan/step_loads.h \
  %D%/plan/choices.c \
  %D%/plan/copies_choice.c \
  %D%/plan/forecast.c \
  %D%/plan/forecast_counts.c \
  %D%/plan/layout_plan.c \
  %D%/plan/matrix_plan.c \
  %D%/plan/job_facts.c \
  %D%/plan/limits.c \
  %D%/plan/memory_needs.c \
  %D%/plan/node_machine.c \
  %D%/plan/outlook.c \
  %D%/plan/precision_plan.c \
  %D%/plan/routine.c \
  %D%/plan/simulate_plan.c \
  %D%/plan/step_loads.c \
  %D%/plan/transferred.c

libompfact_internal_a_SOURCES += \
  %D%/butterfly/butterfly.h \
  %D%/butterfly/groups.h \
  %D%/butterfly/orbits.h \
  %D%/butterfly/tour.h \
  %D%/butterfly/butterfly.c \
  %D%/butterfly/group_block.c \
  %D%/butterfly/groups.c \
  %D%/butterfly/orbits.c \
  %D%/butterfly/rounds.c \
  %D%/move/block_cyclic.h \
  %D%/move/pieces.h \
  %D%/move/block_cyclic.c \
  %D%/move/pieces.c \
  %D%/move/redistribute.c

libompfact_internal_a_SOURCES += \
  %D%/inverse/inverse.h \
  %D%/inverse/check_inverse.c \
  %D%/inverse/getri.c \
  %D%/inverse/invert_triangle.c \
  %D%/inverse/potri.c \
  %D%/inverse/trtri.c

libompfact_internal_a_SOURCES += \
  %D%/solve/gmres_basis.h \
  %D%/solve/refine.h \
  %D%/solve/solve.h \
  %D%/solve/triangular.h \
  %D%/solve/check.c \
  %D%/solve/check_in_range.c \
  %D%/solve/check_in_range.h \
  %D%/solve/check_qr.c \
  %D%/solve/conj_transpose.c \
  %D%/solve/determinant.c \
  %D%/solve/gels.c \
  %D%/solve/general.c \
  %D%/solve/gmres.c \
  %D%/solve/gmres_basis.c \
  %D%/solve/multiply.c \
  %D%/solve/potrs_getrs.c \
  %D%/solve/rcond.c \
  %D%/solve/refine.c \
  %D%/solve/refine_compressed.c \
  %D%/solve/refine_tiles.c \
  %D%/solve/save_load.c \
  %D%/solve/schur.c \
  %D%/solve/substitute.c \
  %D%/solve/inertia.c \
  %D%/solve/ldl.c \
  %D%/solve/sysv.c \
  %D%/solve/sytrs.c \
  %D%/solve/triangular.c \
  %D%/solve/trsm.c \
  %D%/solve/update.c

# The command without main, so that tests can link it. These files are not in the library.
noinst_LIBRARIES += libcommand.a
libcommand_a_SOURCES = \
  %D%/command/instance.h \
  %D%/command/options.h \
  %D%/command/options_parts.h \
  %D%/command/options_restart.h \
  %D%/command/progress_line.h \
  %D%/command/refuse.h \
  %D%/command/report.h \
  %D%/command/session.h \
  %D%/command/source.h \
  %D%/command/speeds.h \
  %D%/command/text_file.h \
  %D%/command/together.h \
  %D%/generate/generate.h \
  %D%/generate/generator_kind.h \
  %D%/io/io.h \
  %D%/generate/kernel.h \
  %D%/io/mtx.h \
  %D%/io/mtx_words.h \
  %D%/io/npy.h \
  %D%/generate/points.h \
  %D%/generate/random_by_place.h \
  %D%/generate/spectrum.h \
  %D%/io/io_text.h \
  %D%/command/batches.c \
  %D%/command/bug_report.c \
  %D%/command/case.c \
  %D%/command/compare.c \
  %D%/command/completion.c \
  %D%/command/compute.c \
  %D%/command/condition.c \
  %D%/command/doing.c \
  %D%/command/dryrun.c \
  %D%/command/explain.c \
  %D%/command/files.c \
  %D%/command/options_check.c \
  %D%/command/options_formats.c \
  %D%/command/options_idle.c \
  %D%/command/options_near.c \
  %D%/command/options_parse.c \
  %D%/command/options_restart.c \
  %D%/command/options_sizes.c \
  %D%/command/options_table.c \
  %D%/command/options_values.c \
  %D%/command/options_verbs.c \
  %D%/command/origin.c \
  %D%/command/output.c \
  %D%/command/peak.c \
  %D%/command/platform_file.c \
  %D%/command/prepare_case.c \
  %D%/command/progress_line.c \
  %D%/command/refuse.c \
  %D%/command/report.c \
  %D%/command/report_case.c \
  %D%/command/run_case.c \
  %D%/command/saving.c \
  %D%/command/input_cut.c \
  %D%/command/stopping.c \
  %D%/command/source.c \
  %D%/command/speeds.c \
  %D%/command/text_file.c \
  %D%/command/together.c \
  %D%/command/tune_machine.c \
  %D%/command/usage.c \
  %D%/command/write_page.c \
  %D%/command/write_result.c \
  %D%/generate/generate.c \
  %D%/generate/generate_kind.c \
  %D%/generate/kernel.c \
  %D%/io/mtx.c \
  %D%/io/mtx_words.c \
  %D%/io/mtx_write.c \
  %D%/io/npy.c \
  %D%/generate/points.c \
  %D%/generate/spectrum.c

# The facts of a run, and the pages of runs.
page_sources = \
  %D%/facts/facts.h \
  %D%/facts/facts_list.h \
  %D%/facts/facts.c \
  %D%/page/axes.h \
  %D%/page/cause.h \
  %D%/page/figures.h \
  %D%/page/packed_numbers.h \
  %D%/page/page.h \
  %D%/page/page_data.h \
  %D%/page/page_parts.h \
  %D%/page/plot.h \
  %D%/page/plot_parts.h \
  %D%/page/rank_colour.h \
  %D%/page/format.h \
  %D%/page/trace_about.h \
  %D%/page/axes.c \
  %D%/page/cause.c \
  %D%/page/fig_gantt.c \
  %D%/page/fig_heat.c \
  %D%/page/fig_kernels.c \
  %D%/page/fig_layout.c \
  %D%/page/fig_ranks.c \
  %D%/page/fig_samples.c \
  %D%/page/fig_steps.c \
  %D%/page/packed_numbers.c \
  %D%/page/page_facts.c \
  %D%/page/page_write.c \
  %D%/page/plot_board.c \
  %D%/page/plot_chart.c \
  %D%/page/plot_svg.c \
  %D%/page/plot_write.c \
  %D%/page/rank_colour.c \
  %D%/page/read_trace.c \
  %D%/page/format.c \
  %D%/page/slowness.c \
  %D%/page/sum_up.c \
  %D%/page/summary.c \
  %D%/page/trace_about.c \
  %D%/page/trace_document.c
libcommand_a_SOURCES += $(page_sources)
# The style and the scripts of pages are compiled as text: one string literal for each line.
nodist_libcommand_a_SOURCES = %D%/page/page_text.c
EXTRA_DIST += %D%/page/page.css %D%/page/page.js
CLEANFILES += %D%/page/page_text.c
%D%/page/page_text.c: %D%/page/page.css %D%/page/page.js
	$(AM_V_GEN)$(MKDIR_P) %D%/page && { \
	  echo '#include "src/page/page.h"'; \
	  for kind in css js; do \
	    echo "const char page_$$kind[] ="; \
	    sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $(srcdir)/%D%/page/page.$$kind; \
	    echo ';'; \
	  done; } > $@.tmp && mv $@.tmp $@

noinst_PROGRAMS += ompfact
plain_names += $(bindir)/ompfact$(EXEEXT)=ompfact.$(MPI_FLAVOUR)$(EXEEXT)
install-command: ompfact$(EXEEXT)
	$(MKDIR_P) $(DESTDIR)$(bindir) && $(INSTALL_PROGRAM) ompfact$(EXEEXT) $(DESTDIR)$(bindir)/ompfact.$(MPI_FLAVOUR)$(EXEEXT)
uninstall-command:
	rm -f $(DESTDIR)$(bindir)/ompfact.$(MPI_FLAVOUR)$(EXEEXT)
.PHONY: install-command uninstall-command
ompfact_SOURCES = %D%/command/main.c
ompfact_LDADD = libcommand.a libompfact_internal.a $(ompfact_libs)

# Completions for shells. The program prints them, so a cross build has none.
bash_completiondir = $(datadir)/bash-completion/completions
zsh_completiondir = $(datadir)/zsh/site-functions
if !CROSS_COMPILING
bash_completion_DATA = %D%/command/bash/ompfact
zsh_completion_DATA = %D%/command/zsh/_ompfact
endif
CLEANFILES += $(bash_completion_DATA) $(zsh_completion_DATA)
%D%/command/bash/ompfact: ompfact$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D%/command/bash && env $(SANITIZER_ENV) ./ompfact$(EXEEXT) --completion bash > $@.tmp && mv $@.tmp $@
%D%/command/zsh/_ompfact: ompfact$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D%/command/zsh && env $(SANITIZER_ENV) ./ompfact$(EXEEXT) --completion zsh > $@.tmp && mv $@.tmp $@

# Functions with ScaLAPACK's names, in two builds: only in the shared library, a flavour of the drop-in, the BLACS may be missing. And the
# drop-in, which opens a flavour.
scalapack_sources = \
  %D%/scalapack/blacs.h \
  %D%/scalapack/call.h \
  %D%/scalapack/find.h \
  %D%/scalapack/account.c \
  %D%/scalapack/arrays.c \
  %D%/scalapack/blacs.c \
  %D%/scalapack/call.c \
  %D%/scalapack/call_words.c \
  %D%/scalapack/cholesky.c \
  %D%/scalapack/find.c \
  %D%/scalapack/lu.c \
  %D%/scalapack/names.c \
  %D%/scalapack/next.c \
  %D%/scalapack/parameters.c \
  %D%/scalapack/process_grid.c \
  %D%/scalapack/qr.c \
  %D%/scalapack/query.c \
  %D%/scalapack/triangle.c
noinst_LIBRARIES += libscalapack_static.a libscalapack_shared.a libscalapack_dispatcher.a
libscalapack_dispatcher_a_SOURCES = \
  %D%/process/launcher.h \
  %D%/scalapack/dispatch.h \
  %D%/scalapack/find.h \
  %D%/process/launcher.c \
  %D%/scalapack/dispatch.c \
  %D%/scalapack/find.c \
  %D%/scalapack/names.c
libscalapack_dispatcher_a_CPPFLAGS = $(AM_CPPFLAGS) -DSCALAPACK_DISPATCHER
libscalapack_static_a_SOURCES = $(scalapack_sources)
libscalapack_static_a_CPPFLAGS = $(AM_CPPFLAGS)
libscalapack_shared_a_SOURCES = $(scalapack_sources)
libscalapack_shared_a_CPPFLAGS = $(AM_CPPFLAGS) -DBLACS_MAY_BE_MISSING
