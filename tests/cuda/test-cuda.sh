#!/usr/bin/env bash
# The backend "cuda" on the emulated CUDA (engine.h): the tests of devices, random factorizations (SOAK_CUDA of them on each
# number of ranks, by default 4; in the quick tier one on 3 ranks), counters, a lost device. The emulation must report no
# accusation.
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
# emulated SETTINGS: sets up the emulation for the next runs, and removes the old report.
emulated() { rm -f "$report"; export OMPFACT_TEST_CUDA=report=$report${1:+,$1}; }
no_accusation() { [ -s "$report" ] && ! grep '"accusation"' "$report" | sort | uniq -c | sort -rn | head -5 | tee out | grep -q .; }
# all_have KEY VALUE: whether out has JSON, and each line of it has this value.
all_have() { grep -q '^{' out && [ "$(grep -c "\"$1\": $2[,}]" out)" = "$(grep -c '^{' out)" ]; }

emulated delay=100
check "kernels are right" ends 0 "$build/tests/offload/test_device_kernels"
check "kernels of one tile are right" ends 0 "$build/tests/offload/test_device_tiles"
check "lanes and moves are right" ends 0 "$build/tests/offload/test_offload"

if full; then
    emulated
    check "blocks are measured, and stored" ends 0 "${mpiexec[@]}" -n 1 "$build/tests/tune/test_tune"
    check "there is no accusation" no_accusation
fi

emulated delay=100
check "the tests of devices pass" ends 0 "$build/tests/offload/test_devices"
cases=${SOAK_CUDA:-$(full && echo 4 || echo 1)}
for ranks in $(full && echo 1 2) 3; do
    check "random cases pass on $ranks ranks" ends 0 "${mpiexec[@]}" -n $ranks "$build/tests/soak" "$cases" $((4711 + ranks)) 600
done
! full || check "random cases pass on 5 ranks of 2 nodes" ends 0 env "$(nodes_variable)=2" "${mpiexec[@]}" -n 5 "$build/tests/soak" "$cases" 2007 600
check "tiles of mixed precision are right" ends 0 "${mpiexec[@]}" -n 2 "$build/tests/factor/test_mixed_devices"
check "there is no accusation" no_accusation

# cuBLAS multiplies tiles in single and in bfloat16. Tiles in bfloat16 are not converted.
narrow=(--quiet --json - --devices 1 --device-backend cuda --host-share 0 --matrix matern12:0.05,1 --dim 600 --nb 60)
for precision in 1e-5 1e-3,bf16; do
    emulated
    check "tiles of precision $precision are factored" ends 0 "$OMPFACT" "${narrow[@]}" --check y --tile-precision $precision posv
    check "precision $precision passes" all_have status '"pass"'
    check "products are below double" all_have device_narrow_flops '[1-9][0-9.e+]*'
    check "there are no waits" all_have device_waits 0
    check "there are no allocations" all_have device_allocations 0
    check "there is no accusation" no_accusation
done
emulated refuse=cublasGemmEx
check "products in bfloat16 are refused" ends 2 "$OMPFACT" "${narrow[@]}" --tile-precision 1e-3,bf16 potrf
check "products in single do not need that call" ends 0 "$OMPFACT" "${narrow[@]}" --tile-precision 1e-3 potrf

# Types, devices, ranks and shares take turns.
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
        check "$routine passes" all_have status '"pass"'
        check "there are no waits" all_have device_waits 0
        check "all memory is pinned" all_have bytes_unpinned 0
        check "there are no allocations" all_have device_allocations 0
    done
done
check "there is no accusation" no_accusation

# Bytes between devices do not count as bytes to or from a device. A single device exchanges none.
emulated delay=200
for devices in 1 3; do
    check "$devices devices solve" ends 0 "$OMPFACT" --quiet --json - --check y --devices $devices --device-backend cuda --host-share 0.2 --dim 420 --nb 48 posv
    check "panels move between devices" all_have bytes_between_devices "$([ $devices = 1 ] && echo 0 || echo '[1-9][0-9]*')"
done
check "there is no accusation" no_accusation

emulated
check "many runs pass" ends 0 "$OMPFACT" --quiet --json - --repeat "$(full && echo 60 || echo 20)" --devices 2 --device-backend cuda --dim 300 --nb 64 getrf
check "no run allocates" all_have device_allocations 0

emulated
check "emulated double precision works" ends 0 "$OMPFACT" --quiet --json - --check y --devices 1 --device-backend cuda --host-share 0 --emulate fp64 --dim 300 --nb 64 potrf
check "emulated double precision passes" all_have status '"pass"'
check "there are no allocations" all_have device_allocations 0
check "there is no accusation" no_accusation     # also none of allocations by products
mkdir older     # its cuBLAS has the strategy, as CUDA 12.9's has, but no fixed-point emulation
LC_ALL=C sed 's/cublasSetFixedPointEmulation/cublasNoFixedPointEmulation_/g' "$build/tests/cuda/libcublas.so.13" > older/libcublas.so.13
check "an older cuBLAS is refused" ends 2 env LD_LIBRARY_PATH="$PWD/older:$LD_LIBRARY_PATH" "$OMPFACT" --devices 1 --device-backend cuda --emulate fp64 --dim 300 potrf
check "the message names the version" says err "this cuBLAS does not emulate double precision (CUDA 13.0 update 2 does)"
check "another backend is refused" ends 2 "$OMPFACT" --devices 1 --device-backend host --emulate fp64 --dim 300 potrf
check "the message names cuBLAS" says err "emulated double precision is a feature of cuBLAS"
check "a run without devices is refused" ends 2 "$OMPFACT" --emulate fp64 --dim 300 potrf
check "the message names devices" says err "no devices were requested"

# Products of fewer bits lose accuracy. Refinement corrects this by more solves.
value_of() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" out; }
times_more() { awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(a > b * c) }'; }
on_device=(--quiet --json - --check y --devices 1 --device-backend cuda --host-share 0 --dim 500 --nb 96)
emulated
for type in s c; do
    check "type $type is factored" ends 0 "$OMPFACT" "${on_device[@]}" --type $type potrf
    right=$(value_of error)
    check "type $type is factored by bf16x9" ends 0 "$OMPFACT" "${on_device[@]}" --type $type --emulate bf16x9 potrf
    check "bf16x9 is as accurate for type $type" times_more "$right" "$(value_of error)" 0.8
    for how in tf32:4 bf16:30; do
        ends 0 "$OMPFACT" "${on_device[@]}" --tol 1e9 --type $type --emulate ${how%:*} potrf
        check "type $type in ${how%:*} is less accurate" times_more "$(value_of error)" "$right" ${how#*:}
    done
done
# solves EMULATE REFINE WORD...: prints the number of solves with factors, or nothing if the solution is wrong.
solves() {
    ends 0 "$OMPFACT" "${on_device[@]}" --emulate "$1" --refine "$2" "${@:3}" && all_have status '"pass"' || return
    value_of refine_iterations
}
for words in "--matrix poev_geo:1e4 posv" "--matrix poev_geo:1e4 --type z posv" "gesv" "--type z gesv"; do
    # shellcheck disable=SC2086  # words
    {
        check "$words takes more solves in tf32" times_more "$(solves tf32 classic $words)" "$(solves none classic $words)" 1
        check "$words takes more solves in bf16 with GMRES" times_more "$(solves bf16 gmres $words)" "$(solves none gmres $words)" 1
    }
done
check "a hopeless case is factored in double" [ "$(solves bf16 classic --matrix svd_geo:1e7 gesv)" -lt 0 ]
check "a run without single precision passes" ends 0 "$OMPFACT" "${on_device[@]}" --emulate tf32 potrf
check "the message names the idle option" says err "--emulate is of products in single precision, and there are none"
check "tf32 with another backend is refused" ends 2 "$OMPFACT" --devices 1 --device-backend host --emulate tf32 --type s --dim 300 potrf
check "the message names cuBLAS" says err "products in tf32 are a feature of cuBLAS"
check "there is no accusation" no_accusation

# Older devices need CUDA 12's libraries, even if those of CUDA 13 are installed, too.
emulated capability=70
if ! ldconfig -p 2> /dev/null | grep -q 'libcudart\.so\.12' && [ ! -e "${CUDA_HOME:-/usr/local/cuda}/lib64/libcudart.so.12" ]; then
    check "a device without support in CUDA 13 is refused" ends 2 "$OMPFACT" --devices 1 --device-backend cuda --dim 300 potrf
    check "the message names the missing library" says err "libcudart.so.12 does not load"
fi
mkdir twelve
for name in libcudart.so.1{3,2} libcublas.so.1{3,2} libcusolver.so.1{2,1}; do
    [ -e "$build/tests/cuda/$name" ] && from=$build/tests/cuda/$name || ln -s "$from" "twelve/$name"
done
check "the device works with CUDA 12" ends 0 env LD_LIBRARY_PATH="$PWD/twelve:$LD_LIBRARY_PATH" "$OMPFACT" "${on_device[@]}" potrf
check "there is no accusation" no_accusation

# A lost device, or missing memory, is reported in one line, and all ranks end.
for fault in fail_alloc=1 fail_alloc=3 lose_after=1 lose_after=40 lose_after=90; do
    emulated $fault,rank=1
    check "$fault ends the run" ends 2 "${mpiexec[@]}" -n 2 "$OMPFACT" --quiet --devices 1 --device-backend cuda --host-share 0.3 --dim 420 --nb 64 gesv
    check "$fault is reported once" [ "$(grep -c '^ompfact: rank 1: .*device' err)" = 1 ]
    check "there is no accusation" no_accusation
done

# A failing call is reported with its own error, whichever library it belongs to.
for error in "cudaStreamCreateWithPriority: operation not supported" "cublasCreate: CUBLAS_STATUS_NOT_SUPPORTED" "cusolverDnCreate: status 7" \
    "cuModuleLoadData: operation not supported" "cuLaunchKernel: operation not supported"; do
    call=${error%%:*}
    emulated refuse=${call/%cublasCreate/cublasCreate_v2}
    check "a failing $call ends the run" ends 2 "$OMPFACT" --quiet --devices 1 --device-backend cuda --dim 300 --nb 64 getrf
    check "the message has the error of $call" says err "$error"
    check "there is one line" [ "$(wc -l < err)" = 1 ]
    check "there is no accusation" no_accusation
done
emulated refuse=cudaHostRegister
check "a run without pinned memory passes" ends 0 "$OMPFACT" "${on_device[@]}" potrf
check "the unpinned bytes are reported" all_have bytes_unpinned '[1-9][0-9]*'
check "a run without tiles on the device passes" ends 0 "$OMPFACT" "${on_device[@]}" --host-share 1 potrf
check "no memory counts as unpinned" all_have bytes_unpinned 0
sum_up
