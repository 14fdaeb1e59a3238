#!/usr/bin/env bash
# The built command from end to end, as a user runs it: exit statuses, one line on errors, reports, help.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# ---- exit statuses -------------------------------------------------------------------------------------------------------------

for routine in potrf getrf geqrf posv gesv gels; do
    run 3 --dim 70 --nb 16 --check y $routine
    check "$routine passes" ends_with 0
    check "$routine prints that it passed" says out pass
    check "$routine is silent on stderr" lines err 0
done
run 2 --dim 40 --nb 8 --matrix rands potrf
check "an indefinite matrix is a numerical failure" ends_with 1
check "the table shows the failure" says out FAILED
check "a factorization that ended early has no rate" test "$(awk '/ FAILED/ { print $7 }' out)" = -
OMPI_COMM_WORLD_SIZE=3 run 0 --dim 40
check "a start by another MPI's launcher is bad usage" ends_with 2
check "the message explains that each process is alone" says err "3 processes were started, but each is alone"
run 3 --dim 40 --nb 8 --matrix rands_dominant_zerocol0.5 --quiet --json z getrf
check "a column of zeros is a numerical failure" ends_with 1
check "info is the column of zeros" is z info 20
check "a factorization that failed has no determinant" is z logdet null
run 2 --dim 40 --nb 8 --check y --tol 1e-30
check "a residual over the tolerance is a numerical failure" ends_with 1

refused 'did you mean --dim' --dimm 40
refused 'neither auto nor a number from 0 to 1' --host-share 1.5 --dim 40 geqrf
refused device --devices 99 --dim 40 potrf
refused "'hilbert' is unknown" --dim 40 --matrix hilbert
refused "'_dominan' is unknown" --dim 40 --matrix rands_dominan
refused 'cond is a number' --dim 40 --matrix svd:cond=big
refused '2dbc:3x3 is for 9 ranks' --layout 2dbc:3x3 --dim 40
refused '/nonexistent.npy: No such file' --input /nonexistent.npy potrf
check "a missing matrix file is found before anything is printed" lines out 0
refused ': Is a directory' --rhs . gesv
check "an unreadable file of right-hand sides is found before anything is printed" lines out 0
printf 'no matrix' > none.npy
refused 'none.npy' --input none.npy potrf
check "a malformed matrix file is found before anything is printed" lines out 0
run 2 --dim 0x5 --check y --quiet --json z geqrf
check "a matrix may have no rows" ends_with 0
check "a matrix without rows keeps its number of columns" is z n 5
check "a matrix without rows has zero rows" is z m 0
refused 'GiB' --dim 1000000 --nb 1000
since=$SECONDS
refused 'a matrix of more than 2^60 bytes' --dim 1000000000 potrf
refused "not enough memory: the matrix's elements take" --dim 20M posv
run 0 --dry-run --ranks 4 --dim 1000000000 --nb 1000 potrf
check "a dry run of a matrix with too many bytes is refused" ends_with 2
check "the refusal comes before the search for layouts, which takes half a minute" test $((SECONDS - since)) -le 10

# ---- surroundings --------------------------------------------------------------------------------------------------------------

OMP_NUM_THREADS='' OMP_PROC_BIND='' run 2 --dim 40 --nb 8 --quiet
check "empty variables of OpenMP are ignored" ends_with 0
check "empty variables of OpenMP bring no message" lines err 0
for threads in ' ' 4x -1 '$SLURM_CPUS_PER_TASK' 1,,2 2147483647; do
    OMP_NUM_THREADS=$threads run 1 --dim 40 --nb 8 --quiet
    check "OMP_NUM_THREADS=$threads is ignored" ends_with 0
    check "OMP_NUM_THREADS=$threads brings no message" lines err 0
done
KMP_TASKING=0 refused "turns off tasks in OpenMP's runtime" --dim 40
if [ -z "${ASAN_OPTIONS:-}" ]; then
    OMP_STACKSIZE=64K refused "stacks of OpenMP's threads have 64 KiB, 160 are needed" --dim 40 --threads 2
    OMP_STACKSIZE=192K run 2 --dim 300 --nb 100 --threads 2 --check y --quiet geqrf
    check "stacks of 192 KiB are enough for threads" ends_with 0
    for ranks in 1 2; do
        # shellcheck disable=SC2016  # for the shell that is started
        start "a stack of 128 KiB, $ranks ranks" "${mpiexec[@]}" -n $ranks bash -c 'ulimit -s 128 && exec "$@"' \
            bash "$ompfact" --dim 40
        check "a small stack of the main thread is refused" says err "the calling thread's stack has"
    done
