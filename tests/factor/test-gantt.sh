#!/usr/bin/env bash
# bench/gantt on a small trace whose figures are known: the summary, the picture, and what it refuses.
set -u
gantt=$(cd "$(dirname "$0")/../../bench" && pwd)/gantt
command -v python3 > /dev/null || exit 77
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
matches() { grep -qE -- "$2" "$1"; }
well_formed() { python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1"; }

# Two ranks with one thread each, 30 us. Rank 0: 30 us busy. Rank 1: waits 10 us for a tile, works 10, waits 5, ends;
# its second thread never works.
cat > run.json << 'END'
{"traceEvents": [
{"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "rank 0 <node>"}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "thread 1"}},
{"ph": "X", "name": "potrf", "pid": 0, "tid": 0, "ts": 1000, "dur": 10, "args": {"i": 0, "j": 0, "k": 0}},
{"ph": "X", "name": "gemm", "pid": 0, "tid": 0, "ts": 1010, "dur": 20, "args": {"i": 2, "j": 1, "k": 0, "updates": 3}},
{"ph": "b", "cat": "wait", "name": "wait", "id": 1, "pid": 1, "tid": 0, "ts": 990},
{"ph": "e", "cat": "wait", "name": "wait", "id": 1, "pid": 1, "tid": 0, "ts": 1010},
{"ph": "b", "cat": "fetch", "name": "fetch", "id": "1.1", "pid": 1, "tid": 0, "ts": 980},
{"ph": "e", "cat": "fetch", "name": "fetch", "id": "1.1", "pid": 1, "tid": 0, "ts": 1009},
{"ph": "b", "cat": "wait", "name": "wait", "id": 1, "pid": 1, "tid": 0, "ts": 1020},
{"ph": "e", "cat": "wait", "name": "wait", "id": 1, "pid": 1, "tid": 0, "ts": 1025},
{"ph": "s", "cat": "transfer", "name": "transfer", "id": 7, "pid": 0, "tid": 0, "ts": 1010},
{"ph": "f", "cat": "transfer", "name": "transfer", "id": 7, "pid": 1, "tid": 0, "ts": 1011},
{"ph": "X", "name": "trsm", "pid": 1, "tid": 0, "ts": 1010, "dur": 10}]}
END
check "it succeeds" ends 0 python3 "$gantt" --summary run.json -o run.svg
check "tasks and lanes" matches out 'run.json: 3 tasks on 2 ranks, 3 lanes'
check "makespan" matches out 'makespan 0.000030 s'
check "busy: 40 of 90 us" matches out 'busy 44.4 %, idle 55.6 %'
check "no task: 15 us, 10 of them until a tile came" matches out '\(no task ready 16.7 %, of it waiting for remote tiles 11.1 %\)'
check "thirds" matches out 'last third: 66.7 %, 33.3 %, 66.7 %'
check "merged updates" matches out '^gemm +1 +3 +0.000020'
check "lanes" matches out '^rank 1, thread 0 +1 +0.000010 +33.3% +50.0% +33.3%'
check "a transfer" matches out '^transfers 1$'
check "the picture is XML" well_formed run.svg
check "the picture tells the same of no task" matches run.svg '>no task ready 16.7 %<'
check "and of remote tiles" matches run.svg '>of it waiting for remote tiles 11.1 %<'
check "a tooltip" matches run.svg '<title>gemm i 2 j 1 k 0 updates 3: 20 µs from 10 µs</title>'
python3 "$gantt" - < run.json > out 2> err
check "from stdin to stdout" matches out '^</svg>$'

# trace KERNEL...: one task of each.
trace() {
    local k n=0
    printf '{"traceEvents": ['
    for k; do
        printf '%s{"ph": "X", "name": "%s", "pid": 0, "tid": 0, "ts": %d, "dur": 10}\n' "$([ $n = 0 ] || echo ,)" "$k" $((10 * n))
        n=$((n + 1))
    done
    echo ']}'
}
# apart FILE: in light and in dark, for whoever sees all colours, and for those who lack one kind of cone (Machado, Oliveira,
# Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG 2009, table 1), no two colours of
# the legend are nearer than 15 in CIE L*a*b*, several times what can just be seen.
apart() {
    python3 - "$1" << 'END'
import itertools, re, sys
svg = open(sys.argv[1], encoding="utf-8").read()
styles = svg[svg.index("<style>"):svg.index("</style>")].split("@media")
legend = re.findall(r'<rect [^>]*height="12" class="f-([a-z]+)"/>\n<text[^>]*>([^<]+?)(?:  [^<]*)?</text>', svg)
if len(legend) < 4:
    sys.exit("there is no legend")
cones = {"all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
         "no L": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
         "no M": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
         "no S": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))}

def lab(colour, seen):
    rgb = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    rgb = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    r, g, b = (min(1, max(0, sum(w * c for w, c in zip(row, rgb)))) for row in seen)
    xyz = ((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047, 0.2126 * r + 0.7152 * g + 0.0722 * b,
           (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)

near = []
for style in styles:
    colour = dict(re.findall(r"\.f-([a-z]+)\{fill:(#[0-9a-f]+)\}", style))
    for (role, kernel), (other_role, other) in itertools.combinations(legend, 2):
        for who, seen in cones.items():
            a, b = lab(colour[role], seen), lab(colour[other_role], seen)
            distance = sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5
            if distance < 15:
                near.append(f"{kernel} {colour[role]} and {other} {colour[other_role]} are {distance:.1f} apart, cones: {who}")
sys.exit("\n".join(near) or None)
END
}
for kernels in "potrf trsm syrk gemm" "getrf trsm gemm" "pivots laswp stack trsm gemm" "geqrt tpqrt stack trmm add gemm"; do
    # shellcheck disable=SC2086  # a list
    trace $kernels "hand over" > run.json
    python3 "$gantt" run.json --width 700 > run.svg 2> err
    check "colours that can be told apart: $kernels" apart run.svg
done
mapfile -t kernels < <(sed -n '/facts\[TASK_KINDS\]/,/^}/p' "$(dirname "$gantt")/../omp/task_kinds.c" |
    grep -oE '"[a-z ]+"' | tr -d '"' | grep -vxE 'upload|download|across')
check "the kernels are found" [ ${#kernels[@]} -gt 10 ]
trace "${kernels[@]}" > run.json
python3 "$gantt" run.json > run.svg 2> err
check "none has the colour of unknown ones" ends 1 grep 'class="f-other"' run.svg

for bad in '{"traceEvents": []}' '{}' '[{"ph": "X"}]' 'no'; do
    echo "$bad" > bad.json
    check "refused: $bad" ends 1 python3 "$gantt" bad.json
    check "in one line: $bad" [ "$(wc -l < err)" = 1 ]
done
sum_up
