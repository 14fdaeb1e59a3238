#!/usr/bin/env bash
# Draws the pictures of README.md and doc/layouts.md in the folder of this script:  doc/figures/draw.sh build/ompfact
# tiles_sent.py draws README's picture, cost.py the figures of cost and the tables, bench/unequal.py those of unequal ranks.
set -eu
program=$(realpath "${1:?usage: draw.sh PROGRAM}")
cd "$(dirname "$0")"

# NAME RANKS LAYOUT TILES ROUTINE: draws a picture with TILES tile rows and columns. In pictures of more than 60 kB the cells have no
# numbers.
picture() {
  "$program" --dry-run --ranks "$2" --layout "$3" --dim "${4}00" --nb 100 --quiet --plot "$1.svg" "$5"
  if [ "$(wc -c < "$1.svg")" -gt 60000 ]; then
    sed -i '/class="numbers"/,/<\/g>/d' "$1.svg"
  fi
}

picture 2dbc-6    6  2dbc   12 getrf
picture g2dbc-10  10 g2dbc  20 getrf
picture sbc-10    10 sbc    20 potrf
picture gcrm-23   23 gcrm   44 potrf
picture design-23 23 design 52 potrf
picture design-31 31 design 62 potrf

python3 tiles_sent.py "$program"
python3 cost.py "$program"
python3 ../../bench/unequal.py "$program"
