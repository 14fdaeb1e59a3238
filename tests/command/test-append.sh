#!/usr/bin/env bash
# Rows that are appended to a factor on disk.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

near_each() {       # near_each FILE FILE: two arrays of as many numbers
    paste -d ' ' "$1" "$2" | awk 'NR > 2 && NF != 2 { bad++ } NR > 2 { n++; bad += ($1 - $2) ^ 2 > 1e-20 } END { exit n == 0 || bad }'
}

# ---- once, and once more ----------------------------------------------------------------------------------------------------

run 2 --dim 100 --nb 20 --matrix kms:0.5 --uplo u --quiet --checkpoint first potrf
check "a factor is saved" ends_with 0
run 3 --restart first --append --dim 150 --nb 16 --check --json z --output appended.mtx --checkpoint second
check "rows are appended on other ranks" ends_with 0
check "the command prints to which factor it appends rows" says out 'appends rows to first, a factor of 100'
check "the longer factor passes its check" is z status pass
check "the 15 tiles of the old factor are restored" is z tiles_restored 15
check "the longer factor has all rows" is z n 150
sent=$(value z transfers)
check "appending makes the predicted transfers" is z transfers_predicted "$sent"
run 0 --dry-run --append --rows 100 --dim 150 --nb 20 --uplo u --ranks 3 --json z potrf
dry=$(value z transfers)
run 3 --restart first --append --dim 150 --quiet --json z
check "a dry run with the factor's tile size predicts the transfers of appending" is z transfers "$dry"
run 1 --dim 150 --nb 30 --matrix kms:0.5 --uplo u --quiet --output whole.mtx potrf
check "the longer factor is the one that a single run makes" near_each appended.mtx whole.mtx
run 5 --restart second --append --dim 171 --quiet --check --json z
check "rows are appended to a factor that has appended rows" ends_with 0
check "all 45 tiles of that factor are restored" is z tiles_restored 45
run 2 --restart second --quiet --check --json z
check "a restart without --append restores all 45 tiles" is z tiles_restored 45
run 2 --restart first --append --dim 100 --quiet --check --json z
check "the number of appended rows may be zero" is z restarted_from_step 5

# ---- points, right-hand sides -----------------------------------------------------------------------------------------------

run 2 --dim 90 --nb 20 --matrix matern32:0.3,0.1 --quiet --checkpoint made posv
run 3 --restart made --append --dim 130 --quiet --check --json z --checkpoint made2
check "generated points are appended to a generated matrix of points" is z status pass
run 2 --restart made2 --append --dim 140 --quiet --check --json z
check "points are appended a second time" is z status pass
run 1 --restart made2 --quiet --check --json z
check "a checkpoint stores the order of appended points" is z status pass

# ---- ended in between ---------------------------------------------------------------------------------------------------------

run 2 --dim 300 --nb 20 --matrix kms:0.5 --quiet --checkpoint base potrf
"${mpiexec[@]}" -n 2 "$ompfact" --restart base --append --dim 900 --threads 1 --jitter 15000 --progress json \
    --checkpoint ended,interval=1000 > out 2> begun &
until [ -s begun ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
for rank in $(ps -o pid=,comm=,args= -A | awk '$2 == "ompfact" && /base --append/ { print $1 }'); do
    kill -USR1 "$rank" && break
done
wait $!
check "a signal ends a job while it appends rows" test "$(value ended/manifest.json step)" -lt 45
check "the ended job's checkpoint keeps the 15 tile rows of the old factor" test "$(value ended/manifest.json kept | tr -d ': ')" = 15
refused 'steps are done in ended' --restart ended --append --dim 1000
run 3 --restart ended --quiet --check --json z
check "a restart completes the appending, and the factor passes its check" is z status pass

# ---- refused ------------------------------------------------------------------------------------------------------------------

refused 'needs --restart' --append --dim 700 potrf
refused 'needs a matrix with more rows' --restart base --append
refused 'has 300 rows, and this matrix 200' --restart base --append --dim 200
run 2 --dim 40 --nb 20 --quiet --checkpoint dominant potrf
refused_by_two "'rands_dominant' does not begin with" --restart dominant --append --dim 60
refused 'the factor in base is of --matrix kms:0.5' --restart base --append --dim 700 --matrix kms:0.25
run 2 --dim 40 --nb 20 --quiet --checkpoint general getrf
refused 'is of getrf' --restart general --append --dim 60

sum_up
