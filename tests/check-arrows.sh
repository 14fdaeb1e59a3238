#!/usr/bin/env bash
# usage: check-arrows.sh [ROOT]
# Checks the order of the source tree: which folder may include which headers, names of files, the length of lines, factorizations
# that are the algorithm alone, serial tests without ranks, and planted faults (mutants/): their text must exist, and hunted.md must
# list them.
set -u
cd "${1:-${srcdir:-$(dirname "$0")/..}}" || exit 99
bad=0
complain() { printf '%s\n' "$*"; bad=1; }

# The table has a row for each room, which is a folder without its subfolders. The row lists what the room may include besides
# its own headers and libc; a folder stands for its headers. Rooms of src/ may also include the rooms above them in the table,
# except src/io and src/process, which each user names. The rooms before the door are clients: they include the public headers,
# files and text (src/io), the process's surroundings (src/process), and those rooms of each other that they name. No other room
# includes a client's headers.
rooms() {
    cat << 'END'
layouts
layouts/patterns            layouts
layouts/designs             layouts
layouts/designs/catalogue   layouts layouts/designs
layouts/unequal             layouts
layouts/uneven              layouts
layouts/choice              layouts layouts/patterns layouts/designs layouts/unequal layouts/uneven
rma                         mpi.h
omp/kernels/micro           omp/kernels/letters.h omp/kernels/each_precision.h
omp/kernels                 omp/kernels/micro omp.h
omp                         omp/kernels rma/rma.h omp.h
omp/device_copies           omp omp/kernels
omp/team                    omp omp/kernels omp/device_copies rma/rma.h omp.h
omp/tasks                   omp omp/kernels
offload                     omp/kernels omp/device.h omp.h
src                         mpi.h
src/io
src/process
src/grid                    src/ompfact.h src/ompfact_machine.h src/ompfact_testing.h rma/move.h omp offload/offload.h src/process hwloc.h
src/machine                 src/ompfact_machine.h layouts/refusal.h layouts/words.h omp omp/kernels src/io/c_locale.h src/io/replace.h src/io/text_stream.h hwloc.h
src/about                   src/ompfact_machine.h
src/matrix                  src/ompfact.h layouts layouts/unequal omp/compression.h omp/pinned.h omp/kernels/rounding.h omp/kernels/tile_sums.h omp/kernels/truncation.h omp/kernels/workspace.h
src/move                    src/io/digest.h
src/butterfly               omp/kernels
src/checkpoint              src/ompfact.h omp/kernels/rounding.h omp/kernels/tile_sums.h omp/tasks src/io/c_locale.h src/io/digest.h src/io/io.h src/io/replace.h src/io/json_text.h src/io/text_stream.h
src/factor                  src/ompfact.h omp/kernels omp/tasks omp/team src/io/c_locale.h src/io/replace.h src/io/text_stream.h src/io/trace_frame.h
src/choose                  layouts/unequal omp/kernels src/io/c_locale.h src/io/digest.h
src/solve                   omp/kernels/mixing.h omp/kernels/update_reflectors.h omp/kernels/workspace.h
src/inverse
src/model                   src/io/c_locale.h
src/tune                    src/ompfact_machine.h omp
src/plan                    src/ompfact.h src/ompfact_machine.h src/ompfact_plan.h layouts/unequal omp/kernels src/io/text_stream.h
src/scalapack               mpi.h omp.h
src/generate
src/facts
src/page                    src/facts
src/command                 src/ompfact_testing.h src/generate src/facts src/page mpi.h
bench                       src/ompfact.h mpi.h lapacke.h
examples                    mpi.h
fortran                     src/ompfact.h mpi.h
END
}
before_the_door='src/scalapack src/generate src/facts src/page src/command'
door='src/ompfact.h src/ompfact_machine.h src/ompfact_plan.h'

tops='layouts rma omp offload src bench examples fortran'

