# Run paths. Debian has several BLAS, LAPACK and OpenMP libraries with the same name, each in its own folder, and the administrator
# chooses one. The program must load the libraries of configure.

# OMPFACT_RPATH_ADD(DIR)
AC_DEFUN([OMPFACT_RPATH_ADD], [
AS_CASE([":$ompfact_rpath:"], [*":$1:"*], [], [ompfact_rpath=${ompfact_rpath:+$ompfact_rpath:}$1])
])

# OMPFACT_RPATH_FLAGS
# DT_RPATH, not the newer DT_RUNPATH, because DT_RPATH also applies to the dependences of libraries (liblapack's libblas).
AC_DEFUN([OMPFACT_RPATH_FLAGS], [
RPATH_FLAGS=
AS_IF([test -n "$ompfact_rpath"], [
  RPATH_FLAGS="-Wl,--disable-new-dtags"
  saved_IFS=$IFS; IFS=:
  for dir in $ompfact_rpath; do
    RPATH_FLAGS="$RPATH_FLAGS -Wl,-rpath,$dir"
  done
  IFS=$saved_IFS
])
AC_SUBST([RPATH_FLAGS])
])

# OMPFACT_FIND_FOLDER(VARIABLE, FILE, NAMES)
# Sets VARIABLE to the first FOLDER/NAME with FILE, where FOLDER is a folder that the compiler searches; otherwise to nothing.
AC_DEFUN([OMPFACT_FIND_FOLDER], [
AS_IF([test -z "$ompfact_library_folders"], [
  ompfact_library_folders=`$CC -print-search-dirs 2>/dev/null | sed -n 's/^libraries: *=*//p' | tr ':' ' '`
  ompfact_library_folders="$ompfact_library_folders /usr/lib64 /usr/lib"
])
$1=
for name in $3; do
  for dir in $ompfact_library_folders; do
    AS_IF([test -e "$dir/$name/$2"], [$1=`cd "$dir/$name" && pwd -P`; break 2])
  done
done
])
