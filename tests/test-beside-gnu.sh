#!/usr/bin/env bash
# Programs of gcc -fopenmp and gfortran -fopenmp: with the shared library both OpenMP runtimes are there, and each has its own
# threads; with the static one LLVM's serves the program, too, or, where GNU's comes first, there is no grid, and a line says why.
# Needs top_builddir, MPIEXEC and pkg-config.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/shell.sh
. "$here/shell.sh"
skip() { say "$script: skipped: $*"; exit 77; }
[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip "sanitizers are clang's"
gomp=$(gcc -print-file-name=libgomp.so 2> /dev/null)
[ "${gomp#/}" != "$gomp" ] || skip "there is no gcc with its OpenMP runtime"
[ -n "$MPIEXEC" ] || skip "there is no launcher"
read -ra launcher <<< "$MPIEXEC"
build=$(cd "$top_builddir" && pwd)
export PKG_CONFIG_PATH=$build
read -ra flags <<< "$(pkg-config --cflags ompfact)"
read -ra shared_libs <<< "$(pkg-config --libs ompfact)"
read -ra static_libs <<< "$(pkg-config --static --libs ompfact | sed "s|-lompfact|$build/libompfact.a|")"
[ ${#static_libs[@]} -gt 1 ] || skip "there is no pkg-config"
unset OMP_NUM_THREADS

has_both() { [ "$(ldd "$1" | grep -cE 'libgomp\.|libomp\.|libiomp5\.')" = 2 ]; }
solves() { ends 0 "${launcher[@]}" -n 2 "./$1"; }

check "gcc -fopenmp compiles" gcc -fopenmp -I"$here/../src" "${flags[@]}" -c -o beside.o "$here/grid/beside_gnu.c"
if [ -e "$build/libompfact.so" ]; then
    check "with the shared library" gcc -fopenmp -o shared beside.o -L"$build" -Wl,-rpath,"$build" "${shared_libs[@]}"
    check "there are both runtimes" has_both shared
    check "each serves its own" solves shared
fi
check "with the static library" gcc -o static beside.o "${static_libs[@]}" "$gomp"
check "LLVM's runtime serves all" solves static
check "GNU's before it" gcc -o before beside.o "$gomp" "${static_libs[@]}"
check "is refused" ends 2 "${launcher[@]}" -n 2 ./before
check "in words" says err "was linked before LLVM's OpenMP runtime"

fortran=$(command -v "mpif90.$(sed -n 's/^MPI_FLAVOUR = //p' "$build/Makefile")")
if [ -n "$fortran" ] && [ -e "$build/libompfact.so" ] && [ -e "$build/libompfact_fortran.a" ]; then
    check "gfortran -fopenmp" "$fortran" -fopenmp -I"$build/fortran" -o fortran "$here/fortran/beside_gnu.f90" -L"$build" \
        -Wl,-rpath,"$build" -lompfact_fortran -lompfact
    check "there are both runtimes" has_both fortran
    check "each serves its own" solves fortran
fi

sum_up
