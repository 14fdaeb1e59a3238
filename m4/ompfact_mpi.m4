# OMPFACT_MPI
# MPI 3 or later. CC may be an MPI wrapper; otherwise the flags come from `-show` of a wrapper, and CC stays the compiler. If Debian also
# has Open MPI, the plain mpicc and mpiexec belong to Open MPI, so MPICH's own names come first.
AC_DEFUN([OMPFACT_MPI], [
AC_ARG_WITH([mpi], [AS_HELP_STRING([--with-mpi=mpich|openmpi], [the MPI library, if both are installed (default: mpich)])],
  [AS_CASE([$with_mpi], [mpich | openmpi], [: "${MPICC:=mpicc.$with_mpi mpicc}"],
    [AC_MSG_ERROR([--with-mpi=$with_mpi: the value must be mpich or openmpi])])], [with_mpi=])
AC_ARG_VAR([MPICC], [MPI compiler wrapper with MPI's flags (default: mpicc.mpich, then mpicc)])
AC_ARG_VAR([MPIEXEC], [MPI launcher and its options (default: the launcher that belongs to MPICC)])
AC_MSG_CHECKING([for MPI])
ompfact_mpi_links=no
wrapper=`AS_ECHO(["$CC"]) | sed 's/.* //'`
AS_IF([test -z "$MPICC"], [_OMPFACT_MPI_LINKS])
AS_IF([test "$ompfact_mpi_links" = no], [
  for wrapper in ${MPICC:-mpicc.mpich mpicc mpicc.openmpi}; do
    flags=`$wrapper -show 2>/dev/null` || continue
    MPI_CFLAGS= MPI_LIBS=
    for flag in $flags; do    # other words, such as the compiler's name, are ignored
      AS_CASE([$flag],
        [-I*|-D*|-pthread], [MPI_CFLAGS="${MPI_CFLAGS:+$MPI_CFLAGS }$flag"],
        [-L*|-l*|-Wl,*|/*.so|/*.a], [MPI_LIBS="${MPI_LIBS:+$MPI_LIBS }$flag"])
    done
    _OMPFACT_MPI_LINKS
    AS_IF([test "$ompfact_mpi_links" = yes], [break])
  done
])
AS_IF([test "$ompfact_mpi_links" = no], [
  AC_MSG_RESULT([none])
  AC_MSG_ERROR([there is no MPI: install mpich and libmpich-dev, or set MPICC to the compiler wrapper of an MPI])])
AC_MSG_RESULT([$wrapper])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])

AC_MSG_CHECKING([whether it is MPI 3 or later])
_OMPFACT_MPI_H([MPI_VERSION >= 3], [AC_MSG_RESULT([yes])], [
  AC_MSG_RESULT([no])
  AC_MSG_ERROR([this MPI is older than 3.0 and lacks the one-sided operations of ompfact])])
AC_MSG_CHECKING([which MPI it is])
_OMPFACT_MPI_H([defined MPICH_VERSION], [ompfact_mpi=mpich],
  [_OMPFACT_MPI_H([defined OMPI_MAJOR_VERSION], [ompfact_mpi=openmpi], [ompfact_mpi=other])])
AC_MSG_RESULT([$ompfact_mpi])
AC_SUBST([MPI_FLAVOUR], [$ompfact_mpi])
AS_IF([test -n "$with_mpi" && test "$with_mpi" != "$ompfact_mpi"], [
  AC_MSG_ERROR([--with-mpi=$with_mpi, but $wrapper belongs to another MPI: set MPICC to the compiler wrapper of $with_mpi])])

# The launcher in the wrapper's folder, with the wrapper's suffix if it has one. Open MPI's needs options that allow more ranks than cores
# (not --oversubscribe, with which few ranks are slow, too), and that allow root.
AS_IF([test -z "$MPIEXEC"], [
  AS_CASE([$wrapper], [*/*], [mpi_path=${wrapper%/*}:$PATH], [mpi_path=$PATH])
  names=`AS_ECHO(["$wrapper"]) | sed -n 's/.*mpicc\(\..*\)/mpiexec\1/p'`
  AS_CASE([$ompfact_mpi], [mpich], [names="$names mpiexec.mpich mpiexec.hydra"], [openmpi], [names="$names mpiexec.openmpi"])
  AC_PATH_PROGS([MPIEXEC], [$names mpiexec mpirun srun], [], [$mpi_path])
  AS_IF([test "$ompfact_mpi" = openmpi && test -n "$MPIEXEC"], [
    MPIEXEC="$MPIEXEC --host localhost:64"
    AS_IF([test "`id -u`" = 0], [MPIEXEC="$MPIEXEC --allow-run-as-root"])])
])
])

# _OMPFACT_MPI_LINKS: does a program link with $MPI_CFLAGS and $MPI_LIBS?
AC_DEFUN([_OMPFACT_MPI_LINKS], [
saved_CPPFLAGS=$CPPFLAGS; CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
saved_LIBS=$LIBS; LIBS="$MPI_LIBS $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]], [[int flag; return MPI_Initialized(&flag);]])],
  [ompfact_mpi_links=yes], [ompfact_mpi_links=no])
CPPFLAGS=$saved_CPPFLAGS
LIBS=$saved_LIBS
])

# _OMPFACT_MPI_H(CONDITION, IF-TRUE, IF-FALSE): evaluates a condition of the preprocessor after mpi.h
AC_DEFUN([_OMPFACT_MPI_H], [
saved_CPPFLAGS=$CPPFLAGS; CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
AC_PREPROC_IFELSE([AC_LANG_SOURCE([
#include <mpi.h>
#if !($1)
#error no
#endif
])], [CPPFLAGS=$saved_CPPFLAGS; $2], [CPPFLAGS=$saved_CPPFLAGS; $3])
])
