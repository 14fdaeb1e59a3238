#!/usr/bin/env bash
# usage: check-links.sh [ROOT]
# Every relative link of ROOT's *.md, doc/*.md, doc/results/*.md and bench/README.md must lead to a file, and to a heading where it
# names one. ROOT is the source tree, or the folder where the texts are installed. Pages stay short. A text for users that names
# programs of bench/ must state that they are in the source tree alone.
set -u
cd "${1:-${srcdir:-$(dirname "$0")/..}}" || exit 99
bad=0 links=0

# Prints headings as links name them: lower case, no punctuation except - and _, and - for spaces.
anchors() { sed -n 's/^##* *//p' "$1" | tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9_-]//g'; }

texts=(*.md doc/*.md doc/results/*.md)
[ ! -e bench/README.md ] || texts+=(bench/README.md)
for file in "${texts[@]}"; do
    [ -e "$file" ] || { echo "check-links: there is no $PWD/$file"; bad=1; continue; }
    if [[ $file != CONTRIBUTING.md && $file != doc/design.md ]] && grep -q 'bench/' "$file" && ! grep -q 'source tree' "$file"; then
        echo "check-links: $file: names programs of bench/ without the words \"source tree\": bench/ is not installed"
        bad=1
    fi
    while read -r link; do
        links=$((links + 1))
        target=${link%%#*}
        path=$(dirname "$file")/$target
        [ -n "$target" ] || path=$file
        if [ ! -e "$path" ]; then
            echo "check-links: $file: $link leads to no file"
            bad=1
        elif [[ $link == *#* ]] && ! anchors "$path" | grep -qxF -- "${link#*#}"; then
            echo "check-links: $file: $link: no heading of that name"
            bad=1
        fi
    done < <(grep -oE '\]\([^) ]+\)' "$file" | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+:')
done
# Pages stay short: README 120 lines, the architecture 150, others 400, except tables of results.
while read -r lines file; do
    most=400
    case $file in README.md) most=120 ;; doc/architecture.md) most=150 ;; CONTRIBUTING.md | doc/results/*) continue ;; esac
    [ "$lines" -le $most ] || { echo "check-links: $file: has $lines lines, more than $most"; bad=1; }
done < <(wc -l -- *.md doc/*.md | grep -v ' total$')
[ $links -gt 0 ] || { echo "check-links: no links found under $PWD"; bad=1; }
[ $bad = 0 ] && echo "check-links: $links links, all lead somewhere"
exit $bad
