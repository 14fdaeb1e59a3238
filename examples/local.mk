# Examples, one a line, installed with the texts. installcheck_source is compiled against the installed library by `make installcheck`.
nobase_dist_doc_DATA += \
  %D%/cholesky_forecast.c \
  %D%/kernel_matrix.c \
  %D%/saddle_point.c \
  %D%/scalapack.c \
  %D%/linear_system.c \
  %D%/linear_system.cpp
installcheck_source = %D%/linear_system.c

# The examples check their own results: here they are built as a user builds them, and run where there is a launcher.
installcheck-local: installcheck-examples
installcheck-examples:
	@PKG_CONFIG_PATH=$(DESTDIR)$(pkgconfigdir):$$PKG_CONFIG_PATH; export PKG_CONFIG_PATH; \
	for name in linear_system kernel_matrix saddle_point cholesky_forecast $(scalapack_example); do \
	  test $$name != scalapack || libs='$(SCALAPACK_LIBS)'; \
	  $(CC) $(SANITIZER_FLAGS) `$(PKG_CONFIG) --cflags $(package)` -o example.out $(srcdir)/%D%/$$name.c $$libs \
	    `$(PKG_CONFIG) --libs $(package)` || exit 1; \
	  test -n '$(MPIEXEC)' || { echo "installcheck: no MPI launcher, so $$name is not run"; continue; }; \
	  echo "installcheck: $$name"; \
	  env $(SANITIZER_ENV) MPIEXEC='$(MPIEXEC)' OMPFACT_TEST_RANKS='1 2 5' $(BASH) $(srcdir)/tests/mpi-run.sh ./example.out || \
	    { echo "installcheck: $$name failed"; exit 1; }; \
	done
	@rm -f example.out
CLEANFILES += example.out
.PHONY: installcheck-examples

# This one starts no MPI. It is built as a user's program: by the public header, with the library that is installed; tests/plan runs it.
check_PROGRAMS += %D%/cholesky_forecast
%C%_cholesky_forecast_CPPFLAGS = -I$(top_srcdir)/src $(MPI_CFLAGS)
%C%_cholesky_forecast_LDADD = libompfact.a $(ompfact_libs)
%C%_cholesky_forecast_DEPENDENCIES = libompfact.a

# This one is built so, too, and run with the tests.
check_PROGRAMS += %D%/saddle_point
TESTS += %D%/saddle_point
%C%_saddle_point_CPPFLAGS = -I$(top_srcdir)/src $(MPI_CFLAGS)
%C%_saddle_point_LDADD = libompfact.a $(ompfact_libs)
%C%_saddle_point_DEPENDENCIES = libompfact.a

# In Python: run by the tests, and with what is installed.
nobase_dist_doc_DATA += %D%/cholesky_forecast.py %D%/domains.py %D%/linear_system.py %D%/points_in_batches.py
installcheck-local: installcheck-python
installcheck-python:
	@if ! $(PYTHON) -c 'import numpy' 2> /dev/null; then \
	  echo "installcheck: no Python with NumPy, so its examples are not run"; \
	elif ! test -e $(DESTDIR)$(flavour_execdir)/libompfact.so; then \
	  echo "installcheck: no shared library, so Python's examples are not run"; \
	elif test -z '$(MPIEXEC)'; then \
	  echo "installcheck: no MPI launcher, so Python's examples are not run"; \
	else \
	  test -z '$(DESTDIR)' || { OMPFACT_LIBRARY=$(DESTDIR)$(flavour_execdir)/libompfact.so; export OMPFACT_LIBRARY; }; \
	  for name in cholesky_forecast linear_system; do \
	    echo "installcheck: $$name.py"; \
	    MPIEXEC='$(MPIEXEC)' OMPFACT_TEST_RANKS='1 2 5' PYTHONPATH=$(DESTDIR)$(pythondir) PYTHONDONTWRITEBYTECODE=1 \
	      $(BASH) $(srcdir)/tests/mpi-run.sh $(PYTHON) $(srcdir)/%D%/$$name.py || \
	      { echo "installcheck: $$name.py failed"; exit 1; }; \
	  done; \
	fi
.PHONY: installcheck-python

# In Fortran: built with the tests, which run it, and as a user builds it.
nobase_dist_doc_DATA += %D%/cholesky_forecast.f90 %D%/linear_system.f90
if HAVE_FORTRAN_MPI
check_PROGRAMS += %D%/cholesky_forecast_fortran %D%/linear_system_fortran
endif
%C%_cholesky_forecast_fortran_SOURCES = %D%/cholesky_forecast.f90
# Flags of their own give their objects other names than the C programs' would have.
%C%_cholesky_forecast_fortran_FCFLAGS = $(AM_FCFLAGS)
%C%_cholesky_forecast_fortran_LDADD = $(fortran_libs)
%C%_cholesky_forecast_fortran_DEPENDENCIES = libompfact_fortran.a libompfact.a
%D%/cholesky_forecast_fortran-cholesky_forecast.$(OBJEXT): fortran/ompfact.$(OBJEXT)
%C%_linear_system_fortran_SOURCES = %D%/linear_system.f90
%C%_linear_system_fortran_FCFLAGS = $(AM_FCFLAGS)
%C%_linear_system_fortran_LDADD = $(fortran_libs)
%C%_linear_system_fortran_DEPENDENCIES = libompfact_fortran.a libompfact.a
%D%/linear_system_fortran-linear_system.$(OBJEXT): fortran/ompfact.$(OBJEXT)
CLEANFILES += fortran/equations.mod equations.mod
installcheck-local: installcheck-fortran
installcheck-fortran:
if HAVE_FORTRAN_MPI
	@PKG_CONFIG_PATH=$(DESTDIR)$(pkgconfigdir):$$PKG_CONFIG_PATH; export PKG_CONFIG_PATH; \
	for name in cholesky_forecast linear_system; do \
	  $(FC) $(FCFLAGS) -o example.out $(srcdir)/%D%/$$name.f90 \
	    `$(PKG_CONFIG) --cflags --libs ompfact_fortran-$(MPI_FLAVOUR)` || exit 1; \
	  test -n '$(MPIEXEC)' || { echo "installcheck: no MPI launcher, so $$name.f90 is not run"; continue; }; \
	  echo "installcheck: $$name.f90"; \
	  LD_LIBRARY_PATH=$(DESTDIR)$(libdir)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH} MPIEXEC='$(MPIEXEC)' OMPFACT_TEST_RANKS='1 2 5' \
	    $(BASH) $(srcdir)/tests/mpi-run.sh ./example.out || { echo "installcheck: $$name.f90 failed"; exit 1; }; \
	done
	@rm -f example.out equations.mod
else
	@echo "installcheck: no Fortran compiler with MPI, so Fortran's examples are not built"
endif
.PHONY: installcheck-fortran
# One after the other: they share a name.
installcheck-fortran: installcheck-examples

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
