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
check "it says to what" says out 'appends rows to first, a factor of 100'
check "the factor passes" is z status pass
check "old tiles are as they were" is z tiles_restored 15
check "it has all rows" is z n 150
sent=$(value z transfers)
check "which sends what it was to send" is z transfers_predicted "$sent"
run 0 --dry-run --append --rows 100 --dim 150 --nb 20 --uplo u --ranks 3 --json z potrf
dry=$(value z transfers)
run 3 --restart first --append --dim 150 --quiet --json z
check "and a dry run says, for tiles like the factor's" is z transfers "$dry"
run 1 --dim 150 --nb 30 --matrix kms:0.5 --uplo u --quiet --output whole.mtx potrf
check "it is the factor made at once" near_each appended.mtx whole.mtx
run 5 --restart second --append --dim 171 --quiet --check --json z
check "and gets more" ends_with 0
check "of its own tiles" is z tiles_restored 45
run 2 --restart second --quiet --check --json z
check "or none" is z tiles_restored 45
run 2 --restart first --append --dim 100 --quiet --check --json z
check "rows may be none" is z restarted_from_step 5

# ---- points, right-hand sides -----------------------------------------------------------------------------------------------

run 2 --dim 90 --nb 20 --matrix matern32:0.3,0.1 --quiet --checkpoint made posv
run 3 --restart made --append --dim 130 --quiet --check --json z --checkpoint made2
check "points that are made up come behind those that there were" is z status pass
run 2 --restart made2 --append --dim 140 --quiet --check --json z
check "batch after batch" is z status pass
run 1 --restart made2 --quiet --check --json z
check "and a checkpoint knows their order" is z status pass

# ---- ended in between ---------------------------------------------------------------------------------------------------------

run 2 --dim 300 --nb 20 --matrix kms:0.5 --quiet --checkpoint base potrf
"${mpiexec[@]}" -n 2 "$ompfact" --restart base --append --dim 900 --threads 1 --jitter 15000 --progress json \
    --checkpoint ended,interval=1000 > out 2> begun &
until [ -s begun ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
for rank in $(ps -o pid=,comm=,args= -A | awk '$2 == "ompfact" && /base --append/ { print $1 }'); do
    kill -USR1 "$rank" && break
done
wait $!
check "a job is ended while it appends" test "$(value ended/manifest.json step)" -lt 45
check "to a factor of 15 tile rows" test "$(value ended/manifest.json kept | tr -d ': ')" = 15
refused 'steps are done in ended' --restart ended --append --dim 1000
run 3 --restart ended --quiet --check --json z
check "it goes on" is z status pass

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
