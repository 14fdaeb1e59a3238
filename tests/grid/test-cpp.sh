#!/usr/bin/env bash
# C++: every public header by itself, as C++11, and an example as C++17, built as a user's program and run.
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
skip() { say "test-cpp: skipped: $*"; exit 77; }
cd "${top_builddir:-.}" || exit 99
build=$PWD
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"

! grep -q '^SANITIZER_FLAGS = .*fsanitize' "$build/Makefile" || skip "a library with sanitizers does not load into other programs"
[ -e "$build/libompfact.so" ] || skip "there is no shared library"
cxx=$(command -v "${CXX:-c++}" g++ clang++ clang++-19 | head -1)
[ -n "$cxx" ] || skip "there is no C++ compiler"
echo 'int main() { return 0; }' > empty.cpp
"$cxx" -std=c++17 -o empty empty.cpp 2> /dev/null || skip "$cxx makes no program"
flag() { sed -n "s/^$1 = //p" "$build/Makefile"; }
read -ra mpi_cflags <<< "$(flag MPI_CFLAGS)"
read -ra mpi_libs <<< "$(flag MPI_LIBS)"
# (The MPI library's own headers need not be as strict; Open MPI's C++ has a library to itself.)
strict=(-Wall -Wextra -pedantic -Werror "-I$tests/../src" "${mpi_cflags[@]/#-I/-isystem}" -DOMPI_SKIP_MPICXX)
for header in ompfact ompfact_machine ompfact_plan; do
    echo "#include <$header.h>" > header.cpp
    check "$header.h is C++" ends 0 "$cxx" -std=c++11 "${strict[@]}" -fsyntax-only header.cpp
done
check "the example is C++" ends 0 "$cxx" -std=c++17 "${strict[@]}" -o linear_system "$tests/../examples/linear_system.cpp" \
    -L"$build" -lompfact -Wl,-rpath,"$build" "${mpi_libs[@]}"
if [ -x linear_system ]; then
    check "it solves its system" ends 0 env OMPFACT_TEST_RANKS='1 3' bash "$tests/mpi-run.sh" ./linear_system
fi
sum_up
