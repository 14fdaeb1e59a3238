#!/usr/bin/env bash
# The package for Python: its tests and its example on several numbers of ranks, and how programs end.
set -u
# shellcheck source=tests/python/needs.sh
. "$(dirname "$0")/needs.sh"
library=$build/libompfact.so
[ -e "$library" ] || library=$build/tests/shared.so
[ -e "$library" ] || skip "there is no shared library"
read -ra mpiexec <<< "${MPIEXEC:-mpiexec}"
export OMPFACT_LIBRARY=$library PYTHONPATH=$tests/../python PYTHONDONTWRITEBYTECODE=1
export OMPFACT=${OMPFACT:-$build/ompfact}
export OPENBLAS_NUM_THREADS=1       # NumPy's

failed=0
for program in "$tests"/python/test_{agreement,communicators,contents,eliminated,given,grown,ldl,lifetime,linalg,mixed,plan,products,scipy}.py "$tests"/../examples/{domains,linear_system,points_in_batches}.py; do
    bash "$tests/mpi-run.sh" "$python" "$program" || { failed=1; break; }
done
check "the tests' own" [ $failed = 0 ]

if ! full; then
    say "test-python: type hints and wheels: in the full tier (make check-full)"
elif "$python" -m mypy --version > /dev/null 2>&1; then
    check "type hints" ends 0 "$python" -m mypy --cache-dir mypy "$PYTHONPATH/ompfact"
else
    say "test-python: no mypy, so type hints are not checked"
fi
version=$(sed -n 's/^VERSION = //p' "$build/Makefile")
check "the version" [ "$("$python" -c 'import ompfact; print(ompfact.__version__)')" = "$version" ]

# make install tells where the package is, if Python does not look there.
hook() { ends 0 env -u MAKEFLAGS make -s -C "$build" install-data-hook pythondir="$1"; }
check "a folder that Python does not know" hook /no/such
check "is told" says out "export PYTHONPATH=/no/such"
check "one that it knows" hook "$("$python" -c 'import sys; print(sys.path[-1])')"
check "is not" [ ! -s out ]

# Without a network: what is there makes the wheel, and the wheel finds the library that is installed.
if full && "$python" -c 'import setuptools, wheel, pip' 2> /dev/null; then
    cp -r "$PYTHONPATH" python && chmod -R u+w python
    check "a wheel" ends 0 env -u PYTHONPATH "$python" -m pip wheel -q --no-index --no-deps --no-build-isolation -w . ./python
    check "has what is typed" "$python" -c 'import glob, zipfile
names = zipfile.ZipFile(*glob.glob("ompfact-*-py3-none-any.whl")).namelist()
assert "ompfact/py.typed" in names and "ompfact/_solve.py" in names, names'
    check "is installed" ends 0 env -u PYTHONPATH "$python" -m pip install -q --no-index --no-deps --target wheel ompfact-*.whl
    check "and works" ends 0 env PYTHONPATH=wheel "$python" -c 'import ompfact; assert "wheel" in ompfact.__file__'
elif full; then
    say "test-python: no pip, setuptools or wheel, so no wheel is made"
fi

MPI_CFLAGS=$(sed -n 's/^MPI_CFLAGS = //p' "$build/Makefile")
export MPI_CFLAGS OMPFACT_HEADER=$tests/../src CC=${CC:-cc}
check "structures are C's" ends 0 "$python" "$tests/python/test_structures.py"

"$python" "$tests/python/beside_mpi4py.py" > out 2>&1
case $? in
    77) say "test-python: no mpi4py, so nothing is tried with it" ;;
    *)
        check "beside mpi4py" ends 0 "$python" "$tests/python/beside_mpi4py.py"
        if says out right; then
            check "on its communicators" ends 0 "${mpiexec[@]}" -n 3 "$python" "$tests/python/beside_mpi4py.py"
        fi ;;
esac

# An exception on one rank alone ends them all, for the others would wait for ever. What all ranks meet is an error like any other.
cat > alone.py << 'EOF'
import ompfact
with ompfact.Grid() as grid:
    if grid.rank == 1:
        raise KeyError("only here")
    grid.barrier()
EOF
start "an exception on one rank" "${mpiexec[@]}" -n 3 "$python" alone.py
check "an exception on one rank ends the job" [ "$status" != 0 ]
check "it is told" says err "only here"
cat > all.py << 'EOF'
import sys, numpy, ompfact
try:
    with ompfact.Grid() as grid:
        ompfact.solve(numpy.zeros((5, 5)), numpy.ones(5), grid=grid)
except numpy.linalg.LinAlgError as error:
    sys.exit(error.info != 1)
sys.exit(2)
EOF
check "an exception on all ranks" ends 0 "${mpiexec[@]}" -n 3 "$python" all.py

check "a library that is not there" ends 1 env OMPFACT_LIBRARY=/no/such.so "$python" -c 'import ompfact'
check "is named" says err "/no/such.so"

# What a user types.
cat > five.py << 'EOF'
import numpy as np, ompfact
a = np.random.default_rng(1).random((1000, 1000))
b = a @ np.ones(1000)
x = ompfact.solve(a, b)
assert abs(x - 1).max() < 1e-8
EOF
check "five lines" ends 0 "${mpiexec[@]}" -n 3 "$python" five.py
sum_up
