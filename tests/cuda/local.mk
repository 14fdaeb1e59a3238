# An emulated CUDA on host memory, under the names that offload/cuda_library.c loads, for tests and for trials by hand. It has
# no sanitizers, so that any program can load it.
cuda_libraries = \
  %D%/libcuda.so.1 \
  %D%/libcuda.so \
  %D%/libcudart.so.13 \
  %D%/libcublas.so.13 \
  %D%/libcusolver.so.12
cuda_headers = %D%/emulated.h %D%/engine.h
cuda_driver_sources = %D%/libcuda.c %D%/images_ptx.c
cuda_sources = \
  %D%/engine.c \
  %D%/libcuda_modules.c \
  %D%/memory_blocks.c \
  %D%/objects.c \
  %D%/operations.c \
  %D%/ordered.c \
  %D%/settings.c \
  %D%/streams.c \
  %D%/report_lines.c
cuda_runtime_sources = %D%/libcudart.c
cuda_blas_sources = %D%/libcublas.c
cuda_solver_sources = %D%/libcusolver.c
cuda_kernels = src/process/launcher.c offload/device_code.c offload/device_code.h offload/device_code_body.h omp/kernels/each_precision.h omp/kernels/precision_on.h
cuda_bodies = %D%/libcublas_body.h %D%/libcusolver_body.h omp/kernels/precision_on.h omp/kernels/precision_off.h
EXTRA_DIST += %D%/calls.h %D%/check_prototypes.py %D%/programs.h $(cuda_headers) $(cuda_bodies) $(cuda_sources) \
  $(cuda_driver_sources) $(cuda_runtime_sources) $(cuda_blas_sources) $(cuda_solver_sources) %D%/images_amd.c %D%/rocm.h

# An emulated ROCm from the same sources, in its own folder, so that a program can load one without the other.
rocm_libraries = \
  %D%/rocm/libamdhip64.so.6 \
  %D%/rocm/librocblas.so.4 \
  %D%/rocm/librocsolver.so.0
CLEANFILES += $(cuda_libraries) $(rocm_libraries)
check_DATA += $(cuda_libraries) $(rocm_libraries)

.PHONY: tests-cuda
tests-cuda: $(cuda_libraries) $(rocm_libraries)

# The libraries stay loaded, because their threads do. Each finds the driver in its own folder.
cuda_link = $(MKDIR_P) $(@D) && cd $(srcdir) && $(CC) $(DEFS) -I$(abs_top_builddir) -I. $(BLAS_CFLAGS) $(CPPFLAGS) $(CFLAGS) \
  -std=gnu11 $(WARNING_FLAGS) -fPIC $(LDFLAGS) -shared -pthread -Wl,-z,nodelete -Wl,-Bsymbolic -o $(abs_top_builddir)/$@ \
  -Wl,-soname,$(@F)
cuda_driver = -Wl,-rpath,'$$ORIGIN' -L$(abs_top_builddir)/%D% -l:libcuda.so.1

%D%/libcuda.so.1: $(cuda_sources) $(cuda_driver_sources) $(cuda_headers) $(cuda_kernels)
	$(AM_V_GEN)$(cuda_link) $(cuda_sources) $(cuda_driver_sources) offload/device_code.c src/process/launcher.c -lm
%D%/libcuda.so: %D%/libcuda.so.1
	$(AM_V_GEN)ln -sf libcuda.so.1 $@
%D%/libcudart.so.13: $(cuda_runtime_sources) $(cuda_headers) %D%/libcuda.so.1
	$(AM_V_GEN)$(cuda_link) $(cuda_runtime_sources) $(cuda_driver)
%D%/libcublas.so.13: $(cuda_blas_sources) $(cuda_headers) $(cuda_bodies) %D%/libcuda.so.1
	$(AM_V_GEN)$(cuda_link) $(cuda_blas_sources) $(cuda_driver) $(RPATH_FLAGS) $(BLAS_LIBS) -lm
%D%/libcusolver.so.12: $(cuda_solver_sources) $(cuda_headers) $(cuda_bodies) %D%/libcuda.so.1
	$(AM_V_GEN)$(cuda_link) $(cuda_solver_sources) $(cuda_driver) $(RPATH_FLAGS) $(LAPACKE_LIBS) $(BLAS_LIBS) -lm

rocm_link = $(cuda_link) -include %D%/rocm.h
rocm_runtime = -Wl,-rpath,'$$ORIGIN' -L$(abs_top_builddir)/%D%/rocm -l:libamdhip64.so.6

%D%/rocm/libamdhip64.so.6: $(cuda_sources) $(cuda_runtime_sources) %D%/images_amd.c %D%/rocm.h $(cuda_headers) $(cuda_kernels)
	$(AM_V_GEN)$(rocm_link) $(cuda_sources) $(cuda_runtime_sources) %D%/images_amd.c offload/device_code.c src/process/launcher.c -lm
%D%/rocm/librocblas.so.4: $(cuda_blas_sources) %D%/rocm.h $(cuda_headers) $(cuda_bodies) %D%/rocm/libamdhip64.so.6
	$(AM_V_GEN)$(rocm_link) $(cuda_blas_sources) $(rocm_runtime) $(RPATH_FLAGS) $(BLAS_LIBS) -lm
%D%/rocm/librocsolver.so.0: $(cuda_solver_sources) %D%/rocm.h $(cuda_headers) $(cuda_bodies) %D%/rocm/libamdhip64.so.6
	$(AM_V_GEN)$(rocm_link) $(cuda_solver_sources) $(rocm_runtime) $(RPATH_FLAGS) $(LAPACKE_LIBS) $(BLAS_LIBS) -lm
