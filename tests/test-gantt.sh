#!/usr/bin/env bash
# bench/gantt on a small trace whose figures are known: the summary, the picture, and what it refuses.
set -u
gantt=$(cd "$(dirname "$0")/../bench" && pwd)/gantt
command -v python3 > /dev/null || exit 77
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 99

failures=0
# check WHAT CONDITION...: the condition is a command.
check() {
    local what=$1
    shift
    "$@" && return
    failures=$((failures + 1))
    printf 'test-gantt: %s: not so: %s\n' "$what" "$*"
    sed 's/^/    /' out err
}
says() { grep -qE -- "$2" "$1"; }
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
python3 "$gantt" --summary run.json -o run.svg > out 2> err
check "it succeeds" [ $? = 0 ]
check "tasks and lanes" says out 'run.json: 3 tasks on 2 ranks, 3 lanes'
check "makespan" says out 'makespan 0.000030 s'
check "busy: 40 of 90 us" says out 'busy 44.4 %, idle 55.6 %'
check "no task: 15 us, 10 of them until a tile came" says out '\(no task ready 16.7 %, of it waiting for remote tiles 11.1 %\)'
check "thirds" says out 'last third: 66.7 %, 33.3 %, 66.7 %'
check "merged updates" says out '^gemm +1 +3 +0.000020'
check "lanes" says out '^rank 1, thread 0 +1 +0.000010 +33.3% +50.0% +33.3%'
check "a transfer" says out '^transfers 1$'
check "the picture is XML" well_formed run.svg
check "a tooltip" says run.svg '<title>gemm i 2 j 1 k 0 updates 3: 20 µs from 10 µs</title>'
python3 "$gantt" - < run.json > out 2> err
check "from stdin to stdout" says out '^</svg>$'

for bad in '{"traceEvents": []}' '{}' '[{"ph": "X"}]' 'no'; do
    echo "$bad" > bad.json
    python3 "$gantt" bad.json > out 2> err
    check "refused: $bad" [ $? = 1 ]
    check "in one line: $bad" [ "$(wc -l < err)" = 1 ]
done
exit $((failures > 0))
