#!/usr/bin/env bash
# usage: CC=cc FLAGS=... PKG_CONFIG=pkg-config PKG_CONFIG_PATH=... CMAKE_PREFIX_PATH=... MPIEXEC=... FC=... SCALAPACK_LIBS=... \
#        installcheck.sh FLAVOUR PROGRAM.c PROGRAM.f90 SCALAPACK.c
# Builds programs against the installed library of FLAVOUR, mpich or openmpi, with pkg-config and with CMake, and runs them if there is a
# launcher. SCALAPACK.c calls only ScaLAPACK. Without FC or SCALAPACK_LIBS the programs that need them are left out.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
flavour=$1
absolute() { echo "$(cd "$(dirname "$1")" && pwd)/${1##*/}"; }
source=$(absolute "$2")
fortran=$(absolute "$3")
scalapack=$(absolute "$4")
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
read -ra compile <<< "$CC $FLAGS"

# try WHAT PROGRAM LIBRARY [ARGUMENT...]: checks that the program runs, and that it loads LIBRARY: shared, static, or the drop-in.
try() {
    local found=static
    ! readelf -d "$2" | grep -q "NEEDED.*libompfact-$flavour" || found=shared
    ! readelf -d "$2" | grep -q 'NEEDED.*libompfact_scalapack' || found=drop-in
    [ "$found" = "$3" ] || { echo "installcheck: $1: the program loads the $found library instead of the $3 one"; exit 1; }
    if [ -z "$MPIEXEC" ]; then
        echo "installcheck: $1: the program does not run without an MPI launcher"
    else
        echo "installcheck: $1"
        OMPFACT_TEST_RANKS=2 bash "$here/../tests/mpi-run.sh" "$2" "${@:4}" 9> /dev/null || { echo "installcheck: $1: the program fails"; exit 1; }
    fi
}

# flags OPTION...: prints pkg-config's flags
flags() { $PKG_CONFIG "$@" "ompfact-$flavour"; }
$PKG_CONFIG --exists ompfact || { echo "installcheck: there is no ompfact.pc, a plain name"; exit 1; }

usual=static
[ ! -e "$(flags --variable=flavourdir)/libompfact.so" ] || usual=shared
# shellcheck disable=SC2046  # words
"${compile[@]}" $(flags --cflags) -o "$box/usual" "$source" $(flags --libs)
try "pkg-config" "$box/usual" $usual
# shellcheck disable=SC2046
"${compile[@]}" $(flags --cflags) -o "$box/static" "$source" $(flags --static --libs | sed 's/-lompfact/-l:libompfact.a/')
try "pkg-config --static" "$box/static" static

command -v cmake > /dev/null || { echo "installcheck: the package for CMake is not tested without cmake"; exit 0; }
# CMake takes only a compiler, so the words that configure puts before the compiler become its environment.
while [[ ${compile[0]} == env || ${compile[0]} == *=* ]]; do
    [ "${compile[0]}" = env ] || export "${compile[0]?}"
    compile=("${compile[@]:1}")
done
compilers=("-DCMAKE_C_COMPILER=${compile[0]}" "-DCMAKE_C_FLAGS=${compile[*]:1}")

# project LANGUAGES COMPONENTS COMMAND...: writes the project of one program
project() {
    printf '%s\n' "cmake_minimum_required(VERSION 3.12)" "project(installcheck $1)" \
        "find_package(ompfact $(flags --modversion) EXACT REQUIRED COMPONENTS $flavour $2)" "${@:3}" > "$box/CMakeLists.txt"
}
# cmake_builds FOLDER OPTION...
cmake_builds() {
    { cmake -S "$box" -B "$1" "${compilers[@]}" "${@:2}" && cmake --build "$1"; } > "$box/log" 2>&1 && return
    cat "$box/log"
    echo "installcheck: CMake fails"
    exit 1
}
project C "" "add_executable(program $source)" "target_link_libraries(program ompfact::ompfact m)"
for library in $(printf "%s\n" "$usual" static | sort -u); do
    static=ON
    [ "$library" = static ] || static=OFF
    cmake_builds "$box/by-$library" -Dompfact_USE_STATIC_LIBS="$static"
    try "CMake, $library" "$box/by-$library/program" "$library"
done
if [ -n "$FC" ]; then
    project "C Fortran" fortran "add_executable(program $fortran)" "target_link_libraries(program ompfact::fortran)"
    cmake_builds "$box/fortran" -DCMAKE_Fortran_COMPILER="${FC%% *}"
    try "CMake, Fortran" "$box/fortran/program" "$usual"
fi
if [ -n "$SCALAPACK_LIBS" ] && [ $usual = shared ]; then
    project C scalapack "add_executable(program $scalapack)" \
        "target_link_libraries(program ompfact::scalapack $SCALAPACK_LIBS MPI::MPI_C m)"
    cmake_builds "$box/drop-in"
    OMPFACT_SCALAPACK_MIN=0 OMPFACT_SCALAPACK_REPORT=$box/report try "CMake, before ScaLAPACK" "$box/drop-in/program" drop-in SERIALIZED
    [ -z "$MPIEXEC" ] || grep -qx "pdgetrf 1 0" "$box/report" || { echo "installcheck: the drop-in does not replace ScaLAPACK"; exit 1; }
fi

# The MPI of a project selects the flavour; a flavour for another MPI is refused.
# shellcheck disable=SC2016  # CMake's variable
printf '%s\n' "cmake_minimum_required(VERSION 3.12)" "project(installcheck C)" "find_package(MPI REQUIRED COMPONENTS C)" \
    "find_package(ompfact REQUIRED \${PARTS})" 'message("flavour=${ompfact_MPI}")' > "$box/CMakeLists.txt"
wrapper=$(sed -n 's/.*_ompfact_mpi_wrapper "\(.*\)").*/\1/p' "$(flags --variable=libdir)/cmake/ompfact/ompfact-$flavour.cmake")
other=openmpi
[ "$flavour" = mpich ] || other=mpich
found() { cmake -S "$box" -B "$box/$1" "${compilers[@]}" "-DMPI_C_COMPILER=$wrapper" "${@:2}" > "$box/log" 2>&1; }
if ! found mine || ! grep -q "flavour=$flavour" "$box/log" || found another "-DPARTS=COMPONENTS;$other"; then
    cat "$box/log"
    echo "installcheck: CMake does not select the flavour for the project's MPI"
    exit 1
fi
