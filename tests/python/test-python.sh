#!/usr/bin/env bash
# The package for Python: its tests and examples on several numbers of ranks, and how programs end.
set -u
# shellcheck source=tests/python/needs.sh
. "$(dirname "$0")/needs.sh"
library=$build/libompfact.so
[ -e "$library" ] || library=$build/tests/shared.so
[ -e "$library" ] || skip "there is no shared library"
read -ra mpiexec <<< "${MPIEXEC:-mpiexec}"
export OMPFACT_LIBRARY=$library PYTHONPATH=$tests/../python PYTHONDONTWRITEBYTECODE=1
export OMPFACT=${OMPFACT:-$build/ompfact}
export OPENBLAS_NUM_THREADS=1       # for NumPy

failed=0
for program in "$tests"/python/test_{agreement,communicators,contents,eliminated,given,grown,ldl,lifetime,linalg,mixed,plan,products,scipy,threads}.py "$tests"/../examples/{domains,linear_system,points_in_batches}.py; do
    bash "$tests/mpi-run.sh" "$python" "$program" || { failed=1; break; }
done
check "the test programs pass" [ $failed = 0 ]

if ! full; then
    say "test-python: type hints and wheels: in the full tier (make check-full)"
elif "$python" -m mypy --version > /dev/null 2>&1; then
    check "type hints are right" ends 0 "$python" -m mypy --cache-dir mypy "$PYTHONPATH/ompfact"
else
    say "test-python: no mypy, so type hints are not checked"
fi
version=$(sed -n 's/^VERSION = //p' "$build/Makefile")
check "the version is the build's" [ "$("$python" -c 'import ompfact; print(ompfact.__version__)')" = "$version" ]

# make install prints where the package is if Python does not search that folder.
hook() { ends 0 env -u MAKEFLAGS make -s -C "$build" install-data-hook pythondir="$1"; }
check "the package is installed in a folder outside Python's path" hook /no/such
check "the folder is printed" says out "export PYTHONPATH=/no/such"
check "the package is installed in Python's path" hook "$("$python" -c 'import sys; print(sys.path[-1])')"
check "nothing is printed" [ ! -s out ]

# Without a network, the installed packages build the wheel, and the wheel finds the installed library.
if full && "$python" -c 'import setuptools, wheel, pip' 2> /dev/null; then
    cp -r "$PYTHONPATH" python && chmod -R u+w python
    check "a wheel is built" ends 0 env -u PYTHONPATH "$python" -m pip wheel -q --no-index --no-deps --no-build-isolation -w . ./python
    check "the wheel has all modules" "$python" -c 'import glob, zipfile
names = zipfile.ZipFile(*glob.glob("ompfact-*-py3-none-any.whl")).namelist()
assert "ompfact/py.typed" in names and "ompfact/_solve.py" in names, names'
    check "the wheel is installed" ends 0 env -u PYTHONPATH "$python" -m pip install -q --no-index --no-deps --target wheel ompfact-*.whl
    check "the wheel works" ends 0 env PYTHONPATH=wheel "$python" -c 'import ompfact; assert "wheel" in ompfact.__file__'
elif full; then
    say "test-python: no pip, setuptools or wheel, so no wheel is built"
fi

MPI_CFLAGS=$(sed -n 's/^MPI_CFLAGS = //p' "$build/Makefile")
export MPI_CFLAGS OMPFACT_HEADER=$tests/../src CC=${CC:-cc}
check "structures equal C's" ends 0 "$python" "$tests/python/test_structures.py"

"$python" "$tests/python/beside_mpi4py.py" > out 2>&1
case $? in
    77) say "test-python: no mpi4py, so it is not tested" ;;
    *)
        check "it runs beside mpi4py" ends 0 "$python" "$tests/python/beside_mpi4py.py"
        if says out right; then
            check "it runs on communicators of mpi4py" ends 0 "${mpiexec[@]}" -n 3 "$python" "$tests/python/beside_mpi4py.py"
        fi ;;
esac

# An exception on one rank alone ends all ranks, because the others would wait forever. An exception on all ranks can be caught.
cat > alone.py << 'EOF'
import ompfact
with ompfact.Grid() as grid:
    if grid.rank == 1:
        raise KeyError("only here")
    grid.barrier()
EOF
start "an exception on one rank" "${mpiexec[@]}" -n 3 "$python" alone.py
check "an exception on one rank ends the job" [ "$status" != 0 ]
check "the exception is printed" says err "only here"
cat > all.py << 'EOF'
import sys, numpy, ompfact
try:
    with ompfact.Grid() as grid:
        ompfact.solve(numpy.zeros((5, 5)), numpy.ones(5), grid=grid)
except numpy.linalg.LinAlgError as error:
    sys.exit(error.info != 1)
sys.exit(2)
EOF
check "an exception on all ranks can be caught" ends 0 "${mpiexec[@]}" -n 3 "$python" all.py

check "a missing library ends the import" ends 1 env OMPFACT_LIBRARY=/no/such.so "$python" -c 'import ompfact'
check "the missing library is named" says err "/no/such.so"

# A user's first program.
cat > five.py << 'EOF'
import numpy as np, ompfact
a = np.random.default_rng(1).random((1000, 1000))
b = a @ np.ones(1000)
x = ompfact.solve(a, b)
assert abs(x - 1).max() < 1e-8
EOF
check "a program of five lines runs" ends 0 "${mpiexec[@]}" -n 3 "$python" five.py
sum_up
