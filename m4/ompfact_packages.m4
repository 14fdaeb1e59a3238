# OMPFACT_PACKAGES
# Flags in the files for pkg-config and CMake. Every program that uses the library calls MPI, and nearly every one the mathematical
# library. Only the static library needs the other libraries; with --disable-shared it is the only library.
AC_DEFUN([OMPFACT_PACKAGES], [
PC_LIBS="$MPI_LIBS -lm"
STATIC_LIBS="$BLAS_LIBS $HWLOC_LIBS $OPENMP_LIBS $LIBS $RPATH_FLAGS"
AS_IF([test "$enable_shared" = no], [PC_LIBS="$PC_LIBS $STATIC_LIBS" PC_LIBS_PRIVATE=], [PC_LIBS_PRIVATE=$STATIC_LIBS])
# The run path of programs, except for a system's library.
AS_IF([test "$enable_shared" != no && test "$prefix" != /usr], [PC_LIBS="-Wl,-rpath,\${libdir} $PC_LIBS"])
AC_SUBST([PC_LIBS])
AC_SUBST([PC_LIBS_PRIVATE])
AC_SUBST([STATIC_LIBS])

# Paths relative to libdir, so that the installed files may be moved.
_OMPFACT_FROM_LIBDIR([INCLUDEDIR_FROM_LIBDIR], [$includedir])
_OMPFACT_FROM_LIBDIR([MODULEDIR_FROM_LIBDIR], [$fortran_moddir])
MPI_WRAPPER=`command -v "$wrapper"`
AC_SUBST([MPI_WRAPPER])
])

# _OMPFACT_FROM_LIBDIR(VARIABLE, FOLDER)
AC_DEFUN([_OMPFACT_FROM_LIBDIR], [
$1=`
  test "$prefix" != NONE || prefix=$ac_default_prefix
  test "$exec_prefix" != NONE || exec_prefix=$prefix
  eval "lib=\"$libdir\" folder=\"$2\""
  eval "lib=\"$lib\" folder=\"$folder\""
  realpath -m --relative-to="$lib" "$folder" 2>/dev/null || AS_ECHO(["$folder"])`
AC_SUBST([$1])
])
