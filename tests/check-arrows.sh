#!/usr/bin/env bash
# usage: check-arrows.sh [ROOT]
# Keeps the house in order: who may include what (the table in CONTRIBUTING.md), and factorizations that are the algorithm alone.
set -u
cd "${1:-${srcdir:-$(dirname "$0")/..}}" || exit 99
bad=0
complain() { printf '%s\n' "$*"; bad=1; }

# folder, then what it may include besides libc: its own headers, those of others, and the libraries it knows.
allowed() {
    case $1 in
        layouts) echo 'layouts/*' ;;
        rma)     echo 'rma/* mpi.h' ;;
        omp)     echo 'omp/* rma/* omp.h blis.h' ;;
        offload) echo 'offload/* omp/kernels/kernels.h omp/device.h omp/kernels/precision_on.h omp/kernels/precision_off.h omp.h' ;;
        src)     echo 'src/* omp/* rma/* layouts/* offload/* mpi.h omp.h hwloc.h blis.h' ;;
    esac
}
# Whatever matches these is watched; every other header in angle brackets is taken for libc's.
watched='layouts/*|rma/*|omp/*|offload/*|src/*|tests/*|bench/*|examples/*|mpi.h|omp.h|hwloc*|lapack*.h|cblas*.h|blis*.h|cu*.h|check.h'

matches() {    # NAME PATTERNS...: does it match one?
    local name=$1 pattern
    shift
    for pattern; do
        # shellcheck disable=SC2053  # a pattern on purpose
        [[ $name == $pattern ]] && return 0
    done
    return 1
}

set -f    # the patterns above are not for the file system
IFS='|' read -ra watched <<< "$watched"
files=0
for folder in layouts rma omp offload src; do
    read -ra may <<< "$(allowed "$folder")"
    while read -r file; do
        files=$((files + 1))
        while IFS=: read -r line text; do
            [[ $text =~ include[[:space:]]*([\<\"])([^\>\"]*) ]] || { complain "$file:$line: cannot read $text"; continue; }
            header=${BASH_REMATCH[2]}
            [ "$header" = config.h ] && continue
            matches "$header" "${may[@]}" && continue
            if [ "${BASH_REMATCH[1]}" = '"' ] || matches "$header" "${watched[@]}"; then
                complain "$file:$line: $folder/ must not include $header (allowed: libc and ${may[*]})"
            fi
        done < <(grep -nE '^[[:space:]]*#[[:space:]]*include' "$file")
    done < <(find "$folder" -name '*.[ch]' | sort)
done
[ "$files" -gt 0 ] || complain "no source found under $PWD"

# The factorizations read as the textbook loops: tasks, no pragmas, no messages, no memory.
for file in src/factor/{potrf,getrf,geqrf}.c src/solve/triangular.c; do
    [ -e "$file" ] || { complain "$file is missing, which is to be the algorithm alone"; continue; }
    text=$(grep -nE '#[[:space:]]*pragma omp|MPI_|cublas|(m|c|re)alloc' "$file") &&
        complain "$file is to be the algorithm alone, but has:"$'\n'"$text"
done

[ $bad = 0 ] && echo "check-arrows: $files files, every include allowed"
exit $bad
