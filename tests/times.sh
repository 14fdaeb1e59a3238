#!/usr/bin/env bash
# usage: times.sh BUILD
# What each test took when it last ran in that build folder, in seconds, the longest first; the sum is of tests that ran side by
# side.
set -u
cd "${1:?usage: times.sh BUILD}" || exit 2
find . -name '*.trs' -exec awk '
    /^:seconds:/ { print $2, substr(FILENAME, 3, length(FILENAME) - 6) }' {} + | sort -k1,1nr -k2 |
    awk '{ printf "%6d s  %s\n", $1, $2; sum += $1 } END { printf "%6d s  in %d tests\n", sum, NR }'
