#!/bin/sh
# Measures ompfact, cuBLAS and cuSOLVER on the GPU of this machine: see usage. bench/gpu puts this script into the bundle.
usage() {
    cat << 'END'
usage: run [options]

Measures ompfact's factorizations on the first GPU with one rank and threads on all cores: their share of cuBLAS's GEMM, their speed
compared with cuSOLVER's, and residuals; then solves in double precision, with and without refinement. Prints Markdown tables at the end.
Needs NVIDIA's driver and CUDA 13 (CUDA_HOME, if it is not in /usr/local/cuda); everything else is in this folder.

  -n LIST           orders [40960]
  --nb LIST         tile sizes: the fastest one runs again with the residual [1024,2048,4096]
  --types LIST      [d,s]
  --routines LIST   [potrf,getrf-none,getrf-partial,getrf-tournament,geqrf]
  --shares LIST     the host's share of each tile [0,auto]
  --tune y|n        `ompfact --tune` first, for auto shares and blocks [y, but n with emulated CUDA]
  --blocks LIST     of herk and trsm on the GPU, HERK:TRSM; all runs take the first; the others run without the host's share and with the
                    same tiles [auto:auto,off:off]
  --solves LIST     posv, gesv or none [posv,gesv]
  --refine LIST     REFINE:EMULATE of these solves, the values of --refine and --emulate
                    [no:none,classic:none,classic:tf32,gmres:bf16]
  --mixed LIST      EPS of --tile-precision for posv of a kernel matrix, or EPS:bf16; 0: in double; or none [0,1e-5,1e-3:bf16]
  --gemm N          order of the product whose speed is the unit of shares [16384]
  --limit SECONDS   starts no run after this time; the same command continues where it stopped
  -o FILE           file of results; results in the file are not measured again [results.tsv in the folder of run]
  --table           only the table of the results in FILE
  --self-test       only the tests that need no GPU

Exit status: 0; 1 a residual or a run failed; 2 bad usage, or no measurement is possible: the reason is on stderr; 3 stopped by --limit.
END
}

here=$(cd "$(dirname "$0")" && pwd) || exit 2
sizes=40960 nbs=1024,2048,4096 types=d,s shares=0,auto gemm=16384 limit=0 only=
tune='' blocks=auto:auto,off:off solves=posv,gesv refine=no:none,classic:none,classic:tf32,gmres:bf16 mixed=0,1e-5,1e-3:bf16
routines=potrf,getrf-none,getrf-partial,getrf-tournament,geqrf
results=$here/results.tsv
say() { echo "run: $*" >&2; }
refuse() { say "$*"; exit 2; }

while [ $# -gt 0 ]; do
    case $1 in
        --help | -h) usage; exit 0 ;;
        --table) only=table; shift; continue ;;
        --self-test) only='test'; shift; continue ;;
    esac
    [ $# -gt 1 ] || refuse "$1 is unknown, or needs a value (--help)"
    case $1 in
        -n) sizes=$2 ;;
        --nb) nbs=$2 ;;
        --types) types=$2 ;;
        --routines) routines=$2 ;;
        --shares) shares=$2 ;;
        --tune) tune=$2 ;;
        --blocks) blocks=$2 ;;
        --solves) solves=$2 ;;
        --refine) refine=$2 ;;
        --mixed) mixed=$2 ;;
        --gemm) gemm=$2 ;;
        --limit) limit=$2 ;;
        -o) results=$2 ;;
        *) refuse "$1 is unknown (--help)" ;;
    esac
    shift 2
done

# ---- runs ------------------------------------------------------------------------------------------------------------------------

# PROGRAM ARGUMENT...: starts the program with the loader and the C library of this folder, because those of the machine may be older than
# the programs need. One rank needs no network.
start() {
    program=$1
    shift
    UCX_TLS=self "$here/lib/ld-linux-x86-64.so.2" --inhibit-rpath "" --library-path "$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$here/bin/$program" "$@"
}

# KEY LINE: prints the value of the key in a JSON object.
value() { printf '%s\n' "$2" | sed -n "s/.*\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p"; }
words() { printf '%s' "$1" | tr , ' '; }
seconds() { date +%s; }
begun=$(seconds)

# ROUTINE: prints the routine and its pivoting as options of ompfact.
options_of() {
    case $1 in
        getrf-*) echo "--pivot ${1#getrf-} getrf" ;;
        *) echo "$1" ;;
    esac
}

# ---- tests before the measurements -----------------------------------------------------------------------------------------------

# ARGUMENT...: a small factorization, which must pass.
try() {
    line=$(start ompfact --quiet --progress off --threads 2 --check y --json - "$@" 2> "$errors") && [ "$(value status "$line")" = pass ]
}

