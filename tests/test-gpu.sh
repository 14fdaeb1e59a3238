#!/usr/bin/env bash
# bench/gpu without a GPU: the bundle runs by itself up to the missing driver, and its table is right for figures that are known.
set -u
gpu=$(cd "$(dirname "$0")/../bench" && pwd)/gpu
command -v python3 > /dev/null || exit 77
grep -q '^#define OFFLOAD_RUNTIME ' config.h || exit 77                  # a build without devices
! grep -q '^SANITIZER_FLAGS = .*fsanitize' Makefile || exit 77          # they want to be started their own way
folder=$(mktemp -d) || exit 99
trap 'rm -rf "$folder"' EXIT

failures=0
# check WHAT CONDITION...: the condition is a command.
check() {
    local what=$1
    shift
    "$@" && return
    failures=$((failures + 1))
    printf 'test-gpu: %s: not so: %s\n' "$what" "$*"
    sed 's/^/    /' "$folder/out" "$folder/err"
}
says() { grep -qF -- "$2" "$folder/$1"; }
silent() { ! says "$@"; }
# STATUS COMMAND...
ends() {
    local wanted=$1
    shift
    "$@" > "$folder/out" 2> "$folder/err"
    [ $? = "$wanted" ]
}

# Nothing of this machine's environment: libraries come from the bundle, what else there is from /.
bundle=$folder/bundle
check "the bundle is made" ends 0 "$gpu" --build . --no-archive -o "$bundle"
check "it runs by itself" ends 0 env -i PATH="$PATH" "$bundle/run" --self-test
check "so do devices" says err "LLVM's runtime for devices runs here (emulated: host)"
if ! ldconfig -p 2> /dev/null | grep -q 'libcuda\.so\.1'; then
    check "no driver is no failure of a run" ends 2 env -i PATH="$PATH" "$bundle/run"
    check "it says what is missing" says err "no GPU to be measured here: NVIDIA's driver does not load (libcuda.so.1"
    check "no results" [ ! -e "$bundle/results.tsv" ]
fi
check "an unknown option" ends 2 "$bundle/run" --fast

# In the place of the loader: a GPU whose GEMM does 50 TFLOP/s, and factorizations that take as long as these tables say.
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
    "ompfact "*)
        time=1 status=pass error=0.25
        case "$*" in
            *"--dim 500 "* | *"--dim 3000 "*) ;;
            *"--host-share 0 "*"--nb 512 "*potrf) time=0.5 ;;
            *"--host-share 0 "*"--nb 256 "*potrf) time=0.8 ;;
            *"--host-share auto "*potrf) time=0.4 ;;
            *"--pivot partial getrf") status=${FAKE_STATUS:-pass} ;;
        esac
        case "$*" in *"--check n"*) status="no check" error=null ;; esac
        printf '{"routine": "x", "time_s": %s, "gflops": 40000, "error": %s, "status": "%s", "device_backend": "host", "host_share": 0.125}\n' \
            $time $error "$status" ;;
esac
END
measure() { "$bundle/run" -n 4096 --nb 256,512 --types d --routines potrf,getrf-partial --gemm 100 -o "$folder/$1"; }
check "a whole run" ends 0 measure right
check "the machine" says out "Measured on: Imagined GPU, "
check "the measure" says out "cuBLAS DGEMM, n = 100: 50.00 TFLOP/s"
check "the faster tiles" says out "| potrf | d | 4096 | 0 | 512 | 0.500 | 40.00 | 0.800 | 1.000 |  | 0.25 | pass |"
check "host and device" says out "| potrf | d | 4096 | auto: 0.125 | 256 | 0.400 | 40.00 | 0.800 | 1.250 | 1.250 | 0.25 | pass |"
check "without a peer" says out "| getrf-partial | d | 4096 | 0 | 256 | 1.000 | 40.00 | 0.800 | - |  | 0.25 | pass |"
check "what is known is not measured again" ends 0 measure right
check "but shown" says out "| potrf | d | 4096 | 0 | 512 |"
check "only that" silent err "tiles of"
export FAKE_STATUS=FAILED
check "a residual that is too large" ends 1 measure wrong
check "it is told" says out "| 0.25 | FAILED |"

[ $failures = 0 ] || { echo "test-gpu: $failures failures"; exit 1; }
