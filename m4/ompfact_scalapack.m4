# OMPFACT_SCALAPACK
# ScaLAPACK, only for an example and tests; the library calls neither ScaLAPACK nor the BLACS. It must be built for the same MPI. Debian has
# a ScaLAPACK for each MPI, so configure searches only the name with that of the MPI.
AC_DEFUN([OMPFACT_SCALAPACK], [
AC_ARG_VAR([SCALAPACK_LIBS],
  [linker flags of a ScaLAPACK for this MPI, for tests and an example (default: -lscalapack-mpich with MPICH)])
AS_IF([test -z "$SCALAPACK_LIBS" && test "$ompfact_mpi" != other], [SCALAPACK_LIBS=-lscalapack-$ompfact_mpi])
have_scalapack=no
AC_MSG_CHECKING([for ScaLAPACK in ${SCALAPACK_LIBS:-SCALAPACK_LIBS, which is not set}])
AS_IF([test -n "$SCALAPACK_LIBS"],
  [_OMPFACT_LINKS([$SCALAPACK_LIBS $BLAS_LIBS $MPI_LIBS], [pdgemr2d_], [have_scalapack=yes], [])])
AC_MSG_RESULT([$have_scalapack])
AM_CONDITIONAL([HAVE_SCALAPACK], [test "$have_scalapack" = yes])
])