self_test() {
    try --dim 500 --nb 96 potrf || refuse "ompfact does not run here: $(tail -n 1 "$errors")"
    say "ompfact runs here"
    try --dim 500 --nb 96 --devices 1 --device-backend host getrf || refuse "LLVM's runtime for devices does not run here: $(tail -n 1 "$errors")"
    say "LLVM's runtime for devices runs here (emulated: $(value device_backend "$line"))"
}

find_gpu() {
    gpu=$(start gpu_peer device 2> "$errors") || refuse "there is no GPU to measure: $(sed 's/^gpu_peer: //' "$errors" | tail -n 1)"
    say "GPU: $gpu"
    try --dim 3000 --nb 512 --devices 1 --device-backend cuda --host-share 0 potrf ||
        refuse "ompfact does not compute on it: $(tail -n 1 "$errors") $line"
    say "ompfact computes on it, residual $(value error "$line")"
}

# ---- measurements ----------------------------------------------------------------------------------------------------------------

# FIELDS: whether a line of the results begins with these fields.
known() { [ -f "$results" ] && awk -v key="$1" 'index($0, key "\t") == 1 { found = 1 } END { exit !found }' "$results"; }
fields() { printf '%s' "$1"; shift; for field; do printf '\t%s' "$field"; done; }
out_of_time() { [ "$limit" -gt 0 ] && [ $(($(seconds) - begun)) -ge "$limit" ] && stopped=y; }

# ROUTINE TYPE N: appends peer, routine, type, n, GFLOP/s, seconds to the results.
peer() {
    key=$(fields peer "$1" "$2" "$3")
    if known "$key" || out_of_time; then return; fi
    if measured=$(start gpu_peer "$1" "$2" "$3" 2> "$errors"); then
        say "NVIDIA's $1, $2, n = $3: ${measured%.*.*} GFLOP/s"
        fields peer "$1" "$2" "$3" "${measured% *}" "${measured#* }" >> "$results"
    else
        say "NVIDIA's $1, $2, n = $3: $(tail -n 1 "$errors")"
        fields peer "$1" "$2" "$3" - - >> "$results"
    fi
    echo >> "$results"
}

