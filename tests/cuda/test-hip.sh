#!/usr/bin/env bash
# The backend "hip" on the emulated ROCm (rocm.h): it calls AMD's libraries by their names, with their numbers, in their order. What it shares
# with "cuda" is tested there (test-cuda.sh).
set -u
grep -q '^#define OFFLOAD_RUNTIME ' config.h || exit 77                  # a build without devices
grep -q '^#define OFFLOAD_AMD_WHY_NOT ""' config.h || exit 77            # or without code for AMD's
build=$PWD
read -ra mpiexec <<< "${MPIEXEC:-mpiexec}"
tests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"
small=(--quiet --json - --check y --dim 420 --nb 64)

if ! ldconfig -p 2> /dev/null | grep -q 'libamdhip64\.so' && [ ! -e "${ROCM_PATH:-/opt/rocm}/lib/libamdhip64.so" ]; then
    check "no runtime" ends 2 "$OMPFACT" --devices 1 --device-backend hip "${small[@]}" potrf
    check "which is said" says err "there is no AMD device to be used: AMD's runtime does not load ("
    check "with its name" says err "libamdhip64.so"
    check "once" [ "$(wc -l < err)" = 1 ]
    mkdir part
    cp "$build/tests/cuda/rocm/libamdhip64.so.6" "$build/tests/cuda/rocm/librocblas.so.4" part
    check "no solver" ends 2 env LD_LIBRARY_PATH="$PWD/part" "$OMPFACT" --devices 1 --device-backend hip "${small[@]}" potrf
    check "which is said" says err "librocsolver.so.0 does not load"
fi

export LD_LIBRARY_PATH=$build/tests/cuda/rocm${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} OMP_NUM_THREADS=1 OMPFACT_TEST_BACKEND=hip
export CK_DEFAULT_TIMEOUT=$((limit - limit / 10))
report=$folder/report
# emulated SETTINGS: for what comes next; none of what was said before is left.
emulated() { rm -f "$report"; export OMPFACT_TEST_CUDA=report=$report${1:+,$1}; }
nobody_is_accused() { [ -s "$report" ] && ! grep '"accusation"' "$report" | sort | uniq -c | sort -rn | head -5 | tee out | grep -q .; }
all_have() { grep -q '^{' out && [ "$(grep -c "\"$1\": $2[,}]" out)" = "$(grep -c '^{' out)" ]; }

emulated devices=0
check "no device" ends 2 "$OMPFACT" --devices 1 --device-backend hip "${small[@]}" potrf
check "which is said" says err "AMD's runtime finds no device"
emulated
check "kernels" ends 0 "$build/tests/offload/test_device_kernels"
check "kernels of one tile" ends 0 "$build/tests/offload/test_device_tiles"
check "lanes and moves" ends 0 "$build/tests/offload/test_offload"
emulated delay=100
check "the tests of devices" ends 0 "$build/tests/offload/test_devices"
check "nobody is accused" nobody_is_accused

emulated delay=500
ranks=1 devices=1
for routine in potrf "--pivot none getrf" "--pivot partial getrf" geqrf sytrf "--uplo u posv" potri; do
    for type in d s z c; do
        ranks=$((ranks % 3 + 1)) devices=$((devices % 4 + 1)) trsm=$((devices % 2 * 16))
        # shellcheck disable=SC2086  # words
        check "$routine, type $type, $devices devices, $ranks ranks" ends 0 "${mpiexec[@]}" -n $ranks "$OMPFACT" "${small[@]}" \
            --devices $devices --device-backend hip --herk-block 24 --trsm-block ${trsm/#0/off} --host-share 0.$((devices * 2)) --type $type $routine
        check "it passes" all_have status '"pass"'
        check "on AMD's" all_have device_backend '"hip"'
        check "no waits" all_have device_waits 0
        check "no allocations" all_have device_allocations 0
    done
done
check "two devices" ends 0 "$OMPFACT" "${small[@]}" --devices 2 --device-backend hip --host-share 0.2 posv
check "panels go across" all_have bytes_between_devices '[1-9][0-9]*'
check "nobody is accused" nobody_is_accused

if ! ldconfig -p 2> /dev/null | grep -q 'libcuda\.so\.1'; then
    check "auto takes them" ends 0 "$OMPFACT" "${small[@]}" --devices auto potrf
    check "on AMD's" all_have device_backend '"hip"'
    check "NVIDIA's come first" ends 0 env LD_LIBRARY_PATH="$build/tests/cuda:$LD_LIBRARY_PATH" "$OMPFACT" "${small[@]}" --devices auto potrf
    check "on NVIDIA's" all_have device_backend '"cuda"'
fi
for how in fp64 bf16x9 tf32 bf16; do
    check "$how, cuBLAS's alone" ends 2 "$OMPFACT" "${small[@]}" --devices 1 --device-backend hip --emulate $how --type s potrf
    check "which is said" says err " cuBLAS: this needs NVIDIA's devices, but these are others"
    check "once" [ "$(wc -l < err)" = 1 ]
done

# Failures are told in AMD's words.
emulated lose_after=90,rank=1
check "a lost device" ends 2 "${mpiexec[@]}" -n 2 "$OMPFACT" "${small[@]}" --devices 1 --device-backend hip --host-share 0.3 gesv
check "it is told once" [ "$(grep -c '^ompfact: rank 1: device 1: \(hip[A-Z]\|roc[A-Z]\)' err)" = 1 ]
emulated fail_alloc=3
check "no memory" ends 2 "$OMPFACT" "${small[@]}" --devices 1 --device-backend hip potrf
check "it is told" says err "device 1: hipMalloc of memory"
check "nobody is accused" nobody_is_accused
sum_up
