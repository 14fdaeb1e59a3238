#!/usr/bin/env bash
# usage: soak.sh [COUNT]
# Runs COUNT random factorizations and solves in all (default: SOAK, or 35, in the full tier 1000), distributed over 1 to 7 ranks.
# Another SOAK_SEED gives other cases.
# The time limit of each case is that of any test (limit.sh). After a case that hangs the script starts no other.
# From 5 ranks on the ranks count as two or three nodes, so that some tiles are read in place and others travel.
#
#   MPIEXEC       launcher, options included       (make check passes configure's)
#   top_builddir  the folder of tests/soak         (default: the folder of this script, and build/tests)
set -u
first=${SOAK_SEED:-1}
mpiexec=${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}
folder=$(dirname "$0")
# shellcheck source=tests/limit.sh
. "$folder/limit.sh"
count=${1:-${SOAK:-$(full && echo 1000 || echo 35)}}
for soak in "${top_builddir:-.}/tests/soak" "$folder/soak" "$folder/../build/tests/soak"; do
    [ -x "$soak" ] && break
done
[ -x "$soak" ] || { echo "soak.sh: there is no $soak: make check builds it"; exit 99; }
read -ra mpiexec <<< "$mpiexec"

export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OMPFACT_CHECKS=${OMPFACT_CHECKS:-1}
XDG_CACHE_HOME=$(mktemp -d) || exit 99
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT

nodes=$(nodes_variable)
passed=0 failed=0
for p in 1 2 3 4 5 6 7; do
    n=$((count / 7 + (p <= count % 7)))
    [ "$n" -gt 0 ] || continue
    seed=$((first + 100000 * p))
    [ "$p" -lt 5 ] || export "$nodes"=$((2 + p % 2))
    # The program ends by itself where a case hangs. This limit is for a launcher that does not end after the program.
    patience=$((limit * (4 + n / 10)))
    output=$(timeout -k 5 $patience "${mpiexec[@]}" -n "$p" "$soak" "$n" "$seed" "$limit" < /dev/null 2>&1)
    status=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' <<< "$output" | tail -1)
    echo "soak, $p ranks, seed $seed: ${line:-no summary} (after $SECONDS s)"
    good=${line%% *}
    passed=$((passed + ${good:-0}))
    failed=$((failed + n - ${good:-0}))
    [ $status = 0 ] && continue
    [ "${good:-0}" = "$n" ] && failed=$((failed + 1))    # all cases passed, but the program failed at its end
    say "$({ grep -E '^soak: |^ompfact: ' <<< "$output" || tail -20 <<< "$output"; } | sort -u | head -20)"
    say "soak.sh: status $status: ${mpiexec[*]} -n $p tests/soak $n $seed $limit"
    ! hung $status || { say "soak.sh: hung: the launcher has not ended after $patience s"; break; }
    ! grep -q '^soak: hangs: ' <<< "$output" || { say "soak.sh: $no_end"; break; }
done
say "soak: $passed passed, $failed failed, $SECONDS s"
[ "$failed" = 0 ]
