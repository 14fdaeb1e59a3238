#!/usr/bin/env bash
# The built command from end to end, as a user runs it: exit statuses, one line on errors, reports, files in and out.
#   OMPFACT   the command    MPIEXEC   launcher, options included    (make check passes both)
#   OMPFACT_TEST_TIMEOUT  seconds for each run           (limit.sh); after one that hangs there is no other
set -u
ompfact=${OMPFACT:?is not set: the built command}
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
read -ra mpiexec <<< "${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OMPFACT_CHECKS=${OMPFACT_CHECKS:-1}

# run RANKS ARGUMENTS...: status, out and err. RANKS 0 starts without a launcher.
# MPICH's launcher dies of SIGPIPE, now and then, where all processes end before it has told them everything: it is started again.
run() {
    local ranks=$1 launcher=("${mpiexec[@]}" -n "$1") tries=3
    shift
    [ "$ranks" != 0 ] || launcher=()
    start "${launcher[*]} ompfact $*" "${launcher[@]}" "$ompfact" "$@"
    while [ "$status" = 141 ] && [ "$ranks" != 0 ] && [ $((tries -= 1)) -gt 0 ]; do
        start "${launcher[*]} ompfact $*" "${launcher[@]}" "$ompfact" "$@"
    done
}
ends_with() { [ "$status" = "$1" ]; }
lines() { [ "$(wc -l < "$1")" = "$2" ]; }
# The value of a key in a file of one JSON object.
value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^\",}]*\).*/\1/p" "$1"; }
is() { [ "$(value "$1" "$2")" = "$3" ]; }
same() { cmp -s "$1" "$2"; }
# The numbers of an array .mtx file, in one line.
numbers() { sed '1,/^[0-9]/d' "$1" | awk '{ printf "%s%g", n++ ? " " : "", $1 }'; }
holds() { [ "$(numbers "$1")" = "$2" ]; }

# ---- exit statuses -------------------------------------------------------------------------------------------------------------

for routine in potrf getrf geqrf posv gesv gels; do
    run 3 --dim 70 --nb 16 --check y $routine
    check "$routine passes" ends_with 0
    check "$routine says so" says out pass
    check "$routine is silent on stderr" lines err 0
done
run 2 --dim 40 --nb 8 --matrix rands potrf
check "an indefinite matrix is a numerical failure" ends_with 1
check "and is shown" says out FAILED
OMPI_COMM_WORLD_SIZE=3 run 0 --dim 40
check "another MPI's launcher is bad usage" ends_with 2
check "and it is said" says err "3 processes were started, but each is alone"
run 3 --dim 40 --nb 8 --matrix rands_dominant_zerocol0.5 --quiet --json z getrf
check "a column of zeros is a numerical failure" ends_with 1
check "and info says which" is z info 20
check "whose determinant is not known" is z logdet null
run 2 --dim 40 --nb 8 --check y --tol 1e-30
check "a residual over the tolerance is a numerical failure" ends_with 1

# refused WORDS ARGUMENTS...: status 2, and one line on stderr with the words in it, on two ranks.
refused() {
    local words=$1
    shift
    run 2 "$@"
    check "bad usage" ends_with 2
    check "bad usage is one line" lines err 1
    check "bad usage is explained" says err "$words"
}
refused 'did you mean --dim' --dimm 40
refused 'neither auto nor a number from 0 to 1' --host-share 1.5 --dim 40 geqrf
refused device --devices 99 --dim 40 potrf
refused "'hilbert' is not known" --dim 40 --matrix hilbert
refused "'_dominan' is not known" --dim 40 --matrix rands_dominan
refused 'cond is a number' --dim 40 --matrix svd:cond=big
refused '2dbc:3x3 needs 9 ranks' --layout 2dbc:3x3 --dim 40
refused '/nonexistent.npy' --input /nonexistent.npy potrf
refused 'GiB' --dim 1000000 --nb 1000

# ---- uneven tiles --------------------------------------------------------------------------------------------------------------

for layout in bch bce rs rsp; do
    for routine in potrf 'getrf --pivot none' 'getrf --pivot tournament' geqrf; do
        # shellcheck disable=SC2086  # a routine with its options
        run 5 --dim 240 --nb 30 --layout $layout --blr delta=16,seed=3 --check y --quiet --json j --owners owners $routine
        check "$layout passes" ends_with 0
        check "$layout passes its check" is j status pass
        check "$layout makes the transfers that are counted" is j transfers "$(value j transfers_predicted)"
        # shellcheck disable=SC2086
        run 0 --dry-run --ranks 5 --dim 240 --nb 30 --layout $layout --blr delta=16,seed=3 --quiet --json dry --owners owners.dry $routine
        check "a dry run of $layout has the same owners" same owners owners.dry
        check "and the same load" is dry flops_max_over_mean "$(value j flops_max_over_mean)"
    done
done
printf '4 3\n9 1 1\n1 8 1\n0 0 0\n1 2 3.5\n' > weights
run 2 --dim 40x30 --nb 10 --weights weights --check y --quiet --json j --explain getrf
check "weights are read" ends_with 0
check "and the layout with the least load is taken" says err 'by the weights of the tiles the most loaded rank has least'
check "which is level here" is j flops_max_over_mean 1.018181818181818
run 0 --dry-run --ranks 2 --dim 40x30 --nb 10 --layout 2dbc --weights weights --quiet --json dry geqrf
check "the load of any layout is that of the weights" is dry flops_max_over_mean 1.2
printf '4 3\n9 1 1\n1 -8 1\n0 0 0\n1 2 3\n' > bad
run 0 --dry-run --ranks 2 --dim 40x30 --nb 10 --layout 2dbc --weights weights getrf
check "and a dry run says so" says out 'weights max/mean 1.200'
refused 'bad:3: -8 for the weight of tile (1,1)' --dim 40x30 --nb 10 --weights bad
refused 'weights:1: weights of 4 x 3 tiles, and the matrix has 5 x 3' --dim 41x30 --nb 10 --weights weights
refused '/nonexistent: No such file or directory; wanted a file of weights' --nb 10 --weights /nonexistent
refused 'weights of blr:gamma=1: write' --blr gamma=1
refused 'alpha=1.342 is the least' --dry-run --ranks 5 --layout bce:alpha=1 --dim 40

# ---- nodes ---------------------------------------------------------------------------------------------------------------------

export MPIR_CVAR_NUM_CLIQUES=3 MPIR_CVAR_CLIQUES_BY_BLOCK=1     # MPICH makes nodes of ranks
for routine in potrf 'getrf --pivot none' geqrf; do
    for way in '' '--bcast chain' '--bcast binomial --schedule static' '--jitter 100 --threads 2'; do
        # shellcheck disable=SC2086  # a routine with its options
        run 6 --dim 300x300 --nb 20 --check y --quiet --json j $way $routine
        check "$routine on three nodes passes $way" is j status pass
        check "what crosses was predicted" is j wire_transfers "$(value j wire_transfers_predicted)"
    done
    # shellcheck disable=SC2086
    run 0 --dry-run --ranks 6 --ranks-per-node 2 --dim 300x300 --nb 20 --quiet --json dry $routine
    for key in layout nodes transfers wire_transfers wire_bytes; do
        check "a dry run of $routine foretells $key" is dry $key "$(value j $key)"
    done
done
for way in '' '--pivot partial' '--threads 2 --jitter 100' '--on-node copy'; do
    # shellcheck disable=SC2086
    run 6 --dim 300 --nb 20 --check y --quiet --json j $way gesv
    check "gesv passes on three nodes $way" is j status pass
    check "what crosses was predicted" is j wire_transfers "$(value j wire_transfers_predicted)"
done
first_lines() { head -3 out | grep -q "^tiles between nodes: $1"; }
run 6 --dim 300 --nb 20 --check y --json j --report page.html --explain potrf
check "tiles between nodes are read" is j between_nodes one-sided
check "and the window took some time" test -n "$(value j register_s | grep '^[0-9]')"
proceed=$(value j rma_native)
if [ "$proceed" = true ]; then
    check "a run whose reads proceed says so" first_lines 'one-sided (reads proceed while their owner computes)$'
else
    check "reads proceed or do not" test "$proceed" = false
    check "a run whose reads wait says so" first_lines 'one-sided (reads wait until their owner polls)$'
fi
for file in out page.html; do
    check "$file tells, once, what lets reads go on, where they do not" test "$(grep -c MPICH_ASYNC_PROGRESS $file)" = \
        "$([ "$proceed" = true ] && echo 0 || echo 1)"
done
check "the page has what brings tiles" says page.html '<data id="between_nodes" value="one-sided">'
run 6 --dim 300 --nb 20 --check y --json k --explain --between-nodes messages potrf
check "tiles may be messages" is k between_nodes messages
check "which are no reads" is k rma_native false
check "and said to be such" first_lines 'messages$'
check "with nothing to explain" test -z "$(grep MPICH_ASYNC_PROGRESS out)"
for key in transfers wire_transfers wire_bytes; do
    check "$key are what they are" is k $key "$(value j $key)"
done
run 2 --dim 300 --nb 20 --quiet potrf
check "--quiet prints nothing of nodes" lines out 0
unset MPIR_CVAR_NUM_CLIQUES MPIR_CVAR_CLIQUES_BY_BLOCK
run 3 --dim 200 --nb 20 --json j potrf
check "on one node nothing crosses" is j wire_transfers 0
for key in between_nodes rma_native register_s; do
    check "and $key is not known" is j $key null
