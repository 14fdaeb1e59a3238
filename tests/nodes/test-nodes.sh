#!/usr/bin/env bash
# Emulated nodes of one machine, joined by emulated network cards that read by themselves and forbid tiles as messages (card.h):
# results, traffic between nodes, memory, and runs where no window spans nodes. Skipped without the card, or where the card may
# not read.
#   OMPFACT   the command    MPIEXEC   launcher, options included    (make check passes both, and top_builddir)
#   OMPFACT_TEST_TIMEOUT  seconds for each run           (limit.sh); after a run that hangs the script starts no other
set -u
ompfact=${OMPFACT:?is not set: the built command}
here=$(cd "$(dirname "$0")" && pwd)
card=${top_builddir:-$here/../../build}/tests/nodes/libnative.so
# shellcheck source=tests/shell.sh
. "$here/../shell.sh"
read -ra mpiexec <<< "${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OMPFACT_CHECKS=${OMPFACT_CHECKS:-1}

skip() { say "$script: skipped: $*"; exit 77; }
[ -e "$card" ] || skip "the emulated card is not built"

# ---- runs and their nodes ----------------------------------------------------------------------------------------------------

nodes=$(nodes_variable)
# by SHAPE: sets the number of ranks, and the variables that divide them into nodes. MPICH deals ranks to nodes in turn by
# default.
by() {
    case $1 in
        one)     ranks=3 made=() ;;
        pair)    ranks=2 made=("$nodes=2") ;;
        uneven)  ranks=3 made=("$nodes=2") ;;
        apart)   ranks=3 made=("$nodes=3") ;;
        alone)   ranks=4 made=("$nodes=4") ;;
        five)    ranks=5 made=("$nodes=2") ;;
        dealt)   ranks=7 made=("$nodes=3") ;;
        blocks)  ranks=7 made=("$nodes=3" MPIR_CVAR_CLIQUES_BY_BLOCK=1) ;;
    esac
}
# run ARGUMENTS...: without the card. on SETTINGS ARGUMENTS...: with the card. Both set status, out, err, and write JSON to j.
run() {
    rm -f j
    start "${made[*]} -n $ranks ompfact $*" "${mpiexec[@]}" -n "$ranks" env "${made[@]}" "$ompfact" --quiet --json j "$@"
}
on() {
    local settings=report=1$1
    shift
    rm -f j
    start "OMPFACT_TEST_NATIVE=$settings ${made[*]} -n $ranks ompfact $*" "${mpiexec[@]}" -n "$ranks" \
        env "${made[@]}" OMPFACT_TEST_NATIVE="$settings" LD_PRELOAD="$card" "$ompfact" --quiet --json j "$@"
}
ends_with() { [ "$status" = "$1" ]; }
value() { [ ! -e "$1" ] || sed -n "s/.*\"$2\": \"\{0,1\}\([^\",}]*\).*/\1/p" "$1"; }
is() { [ "$(value "$1" "$2")" = "$3" ]; }
# carried: the bytes that the card has transferred. carried_between LEAST MOST: whether these are LEAST to MOST times
# wire_bytes.
carried() { sed -n 's/^native: .* \([0-9]*\) bytes between nodes$/\1/p' err; }
carried_between() {
    awk -v c="$(carried)" -v w="$(value j wire_bytes)" "BEGIN { exit !(w > 0 && c >= $1 * w && c <= $2 * w) }"
}
# agrees FILE KEY: whether j has the same value, numbers to 1e-9.
agrees() {
    local a b
    a=$(value j "$2") b=$(value "$1" "$2")
    [ -n "$a" ] && { [ "$a" = "$b" ] ||
        awk -v a="$a" -v b="$b" 'BEGIN { d = a > b ? a - b : b - a; exit !(b != 0 && d <= 1e-9 * (b < 0 ? -b : b)) }'; }
}
# refer PROBLEM: solves the problem on one node, with as many ranks and without the card, and writes the JSON to $reference.
refer() {
    reference=one.$(cksum <<< "$ranks $*" | tr ' ' '.')
    [ -e "$reference" ] && return
    local made=()
    run --check y "$@"
    check "$* passes on one node" is j status pass
    cp j "$reference" 2> /dev/null
}

by pair
on '' --dim 80 --nb 40 potrf
[ "$status" != 77 ] || skip "$(grep '^native: ' err)"
check "a first run passes" ends_with 0
! is j nodes 1 || skip "this MPI cannot emulate nodes"

# ---- every routine -----------------------------------------------------------------------------------------------------------

