#!/usr/bin/env bash
# usage: times.sh BUILD
# Lists the seconds of each test's last run in that build folder, the longest first. The sum exceeds the
# elapsed time where tests ran side by side.
set -u
cd "${1:?usage: times.sh BUILD}" || exit 2
find . -name '*.trs' -exec awk '
    /^:seconds:/ { print $2, substr(FILENAME, 3, length(FILENAME) - 6) }' {} + | sort -k1,1nr -k2 |
    awk '{ printf "%6d s  %s\n", $1, $2; sum += $1 } END { printf "%6d s  in %d tests\n", sum, NR }'
