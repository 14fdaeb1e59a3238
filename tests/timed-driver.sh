#!/usr/bin/env bash
# Automake's test driver. It also writes the seconds that the test took to the test's .trs file, which times.sh reads.
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