done
check "nor anything said" test -z "$(grep 'between nodes' out)"
refused '--between-nodes: "maybe" is not one of one-sided|messages' --between-nodes maybe --dim 40 potrf
refused '--ranks-per-node: "0" is not an integer' --dry-run --ranks 4 --ranks-per-node 0
refused '--ranks-per-node is for --dry-run' --ranks-per-node 2 --dim 40
refused '--wire: "fast" is not RATE[,LATENCY]' --dry-run --ranks 4 --wire fast
refused '--wire is for --dry-run' --wire 1gbit --dim 40

# Limits: the least time of work, wire and chain.
run 0 --dry-run --ranks 6 --wire 1mbit --dim 600 --nb 50 --explain --json dry potrf
check "a thin wire limits a run" says out 'the wire limits this run'
for key in work_bound_s link_bound_s chain_bound_s; do
    check "$key is told" test -n "$(value dry $key | grep '^[1-9.]\|^0\.0*[1-9]')"
done
run 0 --dry-run --ranks 1 --dim 6000 --nb 50 --explain potrf
check "on one node the work does" says out 'the work limits this run'
check "and nothing crosses" says out 'wire 0 s'
# Each rank has a node like this one, or shares it with those that --ranks-per-node says.
foretold() { run 0 --dry-run --ranks 512 --threads 1 --dim 1000 --nb 50 --layout 2dbc --explain "$@" potrf; sed -n "s|.*the model says \([^ ]*\) s.*|\1|p" out; }
check "on one node many ranks are slower" test "$(awk -v a="$(foretold)" -v b="$(foretold --ranks-per-node 512)" 'BEGIN { print (a > 0 && a < b) }')" = 1
run 0 --dry-run --ranks 2 --dim 200 --explain geqrf
check "of QR the work alone is known" test -z "$(grep 'limits:.*\(wire\|chain\)' out)"
run 0 --dry-run --ranks 2 --dim 0 --explain potrf
check "an empty matrix has no limits" test -z "$(grep limits: out)"
run 2 --dim 400 --json k --verbose potrf
run 2 --dim 400 --verbose potrf
check "a run says how far from them it was" test -n "$(grep 'limits: .* the run took .* times the ' out)"
check "which is a table's matter" test -z "$(grep limits: k)"

# ---- simulations ---------------------------------------------------------------------------------------------------------------

cat > platform.xml << 'XML'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="hosts" prefix="h" suffix="" radical="1-4" speed="1e9f" core="2" bw="12.5MBps" lat="10us" sharing_policy="SPLITDUPLEX">
    <prop id="kernel_rates" value="flat"/>
  </cluster>
</platform>
XML
run 0 --simulate platform.xml --ranks 8 --ranks-per-node 2 --dim 300 --nb 30 --quiet --json sim --trace sim.trace potrf
if says err 'needs SimGrid'; then
    check "without SimGrid a simulation is bad usage" ends_with 2
    check "in one line" lines err 1
else
    check "a simulation runs" ends_with 0
    check "and says nothing else" lines err 0
    run 0 --dry-run --ranks 8 --ranks-per-node 2 --dim 300 --nb 30 --quiet --json dry potrf
    for key in layout nodes transfers wire_transfers wire_bytes; do
        check "its $key is a dry run's" is sim $key "$(value dry $key)"
    done
    check "which predicts no time" is dry predicted_s null
    check "its trace has all tasks" [ "$(grep -c '"name":"potrf"' sim.trace)" = 10 ]
    run 0 --simulate platform.xml --dry-run --ranks 2 --dim 90 --nb 30 --quiet --trace sim.trace --output factors.npy --cache 9 potrf
    check "what means nothing is told of, in one line" lines err 1
    check "that names it" says err '--output means nothing beside --simulate'
    check "and the cache" says err '--cache means nothing beside --simulate'
    check "but not the trace, which is written" test -z "$(grep trace err)"
    check "and fetches" says sim.trace '"name":"fetch"'
    for routine in potrf 'getrf --pivot none'; do
        for way in '' '--bcast chain' '--schedule basic' '--schedule static' '--on-node copy --tasks 3'; do
            # shellcheck disable=SC2086  # a routine with its options
            run 0 --simulate platform.xml --ranks 8 --ranks-per-node 2 --dim 300 --nb 30 --quiet --json one $way $routine
            # shellcheck disable=SC2086
            run 0 --simulate platform.xml --ranks 8 --ranks-per-node 2 --dim 300 --nb 30 --quiet --json two $way $routine
            check "the same simulation says the same, $routine $way" is one predicted_s "$(value two predicted_s)"
        done
    done
    run 0 --simulate platform.xml --ranks 3 --dim 100:300:100 --nb 30 potrf
    check "several sizes are several lines" [ "$(grep -c simulated out)" = 3 ]
    run 0 --simulate platform.xml --ranks 1 --threads 1 --dim 300 --nb 30 --quiet --json one potrf
    check "one rank takes its flops over the speed" says one '"predicted_s": 0.009'
    refused 'platform.xml has 4 hosts, and 5 ranks, 1 to a node, want 5' --simulate platform.xml --ranks 5 --dim 40 potrf
    refused 'is built for potrf, and for getrf with --pivot none' --simulate platform.xml --ranks 2 --dim 40 --pivot partial getrf
    refused 'is built for potrf' --simulate platform.xml --ranks 2 --dim 40 geqrf
    refused 'knows no devices' --simulate platform.xml --ranks 2 --dim 40 --devices 1 potrf
    head -c 200 platform.xml > cut.xml
    refused 'cut.xml is no platform that SimGrid can load' --simulate cut.xml --ranks 2 --dim 40 potrf
    sed 's/bw="[^"]*"/bw="0Bps"/' platform.xml > dead.xml
    refused 'dead.xml is no platform that SimGrid can load' --simulate dead.xml --ranks 2 --dim 40 potrf
    sed 's/speed="[^"]*"/speed="0f"/' platform.xml > still.xml
    refused 'still.xml is no platform that SimGrid can load' --simulate still.xml --ranks 2 --dim 40 potrf
    refused 'nonexistent.xml: No such file' --simulate nonexistent.xml --ranks 2 --dim 40 potrf
fi
refused '--simulate wants --ranks P' --simulate platform.xml --dim 40

# ---- reports -------------------------------------------------------------------------------------------------------------------

run 3 --dim 100 --nb 20 --check y --quiet --json j --csv c --map map --owners owners --plot plot potrf
check "reports are written" ends_with 0
check "--quiet prints nothing" lines out 0
check "one object a run" lines j 1
check "one line and a header" lines c 2
check "status" is j status pass
check "transfers" is j transfers "$(value j transfers_predicted)"
check "csv has the columns of json" test "$(head -1 c | tr , '\n' | head -1)" = routine
check "csv has as many values as columns" test "$(head -1 c | tr -dc , | wc -c)" = "$(tail -1 c | tr -dc , | wc -c)"
check "the owners are of 5 x 5 tiles" test "$(head -1 owners)" = "5 5"
if command -v python3 > /dev/null; then
    check "json is JSON" python3 -c '
import json
for line in open("j"):
    run = json.loads(line)
    assert run["routine"] == "potrf" and run["n"] == 100 and run["ranks"] == 3 and run["info"] == 0 and 0 <= run["error"] < 30, run
'
fi
mv map map.run && mv owners owners.run && mv plot plot.run

