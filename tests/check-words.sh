#!/usr/bin/env bash
# usage: check-words.sh [ROOT]
# Public texts use the words of the vocabulary in CONTRIBUTING.md. This test searches the public headers, the manual page, the help of
# the command and the pages for users for words that the vocabulary replaces. OMPFACT is the built command; without it the test does
# not search the help.
set -u
cd "${1:-${srcdir:-$(dirname "$0")/..}}" || exit 99
bad=0 texts=0

page_words='told|tells|lends?|lent|thanks|talks?|foretells?|foretold|kin|unasked|heeds?|its like|looked at|handed on'
# Some words are plain English in the pages.
words="$page_words|says|asks|asked|wants?|wanted|looks? at|goes by|goes on"

# search NAME WORDS FILE
search() {
    local found
    texts=$((texts + 1))
    found=$(grep -nwE -- "$2" "$3") || return 0
    printf '%s\n' "$found" | sed "s|^|check-words: $1: |"
    bad=1
}

for file in src/ompfact.h src/ompfact_plan.h src/ompfact_machine.h src/ompfact_testing.h doc/ompfact.1; do
    search "$file" "$words" "$file"
done
for file in README.md doc/*.md; do
    search "$file" "$page_words" "$file"
done
if [ -n "${OMPFACT-}" ]; then
    for page in all debug compare report platform; do
        search "--help $page" "$words" <("$OMPFACT" --help "$page")
    done
fi
[ $texts -gt 5 ] || { echo "check-words: found no texts under $PWD"; bad=1; }
[ $bad = 0 ] && echo "check-words: $texts texts, no word that the vocabulary replaces"
exit $bad
