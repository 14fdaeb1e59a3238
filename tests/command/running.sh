# shellcheck shell=bash
# To be sourced by scripts that run the built command, as a user does: runs on so many ranks, and what they leave.
#   OMPFACT   the command    MPIEXEC   launcher, options included    (make check passes both)
#   OMPFACT_TEST_TIMEOUT  seconds for each run           (limit.sh); after one that hangs there is no other
ompfact=${OMPFACT:?is not set: the built command}
# shellcheck source=tests/shell.sh
. "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
read -ra mpiexec <<< "${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OMPFACT_CHECKS=${OMPFACT_CHECKS:-1}

# run RANKS ARGUMENTS...: status, out and err. RANKS 0 starts without a launcher.
# MPICH's launcher dies of SIGPIPE, now and then, where all processes end before it has told them everything: it is started again.
run() {
    local ranks=$1 launcher=("${mpiexec[@]}" -n "$1") tries=3
    shift
    [ "$ranks" != 0 ] || launcher=()
    start "${launcher[*]} ompfact $*" "${launcher[@]}" "$ompfact" "$@"
    while [ "$status" = 141 ] && [ "$ranks" != 0 ] && [ $((tries -= 1)) -gt 0 ]; do
        start "${launcher[*]} ompfact $*" "${launcher[@]}" "$ompfact" "$@"
    done
}
ends_with() { [ "$status" = "$1" ]; }
lines() { [ "$(wc -l < "$1")" = "$2" ]; }
# The value of a key in a file of one JSON object.
value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^\",}]*\).*/\1/p" "$1"; }
is() { [ "$(value "$1" "$2")" = "$3" ]; }
same() { cmp -s "$1" "$2"; }
# The numbers of an array .mtx file, in one line.
numbers() { sed '1,/^[0-9]/d' "$1" | awk '{ printf "%s%g", n++ ? " " : "", $1 }'; }
holds() { [ "$(numbers "$1")" = "$2" ]; }

# refused WORDS ARGUMENTS...: status 2, and one line on stderr with the words in it, on two ranks; in the quick tier every third
# time, else by one process. refused_by_two: always on two.
refusals=0
refused() {
    refusals=$((refusals + 1))
    if full || [ $((refusals % 3)) = 1 ]; then refused_by 2 "$@"; else refused_by 0 "$@"; fi
}
refused_by_two() { refused_by 2 "$@"; }
refused_by() {
    local words=$2
    run "$1" "${@:3}"
    check "bad usage exits with 2" ends_with 2
    check "bad usage is reported in one line" lines err 1
    check "the message names what is wrong" says err "$words"
}
