#!/usr/bin/env bash
# usage: check-words.sh [ROOT]
# Public texts use the words of the vocabulary in CONTRIBUTING.md. This test searches the public headers, the manual page, the help of the command
# and the pages for users for words that the vocabulary replaces. OMPFACT is the built command; without it the help is not searched.
set -u
cd "${1:-${srcdir:-$(dirname "$0")/..}}" || exit 99
bad=0 texts=0

# In headers, manual page and help.
words='says|told|tells|asks|asked|lends?|lent|thanks|talks?|foretells?|foretold|foretell|kin|unasked|heeds?|wants?|wanted|its like|looks? at|looked at|goes by|goes on|handed on'
# In pages, where some of these are plain English.
page_words='told|tells|lends?|lent|thanks|talks?|foretells?|foretold|foretell|kin|unasked|heeds?|its like|looked at|handed on'

# search NAME WORDS: reads the text from stdin.
search() {
    local found
    texts=$((texts + 1))
    found=$(grep -nwE -- "$2") || return 0
    printf '%s\n' "$found" | sed "s|^|check-words: $1: |"
    bad=1
}

for file in src/ompfact.h src/ompfact_plan.h src/ompfact_machine.h src/ompfact_testing.h doc/ompfact.1; do
    search "$file" "$words" < "$file"
done
for file in README.md doc/*.md; do
    search "$file" "$page_words" < "$file"
done
if [ -n "${OMPFACT-}" ]; then
    for page in all debug compare report platform; do
        search "--help $page" "$words" < <("$OMPFACT" --help "$page")
    done
fi
[ $texts -gt 5 ] || { echo "check-words: found no texts under $PWD"; bad=1; }
[ $bad = 0 ] && echo "check-words: $texts texts, no word that the vocabulary replaces"
exit $bad
