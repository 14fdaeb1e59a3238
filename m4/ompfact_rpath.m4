# Run paths. Debian keeps several BLAS, LAPACK and OpenMP libraries of the same name in folders of their own and lets the
# administrator choose one; the program must load what it was configured with.

# OMPFACT_RPATH_ADD(DIR)
AC_DEFUN([OMPFACT_RPATH_ADD], [
AS_CASE([":$ompfact_rpath:"], [*":$1:"*], [], [ompfact_rpath=${ompfact_rpath:+$ompfact_rpath:}$1])
])

# OMPFACT_RPATH_FLAGS
# DT_RPATH, not the newer DT_RUNPATH: it also serves the libraries that our libraries need (liblapack's libblas).
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
# Sets VARIABLE to the first <folder the compiler searches>/<name>, name by name, that holds FILE; empty where there is none.
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
