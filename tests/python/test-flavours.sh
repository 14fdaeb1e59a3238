#!/usr/bin/env bash
# The package for Python where there may be a library for MPICH and one for Open MPI: it takes the one for the MPI library that the process
# has, as mpi4py's; else the launcher's; where it is missing a line says so. Needs top_builddir; what wants the build for the other MPI
# beside this one is skipped without.
set -u
# shellcheck source=tests/python/needs.sh
. "$(dirname "$0")/needs.sh"
ours=$(of_build "$build" MPI_FLAVOUR)
soname=$(of_build "$build" SHARED_SONAME)
[ -e "$build/$soname" ] && [ "$ours" != other ] || skip "there is no shared library for MPICH or Open MPI"
unset OMPFACT_LIBRARY LD_LIBRARY_PATH
export PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
while IFS='=' read -r name _; do    # of a launcher that these tests themselves may run under
    case $name in PMI_* | OMPI_COMM_WORLD_*) unset "$name" ;; esac
done < <(env)

# The package in a folder of its own, with the libraries beside it.
export PYTHONPATH=$folder/one
mkdir one
cp -r "$tests/../python/ompfact" one && ln -s "$build/$soname" one/ompfact || exit 99
cat > solve.py << 'END'
import sys
if sys.argv[1:] == ["mpi4py"]:
    import mpi4py.MPI
import numpy, ompfact, ompfact._library
with ompfact.Grid(mpi4py.MPI.COMM_WORLD if sys.argv[1:] else None, threads=1) as grid:
    x = ompfact.solve(2 * numpy.eye(50), numpy.ones(50), grid=grid)
    if grid.rank == 0 and (x == 0.5).all():
        print(grid.size, "ranks,", ompfact._library.lib._name)
END
takes() { says out "$1 ranks, $2"; }

check "the one that is there" ends 0 "$python" solve.py
check "is taken" takes 1 "$folder/one/ompfact/$soname"

# Another MPI's library, which is loaded already.
theirs=openmpi their_mpi=libmpi.so.40
[ "$ours" != openmpi ] || { theirs=mpich their_mpi=libmpich.so.12; }
printf 'int mpi;\n' > mpi.c
if "${CC%% *}" -w -shared -fPIC -Wl,-soname,$their_mpi -o $their_mpi mpi.c 2> err; then
    check "without the library for it" ends 1 "$python" -c "import ctypes; ctypes.CDLL('./$their_mpi'); import ompfact"
    check "one line names it" says err "libompfact-$theirs.so.0"
    OMPFACT_LIBRARY=$build/$soname check "with another one" ends 1 "$python" -c "import ctypes; ctypes.CDLL('./$their_mpi'); import ompfact"
    check "one line says so" says err "another MPI library"
else
    say "$script: no C compiler: another MPI's library is not tried"
fi

other=$(build_for_other_mpi "$build")
[ -n "$other" ] || { say "$script: no build for the other MPI beside this one: both together are not tried"; sum_up; exit; }
cp -r one two && ln -s "$other"/libompfact-$theirs.so.0 two/ompfact || exit 99
export PYTHONPATH=$folder/two
for each in "$build" "$other"; do
    flavour=$(of_build "$each" MPI_FLAVOUR)
    mpi=$(ldd "$each/libompfact.so" | sed -n 's/.*=> \(.*libmpi[^ ]*\) .*/\1/p' | head -1)
    check "the loaded MPI's, $flavour" ends 0 "$python" -c "import ctypes; ctypes.CDLL('$mpi'); exec(open('solve.py').read())"
    check "is taken" takes 1 "$folder/two/ompfact/libompfact-$flavour.so.0"
    full || continue
    read -ra mpiexec <<< "$(of_build "$each" MPIEXEC)"
    [ ${#mpiexec[@]} -gt 0 ] || continue
    check "the launcher's, $flavour" ends 0 "${mpiexec[@]}" -n 2 "$python" solve.py
    check "is taken" takes 2 "$folder/two/ompfact/libompfact-$flavour.so.0"
    ln -sf "libompfact-$flavour.so.0" two/ompfact/libompfact.so
    check "without one that with the plain name" ends 0 "$python" solve.py
    check "is taken" takes 1 "$folder/two/ompfact/libompfact.so"
done

# mpi4py, and which MPI it is for.
if its=$("$python" -c 'from mpi4py import MPI; print("openmpi" if "Open MPI" in MPI.Get_library_version() else "mpich")' 2> /dev/null); then
    [ "$its" = "$ours" ] && each=$build || each=$other
    read -ra mpiexec <<< "$(of_build "$each" MPIEXEC)"
    check "mpi4py's, $its" ends 0 "${mpiexec[@]}" -n 2 "$python" solve.py mpi4py
    check "is taken" takes 2 "$folder/two/ompfact/libompfact-$its.so.0"
else
    say "$script: no mpi4py, so nothing is tried with it"
fi
sum_up
