#!/usr/bin/env bash
# The package for Python with libraries for MPICH and Open MPI beside it. It takes the library for the MPI library that the
# process has loaded, for example by mpi4py, or else the launcher's. If that library is missing a message names it. Needs
# top_builddir; checks that need the build for the other MPI are skipped without it.
set -u
# shellcheck source=tests/python/needs.sh
. "$(dirname "$0")/needs.sh"
ours=$(of_build "$build" MPI_FLAVOUR)
soname=$(of_build "$build" SHARED_SONAME)
[ -e "$build/$soname" ] && [ "$ours" != other ] || skip "there is no shared library for MPICH or Open MPI"
unset OMPFACT_LIBRARY LD_LIBRARY_PATH
export PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1
while IFS='=' read -r name _; do    # these tests may run under a launcher
    case $name in PMI_* | OMPI_COMM_WORLD_*) unset "$name" ;; esac
done < <(env)

# The package is in its own folder, with the libraries beside it.
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

check "a single library works" ends 0 "$python" solve.py
check "the single library is taken" takes 1 "$folder/one/ompfact/$soname"

# Another MPI library is loaded already.
theirs=openmpi their_mpi=libmpi.so.40
[ "$ours" != openmpi ] || { theirs=mpich their_mpi=libmpich.so.12; }
printf 'int mpi;\n' > mpi.c
if "${CC%% *}" -w -shared -fPIC -Wl,-soname,$their_mpi -o $their_mpi mpi.c 2> err; then
    check "a missing library for it ends the import" ends 1 "$python" -c "import ctypes; ctypes.CDLL('./$their_mpi'); import ompfact"
    check "one line names the missing library" says err "libompfact-$theirs.so.0"
    OMPFACT_LIBRARY=$build/$soname check "a library for another MPI ends the import" ends 1 "$python" -c "import ctypes; ctypes.CDLL('./$their_mpi'); import ompfact"
    check "one line gives the reason" says err "another MPI library"
else
    say "$script: no C compiler: another MPI's library is not tested"
fi

other=$(build_for_other_mpi "$build")
[ -n "$other" ] || { say "$script: no build for the other MPI beside this one: both together are not tested"; sum_up; exit; }
cp -r one two && ln -s "$other"/libompfact-$theirs.so.0 two/ompfact || exit 99
export PYTHONPATH=$folder/two
for each in "$build" "$other"; do
    flavour=$(of_build "$each" MPI_FLAVOUR)
    mpi=$(ldd "$each/libompfact.so" | sed -n 's/.*=> \(.*libmpi[^ ]*\) .*/\1/p' | head -1)
    check "a program with $flavour loaded runs" ends 0 "$python" -c "import ctypes; ctypes.CDLL('$mpi'); exec(open('solve.py').read())"
    check "the library for $flavour is taken" takes 1 "$folder/two/ompfact/libompfact-$flavour.so.0"
    full || continue
    read -ra mpiexec <<< "$(of_build "$each" MPIEXEC)"
    [ ${#mpiexec[@]} -gt 0 ] || continue
    check "a program under the launcher of $flavour runs" ends 0 "${mpiexec[@]}" -n 2 "$python" solve.py
    check "the library for $flavour is taken on two ranks" takes 2 "$folder/two/ompfact/libompfact-$flavour.so.0"
    ln -sf "libompfact-$flavour.so.0" two/ompfact/libompfact.so
    check "a program without a launcher runs" ends 0 "$python" solve.py
    check "the library with the plain name is taken" takes 1 "$folder/two/ompfact/libompfact.so"
done

# mpi4py, for its own MPI library.
if its=$("$python" -c 'from mpi4py import MPI; print("openmpi" if "Open MPI" in MPI.Get_library_version() else "mpich")' 2> /dev/null); then
    [ "$its" = "$ours" ] && each=$build || each=$other
    read -ra mpiexec <<< "$(of_build "$each" MPIEXEC)"
    check "a program with mpi4py for $its runs" ends 0 "${mpiexec[@]}" -n 2 "$python" solve.py mpi4py
    check "the library for mpi4py's MPI is taken" takes 2 "$folder/two/ompfact/libompfact-$its.so.0"
else
    say "$script: no mpi4py, so it is not tested"
fi
sum_up
