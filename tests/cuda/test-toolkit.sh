#!/usr/bin/env bash
# Where CUDA's toolkit is installed, even without a device: the loaded functions must be declared as its headers do, and its
# assembler must accept the code of the library's kernels for every architecture that it supports.
set -u
grep -q '^#define OFFLOAD_RUNTIME ' config.h || exit 77                  # a build without devices
home=${CUDA_HOME:-${CUDA_PATH:-/usr/local/cuda}}
[ -e "$home/include/cusolverDn.h" ] && [ -x "$home/bin/ptxas" ] || exit 77
read -ra cc <<< "${CC:-cc}"
read -ra python <<< "${PYTHON:-python3}"
tests=$(cd "$(dirname "$0")/.." && pwd)
build=$PWD
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"

check "calls of CUDA's functions are written" ends 0 "${python[@]}" "$tests/cuda/check_prototypes.py" cuda "$tests/.."
cp out calls.c
check "the calls are complete" [ "$(grep -c '^long .*;$' calls.c)" -gt 60 ]
compiler=("${cc[@]}" -fsyntax-only -isystem "$home/include" -Wno-enum-conversion)
check "the calls have CUDA's prototypes" ends 0 "${compiler[@]}" -Werror=shorten-64-to-32 -Werror=int-conversion calls.c
start "$PWD/calls.c" "${compiler[@]}" -Wsign-conversion calls.c
check "no int is passed as a size" [ "$(grep -c "'int' to '\(unsigned long\|size_t\)'" err)" = 0 ]

printf '.version 6.0\n.target sm_70\n.address_size 64\n' > empty.ptx
assembled=0
for architecture in $("$home/bin/ptxas" --help | grep -o 'sm_[0-9][0-9]*' | sort -u); do
    "$home/bin/ptxas" -arch="$architecture" -o /dev/null empty.ptx > /dev/null 2>&1 || continue      # the assembler names this architecture, but does not support it
    check "the code is right for $architecture" ends 0 "$home/bin/ptxas" -arch="$architecture" -o /dev/null "$build/offload/device_code.ptx"
    assembled=$((assembled + 1))
done
check "some architecture is supported" [ $assembled -gt 0 ]
sum_up
