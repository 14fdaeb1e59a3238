#!/usr/bin/env bash
# usage: CC=cc FLAGS=... PKG_CONFIG=pkg-config PKG_CONFIG_PATH=... CMAKE_PREFIX_PATH=... MPIEXEC=... installcheck.sh PROGRAM.c
# Builds a program against the installed library in each way that users have, and runs it where there is a launcher.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$(dirname "$1")" && pwd)/${1##*/}
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
read -ra compile <<< "$CC $FLAGS"

# try WHAT PROGRAM LIBRARY: it runs, and takes LIBRARY: shared or static.
try() {
    local found=static
    ! readelf -d "$2" | grep -q 'NEEDED.*libompfact' || found=shared
    [ "$found" = "$3" ] || { echo "installcheck: $1: the program takes the $found library"; exit 1; }
    if [ -z "$MPIEXEC" ]; then
        echo "installcheck: no MPI launcher, so the program by $1 is not run"
    else
        echo "installcheck: $1"
        OMPFACT_TEST_RANKS=2 bash "$here/../tests/mpi-run.sh" "$2" 9> /dev/null || { echo "installcheck: $1: it fails"; exit 1; }
    fi
}

# flags OPTION...: pkg-config's words
flags() { $PKG_CONFIG "$@" ompfact; }

usual=static
[ ! -e "$(flags --variable=libdir)/libompfact.so" ] || usual=shared
# shellcheck disable=SC2046  # words
"${compile[@]}" $(flags --cflags) -o "$box/usual" "$source" $(flags --libs)
try "pkg-config" "$box/usual" $usual
# shellcheck disable=SC2046
"${compile[@]}" $(flags --cflags) -o "$box/static" "$source" $(flags --static --libs | sed 's/-lompfact/-l:libompfact.a/')
try "pkg-config --static" "$box/static" static

command -v cmake > /dev/null || { echo "installcheck: no cmake, so its package is not tried"; exit 0; }
cat > "$box/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.12)
project(installcheck C)
find_package(ompfact $(flags --modversion) EXACT REQUIRED)
add_executable(program "$source")
target_link_libraries(program ompfact::ompfact m)
END
# CMake wants a compiler alone, so what configure keeps before it becomes the environment.
while [[ ${compile[0]} == env || ${compile[0]} == *=* ]]; do
    [ "${compile[0]}" = env ] || export "${compile[0]?}"
    compile=("${compile[@]:1}")
done
for library in $(printf "%s\n" "$usual" static | sort -u); do
    build=$box/by-$library
    static=ON
    [ "$library" = static ] || static=OFF
    if ! { cmake -S "$box" -B "$build" -DCMAKE_C_COMPILER="${compile[0]}" -DCMAKE_C_FLAGS="${compile[*]:1}" \
        -Dompfact_USE_STATIC_LIBS="$static" && cmake --build "$build"; } > "$box/log" 2>&1; then
        cat "$box/log"
        echo "installcheck: CMake fails"
        exit 1
    fi
    try "CMake, $library" "$build/program" "$library"
done
