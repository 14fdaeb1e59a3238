# shellcheck shell=bash disable=SC2034,SC2154  # the scripts that source this one use the variables; $script is shell.sh's
# Sourced first by scripts that test the package for Python. They are skipped without a Python with NumPy, or where it cannot
# load this build's library. Needs top_builddir; sets $build to that folder and $tests to the folder of the tests.
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
skip() { say "$script: skipped: $*"; exit 77; }
cd "${top_builddir:-.}" || exit 99
build=$PWD
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"

python=${PYTHON:-python3}
[ "$python" != : ] || skip "there is no Python 3"
"$python" -c 'import numpy' 2> /dev/null || skip "$python has no NumPy"
! grep -q '^SANITIZER_FLAGS = .*fsanitize' "$build/Makefile" || skip "a library with sanitizers does not load into Python"
