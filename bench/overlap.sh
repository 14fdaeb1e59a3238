#!/usr/bin/env bash
# usage: bench/overlap.sh [SVG]
# Whether one-sided communication overlaps with computation (bench/overlap.c) between two ranks of one node, over shared memory and
# over TCP: bench/overlap's CSV on stdout with a column `network` in front, and in SVG, if it is named, how long a get takes while its
# target computes.
#   BUILD     the build folder (default: build, then .)      MPIEXEC   the launcher
#   OPTIONS   of bench/overlap, such as "--repeat 51 --compute 1000"
set -euo pipefail
build=${BUILD:-$([ -e build/Makefile ] && echo build || echo .)}
mpiexec=${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}
make -s -C "$build" bench/overlap > /dev/null
csv=$(mktemp)
trap 'rm -f "$csv"' EXIT

run() {    # NETWORK [OPTION...]
    local network=$1
    shift
    # shellcheck disable=SC2086  # options and launcher are lists of words
    timeout 300 $mpiexec -n 2 "$build/bench/overlap" ${OPTIONS:-} "$@" < /dev/null | sed -u "s/^/$network,/"
}
{
    run node
    UCX_TLS=tcp,self run tcp --windows allocate | sed -u 1d
} | sed -u '1s/^node,/network,/' | tee "$csv"

[ $# -gt 0 ] || exit 0
PYTHONPATH=$(dirname "$0") PYTHONDONTWRITEBYTECODE=1 python3 - "$csv" "$1" << 'EOF'
import csv, sys
from svgplot import Chart

rows = list(csv.DictReader(open(sys.argv[1])))
compute = sorted(float(r["compute_us"]) for r in rows)[len(rows) // 2]
chart = Chart("A read while its target computes for %.0f us" % compute, "bytes", "microseconds until it is complete", logx=True, logy=True)

def line(name, column, **wanted):
    points = [(int(r["bytes"]), float(r[column])) for r in rows if all(r[k] == v for k, v in wanted.items())]
    if points:
        chart.line(name, *zip(*points))

for network in ("node", "tcp"):
    get = {"network": network, "test": "progress-get", "window": "allocate"}
    polls = sorted({int(r["poll_us"]) for r in rows})
    line(network + ", target in MPI", "transfer_us", poll_us=str(polls[0]), **get)
    for poll in polls:
        line(network + (", polls every %d us" % poll if poll else ", target not in MPI"), "total_origin_us", poll_us=str(poll), **get)
line("node, in place", "total_origin_us", network="node", test="progress-load")
chart.write(sys.argv[2])
EOF