run 0 --dry-run --ranks 3 --dim 100 --nb 20 --quiet --json dry --map map --owners owners --plot plot potrf
check "a dry run needs no launcher" ends_with 0
check "a dry run counts the same transfers" is dry transfers "$(value j transfers)"
check "and the same tiles" is dry tiles_max "$(value j tiles_max)"
check "and has the same map" same map map.run
check "whose first line is its size" test "$(head -1 map)" = "$(value dry pattern_rows) $(value dry pattern_cols)"
check "and the same owners" same owners owners.run
check "and the same picture" same plot plot.run
check "the picture is SVG" says plot '</svg>'
check "the picture shows what is counted" says plot "tiles to ranks"
run 3 --dim 100 --nb 20 --uplo u --check y --quiet --json u --owners owners.upper potrf
check "the upper triangle passes" ends_with 0
check "and takes as many transfers" is u transfers "$(value j transfers)"
mirrored=$(awk 'NR > 1 { for (j = 1; j <= NF; j++) column[j] = column[j] (NR > 2 ? " " : "") $j }
                END { for (j = 1; j <= NF; j++) print column[j] }' owners)
check "tile (i,j) being where (j,i) was" test "$mirrored" = "$(tail -n +2 owners.upper)"
check "and says which triangle" is u uplo u
run 3 --dim 130x70 --nb 20 --tree flat --ib 4 --pivot partial --storage full --nrhs 3 --quiet --json q geqrf
check "what is not for QR and changes nothing is ignored" ends_with 0
check "and told of in one line" lines err 1
check "by name" says err '--nrhs is for posv, gesv, gels, potrs, getrs and trsm, not for geqrf; --storage is for'
refused '--rcond is for potrf, getrf, posv, gesv, potrs and getrs, not for geqrf' --dim 20 --rcond geqrf
check "geqrf makes the transfers that its loops say" is q transfers "$(value q transfers_predicted)"
check "and names its tree" is q tree flat
check "and no pivoting" is q pivot null
check "and no determinant" is q logdet null
run 0 --dry-run --ranks 3 --dim 130x70 --nb 20 --tree flat --ib 4 --quiet --json dry geqrf
check "a dry run of geqrf counts the same transfers" is dry transfers "$(value q transfers)"
check "and bytes" is dry transfer_bytes "$(value q transfer_bytes)"
check "and the same balance" is dry flops_max_over_mean "$(value q flops_max_over_mean)"
run 0 --dry-run --ranks 3 --dim 130x70 --nb 20 --explain geqrf
chosen() { awk '$1 == "*" && $2 != "auto:" { print $6 }' out; }
counted() { awk '$1 == "transfers" { print $2 }' out; }
check "--explain counts what geqrf moves" test "$(chosen)" = "$(counted)"
for dim in 25x170 170x25; do
    run 3 --dim $dim --nb 10 --quiet --json q gels
    check "gels $dim makes the transfers that its loops say" is q transfers "$(value q transfers_predicted)"
    run 0 --dry-run --ranks 3 --dim $dim --nb 10 --quiet --json dry gels
    check "a dry run of gels $dim counts the same transfers" is dry transfers "$(value q transfers)"
    check "and the same layout" is dry layout "$(value q layout)"
    run 0 --dry-run --ranks 3 --dim $dim --nb 10 --explain gels
    check "--explain counts what gels $dim moves" test "$(chosen)" = "$(counted)"
done
run 3 --dim 130x70 --nb 20 --quiet --json q geqrf
check "auto is a greedy tree" is q tree greedy
run 0 --dry-run --ranks 3 --dim 100 --nb 20 --plot - potrf
check "the picture goes to stdout instead of the table" same out plot.run
run 2 --dim 100 --nb 20 --plot /nonexistent/plot.svg potrf
check "a picture that cannot be written is refused" ends_with 2
check "in one line" lines err 1
check "that names it" says err '--plot /nonexistent/plot.svg'
run 0 --dry-run --ranks 2 --dim 100,0 --quiet --plot plot getrf
check "the last picture of a sweep remains" says plot 'n = 0,'

run 0 --dry-run --ranks 23 --dim 3000 --nb 50 --explain potrf
check "--explain names what there is" says out 'g2dbc'
check "and which is taken" says out '  * design:r=26'
check "and why" says out 'auto: the fewest transfers'
check "and no other number of ranks, where it is a good one" test -z "$(grep 'fewer ranks' out)"
run 0 --dry-run --ranks 4099 --dim 3000 --nb 2 --explain getrf
check "but it names fewer ranks that send much less" says out \
    'fewer ranks: 4096 with 2dbc:64x64 would send 141757140 tiles instead of 1124999500, 87 % fewer, and lose no speed'
run 3 --dim 100 --nb 20 --quiet --explain --layout 2dbc potrf
check "--explain goes to stderr where there is no table" says err 'in use: 2dbc:1x3, as --layout says'
run 0 --dry-run --ranks 7 --layout sbc --dim 100 --nb 20 potrf
check "sbc says for how many ranks it is" says err 'nearest numbers are 6 and 8'

run 2 --dim 100 --nb 20 --quiet --json k --repeat 2 --layout file:map.run getrf
check "a map of three ranks does not serve two" ends_with 2
run 3 --dim 100 --nb 20 --quiet --json k --repeat 2 --layout file:map.run potrf
check "a map serves as a layout" is k transfers "$(value j transfers)
$(value j transfers)"
check "--repeat repeats" lines k 2
run 0 compare j k
check "compare compares" ends_with 0
check "compare shows both" says out potrf
run 0 compare j /nonexistent.json
check "compare misses a file" ends_with 2
check "compare says which" says err /nonexistent.json
run 0 compare j k --report both.html
check "compare writes a page" ends_with 0
check "with both runs" says both.html '<data id="b.transfers"'

# ---- pages ---------------------------------------------------------------------------------------------------------------------

# facts FILE: all of a page's facts, id and value.
facts() { grep -o '<data id="[^"]*" value="[^"]*"' "$1" | sort; }
for arguments in "potrf" "--pivot tournament getrf" "geqrf" "--uplo u posv"; do
    # shellcheck disable=SC2086  # several arguments
    run 3 --dim 200 --nb 20 --threads 2 --quiet --json j --trace t.json --report t1.html $arguments
    check "$arguments: a page" ends_with 0
    check "$arguments: no message" lines err 0
    run 0 report t.json t2.html
    check "$arguments: a page of its trace" ends_with 0
    check "$arguments: the same" same t1.html t2.html
    check "$arguments: what limited it" grep -q '<p id="limit" data-by="[a-z]*"' t1.html
    check "$arguments: its transfers" test "$(grep -o 'data-transfers="[0-9]*' t1.html | awk -F'"' '{ n += $2 } END { print n }')" = \
        "$(value j transfers)"
    check "$arguments: its facts" test "$(facts t1.html | grep -c .)" -gt 20
done
run 0 report t.json
check "the page's name is the trace's" same t1.html t.html
head -c 3000 t.json > cut.json
for trace in cut.json j /nonexistent.json; do
    run 0 report $trace no.html
    check "report $trace is refused" ends_with 2
    check "in one line" lines err 1
    check "that names it" says err $trace
done
run 0 report t.json /nonexistent/no.html
check "a page where there is no folder is refused" ends_with 2
run 0 report t.json t.json
check "a page over its trace is refused" ends_with 2
run 0 compare t.json t.json --report twice.html
check "traces are compared" ends_with 0
run 0 compare t.json t.json --report t.json
check "not over one of them" ends_with 2
check "nothing has changed" test "$(grep -c data-changed twice.html)" = 0
check "chart over chart" says twice.html 'id="fig-gantt-b"'
for arguments in "potrf" "--uplo u posv" "--pivot none getrf"; do
    # shellcheck disable=SC2086  # several arguments
    run 3 --matrix sqexp:0.1,2 --dim 300 --nb 20 --accuracy 1e-4 --quiet --json j --tile-ranks ranks --trace t.json --report t1.html $arguments
    check "$arguments, compressed: a page" ends_with 0
    run 0 report t.json t2.html
    check "$arguments, compressed: the same of its trace" same t1.html t2.html
    check "$arguments, compressed: its ranks" says t1.html 'id="fig-ranks"'
    # compressed and dense tiles of the factors, as the map of ranks has them; both files have two maps
    for tiles in '-[0-9]' '[0-9]*'; do
        check "$arguments, compressed: as many tiles $tiles" test \
            "$(grep -o "data-tile-rank=\"$tiles\" data-tiles=\"[0-9]*" t1.html | awk -F'"' '{ n += $4 } END { print n }')" = \
            "$(grep -v '^15 15$' ranks | tr ' ' '\n' | grep -v '^-2$' | grep -cx -e "$tiles")"
    done
done
sed 's/"largest":[0-9]*/"largest":0/' t.json > cut.json
run 0 report cut.json no.html
check "ranks above the largest are refused" ends_with 2
check "in one line" lines err 1
run 3 --dim 200 --nb 20 --quiet --report t1.html potrf
check "dense tiles have no map of ranks" test "$(grep -c fig-ranks t1.html)" = 0
refused --report --report - potrf
run 0 --dry-run --ranks 2 --report no.html potrf
check "a dry run has no page" test ! -e no.html
check "and says so" says err "ignored: --report"

# ---- completion ----------------------------------------------------------------------------------------------------------------

run 0 --completion bash
cp out completion.bash
offers() {
    # shellcheck disable=SC2016  # for the shell that is started
    bash --norc -c '. ./completion.bash; COMP_WORDS=(ompfact "$@") COMP_CWORD=$#; _ompfact; echo "${COMPREPLY[*]}"' bash "$@"
}
check "words of an option" test "$(offers --schedule '')" = "basic static dynamic"
check "that begin alike" test "$(offers --dim 5 --schedule st)" = static
check "behind a sign" test "$(offers --schedule = d)" = dynamic
check "options" test "$(offers --sched)" = --schedule
check "layouts" test "$(offers --layout g2)" = g2dbc
check "keys" test "$(offers --debug ji)" = jitter=
check "which are no options that are offered" test -z "$(offers --jit)"
check "routines" test "$(offers gel)" = gels
run 0 --completion fish
check "another shell is refused" ends_with 2

# ---- progress ------------------------------------------------------------------------------------------------------------------

run 2 --dim 100 --nb 10 --quiet --progress json getrf
check "progress goes to stderr" says err '"percent": 100'
check "progress is lines of JSON" test -z "$(grep -v '^{"percent": .*"eta_s": .*}$' err)"
run 2 --dim 600 --nb 40 --jitter 20000 --quiet --progress bar getrf
check "a bar that is asked for is lines where stderr is no terminal" \
    test -z "$(grep -v '^ompfact: [0-9]* %, [0-9.]* GFLOP/s, [0-9.]* s left, slowest rank [01]$\|^ompfact: 100 %, ' err)"
check "every few percent, up to 100" \
    test "$(awk '{ if ($2 - last > 15) gaps++; last = $2 } END { print last, gaps + 0 }' err)" = '100 0'
run 2 --dim 100 --nb 10 --quiet getrf
check "which nobody sees who did not ask" lines err 0

# ---- tile sizes ----------------------------------------------------------------------------------------------------------------

ours=$XDG_CACHE_HOME
within() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }
export XDG_CACHE_HOME=$folder/tiles
run 0 --dry-run --ranks 5 --dim 3000 --quiet --json dry potrf
check "a dry run chooses a tile size" within "$(value dry nb)" 32 1500
run 2 --dim 600 --nb 100 --quiet --json j potrf
check "one that is given is kept" is j nb 100
run 2 --dim 600 --measure n --quiet --json j potrf
check "--measure n takes one" within "$(value j nb)" 32 300
check "none of these measures, or makes a folder" test ! -e "$XDG_CACHE_HOME"
for ranks in 1 2 3 7; do
    run $ranks --dim 500 --threads 2 --check y --quiet --json j potrf
    check "$ranks ranks choose a tile size" within "$(value j nb)" 32 250
    check "and pass with it" is j status pass
    run $ranks --dim 500 --threads 1 --nb auto --quiet --json auto potrf
    check "--nb auto is the default, and takes the same once more, whatever the threads" is auto nb "$(value j nb)"
