#!/usr/bin/env bash
# Where tiles go: uneven ones, nodes, tile sizes, ranks of unequal speed.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# ---- uneven tiles --------------------------------------------------------------------------------------------------------------

for layout in bch bce rs rsp; do
    for routine in potrf 'getrf --pivot none' 'getrf --pivot tournament' geqrf; do
        is_its_turn 5 || continue
        # shellcheck disable=SC2086  # a routine with its options
        run 5 --dim 240 --nb 30 --layout $layout --blr delta=16,seed=3 --check y --quiet --json j --owners owners $routine
        check "$routine with $layout succeeds" ends_with 0
        check "$routine with $layout passes its check" is j status pass
        check "$routine with $layout makes the predicted transfers" is j transfers "$(value j transfers_predicted)"
        # shellcheck disable=SC2086
        run 0 --dry-run --ranks 5 --dim 240 --nb 30 --layout $layout --blr delta=16,seed=3 --quiet --json dry --owners owners.dry $routine
        check "a dry run of $routine with $layout has the same owners" same owners owners.dry
        check "a dry run of $routine with $layout has the same balance" is dry flops_max_over_mean "$(value j flops_max_over_mean)"
    done
done
printf '4 3\n9 1 1\n1 8 1\n0 0 0\n1 2 3.5\n' > weights
run 2 --dim 40x30 --nb 10 --weights weights --check y --quiet --json j --explain getrf
check "a file of weights is read" ends_with 0
check "--explain names the smallest work of the most loaded rank as the reason for the layout" says err 'the layout with the smallest work of the most loaded rank, by weights'
check "the layout for the weights is balanced" is j flops_max_over_mean 1.018181818181818
run 0 --dry-run --ranks 2 --dim 40x30 --nb 10 --layout 2dbc --weights weights --quiet --json dry geqrf
check "the balance of a given layout is that of the weights" is dry flops_max_over_mean 1.2
printf '4 3\n9 1 1\n1 -8 1\n0 0 0\n1 2 3\n' > bad
run 0 --dry-run --ranks 2 --dim 40x30 --nb 10 --layout 2dbc --weights weights getrf
check "a dry run prints the balance of the weights" says out 'weights max/mean 1.200'
refused 'bad:3: -8 for the weight of tile (1,1)' --dim 40x30 --nb 10 --weights bad
refused 'weights:1: weights of 4 x 3 tiles, and the matrix has 5 x 3' --dim 41x30 --nb 10 --weights weights
refused 'weights /nonexistent: No such file or directory' --nb 10 --weights /nonexistent
refused 'weights of blr:gamma=1: write' --blr gamma=1
refused 'alpha=1.342 is the minimum' --dry-run --ranks 5 --layout bce:alpha=1 --dim 40

# ---- nodes ---------------------------------------------------------------------------------------------------------------------

nodes=$(full && echo 3 || echo 2)
ranks=$((2 * nodes))
export OMPFACT_TEST_NODES=$nodes
for routine in potrf 'getrf --pivot none' geqrf; do
    for way in '' '--bcast chain' '--bcast binomial --schedule static' '--jitter 100 --threads 2'; do
        full || [ -z "$way" ] || continue
        # shellcheck disable=SC2086  # a routine with its options
        run $ranks --dim 300x300 --nb 20 --check y --quiet --json j $way $routine
        check "$routine on $nodes nodes passes $way" is j status pass
        check "$routine on $nodes nodes makes the predicted transfers between nodes $way" is j wire_transfers "$(value j wire_transfers_predicted)"
    done
    # shellcheck disable=SC2086
    run 0 --dry-run --ranks $ranks --ranks-per-node 2 --dim 300x300 --nb 20 --quiet --json dry $routine
    for key in layout nodes transfers wire_transfers wire_bytes; do
        check "a dry run of $routine predicts $key" is dry $key "$(value j $key)"
    done
