# Examples, one a line, installed with the texts. installcheck_source is compiled against the installed library by `make installcheck`.
nobase_dist_doc_DATA += \
  %D%/cholesky_forecast.c \
  %D%/kernel_matrix.c \
  %D%/saddle_point.c \
  %D%/scalapack.c \
  %D%/linear_system.c \
  %D%/linear_system.cpp
installcheck_source = %D%/linear_system.c

# The examples check their own results. installcheck builds them as a user does, and runs them if there is a launcher.
installcheck-local: installcheck-examples
installcheck-examples:
	@PKG_CONFIG_PATH=$(DESTDIR)$(pkgconfigdir):$$PKG_CONFIG_PATH; export PKG_CONFIG_PATH; \
	for name in linear_system kernel_matrix saddle_point cholesky_forecast $(scalapack_example); do \
	  test $$name != scalapack || libs='$(SCALAPACK_LIBS)'; \
	  $(CC) $(SANITIZER_FLAGS) `$(PKG_CONFIG) --cflags $(package)` -o example.out $(srcdir)/%D%/$$name.c $$libs \
	    `$(PKG_CONFIG) --libs $(package)` || exit 1; \
	  test -n '$(MPIEXEC)' || { echo "installcheck: $$name does not run without an MPI launcher"; continue; }; \
	  echo "installcheck: $$name"; \
	  env $(SANITIZER_ENV) MPIEXEC='$(MPIEXEC)' OMPFACT_TEST_RANKS='1 2 5' $(BASH) $(srcdir)/tests/mpi-run.sh ./example.out || \
	    { echo "installcheck: $$name failed"; exit 1; }; \
	done
	@rm -f example.out
CLEANFILES += example.out
.PHONY: installcheck-examples

# cholesky_forecast starts no MPI. It is built like a user's program, with the public header and libompfact.a; tests/plan runs it.
check_PROGRAMS += %D%/cholesky_forecast
%C%_cholesky_forecast_CPPFLAGS = -I$(top_srcdir)/src $(MPI_CFLAGS)
%C%_cholesky_forecast_LDADD = libompfact.a $(ompfact_libs)
%C%_cholesky_forecast_DEPENDENCIES = libompfact.a

# saddle_point is built in the same way, and is a test.
check_PROGRAMS += %D%/saddle_point
TESTS += %D%/saddle_point
%C%_saddle_point_CPPFLAGS = -I$(top_srcdir)/src $(MPI_CFLAGS)
%C%_saddle_point_LDADD = libompfact.a $(ompfact_libs)
%C%_saddle_point_DEPENDENCIES = libompfact.a

# Examples in Python: the tests run them, and installcheck with the installed package.
nobase_dist_doc_DATA += %D%/cholesky_forecast.py %D%/domains.py %D%/linear_system.py %D%/points_in_batches.py
installcheck-local: installcheck-python
installcheck-python:
	@if ! $(PYTHON) -c 'import numpy' 2> /dev/null; then \
	  echo "installcheck: Python's examples do not run without NumPy"; \
	elif ! test -e $(DESTDIR)$(flavour_execdir)/libompfact.so; then \
	  echo "installcheck: Python's examples do not run without a shared library"; \
	elif test -z '$(MPIEXEC)'; then \
	  echo "installcheck: Python's examples do not run without an MPI launcher"; \
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

# Examples in Fortran: the tests build and run them, and installcheck builds them as a user does.
nobase_dist_doc_DATA += %D%/cholesky_forecast.f90 %D%/linear_system.f90
if HAVE_FORTRAN_MPI
check_PROGRAMS += %D%/cholesky_forecast_fortran %D%/linear_system_fortran
endif
%C%_cholesky_forecast_fortran_SOURCES = %D%/cholesky_forecast.f90
# With their own flags the objects have other names than those of the C programs.
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
	  test -n '$(MPIEXEC)' || { echo "installcheck: $$name.f90 does not run without an MPI launcher"; continue; }; \
	  echo "installcheck: $$name.f90"; \
	  LD_LIBRARY_PATH=$(DESTDIR)$(libdir)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH} MPIEXEC='$(MPIEXEC)' OMPFACT_TEST_RANKS='1 2 5' \
	    $(BASH) $(srcdir)/tests/mpi-run.sh ./example.out || { echo "installcheck: $$name.f90 failed"; exit 1; }; \
	done
	@rm -f example.out equations.mod
else
	@echo "installcheck: Fortran's examples need a Fortran compiler with MPI"
endif
.PHONY: installcheck-fortran
# These two rules write the same file, so they must not run at the same time.
installcheck-fortran: installcheck-examples

# scalapack needs ScaLAPACK. It is built like a user's program, with the public header and libompfact.a, and is a test.
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
