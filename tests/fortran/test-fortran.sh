#!/usr/bin/env bash
# The Fortran modules: their test program and an example, each on several numbers of ranks; plans without MPI.
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/limit.sh
. "$tests/limit.sh"
cd "${top_builddir:-.}" || exit 99
if ! [ -x tests/fortran/test_fortran ]; then
    say "test-fortran: skipped, for configure found no Fortran compiler with MPI"
    exit 77
fi

# GNU's OpenMP runtime is no program's that has not asked for it.
if ldd tests/fortran/test_fortran | grep libgomp; then
    say "test-fortran: the program loads GNU's OpenMP runtime"
    exit 1
fi
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cat > "$folder/platform.xml" << 'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="hosts" prefix="h" suffix="" radical="1-4" speed="1e9f" core="2" bw="12.5MBps" lat="10us" sharing_policy="SPLITDUPLEX"/>
</platform>
XML
sed 's/^cores .*/cores 5/' "$tests/fuzz/corpus/machine/good" > "$folder/machine"
bash "$tests/mpi-run.sh" tests/fortran/test_plans "$folder/platform.xml" "$folder/machine" || exit 1
bash "$tests/mpi-run.sh" tests/fortran/test_fortran "$folder/saved" || exit 1
bash "$tests/mpi-run.sh" examples/linear_system_fortran || exit 1
