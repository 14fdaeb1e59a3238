#!/usr/bin/env bash
# Runs on paper: --simulate.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# ---- simulations ---------------------------------------------------------------------------------------------------------------

start 'ompfact platform' "$ompfact" platform --hosts 4 --cores 2 --gflops 1 --link 100mbit,10us platform.xml
check "a platform is written" ends_with 0
check "the platform has the given hosts, cores and rates" says platform.xml 'radical="1-4" speed="1e+09f" core="2" bw="12500000Bps" lat="1e-05s"'
refused 'platform needs hosts' platform --cores 2
start 'ompfact platform of a rate' "$ompfact" platform --hosts 2 --link 1gbit
check "a platform without a given latency has the default latency" says out 'lat="1e-05s"'
refused 'ompfact: missing/p.xml: ' platform --hosts 2 missing/p.xml
refused 'not RATE[,LATENCY]' platform --hosts 2 --link fast
refused '--cores needs C' platform --hosts 2 --cores

run 0 --dry-run --ranks 8 --ranks-per-node 2 --threads 32 --dim 3000 --nb 300 --explain --gflops 40 potrf
check "a planned node has as many cores as its ranks have threads" says out 'machine: as given, 64 cores a node'
refused '--gflops means nothing beside --machine' --dry-run --ranks 2 --gflops 40 --machine platform.xml
refused 'are for --dry-run' --cores 4
refused 'platform.xml, line 1: not understood' --dry-run --ranks 2 --explain --machine platform.xml

run 0 --simulate platform.xml --ranks 8 --ranks-per-node 2 --dim 300 --nb 30 --quiet --json sim --trace sim.trace potrf
if says err 'needs SimGrid'; then
    check "without SimGrid a simulation is bad usage" ends_with 2
    check "the refusal without SimGrid is one line" lines err 1
