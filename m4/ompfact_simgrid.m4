# OMPFACT_SIMGRID
# For `ompfact --simulate` alone. Its headers are enough: the library, which brings an MPI of its own, is loaded by those who simulate.
AC_DEFUN([OMPFACT_SIMGRID], [
AC_ARG_WITH([simgrid], [AS_HELP_STRING([--without-simgrid], [do without ompfact --simulate (default: where its headers are)])],
  [], [with_simgrid=check])
have_simgrid=no
AS_IF([test "$with_simgrid" != no], [AC_CHECK_HEADER([simgrid/engine.h], [have_simgrid=yes])])
AS_IF([test "$with_simgrid" = yes && test "$have_simgrid" = no],
  [AC_MSG_ERROR([simgrid/engine.h is missing: install libsimgrid-dev])])
AM_CONDITIONAL([HAVE_SIMGRID], [test "$have_simgrid" = yes])
])
