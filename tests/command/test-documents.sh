#!/usr/bin/env bash
# usage: test-documents.sh [--update]
# The commands that README, the tutorial and the how-to pages show run, and print what the pages say; README's program compiles, links
# and solves. --update puts what the commands print into the pages of the source.
#   MPIEXEC, PYTHON, top_builddir    (make check passes them)
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${top_builddir:-$tests/../build}" && pwd) || exit 99
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"
: "${MPIEXEC:=$(of_build "$build" MPIEXEC)}"
export MPIEXEC
[ -n "$MPIEXEC" ] && command -v python3 > /dev/null || { say "test-documents: skipped: no launcher, or no Python"; exit 77; }
ln -s "$build" build && ln -s "$tests/../examples" examples
pages=(README.md doc/tutorial.md doc/systems.md doc/cluster.md doc/restart.md doc/big.md doc/devices.md doc/low-rank.md doc/layouts.md)
if [ "${1-}" = --update ]; then
    exec python3 "$tests/command/documents.py" --update "$tests/.." "$folder" "${pages[@]:0:8}"     # doc/figures/cost.py does the last
fi
for page in "${pages[@]}"; do
    check "the commands in $page print what the page shows" ends 0 python3 "$tests/command/documents.py" "$tests/.." "$folder" "$page"
    cat out
done

sed -n '/^```c$/,/^```$/p' "$tests/../README.md" | grep -v '^```' > program.c
if grep -q '^SANITIZER_FLAGS = .*fsanitize' "$build/Makefile" || [ ! -e "$build/libompfact.so" ]; then
    say "test-documents: README's program needs the shared library, without sanitizers: left out"
else
    read -ra cflags <<< "$(of_build "$build" MPI_CFLAGS)"
    read -ra libs <<< "$(of_build "$build" MPI_LIBS)"
    check "README's program compiles" ends 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Wno-unused-parameter -Werror "-I$tests/../src" "${cflags[@]}" -o program program.c \
        -L"$build" -lompfact -Wl,-rpath,"$build" "${libs[@]}"
    [ ! -x program ] || check "README's program solves" ends 0 env OMPFACT_TEST_RANKS='1 3' bash "$tests/mpi-run.sh" ./program
fi
sum_up
