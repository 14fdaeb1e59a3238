# OMPFACT_BUILD
# The texts of ompfact_build(): the summary that configure prints.
AC_DEFUN([OMPFACT_BUILD], [
AC_DEFINE_UNQUOTED([BUILD_COMPILER], ["$CC, $ompfact_cc_version"], [The compiler, and its version.])
AC_DEFINE_UNQUOTED([BUILD_OPENMP], ["$ompfact_openmp_text"], [The OpenMP runtime.])
AC_DEFINE_UNQUOTED([BUILD_MPI], ["$ompfact_mpi_text"], [The MPI library.])
AC_DEFINE_UNQUOTED([BUILD_BLAS], ["$ompfact_blas_text"], [The BLAS.])
AC_DEFINE_UNQUOTED([BUILD_LAPACKE], ["$ompfact_lapacke_text"], [LAPACKE, and its LAPACK.])
AC_DEFINE_UNQUOTED([BUILD_DEVICES], ["$ompfact_offload_text"], [The kinds of devices with code in this build.])
AC_DEFINE_UNQUOTED([BUILD_SIMGRID], ["$have_simgrid"], [Whether platforms can be simulated.])
AC_DEFINE_UNQUOTED([BUILD_SANITIZERS], ["$enable_sanitizers"], [The sanitizers, or "no".])
])
