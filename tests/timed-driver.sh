#!/usr/bin/env bash
# Automake's test driver, and the seconds that the test took, in its .trs file. (times.sh lists them.)
set -u
trs=
for ((i = 1; i < $#; i++)); do
    next=$((i + 1))
    [ "${!i}" != --trs-file ] || trs=${!next}
done
bash "$(dirname "$0")/../build-aux/test-driver" "$@"
status=$?
echo ":seconds: $SECONDS" >> "$trs"
exit $status