# The results of --tune are in a folder next to the results, and all later runs read them.
tune_it() {
    case $results in
        /*) XDG_CACHE_HOME=$results.cache ;;
        *) XDG_CACHE_HOME=$PWD/$results.cache ;;
    esac
    export XDG_CACHE_HOME
    case ${tune:-$gpu} in *emulated*) tune=n ;; esac
    if [ "$tune" = n ] || known tuned || out_of_time; then return; fi
    say "ompfact --tune"
    tuned=$(start ompfact --tune - --devices 1 --device-backend cuda 2> "$errors" | sed -n 's/^blocks //p' | tr '\n' ';')
    [ -n "$tuned" ] || say "ompfact --tune: $(tail -n 1 "$errors")"
    fields tuned "${tuned:--}" >> "$results"
    echo >> "$results"
}

# ARGUMENT...: runs ompfact, and sets `measured` to five fields: seconds, GFLOP/s, residual, status, share.
run_ours() {
    line=$(start ompfact --quiet --progress off --devices 1 --device-backend cuda --json - "$@" 2> "$errors")
    if [ -n "$(value time_s "$line")" ]; then
        measured=$(fields "$(value time_s "$line")" "$(value gflops "$line")" "$(value error "$line")" "$(value status "$line")" \
            "$(value host_share "$line")")
    else
        say "ompfact: $(tail -n 1 "$errors")"
        measured=$(fields - - - FAILED -)
    fi
}

# KIND (tried, or with the residual: final, blocks) ROUTINE TYPE N SHARE NB BLOCKS: appends these fields and those of run_ours.
ours() {
    kind=$1 routine=$2 type=$3 n=$4 share=$5 nb=$6 of=$7 check=n
    key=$(fields "$kind" "$routine" "$type" "$n" "$share" "$nb" "$of")
    if known "$key" || out_of_time; then return; fi
    [ "$kind" = tried ] || check=y
    # shellcheck disable=SC2046
    run_ours --host-share "$share" --type "$type" --dim "$n" --nb "$nb" --herk-block "${of%:*}" --trsm-block "${of#*:}" --warmup y \
        --check $check $(options_of "$routine")
    say "ompfact's $routine, $type, n = $n, share $share, tiles of $nb, blocks $of: $(printf '%s' "$measured" | cut -f 2) GFLOP/s"
    fields "$key" "$measured" >> "$results"
    echo >> "$results"
}

# ROUTINE N SHARE NB REFINE:EMULATE: appends these fields, those of run_ours and the iterations of the refinement.
solve() {
    key=$(fields solve "$1" "$2" "$3" "$4" "$5")
    if known "$key" || out_of_time; then return; fi
    case $5 in
        no:*) how= ;;
        *) how="--refine ${5%:*}" ;;
    esac
    # shellcheck disable=SC2086
    run_ours --host-share "$3" --dim "$2" --nb "$4" --emulate "${5#*:}" $how --check y "$1"
    say "ompfact's $1, n = $2, refined $5: $(printf '%s' "$measured" | cut -f 1) s"
    fields "$key" "$measured" "$(value refine_iterations "$line")" >> "$results"
    echo >> "$results"
}

# N SHARE NB EPS (0: none; or EPS:bf16): Cholesky of a kernel matrix with tiles of mixed precision. Appends these fields, those of run_ours
# and the share of flops in narrow products.
mixed() {
    key=$(fields mixed "$1" "$2" "$3" "$4")
    if known "$key" || out_of_time; then return; fi
    case $4 in
        0) how= ;;
        *) how="--tile-precision $(printf '%s' "$4" | tr : ,)" ;;
    esac
    # shellcheck disable=SC2086
    run_ours --host-share "$2" --dim "$1" --nb "$3" --matrix matern12:0.05,1 $how --check y posv
    narrow=$(awk -v part="$(value device_narrow_flops "$line")" -v all="$(value device_flops "$line")" \
        'BEGIN { print all > 0 ? part / all : 0 }')
    say "ompfact's posv of a kernel, n = $1, tile precision $4: $(printf '%s' "$measured" | cut -f 1) s, narrow $narrow"
    fields "$key" "$measured" "$narrow" >> "$results"
    echo >> "$results"
}

# ROUTINE TYPE N SHARE: prints the fastest tile size.
fastest() {
    awk -F '\t' -v key="$(fields tried "$1" "$2" "$3" "$4")" '
        index($0, key "\t") == 1 && $8 != "-" && (best == "" || $8 + 0 < time) { best = $6; time = $8 + 0 }
        END { print best }' "$results"
}

measure_case() {
    case $nbs in
        *,*) for nb in $(words "$nbs"); do [ "$nb" -gt "$3" ] || ours tried "$1" "$2" "$3" "$4" "$nb" "${blocks%%,*}"; done
             best=$(fastest "$@") ;;
        *) best=$nbs ;;
    esac
    as=final
    for of in $(words "$blocks"); do
        [ "$stopped" = y ] || ours $as "$1" "$2" "$3" "$4" "${best:-$nb}" "$of"
        as=blocks
        case $1,$4 in geqrf,* | *,auto) break ;; esac      # QR has neither herk nor trsm
    done
}

measure() {
    for type in $(words "$types"); do
        peer gemm "$type" "$gemm"
        for n in $(words "$sizes"); do
            for routine in $(words "$routines"); do
                case $routine in
                    getrf-none | potrf | geqrf) peer "$routine" "$type" "$n" ;;
                    *) peer getrf "$type" "$n" ;;
                esac
                for share in $(words "$shares"); do measure_case "$routine" "$type" "$n" "$share"; done
            done
        done
    done
    for n in $(words "$sizes"); do
        for routine in $(words "$solves"); do
            for how in $(words "$refine"); do [ "$routine" = none ] || solve "$routine" "$n" "${shares%%,*}" "${nbs##*,}" "$how"; done
        done
        for eps in $(words "$mixed"); do [ "$eps" = none ] || mixed "$n" "${shares%%,*}" "${nbs##*,}" "$eps"; done
    done
}

# ---- the table -------------------------------------------------------------------------------------------------------------------

machine() {
    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2> /dev/null | head -n 1)
    echo "${gpu:-no GPU}, ${cpu:-unknown processor}, $(grep -c '^processor' /proc/cpuinfo 2> /dev/null) cores, $(date +%Y-%m-%d)"
}

# The machine in the table is that of the measurement.
table() {
    awk -F '\t' '
        $1 == "machine" { machine = $2 }
        $1 == "peer" && $2 == "gemm" { gemm[$3] = $5; order = $4 }
        $1 == "peer" && $2 != "gemm" { theirs[$2, $3, $4] = $6 }
        $1 == "tuned" { tuned = $2 }
        $1 == "final" {
            rows++
            for (i = 2; i <= NF; i++) row[rows, i] = $i
            whole[$2, $3, $4, $5, $6] = $8
            if ($5 == "0") alone[$2, $3, $4] = $8
        }
        $1 == "blocks" { others++; for (i = 2; i <= NF; i++) other[others, i] = $i }
        $1 == "mixed" { mixes++; for (i = 2; i <= NF; i++) mix[mixes, i] = $i; if ($5 == "0") of_double[$2] = $6 }
        $1 == "solve" { solves++; for (i = 2; i <= NF; i++) solve[solves, i] = $i; if ($6 == "no:none") solved[$2, $3] = $7 }
        function ratio(above, below) { return above > 0 && below > 0 ? sprintf("%.3f", above / below) : "-" }
        function number(text, format) { return text > 0 ? sprintf(format, text) : "-" }
        END {
            print "Measured on: " machine
            for (type in gemm)
                printf "cuBLAS %sGEMM, n = %s: %s TFLOP/s\n", toupper(type), order, number(gemm[type] / 1000, "%.2f")
            if (tuned != "")
                print "Blocks by --tune (type, tiles of, herk, trsm; 0: the library\047s own): " tuned
            print ""
            print "| routine | type | n | host share | nb | seconds | TFLOP/s | of GEMM | x cuSOLVER | x share 0 | residual | |"
            print "|---|---|---|---|---|---|---|---|---|---|---|---|"
            for (r = 1; r <= rows; r++) {
                routine = row[r, 2]; type = row[r, 3]; n = row[r, 4]; share = row[r, 5]; time = row[r, 8] + 0
                peer = routine ~ /^getrf-(partial|tournament)/ ? "getrf" : routine
                printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", routine, type, n,
                    share == "auto" ? "auto: " number(row[r, 12] + 1e-9, "%.3f") : share, row[r, 6], number(time, "%.3f"),
                    number(row[r, 9] / 1000, "%.2f"), ratio(row[r, 9] + 0, gemm[type] + 0), ratio(theirs[peer, type, n] + 0, time),
                    share == "0" ? "" : ratio(alone[routine, type, n] + 0, time), number(row[r, 10] + 0, "%.3g"), row[r, 11]
                bad += row[r, 11] != "pass"
            }
            if (others > 0) {
                print ""
                print "| blocks herk:trsm | routine | type | n | nb | seconds | x those above | residual | |"
                print "|---|---|---|---|---|---|---|---|---|"
            }
            for (r = 1; r <= others; r++) {
                time = other[r, 8] + 0
                printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", other[r, 7], other[r, 2], other[r, 3], other[r, 4], other[r, 6],
                    number(time, "%.3f"), ratio(whole[other[r, 2], other[r, 3], other[r, 4], other[r, 5], other[r, 6]] + 0, time),
                    number(other[r, 10] + 0, "%.3g"), other[r, 11]
                bad += other[r, 11] != "pass"
            }
            if (solves > 0) {
                print ""
                print "| solve, d | n | host share | nb | refined:emulated | seconds | x not refined | iterations | residual | |"
                print "|---|---|---|---|---|---|---|---|---|---|"
            }
            for (r = 1; r <= solves; r++) {
                time = solve[r, 7] + 0
                printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", solve[r, 2], solve[r, 3], solve[r, 4], solve[r, 5],
                    solve[r, 6], number(time, "%.3f"), ratio(solved[solve[r, 2], solve[r, 3]] + 0, time),
                    solve[r, 12] == "null" || solve[r, 12] == "" ? "" : solve[r, 12], number(solve[r, 9] + 0, "%.3g"), solve[r, 10]
                bad += solve[r, 10] != "pass"
            }
            if (mixes > 0) {
                print ""
                print "| Cholesky of matern12:0.05,1, d | n | host share | nb | seconds | x double | flops below double | residual | |"
                print "|---|---|---|---|---|---|---|---|---|"
            }
            for (r = 1; r <= mixes; r++) {
                printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", mix[r, 5] == "0" ? "double" : "to " mix[r, 5], mix[r, 2],
                    mix[r, 3], mix[r, 4], number(mix[r, 6], "%.3f"), ratio(of_double[mix[r, 2]] + 0, mix[r, 6] + 0),
                    mix[r, 11], number(mix[r, 8] + 0, "%.3g"), mix[r, 9]
                bad += mix[r, 9] != "pass"
            }
            exit bad > 0
        }' "$results"
}

errors=$(mktemp) || exit 2
trap 'rm -f "$errors"' EXIT
trap 'exit 2' INT TERM
stopped=n
if [ "$only" = table ]; then
    [ -f "$results" ] || refuse "there are no results in $results"
    table
    exit
fi
self_test
[ "$only" != test ] || exit 0
find_gpu
known machine || { fields machine "$(machine)" >> "$results" && echo >> "$results"; } || refuse "$results cannot be written"
tune_it
measure
table
status=$?
if [ "$stopped" = y ] && [ $status = 0 ]; then
    say "stopped by --limit; the same command continues"
    status=3
fi
exit $status
