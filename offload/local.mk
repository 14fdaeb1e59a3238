# Devices. One file a line, also headers.
libompfact_internal_a_SOURCES += \
  %D%/offload.h

if OFFLOAD
libompfact_internal_a_SOURCES += \
  %D%/backend.h \
  %D%/cuda.c \
  %D%/cuda.h \
  %D%/cuda_inverses.c \
  %D%/cuda_kernels.c \
  %D%/cuda_kernels_body.h \
  %D%/cuda_lanes.c \
  %D%/cuda_library.c \
  %D%/cuda_library.h \
  %D%/cuda_moves.c \
  %D%/cuda_names.c \
  %D%/cuda_panels_body.h \
  %D%/cuda_prepare.c \
  %D%/cuda_status.c \
  %D%/device_code.h \
  %D%/device_code_body.h \
  %D%/failure.c \
  %D%/hip_library.c \
  %D%/host.c \
  %D%/host_panels_body.h \
  %D%/open.c \
  %D%/openmp.c \
  %D%/portable.c \
  %D%/portable_open.c \
  %D%/portable.h \
  %D%/portable_body.h \
  %D%/regions.h \
  %D%/regions_body.h \
  %D%/runtime.c \
  %D%/runtime.h

# The target regions are compiled for every kind of device and linked with each other into one object that contains the images, so
# that programs which link the library need no device linker. Its calls of LLVM's runtime go to runtime.c. It is compiled without
# sanitizers, which are for the host's code, and with complex arithmetic that calls no library, because devices have no such library.
EXTRA_LIBRARIES += libregions.a
libregions_a_SOURCES = %D%/regions.c
libregions_a_CFLAGS = -std=gnu11 $(WARNING_FLAGS) -fPIC -fcomplex-arithmetic=improved -fopenmp $(OFFLOAD_FLAGS)
%D%/target.o: $(libregions_a_OBJECTS)
	$(AM_V_GEN)$(CC) -fopenmp $(OFFLOAD_FLAGS) -r -o $@ $(libregions_a_OBJECTS) $(OFFLOAD_LIBS) && \
	$(OBJCOPY) --redefine-sym __tgt_register_lib=runtime_register --redefine-sym __tgt_unregister_lib=runtime_unregister \
	  --redefine-sym __tgt_target_kernel=runtime_target_kernel $@
libompfact_internal_a_LIBADD += %D%/target.o
CLEANFILES += %D%/target.o

# This library's kernels for NVIDIA's devices: the compiler translates them to PTX, which the program contains as text. The compiler
# reads no file of CUDA, so the text is the same on all machines.
EXTRA_DIST += %D%/device_code.c
PTX_FLAGS = --target=nvptx64-nvidia-cuda -march=sm_70 --cuda-path=/dev/null -nogpulib -ffreestanding -std=gnu11 -O2 \
  -fcomplex-arithmetic=improved
%D%/device_code.ptx: %D%/device_code.c %D%/device_code.h %D%/device_code_body.h
	$(AM_V_GEN)$(CC) $(PTX_FLAGS) -I$(top_srcdir) -S -o $@ $(srcdir)/%D%/device_code.c
%D%/device_code_text.c: %D%/device_code.ptx
	$(AM_V_GEN){ echo '#include "offload/device_code.h"' && echo 'const char device_code[] =' && \
	  sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' %D%/device_code.ptx && echo ';'; } > $@
nodist_libompfact_internal_a_SOURCES += %D%/device_code_text.c
CLEANFILES += %D%/device_code.ptx %D%/device_code_text.c

# The same kernels for AMD's devices of OFFLOAD_AMD_ARCH, without ROCm: a code object for each architecture, all in one bundle, which the
# program contains as bytes. ROCm 6 and 7 have version 5 of code objects.
AMD_FLAGS = -nogpulib -ffreestanding -std=gnu11 -O2 -mcode-object-version=5 -fcomplex-arithmetic=improved
%D%/device_code.bundle: %D%/device_code.c %D%/device_code.h %D%/device_code_body.h Makefile
	$(AM_V_GEN)inputs=-input=/dev/null targets=host-$(OFFLOAD_HOST) && \
	for a in $(OFFLOAD_AMD); do \
	  $(CC) --target=amdgcn-amd-amdhsa -mcpu=$$a $(AMD_FLAGS) -I$(top_srcdir) -o $@-$$a $(srcdir)/%D%/device_code.c || exit 1; \
	  inputs="$$inputs -input=$@-$$a" targets=$$targets,hipv4-amdgcn-amd-amdhsa--$$a; \
	done && if test -z "$(OFFLOAD_AMD)"; then : > $@; \
	else $(OFFLOAD_BUNDLER) -type=o -bundle-align=4096 -targets=$$targets $$inputs -output=$@; fi
%D%/device_code_bytes.c: %D%/device_code.bundle
	$(AM_V_GEN){ echo '#include "offload/device_code.h"' && echo '_Alignas(4096) const char device_code_amd[] =' && \
	  od -An -v -to1 %D%/device_code.bundle | sed 's/ /\\/g; s/^/"/; s/$$/"/' && echo '"";'; } > $@
nodist_libompfact_internal_a_SOURCES += %D%/device_code_bytes.c
CLEANFILES += %D%/device_code.bundle %D%/device_code.bundle-* %D%/device_code_bytes.c
else
libompfact_internal_a_SOURCES += %D%/none.c
endif