done
check "what was measured is in one file" test "$(find "$XDG_CACHE_HOME" -type f | wc -l)" = 1
run 2 --dim 500 --quiet --json j --explain potrf
check "--explain tells of it" says err 'kernels as a run has measured them; ompfact --tune measures more'
before=$(find "$XDG_CACHE_HOME" -type f -exec cksum {} +)
run 0 --dry-run --ranks 2 --dim 500 --explain potrf
check "a dry run looks at it" says out 'kernels as a run has measured them'
check "and leaves it" test "$before" = "$(find "$XDG_CACHE_HOME" -type f -exec cksum {} +)"
for routine in getrf geqrf gels; do
    for dim in 500x90 90x500 3000x20 20 1 0; do
        run 3 --dim $dim --check y --quiet --json j $routine
        check "$routine $dim ends well with the default tile size" ends_with 0
        check "and passes" is j status pass
        run 0 --dry-run --ranks 3 --dim $dim --nb "$(value j nb)" --quiet --json dry $routine
        check "which is reported" is dry transfers "$(value j transfers)"
    done
done
run 2 --dim 300,600 --nb auto,64 --type d,s --quiet --json j potrf
check "a sweep may leave some sizes open" lines j 8
for type in s d c z; do
    run 2 --dim 400 --type $type --check y --quiet --json j getrf
    check "type $type passes with the default tile size" is j status pass
done
touch taken
for place in /proc/no-such-folder "$folder/taken" /dev/null; do
    XDG_CACHE_HOME=$place run 2 --dim 600 --check y getrf
    check "a cache folder that cannot be made is no error" ends_with 0
    check "and not told of" lines err 0
done
mkdir -p readonly/ompfact && chmod 500 readonly readonly/ompfact
XDG_CACHE_HOME=$folder/readonly run 2 --dim 600 --check y getrf
check "nor is one that cannot be written" ends_with 0
check "nor is that told of" lines err 0
chmod -R 700 readonly
refused '--nb must say how large they are' --dim 40 --weights weights
mkdir -p "$XDG_CACHE_HOME/fresh/ompfact"
export XDG_CACHE_HOME=$XDG_CACHE_HOME/fresh
run 2 --dim 100 --nb 50 --explain getrf
check "--explain misses the measured rates" says out 'machine: not measured, typical rates'
check "and says what a tile size costs" says out 'tile size 50: the model says'
echo damaged > "$XDG_CACHE_HOME/ompfact/machine"
run 0 --dry-run --ranks 2 --dim 100 --nb auto --explain getrf
check "a damaged file of rates is no error" ends_with 0
check "but is named" says out "$XDG_CACHE_HOME/ompfact/machine, line 1: not understood"
rm "$XDG_CACHE_HOME/ompfact/machine"
run 0 --dry-run --ranks 2 --dim 100 --nb 20 --devices 2 --explain --plot plot getrf
check "--explain misses the rates of devices" says out 'devices: not measured; ompfact --tune --devices 2 measures them'
check "and does not know the share of the host" says out 'in use: to be measured when a run starts'
check "nor does the picture" says plot 'a run measures how many columns stay on the host'
run 0 --dry-run --ranks 2 --dim 100 --nb 20 --devices 2 --host-share 0.25 --explain --plot plot getrf
check "but for one that is given" says out 'in use: 0.25, as --host-share says'
check "which the picture shows" says plot '25.0 % of the columns of a tile on the host'
export XDG_CACHE_HOME=$ours

# ---- help ----------------------------------------------------------------------------------------------------------------------

run 0 --help
check "--help helps" says out 'mpiexec -n P ompfact'
cp out help
run 0 --dim 20 -h
check "-h is the same" same out help
check "it fits a screen" test "$(fold -w 100 out | wc -l)" -le 60
run 0 --help all
check "--help all has what it leaves out" says out --ib
run 0 --help debug
check "--help debug has keys" says out jitter=US
run 2 --debug jitter=100,tasks=5 --dim 60 --nb 20 --check y potrf
check "which a run takes" ends_with 0
run 0 --version
check "--version tells it" says out ompfact

# ---- inverses --------------------------------------------------------------------------------------------------------------------

for routine in potri getri trtri; do
    run 3 --dim 100 --nb 16 --type s,d,c,z --check y $routine
    check "$routine passes" ends_with 0
    check "$routine is silent on stderr" lines err 0
    run 2 --dim 100 --nb 16 --check y --quiet --json j $routine
    check "$routine has no factors to tell of" is j logdet null
    check "$routine's transfers are what its loops foresee" is j transfers "$(value j transfers_predicted)"
    refused "not for $routine" --dim 20 --rcond $routine
    refused "not for $routine" --dim 20 --trace t $routine
    run 3 --dim 100 --nb 16 --quiet --json j $routine
    run 0 --dim 100 --nb 16 --quiet --json dry --dry-run --ranks 3 $routine
    check "$routine's dry run takes the same layout" is dry layout "$(value j layout)"
    check "$routine's dry run knows its transfers" is dry transfers "$(value j transfers)"
    run 0 --dim 100 --nb 16 --dry-run --ranks 3 --explain $routine
    check "$routine's layouts are explained" says out "$(value dry layout)"
    run 2 --dim 20 --nb 4 --output X.npy $routine
    check "$routine writes its inverse and says nothing" lines err 0
done
printf '%%%%MatrixMarket matrix array real general\n2 2\n4\n2\n2\n2\n' > A.mtx
run 2 --input A.mtx --nb 1 --output X.mtx potri
check "potri writes its triangle" holds X.mtx '0.5 -0.5 0 1'
run 2 --input A.mtx --nb 1 --uplo u --output X.mtx potri
check "potri --uplo u writes the upper one" holds X.mtx '0.5 0 -0.5 1'
run 2 --input A.mtx --nb 1 --output X.mtx getri
check "getri writes all of it" holds X.mtx '0.5 -0.5 -0.5 1'
run 2 --input A.mtx --nb 1 --output X.mtx trtri
check "trtri inverts the triangle" holds X.mtx '0.25 -0.25 0 0.5'
printf '%%%%MatrixMarket matrix array real general\n2 2\n4\n2\n2\n0\n' > A.mtx
run 2 --input A.mtx --nb 1 trtri
check "a triangle with a zero on its diagonal has no inverse" ends_with 1
check "and the place is told" says out 'element (2,2) is zero'

# ---- solves alone --------------------------------------------------------------------------------------------------------------

for routine in potrs getrs trsm; do
    run 3 --dim 100 --nb 16 --nrhs 40 --type s,d,c,z --check y $routine
    check "$routine passes" ends_with 0
    check "$routine is silent on stderr" lines err 0
    check "$routine has right-hand sides" says out nrhs
    check "and times nothing but their solve" test -z "$(grep 'solve(s)' out)"
    run 5 --dim 30 --nb 2 --nrhs 3 --check y --quiet --json j $routine
    check "$routine passes on many tiles" is j status pass
    check "$routine's transfers are what its loops foresee" is j transfers "$(value j transfers_predicted)"
    check "$routine has no other solve to report" test -z "$(grep solve_time_s j)"
    run 2 --dim 60 --nb 20 --check y --tol 1e-30 $routine
    check "$routine's residual is computed" ends_with 1
    run 2 --dim 0 --check y $routine
    check "$routine of nothing passes" ends_with 0
    refused "not for $routine" --dim 20 --dry-run --ranks 3 $routine
    refused "not for $routine" --dim 20 --explain $routine
    refused "not for $routine" --dim 20 --trace t $routine
    refused "not for $routine" --dim 20 --refine $routine
done
for routine in potrs trsm; do
    run 3 --dim 100 --nb 16 --nrhs 40 --type d,z --uplo u --layout sbc --check y $routine
    check "$routine --uplo u passes" ends_with 0
done
printf '%%%%MatrixMarket matrix array real general\n2 2\n4\n2\n2\n2\n' > A.mtx
printf '%%%%MatrixMarket matrix array real general\n2 2\n8\n6\n4\n2\n' > B.mtx
for routine in potrs getrs; do
    run 2 --input A.mtx --rhs B.mtx --nb 1 --rcond --quiet --json j --output X.mtx $routine
    check "$routine solves" holds X.mtx '1 2 1 0'
    check "$routine counts the file's right-hand sides" is j nrhs 2
    check "$routine leaves factors, which tell the condition" test "$(value j rcond | cut -c 1-5)" = 0.111
    check "and the determinant" test "$(value j logdet | cut -c 1-5)" = 1.386
done
run 2 --input A.mtx --rhs B.mtx --nb 1 --pivot partial --ipiv ipiv.txt getrs
check "getrs writes its pivots" test "$(tr '\n' ' ' < ipiv.txt)" = "1 2 "
run 2 --input A.mtx --rhs B.mtx --nb 1 --output X.mtx trsm
check "trsm solves with the lower triangle" holds X.mtx '2 1 1 0'
run 2 --input A.mtx --rhs B.mtx --nb 1 --uplo u --output X.mtx trsm
check "trsm --uplo u with the upper one" holds X.mtx '0.5 3 0.5 1'
refused '--rcond is for potrf, getrf, posv, gesv, potrs and getrs, not for trsm' --dim 20 --rcond trsm
run 2 --dim 40 --nb 8 --matrix rands potrs
check "an indefinite matrix is a numerical failure" ends_with 1

