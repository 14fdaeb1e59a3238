# OMPFACT_PROG_CC
# The compiler. The task graph needs LLVM's OpenMP runtime. If the user names no compiler, this macro takes the first clang (or icx)
# that links a program with a detached task. OMPFACT_MPI adds MPI's flags, so no wrapper is needed.
AC_DEFUN([OMPFACT_PROG_CC], [
: ${CFLAGS="-O2 -g"}
AS_IF([test -z "$CC"], [
  AC_MSG_CHECKING([for a compiler with the OpenMP runtime of LLVM])
  _OMPFACT_OPENMP_PROGRAM([conftest.c])
  for candidate in clang-19 clang-20 clang-21 clang-18 clang-17 clang icx; do
    AS_IF([$candidate -fopenmp -o conftest$EXEEXT conftest.c >&AS_MESSAGE_LOG_FD 2>&1], [CC=$candidate; break])
  done
  rm -f conftest.c conftest$EXEEXT
  AS_IF([test -z "$CC"], [
    AC_MSG_RESULT([none])
    AC_MSG_ERROR([there is no clang with its OpenMP runtime: install clang-19 and libomp-19-dev, or set CC])])
  AC_MSG_RESULT([$CC])
], [
  # The environment may select the compiler of a wrapper, but make runs without this environment: the selection goes into CC.
  AS_IF([test -n "$MPICH_CC"], [CC="env MPICH_CC=$MPICH_CC $CC"])
  AS_IF([test -n "$OMPI_CC"], [CC="env OMPI_CC=$OMPI_CC $CC"])
])
AC_PROG_CC([clang icx cc])
ompfact_cc_version=`$CC --version 2>/dev/null | sed 1q`
])

# OMPFACT_WARNINGS
AC_DEFUN([OMPFACT_WARNINGS], [
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [a warning of the C compiler is an error])], [], [enable_werror=no])
WARNING_FLAGS="-Wall -Wextra"
AS_IF([test "$enable_werror" != no], [WARNING_FLAGS="$WARNING_FLAGS -Werror"])
AC_SUBST([WARNING_FLAGS])
])

# OMPFACT_STACKS
# A stack overflow of a thread must end the program, and must not reach memory behind the guard page.
AC_DEFUN([OMPFACT_STACKS], [
STACK_FLAGS=-fstack-clash-protection
AC_MSG_CHECKING([whether $CC accepts $STACK_FLAGS])
saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $STACK_FLAGS -Werror"
AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])
  STACK_FLAGS=])
CFLAGS=$saved_CFLAGS
AC_SUBST([STACK_FLAGS])
])

# _OMPFACT_OPENMP_PROGRAM(FILE)
# Writes a program that links only with LLVM's runtime: a detached task, and a function of LLVM's (and Intel's) runtime alone.
AC_DEFUN([_OMPFACT_OPENMP_PROGRAM], [
cat > $1 <<'_OMPFACT_EOF'
#include <omp.h>
int main(void)
{
    omp_event_handle_t event;
    kmp_set_blocktime(0);
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task detach(event)
        omp_fulfill_event(event);
        #pragma omp taskwait
    }
    return _OPENMP < 201811;
}
_OMPFACT_EOF
])

# OMPFACT_OPENMP
# Checks the chosen compiler and finds the folder of its runtime, which the loader often does not search.
AC_DEFUN([OMPFACT_OPENMP], [
AC_MSG_CHECKING([whether $CC links with the OpenMP runtime of LLVM])
_OMPFACT_OPENMP_PROGRAM([conftest.c])
AS_IF([$CC $CFLAGS -fopenmp $LDFLAGS -o conftest$EXEEXT conftest.c >&AS_MESSAGE_LOG_FD 2>&1],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([$CC does not link with LLVM's OpenMP runtime (gcc has another runtime).
  Leave CC unset, or set CC=clang-19, or name the compiler under an MPI wrapper: MPICH_CC=clang-19 or OMPI_CC=clang-19.])])
rm -f conftest.c conftest$EXEEXT
# For an unknown file -print-file-name repeats the name.
OPENMP_LIBS=-fopenmp
ompfact_openmp_text="found by the compiler"
for name in omp iomp5; do
  file=`$CC -print-file-name=lib$name.so 2>/dev/null`
  AS_CASE([$file], [/*], [
    dir=`cd "\`dirname "$file"\`" && pwd -P`
    OPENMP_LIBS="-L$dir -l$name"
    ompfact_openmp_text=$dir/lib$name.so
    OMPFACT_RPATH_ADD([$dir])
    break])
done
AC_SUBST([OPENMP_LIBS])
])

# OMPFACT_SANITIZERS
AC_DEFUN([OMPFACT_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers=LIST], [compile with clang's sanitizers: address,undefined (default of LIST) or thread])],
  [], [enable_sanitizers=no])
AS_IF([test "$enable_sanitizers" = yes], [enable_sanitizers=address,undefined])
AS_IF([test "$enable_sanitizers" != no], [
  SANITIZER_FLAGS="-fsanitize=$enable_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer"
  AC_MSG_CHECKING([whether $CC links with $SANITIZER_FLAGS])
  saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS $SANITIZER_FLAGS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([$CC does not support these sanitizers, or their libraries are missing: install libclang-rt-19-dev])])
  CFLAGS=$saved_CFLAGS
  # The environment of tests. MPI libraries leak memory at exit and are not instrumented; UCX's memory hooks clash with the sanitizers'.
  SANITIZER_ENV="ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 TSAN_OPTIONS=ignore_noninstrumented_modules=1"
  SANITIZER_ENV="$SANITIZER_ENV UBSAN_OPTIONS=print_stacktrace=1 UCX_MEM_MMAP_HOOK_MODE=none UCX_MEM_EVENTS=no"
])
AC_SUBST([SANITIZER_FLAGS])
AC_SUBST([SANITIZER_ENV])
])
