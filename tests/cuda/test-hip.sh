#!/usr/bin/env bash
# The backend "hip" on the emulated ROCm (rocm.h): it calls AMD's libraries by their names, with their constants and orders of
# arguments. test-cuda.sh tests the parts that it shares with "cuda".
set -u
grep -q '^#define OFFLOAD_RUNTIME ' config.h || exit 77                  # a build without devices
grep -q '^#define OFFLOAD_AMD_WHY_NOT ""' config.h || exit 77            # or without code for AMD's devices
build=$PWD
read -ra mpiexec <<< "${MPIEXEC:-mpiexec}"
tests=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"
small=(--quiet --json - --check y --dim 420 --nb 64)

if ! ldconfig -p 2> /dev/null | grep -q 'libamdhip64\.so' && [ ! -e "${ROCM_PATH:-/opt/rocm}/lib/libamdhip64.so" ]; then
    check "a missing runtime is refused" ends 2 "$OMPFACT" --devices 1 --device-backend hip "${small[@]}" potrf
    check "the message names AMD's runtime" says err "there is no AMD device to be used: AMD's runtime does not load ("
    check "the message names the library" says err "libamdhip64.so"
    check "there is one line" [ "$(wc -l < err)" = 1 ]
    mkdir part
    cp "$build/tests/cuda/rocm/libamdhip64.so.6" "$build/tests/cuda/rocm/librocblas.so.4" part
    check "a missing solver is refused" ends 2 env LD_LIBRARY_PATH="$PWD/part" "$OMPFACT" --devices 1 --device-backend hip "${small[@]}" potrf
    check "the message names the solver" says err "librocsolver.so.0 does not load"
fi

export LD_LIBRARY_PATH=$build/tests/cuda/rocm${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} OMP_NUM_THREADS=1 OMPFACT_TEST_BACKEND=hip
export CK_DEFAULT_TIMEOUT=$((limit - limit / 10))
report=$folder/report
# emulated SETTINGS: sets up the emulation for the next runs, and removes the old report.
emulated() { rm -f "$report"; export OMPFACT_TEST_CUDA=report=$report${1:+,$1}; }
no_accusation() { [ -s "$report" ] && ! grep '"accusation"' "$report" | sort | uniq -c | sort -rn | head -5 | tee out | grep -q .; }
all_have() { grep -q '^{' out && [ "$(grep -c "\"$1\": $2[,}]" out)" = "$(grep -c '^{' out)" ]; }

emulated devices=0
check "a machine without devices is refused" ends 2 "$OMPFACT" --devices 1 --device-backend hip "${small[@]}" potrf
check "the message names AMD's devices" says err "AMD's runtime finds no device"
emulated
check "kernels are right" ends 0 "$build/tests/offload/test_device_kernels"
check "kernels of one tile are right" ends 0 "$build/tests/offload/test_device_tiles"
check "lanes and moves are right" ends 0 "$build/tests/offload/test_offload"
emulated delay=100
check "the tests of devices pass" ends 0 "$build/tests/offload/test_devices"
check "there is no accusation" no_accusation

emulated delay=500
ranks=1 devices=1
for routine in potrf "--pivot none getrf" "--pivot partial getrf" geqrf sytrf "--uplo u posv" potri; do
    for type in d s z c; do
        ranks=$((ranks % 3 + 1)) devices=$((devices % 4 + 1)) trsm=$((devices % 2 * 16))
        # shellcheck disable=SC2086  # words
        check "$routine, type $type, $devices devices, $ranks ranks" ends 0 "${mpiexec[@]}" -n $ranks "$OMPFACT" "${small[@]}" \
            --devices $devices --device-backend hip --herk-block 24 --trsm-block ${trsm/#0/off} --host-share 0.$((devices * 2)) --type $type $routine
        check "$routine passes" all_have status '"pass"'
        check "$routine uses AMD's devices" all_have device_backend '"hip"'
        check "there are no waits" all_have device_waits 0
        check "there are no allocations" all_have device_allocations 0
    done
done
check "two devices solve" ends 0 "$OMPFACT" "${small[@]}" --devices 2 --device-backend hip --host-share 0.2 posv
check "panels move between devices" all_have bytes_between_devices '[1-9][0-9]*'
check "there is no accusation" no_accusation

if ! ldconfig -p 2> /dev/null | grep -q 'libcuda\.so\.1'; then
    check "auto takes AMD's devices" ends 0 "$OMPFACT" "${small[@]}" --devices auto potrf
    check "the run is on AMD's devices" all_have device_backend '"hip"'
    check "NVIDIA's devices come first" ends 0 env LD_LIBRARY_PATH="$build/tests/cuda:$LD_LIBRARY_PATH" "$OMPFACT" "${small[@]}" --devices auto potrf
    check "the run is on NVIDIA's devices" all_have device_backend '"cuda"'
fi
for how in fp64 bf16x9 tf32 bf16; do
    check "$how is refused: only cuBLAS has it" ends 2 "$OMPFACT" "${small[@]}" --devices 1 --device-backend hip --emulate $how --type s potrf
    check "the message names NVIDIA's devices" says err " cuBLAS: this needs NVIDIA's devices, but these are others"
    check "there is one line" [ "$(wc -l < err)" = 1 ]
done

# Failures are reported with AMD's names.
emulated lose_after=90,rank=1
check "a lost device ends the run" ends 2 "${mpiexec[@]}" -n 2 "$OMPFACT" "${small[@]}" --devices 1 --device-backend hip --host-share 0.3 gesv
check "the lost device is reported once" [ "$(grep -c '^ompfact: rank 1: device 1: \(hip[A-Z]\|roc[A-Z]\)' err)" = 1 ]
emulated fail_alloc=3
check "missing memory ends the run" ends 2 "$OMPFACT" "${small[@]}" --devices 1 --device-backend hip potrf
check "the failed allocation is named" says err "device 1: hipMalloc of memory"
check "there is no accusation" no_accusation
sum_up
