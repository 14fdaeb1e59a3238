#!/usr/bin/env bash
# The backend "cuda" on the emulated CUDA (engine.h): the tests of devices, random factorizations (SOAK_CUDA of them on each number of
# ranks, by default 4; in the quick tier one on 3 ranks), counters, a device that is lost. Nobody may be accused of anything.
set -u
grep -q '^#define OFFLOAD_RUNTIME ' config.h || exit 77                  # a build without devices
build=$PWD
read -ra mpiexec <<< "${MPIEXEC:-mpiexec}"
tests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"
export LD_LIBRARY_PATH=$build/tests/cuda${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} OMP_NUM_THREADS=1
export OMPFACT_TEST_BACKEND=cuda SOAK_BACKEND=cuda SOAK_DEVICES=1 CK_DEFAULT_TIMEOUT=$((limit - limit / 10))

report=$folder/report
# emulated SETTINGS: for what comes next; none of what was said before is left.
emulated() { rm -f "$report"; export OMPFACT_TEST_CUDA=report=$report${1:+,$1}; }
nobody_is_accused() { [ -s "$report" ] && ! grep '"accusation"' "$report" | sort | uniq -c | sort -rn | head -5 | tee out | grep -q .; }
# KEY VALUE: all runs' JSON on out, and there is some.
all_have() { grep -q '^{' out && [ "$(grep -c "\"$1\": $2[,}]" out)" = "$(grep -c '^{' out)" ]; }

emulated
check "kernels" ends 0 "$build/tests/offload/test_device_kernels"
check "kernels of one tile" ends 0 "$build/tests/offload/test_device_tiles"
check "lanes and moves" ends 0 "$build/tests/offload/test_offload"

if full; then
    emulated
    check "blocks are tried, and kept" ends 0 "${mpiexec[@]}" -n 1 "$build/tests/tune/test_tune"
    check "nobody is accused" nobody_is_accused
fi

emulated delay=100
check "the tests of devices" ends 0 "$build/tests/offload/test_devices"
cases=${SOAK_CUDA:-$(full && echo 4 || echo 1)}
for ranks in $(full && echo 1 2) 3; do
    check "random cases, $ranks ranks" ends 0 "${mpiexec[@]}" -n $ranks "$build/tests/soak" "$cases" $((4711 + ranks)) 600
done
! full || check "random cases, 5 ranks of 2 nodes" ends 0 env "$(nodes_variable)=2" "${mpiexec[@]}" -n 5 "$build/tests/soak" "$cases" 2007 600
check "tiles of mixed precision" ends 0 "${mpiexec[@]}" -n 2 "$build/tests/factor/test_mixed_devices"
check "nobody is accused" nobody_is_accused

# Tiles in single and in bfloat16 are multiplied by cuBLAS, the latter as they are.
narrow=(--quiet --json - --devices 1 --device-backend cuda --host-share 0 --matrix matern12:0.05,1 --dim 600 --nb 60)
for precision in 1e-5 1e-3,bf16; do
    emulated
    check "tile precision $precision" ends 0 "$OMPFACT" "${narrow[@]}" --check y --tile-precision $precision posv
    check "it passes" all_have status '"pass"'
    check "products are below double" all_have device_narrow_flops '[1-9][0-9.e+]*'
    check "no waits" all_have device_waits 0
    check "no allocations" all_have device_allocations 0
    check "nobody is accused" nobody_is_accused
done
emulated refuse=cublasGemmEx
check "products in bfloat16 are refused" ends 2 "$OMPFACT" "${narrow[@]}" --tile-precision 1e-3,bf16 potrf
check "products in single need none of these" ends 0 "$OMPFACT" "${narrow[@]}" --tile-precision 1e-3 potrf

# Types, devices, ranks, shares by turns.
emulated delay=$(full && echo 500 || echo 100)
ranks=1 devices=1
for routine in potrf "--pivot none getrf" "--pivot tournament getrf" "--pivot partial getrf" geqrf hetrf "--uplo u sytrf" "--uplo u posv" gesv gels potri trsm; do
    for type in d s z c; do
        is_its_turn || continue
        ranks=$((ranks % 3 + 1)) devices=$((devices % 4 + 1))
        herk=$((devices % 2 == 1 ? 24 : 512)) trsm=$((devices == 4 ? 0 : 8 + 8 * devices))
        # shellcheck disable=SC2086  # words
        check "$routine, type $type, $devices devices, $ranks ranks" ends 0 "${mpiexec[@]}" -n $ranks "$OMPFACT" --quiet --json - --check y \
            --devices $devices --device-backend cuda --herk-block $herk --trsm-block ${trsm/#0/off} --host-share 0.$((devices * 2)) --type $type --dim 420 --nb 64 $routine
        check "it passes" all_have status '"pass"'
        check "no waits" all_have device_waits 0
        check "all is pinned" all_have bytes_unpinned 0
        check "no allocations" all_have device_allocations 0
    done
done
check "nobody is accused" nobody_is_accused

# What devices take from each other is no byte to a device or from it; one alone has nobody to take from.
emulated delay=200
for devices in 1 3; do
    check "$devices devices" ends 0 "$OMPFACT" --quiet --json - --check y --devices $devices --device-backend cuda --host-share 0.2 --dim 420 --nb 48 posv
    check "panels go across" all_have bytes_between_devices "$([ $devices = 1 ] && echo 0 || echo '[1-9][0-9]*')"
done
check "nobody is accused" nobody_is_accused

emulated
check "many runs" ends 0 "$OMPFACT" --quiet --json - --repeat "$(full && echo 60 || echo 20)" --devices 2 --device-backend cuda --dim 300 --nb 64 getrf
check "nothing is made in any" all_have device_allocations 0

emulated
check "emulated double precision" ends 0 "$OMPFACT" --quiet --json - --check y --devices 1 --device-backend cuda --host-share 0 --emulate fp64 --dim 300 --nb 64 potrf
check "it passes" all_have status '"pass"'
check "no allocations" all_have device_allocations 0
check "nobody is accused" nobody_is_accused     # of memory that products make
mkdir older     # its cuBLAS has the strategy, as CUDA 12.9's has, but nothing of fixed point
LC_ALL=C sed 's/cublasSetFixedPointEmulation/cublasNoFixedPointEmulation_/g' "$build/tests/cuda/libcublas.so.13" > older/libcublas.so.13
check "an older cuBLAS" ends 2 env LD_LIBRARY_PATH="$PWD/older:$LD_LIBRARY_PATH" "$OMPFACT" --devices 1 --device-backend cuda --emulate fp64 --dim 300 potrf
check "which is said" says err "this cuBLAS does not emulate double precision (CUDA 13.0 update 2 does)"
check "of cuBLAS alone" ends 2 "$OMPFACT" --devices 1 --device-backend host --emulate fp64 --dim 300 potrf
check "which is said" says err "emulated double precision is a feature of cuBLAS"
check "of devices alone" ends 2 "$OMPFACT" --emulate fp64 --dim 300 potrf
check "which is said" says err "no devices were requested"

# Products of fewer bits lose accuracy, which refinement makes up for in more solves.
value_of() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" out; }
times_more() { awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(a > b * c) }'; }
on_device=(--quiet --json - --check y --devices 1 --device-backend cuda --host-share 0 --dim 500 --nb 96)
emulated
for type in s c; do
    check "type $type" ends 0 "$OMPFACT" "${on_device[@]}" --type $type potrf
    right=$(value_of error)
    check "type $type by bf16x9" ends 0 "$OMPFACT" "${on_device[@]}" --type $type --emulate bf16x9 potrf
    check "it is as accurate" times_more "$right" "$(value_of error)" 0.8
    for how in tf32:4 bf16:30; do
        ends 0 "$OMPFACT" "${on_device[@]}" --tol 1e9 --type $type --emulate ${how%:*} potrf
        check "type $type in ${how%:*} is less accurate" times_more "$(value_of error)" "$right" ${how#*:}
    done
done
# EMULATE REFINE WORD...: how often a run with these words solves with factors; nothing if its solution is wrong.
solves() {
    ends 0 "$OMPFACT" "${on_device[@]}" --emulate "$1" --refine "$2" "${@:3}" && all_have status '"pass"' || return
    value_of refine_iterations
}
for words in "--matrix poev_geo:1e4 posv" "--matrix poev_geo:1e4 --type z posv" "gesv" "--type z gesv"; do
    # shellcheck disable=SC2086  # words
    {
        check "$words, tf32" times_more "$(solves tf32 classic $words)" "$(solves none classic $words)" 1
        check "$words, bf16 and GMRES" times_more "$(solves bf16 gmres $words)" "$(solves none gmres $words)" 1
    }
done
check "without hope it is factored in double" [ "$(solves bf16 classic --matrix svd_geo:1e7 gesv)" -lt 0 ]
check "no single precision" ends 0 "$OMPFACT" "${on_device[@]}" --emulate tf32 potrf
check "which is told" says err "--emulate is of products in single precision, and there are none"
check "tf32 of cuBLAS alone" ends 2 "$OMPFACT" --devices 1 --device-backend host --emulate tf32 --type s --dim 300 potrf
check "which is said" says err "products in tf32 are a feature of cuBLAS"
check "nobody is accused" nobody_is_accused

# Older devices want CUDA 12's libraries, where those of CUDA 13 are, too.
emulated capability=70
if ! ldconfig -p 2> /dev/null | grep -q 'libcudart\.so\.12' && [ ! -e "${CUDA_HOME:-/usr/local/cuda}/lib64/libcudart.so.12" ]; then
    check "a device that CUDA 13 does not know" ends 2 "$OMPFACT" --devices 1 --device-backend cuda --dim 300 potrf
    check "which is said" says err "libcudart.so.12 does not load"
fi
mkdir twelve
for name in libcudart.so.1{3,2} libcublas.so.1{3,2} libcusolver.so.1{2,1}; do
    [ -e "$build/tests/cuda/$name" ] && from=$build/tests/cuda/$name || ln -s "$from" "twelve/$name"
done
check "with CUDA 12" ends 0 env LD_LIBRARY_PATH="$PWD/twelve:$LD_LIBRARY_PATH" "$OMPFACT" "${on_device[@]}" potrf
check "nobody is accused" nobody_is_accused

# A device that is lost, memory that is not there: one line, on all ranks.
for fault in fail_alloc=1 fail_alloc=3 lose_after=1 lose_after=40 lose_after=90; do
    emulated $fault,rank=1
    check "$fault" ends 2 "${mpiexec[@]}" -n 2 "$OMPFACT" --quiet --devices 1 --device-backend cuda --host-share 0.3 --dim 420 --nb 64 gesv
    check "it is told once" [ "$(grep -c '^ompfact: rank 1: .*device' err)" = 1 ]
    check "nobody is accused" nobody_is_accused
done

# A call that fails is told with its own error, whichever library it is of.
for told in "cudaStreamCreateWithPriority: operation not supported" "cublasCreate: CUBLAS_STATUS_NOT_SUPPORTED" "cusolverDnCreate: status 7" \
    "cuModuleLoadData: operation not supported" "cuLaunchKernel: operation not supported"; do
    call=${told%%:*}
    emulated refuse=${call/%cublasCreate/cublasCreate_v2}
    check "$call fails" ends 2 "$OMPFACT" --quiet --devices 1 --device-backend cuda --dim 300 --nb 64 getrf
    check "which is said" says err "$told"
    check "once" [ "$(wc -l < err)" = 1 ]
    check "nobody is accused" nobody_is_accused
done
emulated refuse=cudaHostRegister
check "memory is not pinned" ends 0 "$OMPFACT" "${on_device[@]}" potrf
check "which is told" all_have bytes_unpinned '[1-9][0-9]*'
check "no tile is on the device" ends 0 "$OMPFACT" "${on_device[@]}" --host-share 1 potrf
check "nor is any pinned" all_have bytes_unpinned 0
sum_up