# ---- refinement and condition --------------------------------------------------------------------------------------------------

for routine in posv gesv; do
    run 3 --dim 100 --nb 20 --check y --quiet --refine --json j $routine
    check "$routine --refine passes" is j status pass
    check "$routine --refine refines" test "$(value j refine_iterations)" -ge 1
    run 3 --dim 100 --nb 20 --check y --quiet --refine gmres --json j $routine
    check "$routine --refine gmres passes" is j status pass
    check "$routine --refine gmres refines" test "$(value j refine_iterations)" -ge 1
    run 2 --dim 60 --nb 20 --check y --matrix hilb --refine --json j $routine
    check "$routine --refine falls back" test "$(value j refine_iterations)" -lt 0
    run 2 --dim 60 --nb 20 --matrix hilb --refine $routine
    check "$routine --refine says so" says out 'refinement fell back to double: '
done
run 2 --dim 100 --nb 20 --check y --quiet --matrix svd_cluster1:cond=1e10 --refine gmres --json j gesv
check "--refine gmres solves where the classic way gives up" test "$(value j refine_iterations)" -ge 1
refused '--refine is for posv and gesv, not for potrf' --dim 50 --nb 20 --refine potrf
refused 'types d and z' --refine --type c posv
run 2 --dim 60 --nb 20 --matrix hilb --rcond gesv
check "--rcond says what a residual does not" says out 'singular to working precision'
run 3 --dim 60 --nb 16 --matrix kms --rcond --verbose --json j potrf
check "the condition of kms is 9, nearly" test "$(awk -v r="$(value j rcond)" 'BEGIN { print (r > 0.1 && r < 0.2) }')" = 1
check "--verbose shows it" says out '1.11e-01'
run 3 --dim 60 --nb 16 --matrix zeros --quiet --rcond --json j getrf
check "a singular matrix has rcond 0" is j rcond 0

# ---- ranks of unequal speed ----------------------------------------------------------------------------------------------------

printf '1\n1\n2\n2\n3\n' > speeds
for layout in 1d1d 1d1d-c:cpb=1/2 1d1d-cs:cpb=1/2 auto; do
    run 5 --layout $layout --speeds speeds --dim 210 --nb 16 --check y --quiet --json j --owners owners.run
    check "$layout passes" ends_with 0
    run 0 --dry-run --ranks 5 --layout $layout --speeds speeds --dim 210 --nb 16 --quiet --json dry --owners owners
    check "a dry run of $layout counts the same transfers" is dry transfers "$(value j transfers)"
    check "and has the same owners" same owners owners.run
    check "speeds are reported" says j '"speeds": [1, 1, 2, 2, 3]'
    check "times of ranks and steps, too" says j '"abe_steps": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]'
    check "the same in a dry run" [ "$(grep -o '"abe": .*, "cpb"' j)" = "$(grep -o '"abe": .*, "cpb"' dry)" ]
done
run 0 --dry-run --ranks 5 --layout 1d1d-c:cpb=1/2 --speeds speeds --dim 210 --nb 16 --explain
check "--explain says who is released" says out 'released after them'
run 2 --speeds auto --layout 1d1d --dim 64 --nb 16 --check y --quiet --json j
check "measured speeds pass" ends_with 0
check "and are reported" says j '"speeds": ['
# bad_speeds WORDS SPEED...: one a line.
bad_speeds() {
    printf '%s\n' "${@:2}" > bad
    refused "$1" --layout 1d1d --speeds bad --dim 40
    check "that is named" says err bad
}
bad_speeds '1 speed for 2 ranks' 1
bad_speeds 'line 3: one speed too many' 1 2 3
bad_speeds 'line 2: "0" is not a speed' 1 0
bad_speeds 'line 1' '# fast' 2
bad_speeds 'a positive number' 1 -2
bad_speeds 'a positive number' 1 inf
bad_speeds 'line 2' 1 '2 3'
bad_speeds '0 speeds for 2 ranks' ''
printf '1e-300\n1e300\n' > bad
for layout in auto 2dbc 1d1d 1d1d-cs; do
    run 0 --dry-run --ranks 2 --layout $layout --speeds bad --dim 40
    check "$layout with speeds too far apart exits 2" ends_with 2
    check "and both ranks are named" says err 'the speed of rank 0 is 1e-300 and that of rank 1 is 1e+300'
done
refused 'nowhere' --speeds nowhere --dim 40
refused 'write 1d1d-c' --layout 1d1d-c:cpb=0 --dim 40
run 0 --dry-run --ranks 2 --speeds auto
check "a dry run has no ranks to measure" ends_with 2
check "and says so" says err 'a dry run has none'

many=$(($(getconf _NPROCESSORS_CONF) + 1))
run 1 --dim 40 --threads $many --quiet potrf
check "more threads than a node has cores pass" ends_with 0
check "with one line of warning" lines err 1
check "that names them" says err "--threads $many on a node of "

# Ranks of one run may have different numbers of threads; all else agrees.
for routine in getrf potrf geqrf; do
    same_options=(--layout 1d1d --speeds auto --dim 120 --nb 16 --check y $routine)
    start '1 x 3 and 2 x 1 threads' "${mpiexec[@]}" -n 1 "$ompfact" --threads 3 "${same_options[@]}" \
        : -n 2 "$ompfact" --threads 1 "${same_options[@]}"
    check "unequal threads: $routine passes" ends_with 0
    check "unequal threads are told" says out 'x 1 to 3 threads'
done
# And of devices, where there are some.
run 1 --devices 1 --dim 40 potrf
if [ "$status" = 0 ]; then
    for routine in getrf 'getrf --pivot none' potrf; do
        # shellcheck disable=SC2206  # a routine with its options
        same_options=(--layout 1d1d --speeds auto --dim 300 --nb 30 --check y --verbose --json j $routine)
        start '1 with a device and 2 x 2 threads' "${mpiexec[@]}" -n 1 "$ompfact" --devices 1 --threads 1 "${same_options[@]}" \
            : -n 2 "$ompfact" --threads 2 "${same_options[@]}"
        check "unequal devices: $routine passes" ends_with 0
        check "unequal devices: $routine passes its check" is j status pass
        check "unequal devices: the first rank's works" test "$(value j devices)" = 1
        check "unequal devices: speeds are reported" says j '"speeds": ['
    done
fi

# ---- files in and out ----------------------------------------------------------------------------------------------------------
#
#       ( 4  4   8 )            ( 2       )
#   A = ( 4 20  40 ) = L L',  L = ( 2 4     ),  and L itself is   ( 1       ) ( 2     )      A ( 1 1 1 )' = ( 16 64 192 )'
#       ( 8 40 144 )            ( 4 8 8   )                     ( 1 1     ) (   4   )
#                                                               ( 2 2 1   ) (     8 )
printf '%%%%MatrixMarket matrix array real symmetric\n3 3\n4\n4\n8\n20\n40\n144\n' > A.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n16\n64\n192\n' > B.mtx
run 2 --input A.mtx --nb 2 --output L.mtx potrf
check "potrf writes L, zeros above it" holds L.mtx '2 2 4 0 4 8 0 0 8'
for nb in 1 2 3; do
    run 2 --input A.mtx --nb $nb --uplo u --output U.mtx potrf
    check "potrf --uplo u writes U, zeros below it" holds U.mtx '2 0 0 2 4 0 4 8 8'
done
run 2 --input A.mtx --nb 2 --uplo u --storage full --output U.mtx potrf
check "also from full storage" holds U.mtx '2 0 0 2 4 0 4 8 8'
run 3 --input A.mtx --nb 1 --output L.npy potrf
check "potrf writes L as .npy" ends_with 0
run 2 --input L.npy --nb 2 --pivot none --output LU.mtx getrf
check "getrf reads it and writes its factors" holds LU.mtx '2 1 2 0 4 2 0 0 8'
run 2 --input L.npy --nb 2 --pivot none --output LU.npy getrf
run 1 --input LU.npy --nb 3 --output again.mtx getrf
check "getrf reads its own .npy" ends_with 0
refused '--matrix means nothing beside --input' --input LU.npy --matrix zeros getrf
for routine in posv gesv; do
    run 3 --input A.mtx --rhs B.mtx --nb 1 --output X.mtx $routine
    check "$routine solves" holds X.mtx '1 1 1'
done
# A with the upper triangle alone, and what is not A below it.
printf '%%%%MatrixMarket matrix array real general\n3 3\n4\n77\n-1e300\n4\n20\n1e9\n8\n40\n144\n' > upper.mtx
for nb in 1 2 3; do
    run 2 --input upper.mtx --rhs B.mtx --nb $nb --uplo u --output X.mtx posv
    check "posv --uplo u reads the upper triangle alone" holds X.mtx '1 1 1'
done
run 2 --input upper.mtx --rhs B.mtx --nb 2 --uplo u --check y posv
check "and so does its check" ends_with 0
run 2 --input upper.mtx --nb 2 --check y potrf
check "which --uplo l does not" ends_with 1
run 2 --input A.mtx --nb 2 --pivot none --quiet --json d getrf
check "the determinant of A is 64 squared" test "$(value d logdet | cut -c 1-8)" = 8.317766
check "and positive" is d det_sign 1
check "the smallest pivot is 4" is d smallest_pivot 4
# Rows of Q are exchanged: 1, 3, 2 and the sign of the determinant with them.
printf '%%%%MatrixMarket matrix array real general\n3 3\n1\n2\n8\n2\n8\n4\n8\n1\n2\n' > Q.mtx
for pivot in partial tournament; do
    run 3 --input Q.mtx --nb 1 --pivot $pivot --ipiv ipiv.txt --quiet --check y --json d getrf
    check "--pivot $pivot takes the largest of a column" test "$(tr '\n' ' ' < ipiv.txt)" = "3 2 3 "
    check "and the determinant has its sign" is d det_sign -1
    check "and its growth is that of U" is d growth 1
