#!/usr/bin/env bash
# usage: test-preload.sh
# Programs that know nothing of ompfact run with the library that replaces ScaLAPACK's names loaded first. They must solve,
# ompfact must serve the calls, and the report must count them. Needs top_builddir and MPIEXEC; skipped without the shared
# library or ScaLAPACK, and under sanitizers.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/shell.sh
. "$here/../shell.sh"
library=$top_builddir/libompfact_scalapack.so
user=$top_builddir/tests/scalapack/user

skip() { say "$script: skipped: $*"; exit 77; }
[ -e "$library" ] || skip "no shared library is built"
[ -x "$user" ] || skip "there is no ScaLAPACK"
[ -n "$MPIEXEC" ] || skip "there is no launcher"
[ -z "${ASAN_OPTIONS:-}" ] || skip "sanitizers must be loaded first"
read -ra launcher <<< "$MPIEXEC"

# solves RANKS THREADS MINIMUM PROGRAM [ARGUMENT...]
solves() {
    local ranks=$1 threads=$2 minimum=$3
    shift 3
    rm -f report*
    ends 0 "${launcher[@]}" -n "$ranks" env LD_PRELOAD="$library" OMP_NUM_THREADS="$threads" \
        OMPFACT_SCALAPACK_MIN="$minimum" OMPFACT_SCALAPACK_REPORT="$folder/report" "$@"
}
# reports FILE LINE...
reports() {
    local file=$1
    shift
    printf '%s\n' "$@" | cmp -s - "$file"
}

for ranks in 1 2 3; do
    check "a system is solved on $ranks ranks" solves $ranks 1 0 "$user" MULTIPLE
    check "no query about workspace is refused" test -z "$(grep -h "illegal value" out err)"
    check "ompfact serves it" reports report "pdgetrf 1 0" "pdgetrs 1 0"
done
for level in SINGLE FUNNELED SERIALIZED; do
    check "three threads solve at thread level $level" solves 2 3 0 "$user" $level
    check "ompfact serves them" reports report "pdgetrf 1 0" "pdgetrs 1 0"
done
OMP_PROC_BIND=true check "variables that bind threads do not move the caller" solves 2 2 0 "$user" MULTIPLE
check "an empty OMP_NUM_THREADS is accepted" solves 2 "" 0 "$user" MULTIPLE
check "ompfact serves it" reports report "pdgetrf 1 0" "pdgetrs 1 0"
check "a context without rank 0 solves" solves 3 1 0 "$user" SINGLE 1
check "it has a report of its own" reports report.1 "pdgetrf 1 0" "pdgetrs 1 0"
check "a small system is solved" solves 2 1 201 "$user" SINGLE
check "ScaLAPACK serves it" reports report "pdgetrf 0 1" "pdgetrs 0 1"
check "ScaLAPACK is loaded as an interpreter does it" solves 2 1 0 "$top_builddir/tests/scalapack/loader" \
    "$top_builddir/tests/scalapack/user.so" SINGLE
check "ompfact serves it" reports report "pdgetrf 1 0" "pdgetrs 1 0"
check "a small system is solved in the loaded program" solves 2 1 201 "$top_builddir/tests/scalapack/loader" "$top_builddir/tests/scalapack/user.so" SINGLE
check "ScaLAPACK serves it" reports report "pdgetrf 0 1" "pdgetrs 0 1"
check "a program without ScaLAPACK runs" ends 0 env LD_PRELOAD="$library" true

flavour=$(basename "$(echo "$top_builddir"/libompfact_scalapack-*.so)" .so)
cp "$library" .
library=$folder/libompfact_scalapack.so
check "a program runs without a flavour for its MPI" solves 2 1 0 "$user" SINGLE
check "ScaLAPACK serves it" test ! -e report
check "one line names the missing flavour" test "$(grep -c "^ompfact: .* MPI .*$flavour.so" err)" = 1
check "a program without MPI that calls nothing runs" ends 0 env LD_PRELOAD="$library" true
check "it prints no line" test ! -s err
library=$top_builddir/libompfact_scalapack.so

# MPICH under its own name, Intel's and others: not the MPI for which this flavour was built. This ScaLAPACK reports a call by
# its info.
printf 'int mpi;\n' > mpi.c
printf 'void pdgetrf_(int *m, int *n, double *a, int *i, int *j, int *d, int *p, int *info) { *info = 42; }\n' > scalapack.c
printf 'extern int mpi; void pdgetrf_(); int main(void) { int info = mpi; pdgetrf_(0, 0, 0, 0, 0, 0, 0, &info); return info; }\n' > other.c
if cc -w -shared -fPIC -Wl,-soname,libmpi.so.12 -o libmpi.so.12 mpi.c 2> err && cc -w -shared -fPIC -o libscalapack.so scalapack.c &&
    cc -w -o other other.c ./libmpi.so.12 ./libscalapack.so -Wl,-rpath,"$folder"; then
    check "a program of another MPI runs" ends 42 env LD_PRELOAD="$library" ./other
    check "a line gives the reason why it is not served" test "$(grep -c "^ompfact: the MPI library of this process is MPICH's libmpi.so.12" err)" = 1
    check "there is no other line" test "$(wc -l < err)" = 1
else
    say "$script: no C compiler called cc: a program of another MPI is not tested"
fi

mpi=${flavour#libompfact_scalapack-}

# A ScaLAPACK with 64-bit integers, which reports a call by its info, and a BLACS that must not be called.
cat > ilp64.c << 'EOF'
void abort(void);
void Cblacs_gridinfo(void) { abort(); }
void pdgetrf_(long *m, long *n, double *a, long *i, long *j, long *d, long *p, long *info) { *info = 42; }
EOF
cat > longs.c << 'EOF'
#include <mpi.h>
void pdgetrf_();
int main(int argc, char **argv)
{
    long n = 4, one = 1, desc[9] = { 1, 0, 4, 4, 2, 2, 0, 0, 4 }, ipiv[6], info = 0;
    double a[16] = { 0 };
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++)
        pdgetrf_(&n, &n, a, &one, &one, desc, ipiv, &info);
    MPI_Finalize();
    return info;
}
EOF
if cc -w -shared -fPIC -o libilp64.so ilp64.c 2> err && "mpicc.$mpi" -w -o longs longs.c ./libilp64.so -Wl,-rpath,"$folder" 2> err
then
    check "a program with 64-bit integers runs" ends 42 env LD_PRELOAD="$library" OMPFACT_SCALAPACK_MIN=0 ./longs
    check "one line gives the reason why it is not served" test "$(grep -c '^ompfact: .*64 bits' err)" = 1
else
    say "$script: no C compiler for this MPI: 64-bit integers are not tested"
fi

fortran=$(command -v "mpif90.$mpi")
traps=-ffpe-trap=invalid,zero,overflow     # traps in the program, and in ompfact's threads
if [ -n "$fortran" ] && "$fortran" -fopenmp "$traps" -w -o openmp "$here/openmp.f90" "-lscalapack-$mpi" > out 2> err; then
    for threads in 1 2; do
        check "a program with GNU's OpenMP runtime solves, $threads threads" solves 2 $threads 0 "$folder/openmp"
        check "ompfact serves it" reports report "pdposv 3 0"
    done
else
    say "$script: no Fortran compiler for this MPI and GNU's OpenMP runtime: the two are not tested"
fi

sum_up
