# OMPFACT_FORTRAN
# A Fortran compiler for the modules of fortran/, and MPI's flags for its tests. Both are optional.
AC_DEFUN([OMPFACT_FORTRAN], [
AC_ARG_VAR([MPIFC], [MPI wrapper with Fortran's flags (default: the wrapper that belongs to MPICC)])
AC_ARG_ENABLE([fortran], [AS_HELP_STRING([--disable-fortran], [no Fortran modules (default: modules if there is a compiler)])],
  [], [enable_fortran=auto])
AC_ARG_WITH([fortran-modules],
  [AS_HELP_STRING([--with-fortran-modules=DIR], [folder of installed *.mod (default: INCLUDEDIR)])],
  [fortran_moddir=$withval], [fortran_moddir='${includedir}'])
AC_SUBST([fortran_moddir])
have_fortran=no have_fortran_mpi=no fortran_why_not="there is no working compiler"
AS_IF([test "$enable_fortran" = no], [fortran_why_not="--disable-fortran"],
  [test "$enable_sanitizers" != no], [fortran_why_not="not with sanitizers"],
  [test -n "$FC"], [_OMPFACT_FORTRAN_COMPILES])
AS_IF([test "$have_fortran" = yes], [_OMPFACT_FORTRAN_MPI])
AS_IF([test "$enable_fortran:$have_fortran" = yes:no], [AC_MSG_ERROR([no Fortran: $fortran_why_not])])
AM_CONDITIONAL([HAVE_FORTRAN], [test "$have_fortran" = yes])
AM_CONDITIONAL([HAVE_FORTRAN_MPI], [test "$have_fortran_mpi" = yes])
AC_SUBST([have_fortran_mpi])
ompfact_fortran_text="no: $fortran_why_not"
AS_IF([test "$have_fortran" = yes], [ompfact_fortran_text="$FC, without MPI's flags: the tests of Fortran are skipped"])
AS_IF([test "$have_fortran_mpi" = yes], [ompfact_fortran_text="$FC"])
])

# The modules need flags for the folders of *.mod, position independent code, and C's arrays of any type.
AC_DEFUN([_OMPFACT_FORTRAN_COMPILES], [
AC_LANG_PUSH([Fortran])
AC_FC_SRCEXT([f90], [fortran_f90=yes], [fortran_f90=no])
AS_IF([test "$fortran_f90" = yes], [     # with a broken compiler these macros leave configure in another folder
  AC_FC_MODULE_FLAG([], [fortran_f90=no])
  AC_FC_MODULE_OUTPUT_FLAG([], [fortran_f90=no])])
AC_MSG_CHECKING([whether $FC compiles modules for C])
saved_FCFLAGS=$FCFLAGS; FCFLAGS="$FCFLAGS -fPIC"
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
module conftest_module
    use, intrinsic :: iso_c_binding
    implicit none
contains
    subroutine take(array, text) bind(c)
        type(*), intent(in) :: array(*)
        character(kind=c_char), intent(in) :: text(4)
        if (text(1) /= 'a') error stop text(1) // 'b'
        call pass(array)
    contains
        subroutine pass(again)
            type(*), intent(in) :: again(*)
        end subroutine
    end subroutine
end module]])], [have_fortran=$fortran_f90], [have_fortran=no])
FCFLAGS=$saved_FCFLAGS
AS_IF([test "$have_fortran" = no], [fortran_why_not="$FC does not compile a module like those of ompfact, see config.log"])
rm -f conftest_module.mod
AC_MSG_RESULT([$have_fortran])
AC_LANG_POP([Fortran])
])

# Finds mpif.h, which any compiler can read (MPI's modules are only for the compiler of MPI's build), and its library.
AC_DEFUN([_OMPFACT_FORTRAN_MPI], [
AC_LANG_PUSH([Fortran])
AC_MSG_CHECKING([for MPI's Fortran flags])
fortran_wrapper=$FC MPI_FCFLAGS= MPI_FCLIBS=
_OMPFACT_FORTRAN_LINKS
AS_IF([test "$have_fortran_mpi" = no], [
  for fortran_wrapper in ${MPIFC:-`AS_ECHO(["$wrapper"]) | sed -n 's/mpicc/mpifort/p'` \
                                  `AS_ECHO(["$wrapper"]) | sed -n 's/mpicc/mpif90/p'`}; do
    flags=`$fortran_wrapper -show 2>/dev/null` || continue
    MPI_FCFLAGS= MPI_FCLIBS=
    for flag in $flags; do
      AS_CASE([$flag],
        [-I*], [MPI_FCFLAGS="${MPI_FCFLAGS:+$MPI_FCFLAGS }$flag"],
        [-L*|-l*|-Wl,*|/*.so|/*.a], [MPI_FCLIBS="${MPI_FCLIBS:+$MPI_FCLIBS }$flag"])
    done
    _OMPFACT_FORTRAN_LINKS
    AS_IF([test "$have_fortran_mpi" = yes], [break])
  done
])
AS_IF([test "$have_fortran_mpi" = yes], [AC_MSG_RESULT([$fortran_wrapper])], [AC_MSG_RESULT([none]); MPI_FCFLAGS= MPI_FCLIBS=])
AC_SUBST([MPI_FCFLAGS])
AC_SUBST([MPI_FCLIBS])
AC_LANG_POP([Fortran])
])

AC_DEFUN([_OMPFACT_FORTRAN_LINKS], [
saved_FCFLAGS=$FCFLAGS; FCFLAGS="$FCFLAGS $MPI_FCFLAGS"
saved_LIBS=$LIBS; LIBS="$MPI_FCLIBS $LIBS"
AC_LINK_IFELSE([AC_LANG_SOURCE([[
program conftest
    implicit none
    include 'mpif.h'
    integer :: level, ierror
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, level, ierror)
end program]])], [have_fortran_mpi=yes], [have_fortran_mpi=no])
FCFLAGS=$saved_FCFLAGS
LIBS=$saved_LIBS
])