done
run 2 --input A.mtx --nb 2 --quiet --json d potrf
check "Cholesky's determinant is the same" test "$(value d logdet | cut -c 1-8)" = 8.317766
check "and its smallest pivot" is d smallest_pivot 4
# ( 3 4 )'s column has length 5, and ( 1 2 )' is the shortest solution of x + 2 y = 5.
printf '%%%%MatrixMarket matrix array real general\n3 2\n3\n4\n0\n0\n0\n2\n' > T.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n6\n8\n6\n' > Y.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n10\n5\n6\n' > Z.mtx
printf '%%%%MatrixMarket matrix array real general\n1 2\n1\n2\n' > W.mtx
printf '%%%%MatrixMarket matrix array real general\n1 1\n5\n' > V.mtx
printf '%%%%MatrixMarket matrix array real general\n2 1\n1\n2\n' > short.mtx
for nb in 1 2 3; do
    run 3 --input T.mtx --nb $nb --check y --output R.mtx geqrf
    check "geqrf passes" ends_with 0
    check "and writes R, zeros below it" test "$(numbers R.mtx | tr -d -)" = "5 0 0 0 2 0"
    run 2 --input T.mtx --rhs Y.mtx --nb $nb --check y --output X.mtx gels
    check "gels passes" ends_with 0
    check "and solves" holds X.mtx '2 3'
    run 2 --input T.mtx --rhs Z.mtx --nb $nb --output X.mtx gels
    check "gels minimises the residual" holds X.mtx '2 3'
    run 2 --input W.mtx --rhs V.mtx --nb $nb --check y --output X.mtx gels
    check "gels finds the shortest solution" holds X.mtx '1 2'
done
for dim in 70x50 50x70; do
    run 2 --matrix zeros --dim $dim --nb 16 --check y --quiet --json z gels
    check "gels of zeros, $dim, is solved" ends_with 0
    check "and exactly" is z error 0
done
refused 'short.mtx has 2 rows, and the matrix 3' --input T.mtx --rhs short.mtx gels
run 2 --dim 40x30 --nb 8 --matrix rands_zerocol0 --output gone.npy gels
check "a matrix of lower rank is a numerical failure" ends_with 1
check "which is explained" says out 'R(1,1) is zero'
check "and its solution is not written" says err 'gone.npy is not written: info = 1'
sed 's/^20$/nan/' A.mtx > N.mtx
refused 'N.mtx: row 2, column 2 is NaN (counted from 1)' --input N.mtx --nb 1 geqrf
printf '%%%%MatrixMarket matrix array real general\n3 1\n16\n64\n-inf\n' > I.mtx
refused 'N.mtx: row 2, column 2 is NaN (counted from 1)' --input N.mtx --nb 1 getrf
refused 'N.mtx: row 2, column 2 is NaN' --input N.mtx --nb 2 --check y potrf
refused 'I.mtx: row 3, column 1 is infinity' --input A.mtx --rhs I.mtx --nb 1 posv
run 2 --input A.mtx --dim 4 potrf
check "--dim and the file must agree" ends_with 2
run 2 --input L.npy --type s getrf
check "--type and the file must agree" ends_with 2
if command -v python3 > /dev/null; then
    check "the .npy is numpy's format" python3 -c '
import struct
data = open("L.npy", "rb").read()
assert data[:6] == b"\x93NUMPY"
header = struct.unpack("<H", data[8:10])[0]
described = eval(data[10:10 + header])
assert described["descr"] == "<f8" and described["shape"] == (3, 3), described
values = struct.unpack("<9d", data[10 + header:])
columns = values if described["fortran_order"] else tuple(values[3 * i + j] for j in range(3) for i in range(3))
assert columns == (2, 2, 4, 0, 4, 8, 0, 0, 8), columns
'
    # A of integers, by rows.
    python3 -c '