fi

# ---- reports -------------------------------------------------------------------------------------------------------------------

run 3 --dim 100 --nb 20 --check y --quiet --json j --csv c --map map --owners owners --plot plot potrf
check "reports are written" ends_with 0
check "--quiet prints nothing" lines out 0
check "JSON has one object for a run" lines j 1
check "CSV has a header and one line for a run" lines c 2
check "JSON has the status" is j status pass
check "the run makes the predicted transfers" is j transfers "$(value j transfers_predicted)"
for key in date version host processor mpi blas; do
    check "JSON has $key" test -n "$(value j $key | grep -v '^null')"
done
check "JSON has the command line" says j '"command": "'
check "the command line in JSON ends with the given arguments" says j '--csv c --map map --owners owners --plot plot potrf"'
check "CSV's first column is JSON's first key" test "$(head -1 c | tr , '\n' | head -1)" = routine
commas() { sed 's/"[^"]*"//g' | tr -dc , | wc -c; }
check "CSV has as many values as columns" test "$(head -1 c | commas)" = "$(tail -1 c | commas)"
check "the owners are of 5 x 5 tiles" test "$(head -1 owners)" = "5 5"
if command -v python3 > /dev/null; then
    check "each line of JSON is a valid object" python3 -c '
import json
for line in open("j"):
    run = json.loads(line)
    assert run["routine"] == "potrf" and run["n"] == 100 and run["ranks"] == 3 and run["info"] == 0 and 0 <= run["error"] < 30, run
'
fi
mv map map.run && mv owners owners.run && mv plot plot.run

