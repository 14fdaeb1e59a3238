# shellcheck shell=bash disable=SC2034  # the scripts that source this one use the variables
# Sourced by test scripts. They work in a folder that is removed at the end, with a cache folder in it. Each run has a time
# limit, and conditions are counted.
# shellcheck source=tests/limit.sh
. "$(dirname "${BASH_SOURCE[0]}")/limit.sh"
script=$(basename "$0" .sh)
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99
export XDG_CACHE_HOME=$folder/cache     # measurements of a test stay out of the user's cache

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
# start WHAT COMMAND...: runs the command, which sets status, out and err; messages call it WHAT. A run that hangs ends the
# script.
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
# Conditions: ends STATUS COMMAND...; says FILE TEXT.
ends() {
    local wanted=$1
    shift
    start "$*" "$@"
    [ "$status" = "$wanted" ]
}
says() { grep -qF -- "$2" "$1"; }

# Builds of one source for MPICH and Open MPI lie in folders beside each other. of_build prints a variable of a build's
# Makefile, build_for_other_mpi the folder of the build for the other MPI, if there is one.
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
