# Devices. One file a line, headers too.
libompfact_internal_a_SOURCES += \
  %D%/offload.h \
  %D%/host.c
