#!/usr/bin/env bash
# usage: fuzz.sh PROGRAM [READER...]
# Runs libFuzzer on one reader after the other (default: all). The status is not 0 at the first reader that crashes, hangs, or
# needs much memory; the input that caused this stays in ./fuzz-found/. `make fuzz` builds PROGRAM and runs this script.
#
#   FUZZ_SECONDS  for each reader (default 60)
#
# Inputs that reach new code stay in ./fuzz-corpus/READER/, beside the corpus in the source tree, for the next call.
set -u
seconds=${FUZZ_SECONDS:-60}
program=$1
shift
here=$(dirname "$0")
chosen=("$@")
[ $# -gt 0 ] || read -ra chosen <<< "$(cd "$here/corpus" && echo *)"
mkdir -p fuzz-found
for reader in "${chosen[@]}"; do
    [ -d "$here/corpus/$reader" ] || { echo "fuzz: there is no corpus/$reader"; exit 2; }
    found=fuzz-corpus/$reader log=fuzz-found/$reader.log status=0
    mkdir -p "$found"
    options=(-max_total_time="$seconds" -max_len=6000 -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=1024
        -artifact_prefix="fuzz-found/$reader-" -print_final_stats=1 -verbosity=1)
    [ ! -f "$here/words/$reader.dict" ] || options+=(-dict="$here/words/$reader.dict")
    FUZZ_READER=$reader ASAN_OPTIONS=${ASAN_OPTIONS:-allocator_may_return_null=1} UBSAN_OPTIONS=print_stacktrace=1 \
        UCX_MEM_MMAP_HOOK_MODE=none UCX_MEM_EVENTS=no \
        "$program" "${options[@]}" "$found" "$here/corpus/$reader" > "$log" 2>&1 < /dev/null || status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ $status != 0 ]; then
        grep -v '^#' "$log" | tail -n 60
        echo "fuzz: $reader: status $status after ${runs:-?} executions; the input is in fuzz-found/, all of the output in $log."
        echo "To repeat: FUZZ_READER=$reader UCX_MEM_MMAP_HOOK_MODE=none UCX_MEM_EVENTS=no $program fuzz-found/INPUT"
        exit 1
    fi
    echo "fuzz: $reader: $runs executions in $seconds s, $(sed -n 's/^.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1) places reached"
done
