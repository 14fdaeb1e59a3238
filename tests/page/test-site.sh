#!/usr/bin/env bash
# The site: make html has no warning, each text is a page of it, and its search knows them. In the full tier, where Sphinx is.
#   top_builddir    (make check passes it)
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${top_builddir:-$tests/../build}" && pwd) || exit 99
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"
full || { say "test-site: skipped: in the full tier"; exit 77; }
[ -n "$(of_build "$build" SPHINX_BUILD)" ] && command -v doxygen > /dev/null || { say "test-site: skipped: no Sphinx, or no Doxygen"; exit 77; }

check "make html" ends 0 make -C "$build" html
check "it has no warning" [ "$(grep -ciE 'warning|error' err)" = 0 ]
html=$build/doc/html
for text in README.md CONTRIBUTING.md SECURITY.md "$tests"/../doc/*.md "$tests"/../doc/results/*.md; do
    page=${text#"$tests"/../}
    check "$page is a page" [ -s "$html/${page%.md}.html" ]
done
for page in command ompfact ompfact_plan ompfact_machine fortran python; do
    check "the reference has $page" [ -s "$html/doc/reference/$page.html" ]
done
check "C's functions are there" says "$html/doc/reference/ompfact.html" 'id="c.ompfact_posv"'
check "the command's options are there" says "$html/doc/reference/command.html" '<code class="docutils literal notranslate"><span class="pre">--nb</span></code>'
check "the search knows the pages" says "$html/searchindex.js" checkpoint
sum_up