# Prints four lists with an empty line between them: the table; the files of bench/ that measure inside the library, with the
# headers that they include for it (bench/local.mk); all sources; and all includes, as grep finds them.
# shellcheck disable=SC2086  # a list of folders
lists() {
    rooms
    echo
    sed -n 's|^#   \([a-z_]*\.[ch] \)|bench/\1|p' bench/local.mk
    echo
    find $tops -name '*.[ch]' | sort
    echo
    find $tops -name '*.[ch]' | sort | xargs grep -nE '^[[:space:]]*#[[:space:]]*(include|define BODY)' /dev/null
}
arrows() {
    awk -v before_the_door=" $before_the_door " -v door="$door" '
    # Other headers in angle brackets count as headers of libc.
    BEGIN { watched = "^(layouts|rma|omp|offload|src|tests|bench)/|^(mpi|omp|hwloc.*|lapack.*|cblas.*|blis.*|cu.*|check)\\.h$" }
    function folder(path) { return sub(/\/[^\/]*$/, "", path) ? path : "" }
    function is_in(list, header,    n, i, item) {
        for (n = split(list, item, " "); n > 0; n--)
            if (item[n] == header || item[n] == folder(header))
                return 1
        return 0
    }
    # A row must not open the door: no client names a room behind it, and no room behind it names a client.
    function is_client(room) { return index(before_the_door, " " room " ") > 0 }
    function check_row(room, row,    n, item, of_client) {
        for (n = split(row, item, " "); n > 0; n--) {
            of_client = is_client(item[n]) || is_client(folder(item[n]))
            if (item[n] ~ /^(src|omp|rma|layouts|offload)/ && item[n] !~ /^src\/ompfact[a-z_]*\.h$|^omp\.h$/ &&
                is_client(room) != of_client)
                print "the table of tests/check-arrows.sh: " room "/ must not include " item[n]
        }
    }
    /^$/ { list++; next }
    list == 0 {
        room = $1; $1 = ""; may[room] = $0
        if (room ~ /^src\//)
            check_row(room, $0)
        if (is_client(room))
            may[room] = $0 " " door " src/io src/process"
        else if (room ~ /^src\// && room !~ /^src\/(io|process)$/) {
            may[room] = $0 above
            above = above " " room
        }
    }
    list == 1 { file = $1; $1 = ""; measures[file] = $0 }
    list == 2 {
        files[$1] = 1; lives_in[folder($1)] = 1
        if (!(folder($1) in may))
            print $1 ": the table of tests/check-arrows.sh has no such room"
    }
    list == 3 {
        if (/include BODY$/) next       # omp/kernels/each_precision.h: the file that defines BODY names the header
        split($0, part, ":"); file = part[1]; at = file ":" part[2]; room = folder(file)
        if (!match($0, /["<][^">]*[">]/)) { print at ": cannot read this include"; next }
        quoted = substr($0, RSTART, 1) == "\""; header = substr($0, RSTART + 1, RLENGTH - 2)
        if (header == "config.h" || (!quoted && header !~ watched))
            next
        if (quoted && header !~ /\//)
            header = room "/" header
        if (folder(header) == room || is_in(may[room], header))
            next
        if (!is_in(measures[file], header))
            print at ": " room "/ must not include " header " (allowed: libc," may[room] measures[file] ")"
    }
    END {
        for (room in may) if (!(room in lives_in)) print "the room " room "/ is empty"
        for (file in measures) {
            if (!(file in files)) print "bench/local.mk: there is no " file
        }
    }'
}
found=$(lists | arrows)
[ -z "$found" ] || complain "$found"
while read -r top; do
    [[ " $tops tests doc packaging python " == *" $top "* ]] || complain "Makefile.am: the table of tests/check-arrows.sh has no folder $top/"
done < <(sed -n 's|^include \(.*\)/local\.mk$|\1|p' Makefile.am)

# A name belongs to one file, or to a header, its source and its script in one folder.
# shellcheck disable=SC2086
found=$(find $tops tests doc \( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' -o -path 'bench/*' ! -name '*.*' \) -type f |
    awk '{ path = $0; sub(/\.[a-z]+$/, "", path); name = path; sub(/.*\//, "", name) }
         name in place && place[name] != path { print "two files of one name: " file[name] " and " $0 }
         { place[name] = path; file[name] = $0 }')
[ -z "$found" ] || complain "$found"

# The list in bench/README.md has every script and program.
for file in bench/*; do
    name=${file#bench/}
    case $name in *.h | *.mk | README.md) continue ;; esac
    grep -qE "\`${name%.c}(\.c)?\`" bench/README.md || complain "bench/README.md does not list $name"
done

# shellcheck disable=SC2086
found=$(find $tops tests -name '*.[ch]' | xargs awk 'length > 130 { print FILENAME ":" FNR ": more than 130 columns" }')
[ -z "$found" ] || complain "$found"

# The locale of a program must not change how files are read.
found=$(grep -rnE '\b(strto(d|f|ld)|atof)\(' layouts rma omp offload src --include='*.[ch]' |
    grep -vE '^(src/io/c_locale\.h|layouts/words\.[ch]):|^[^:]*:[0-9]*: *(/?\*|//)')
[ -z "$found" ] || complain "use c_locale_real(), or words_real() in layouts/, which do not depend on the locale:"$'\n'"$found"

# The factorizations read as the textbook loops: tasks, but no pragmas, no messages and no memory.
for file in src/factor/{potrf,getrf,geqrf}.c src/solve/triangular.c; do
    [ -e "$file" ] || { complain "$file is missing, which must be the algorithm alone"; continue; }
    text=$(grep -nE '#[[:space:]]*pragma omp|MPI_|cublas|(m|c|re)alloc' "$file") &&
        complain "$file must be the algorithm alone, but has:"$'\n'"$text"
done

# A test of serial_tests starts without a launcher.
found=$(awk '/^serial_tests =/ { on = 1; next } on { sub(/.*\//, "", $1); print $1; if (!/\\$/) exit }' tests/local.mk |
    while read -r name; do
        grep -qE "\b$name\b.*\) ranks=none ;;" tests/mpi-run.sh || echo "tests/mpi-run.sh: $name is serial, so its number of ranks must be none"
    done)
[ -z "$found" ] || complain "$found"

if command -v python3 > /dev/null; then
    faults=$(python3 -B tests/mutants/hunt.py -l)
    found=$(grep 'THE TEXT IS THERE' <<< "$faults") && complain "$found"
    found=$(diff <(sed -E 's/^ *([0-9]+)  ([^ ]*): (.*)$/| \1 | `\2` | \3 |/' <<< "$faults") \
        <(sed -nE 's/^(\| [0-9]+ \| `[^`]+` \| [^|]* \|) [^|]* \|$/\1/p' tests/mutants/hunted.md)) ||
        complain "tests/mutants/hunted.md (>) and mutants.txt (<) have different rows:"$'\n'"$found"
fi

# shellcheck disable=SC2086
[ $bad = 0 ] && echo "check-arrows: $(find $tops -name '*.[ch]' | wc -l) files, every include allowed"
exit $bad
