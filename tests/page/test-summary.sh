#!/usr/bin/env bash
# `ompfact report --summary` of a small trace with known figures; and colours of kernels that people can distinguish.
#   OMPFACT   the command    (make check passes it)
set -u
ompfact=${OMPFACT:?is not set: the built command}
css=$(cd "$(dirname "$0")/../../src/page" && pwd)/page.css
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
matches() { grep -qE -- "$2" "$1"; }

# Two ranks with one thread each, 30 us. Rank 0 is busy for 30 us. Rank 1 waits 10 us for a tile, works 10, waits 5, and ends.
# Its second thread never works.
cat > run.json << 'END_OF_TRACE'
{"traceEvents": [
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "thread 1"}},
{"ph": "X", "name": "potrf", "pid": 0, "tid": 0, "ts": 0, "dur": 10, "args": {"i": 0, "j": 0, "k": 0}},
{"ph": "X", "name": "gemm", "pid": 0, "tid": 0, "ts": 10, "dur": 20, "args": {"i": 2, "j": 1, "k": 0, "updates": 3}},
{"ph": "b", "cat": "wait", "name": "wait", "id": "1.1", "pid": 1, "tid": 0, "ts": 0},
{"ph": "e", "cat": "wait", "name": "wait", "id": "1.1", "pid": 1, "tid": 0, "ts": 10},
{"ph": "b", "cat": "fetch", "name": "fetch", "id": "1.2", "pid": 1, "tid": 0, "ts": 0, "args": {"from": 0}},
{"ph": "e", "cat": "fetch", "name": "fetch", "id": "1.2", "pid": 1, "tid": 0, "ts": 9},
{"ph": "b", "cat": "wait", "name": "wait", "id": "1.3", "pid": 1, "tid": 0, "ts": 20},
{"ph": "e", "cat": "wait", "name": "wait", "id": "1.3", "pid": 1, "tid": 0, "ts": 25},
{"ph": "s", "cat": "transfer", "name": "transfer", "id": 7, "pid": 0, "tid": 0, "ts": 10},
{"ph": "f", "cat": "transfer", "name": "transfer", "id": 7, "pid": 1, "tid": 0, "ts": 11},
{"ph": "X", "name": "trsm", "pid": 1, "tid": 0, "ts": 10, "dur": 10}]}
END_OF_TRACE
check "the summary succeeds" ends 0 "$ompfact" report --summary run.json
check "the summary counts tasks, ranks and threads" matches out '^3 tasks on 2 ranks, 3 threads$'
check "it has the makespan" matches out '^makespan 0.000030 s$'
check "busy time is 40 of 90 us" matches out '^busy 44.4 %, idle 55.6 %'
check "there is no task for 15 us, 10 of them until a tile arrives" matches out '\(no task ready 16.7 %, of it waiting for remote tiles 11.1 %\)'
check "the last third has a share of each lane" matches out 'last third: 66.7 %, 33.3 %, 66.7 %'
check "merged updates count each" matches out '^gemm +3 +0.000020'
check "each lane has a line" matches out '^1 +thread 0 +1 +0.000010 +33.3% +50.0% +33.3%'
check "the transfer is counted" matches out '^transfers 1$'
sed 's/thread 1/\\u001b[2J/' run.json > odd.json
check "a trace whose name would clear the screen is read" ends 0 "$ompfact" report --summary odd.json
check "the name is printed without control characters" matches out '^1 +\?\[2J +0 '
check "no page is written" [ ! -e run.html ]
check "a page is written where one is named" ends 0 "$ompfact" report run.json --summary page.html
check "the page is complete" matches page.html '^</html>$'
for bad in '{"traceEvents": []}' '{}' '[{"ph": "X"}]' 'no'; do
    echo "$bad" > bad.json
    check "refused: $bad" ends 2 "$ompfact" report --summary bad.json
    check "the message is one line: $bad" [ "$(wc -l < err)" = 1 ]
done

# In the light and the dark style, for people who see all colours and for people who lack one kind of cone (Machado, Oliveira,
# Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG 2009, table 1), any two colours
# of neighbouring kernels are at least 15 apart in CIE L*a*b*, which is several times the smallest visible difference.
apart() {
    "${PYTHON:-python3}" - "$css" << 'END_OF_PROGRAM'
import itertools, re, sys
met = ("diagonal triangle symmetric update send", "search exchange gather triangle update send",
       "diagonal search gather triangle exchange update send")
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

light, dark = {}, {}
for role, colour in re.findall(r"--([a-z]+): (#[0-9a-f]{6})", open(sys.argv[1], encoding="utf-8").read()):
    (dark if role in light else light)[role] = colour
near = []
for colour, roles, (who, seen) in itertools.product((light, dark), met, cones.items()):
    for one, other in itertools.combinations(roles.split(), 2):
        distance = sum((p - q) ** 2 for p, q in zip(lab(colour[one], seen), lab(colour[other], seen))) ** 0.5
        if distance < 15:
            near.append(f"{one} {colour[one]} and {other} {colour[other]} are {distance:.1f} apart, cones: {who}")
sys.exit("\n".join(near) or None)
END_OF_PROGRAM
}
if command -v "${PYTHON:-python3}" > /dev/null; then
    check "colours of kernels can be distinguished" apart
fi
sum_up
