#!/usr/bin/env bash
# usage: aarch64.sh [FOLDER [TEST...]]
# Compiles the whole project for aarch64, without devices. In an emulator on this machine it then runs the tests of the kernels,
# and Cholesky, LU and QR in each precision. TEST: runs this test instead, for example matrix/test_api.
#
# FOLDER (default: build/aarch64) gets all files, and nothing outside it changes. Debian's packages for aarch64 are unpacked
# there without being installed, so root is not needed (some 140 packages, 160 MB to download, 1.2 GB in all). The emulator and
# the linker are unpacked there, too, where this machine has none. A later call uses them again. The script takes some 15
# minutes, half of them in test_panels.
#
#   CC        clang                            (default: clang-19)
#   QEMU_CPU  the processor that is emulated   (default: qemu's, which has SVE; neoverse-n1 has none)
#   MPIEXEC   MPICH's launcher, for tests on several ranks
#   OMPFACT_TEST_TIMEOUT  seconds for each run (limit.sh)
#
# The exit status is 1 where something does not compile or a test fails, and 77 ("skipped") where the machine lacks something;
# the script prints a line for each missing thing.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$source/build/aarch64}
shift $(($# > 0))
CC=${CC:-clang-19}
# shellcheck source=tests/limit.sh
. "$source/tests/limit.sh"

packages=(libc6-dev gcc libmpich-dev libblis-serial-dev liblapacke-dev liblapack-dev libhwloc-dev check libsubunit-dev)
triple=aarch64-linux-gnu

lacking=0
lack() { echo "aarch64.sh: missing: $*"; lacking=1; }
skip_if_lacking() { [ $lacking = 0 ] || { echo "aarch64.sh: skipped"; exit 77; }; }
fail() { say "aarch64.sh: $*"; exit 1; }

# A tool of clang's own version.
tool() { "$CC" -print-prog-name="$1"; }

find_tools() {
    [ "$(uname -m)" != aarch64 ] || lack "another machine: this one is aarch64 itself, and make check runs all tests on it"
    local t
    for t in apt-get apt-cache dpkg dpkg-deb make pkg-config; do
        command -v "$t" > /dev/null || lack "$t"
    done
    version=$(echo __clang_major__ | "$CC" --target=$triple -E -P -x c - 2> /dev/null)
    if [[ ! $version =~ ^[0-9]+$ ]] || [ "$version" -lt 17 ]; then
        lack "clang 17 or later that compiles for aarch64: CC=$CC does not, or is older (Debian: clang-19)"
        return
    fi
    packages+=("libomp-$version-dev")
    for t in llvm-ar llvm-ranlib llvm-nm llvm-objcopy; do
        [[ $(tool $t) = /* ]] || lack "$t (Debian: llvm-$version)"
    done
}

# With these options apt uses lists and caches in FOLDER alone, as on a machine without any package.
set_apt_options() {
    local here=$folder/apt
    mkdir -p "$here/state/lists/partial" "$here/cache/archives/partial" || fail "cannot write to $folder"
    : > "$here/status"
    apt_options=(-qq -o Dir::State="$here/state" -o Dir::State::status="$here/status" -o Dir::Cache="$here/cache"
        -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Architectures::="$(dpkg --print-architecture)"
        -o APT::Install-Recommends=false -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=true)
}

# find_tool FILE PACKAGE: sets `found` to the command of that name on this machine, else to FILE of PACKAGE, unpacked into FOLDER.
find_tool() {
    local name=${1##*/} tools=$folder/tools
    found=$(command -v "$name" || command -v "${name%-static}") || found=$tools/$1
    [ ! -x "$found" ] || return 0
    mkdir -p "$tools"
    if ! (cd "$tools" && apt-get "${apt_options[@]}" download "$2:$(dpkg --print-architecture)") > "$tools/$2.log" 2>&1 ||
        ! dpkg-deb -x "$tools/$2"_*.deb "$tools"; then
        lack "${name%-static} (Debian: $2)"
        return
    fi
    rm "$tools/$2"_*.deb
    "$found" --version > /dev/null || lack "a ${name%-static} that starts: $found does not"
}

# Makes a sysroot of the libraries and headers of an aarch64 machine. Its programs are not needed.
make_sysroot() {
    sysroot=$folder/sysroot
    [ "$(cat "$folder/unpacked" 2> /dev/null)" != "${packages[*]}" ] || return 0
    local p archive link
    for p in "${packages[@]}"; do
        apt-cache "${apt_options[@]}" show "$p:arm64" 2> /dev/null | grep -q '^Filename:' || lack "Debian's package $p for arm64"
    done
    skip_if_lacking
    apt-get "${apt_options[@]}" -y --download-only install "${packages[@]}" > "$folder/apt.log" 2>&1 ||
        { lack "Debian's packages for arm64: $(tail -n 1 "$folder/apt.log")"; skip_if_lacking; }
    rm -rf "$sysroot"
    mkdir -p "$sysroot"
    for archive in "$folder"/apt/cache/archives/{lib,linux-libc-dev_,check_}*.deb; do
        dpkg-deb -x "$archive" "$sysroot" || fail "$archive cannot be unpacked"
    done
    find "$sysroot" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
        ln -sfnr "$sysroot$(readlink "$link")" "$link"
    done
    [ -e "$sysroot/lib" ] || ln -s usr/lib "$sysroot/lib"
    rm -rf "$folder/apt/cache"
    echo "${packages[*]}" > "$folder/unpacked"
}

# logged WHAT COMMAND...: writes the command's output to WHAT.log, and prints the end of it where the command fails.
logged() {
    local what=$1
    shift
    echo "aarch64.sh: $what"
    "$@" > "$folder/$what.log" 2>&1 || { tail -n 40 "$folder/$what.log"; fail "$what failed; $folder/$what.log has all output"; }
}

configure() {
    local libraries=$sysroot/usr/lib/$triple runtime=$sysroot/usr/lib/llvm-$version/lib
    export PKG_CONFIG_LIBDIR=$libraries/pkgconfig:$sysroot/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$sysroot
    [ ! -e Makefile ] || return 0
    printf '#!/bin/sh\necho %s\n' "cc -I$sysroot/usr/include/$triple/mpich -L$libraries -lmpich" > "$folder/mpicc"
    chmod +x "$folder/mpicc"
    "$source/configure" --host=$triple --build="$(uname -m)-linux-gnu" --disable-offload \
        MPICC="$folder/mpicc" MPIEXEC="$mpiexec" \
        CC="$CC --target=$triple --sysroot=$sysroot -B$runtime" LDFLAGS="--ld-path=$linker -L$runtime" \
        AR="$(tool llvm-ar)" RANLIB="$(tool llvm-ranlib)" NM="$(tool llvm-nm)" OBJCOPY="$(tool llvm-objcopy)"
}

# emulated NAME PROGRAM: writes a script of that name that runs the program in the emulator.
emulated() {
    mkdir -p "$folder/emulated"
    printf '#!/bin/sh\nexec "%s" -L "%s" "%s" "$@"\n' "$emulator" "$sysroot" "$2" > "$folder/emulated/$1"
    chmod +x "$folder/emulated/$1"
}

passed=0 failed=0
count() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }

factor() {
    echo "== ompfact $*"
    limited "$folder/emulated/ompfact" --dim 200 --nb 48 --type s,d,c,z --check y "$@" && return
    say "aarch64.sh: ompfact $* failed"
    return 1
}

run_test() {
    emulated "${1##*/}" "$folder/build/tests/$1"
    MPIEXEC=$mpiexec bash "$source/tests/mpi-run.sh" "$folder/emulated/${1##*/}"
}

find_tools
skip_if_lacking
mpiexec=${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec || echo mpiexec)}
mkdir -p "$folder/build" || fail "cannot write to $folder"
folder=$(cd "$folder" && pwd)
set_apt_options
# A failure shows later, as a missing package. A source without packages for arm64 is no failure.
[ -e "$folder/unpacked" ] || apt-get "${apt_options[@]}" update > "$folder/update.log" 2>&1
find_tool usr/bin/qemu-aarch64-static qemu-user-static
emulator=$found
find_tool "usr/lib/llvm-$version/bin/ld.lld" "lld-$version"
linker=$found
make_sysroot

cd "$folder/build" || exit 99
[ -x "$source/configure" ] || logged bootstrap "$source/bootstrap"
logged configure configure
jobs=$(nproc 2> /dev/null || echo 2)
logged make make -j "$jobs"
logged make-check make -j "$jobs" check TESTS=

emulated ompfact "$folder/build/ompfact"
if [ $# = 0 ]; then
    for routine in potrf getrf "--pivot none getrf" geqrf; do
        # shellcheck disable=SC2086  # options are words
        count factor $routine
    done
    mapfile -t tests < <(cd "$source/tests" && find omp/kernels -name 'test_*.c' | sort)
    set -- "${tests[@]%.c}"
fi
for test; do
    count run_test "$test"
done
say "$passed passed, $failed failed"
[ $failed = 0 ]
