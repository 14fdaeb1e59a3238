#!/usr/bin/env bash
# Pages in a browser: their script ends without an error, and draws. Skipped without Chromium.
#   OMPFACT   the command    MPIEXEC   launcher, options included    (make check passes both)
#   CHROMIUM  the browser
set -u
ompfact=${OMPFACT:?is not set: the built command}
read -ra mpiexec <<< "${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}"
chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
[ -n "$chromium" ] || exit 77
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
export OMP_NUM_THREADS=1 HOME=$PWD

# opened FILE CHARTS: opens a page, writes its elements after all scripts to dom, and the browser's messages to messages. A
# chart is drawn in a frame, and a browser on a busy machine may end before its first frame, so there are three tries.
opened() {
    local try
    for try in 1 2 3; do
        open_once "$1" && drawn "$2" && return
        echo "try $try: $1 is not drawn yet"
    done
    [ -s dom ]
}
open_once() {
    timeout 120 "$chromium" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --disable-background-networking --user-data-dir="$PWD/profile" --enable-logging=stderr --v=0 --virtual-time-budget=5000 \
        --window-size=1280,900 --dump-dom "file://$PWD/$1" > dom 2> messages
}
quiet() { ! grep -q 'CONSOLE.*\(Uncaught\|Error\)' messages; }
drawn() { [ "$(grep -o 'lanes busy [0-9]* %' dom | grep -c .)" = "$1" ]; }
# The last action of the script.
tips() { grep -q 'data-tip="rank 0' dom && ! grep -q '<svg.*<title' dom; }

"${mpiexec[@]}" -n 3 "$ompfact" --dim 300 --nb 30 --threads 1 --quiet --trace a.json --report a.html potrf < /dev/null || exit 1
"${mpiexec[@]}" -n 2 "$ompfact" --dim 200 --nb 30 --threads 2 --quiet --trace b.json getrf < /dev/null || exit 1
opened a.html 1 || { echo "this browser does not start: $(tail -n 1 messages)"; exit 77; }
check "a page opens" test -s dom
check "it opens without an error" quiet
check "its chart is drawn" drawn 1
check "its script runs to its end" tips
"$ompfact" compare a.json b.json --report both.html > table < /dev/null
opened both.html 2
check "a comparison opens without an error" quiet
check "both charts are drawn" drawn 2
sum_up
