#!/usr/bin/env bash
# The examples that plan, in C and in Fortran, print the command's figures for the same job. (Python's:
# tests/python/test_plan.py.)
#   OMPFACT   the command    top_builddir   where it was built, and the examples    (make check passes both)
set -u
ompfact=${OMPFACT:?is not set: the built command}
examples=${top_builddir:?is not set: the folder of the build}/examples
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^\",}]*\).*/\1/p" "$1"; }
is() { [ "$1" = "$2" ]; }

start 'ompfact --dry-run' "$ompfact" --dry-run --ranks 23 --threads 64 --dim 50000 --wire 100gbit --json dry --quiet potrf
check "the dry run runs" is "$status" 0
for example in cholesky_forecast cholesky_forecast_fortran; do
    [ -x "$examples/$example" ] || continue
    start "$example" "$examples/$example"
    check "$example runs" is "$status" 0
    mv out printed
    check "$example prints layout, sizes, balance and bounds" is "$(wc -l < printed)" 11
    while read -r key number; do
        counted=$(value dry "$key")
        [ "$key" = layout ] || counted=$(printf '%.6g' "$counted") number=$(printf "%.6g" "$number")
        check "$example: $key is the dry run's" is "$number" "$counted"
    done < printed
done
sum_up
