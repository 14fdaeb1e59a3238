# OMPFACT_SIMGRID
# SimGrid, only for `ompfact --simulate`. The build needs only the headers: a simulation loads the library, which contains another MPI.
AC_DEFUN([OMPFACT_SIMGRID], [
AC_ARG_WITH([simgrid], [AS_HELP_STRING([--without-simgrid], [no ompfact --simulate (default: with it if SimGrid's headers are installed)])],
  [], [with_simgrid=check])
have_simgrid=no
AS_IF([test "$with_simgrid" != no], [AC_CHECK_HEADER([simgrid/engine.h], [have_simgrid=yes])])
AS_IF([test "$with_simgrid" = yes && test "$have_simgrid" = no],
  [AC_MSG_ERROR([simgrid/engine.h is missing: install libsimgrid-dev])])
AM_CONDITIONAL([HAVE_SIMGRID], [test "$have_simgrid" = yes])
])
