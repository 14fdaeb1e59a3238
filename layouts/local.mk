# Owner maps. One file a line, headers too.
libompfact_internal_a_SOURCES += \
  %D%/internal.h \
  %D%/layout.h \
  %D%/layout.c \
  %D%/map_file.c \
  %D%/pattern.c \
  %D%/pattern_2dbc.c \
  %D%/pattern_g2dbc.c \
  %D%/readers.c
