# A network card for the made-up nodes of one machine (card.h), to be loaded before MPI's own library. It has no sanitizers
# inside, so that programs of any kind can load it, and is not linked with MPI: who loads it has one.
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
