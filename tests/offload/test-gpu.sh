#!/usr/bin/env bash
# Tests bench/gpu without a GPU. The bundle runs without other files until it misses the driver. Its table is right for known
# figures.
set -u
gpu=$(cd "$(dirname "$0")/../../bench" && pwd)/gpu
command -v python3 > /dev/null || exit 77
grep -q '^#define OFFLOAD_RUNTIME ' config.h || exit 77                  # a build without devices
! grep -q '^SANITIZER_FLAGS = .*fsanitize' Makefile || exit 77          # programs with sanitizers start in another way
architecture=$(sed -n 's/^#define OFFLOAD_NVIDIA "sm_\([0-9]*\)".*/\1/p' config.h)
build=$PWD
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
silent() { ! says "$@"; }

# With an empty environment the libraries must come from the bundle, and all else from /.
bundle=$folder/bundle
check "the bundle is made" ends 0 "$gpu" --build "$build" --no-archive -o "$bundle"
check "the bundle runs without other files" ends 0 env -i PATH="$PATH" "$bundle/run" --self-test
check "devices run, too" says err "LLVM's runtime for devices runs here (emulated: host)"
if ! ldconfig -p 2> /dev/null | grep -q 'libcuda\.so\.1'; then
    check "a missing driver is no failed run" ends 2 env -i PATH="$PATH" "$bundle/run"
    check "the message names the missing driver" says err "there is no GPU to measure: NVIDIA's driver does not load (libcuda.so.1"
    check "there are no results" [ ! -e "$bundle/results.tsv" ]
fi
check "an unknown option is refused" ends 2 "$bundle/run" --fast

# A driver under its short name alone, with one device of the kind for which there is code. LLVM's runtime must find the driver,
# recognize that the code is for the device, and pass the code on as the assembler made it.
if [ -n "$architecture" ]; then
    { cat << END
#include <stdio.h>
#include <string.h>
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDeviceGet(int *device, int i) { *device = i; return 0; }
int cuDeviceGetName(char *name, int length, int device) { (void)length, (void)device; strcpy(name, "empty"); return 0; }
int cuDriverGetVersion(int *version) { *version = 13000; return 0; }
int cuDeviceGetAttribute(int *value, int what, int device)
{
    (void)device;
    *value = what == 75 ? $architecture / 10 : what == 76 ? $architecture % 10 : 32;
    return 0;
}
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) { (void)device; *flags = 0, *active = 0; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { (void)device; *context = context; return 0; }
int cuModuleLoadDataEx(void **module, const unsigned char *image)
{
    unsigned flags;
    memcpy(&flags, image + 48, sizeof flags);
    fprintf(stderr, "loaded code for sm_%u\n", image[8] == 8 ? flags >> 8 & 255 : flags & 255);
    *module = module;
    return 0;
}
int cuModuleGetFunction(void **function) { *function = function; return 0; }
int cuMemAlloc_v2(void **data) { static char memory[1 << 20]; *data = memory; return 0; }
END
      for name in Init GetErrorString CtxEnablePeerAccess CtxGetDevice CtxGetLimit CtxSetCurrent CtxSetLimit DeviceCanAccessPeer \
          DevicePrimaryCtxRelease DevicePrimaryCtxRelease_v2 DevicePrimaryCtxSetFlags DevicePrimaryCtxSetFlags_v2 DeviceTotalMem_v2 \
          EventCreate EventDestroy EventDestroy_v2 EventQuery EventRecord EventSynchronize FuncGetAttribute FuncSetAttribute LaunchHostFunc LaunchKernel \
          MemAddressFree MemAddressReserve MemAllocAsync MemAllocHost_v2 MemAllocManaged MemCreate MemFreeAsync MemFreeHost \
          MemFree_v2 MemGetAllocationGranularity MemGetInfo_v2 MemMap MemRelease MemSetAccess MemUnmap MemcpyDtoDAsync_v2 MemcpyDtoHAsync_v2 \
          MemcpyDtoH_v2 MemcpyHtoDAsync_v2 MemcpyHtoD_v2 MemcpyPeerAsync ModuleGetGlobal_v2 ModuleUnload StreamCreate \
          StreamDestroy_v2 StreamQuery StreamSynchronize StreamWaitEvent; do
          echo "int cu$name(void) { return 0; }"
      done; } > "$folder/driver.c"
    mkdir "$folder/driver"
    check "a driver is built" ends 0 ${CC:-cc} -w -shared -fPIC -o "$folder/driver/libcuda.so.1" -Wl,-soname,libcuda.so.1 "$folder/driver.c"
    check "the driver cannot be used" ends 2 env -i PATH="$PATH" UCX_TLS=self "$bundle/lib/ld-linux-x86-64.so.2" \
        --inhibit-rpath "" --library-path "$bundle/lib:$folder/driver" "$bundle/bin/ompfact" --dim 100 --devices 1 --device-backend portable
    check "the code for its device is loaded" says err "loaded code for sm_$architecture"