done
for way in '' '--pivot partial' '--threads 2 --jitter 100' '--on-node copy'; do
    is_its_turn || continue
    # shellcheck disable=SC2086
    run $ranks --dim 300 --nb 20 --check y --quiet --json j $way gesv
    check "gesv passes on $nodes nodes $way" is j status pass
    check "gesv on $nodes nodes makes the predicted transfers between nodes $way" is j wire_transfers "$(value j wire_transfers_predicted)"
done
first_lines() { head -3 out | grep -q "^tiles between nodes: $1"; }
run $ranks --dim 300 --nb 20 --check y --json j --report page.html --explain potrf
check "tiles of other nodes are read one-sidedly" is j between_nodes one-sided
check "JSON has the time to register the window" test -n "$(value j register_s | grep '^[0-9]')"
proceed=$(value j rma_native)
if [ "$proceed" = true ]; then
    check "the first lines say that reads proceed while their owner computes" first_lines 'one-sided (reads proceed while their owner computes)$'
else
    check "JSON has whether reads proceed" test "$proceed" = false
    check "the first lines say that reads wait for their owner" first_lines 'one-sided (reads wait until their owner polls)$'
fi
for file in out page.html; do
    check "$file names MPICH's variable for progress once if reads wait, and else never" test "$(grep -c MPICH_ASYNC_PROGRESS $file)" = \
        "$([ "$proceed" = true ] && echo 0 || echo 1)"
done
check "the page has the way of tiles between nodes" says page.html '<data id="between_nodes" value="one-sided">'
run $ranks --dim 300 --nb 20 --check y --json k --explain --between-nodes messages potrf
check "--between-nodes messages sends tiles as messages" is k between_nodes messages
check "with messages JSON has no reads that proceed" is k rma_native false
check "with messages the first lines say so" first_lines 'messages$'
check "with messages no variable for progress is named" test -z "$(grep MPICH_ASYNC_PROGRESS out)"
for key in transfers wire_transfers wire_bytes; do
    check "with messages $key are those of reads" is k $key "$(value j $key)"
done
run 2 --dim 300 --nb 20 --quiet potrf
check "--quiet prints nothing about nodes" lines out 0
export OMPFACT_TEST_NODES=2
for routine in potrf getrf geqrf; do
    run 0 --dry-run --ranks 2 --threads 1 --dim 1500 --nb 50 --quiet --json dry $routine
    run 2 --threads 1 --dim 1500 --nb 50 --quiet --json j $routine
    check "$routine takes at most the predicted memory" test "$(value j memory_peak_bytes)" -le "$(value dry memory_bytes_max)"
