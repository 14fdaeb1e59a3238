# Windows, publication, fetches, the tile cache, progress. One file a line, also headers.
libompfact_internal_a_SOURCES += \
  %D%/move.h \
  %D%/rma.h \
  %D%/state.h \
  %D%/access.c \
  %D%/back_off.c \
  %D%/by_message.c \
  %D%/cache.c \
  %D%/cache_create.c \
  %D%/carry.c \
  %D%/comm.c \
  %D%/move.c \
  %D%/ping.c \
  %D%/posts.c \
  %D%/probe.c \
  %D%/progress.c \
  %D%/publish.c \
  %D%/routes.c \
  %D%/selftest.c \
  %D%/shared.c \
  %D%/shares.c \
  %D%/space.c \
  %D%/sums.c \
  %D%/table.c \
  %D%/gather.c \
  %D%/gather_create.c \
  %D%/messages_create.c \
  %D%/wait.c \
  %D%/watch.c
