# Emulated network cards for the emulated nodes of one machine (card.h), as a library that is loaded before MPI's own. The
# library has no sanitizers, so that any program can load it, and is not linked with MPI, because the program has MPI.
native_card = \
  %D%/card_forbids.c \
  %D%/card_settings.c \
  %D%/card_start.c \
  %D%/card_thread.c \
  %D%/card_waits.c \
  %D%/card_windows.c
EXTRA_DIST += $(native_card) %D%/card.h
check_DATA += %D%/libnative.so
CLEANFILES += %D%/libnative.so

.PHONY: tests-nodes
tests-nodes: %D%/libnative.so

%D%/libnative.so: $(native_card) %D%/card.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cd $(srcdir) && $(CC) -D_GNU_SOURCE -I. $(MPI_CFLAGS) $(CPPFLAGS) $(CFLAGS) \
	  -std=gnu11 $(WARNING_FLAGS) -fPIC $(LDFLAGS) -shared -pthread -Wl,-z,lazy -Wl,-Bsymbolic \
	  -o $(abs_top_builddir)/$@ $(native_card)
