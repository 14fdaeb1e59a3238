# OMPFACT_SCALAPACK
# For an example and a test alone; the library calls neither ScaLAPACK nor the BLACS. It must be built for the same MPI, and Debian
# has one for each: so it is looked for by the name that goes with ours, and by no other.
AC_DEFUN([OMPFACT_SCALAPACK], [
AC_ARG_VAR([SCALAPACK_LIBS],
  [linker flags of a ScaLAPACK built for this MPI, for a test and an example (default: -lscalapack-mpich with MPICH)])
AS_IF([test -z "$SCALAPACK_LIBS" && test "$ompfact_mpi" != other], [SCALAPACK_LIBS=-lscalapack-$ompfact_mpi])
have_scalapack=no
AC_MSG_CHECKING([for ScaLAPACK in ${SCALAPACK_LIBS:-SCALAPACK_LIBS, which is not set}])
AS_IF([test -n "$SCALAPACK_LIBS"],
  [_OMPFACT_LINKS([$SCALAPACK_LIBS $BLAS_LIBS $MPI_LIBS], [pdgemr2d_], [have_scalapack=yes], [])])
AC_MSG_RESULT([$have_scalapack])
AM_CONDITIONAL([HAVE_SCALAPACK], [test "$have_scalapack" = yes])
])