# crosses SHAPE PROBLEM WAY [SETTINGS]: the way must not change the result.
crosses() {
    local problem=$2 way=$3 settings=,forbid=4096${4:-}
    is_its_turn 4 || return 0
    by "$1"
    # shellcheck disable=SC2086  # words
    refer --layout g2dbc --nb 40 $problem
    # shellcheck disable=SC2086
    on "$settings" --check y --layout g2dbc --nb 40 $way $problem
    check "$problem $way" is j status pass
    check "$problem has the same error as on one node" agrees "$reference" error
    check "$problem has the same determinant" agrees "$reference" logdet
    check "the card has transferred tiles of $problem" carried_between 0.99 1e9
}
slow=,latency=200,shuffle
crosses alone  '--dim 300 potrf'                        '--bcast binomial'
crosses alone  '--dim 260 --pivot none getrf'           '--bcast chain --on-node copy'
crosses alone  '--dim 240 --pivot tournament getrf'     '--bcast flat --schedule static'
crosses alone  '--dim 220 --pivot partial getrf'        '--on-node copy'
crosses alone  '--dim 240 geqrf'                        '--jitter 300' $slow=1
crosses five   '--dim 300 --nrhs 5 posv'                '--on-node copy --bcast auto'
crosses five   '--dim 260 --pivot tournament gesv'      '--schedule basic'
crosses five   '--dim 300x200 gels'                     '--bcast binomial' $slow=2
crosses five   '--dim 240 potri'                        '--bcast chain' $slow=3
crosses five   '--dim 200 --pivot tournament getri'     '--on-node copy'
crosses five   '--dim 420 --matrix sqexp:0.2,1 --accuracy 1e-6 posv'    '--bcast chain' $slow=4
crosses five   '--dim 300 --matrix kkt:60 --type z hesv'   '--on-node copy --bcast chain'
crosses dealt  '--dim 300 --matrix kkt:60 sytrf'        '--jitter 300 --bcast binomial' $slow=5
crosses dealt  '--dim 300 potrf'                        '--abft --on-node copy --bcast chain'
crosses dealt  '--dim 240 --pivot tournament getrf'     '--bcast binomial --jitter 300' $slow=5
crosses dealt  '--dim 200 --pivot partial getrf'        '--schedule basic'
crosses dealt  '--dim 240 --tree greedy geqrf'          '--on-node copy --schedule static'
crosses blocks '--dim 300 potrf'                        '--checkpoint kept --bcast flat'
crosses blocks '--dim 260 --pivot none getrf'           '--jitter 300 --schedule static' $slow=6
crosses blocks '--dim 240 --pivot tournament gesv'      '--on-node copy --bcast chain' ,rate=50
crosses blocks '--dim 240 --tree flat geqrf'            '--bcast binomial'
crosses blocks '--dim 420 --matrix sqexp:0.2,1 --accuracy 1e-6 potrf'   '--on-node copy --bcast binomial'

# The card reads nothing but tiles, and each tile once for each node. (This card is too slow for a proof that it reads by
# itself: the proof would read much more.)
for shape in alone blocks; do
    for routine in potrf '--pivot none getrf' '--matrix kkt sytrf'; do
        is_its_turn || continue
        by $shape
        # shellcheck disable=SC2086
        on ,forbid=4096,latency=5000 --check n --dim 400 --nb 40 $routine
        check "the card transfers as many bytes as reported" carried_between 0.999 1.002
    done
done

# ---- how tiles travel --------------------------------------------------------------------------------------------------------

by one
run --dim 120 --nb 40 potrf
check "on one node no rank reads from another node" is j rma_native null
by five
on ,forbid=4096 --dim 200 --nb 40 --between-nodes messages potrf
check "the card forbids a tile as a message" ends_with 3
check "the message names the reason" says err 'on another node'
on '' --check y --dim 200 --nb 40 --between-nodes messages potrf
check "messages pass where they are requested" is j status pass
check "the report names messages" is j between_nodes messages

# On a busy machine the proof may fail, so the test tries several times.
by uneven
for ((tries = 0; tries < 5; tries++)); do
    on ,forbid=4096 --dim 200 --nb 40 potrf
    ! is j rma_native true || break
done
check "the library finds that the card reads by itself" is j rma_native true
check "tiles are read by one-sided calls" is j between_nodes one-sided
if [ "$nodes" = MPIR_CVAR_NUM_CLIQUES ]; then       # its network is UCX
    for _ in 1 $(full && echo 2 3); do
        UCX_TLS=tcp,self run --check y --dim 200 --nb 40 potrf
        check "a run over TCP passes" is j status pass
        check "the library finds that TCP does not read by itself" is j rma_native false
    done
fi

# A slot that another node reads is not free before the read has ended, or, with messages, before the tile has arrived.
by apart
for how in latency=$(full && echo 100000 || echo 20000) windows=0; do
    start "OMPFACT_TEST_NATIVE=$how test_kept" "${mpiexec[@]}" -n "$ranks" env "${made[@]}" CK_FORK=no OMPFACT_TEST_NATIVE=$how \
        LD_PRELOAD="$card" "${card%/nodes/*}/rma/test_kept"
    check "slots are kept, $how" ends_with 0
done

# Where no window spans nodes tiles travel as messages.
way=(--on-node copy)
for routine in potrf '--pivot none getrf' '--pivot tournament getrf' '--pivot partial getrf' geqrf posv gesv gels \
    '--matrix kkt hesv' potri getri; do
    is_its_turn 5 || continue
    # shellcheck disable=SC2086
    on ,windows=0 --check y --dim 200 --nb 40 "${way[@]}" $routine
    check "without windows between nodes $routine passes" is j status pass
    check "tiles of $routine are messages" is j between_nodes messages
    check "the card transfers nothing for $routine" test "$(carried)" = 0
    [ ${#way[@]} = 0 ] && way=(--on-node copy) || way=()
done
start "windows=0 ompfact" "${mpiexec[@]}" -n "$ranks" env "${made[@]}" OMPFACT_TEST_NATIVE=windows=0 \
    LD_PRELOAD="$card" "$ompfact" --dim 120 --nb 40 potrf
check "the first lines of output name messages" says <(head -2 out) 'messages (this MPI'

# A card pins the memory of windows. Tiles that shrink must not stay in windows of their first size.
by pair
peak=()
for pins in 0 1; do
    on ,pins=$pins --dim 4000 --nb 200 --matrix sqexp:0.2,1 --accuracy 1e-6 posv
    check "a compressed matrix is solved" ends_with 0
    peak[pins]=$(value j memory_peak_bytes)
done
check "pinned windows are no larger than their tiles: ${peak[*]} bytes" \
    awk "BEGIN { exit !(${peak[0]:-0} > 0 && ${peak[1]:-0} > 0 && ${peak[1]:-0} <= 1.3 * ${peak[0]:-0}) }"

sum_up
