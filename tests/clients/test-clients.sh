#!/usr/bin/env bash
# usage: test-clients.sh
# Programs of ScaLAPACK's users as Debian ships them (quantum-espresso, cp2k, gpaw, and programs of libmumps-dev's and
# libpetsc-real-dev's), by themselves and with the library that stands before ScaLAPACK loaded first: the same results, and calls
# served. What is not installed, or is linked to another MPI than this build's, is named and left out. Takes a minute or two; in
# the full tier. Needs top_builddir and MPIEXEC.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/shell.sh
. "$here/../shell.sh"
library=$top_builddir/libompfact_scalapack.so
flavour=$(echo "$top_builddir"/libompfact_scalapack-*.so)

skip() { say "$script: skipped: $*"; exit 77; }
full || skip "in the full tier (make check-full)"
[ -e "$library" ] && [ -e "$flavour" ] || skip "no shared library is built"
[ -n "$MPIEXEC" ] || skip "there is no launcher"
[ -z "${ASAN_OPTIONS:-}" ] || skip "sanitizers want to be loaded first"
read -ra launcher <<< "$MPIEXEC"
mpi=$(ldd "$flavour" | grep -oE 'lib(mpi|mpich)\.so\.[0-9]+' | head -1)
mpi_name=$(basename "${flavour#*libompfact_scalapack-}" .so)
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
left_out=

# is_there NAME FILE...: all files are, and the first is linked to this build's MPI.
is_there() {
    local name=$1 file
    shift
    for file in "$@"; do
        [ -e "$file" ] || { left_out="$left_out, $name (not installed)"; return 1; }
    done
    ldd "$1" 2> err | grep -qF "$mpi" || { left_out="$left_out, $name (of another MPI)"; return 1; }
}

# The last number at the end of what is like PATTERN.
result() { grep -oE "$1" out | tail -1 | grep -oE '[-0-9.]+$'; }
agree() { awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { exit !(a != "" && b != "" && a - b <= most && b - a <= most) }'; }

# same NAME RANKS PATTERN TOLERANCE ROUTINES COMMAND...
same() {
    local name="$1 on $2" ranks=$2 pattern=$3 tolerance=$4 routines=$5 alone ours routine
    shift 5
    rm -f report
    if ! ends 0 "${launcher[@]}" -n "$ranks" "$@"; then
        left_out="$left_out, $name (fails by itself)"
        show_last
        return
    fi
    alone=$(result "$pattern")
    check "$name runs with ompfact" ends 0 "${launcher[@]}" -n "$ranks" env LD_PRELOAD="$library" OMPFACT_SCALAPACK_MIN=0 \
        OMPFACT_SCALAPACK_REPORT="$folder/report" "$@"
    ours=$(result "$pattern")
    check "$name has the same result with ompfact, $ours, and without it, $alone" agree "$ours" "$alone" "$tolerance"
    for routine in $routines; do
        check "$name: ompfact serves $routine" grep -qE "^$routine [1-9][0-9]* 0$" report
    done
    echo "$name: $ours, served: $(tr '\n' ';' < report)"
}

pseudo=/usr/share/espresso/pseudo
if is_there pw.x "$(command -v pw.x)" $pseudo/Si.pz-vbc.UPF; then
    export ESPRESSO_PSEUDO=$pseudo ESPRESSO_TMPDIR=$folder
    same "pw.x" 4 '^! +total energy += +[-0-9.]+' 1e-6 "pdpotrf pdtrtri" pw.x -ndiag 4 -in "$here/silicon.in"
fi
if is_there cp2k.psmp "$(command -v cp2k.psmp)" /usr/share/cp2k/GTH_POTENTIALS; then
    for ranks in 1 2; do
        same cp2k.psmp $ranks 'ENERGY\| Total FORCE_EVAL.* [-0-9.]+' 1e-8 "pdpotrf pdtrsm" cp2k.psmp -i "$here/water.inp"
    done
fi
python=/usr/bin/python3     # Debian's, whatever comes first
extension=$($python -c 'import importlib.util as u, gpaw; print(u.find_spec("_gpaw").origin)' 2> err)
if is_there GPAW "$extension" /usr/share/gpaw-setups; then
    for ranks in 1 2; do
        same GPAW $ranks 'energy [-0-9.]+' 1e-6 "pdpotrf pdtrsm" $python "$here/water.py"
    done
fi

# made NAME LIBRARY OPTION...: a program of it, by the C compiler of this build's MPI.
made() {
    local name=$1 library=$2
    shift 2
    is_there "$name" "$library" && "mpicc.$mpi_name" -std=gnu11 -w -o "$name" "$here/$name.c" "$@" > out 2> err && return
    [ ! -s err ] || { show_last; left_out="$left_out, $name (is not compiled)"; }
    return 1
}
# library_of NAME: where the loader finds it.
library_of() { ld -l"$1" -shared -o /dev/null --trace 2> err | grep -F "lib$1" | head -1; }
if made mumps "$(library_of dmumps)" -ldmumps -lm; then
    same "mumps, LU" 2 'determinant [-0-9.]+' 1e-8 "pdgetrf pdgetrs" ./mumps 0
    same "mumps, Cholesky" 3 'determinant [-0-9.]+' 1e-8 "pdpotrf pdpotrs" ./mumps 1
fi
read -ra petsc <<< "$(pkg-config --cflags --libs petsc 2> err)"
if made petsc "$(library_of petsc_real)" "${petsc[@]}"; then
    same petsc 2 'lengths [-0-9.]+ [-0-9.]+' 1e-8 "pdgetrf pdgetrs pdpotrf pdpotrs" ./petsc
fi

[ -z "$left_out" ] || say "$script: left out: ${left_out#, }"
[ $checks != 0 ] || exit 77
sum_up