run 0 --dry-run --ranks 3 --dim 100 --nb 20 --quiet --json dry --map map --owners owners --plot plot potrf
check "a dry run needs no launcher" ends_with 0
check "a dry run counts the same transfers" is dry transfers "$(value j transfers)"
check "a dry run has the same number of tiles on the fullest rank" is dry tiles_max "$(value j tiles_max)"
check "a dry run writes the same map" same map map.run
check "the first line of the map is its size" test "$(head -1 map)" = "$(value dry pattern_rows) $(value dry pattern_cols)"
check "a dry run writes the same owners" same owners owners.run
check "a dry run draws the same picture" same plot plot.run
check "the picture is SVG" says plot '</svg>'
check "the picture has the number of tiles to ranks" says plot "tiles to ranks"
run 3 --dim 100 --nb 20 --copies 2 --quiet --owners owners.run --plot plot.copies potrf
run 0 --dry-run --ranks 3 --dim 100 --nb 20 --copies 2 --quiet --owners owners.layers --plot plot.layers potrf
check "the owners of copies are those of both layers and of the steps" test "$(grep -c -e '^5 5$' -e '^steps 0 0 1 0 0$' owners.layers)" = 3
check "a run of copies writes the same owners as a dry run" same owners.layers owners.run
check "the picture of copies has both layers" test "$(grep -o '>Matrix of layer [01], 5 × 5<' plot.layers | grep -c .)" = 2
check "a run of copies draws the same picture as a dry run" same plot.layers plot.copies
run 3 --dim 100 --nb 20 --uplo u --check y --quiet --json u --owners owners.upper potrf
check "the upper triangle passes" ends_with 0
check "the upper triangle takes as many transfers as the lower one" is u transfers "$(value j transfers)"
mirrored=$(awk 'NR > 1 { for (j = 1; j <= NF; j++) column[j] = column[j] (NR > 2 ? " " : "") $j }
                END { for (j = 1; j <= NF; j++) print column[j] }' owners)
check "tile (i,j) of the upper triangle has the owner of tile (j,i) of the lower one" test "$mirrored" = "$(tail -n +2 owners.upper)"
check "JSON has the triangle" is u uplo u
run 3 --dim 130x70 --nb 20 --tree flat --ib 4 --pivot partial --storage full --nrhs 3 --quiet --json q geqrf
check "options that are not for QR and change no result are ignored" ends_with 0
check "the ignored options are reported in one line" lines err 1
check "the line names the ignored options" says err 'getrs, sytrs, hetrs and trsm, not for geqrf; --storage is for'
refused 'sysv, hesv, potrs, getrs, sytrs and hetrs, not for trsm' --dim 20 --rcond trsm
check "geqrf makes the predicted transfers" is q transfers "$(value q transfers_predicted)"
check "JSON of geqrf has the tree" is q tree flat
check "JSON of geqrf has no pivoting" is q pivot null
check "JSON of geqrf has no determinant" is q logdet null
run 0 --dry-run --ranks 3 --dim 130x70 --nb 20 --tree flat --ib 4 --quiet --json dry geqrf
check "a dry run of geqrf counts the same transfers" is dry transfers "$(value q transfers)"
check "a dry run of geqrf counts the same bytes" is dry transfer_bytes "$(value q transfer_bytes)"
check "a dry run of geqrf has the same balance" is dry flops_max_over_mean "$(value q flops_max_over_mean)"
run 0 --dry-run --ranks 3 --dim 130x70 --nb 20 --explain geqrf
chosen() { awk '$1 == "*" && $2 != "auto:" { print $6 }' out; }
counted() { awk '$1 == "transfers" { print $2 }' out; }
check "--explain predicts the transfers of geqrf" test "$(chosen)" = "$(counted)"
for dim in 25x170 170x25; do
    run 3 --dim $dim --nb 10 --quiet --json q gels
    check "gels $dim makes the predicted transfers" is q transfers "$(value q transfers_predicted)"
    run 0 --dry-run --ranks 3 --dim $dim --nb 10 --quiet --json dry gels
    check "a dry run of gels $dim counts the same transfers" is dry transfers "$(value q transfers)"
    check "a dry run of gels $dim has the same layout" is dry layout "$(value q layout)"
    run 0 --dry-run --ranks 3 --dim $dim --nb 10 --explain gels
    check "--explain predicts the transfers of gels $dim" test "$(chosen)" = "$(counted)"
done
run 3 --dim 130x70 --nb 20 --quiet --json q geqrf
check "geqrf's default tree is greedy" is q tree greedy
run 0 --dry-run --ranks 3 --dim 100 --nb 20 --plot - potrf
check "--plot - prints the picture instead of the table" same out plot.run
run 2 --dim 100 --nb 20 --plot /nonexistent/plot.svg potrf
check "a picture that cannot be written is refused" ends_with 2
check "the refusal of the picture is one line" lines err 1
check "the refusal names the option and the file" says err '--plot /nonexistent/plot.svg'
run 0 --dry-run --ranks 2 --dim 100,0 --quiet --plot plot getrf
check "the picture of a sweep is that of its last run" says plot 'n = 0,'

run 0 --dry-run --ranks 16 --ranks-per-node 4 --copies 2 --layout 2dbc:2x4 --dim 3000 --nb 100 --explain potrf
check "--explain of copies describes the nodes of layers" says out 'layers: each node has ranks of all layers in turn; 855 tiles go between nodes, and 870 would'
run 0 --dry-run --ranks 23 --dim 3000 --nb 50 --explain potrf
check "--explain lists the layouts" says out 'g2dbc'
check "--explain marks the layout in use" says out '  * design:r=26'
check "--explain has the reason for the layout" says out 'auto: the fewest transfers'
check "--explain suggests no other number of ranks where the layout is good" test -z "$(grep 'fewer ranks' out)"
run 0 --dry-run --ranks 4099 --dim 3000 --nb 2 --explain getrf
check "--explain suggests fewer ranks that send far fewer tiles" says out \
    'fewer ranks: 4096 with 2dbc:64x64 would send 141757140 tiles instead of 1124999500, 87 % fewer, and lose no speed'
run 3 --dim 100 --nb 20 --quiet --explain --layout 2dbc potrf
check "--explain goes to stderr if no table is printed" says err 'in use: 2dbc:1x3, given by --layout'
run 0 --dry-run --ranks 7 --layout sbc --dim 100 --nb 20 potrf
check "a refused sbc names the nearest numbers of ranks that fit" says err 'nearest numbers are 6 and 8'

run 2 --dim 100 --nb 20 --quiet --json k --repeat 2 --layout file:map.run getrf
check "a map of three ranks is refused on two" ends_with 2
run 3 --dim 100 --nb 20 --quiet --json k --repeat 2 --layout file:map.run potrf
check "a map as layout makes the same transfers" is k transfers "$(value j transfers)
$(value j transfers)"
check "--repeat 2 reports two runs" lines k 2
run 0 compare j k
check "ompfact compare succeeds" ends_with 0
check "ompfact compare prints the runs of both files" says out potrf
run 0 compare j /nonexistent.json
check "ompfact compare refuses a missing file" ends_with 2
check "the refusal names the missing file" says err /nonexistent.json
run 0 compare j k --report both.html
check "ompfact compare writes a page" ends_with 0
check "the page has the facts of both runs" says both.html '<data id="b.transfers"'

# ---- streams, and processes of their own -----------------------------------------------------------------------------------------

if [ -c /dev/full ]; then
    for words in --help --version "--dry-run --ranks 2 --dim 50 potrf"; do
        # shellcheck disable=SC2086
        "$ompfact" $words > /dev/full 2> err
        status=$?
        check "output that cannot be printed is an error: $words" ends_with 2
        check "the error is reported in one line: $words" lines err 1
    done
fi
for words in --version "--dry-run --ranks 2 --dim 50 --json closed --quiet potrf"; do
    # shellcheck disable=SC2086
    "$ompfact" $words >&- 2>&- <&-
    status=$?
    check "closed streams are no error: $words" ends_with 0
done
check "with closed streams a file contains its own output alone" test "$(grep -c . closed)" = 1
SLURM_PROCID=3 "$ompfact" --dry-run --ranks 4 --dim 50 --json alone --quiet potrf
check "a process without a launcher is rank 0, whatever SLURM_PROCID is" is alone ranks 4
SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=4 SLURM_TASK_PID=1 "$ompfact" --version > out
check "a process that a task of Slurm has started is rank 0" says out "ompfact "
mkdir -p odd/ompfact
mkfifo odd/ompfact/machine "odd/ompfact/rates-$(uname -n)"
XDG_CACHE_HOME=$PWD/odd run 1 --dim 60 --nb auto --quiet potrf
check "a run does not wait for a cache file that is a pipe without a writer" ends_with 0

# ---- completion ----------------------------------------------------------------------------------------------------------------

run 0 --completion bash
cp out completion.bash
offers() {
    # shellcheck disable=SC2016  # for the shell that is started
    bash --norc -c '. ./completion.bash; COMP_WORDS=(ompfact "$@") COMP_CWORD=$#; _ompfact; echo "${COMPREPLY[*]}"' bash "$@"
}
check "completion offers the values of an option" test "$(offers --schedule '')" = "basic static dynamic"
check "completion offers the values that begin with the typed letters" test "$(offers --dim 5 --schedule st)" = static
check "completion offers values behind an equals sign" test "$(offers --schedule = d)" = dynamic
check "completion offers options" test "$(offers --sched)" = --schedule
check "completion offers layouts" test "$(offers --layout g2)" = g2dbc
check "completion offers the keys of --debug" test "$(offers --debug ji)" = jitter=
check "completion does not offer keys of --debug as options" test -z "$(offers --jit)"
check "completion offers routines" test "$(offers gel)" = gels
check "completion offers routines behind help" test "$(offers help gel)" = gels
run 0 --completion fish
check "completion for an unknown shell is refused" ends_with 2

# ---- progress ------------------------------------------------------------------------------------------------------------------

run 2 --dim 100 --nb 10 --quiet --progress json getrf
check "progress goes to stderr" says err '"percent": 100'
check "progress is lines of JSON" test -z "$(grep -v '^{"percent": .*"eta_s": .*}$' err)"
run 2 --dim 600 --nb 40 --jitter 20000 --quiet --progress bar getrf
check "--progress bar prints lines where stderr is no terminal" \
    test -z "$(grep -v '^ompfact: [0-9]* %, [0-9.]* GFLOP/s, [0-9.]* s left, slowest rank [01]$\|^ompfact: 100 %, ' err)"
check "the lines are at most 15 percent apart, and the last one is at 100" \
    test "$(awk '{ if ($2 - last > 15) gaps++; last = $2 } END { print last, gaps + 0 }' err)" = '100 0'
run 2 --dim 100 --nb 10 --quiet getrf
check "a short run without --progress prints no progress" lines err 0

# ---- help ----------------------------------------------------------------------------------------------------------------------

run 0 --help
check "--help prints how to start the command" says out 'mpiexec -n P ompfact'
check "--help explains the exit statuses" says out '2 bad usage, input or output; 3 ended by a signal'
cp out help
run 0 --dim 20 -h
check "-h prints the same as --help" same out help
check "the help fits a screen" test "$(fold -w 100 out | wc -l)" -le 60
run 0 help
check "help prints the same as --help" same out help
run 0 help gels
check "the help of a routine has its usage" says out 'ompfact [options] gels'
check "the help of a routine has options that are for it alone" says out --tree
check "the help of a routine has no options of other routines" test "$(grep -c -e --uplo -e --pivot -e jitter out)" = 0
cp out help
run 0 gels --help
check "--help behind a routine prints the help of the routine" same out help
run 0 --help gels
check "--help before a routine prints the help of the routine" same out help
run 0 --help --nb
check "the help of an option has its description and its routines" test "$(grep -c -e '^  --nb LIST .*\[auto\]$' -e '^For all routines' out)" = 2
check "the help of an option has four lines" lines out 4
run 0 help tree
check "the help of an option lists the routines that it is for" says out 'For geqrf gels.'
refused 'did you mean potrf' help cholesky
refused 'did you mean "layout"?' --help lyout
check "a word without help prints nothing on stdout" lines out 0
run 0 --help matrix
check "lists of names have lines of at most 100 columns" test -z "$(awk 'length > 100' out)"
run 0
check "a call without arguments is bad usage" ends_with 2
check "a call without arguments prints nothing on stdout" lines out 0
check "a call without arguments prints an example on stderr" says err 'mpiexec -n 4 ompfact --dim 20k --check potrf'
run 2
check "a call without arguments on two ranks is bad usage" ends_with 2
check "two ranks print the usage once" test "$(grep -c '^Usage: ' err)" = 1
# A launcher may end the first rank, which speaks, as soon as another has ended badly.
printf '#!/bin/sh\nsleep 0.3\nexec "%s" "$@"\n' "$ompfact" > late
chmod +x late
start "the first rank is late" "${mpiexec[@]}" -n 1 ./late --dim none : -n 2 "$ompfact" --dim none
check "bad usage has its exit status where the first rank is late" ends_with 2
check "bad usage is reported in one line where the first rank is late" lines err 1
run 0 compare --help
check "compare --help prints the usage of compare" says out 'Usage: ompfact compare'
run 0 report -h
check "report -h prints the usage of report" says out 'Usage: ompfact report'
run 0 --help all
check "--help all has options that --help leaves out" says out --ib
check "--help all has lines of at most 100 columns" test -z "$(awk 'length > 100' out)"
run 0 --help debug
check "--help debug has the keys of --debug" says out jitter=US
run 2 --debug jitter=100,tasks=5 --dim 60 --nb 20 --check y potrf
check "a run takes the keys of --debug" ends_with 0
run 0 --version
check "--version prints the version" says out 'ompfact 1.'
check "--version prints the compiler" says out 'compiler '
check "--version prints the MPI that the command runs with" says out 'Runs with'
OMPFACT_CHECKS=1 run 0 --bug-report
check "--bug-report prints the processor" says out 'processor '
check "--bug-report prints the variables of the environment" says out '  OMPFACT_CHECKS=1'
check "--bug-report fits a screen" test "$(wc -l < out)" -le 60

# ---- standard output by name ---------------------------------------------------------------------------------------------------

"${mpiexec[@]}" -n 2 "$ompfact" --dim 40 --nb 8 --quiet --json /dev/stdout potrf < /dev/null | cat > piped
check "--json /dev/stdout writes to a pipe" is piped routine potrf
echo before > log
"$ompfact" --dim 40 --nb 8 --json log potrf >> log
check "a redirected file keeps its earlier contents" test "$(head -n 1 log)" = before
check "a redirected file has the row of JSON" is log routine potrf
check "a redirected file has the table, too" says log gflop/s

# ---- ranks that do not see each other's processes, as in a container for each --------------------------------------------------

# (Open MPI 4.1 does not get along with these: what its ranks share goes by their numbers.)
if is_mpich && unshare --pid --fork --mount-proc true 2> /dev/null; then
    printf '#!/usr/bin/env bash\n[ "$PMI_RANK" = 0 ] && exec %s\nexec unshare --pid --fork --mount-proc "%s" "$@"\n' \
        '11< /dev/null 12< /dev/null 13< /dev/null' "$ompfact" > apart      # so that numbers of files are the same, and others, on both
    sed '/PMI_RANK/d' apart > alike
    chmod +x apart alike
    for ompfact in ./apart ./alike; do
        run 2 --dim 40 --nb 8 --check y potrf
        check "ranks in different process namespaces succeed without shared memory" ends_with 0
    done
fi

sum_up
