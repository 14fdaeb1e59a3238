# shellcheck shell=bash disable=SC2034  # who sources it uses them
# To be sourced by scripts that are tests: a folder to work in, which goes away with the script, and in it a cache folder; runs that
# come to an end, and conditions that are counted.
# shellcheck source=tests/limit.sh
. "$(dirname "${BASH_SOURCE[0]}")/limit.sh"
script=$(basename "$0" .sh)
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99
export XDG_CACHE_HOME=$folder/cache     # what runs measure is not for the user's own

failures=0 checks=0 last='' status=''

# check WHAT CONDITION...: the condition is a command.
check() {
    local what=$1
    shift
    checks=$((checks + 1))
    "$@" && return
    failures=$((failures + 1))
    printf '%s: %s: not so: %s\n' "$script" "$what" "$*"
    show_last
}
show_last() {
    [ -z "$last" ] || printf '    %s\n' "last run: $last" "status: $status"
    [ ! -e out ] || sed 's/^/    stdout: /' out | head -8
    [ ! -e err ] || sed 's/^/    stderr: /' err | head -8
}
# start WHAT COMMAND...: status, out and err; WHAT is its name in messages. After one that hangs there is no other.
start() {
    last=$1
    shift
    limited "$@" > out 2> err
    status=$?
    if hung $status; then
        printf '%s: %s\n' "$script" "$no_end"
        show_last
        exit 1
    fi
}
# Conditions: STATUS COMMAND..., FILE TEXT.
ends() {
    local wanted=$1
    shift
    start "$*" "$@"
    [ "$status" = "$wanted" ]
}
says() { grep -qF -- "$2" "$1"; }

# Builds of the same source for MPICH and Open MPI, in folders beside each other: what a build has of make's variables, and the folder of
# the one for the other MPI, if there is one.
of_build() { sed -n "s/^$2 = *//p" "$1/Makefile" 2> /dev/null; }
build_for_other_mpi() {
    local other=openmpi candidate
    [ "$(of_build "$1" MPI_FLAVOUR)" != openmpi ] || other=mpich
    for candidate in "$1"/../build*; do
        if [ "$(of_build "$candidate" MPI_FLAVOUR)" = $other ] && [ -e "$candidate/libompfact.so" ]; then
            (cd "$candidate" && pwd)
            return
        fi
    done
}

# The last command of a script.
sum_up() {
    say "$script: $checks checks, $failures failures, $SECONDS s"
    [ $failures = 0 ]
}