import struct
header = "{\"descr\": \"<i2\", \"fortran_order\": False, \"shape\": (3, 3), }".ljust(117) + "\n"
values = struct.pack("<9h", 4, 4, 8, 4, 20, 40, 8, 40, 144)
open("int.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() + values)
'
    run 2 --input int.npy --nb 2 --output L.mtx --quiet --json j potrf
    check "integers are factored" holds L.mtx '2 2 4 0 4 8 0 0 8'
    check "as doubles" is j type d
    for type in s c z; do
        run 2 --input int.npy --nb 2 --type $type --output L.mtx --quiet --json j potrf
        check "or as --type $type" is j type $type
        check "with the same factor" holds L.mtx '2 2 4 0 4 8 0 0 8'
    done
    # Hermitian, the upper triangle by rows, NaN below it.
    python3 -c '
import struct
header = "{\"descr\": \"<c16\", \"fortran_order\": False, \"shape\": (2, 2), }".ljust(117) + "\n"
values = struct.pack("<8d", 4, 0, 2, 6, float("nan"), float("nan"), 14, 0)
open("H.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() + values)
'
    for nb in 1 2; do
        run 2 --input H.npy --nb $nb --uplo u --check y --output U.npy potrf
        check "a Hermitian .npy needs no lower triangle" ends_with 0
        check "and gives U" python3 -c '
import struct
data = open("U.npy", "rb").read()
values = struct.unpack("<8d", data[10 + struct.unpack("<H", data[8:10])[0]:])
assert values == (2, 0, 0, 0, 1, 3, 2, 0), values
'
    done
fi

# ---- kernels of points ---------------------------------------------------------------------------------------------------------
#
# Forty points of one byte a coordinate, P.npy, in no order; the matrix of a kernel over them, K.mtx, and right-hand sides with known
# solutions, B.mtx, are made here, in the order of the file.

points=40
coordinates() { awk -v n=$points 'BEGIN { for (i = 0; i < n; i++) print 17 * i % 41, (23 * i * i + 5 * i) % 29 }'; }
# make_npy TYPE COLUMNS < NUMBERS
make_npy() {
    local value
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($points, $2), }"
    for value in $(cat); do printf '%b' "\\x$(printf %x "$value")"; done
}
coordinates | make_npy '|u1' 2 > P.npy
# K(r) of awk, the nugget
make_system() {
    coordinates | awk -v nugget="$2" '
        function K(r) { return '"$1"' }
        function head(file, cols) { printf "%%%%MatrixMarket matrix array real general\n%d %d\n", n, cols > file }
        { x[n] = $1; y[n++] = $2 }
        END {
            head("K.mtx", n); head("B.mtx", 2)
            for (j = 0; j < n; j++)
                for (i = 0; i < n; i++) {
                    a = K(sqrt((x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2)) + (i == j ? nugget : 0)
                    printf "%.17g\n", a > "K.mtx"
                    first[i] += a * (j + 1)
                    second[i] += a * (j % 3 - 1)
                }
            for (i = 0; i < n; i++) printf "%.17g\n", first[i] > "B.mtx"
            for (i = 0; i < n; i++) printf "%.17g\n", second[i] > "B.mtx"
        }'
}
# The solutions, to nine digits.
solved() { sed '1,/^[0-9]/d' "$1" | awk -v n=$points '{ x = NR <= n ? NR : (NR - n - 1) % 3 - 1; bad += ($1 - x) ^ 2 > 1e-18 } END { exit NR != 2 * n || bad }'; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit a == "" || (a - b) ^ 2 > 1e-18 * b ^ 2 }'; }
while read -r kind K; do
    make_system "$K" 0.5
    run 1 --input K.mtx --nb 7 --quiet --json dense potrf
    for ranks in 1 3; do
        rm -f X.mtx
        run $ranks --points P.npy --matrix $kind:6,0.5 --nb 7 --rhs B.mtx --check y --quiet --json j --output X.mtx posv
        check "$kind on $ranks ranks passes its check" is j status pass
        check "and is solved in the order of the file" solved X.mtx
        check "the determinant is that of the matrix" near "$(value j logdet)" "$(value dense logdet)"
    done
done << 'END'
sqexp exp(-r * r / 72)
matern12 exp(-r / 6)
matern32 (1 + sqrt(3) * r / 6) * exp(-sqrt(3) * r / 6)
matern52 (1 + sqrt(5) * r / 6 + 5 * r * r / 108) * exp(-sqrt(5) * r / 6)
invdist 1 / sqrt(r * r + 36)
END
for routine in gesv potrs getrs gels; do
    rm -f X.mtx
    run 3 --points P.npy --matrix invdist:6,0.5 --nb 7 --rhs B.mtx --check y --quiet --json j --output X.mtx $routine
    check "$routine passes its check" is j status pass
    check "and solves in the order of the file" solved X.mtx
done
run 2 --input K.mtx --rhs B.mtx --nb 7 --output B.npy --quiet trsm     # any .npy of two columns and as many rows
run 3 --input K.mtx --rhs B.npy --nb 9 --output X.mtx gesv
run 3 --points P.npy --matrix invdist:6,0.5 --rhs B.npy --nb 9 --output Y.npy gesv
run 3 --points P.npy --matrix invdist:6,0.5 --rhs B.npy --nb 9 --uplo u --output Y.mtx posv
check "right-hand sides of a .npy are in the order of the file, too" test "$(numbers X.mtx)" = "$(numbers Y.mtx)"
run 1 --input K.mtx --rhs Y.npy --nb 40 --output Z.mtx --quiet gesv
run 1 --input K.mtx --rhs X.mtx --nb 40 --output W.mtx --quiet gesv
check "and so is a solution written as one" test "$(numbers W.mtx)" = "$(numbers Z.mtx)"
run 2 --input K.mtx --nb 7 --seed 5 --output X.mtx posv
run 3 --points P.npy --matrix invdist:6,0.5 --seed 5 --nb 9 --output Y.mtx posv
check "generated right-hand sides are those of the matrix in the file's order" test "$(numbers X.mtx)" = "$(numbers Y.mtx)"
for type in s c z; do
    run 3 --points P.npy --matrix matern32:6,0.5 --type $type --nb 9 --check y --quiet --json j posv
    check "kernels are of type $type, too" is j status pass
done
run 1 --matrix matern32:0.1,0.5 --dim 90 --nb 13 --check y --quiet --json j posv
check "without --points there are some" is j status pass
run 3 --matrix matern32:0.1,0.5 --dim 90 --nb 20 --layout 2dbc:3x1 --quiet --json again posv
check "and they are the same on three ranks" near "$(value again logdet)" "$(value j logdet)"
run 0 --dry-run --ranks 3 --points P.npy --matrix sqexp:1 --nb 7 --quiet --json dry potrf
check "a dry run knows how many points there are" is dry n $points
refused 'the matrix of P.npy is 40 x 40, --dim says 50 x 50' --points P.npy --matrix sqexp:1 --dim 50 posv
refused '--points means nothing beside --input' --points P.npy --input K.mtx posv
refused "--points P.npy is for a kernel of --matrix, as in sqexp:0.1, and 'rands' is none" --points P.npy --matrix rands posv
refused 'is for a kernel of --matrix' --points P.npy potrf
refused 'write matern32:LENGTH[,NUGGET]' --points P.npy --matrix matern32 posv
refused 'LENGTH a positive number' --points P.npy --matrix sqexp:0,0.1 posv
refused 'a number from 0 up' --points P.npy --matrix sqexp:1,-1 posv
refused "'sqexp' is square, not 40 x 30" --matrix sqexp:1 --dim 40x30 geqrf
refused 'none.npy: cannot be opened' --points none.npy --matrix sqexp:1 posv
refused 'K.mtx: is not a .npy file' --points K.mtx --matrix sqexp:1 posv
coordinates | make_npy '|u1' 1 > one.npy
refused 'one.npy: it is 40 x 1; points have 2 or 3 columns' --points one.npy --matrix sqexp:1 posv
sed '45s/.*/nan/' B.mtx > N.mtx
refused 'N.mtx: row 3, column 2 is NaN' --points P.npy --matrix sqexp:1 --rhs N.mtx --nb 7 posv
refused '--points P.npy and --json P.npy are one file' --points P.npy --matrix sqexp:1 --json P.npy potrf

# ---- weights of compressed tiles -----------------------------------------------------------------------------------------------

below() { awk -v a="$1" -v b="$2" 'BEGIN { exit a == "" || a >= b }'; }
for routine in 'posv --type s' 'posv --uplo u' 'gesv --type z --pivot none'; do
    for layout in bce rs auto; do
        # shellcheck disable=SC2086
        run 5 --matrix sqexp:0.1,2 --dim 600 --nb 30 --accuracy 1e-4 --max-rank 15 --layout $layout --weights auto --check y --quiet --json j $routine
        check "$layout with weights that are foretold, $routine" is j status pass
        check "shares the flops out" below "$(value j flops_max_over_mean)" 1.25
    done
done
run 3 --points P.npy --matrix sqexp:9,0.1 --nb 7 --accuracy 1e-6 --band 1 --max-rank 4 --layout rs --weights auto --check y --quiet --json j posv
check "weights of points' matrices" is j status pass
run 2 --matrix sqexp:0.1,2 --dim 300 --accuracy 1e-4 --layout rs --weights auto --check y --quiet --json j posv
check "weights of tiles of a size that is chosen" is j status pass
refused '--weights auto goes by the ranks of compressed tiles' --dim 40 --nb 10 --weights auto potrf
refused 'a .mtx file has in no order' --input K.mtx --nb 7 --accuracy 1e-6 --weights auto potrf
refused '--weights and --blr both' --dim 40 --nb 10 --accuracy 1e-6 --weights auto --blr delta=8 potrf
run 0 --dry-run --ranks 3 --dim 40 --nb 10 --accuracy 1e-6 --weights auto potrf
check "nothing is foretold of a dry run" ends_with 2
check "and it is said" says err 'a dry run makes none'

# ---- what files are and are not for --------------------------------------------------------------------------------------------

printf '%s\n' '%%MatrixMarket matrix coordinate complex symmetric' '2 2 3' '1 1 4 0' '2 1 1 1' '2 2 5 0' > symmetric.mtx
refused 'symmetric.mtx is complex symmetric, and posv needs a Hermitian matrix' --input symmetric.mtx posv
run 2 --input symmetric.mtx --check y gesv
check "LU takes it" ends_with 0
printf '%s\n' '%%MatrixMarket matrix array real general' '4 2' 1 2 3 4 5 6 7 9 > tall.mtx
run 0 --dry-run --ranks 3 --input tall.mtx --nb 2 --quiet --json dry geqrf
check "a dry run knows a file's rows" is dry m 4
check "and columns" is dry n 2
run 0 --dry-run --ranks 3 --input none.mtx getrf
check "and misses a file that is not there" ends_with 2
refused '--rhs is for posv, gesv, gels, potrs, getrs and trsm' --rhs tall.mtx getrf
refused '--ipiv is for getrf, gesv and getrs' --ipiv p.txt potrf
refused '--trace none/f cannot be written' --dim 20 --trace none/f getrf
start 'ompfact --tune' env XDG_CACHE_HOME=/dev/null "$ompfact" --tune
check "--tune looks for a place" ends_with 2
check "and names one" says err 'XDG_CACHE_HOME names another place'
check "before it measures anything" lines out 0

# ---- old files and new ones ----------------------------------------------------------------------------------------------------

mkdir old && cd old || exit 99
outputs=(--output x.npy --trace t.json --owners o.map --map m.map --plot p.svg --json r.json --csv r.csv)
names='ipiv.txt m.map o.map p.svg r.csv r.json t.json x.npy '
lay() { for name in $names; do echo old > "$name"; done; }
unchanged() { for name; do same "$name" ../old.txt || return 1; done; }
holds_old_or_rows() { same "$1" ../old.txt || { [ "$(head -c 8 "$1")" = routine, ] && [ "$(wc -l < "$1")" -ge 2 ]; }; }
no_others() { [ "$(find . -mindepth 1 -printf '%f\n' | grep -v '^out$\|^err$' | sort | tr '\n' ' ')" = "$names" ]; }
echo old > ../old.txt
lay
for bad in '--layout nonsense' '--input none.npy' '--layout 2dbc:9x9' '--dim 3000000 --nb 512'; do
    # shellcheck disable=SC2086  # options and their values
    run 3 "${outputs[@]}" $bad getrf
    check "bad usage" ends_with 2
    # shellcheck disable=SC2086
    check "bad usage leaves all files as they were" unchanged $names
    check "and no others" no_others
done
run 2 "${outputs[@]}" --ipiv ipiv.txt --dim 40 --nb 8 --matrix rands_dominant_zerocol0.5 getrf
check "a numerical failure" ends_with 1
check "leaves the old output and pivots" unchanged x.npy ipiv.txt
check "and says so" says err 'x.npy is not written: info = 20'
check "and of both" says err 'ipiv.txt is not written: info = 20'
check "but its report is there" is r.json info 20
run 2 "${outputs[@]}" --dim 40 --nb 8 --check y --tol 1e-30 potrf
check "so does a residual that is too large" unchanged x.npy
check "which is named" says err 'x.npy is not written: the scaled residual is '
lay
run 2 --quiet --json r.json --csv r.csv --dim 40,3000000 --nb 8,512 getrf
check "a sweep that cannot go on" ends_with 2
check "has reported whole what it has done" lines r.json 2
check "in both forms" lines r.csv 3
lay
run 2 --output x.npy --dim 40,0 --nb 8 --quiet --json r.json --matrix rands potrf
check "a failure before the last run of a sweep" ends_with 1
check "which passes" says r.json '"info": 0'
check "keeps the output, too" unchanged x.npy
chmod 640 x.npy
run 3 "${outputs[@]}" --ipiv ipiv.txt --dim 100,60 --nb 20 getrf
check "a run that ends well" ends_with 0
for name in $names; do
    check "replaces $name" test "$(head -c 3 "$name")" != old
done
check "and leaves no other file" no_others
check "keeps the permissions" test "$(stat -c %a x.npy)" = 640
check "and has the last matrix of a sweep" says x.npy "'shape': (60, 60)"
lay
"$ompfact" "${outputs[@]}" --threads 1 --jitter 100000 --dim 400,6000 --nb 100 --quiet potrf < /dev/null > out 2> err &
for ((i = 0; i < 600; i++)); do     # until the first of two runs is reported
    [ "$(head -c 3 r.json)" = old ] || break
    sleep 0.05
done
kill -9 $!
wait $! 2> /dev/null
check "a run that is killed leaves the output" unchanged x.npy
check "and has reported whole what it has done" lines r.json 1
check "in both forms, or not yet in the second" holds_old_or_rows r.csv
rm -f -- *.part-*
ln -s m.map link
ln -s nowhere.map dangling
run 0 --dry-run --ranks 3 --dim 60 --nb 20 --quiet --map link --owners dangling --json /dev/null potrf
check "a link stays" test "$(readlink link)" = m.map
check "what it leads to is replaced" test "$(head -1 m.map)" != old
check "or made" test -f nowhere.map
check "and a device is written" ends_with 0
rm link dangling nowhere.map
mkfifo pipe
cat pipe > out.pipe &
run 1 --dim 40,50 --nb 20 --quiet --json pipe
wait $!
check "a pipe gets a row a run" lines out.pipe 2
rm pipe out.pipe
if unshare --mount --map-root-user true 2> /dev/null; then
    echo old > mounted
    echo old > point
    # shellcheck disable=SC2016  # $0 is the command, there
    start 'onto a mount point: ompfact --json point' unshare --mount --map-root-user bash -c \
        'mount --bind mounted point && exec "$0" --dim 40 --nb 20 --quiet --json point getrf' "$ompfact"
    check "a file that is a mount point is written" ends_with 0
    check "whole" is mounted routine getrf
    rm mounted point
    check "and no other is left" no_others
    mkdir small
    for name in x.npy x.mtx; do
        # shellcheck disable=SC2016
        start "onto a full disk: ompfact --output small/$name" unshare --mount --map-root-user bash -c \
            'mount -t tmpfs -o size=16k none small && exec "$0" --dim 200 --nb 20 --output "$1"' "$ompfact" small/$name
        check "a matrix that does not fit" ends_with 2
        check "is named as it was given, with the reason" says err "--output small/$name: "
        check "which is the disk" says err 'No space left on device'
    done
    rmdir small
fi
run 1 --dim 40 --nb 20 --quiet --csv /dev/full
check "a full disk" ends_with 2
check "is named" says err '--csv /dev/full: No space left on device'
for form in json csv plot; do
    last="ompfact --$form - > /dev/full"
    limited "$ompfact" --dim 40 --nb 20 --quiet --$form - > /dev/full 2> err
    status=$?
    check "also where it is stdout" ends_with 2
    check "with its reason" says err 'stdout: No space left on device'
done
# shellcheck disable=SC2094  # on purpose
"$ompfact" --dry-run --ranks 3 --dim 60 --quiet --json both > both 2> err
check "a file that is stdout is written in place" lines both 1
rm both

# What a run reads stays, and so does what it writes besides.
cp ../L.npy x.npy
ln -s x.npy link.npy
ln x.npy hard.npy
mkdir folder.npy
cp x.npy ../kept.npy
refused '--input x.npy and --output x.npy are one file' --input x.npy --output x.npy getrf
refused '--input x.npy and --output link.npy are one file' --input x.npy --output link.npy getrf
refused '--rhs x.npy and --output hard.npy are one file' --input ../L.npy --rhs x.npy --output hard.npy gesv
echo '2 2 2 1 1 3' > read.txt
cp read.txt ../read.txt
ln read.txt hard.txt
refused '--speeds read.txt and --json read.txt are one file' --dim 20 --speeds read.txt --json read.txt
refused '--layout file:read.txt and --owners ./hard.txt are one file' --dim 20 --layout file:read.txt --owners ./hard.txt
refused '--weights read.txt and --csv read.txt are one file' --dim 20 --nb 10 --weights read.txt --csv read.txt
refused '--rhs read.txt and --plot read.txt are one file' --dim 20 --rhs read.txt --plot read.txt gesv
refused '--input read.txt and --trace read.txt are one file' --input read.txt --trace read.txt
check "what is read is as it was" same read.txt ../read.txt
run 2 --dim 40 --nb 20 --speeds auto --json auto --quiet getrf
check "auto is no file of speeds" ends_with 0
rm auto read.txt hard.txt
refused '--json new and --csv ./new are one file' --dim 20 --json new --csv ./new
refused '--output folder.npy cannot be written: Is a directory' --dim 20 --json r.json --output folder.npy
refused '--trace wants the name of a file' --dim 20 --trace -
check "the matrix is as it was" same x.npy ../kept.npy
cd ..

# ---- checkpoints ---------------------------------------------------------------------------------------------------------------

odd="it's a \"place\" \$HOME"
run 2 --dim 60 --nb 20 --quiet --checkpoint "$odd" getrf
check "a run with checkpoints" ends_with 0
said=$(sed -n 's/.*ompfact --restart //p' err)
eval "set -- $said"
check "names its folder as a shell takes it" test "$#.$1" = "1.$odd"
run 3 --quiet --restart "$1"
check "which goes on from there" ends_with 0
refused '--dim with --restart: the checkpoint in' --restart "$1" --dim 60
run 2 --dim 60 --nb 20 --quiet --checkpoint "$odd" getrf
check "and which another run replaces" ends_with 0

timeout -k 5 "$limit" "${mpiexec[@]}" -n 2 "$ompfact" --dim 600 --nb 20 --threads 1 --jitter 50000 \
    --checkpoint unended,interval=0.05 potrf > ended 2>&1 &
until [ -f unended/manifest.json ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
kill $!
wait $! 2> /dev/null
check "a job is ended while it works" test "$(value unended/manifest.json step)" -lt 30
cp unended/manifest.json .
refused 'of 30 steps of another run are saved there' --dim 60 --nb 20 --checkpoint unended getrf
check "what a job that died has left is as it was" same unended/manifest.json manifest.json
run 2 --quiet --restart unended --checkpoint unended
check "it goes on" ends_with 0
run 2 --restart unended
check "and says from where" says out 'goes on from unended, 30 of 30 steps done'
run 2 --dim 60 --nb 20 --quiet --checkpoint unended getrf
check "when it has ended another run may replace it" ends_with 0

refused 'several runs' --restart unended --checkpoint unended --nb 10,20
refused 'step 1 is done in unended; step 3 is next' --restart unended --inject step=1,tile=2,2,bit=3

mkdir web
echo '{"name": "a page"}' > web/manifest.json
cp web/manifest.json .
refused 'web: manifest.json' --dim 60 --nb 20 --checkpoint web getrf
check "somebody else's manifest.json is as it was" same web/manifest.json manifest.json

run 2 --dim 40 --nb 8 --quiet --json z potrs
check "what was not to be saved has no checkpoints" is z checkpoints null
check "nor a step from which it went on" is z restarted_from_step null
run 2 --dim 40 --nb 8 --quiet --json z --checkpoint solved potrs
check "a factorization that is not timed is saved" is z checkpoints 1
run 2 --quiet --json z --restart solved
check "and restored" is z restarted_from_step 5

# No file may have more than 8 MB: that is said of the first size, and of no other.
(trap '' XFSZ; ulimit -f 8192; run 1 --dim 1200,1300,1400 --nb 200 --quiet --checkpoint small getrf)
check "a checkpoint that cannot be written is one line" lines err 1
check "and is explained" says err "no checkpoint can be written to small: File too large"

# A restart with another tile size, of right-hand sides from a file of entries: tiles of two sizes.
awk 'BEGIN { print "%%MatrixMarket matrix array real general\n600 1"; for (i = 0; i < 600; i++) print i % 7 - 3 + i / 600 }' > b.mtx
timeout -k 5 "$limit" "${mpiexec[@]}" -n 2 "$ompfact" --dim 600 --nb 20 --threads 1 --jitter 50000 --rhs b.mtx \
    --checkpoint cut,interval=0.05 posv > ended 2>&1 &
until [ "$(value cut/manifest.json step 2> /dev/null || echo 0)" -gt 0 ] 2> /dev/null || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
kill $!
wait $! 2> /dev/null
check "a job is ended while it works" test "$(value cut/manifest.json step)" -lt 30
run 3 --quiet --restart cut --nb 33 --output again.mtx
check "it goes on with other tiles" ends_with 0
run 2 --quiet --dim 600 --nb 20 --rhs b.mtx --output x.mtx posv
near_each() { paste -d ' ' "$1" "$2" | awk 'NR > 2 { n++; bad += ($1 - $2) ^ 2 > 1e-20 } END { exit n != 600 || bad }'; }
check "to the same solution" near_each again.mtx x.mtx
refused 'so they have no weights' --restart cut --nb 33 --blr delta=2,seed=1,kernel=lu

# ---- standard output by name ---------------------------------------------------------------------------------------------------

"${mpiexec[@]}" -n 2 "$ompfact" --dim 40 --nb 8 --quiet --json /dev/stdout potrf < /dev/null | cat > piped
check "a pipe that has no name in any folder is written" is piped routine potrf
echo before > log
"$ompfact" --dim 40 --nb 8 --json log potrf >> log
check "what the shell has opened keeps what is in it" test "$(head -n 1 log)" = before
check "the row and the table do not lie over each other" is log routine potrf
check "and both are there" says log gflop/s

# ---- ranks that do not see each other's processes, as in a container for each --------------------------------------------------

if unshare --pid --fork --mount-proc true 2> /dev/null; then
    printf '#!/usr/bin/env bash\n[ "$PMI_RANK" = 0 ] && exec %s\nexec unshare --pid --fork --mount-proc "%s" "$@"\n' \
        '11< /dev/null 12< /dev/null 13< /dev/null' "$ompfact" > apart      # so that numbers of files are the same, and others, on both
    sed '/PMI_RANK/d' apart > alike
    chmod +x apart alike
    for ompfact in ./apart ./alike; do
        run 2 --dim 40 --nb 8 --check y potrf
        check "ranks that cannot share memory copy" ends_with 0
    done
fi
sum_up
