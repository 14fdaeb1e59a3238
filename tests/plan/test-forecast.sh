#!/usr/bin/env bash
# The example that plans tells what the command tells of the same job.
#   OMPFACT   the command    top_builddir   where it was built, and the example    (make check passes both)
set -u
ompfact=${OMPFACT:?is not set: the built command}
example=${top_builddir:?is not set: the folder of the build}/examples/cholesky_forecast
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^\",}]*\).*/\1/p" "$1"; }
is() { [ "$1" = "$2" ]; }

start example "$example"
check "the example runs" is "$status" 0
mv out told
check "it tells of layout, sizes, balance and bounds" is "$(wc -l < told)" 11
start 'ompfact --dry-run' "$ompfact" --dry-run --ranks 23 --threads 64 --dim 50000 --wire 100gbit --json dry --quiet potrf
check "the dry run runs" is "$status" 0
while read -r key number; do
    counted=$(value dry "$key")
    [ "$key" = layout ] || counted=$(printf '%.6g' "$counted") number=$(printf "%.6g" "$number")
    check "$key is the dry run's" is "$number" "$counted"
done < told
sum_up
