#!/usr/bin/env bash
# usage: NM=nm OBJCOPY=objcopy rename-symbols.sh IN.a OUT.a [MORE]
# Copies a static library and renames every global symbol that does not start with ompfact_, nor with MORE, a regular expression,
# to ompfact__NAME. A static library has no hidden symbols, so a layout_create() of a user would otherwise clash with the library's.
set -euo pipefail
in=$1
out=$2
kept="^(ompfact_${3:+|$3})"
trap 'rm -f "$out.names" "$out.tmp"' EXIT

"$NM" -P -g --defined-only "$in" | awk -v kept="$kept" 'NF > 1 && $1 !~ kept { print $1, "ompfact__" $1 }' | sort -u > "$out.names"
"$OBJCOPY" --redefine-syms="$out.names" "$in" "$out.tmp"
mv "$out.tmp" "$out"
