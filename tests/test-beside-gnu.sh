#!/usr/bin/env bash
# Programs of gcc -fopenmp and gfortran -fopenmp. With the shared library both OpenMP runtimes are loaded, and each serves its
# own threads. With the static library LLVM's runtime serves the program, too; where GNU's is linked first, no grid is created,
# and a message gives the reason.
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
    check "both runtimes are loaded" has_both shared
    check "the program runs with both" solves shared
fi
check "with the static library" gcc -o static beside.o "${static_libs[@]}" "$gomp"
check "the program runs with LLVM's runtime" solves static
check "GNU's runtime can be linked first" gcc -o before beside.o "$gomp" "${static_libs[@]}"
check "that program is refused" ends 2 "${launcher[@]}" -n 2 ./before
check "with a reason" says err "was linked before LLVM's OpenMP runtime"

fortran=$(command -v "mpif90.$(sed -n 's/^MPI_FLAVOUR = //p' "$build/Makefile")")
if [ -n "$fortran" ] && [ -e "$build/libompfact.so" ] && [ -e "$build/libompfact_fortran.a" ]; then
    check "gfortran -fopenmp compiles" "$fortran" -fopenmp -I"$build/fortran" -o fortran "$here/fortran/beside_gnu.f90" -L"$build" \
        -Wl,-rpath,"$build" -lompfact_fortran -lompfact
    check "both runtimes are loaded" has_both fortran
    check "the program runs with both" solves fortran
fi

sum_up
