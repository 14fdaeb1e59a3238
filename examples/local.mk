# Examples, one a line, installed with the texts. installcheck_source is compiled against the installed library by `make installcheck`.
nobase_dist_doc_DATA += \
  %D%/kernel_matrix.c \
  %D%/scalapack.c \
  %D%/linear_system.c
installcheck_source = %D%/linear_system.c

# The examples check their own results: here they are built as a user builds them, and run where there is a launcher.
installcheck-local: installcheck-examples
installcheck-examples:
	@PKG_CONFIG_PATH=$(DESTDIR)$(pkgconfigdir):$$PKG_CONFIG_PATH; export PKG_CONFIG_PATH; \
	for name in linear_system kernel_matrix $(scalapack_example); do \
	  test $$name != scalapack || libs='$(SCALAPACK_LIBS)'; \
	  $(CC) $(SANITIZER_FLAGS) `$(PKG_CONFIG) --cflags ompfact` -o example.out $(srcdir)/%D%/$$name.c $$libs \
	    `$(PKG_CONFIG) --libs ompfact` || exit 1; \
	  test -n '$(MPIEXEC)' || { echo "installcheck: no MPI launcher, so $$name is not run"; continue; }; \
	  echo "installcheck: $$name"; \
	  env $(SANITIZER_ENV) MPIEXEC='$(MPIEXEC)' OMPFACT_TEST_RANKS='1 2 5' $(BASH) $(srcdir)/tests/mpi-run.sh ./example.out || \
	    { echo "installcheck: $$name failed"; exit 1; }; \
	done
	@rm -f example.out
CLEANFILES += example.out
.PHONY: installcheck-examples

# This one needs ScaLAPACK. It is built and run with the tests, as a user's program: by the public header, with the library that is
# installed.
if HAVE_SCALAPACK
check_PROGRAMS += %D%/scalapack
TESTS += %D%/scalapack
scalapack_example = scalapack
else
scalapack_example =
endif
%C%_scalapack_CPPFLAGS = -I$(top_srcdir)/src $(MPI_CFLAGS)
%C%_scalapack_LDADD = libompfact.a $(SCALAPACK_LIBS) $(ompfact_libs)
%C%_scalapack_DEPENDENCIES = libompfact.a
