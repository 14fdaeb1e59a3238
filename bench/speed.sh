#!/usr/bin/env bash
# usage: bench/speed.sh [N] [NB] [REPEAT]        (default 8192 256 5)
# Cholesky as a share of DGEMM: 1 rank x 2 threads and 2 ranks x 1 thread, in turn. Every run measures DGEMM in its own processes on
# the same cores, right after the factorization. CSV on stdout, medians on stderr.
#   OMPFACT   the program (default: build/ompfact, then ./ompfact)      MPIEXEC   the launcher
set -euo pipefail
n=${1:-8192} nb=${2:-256} repeat=${3:-5}
program=${OMPFACT:-$([ -x build/ompfact ] && echo build/ompfact || echo ./ompfact)}
mpiexec=${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}

for ((i = 0; i < repeat; i++)); do
    for shape in "1 2" "2 1"; do
        read -r ranks threads <<< "$shape"
        $mpiexec -n "$ranks" "$program" --threads "$threads" --dim "$n" --nb "$nb" --warmup y --json - potrf
    done
done | python3 -c '
import json, statistics, sys
runs = [json.loads(line) for line in sys.stdin]
print("ranks,threads,n,nb,time_s,gflops,gemm_gflops,share")
share = {}
for r in runs:
    s = r["gflops"] / r["gemm_gflops"]
    share.setdefault((r["ranks"], r["threads"]), []).append((s, r["time_s"]))
    print("%d,%d,%d,%d,%.4f,%.2f,%.2f,%.3f" % (r["ranks"], r["threads"], r["n"], r["nb"], r["time_s"], r["gflops"], r["gemm_gflops"], s))
median = {k: (statistics.median(s for s, _ in v), statistics.median(t for _, t in v)) for k, v in share.items()}
for k, (s, t) in median.items():
    print("%d rank(s) x %d thread(s): median %.3f of DGEMM (%.3f to %.3f), median time %.3f s" % (*k, s, min(share[k])[0], max(share[k])[0], t), file=sys.stderr)
one, two = median[1, 2], median[2, 1]
print("2 x 1 runs at %.3f of the speed of 1 x 2" % (one[1] / two[1]), file=sys.stderr)
'