done
unset OMPFACT_TEST_NODES
export -n OMPFACT_CHECKS    # checks record each task
for case in "5 --dim 600 --nb 8 --layout rs geqrf" "2 --dim 600 --nb 8 --layout rs getrf" "1 --dim 800 --nb 8 potrf"; do
    # shellcheck disable=SC2086  # words
    run 0 --dry-run --ranks ${case%% *} --ranks-per-node ${case%% *} --threads 1 --quiet --json dry ${case#* }
    # shellcheck disable=SC2086
    run ${case%% *} --threads 1 --quiet --json j ${case#* }
    check "small tiles take at most the predicted memory: $case" test "$(value j memory_peak_bytes)" -le "$(value dry memory_bytes_max)"
done
export OMPFACT_CHECKS
run 3 --dim 200 --nb 20 --json j potrf
check "on one node no tiles cross nodes" is j wire_transfers 0
for key in between_nodes rma_native register_s; do
    check "on one node $key is unknown" is j $key null
done
check "on one node nothing is printed about nodes" test -z "$(grep 'between nodes' out)"
refused '--between-nodes: "maybe" is not one of one-sided|messages' --between-nodes maybe --dim 40 potrf
refused '--ranks-per-node: "0" is not an integer' --dry-run --ranks 4 --ranks-per-node 0
refused '--ranks-per-node is for --dry-run' --ranks-per-node 2 --dim 40
refused '--wire: "fast" is not RATE[,LATENCY]' --dry-run --ranks 4 --wire fast
refused '--wire is for --dry-run' --wire 1gbit --dim 40

# Limits: the least time of work, wire and chain.
run 0 --dry-run --ranks 6 --wire 1mbit --dim 600 --nb 50 --explain --json dry potrf
check "a slow wire limits a run" says out 'the wire limits this run'
for key in work_bound_s link_bound_s chain_bound_s tasks_bound_s; do
    check "JSON has $key" test -n "$(value dry $key | grep '^[1-9.]\|^0\.0*[1-9]')"
done
run 0 --dry-run --ranks 1 --dim 6000 --nb 50 --explain potrf
check "on one node the work limits a run" says out 'the work limits this run'
check "on one node the wire takes no time" says out 'wire 0 s'
run 0 --dry-run --ranks 1 --cores 128 --gflops 50 --dim 6000 --nb 40 --explain potrf
check "tasks limit a run of many small tiles" says out 'the tasks limit this run'
# Each rank has a node of two cores, or shares it with those that --ranks-per-node says.
foretold() { run 0 --dry-run --ranks 64 --cores 2 --threads 1 --dim 1000 --nb 50 --layout 2dbc --explain "$@" potrf; sed -n "s|.*the model predicts \([^ ]*\) s.*|\1|p" out; }
check "many ranks on one node are predicted to be slower than on a node each" test "$(awk -v a="$(foretold)" -v b="$(foretold --ranks-per-node 64)" 'BEGIN { print (a > 0 && a < b) }')" = 1
run 0 --dry-run --ranks 2 --dim 200 --explain geqrf
check "QR has neither a bound of the wire nor of the chain" test -z "$(grep 'limits:.*\(wire\|chain\)' out)"
run 0 --dry-run --ranks 2 --dim 0 --explain potrf
check "an empty matrix has no limits" test -z "$(grep limits: out)"
run 2 --dim 400 --json k --verbose potrf
run 2 --dim 400 --verbose potrf
check "--verbose prints how far the run was from its limits" test -n "$(grep 'limits: .* the run took .* times the ' out)"
check "JSON does not have the line of limits" test -z "$(grep limits: k)"

# ---- tile sizes ----------------------------------------------------------------------------------------------------------------

ours=$XDG_CACHE_HOME
within() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }
export XDG_CACHE_HOME=$folder/tiles
run 0 --dry-run --ranks 5 --dim 3000 --quiet --json dry potrf
check "a dry run chooses a tile size" within "$(value dry nb)" 32 1500
run 2 --dim 600 --nb 100 --quiet --json j potrf
check "a given tile size is used" is j nb 100
run 2 --dim 600 --measure n --quiet --json j potrf
check "--measure n chooses a tile size without a measurement" within "$(value j nb)" 32 300
check "no dry run, given size or --measure n makes a cache folder" test ! -e "$XDG_CACHE_HOME"
for ranks in 1 3 $(full && echo 2 7); do
    run $ranks --dim 500 --threads 2 --check y --quiet --json j potrf
    check "$ranks ranks choose a tile size" within "$(value j nb)" 32 250
    check "$ranks ranks pass with the chosen tile size" is j status pass
    run $ranks --dim 500 --threads 1 --nb auto --quiet --json auto potrf
    check "--nb auto with other threads chooses the default tile size again" is auto nb "$(value j nb)"
done
check "all measurements are in one file" test "$(find "$XDG_CACHE_HOME" -type f | wc -l)" = 1
run 2 --dim 500 --quiet --json j --explain potrf
check "--explain reports the measured rates" says err 'kernels as a run has measured them; ompfact --tune measures more'
before=$(find "$XDG_CACHE_HOME" -type f -exec cksum {} +)
run 0 --dry-run --ranks 2 --dim 500 --explain potrf
check "a dry run uses the measured rates" says out 'kernels as a run has measured them'
check "a dry run leaves the measured rates unchanged" test "$before" = "$(find "$XDG_CACHE_HOME" -type f -exec cksum {} +)"
for routine in getrf geqrf gels; do
    for dim in 500x90 90x500 3000x20 20 1 0; do
        is_its_turn || continue
        run 3 --dim $dim --check y --quiet --json j $routine
        check "$routine $dim succeeds with the default tile size" ends_with 0
        check "$routine $dim passes its check with the default tile size" is j status pass
        run 0 --dry-run --ranks 3 --dim $dim --nb "$(value j nb)" --quiet --json dry $routine
        check "a dry run of $routine $dim with that tile size counts the same transfers" is dry transfers "$(value j transfers)"
    done
done
run 2 --dim 300,600 --nb auto,64 --type d,s --quiet --json j potrf
check "a sweep may mix auto and given tile sizes" lines j 8
for type in s d c z; do
    is_its_turn || continue
    run 2 --dim 400 --type $type --check y --quiet --json j getrf
    check "type $type passes with the default tile size" is j status pass
done
touch taken
for place in /proc/no-such-folder "$folder/taken" /dev/null; do
    is_its_turn || continue
    XDG_CACHE_HOME=$place run 2 --dim 600 --check y getrf
    check "a cache folder that cannot be made is no error" ends_with 0
    check "a cache folder that cannot be made brings no message" lines err 0
done
mkdir -p readonly/ompfact && chmod 500 readonly readonly/ompfact
XDG_CACHE_HOME=$folder/readonly run 2 --dim 600 --check y getrf
check "a cache folder that cannot be written is no error" ends_with 0
check "a cache folder that cannot be written brings no message" lines err 0
chmod -R 700 readonly
refused '--nb must give the size of the tiles' --dim 40 --weights weights
mkdir -p "$XDG_CACHE_HOME/fresh/ompfact"
export XDG_CACHE_HOME=$XDG_CACHE_HOME/fresh
run 2 --dim 100 --nb 50 --explain getrf
check "--explain reports that no rates are measured" says out 'machine: not measured, typical rates'
check "--explain predicts a time for the given tile size" says out 'tile size 50: the model predicts'
echo damaged > "$XDG_CACHE_HOME/ompfact/machine"
run 0 --dry-run --ranks 2 --dim 100 --nb auto --explain getrf
check "a damaged file of rates is no error" ends_with 0
check "a damaged file of rates is named" says out "$XDG_CACHE_HOME/ompfact/machine, line 1: not understood"
rm "$XDG_CACHE_HOME/ompfact/machine"
run 0 --dry-run --ranks 2 --dim 100 --nb 20 --devices 2 --explain --plot plot getrf
check "--explain reports that no rates of devices are measured" says out 'devices: not measured; ompfact --tune --devices 2 measures them'
check "--explain reports that the host's share is measured when a run starts" says out 'in use: to be measured when a run starts'
check "the picture says that a run measures the host's share" says plot 'a run measures how many columns stay on the host'
run 0 --dry-run --ranks 2 --dim 100 --nb 20 --devices 2 --host-share 0.25 --explain --plot plot getrf
check "--explain reports a given host's share" says out 'in use: 0.25, given by --host-share'
check "the picture shows a given host's share" says plot '25.0 % of the columns of a tile on the host'
export XDG_CACHE_HOME=$ours

# ---- ranks of unequal speed ----------------------------------------------------------------------------------------------------

printf '1\n1\n2\n2\n3\n' > speeds
for layout in 1d1d 1d1d-c:cpb=1/2 1d1d-cs:cpb=1/2 auto; do
    is_its_turn 2 || continue
    run 5 --layout $layout --speeds speeds --dim 210 --nb 16 --check y --quiet --json j --owners owners.run
    check "$layout with unequal speeds succeeds" ends_with 0
    run 0 --dry-run --ranks 5 --layout $layout --speeds speeds --dim 210 --nb 16 --quiet --json dry --owners owners
    check "a dry run of $layout counts the same transfers" is dry transfers "$(value j transfers)"
    check "a dry run of $layout has the same owners" same owners owners.run
    check "JSON of $layout has the speeds" says j '"speeds": [1, 1, 2, 2, 3]'
    check "JSON of $layout has the times of ranks for each step" says j '"abe_steps": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]'
    check "a dry run of $layout has the same times" [ "$(grep -o '"abe": .*, "cpb"' j)" = "$(grep -o '"abe": .*, "cpb"' dry)" ]
done
run 0 --dry-run --ranks 5 --layout 1d1d-c:cpb=1/2 --speeds speeds --dim 210 --nb 16 --explain
check "--explain names the ranks that are released early" says out 'released after them'
run 2 --speeds auto --layout 1d1d --dim 64 --nb 16 --check y --quiet --json j
check "a run with measured speeds succeeds" ends_with 0
check "JSON has the measured speeds" says j '"speeds": ['
# bad_speeds WORDS SPEED...: one a line.
bad_speeds() {
    printf '%s\n' "${@:2}" > bad
    refused_by_two "$1" --layout 1d1d --speeds bad --dim 40
    check "the message names the file of speeds" says err bad
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
    check "$layout with speeds too far apart is bad usage" ends_with 2
    check "the message of $layout names both ranks and their speeds" says err 'the speed of rank 0 is 1e-300 and that of rank 1 is 1e+300'
done
refused 'nowhere' --speeds nowhere --dim 40
refused 'write 1d1d-c' --layout 1d1d-c:cpb=0 --dim 40
run 0 --dry-run --ranks 2 --speeds auto
check "a dry run refuses --speeds auto" ends_with 2
check "the message explains that a dry run has no speeds to measure" says err 'a dry run has none'

many=$(($(getconf _NPROCESSORS_CONF) + 1))
run 1 --dim 40 --threads $many --quiet potrf
check "more threads than cores of the node succeed" ends_with 0
check "more threads than cores bring one line of warning" lines err 1
check "the warning has the number of threads" says err "--threads $many on a node of "

# Ranks of one run may have different numbers of threads; all else agrees.
for routine in getrf potrf geqrf; do
    is_its_turn || continue
    same_options=(--layout 1d1d --speeds auto --dim 120 --nb 16 --check y $routine)
    start '1 x 3 and 2 x 1 threads' "${mpiexec[@]}" -n 1 "$ompfact" --threads 3 "${same_options[@]}" \
        : -n 2 "$ompfact" --threads 1 "${same_options[@]}"
    check "unequal threads: $routine succeeds" ends_with 0
    check "unequal threads: the table has the fewest and the most threads" says out 'x 1 to 3 threads'
done
# A map of fewer ranks than there are.
printf '1 2\n0 1\n' > map
run 3 --dim 60 --nb 20 --layout file:map --quiet getrf
check "a rank that a map does not name is reported as idle" says err 'file:map names 2 of 3 ranks: rank 2 is idle'
check "an idle rank is reported in one line" lines err 1
run 2 --dim 60 --nb 20 --layout file:map --quiet getrf
check "a map of all ranks brings no message" lines err 0
run 0 --dry-run --ranks 4 --dim 60 --nb 20 --layout file:map --quiet getrf
check "a dry run reports idle ranks of a map" says err 'rank 2 and others are idle'
# And of devices, where there are some.
run 1 --devices 1 --dim 40 potrf
if [ "$status" = 0 ]; then
    for routine in getrf 'getrf --pivot none' potrf; do
        is_its_turn || continue
        # shellcheck disable=SC2206  # a routine with its options
        same_options=(--layout 1d1d --speeds auto --dim 300 --nb 30 --check y --verbose --json j $routine)
        start '1 with a device and 2 x 2 threads' "${mpiexec[@]}" -n 1 "$ompfact" --devices 1 --threads 1 "${same_options[@]}" \
            : -n 2 "$ompfact" --threads 2 "${same_options[@]}"
        check "unequal devices: $routine succeeds" ends_with 0
        check "unequal devices: $routine passes its check" is j status pass
        check "unequal devices: the first rank uses its device" test "$(value j devices)" = 1
        check "unequal devices: JSON has the speeds" says j '"speeds": ['
    done
fi

sum_up
