# Devices. One file a line, headers too.
libompfact_internal_a_SOURCES += \
  %D%/offload.h

if OFFLOAD
libompfact_internal_a_SOURCES += \
  %D%/backend.h \
  %D%/cuda.c \
  %D%/cuda.h \
  %D%/cuda_kernels.c \
  %D%/cuda_kernels_body.h \
  %D%/cuda_library.c \
  %D%/cuda_library.h \
  %D%/failure.c \
  %D%/host.c \
  %D%/open.c \
  %D%/openmp.c \
  %D%/portable.c \
  %D%/portable.h \
  %D%/portable_body.h \
  %D%/regions.h \
  %D%/regions_body.h \
  %D%/runtime.c \
  %D%/runtime.h

# The target regions are compiled for every kind of device and linked among themselves into one object, images and all, so that whoever
# links the library needs nothing for it. Its calls of LLVM's runtime go to runtime.c. Sanitizers are for the host's code.
# Complex arithmetic without functions of a library, which devices do not have.
EXTRA_LIBRARIES += libregions.a
libregions_a_SOURCES = %D%/regions.c
libregions_a_CFLAGS = -std=gnu11 -Wall -Wextra -fPIC -fcomplex-arithmetic=improved -fopenmp $(OFFLOAD_FLAGS)
%D%/target.o: $(libregions_a_OBJECTS)
	$(AM_V_GEN)$(CC) -fopenmp $(OFFLOAD_FLAGS) -r -o $@ $(libregions_a_OBJECTS) $(OFFLOAD_LIBS) && \
	$(OBJCOPY) --redefine-sym __tgt_register_lib=runtime_register --redefine-sym __tgt_unregister_lib=runtime_unregister \
	  --redefine-sym __tgt_target_kernel=runtime_target_kernel $@
libompfact_internal_a_LIBADD += %D%/target.o
CLEANFILES += %D%/target.o
else
libompfact_internal_a_SOURCES += %D%/none.c
endif
