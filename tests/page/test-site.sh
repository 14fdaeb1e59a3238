#!/usr/bin/env bash
# The site: make html prints no warning, makes a page of each text, and puts the pages into the search index. In the full tier,
# where Sphinx is installed.
#   top_builddir    (make check passes it)
set -u
tests=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${top_builddir:-$tests/../build}" && pwd) || exit 99
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"
full || { say "test-site: skipped: in the full tier"; exit 77; }
[ -n "$(of_build "$build" SPHINX_BUILD)" ] && command -v doxygen > /dev/null || { say "test-site: skipped: no Sphinx, or no Doxygen"; exit 77; }

check "make html" ends 0 env -u MAKEFLAGS -u MFLAGS make -C "$build" html       # free of the jobs of the make that runs this
check "it has no warning" [ "$(grep -ciE 'warning|error' err)" = 0 ]
html=$build/doc/html
for text in README.md CONTRIBUTING.md SECURITY.md "$tests"/../doc/*.md "$tests"/../doc/results/*.md; do
    page=${text#"$tests"/../}
    check "there is a page for $page" [ -s "$html/${page%.md}.html" ]
done
for page in command ompfact ompfact_plan ompfact_machine fortran python; do
    check "the reference has $page" [ -s "$html/doc/reference/$page.html" ]
done
check "the reference has C's functions" says "$html/doc/reference/ompfact.html" 'id="c.ompfact_posv"'
check "the reference has the command's options" says "$html/doc/reference/command.html" '<code class="docutils literal notranslate"><span class="pre">--nb</span></code>'
check "the search index has the pages" says "$html/searchindex.js" checkpoint
sum_up
