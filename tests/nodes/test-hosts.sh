#!/usr/bin/env bash
# Every routine on two hosts, which are network namespaces joined by TCP alone, with the MPI library as the system sets it, on
# one to three ranks a host. Skipped without root, or where namespaces cannot be created.
#   OMPFACT   the command    MPIEXEC   launcher, options included    PYTHON    (make check passes all)
#   OMPFACT_TEST_TIMEOUT  seconds for each run           (limit.sh); after a run that hangs the script starts no other
set -u
ompfact=${OMPFACT:?is not set: the built command}
netlab=$(cd "$(dirname "$0")/../../bench" && pwd)/netlab
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OMPFACT_CHECKS=${OMPFACT_CHECKS:-1}
unset OMPI_MCA_orte_execute_quiet       # the log shows what the launcher misses

on_hosts() {
    start "netlab -n 2 --per-host $1: ompfact ${*:2}" "${PYTHON:-python3}" "$netlab" -n 2 -r 1gbit --per-host "$1" -- \
        "$ompfact" --quiet --json j --check y --nb 40 --layout g2dbc "${@:2}"
    [ "$status" != 77 ] || { say "$script: skipped: $(cat err)"; exit 77; }
}
about_run() { grep -qF "\"$1\": $2" j; }

# Each routine runs on three numbers of ranks; in the quick tier on one, which differs from the next routine's.
routines=('--dim 300 potrf' '--dim 300 getrf' '--dim 300 geqrf' '--dim 300 posv' '--dim 300 gesv' '--dim 300x180 gels')
for ((i = 0; i < 3 * ${#routines[@]}; i++)); do
    is_its_turn || continue
    routine=${routines[i / 3]}
    per_host=$((1 + (i / 3 + i) % 3))
    rm -f j
    # shellcheck disable=SC2086  # words
    on_hosts $per_host $routine
    check "$routine ends well on two hosts of $per_host" test "$status" = 0
    check "$routine passes" about_run status '"pass"'
    check "$routine runs on two nodes" about_run nodes 2
done

sum_up
