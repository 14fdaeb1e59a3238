#!/usr/bin/env bash
# Pages and traces: --report, --trace, ompfact report.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# ---- pages ---------------------------------------------------------------------------------------------------------------------

# facts FILE: all of a page's facts, id and value.
facts() { grep -o '<data id="[^"]*" value="[^"]*"' "$1" | sort; }
for arguments in "potrf" "--pivot tournament getrf" "geqrf" "--uplo u posv" "--copies 2 potrf" "--matrix kkt:30 --butterfly 0 sytrf"; do
    # shellcheck disable=SC2086  # several arguments
    run 3 --dim 200 --nb 20 --threads 2 --quiet --json j --trace t.json --report t1.html $arguments
    check "$arguments: a run writes a page" ends_with 0
    check "$arguments: the run prints nothing on stderr" lines err 0
    run 0 report t.json t2.html
    check "$arguments: ompfact report writes a page from the trace" ends_with 0
    check "$arguments: both pages are the same" same t1.html t2.html
    check "$arguments: the page has the cause that limited the run" grep -q '<p id="limit" data-by="[a-z]*"' t1.html
    check "$arguments: the page has the run's number of transfers" test "$(grep -o 'data-transfers="[0-9]*' t1.html | awk -F'"' '{ n += $2 } END { print n }')" = \
        "$(value j transfers)"
    check "$arguments: the page has a map for each layer" test "$(grep -o 'The owners of 10 by 10 tiles' t1.html | grep -c .)" = "$(value j copies)"
    check "$arguments: the page has more than twenty facts" test "$(facts t1.html | grep -c .)" -gt 20
done
check "a page has the inertia of a matrix with constraints" test "$(facts t1.html | grep -c 'id="inertia_[a-z]*" value="\(170\|30\|0\)"')" = 3
check "a page names the factorization in its title" says t1.html '<h1>Symmetric indefinite factorization'
run 0 report t.json
check "the name of the page follows from the name of the trace" same t1.html t.html
head -c 3000 t.json > cut.json
for trace in cut.json j /nonexistent.json; do
    run 0 report $trace no.html
    check "report $trace is refused" ends_with 2
    check "the refusal of $trace is one line" lines err 1
    check "the refusal of $trace names the file" says err $trace
done
run 0 report t.json /nonexistent/no.html
check "a page in a missing folder is refused" ends_with 2
run 0 report t.json t.json
check "a page with the name of its trace is refused" ends_with 2
run 0 compare t.json t.json --report twice.html
check "ompfact compare writes a page from two traces" ends_with 0
run 0 compare t.json t.json --report t.json
check "a comparison with the name of one of its traces is refused" ends_with 2
check "a trace compared with itself has no changed facts" test "$(grep -c data-changed twice.html)" = 0
check "the comparison has the charts of both traces" says twice.html 'id="fig-gantt-b"'
for arguments in "potrf" "--uplo u posv" "--pivot none getrf"; do
    # shellcheck disable=SC2086  # several arguments
    run 3 --matrix sqexp:0.1,2 --dim 300 --nb 20 --accuracy 1e-4 --quiet --json j --tile-ranks ranks --trace t.json --report t1.html $arguments
    check "$arguments, compressed: a run writes a page" ends_with 0
    run 0 report t.json t2.html
    check "$arguments, compressed: the page from the trace is the same" same t1.html t2.html
    check "$arguments, compressed: the page has a map of ranks" says t1.html 'id="fig-ranks"'
    # compressed and dense tiles of the factors, as the map of ranks has them; both files have two maps
    for tiles in '-[0-9]' '[0-9]*'; do
        check "$arguments, compressed: the page has as many tiles of ranks $tiles as the file of ranks" test \
            "$(grep -o "data-tile-rank=\"$tiles\" data-tiles=\"[0-9]*" t1.html | awk -F'"' '{ n += $4 } END { print n }')" = \
            "$(grep -v '^15 15$' ranks | tr ' ' '\n' | grep -v '^-2$' | grep -cx -e "$tiles")"
    done
done
sed 's/"largest":[0-9]*/"largest":0/' t.json > cut.json
run 0 report cut.json no.html
check "a trace with ranks above its largest rank is refused" ends_with 2
check "the refusal of such a trace is one line" lines err 1
run 3 --matrix matern12:0.05,1 --dim 300 --nb 20 --tile-precision 1e-7 --quiet --json j --trace t.json --report t1.html --plot p.svg potrf
check "tiles of mixed precision: a run writes a page" ends_with 0
run 0 report t.json t2.html
check "tiles of mixed precision: the page from the trace is the same" same t1.html t2.html
check "tiles of mixed precision: the page has a map of precisions" says t1.html 'id="fig-precisions"'
check "tiles of mixed precision: the map has as many tiles in single as JSON" test "$(grep -o 'data-in-single="100" data-tiles="[0-9]*' t1.html | head -1 | grep -o '[0-9]*$')" = \
    "$(grep -o '"tiles_by_precision": \[[0-9]*, [0-9]*' j | grep -o '[0-9]*$')"
check "tiles of mixed precision: the picture has as many tiles in single as JSON" test "$(grep 'class="narrow"' p.svg | head -1 | grep -o 'h[0-9]*v' | tr -d hv | awk '{ n += $1 } END { print n }')" = \
    "$(grep -o '"tiles_by_precision": \[[0-9]*, [0-9]*' j | grep -o '[0-9]*$')"
run 0 --dry-run --ranks 3 --matrix matern12:0.05,1 --dim 300 --nb 20 --tile-precision 1e-7 --quiet --plot dry.svg potrf
check "tiles of mixed precision: a dry run draws the same picture" same dry.svg p.svg
run 3 --dim 200 --nb 20 --quiet --report t1.html potrf
check "dense tiles have no map of ranks" test "$(grep -c fig-ranks t1.html)" = 0
check "tiles of one precision have no map of precisions" test "$(grep -c fig-precisions t1.html)" = 0
refused --report --report - potrf
run 0 --dry-run --ranks 2 --report no.html potrf
check "a dry run writes no page" test ! -e no.html
check "a dry run reports that --report is ignored" says err "ignored: --report"

sum_up
