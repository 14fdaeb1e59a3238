#!/usr/bin/env bash
# Checkpoints and restarts.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# All that a process has started, and what these have: a job that dies of this has no time to save anything.
children() {
    ps -o pid=,ppid= -A |
        awk -v p="$1" '{ up[$1] = $2 } END { for (q in up) for (r = q; r in up; r = up[r]) if (up[r] == p) print q }'
}
die() {
    # shellcheck disable=SC2046  # numbers
    kill -KILL $(children "$1")
}

# ---- checkpoints ---------------------------------------------------------------------------------------------------------------

odd="it's a \"place\" \$HOME"
run 2 --dim 60 --nb 20 --quiet --checkpoint "$odd" getrf
check "a run with checkpoints succeeds" ends_with 0
said=$(sed -n 's/.*ompfact --restart //p' err)
eval "set -- $said"
check "the command for a restart quotes the folder for a shell" test "$#.$1" = "1.$odd"
run 3 --quiet --restart "$1"
check "the printed command continues the run" ends_with 0
refused '--dim with --restart: the checkpoint in' --restart "$1" --dim 60
run 2 --dim 60 --nb 20 --quiet --checkpoint "$odd" getrf
check "another run replaces the checkpoint of a run that has ended" ends_with 0

timeout -k 5 "$limit" "${mpiexec[@]}" -n 2 "$ompfact" --dim 600 --nb 20 --threads 1 --jitter 15000 \
    --checkpoint unended,interval=0.05 potrf > ended 2>&1 &
until [ -f unended/manifest.json ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
die $!
wait $! 2> /dev/null
check "a job is killed before its last step" test "$(value unended/manifest.json step)" -lt 30
cp unended/manifest.json .
refused 'of 30 steps of another run are saved there' --dim 60 --nb 20 --checkpoint unended getrf
check "a refused run leaves the checkpoint of a killed job unchanged" same unended/manifest.json manifest.json
run 2 --quiet --restart unended --checkpoint unended
check "a restart completes the killed job" ends_with 0
run 2 --restart unended
check "a restart prints how many steps are done" says out 'continues from unended, 30 of 30 steps done'
run 2 --dim 60 --nb 20 --quiet --checkpoint unended getrf
check "another run replaces the checkpoint when the restarted job has ended" ends_with 0

refused 'several runs' --restart unended --checkpoint unended --nb 10,20
refused 'step 1 is done in unended; step 3 is next' --restart unended --inject step=1,tile=2,2,bit=3

mkdir web
echo '{"name": "a page"}' > web/manifest.json
cp web/manifest.json .
refused 'web: manifest.json' --dim 60 --nb 20 --checkpoint web getrf
check "a refused run leaves another program's manifest.json unchanged" same web/manifest.json manifest.json

run 2 --dim 40 --nb 8 --quiet --json z potrs
check "a run without --checkpoint reports no checkpoints" is z checkpoints null
check "a run without --restart reports no step at which it started" is z restarted_from_step null
run 2 --dim 40 --nb 8 --quiet --json z --checkpoint solved potrs
check "a factorization that is not timed is saved" is z checkpoints 1
run 2 --quiet --json z --restart solved
check "a factorization that is not timed is restored" is z restarted_from_step 5

# No file may have more than 8 MB: that is said of the first size, and of no other.
(trap '' XFSZ; ulimit -f 8192; run 1 --dim 1200,1300,1400 --nb 200 --quiet --checkpoint small getrf)
check "a checkpoint that cannot be written is reported in one line" lines err 1
check "the line has the reason" says err "no checkpoint can be written to small: File too large"

# Signals, to one rank alone or to the launcher: what is done is saved, and there is a status of its own.
begin_to_stop() {       # begin_to_stop FOLDER[,KEY=..]: in the background, $! its launcher, until it works
    : > begun
    "${mpiexec[@]}" -n 2 "$ompfact" --dim 600 --nb 20 --threads 1 --jitter 15000 --progress json --checkpoint "$1" potrf \
        > out 2> begun &
    until [ -s begun ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
}
begin_to_stop stopped,interval=1000
run 2 --dim 60 --quiet --checkpoint stopped getrf
check "two jobs cannot write checkpoints to one folder" ends_with 2
check "the message names the folder that another job uses" says err 'another job writes its checkpoints to stopped'
# Open MPI's launcher hands SIGUSR1 on, and kills all soon after it had SIGTERM.
kill -"$(is_mpich && echo TERM || echo USR1)" $!
wait $!
status=$?
# Hydra 4.0, where it had the signal, may lose the status.
check "a job that a signal ends has an exit status of its own" test "$status" = 3 -o "$status" = 0
check "a line on stderr explains how to continue the ended job" says begun 'ended by a signal: --restart stopped continues'
check "the signal ends the job before its last step" test "$(value stopped/manifest.json step)" -lt 30
run 3 --restart stopped --quiet --check y
check "a restart completes the ended job" ends_with 0
begin_to_stop alone
for rank in $(children $!); do
    [ "$(ps -o comm= -p "$rank")" = ompfact ] && kill -USR1 "$rank" && break
done
wait $!
status=$?
check "a signal to one rank ends all ranks" ends_with 3
check "the job that was ended by one rank has saved a checkpoint before its last step" test "$(value alone/manifest.json step)" -lt 30
refused 'is not DIR' --checkpoint x,grace=0 getrf

# A restart with another tile size, of right-hand sides from a file of entries: tiles of two sizes.
awk 'BEGIN { print "%%MatrixMarket matrix array real general\n600 1"; for (i = 0; i < 600; i++) print i % 7 - 3 + i / 600 }' > b.mtx
timeout -k 5 "$limit" "${mpiexec[@]}" -n 2 "$ompfact" --dim 600 --nb 20 --threads 1 --jitter 15000 --rhs b.mtx \
    --checkpoint cut,interval=0.05 posv > ended 2>&1 &
until [ "$(value cut/manifest.json step 2> /dev/null || echo 0)" -gt 0 ] 2> /dev/null || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
die $!
wait $! 2> /dev/null
check "a job with right-hand sides is killed before its last step" test "$(value cut/manifest.json step)" -lt 30
run 3 --quiet --restart cut --nb 33 --output again.mtx
check "a restart with another tile size completes the killed job" ends_with 0
run 2 --quiet --dim 600 --nb 20 --rhs b.mtx --output x.mtx posv
near_each() { paste -d ' ' "$1" "$2" | awk 'NR > 2 { n++; bad += ($1 - $2) ^ 2 > 1e-20 } END { exit n != 600 || bad }'; }
check "the restart has the solution of an uninterrupted run" near_each again.mtx x.mtx
refused 'so they have no weights' --restart cut --nb 33 --blr delta=2,seed=1,kernel=lu

sum_up