fi

# Replaces the loader: a GPU whose GEMM runs at 50 TFLOP/s, and factorizations whose times are in these tables.
cat > "$bundle/lib/ld-linux-x86-64.so.2" << 'END'
#!/usr/bin/env bash
while [[ $1 == --* ]]; do shift 2; done
program=${1##*/}
shift
case "$program $*" in
    "gpu_peer device") echo "Imagined GPU" ;;
    "gpu_peer gemm d 100") echo "50000.000 0.100000" ;;
    "gpu_peer potrf d 4096") echo "20000.000 0.500000" ;;
    "gpu_peer getrf d 4096") echo "gpu_peer: cudaMalloc: out of memory" >&2; exit 2 ;;
    "ompfact --tune - "*) printf 'version 2\nblocks d 512 256 128\nblocks z 512 0 0\n' ;;
    "ompfact "*)
        time=1 status=pass error=0.25
        case "$*" in
            *"--dim 500 "* | *"--dim 3000 "*) ;;
            *"--host-share 0 "*"--nb 512 "*"--herk-block off --trsm-block off "*potrf) time=0.625 ;;
            *"--host-share 0 "*"--nb 512 "*potrf) time=0.5 ;;
            *"--host-share 0 "*"--nb 256 "*potrf) time=0.8 ;;
            *"--host-share auto "*potrf) time=0.4 ;;
            *"--nb 512 --emulate tf32 --refine classic "*posv) time=0.25 ;;
            *"--pivot partial getrf") status=${FAKE_STATUS:-pass} ;;
        esac
        case "$*" in *"--check n"*) status="no check" error=null ;; esac
        printf '{"routine": "x", "time_s": %s, "gflops": 40000, "error": %s, "status": "%s", "device_backend": "host", "host_share": 0.125, "refine_iterations": 5}\n' \
            $time $error "$status" ;;
esac
END
# shellcheck disable=SC2054  # lists of the program
measure=("$bundle/run" -n 4096 --nb 256,512 --types d --routines potrf,getrf-partial --solves posv --gemm 100 -o)
check "a whole run passes" ends 0 "${measure[@]}" "$folder/right"
check "the page names the machine" says out "Measured on: Imagined GPU, "
check "the page has the rate of GEMM" says out "cuBLAS DGEMM, n = 100: 50.00 TFLOP/s"
check "the table has the faster tile size" says out "| potrf | d | 4096 | 0 | 512 | 0.500 | 40.00 | 0.800 | 1.000 |  | 0.25 | pass |"
check "the table has the run on host and device" says out "| potrf | d | 4096 | auto: 0.125 | 256 | 0.400 | 40.00 | 0.800 | 1.250 | 1.250 | 0.25 | pass |"
check "the table has the run without blocks" says out "| off:off | potrf | d | 4096 | 512 | 0.625 | 0.800 | 0.25 | pass |"
check "the page has the tuned blocks" says out "0: the library's own): d 512 256 128;z 512 0 0;"
check "the table has the refined solve" says out "| posv | 4096 | 0 | 512 | classic:tf32 | 0.250 | 4.000 | 5 | 0.25 | pass |"
check "the table has the run without a peer" says out "| getrf-partial | d | 4096 | 0 | 256 | 1.000 | 40.00 | 0.800 | - |  | 0.25 | pass |"
check "known figures are not measured again" ends 0 "${measure[@]}" "$folder/right"
check "known figures are in the table" says out "| potrf | d | 4096 | 0 | 512 |"
check "no tile sizes are measured" silent err "tiles of"
export FAKE_STATUS=FAILED
check "a residual that is too large fails" ends 1 "${measure[@]}" "$folder/wrong"
check "the table has the failure" says out "| 0.25 | FAILED |"

sum_up
