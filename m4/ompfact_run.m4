# OMPFACT_RUN
# A program that links may still not run, and the loader may load other libraries than the linker. This macro links a program with all
# libraries, runs it, checks the loaded libraries, and starts it on two ranks. A failure is not fatal, because configure may run on a
# machine that does not allow jobs.
AC_DEFUN([OMPFACT_RUN], [
ompfact_mpi_text="${MPI_LIBS:-through $CC}"
ompfact_loaded= ompfact_blas_loaded= ompfact_run=skipped ompfact_launch=skipped
AS_IF([test "$cross_compiling" != yes], [
  AC_MSG_CHECKING([whether a program with all of these libraries runs])
  saved_CPPFLAGS=$CPPFLAGS; CPPFLAGS="$CPPFLAGS $BLAS_CFLAGS $MPI_CFLAGS $HWLOC_CFLAGS"
  saved_CFLAGS=$CFLAGS; CFLAGS="$CFLAGS -fopenmp"
  saved_LIBS=$LIBS; LIBS="$RPATH_FLAGS $BLAS_LIBS $LAPACKE_LIBS $HWLOC_LIBS $MPI_LIBS $LIBS"
  ompfact_run=no
  AC_LINK_IFELSE([_OMPFACT_RUN_PROGRAM], [
    AS_IF([./conftest$EXEEXT > conftest.out 2>&AS_MESSAGE_LOG_FD], [
      ompfact_run=yes
      ompfact_mpi_text=`sed -n 's/^mpi //p' conftest.out`
      ompfact_loaded=`sed -n 's/^lib //p' conftest.out`
      AS_ECHO(["$ompfact_loaded"]) >&AS_MESSAGE_LOG_FD
      ompfact_blas_loaded=`sed -n '/blis\|openblas\|mkl_core/ { s/^lib //p; q; }' conftest.out`])
    AC_MSG_RESULT([$ompfact_run])
    AS_IF([test "$ompfact_run" = yes && test -n "$MPIEXEC"], [
      AC_MSG_CHECKING([whether $MPIEXEC starts it on two ranks])
      limit=`command -v timeout >/dev/null 2>&1 && echo "timeout -k 5 60"`
      AS_IF([$limit $MPIEXEC -n 2 ./conftest$EXEEXT ranks < /dev/null > conftest.out 2>&AS_MESSAGE_LOG_FD &&
             test "`grep -c 'of 2 ranks' conftest.out`" = 2], [ompfact_launch=yes], [ompfact_launch=no])
      cat conftest.out >&AS_MESSAGE_LOG_FD
      AC_MSG_RESULT([$ompfact_launch])])
  ], [AC_MSG_RESULT([no])
      AC_MSG_ERROR([a program with OpenMP, MPI, BLAS, LAPACKE and hwloc together does not link: see config.log])])
  rm -f conftest.out
  CPPFLAGS=$saved_CPPFLAGS
  CFLAGS=$saved_CFLAGS
  LIBS=$saved_LIBS
])
])

# OMPFACT_RUN_WARNINGS: prints warnings after the summary
AC_DEFUN([OMPFACT_RUN_WARNINGS], [
AS_CASE([$ompfact_loaded], [*libgomp.so*], [
  AC_MSG_WARN([the program loads GNU's OpenMP runtime (libgomp) in addition to LLVM's, because a library was built with gcc -fopenmp.
  Choose a serial or pthread flavour of the BLAS: --with-blas])])
AS_CASE([$with_blas:$ompfact_loaded], [openblas:*], [], [*libopenblas*], [
  AC_MSG_WARN([the program loads OpenBLAS, but the BLAS of --with-blas is $with_blas: see LAPACK and libblas in config.log])])
AS_IF([test "$ompfact_run" = no], [
  AC_MSG_WARN([a program with these libraries links but does not run: see config.log])])
AS_IF([test "$ompfact_launch" = no], [
  AC_MSG_WARN([$MPIEXEC does not start two ranks of one job: it may belong to another MPI, or this machine may not allow jobs.
  Set MPIEXEC and its options for make check])])
AS_IF([test -z "$MPIEXEC"], [
  AC_MSG_WARN([there is no MPI launcher: set MPIEXEC for make check])])
AS_IF([test "$ompfact_mpi" = other], [
  AC_MSG_WARN([ompfact is tested only with MPICH and Open MPI, and some other MPI libraries hang in one-sided operations])])
])

# _OMPFACT_RUN_PROGRAM
# Computes a Cholesky factor of 4 and a product by BLAS in an OpenMP task, and prints the MPI library and the loaded libraries. With an
# argument the program starts MPI instead, and prints the number of ranks.
m4_define([_OMPFACT_RUN_PROGRAM], [AC_LANG_SOURCE([[
#define _GNU_SOURCE
#include <hwloc.h>
#include <lapacke.h>
#include <link.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c, const int *ldc);

static int show(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    if (info->dlpi_name[0])
        printf("lib %s\n", info->dlpi_name);
    return 0;
}

int main(int argc, char **argv)
{
    const int one = 1;
    const double unit = 1;
    double a = 4, c = 0;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, rank, ranks, info = 1;
    hwloc_topology_t topology;

    if (argc > 1) {
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        printf("rank %d of %d ranks\n", rank, ranks);
        MPI_Finalize();
        return 0;
    }
    if (hwloc_topology_init(&topology))
        return 1;
    hwloc_topology_destroy(topology);
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task shared(a, c, info)
        {
            info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', 1, &a, 1);
            dgemm_("N", "N", &one, &one, &one, &unit, &a, &one, &a, &one, &unit, &c, &one);
        }
        #pragma omp taskwait
    }
    MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = 0;
    for (char *t = text; *t; t++)
        if (*t == '\t')
            *t = ' ';
    printf("mpi %s\n", text);
    dl_iterate_phdr(show, NULL);
    return info != 0 || c != 4;
}
]])])
