#!/usr/bin/env bash
# The Fortran modules: their test program and the example, each on several numbers of ranks.
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/limit.sh
. "$tests/limit.sh"
cd "${top_builddir:-.}" || exit 99
if ! [ -x tests/fortran/test_fortran ]; then
    say "test-fortran: skipped, for configure found no Fortran compiler with MPI"
    exit 77
fi

# GNU's OpenMP runtime beside LLVM's is what no program may get from the modules.
if ldd tests/fortran/test_fortran | grep libgomp; then
    say "test-fortran: the program loads GNU's OpenMP runtime"
    exit 1
fi
for program in tests/fortran/test_fortran examples/linear_system_fortran; do
    bash "$tests/mpi-run.sh" "$program" || exit 1
done
