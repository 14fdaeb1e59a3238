# OMPFACT_SHARED(CURRENT, REVISION, AGE)
# The shared library: whether, its version, and how it is linked. No libtool: it would take every program's link in hand and leave the
# libraries in hidden folders, and its own libompfact.a would replace ours. ELF and the linkers of GNU and LLVM are all there is to serve.
AC_DEFUN([OMPFACT_SHARED], [
AC_ARG_ENABLE([shared], [AS_HELP_STRING([--disable-shared], [no shared library, only the static one])], [], [enable_shared=yes])
AM_CONDITIONAL([SHARED], [test "$enable_shared" != no])
AC_SUBST([SHARED_SONAME], [libompfact-$ompfact_mpi.so.m4_eval($1 - $3)])
AC_SUBST([SHARED_FILE], [libompfact-$ompfact_mpi.so.m4_eval($1 - $3).$3.$2])

# It stays when it is closed, for threads may still be in it. Its own calls stay inside. Sanitizers' own names are in the program.
SHARED_FLAGS="-Wl,-z,nodelete -Wl,-Bsymbolic-functions"
AS_IF([test -z "$SANITIZER_FLAGS"], [SHARED_FLAGS="-Wl,-z,defs $SHARED_FLAGS"])
AC_SUBST([SHARED_FLAGS])
_OMPFACT_BLAS_PRIVATE
])

# _OMPFACT_BLAS_PRIVATE
# A BLAS inside a shared library, under names that nobody else sees: a process may have another dgemm_, often of many threads, and
# the first one found is everybody's. For BLIS, where its static library is position independent; else the BLAS as programs link it.
AC_DEFUN([_OMPFACT_BLAS_PRIVATE], [
AC_ARG_ENABLE([private-blas],
  [AS_HELP_STRING([--enable-private-blas],
     [BLIS becomes part of the shared library; "no": it stays a library of its own (default: yes where its static library will do)])],
  [], [enable_private_blas=auto])
BLAS_PRIVATE_LIBS=$BLAS_LIBS
SHARED_RPATH_FLAGS=$RPATH_FLAGS
ompfact_private_text=no
AS_IF([test "$enable_shared" != no && test "$enable_private_blas" != no], [
  private=`AS_ECHO(["$BLAS_LIBS "]) | sed -n 's/-lblis /-l:libblis.a /p' | sed 's/ *$//'`
  AC_MSG_CHECKING([whether BLIS can become part of a shared library])
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
    AC_MSG_ERROR([no libblis.a that can become part of a shared library goes with $BLAS_LIBS: see config.log])
  ])
  rm -f conftest.c conftest.map conftest.so
  AC_MSG_RESULT([$ompfact_private_text])
])
AC_SUBST([BLAS_PRIVATE_LIBS])
AC_SUBST([SHARED_RPATH_FLAGS])
])
