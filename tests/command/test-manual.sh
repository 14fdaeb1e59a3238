#!/usr/bin/env bash
# The manual page has the options of --help all and the keys of --help debug, each with the form of its value, and the keys of --json;
# and no others.
#   OMPFACT   the command    (make check passes it)
set -u
ompfact=${OMPFACT:?is not set: the built command}
manual=$(cd "$(dirname "$0")/../../doc" && pwd)/ompfact.1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# heads SECTION: the lines behind .TP, without macros and escapes.
heads() {
    sed 's/\\-/-/g; s/\\f.//g; s/\\ / /g; s/"//g' "$manual" |
        awk -v section="$1" '/^\.SH / { in_it = $2 == section }
                             head && in_it { sub(/^\.[BIR]+ +/, ""); gsub(/ +/, " "); print }
                             { head = /^\.TP/ }'
}

check "--help all succeeds" ends 0 "$ompfact" --help all
grep -oE '^  --[a-z-]+(, -.)?( [^ ]+)?' out | sed 's/^ *//; s/, -.//; s/ *$//' > told
check "--help debug succeeds" ends 0 "$ompfact" --help debug
grep -oE '^  [a-z-]+=[^ ]+' out | sed 's/^ *//' >> told
heads OPTIONS | sed 's/^-., //; s/\[ /[/; s/ \]/]/; s/ | /|/g; s/= /=/' | grep -E '^(--|[a-z-]+=[^ ]+$)' | LC_ALL=C sort > written
LC_ALL=C sort -o told told
check "the command has more than 60 options" [ "$(wc -l < told)" -gt 60 ]
check "the manual and the command have the same options" ends 0 diff told written

: > keys
for run in '--dry-run --ranks 2 potrf' '--accuracy 1e-3 posv' '--tile-precision 1e-3 potrf' sytrf; do
    # shellcheck disable=SC2086  # a list
    check "$run succeeds" ends 0 "$ompfact" --dim 40 --nb 20 --quiet --json row $run
    grep -oE '"[a-z_]+":' row | tr -d '":' >> keys
done
heads JSON | tr -d , | tr -s ' ' '\n' | LC_ALL=C sort -u > written
LC_ALL=C sort -u -o keys keys
check "JSON has more than 80 keys" [ "$(wc -l < keys)" -gt 80 ]
check "the manual and JSON have the same keys" ends 0 diff keys written
sum_up
