#!/usr/bin/env bash
# The builds for MPICH and Open MPI are installed into one prefix. Neither changes the other's files, the plain names stay those
# of the first build, pkg-config and CMake find each, and programs and commands of each run. In the full tier, where both builds
# lie beside each other.
# shellcheck disable=SC2016  # make's and CMake's variables
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/shell.sh
. "$here/shell.sh"
skip() { say "$script: skipped: $*"; exit 77; }
full || skip "it is in the full tier (make check-full)"
[ -z "${ASAN_OPTIONS:-}${TSAN_OPTIONS:-}" ] || skip "sanitizers are clang's"
build=$(cd "${top_builddir:-.}" && pwd)
other=$(build_for_other_mpi "$build")
[ -n "$other" ] || skip "there is no build for the other MPI beside this one"
[ -e "$build/libompfact.so" ] || skip "there is no shared library"
pkg-config --define-prefix --version > /dev/null 2>&1 || skip "there is no pkg-config"
ours=$(of_build "$build" MPI_FLAVOUR)
theirs=$(of_build "$other" MPI_FLAVOUR)
[ "$(of_build "$build" libdir)" = '${exec_prefix}/lib' ] || skip "libdir is not lib"
prefix=$folder/prefix

# make_in BUILD TARGET [VARIABLE=...]: independent of the make that runs this script. Binaries contain the build's own prefix.
make_in() { ends 0 env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$@"; }
# The dispatcher's debugging data contain the folder of the build, and so does its checksum.
dispatcher=lib/libompfact_scalapack.so
sums() {
    (cd "$prefix" && strip -R .note.gnu.build-id -o "$folder/stripped" $dispatcher && sha256sum < "$folder/stripped" &&
        find . -type f ! -name '*.pyc' ! -path "./$dispatcher" -exec sha256sum {} + | LC_ALL=C sort)
}
plain_is() { [ "$(readlink "$prefix/lib/pkgconfig/ompfact.pc")" = "ompfact-$1.pc" ] && [ -e "$prefix/lib/libompfact.so" ]; }
all_there() { [ -z "$(find "$prefix" -xtype l)" ]; }

for each in "$build" "$other"; do
    check "all is built" make_in "$each" all
done
check "the first build is installed" make_in "$build" install prefix="$prefix"
sums > first
check "the second build is installed" make_in "$other" install prefix="$prefix"
check "its output names the owner of the plain names" says out "plain names stay links to $ours"
sums > both
check "no file of the first build has changed" [ -z "$(LC_ALL=C comm -23 first both)" ]
check "all links lead to files" all_there
check "the plain names are the first build's" plain_is "$ours"
check "the second build takes the plain names" make_in "$other" plain-names prefix="$prefix"
check "the plain names are the second build's" plain_is "$theirs"
check "the first build takes them back" make_in "$build" plain-names prefix="$prefix"

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
for each in "$build" "$other"; do
    flavour=$(of_build "$each" MPI_FLAVOUR)
    read -ra mpiexec <<< "$(of_build "$each" MPIEXEC)"
    read -ra flags <<< "$(pkg-config --define-prefix --cflags --libs "ompfact-$flavour")"
    check "a program for $flavour compiles" "${CC%% *}" -o "program-$flavour" "$here/../examples/linear_system.c" "${flags[@]}"
    check "it is linked to that library" grep -q "NEEDED.*libompfact-$flavour.so" <(readelf -d "program-$flavour")
    [ ${#mpiexec[@]} -gt 0 ] || continue
    check "the program of $flavour runs" ends 0 "${mpiexec[@]}" -n 2 "./program-$flavour"
    check "the command of $flavour runs" ends 0 "${mpiexec[@]}" -n 2 "$prefix/bin/ompfact.$flavour" --dim 100 --check y getrf
done

if command -v cmake > /dev/null; then
    mkdir project
    printf '%s\n' "cmake_minimum_required(VERSION 3.12)" "project(both C)" "find_package(ompfact REQUIRED \${PARTS})" \
        "add_executable(program $here/../examples/linear_system.c)" "target_link_libraries(program ompfact::ompfact m)" \
        "file(WRITE found \${ompfact_MPI})" > project/CMakeLists.txt
    # cmake_takes FLAVOUR OPTION...
    cmake_takes() {
        rm -rf cmake
        ends 0 cmake -S project -B cmake "-Dompfact_DIR=$prefix/lib/cmake/ompfact" "-DCMAKE_C_COMPILER=${CC%% *}" "${@:2}" &&
            [ "$(cat project/found)" = "$1" ]
    }
    for flavour in "$ours" "$theirs"; do
        check "CMake finds the component $flavour" cmake_takes "$flavour" "-DPARTS=COMPONENTS;$flavour"
        check "CMake links its program" ends 0 cmake --build cmake
        check "the program needs that library" grep -q "NEEDED.*libompfact-$flavour.so" <(readelf -d cmake/program)
    done
    check "without a component CMake takes the plain library" cmake_takes "$ours"
    wrapper=$(sed -n 's/.*_ompfact_mpi_wrapper "\(.*\)").*/\1/p' "$prefix/lib/cmake/ompfact/ompfact-$theirs.cmake")
    check "or the library for the project's MPI" cmake_takes "$theirs" "-DMPI_C_COMPILER=$wrapper"
    check "a library for another MPI than the project's is refused" ends 1 cmake -S project -B refused "-Dompfact_DIR=$prefix/lib/cmake/ompfact" \
        "-DMPI_C_COMPILER=$wrapper" "-DPARTS=COMPONENTS;$ours"
    check "with a reason" says err "does not match the project's MPI"
else
    say "$script: no cmake, so its package is not tested"
fi

check "the second build is uninstalled" make_in "$other" uninstall prefix="$prefix"
check "the first build's own files stay" [ -e "$prefix/lib/libompfact-$ours.so.0" ]
check "the plain names stay" plain_is "$ours"
check "the first build is uninstalled" make_in "$build" uninstall prefix="$prefix"
check "no file is left" [ -z "$(find "$prefix" ! -type d)" ]
sum_up
