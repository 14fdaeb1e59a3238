# OMPFACT_BLAS
# BLAS and, only for tests and measurements, LAPACKE. The default is serial BLIS: tile tasks are single-threaded, and BLIS's OpenMP flavour
# (like OpenBLAS's) would load GNU's OpenMP runtime in addition to LLVM's. liblapacke needs a liblapack and a libblas. The run paths make
# these the reference LAPACK and the chosen BLAS, for any default of the system.
AC_DEFUN([OMPFACT_BLAS], [
AC_ARG_WITH([blas],
  [AS_HELP_STRING([--with-blas=KIND], [blis (default), openblas, mkl, or the linker's flags, such as "-L/opt/x/lib -lx"])],
  [], [with_blas=blis])
BLAS_CFLAGS= BLAS_LIBS= LAPACKE_LIBS= folder=
ompfact_rpath_before_blas=$ompfact_rpath
AS_CASE([$with_blas],
  [blis|yes], [
    OMPFACT_FIND_FOLDER([folder], [libblis.so], [blis-serial blis-pthread])
    BLAS_LIBS="${folder:+-L$folder }-lblis"
    ompfact_blas_text="BLIS${folder:+, ${folder##*/} ($folder)}"
    blas_hint="install libblis-serial-dev"],
  [openblas], [
    OMPFACT_FIND_FOLDER([folder], [libopenblas.so], [openblas-serial openblas-pthread])
    BLAS_LIBS="${folder:+-L$folder }-lopenblas"
    ompfact_blas_text="OpenBLAS${folder:+, ${folder##*/} ($folder)}"
    blas_hint="install libopenblas-serial-dev"],
  [mkl], [
    PKG_CHECK_MODULES([MKL], [mkl-dynamic-lp64-seq], [BLAS_CFLAGS=$MKL_CFLAGS BLAS_LIBS=$MKL_LIBS],
      [BLAS_LIBS="${MKLROOT:+-L$MKLROOT/lib }-lmkl_intel_lp64 -lmkl_sequential -lmkl_core -lpthread -lm -ldl"])
    ompfact_blas_text="MKL, sequential"
    blas_hint="set MKLROOT or PKG_CONFIG_PATH"],
  [no], [AC_MSG_ERROR([ompfact needs a BLAS])],
  [BLAS_LIBS=$with_blas
   ompfact_blas_text=$with_blas
   blas_hint="check the flags given to --with-blas"])
# The loader may not search a folder of -L.
for flag in $BLAS_LIBS; do
  dir=`AS_ECHO(["$flag"]) | sed -n 's|^-L/|/|p'`
  AS_IF([test -n "$dir"], [OMPFACT_RPATH_ADD([$dir])])
done

# Debian's OpenBLAS has its own liblapack; the reference LAPACK works with any BLAS.
AS_IF([test -n "$folder" && test -e "$folder/liblapack.so.3"], [], [
  OMPFACT_FIND_FOLDER([lapack_folder], [liblapack.so.3], [lapack])
  AS_IF([test -n "$lapack_folder"], [OMPFACT_RPATH_ADD([$lapack_folder])])
])

AC_MSG_CHECKING([for BLAS in $BLAS_LIBS])
_OMPFACT_LINKS([$BLAS_LIBS], [dgemm_], [AC_MSG_RESULT([yes])], [
  AC_MSG_RESULT([no])
  AC_MSG_ERROR([$BLAS_LIBS has no dgemm_: $blas_hint])])
AC_MSG_CHECKING([for BLIS's own interface])
_OMPFACT_LINKS([$BLAS_LIBS], [bli_arch_string], [
  AC_MSG_RESULT([yes])
  AC_DEFINE([HAVE_BLIS], [1], [Define to 1 if the BLAS is BLIS and has bli_arch_string.])], [
  AC_MSG_RESULT([no])])

AC_MSG_CHECKING([for LAPACKE])
_OMPFACT_LINKS([$BLAS_LIBS], [LAPACKE_dpotrf_work], [ompfact_lapacke_text="in the BLAS"], [
  LAPACKE_LIBS=-llapacke
  _OMPFACT_LINKS([$LAPACKE_LIBS $BLAS_LIBS], [LAPACKE_dpotrf_work], [
    ompfact_lapacke_text="-llapacke${lapack_folder:+, LAPACK in $lapack_folder}"], [
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([no LAPACKE found: install liblapacke-dev])])])
AC_MSG_RESULT([$ompfact_lapacke_text])
saved_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $BLAS_CFLAGS"
AC_CHECK_HEADER([lapacke.h], [], [AC_MSG_ERROR([lapacke.h is missing: install liblapacke-dev])])
CPPFLAGS=$saved_CPPFLAGS
AC_SUBST([BLAS_CFLAGS])
AC_SUBST([BLAS_LIBS])
AC_SUBST([LAPACKE_LIBS])
AC_SUBST([with_blas])
])

# _OMPFACT_LINKS(LIBS, FUNCTION, IF-YES, IF-NO)
# Links with the run paths, because the linker searches them for the dependences of a library.
AC_DEFUN([_OMPFACT_LINKS], [
OMPFACT_RPATH_FLAGS
saved_LIBS=$LIBS
LIBS="$1 $RPATH_FLAGS $LIBS"
AC_LINK_IFELSE([AC_LANG_CALL([], [$2])], [LIBS=$saved_LIBS; $3], [LIBS=$saved_LIBS; $4])
])
