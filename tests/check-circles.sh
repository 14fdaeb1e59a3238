#!/usr/bin/env bash
# usage: check-circles.sh [BUILD [ROOT]]
# Finds circles of source files that call each other's functions, in the objects of a build, and compares them with the list in
# doc/design.md. Folders must not call each other in circles at all.
set -u
cd "${1:-.}" || exit 99
root=${2:-${srcdir:-$(dirname "$0")/..}}
tops='layouts rma omp offload src'

# Prints the files that have an object as "file", and calls from file to file as "file file", without endings. Objects of
# programs have a prefix: libcommand_a-usage.o. Objects of files that no longer exist do not count.
# shellcheck disable=SC2086  # a list of folders
calls() {
    find $tops -name '*.o' ! -name '*dispatcher*' -exec nm -A -P {} + | awk -v root="$root" '
    function source(object,    file, status, line) {
        if (object in name)
            return name[object]
        file = object
        sub(/\.o:?$/, "", file)
        sub(/\/[a-z_]*-/, "/", file)
        status = (getline line < (root "/" file ".c"))
        close(root "/" file ".c")
        return name[object] = status < 0 ? "" : file
    }
    { file = source($1) }
    file == "" { next }
    !seen[file]++ { print file }
    $3 ~ /^[TDBRC]$/ { home[$2] = file }
    $3 == "U" { uses[file, $2] = 1 }
    END {
        for (use in uses) {
            split(use, part, SUBSEP)
            if (part[2] in home && home[part[2]] != part[1])
                print part[1], home[part[2]]
        }
    }' | sort -u
}

# Prints each circle of a graph on one line, sorted: the strongly connected components (Tarjan 1972).
circles() {
    awk '
    function visit(v,    i, w, members) {
        order[v] = low[v] = ++count
        stack[++depth] = v
        waits[v] = 1
        for (i = 1; i <= degree[v]; i++) {
            w = next_of[v, i]
            if (!(w in order)) {
                visit(w)
                low[v] = low[w] < low[v] ? low[w] : low[v]
            } else if (waits[w]) {
                low[v] = order[w] < low[v] ? order[w] : low[v]
            }
        }
        if (low[v] != order[v])
            return
        members = 0
        do {
            w = stack[depth--]
            waits[w] = 0
            found[++members] = w
        } while (w != v)
        for (i = 1; i <= members && members > 1; i++)
            print v, found[i]
    }
    { node[$1] = 1 }
    NF == 2 { node[$2] = 1; next_of[$1, ++degree[$1]] = $2 }
    END { for (v in node) if (!(v in order)) visit(v) }' | sort |
        awk '$1 != circle { if (NR > 1) print line; circle = $1; line = "" } { line = line (line == "" ? "" : " ") $2 }
             END { if (NR > 0) print line }' | sort
}

# Prints the rows of the table in doc/design.md, | `folder/` file, file | why |, whose files are all in this build.
named() {
    awk -F'|' 'NR == FNR { built[$1] = 1; next }
    $2 ~ /^ `[a-z_\/]+\/` / {
        gsub(/[`,]/, "", $2)
        count = split($2, word, " ")
        line = ""
        for (i = 2; i <= count; i++)
            if ((word[1] word[i]) in built) line = line (line == "" ? "" : " ") word[1] word[i]
            else next
        print line
    }' <(awk 'NF == 1' <<< "$1") "$root/doc/design.md" | sort
}

graph=$(calls)
[ "$(wc -l <<< "$graph")" -gt 100 ] || { echo "check-circles: nm lists no calls here"; exit 77; }
bad=0
found=$(diff <(named "$graph") <(circles <<< "$graph")) ||
    { printf 'circles of files, and those that doc/design.md names (<):\n%s\n' "$found"; bad=1; }
found=$(awk '{ for (i = 1; i <= NF; i++) sub(/\/[^\/]*$/, "", $i) } NF == 1 || $1 != $2' <<< "$graph" | sort -u | circles)
[ -z "$found" ] || { printf 'folders that call each other in a circle:\n%s\n' "$found"; bad=1; }
[ $bad = 0 ] && echo "check-circles: $(awk 'NF == 1' <<< "$graph" | wc -l) files, no circle but those of doc/design.md"
exit $bad
