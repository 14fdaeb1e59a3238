# OMPFACT_SHARED(CURRENT, REVISION, AGE)
# The shared library: whether it is built, its version, and its linker flags. libtool is not used: it would link every program, put the
# libraries into hidden folders, and replace libompfact.a by its own. Only ELF and the linkers of GNU and LLVM are supported.
AC_DEFUN([OMPFACT_SHARED], [
AC_ARG_ENABLE([shared], [AS_HELP_STRING([--disable-shared], [build only the static library])], [], [enable_shared=yes])
AM_CONDITIONAL([SHARED], [test "$enable_shared" != no])
AC_SUBST([SHARED_SONAME], [libompfact-$ompfact_mpi.so.m4_eval($1 - $3)])
AC_SUBST([SHARED_FILE], [libompfact-$ompfact_mpi.so.m4_eval($1 - $3).$3.$2])

# dlclose() must keep the library, because threads may still run its code. The library's calls of its own functions stay inside. The
# functions of sanitizers are in the program.
SHARED_FLAGS="-Wl,-z,nodelete -Wl,-Bsymbolic-functions"
AS_IF([test -z "$SANITIZER_FLAGS"], [SHARED_FLAGS="-Wl,-z,defs $SHARED_FLAGS"])
AC_SUBST([SHARED_FLAGS])
_OMPFACT_BLAS_PRIVATE
])

# _OMPFACT_BLAS_PRIVATE
# A BLAS inside a shared library, with hidden names: a process may have another dgemm_, often with many threads, and otherwise all code would
# call the first one. Only for BLIS, if its static library is position independent; otherwise the shared library links the BLAS of programs.
AC_DEFUN([_OMPFACT_BLAS_PRIVATE], [
AC_ARG_ENABLE([private-blas],
  [AS_HELP_STRING([--enable-private-blas],
     [the shared library contains BLIS; "no": it links BLIS (default: yes if BLIS's static library is position independent)])],
  [], [enable_private_blas=auto])
BLAS_PRIVATE_LIBS=$BLAS_LIBS
SHARED_RPATH_FLAGS=$RPATH_FLAGS
ompfact_private_text=no
AS_IF([test "$enable_shared" != no && test "$enable_private_blas" != no], [
  private=`AS_ECHO(["$BLAS_LIBS "]) | sed -n 's/-lblis /-l:libblis.a /p' | sed 's/ *$//'`
  AC_MSG_CHECKING([whether a shared library can contain BLIS])
  cat > conftest.c <<'_OMPFACT_EOF'
void dgemm_(void);
void ompfact_conftest(void);
void ompfact_conftest(void) { dgemm_(); }
_OMPFACT_EOF
  AS_ECHO(["{ global: ompfact_*; local: *; };"]) > conftest.map
  AS_IF([test -n "$private" &&
         $CC $CFLAGS $LDFLAGS -w -fPIC -shared -Wl,-z,defs -Wl,-z,text -Wl,--version-script=conftest.map -o conftest.so conftest.c \
           $private $LIBS >&AS_MESSAGE_LOG_FD 2>&1 &&
         test "`$NM -D --defined-only conftest.so | sed 's/.* //'`" = ompfact_conftest], [
    BLAS_PRIVATE_LIBS=$private
    ompfact_private_text=yes
    saved_rpath=$ompfact_rpath
    ompfact_rpath=$ompfact_rpath_before_blas
    OMPFACT_RPATH_FLAGS
    SHARED_RPATH_FLAGS=$RPATH_FLAGS
    ompfact_rpath=$saved_rpath
    OMPFACT_RPATH_FLAGS
  ], [test "$enable_private_blas" = yes], [
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([there is no libblis.a for a shared library with $BLAS_LIBS: see config.log])
  ])
  rm -f conftest.c conftest.map conftest.so
  AC_MSG_RESULT([$ompfact_private_text])
])
AC_SUBST([BLAS_PRIVATE_LIBS])
AC_SUBST([SHARED_RPATH_FLAGS])
])
