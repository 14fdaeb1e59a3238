#!/usr/bin/env bash
# usage: bench/memory_peaks.sh [RANKS] [NB] [THREADS] [N ...]        (default 2 256 1, N = 2048 4096 8192 12288)
# Peak memory of packed Cholesky over the rank's own tiles, and tasks in flight: both stay bounded as n grows.
# CSV on stdout: the peak is the growth of the resident set of the rank where it is largest.
#   OMPFACT   the program (default: build/ompfact, then ./ompfact)      MPIEXEC   the launcher
set -euo pipefail
ranks=${1:-2} nb=${2:-256} threads=${3:-1}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- 2048 4096 8192 12288
program=${OMPFACT:-$([ -x build/ompfact ] && echo build/ompfact || echo ./ompfact)}
mpiexec=${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}

for n in "$@"; do
    $mpiexec -n "$ranks" "$program" --threads "$threads" --dim "$n" --nb "$nb" --storage packed --on-node copy --json - potrf
done | python3 -c '
import json, sys
print("n,nb,ranks,tasks,tasks_peak,cache_peak_tiles,own_bytes,peak_bytes,peak_over_own")
for line in sys.stdin:
    r = json.loads(line)
    nt, own = -(-r["n"] // r["nb"]), r["tiles_max"] * r["nb"] ** 2 * 8
    tasks = nt * (nt + 1) * (nt + 2) // 6
    print("%d,%d,%d,%d,%d,%d,%d,%d,%.3f" % (r["n"], r["nb"], r["ranks"], tasks, r["tasks_peak"], r["cache_peak_tiles"], own,
                                            r["memory_peak_bytes"], r["memory_peak_bytes"] / own))
'
