#!/usr/bin/env bash
# What layouts cost at start-up, and what an owner look-up costs: bench/layouts.sh BUILD
# Each figure is the least of several runs of bench/layout_times, made in the build folder.
set -euo pipefail
build=${1:?usage: bench/layouts.sh BUILD}
make -s -C "$build" bench/layout_times > /dev/null
"$build/bench/layout_times"