else
    check "a simulation runs" ends_with 0
    check "a simulation prints nothing on stderr" lines err 0
    run 0 --dry-run --ranks 8 --ranks-per-node 2 --dim 300 --nb 30 --quiet --json dry potrf
    for key in layout nodes transfers wire_transfers wire_bytes; do
        check "the $key of a simulation is that of a dry run" is sim $key "$(value dry $key)"
    done
    check "a dry run predicts no time" is dry predicted_s null
    check "the trace of a simulation has a panel task for each step" [ "$(grep -c '"name":"potrf"' sim.trace)" = 10 ]
    run 0 --simulate platform.xml --dry-run --ranks 2 --dim 90 --nb 30 --quiet --trace sim.trace --output factors.npy --cache 9 potrf
    check "options that mean nothing beside --simulate are reported in one line" lines err 1
    check "the line names --output" says err '--output means nothing beside --simulate'
    check "the line names --cache" says err '--cache means nothing beside --simulate'
    check "the line does not name --trace, for the trace is written" test -z "$(grep trace err)"
    check "the trace of a simulation has fetches" says sim.trace '"name":"fetch"'
    refused_by 0 'a simulation does not support refinement of factors in single' --simulate platform.xml --ranks 2 --dim 90 --nb 30 --refine posv
    run 0 --simulate platform.xml --ranks 3 --dim 300 --nb 30 --quiet --json sim --trace sim.trace sytrf
    check "a simulation of an indefinite factorization predicts a time" test "$(value sim predicted_s | cut -c 1-2)" = 0.
    check "the trace of an indefinite factorization has its tasks" [ "$(grep -c '"name":"sytrf"' sim.trace)" = 10 ]
    for routine in potrf 'getrf --pivot none'; do
        # shellcheck disable=SC2086  # a routine with its options
        run 0 --simulate platform.xml --ranks 8 --copies 3 --dim 300 --nb 30 --ranks-per-node 2 --quiet --json sim --trace sim.trace $routine
        check "a simulation of copies predicts a time, $routine" \
            awk -v time="$(value sim predicted_s)" 'BEGIN { exit !(time > 0) }'
        check "the trace of copies has fetches, $routine" says sim.trace '"name":"fetch"'
        check "the trace of copies has additions, $routine" says sim.trace '"name":"add"'
        check "the trace of copies has each diagonal tile's factorization once, $routine" [ "$(grep -c "\"name\":\"${routine%% *}\"" sim.trace)" = 10 ]
    done
    for rest in '--threads 1 potrf' '--threads 8 potrf' '--type s --pivot none getrf' '--copies 2 potrf' '--copies 3 --threads 8 potrf' \
                '--copies 2 --pivot none getrf'; do
        # shellcheck disable=SC2086  # options
        run 0 --simulate platform.xml --ranks 8 --ranks-per-node 2 --dim 3000 --nb 300 --explain --json one $rest
        for bound in work_bound_s link_bound_s chain_bound_s tasks_bound_s; do
            check "no bound is above the predicted time, $bound, $rest" \
                awk -v bound="$(value one $bound)" -v time="$(value one predicted_s)" 'BEGIN { exit !(bound > 0 && bound <= time) }'
        done
    done
    for routine in potrf 'getrf --pivot none'; do
        for way in '' '--bcast chain' '--schedule basic' '--schedule static' '--on-node copy --tasks 3'; do
            # shellcheck disable=SC2086  # a routine with its options
            run 0 --simulate platform.xml --ranks 8 --ranks-per-node 2 --dim 300 --nb 30 --quiet --json one $way $routine
            # shellcheck disable=SC2086
            run 0 --simulate platform.xml --ranks 8 --ranks-per-node 2 --dim 300 --nb 30 --quiet --json two $way $routine
            check "two equal simulations predict the same time, $routine $way" is one predicted_s "$(value two predicted_s)"
        done
    done
    run 0 platform --hosts 16 --cores 1 --gflops 100 --link 10gbit,10us fast.xml
    run 0 --simulate fast.xml --ranks 16 --threads 1 --dim 3000 --nb auto,80,160,256 --pivot none --quiet --json sizes getrf
    check "the tile size of a simulation is chosen for the platform's rates and links: within 15 % of the best" \
        awk -F '"predicted_s": ' '{ t[NR] = $2 + 0 } END { exit !(NR == 4 && t[1] < 1.15 * t[2] && t[1] < t[3] && t[1] < t[4]) }' sizes
    run 0 --simulate platform.xml --ranks 3 --dim 100:300:100 --nb 30 potrf
    check "each size of a sweep has its own line" [ "$(grep -c simulated out)" = 3 ]
    run 0 --simulate platform.xml --ranks 1 --threads 1 --dim 300 --nb 30 --quiet --json one potrf
    check "the predicted time of one rank is its flops over its speed" says one '"predicted_s": 0.009'
    refused 'platform.xml has 4 hosts, but 5 ranks, 1 on a node, need 5' --simulate platform.xml --ranks 5 --dim 40 potrf
    refused 'is built for potrf, sytrf and hetrf, and for getrf with --pivot none' --simulate platform.xml --ranks 2 --dim 40 --pivot partial getrf
    refused 'is built for potrf' --simulate platform.xml --ranks 2 --dim 40 geqrf
    refused 'does not support devices' --simulate platform.xml --ranks 2 --dim 40 --devices 1 potrf
    head -c 200 platform.xml > cut.xml
    refused 'SimGrid cannot load cut.xml as a platform' --simulate cut.xml --ranks 2 --dim 40 potrf
    sed 's/bw="[^"]*"/bw="0Bps"/' platform.xml > dead.xml
    refused 'SimGrid cannot load dead.xml as a platform' --simulate dead.xml --ranks 2 --dim 40 potrf
    sed 's/speed="[^"]*"/speed="0f"/' platform.xml > still.xml
    refused 'SimGrid cannot load still.xml as a platform' --simulate still.xml --ranks 2 --dim 40 potrf
    refused 'nonexistent.xml: No such file' --simulate nonexistent.xml --ranks 2 --dim 40 potrf
fi
refused '--simulate needs --ranks P' --simulate platform.xml --dim 40

sum_up
