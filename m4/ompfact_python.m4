# OMPFACT_PYTHON
# A Python 3 for the package in python/, and the folder of the package. The first Python with NumPy is taken.
AC_DEFUN([OMPFACT_PYTHON], [
AS_IF([test -z "$PYTHON"], [
  AC_MSG_CHECKING([for a Python with NumPy])
  for python in python3 /usr/bin/python3; do
    AS_IF([$python -c 'import numpy' >/dev/null 2>&1], [PYTHON=`command -v $python`; break])
  done
  AC_MSG_RESULT([${PYTHON:-none}])
])
AM_PATH_PYTHON([3.7], [], [PYTHON=:])
AM_CONDITIONAL([HAVE_PYTHON], [test "$PYTHON" != :])
ompfact_python_text="no: there is no Python 3.7 or later"
AS_IF([test "$PYTHON" != :], [
  AS_CASE([$pythondir], ['${'*'}'*], [where="PREFIX`AS_ECHO(["$pythondir"]) | sed 's/^[[^}]]*}//'`"], [where=$pythondir])
  ompfact_python_text="$PYTHON, package in $where"
  AS_IF([$PYTHON -c 'import numpy' >/dev/null 2>&1], [],
    [ompfact_python_text="$ompfact_python_text; the tests of Python need NumPy and are skipped"])
])
])
