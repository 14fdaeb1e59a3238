#!/usr/bin/env bash
# Where ROCm's headers are installed, even without a device: offload/ must declare AMD's functions and constants as the headers
# do.
set -u
grep -q '^#define OFFLOAD_RUNTIME ' config.h || exit 77                  # a build without devices
home=${ROCM_PATH:-/opt/rocm}
[ -e "$home/include/rocsolver/rocsolver.h" ] || home=/usr
[ -e "$home/include/rocsolver/rocsolver.h" ] || exit 77
read -ra cc <<< "${CC:-cc}"
read -ra python <<< "${PYTHON:-python3}"
tests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"

check "calls of AMD's functions are written" ends 0 "${python[@]}" "$tests/cuda/check_prototypes.py" hip "$tests/.."
cp out calls.c
check "the calls are complete" [ "$(grep -c '^long .*;$' calls.c)" -gt 60 ]
compiler=("${cc[@]}" -fsyntax-only -D__HIP_PLATFORM_AMD__ -isystem "$home/include" -Wno-enum-conversion -Wno-deprecated-declarations)
check "the calls have AMD's prototypes and constants" ends 0 "${compiler[@]}" -Werror=shorten-64-to-32 -Werror=int-conversion calls.c
start "$PWD/calls.c" "${compiler[@]}" -Wsign-conversion calls.c
check "no int is passed as a size" [ "$(grep -c "'int' to '\(unsigned long\|size_t\)'" err)" = 0 ]
sum_up
