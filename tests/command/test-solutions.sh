#!/usr/bin/env bash
# Inverses, solves alone, refinement and condition numbers.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# ---- inverses --------------------------------------------------------------------------------------------------------------------

for routine in potri getri trtri; do
    run 3 --dim 100 --nb 16 --type d,s,c,z --check y --json rows $routine
    check "$routine passes" ends_with 0
    check "$routine is silent on stderr" lines err 0
    head -n 1 rows > j
    check "$routine has no factors to tell of" is j logdet null
    check "$routine's transfers are what its loops foresee" is j transfers "$(value j transfers_predicted)"
    refused "not for $routine" --dim 20 --rcond $routine
    refused "not for $routine" --dim 20 --trace t $routine
    run 0 --dim 100 --nb 16 --quiet --json dry --dry-run --ranks 3 $routine
    check "$routine's dry run takes the same layout" is dry layout "$(value j layout)"
    check "$routine's dry run knows its transfers" is dry transfers "$(value j transfers)"
    run 0 --dim 100 --nb 16 --dry-run --ranks 3 --explain $routine
    check "$routine's layouts are explained" says out "$(value dry layout)"
    run 2 --dim 20 --nb 4 --output X.npy $routine
    check "$routine writes its inverse and says nothing" lines err 0
done
printf '%%%%MatrixMarket matrix array real general\n2 2\n4\n2\n2\n2\n' > A.mtx
run 2 --input A.mtx --nb 1 --output X.mtx potri
check "potri writes its triangle" holds X.mtx '0.5 -0.5 0 1'
run 2 --input A.mtx --nb 1 --uplo u --output X.mtx potri
check "potri --uplo u writes the upper one" holds X.mtx '0.5 0 -0.5 1'
run 2 --input A.mtx --nb 1 --output X.mtx getri
check "getri writes all of it" holds X.mtx '0.5 -0.5 -0.5 1'
run 2 --input A.mtx --nb 1 --output X.mtx trtri
check "trtri inverts the triangle" holds X.mtx '0.25 -0.25 0 0.5'
printf '%%%%MatrixMarket matrix array real general\n2 2\n4\n2\n2\n0\n' > A.mtx
run 2 --input A.mtx --nb 1 trtri
check "a triangle with a zero on its diagonal has no inverse" ends_with 1
check "and the place is told" says out 'element (2,2) is zero'
run 2 --input A.mtx --nb 1 --quiet --json j --output Y.mtx trsm
check "nor is it solved with" ends_with 1
check "its zero is info" is j info 2
check "and nothing is written" test ! -e Y.mtx

# ---- solves alone --------------------------------------------------------------------------------------------------------------

for routine in potrs getrs trsm; do
    run 3 --dim 100 --nb 16 --nrhs 40 --type s,d,c,z --check y $routine
    check "$routine passes" ends_with 0
    check "$routine is silent on stderr" lines err 0
    check "$routine has right-hand sides" says out nrhs
    check "and times nothing but their solve" test -z "$(grep 'solve(s)' out)"
    run "$(full && echo 5 || echo 3)" --dim 30 --nb 2 --nrhs 3 --check y --quiet --json j $routine
    check "$routine passes on many tiles" is j status pass
    check "$routine's transfers are what its loops foresee" is j transfers "$(value j transfers_predicted)"
    check "$routine has no other solve to report" test -z "$(grep solve_time_s j)"
    run 2 --dim 60 --nb 20 --check y --tol 1e-30 $routine
    check "$routine's residual is computed" ends_with 1
    run 2 --dim 0 --check y $routine
    check "$routine of nothing passes" ends_with 0
    refused "not for $routine" --dim 20 --dry-run --ranks 3 $routine
    refused "not for $routine" --dim 20 --explain $routine
    refused "not for $routine" --dim 20 --trace t $routine
    refused "not for $routine" --dim 20 --refine $routine
done
for routine in potrs trsm; do
    run 3 --dim 100 --nb 16 --nrhs 40 --type d,z --uplo u --layout sbc --check y $routine
    check "$routine --uplo u passes" ends_with 0
done
printf '%%%%MatrixMarket matrix array real general\n2 2\n4\n2\n2\n2\n' > A.mtx
printf '%%%%MatrixMarket matrix array real general\n2 2\n8\n6\n4\n2\n' > B.mtx
for routine in potrs getrs; do
    run 2 --input A.mtx --rhs B.mtx --nb 1 --rcond --quiet --json j --output X.mtx $routine
    check "$routine solves" holds X.mtx '1 2 1 0'
    check "$routine counts the file's right-hand sides" is j nrhs 2
    check "$routine leaves factors, which tell the condition" test "$(value j rcond | cut -c 1-5)" = 0.111
    check "and the determinant" test "$(value j logdet | cut -c 1-5)" = 1.386
done
run 2 --input A.mtx --rhs B.mtx --nb 1 --pivot partial --ipiv ipiv.txt getrs
check "getrs writes its pivots" test "$(tr '\n' ' ' < ipiv.txt)" = "1 2 "
run 2 --input A.mtx --rhs B.mtx --nb 1 --output X.mtx trsm
check "trsm solves with the lower triangle" holds X.mtx '2 1 1 0'
run 2 --input A.mtx --rhs B.mtx --nb 1 --uplo u --output X.mtx trsm
check "trsm --uplo u with the upper one" holds X.mtx '0.5 3 0.5 1'
refused 'sysv, hesv, potrs, getrs, sytrs and hetrs, not for trsm' --dim 20 --rcond trsm
run 2 --dim 40 --nb 8 --matrix rands potrs
check "an indefinite matrix is a numerical failure" ends_with 1

# ---- indefinite matrices -------------------------------------------------------------------------------------------------------

run 3 --dim 90 --nb 16 --matrix kkt:20 --check --rcond --json j sytrf
check "sytrf passes" ends_with 0
check "a row of positive, negative and zero eigenvalues" test "$(value j inertia_positive) $(value j inertia_negative) $(value j inertia_zero)" = "70 20 0"
check "and no pivot was too small" is j perturbed_pivots 0
check "growth is told" test "$(value j growth)" != null
check "the determinant's sign is that of an even number of them" is j det_sign 1
check "transfers are those foreseen, blocks of D and butterflies, too" is j transfers "$(value j transfers_predicted)"
check "LU was not needed" is j fallback null
check "the butterfly is told as it was" is j butterfly 2
run 0 --dry-run --ranks 3 --dim 90 --nb 16 --quiet --json dry sytrf
check "a dry run counts the same transfers" is dry transfers "$(value j transfers)"
check "and bytes" is dry transfer_bytes "$(value j transfer_bytes)"
check "its rows have what runs have of such matrices" test -z "$(value dry fallback)"
run 0 --dim 90 --nb 16 --matrix kkt:20 --uplo u --type d,z hetrf
check "a line below the table has the inertia" says out 'inertia = (70, 20, 0)'
run 2 --dim 60 --nb 16 --nrhs 3 --type z --check --quiet --json j sysv
check "sysv of complex symmetric matrices passes" is j status pass
check "which have no inertia" is j inertia_positive null
check "but an angle of the determinant" test "$(value j det_phase)" != null
check "solutions are refined" test "$(value j refine_iterations)" -ge 0
run 0 --dim 80 --nb 16 --matrix orthog --butterfly 0 --check --rcond --quiet --json j --repeat 2 hesv
tail -n 1 j > last
check "where L D L^H does not do LU solves" is last status pass
check "and it is told in one line" lines err 1
check "that names it" says err 'LU with pivoting (getrf) has solved the system'
check "and in the results" is last fallback getrf
check "which have no condition: LU's factors are not kept" is last rcond null
check "which have no inertia then" is last inertia_negative null
check "nor a determinant" is last logdet null
run 0 --dim 80 --nb 16 --matrix orthog --butterfly 0 --quiet sytrf
check "factors alone say what they are worth" says err 'few digits of the factors are right'
echo old > x.npy
run 2 --dim 40 --nb 16 --matrix zeros --output x.npy --json j sysv
check "a matrix of zeros is a numerical failure" ends_with 1
check "at the first row" is j info 1
check "all of whose eigenvalues are zero" is j inertia_zero 40
check "and is told of" says out 'info = 1: all of the matrix is zero'
check "what was there stays" test "$(cat x.npy)" = old
run 0 --dim 80 --nb 16 --matrix kkt --butterfly 1 --checkpoint saved,interval=0.001 --quiet hesv
run 2 --restart saved --check --quiet --json j
check "a restart goes on with its routine" is j routine hesv
check "and its butterfly" is j butterfly 1
check "to the same solution" is j status pass
refused '--butterfly with --restart: the checkpoint in saved defines the problem' --restart saved --butterfly 2

# ---- refinement and condition --------------------------------------------------------------------------------------------------

for routine in posv gesv; do
    run 3 --dim 100 --nb 20 --check y --quiet --refine --json j $routine
    check "$routine --refine passes" is j status pass
    check "$routine --refine refines" test "$(value j refine_iterations)" -ge 1
    run 3 --dim 100 --nb 20 --check y --quiet --refine gmres --json j $routine
    check "$routine --refine gmres passes" is j status pass
    check "$routine --refine gmres refines" test "$(value j refine_iterations)" -ge 1
    run 2 --dim 60 --nb 20 --check y --matrix hilb --refine --json j $routine
    check "$routine --refine falls back" test "$(value j refine_iterations)" -lt 0
    run 2 --dim 60 --nb 20 --matrix hilb --refine $routine
    check "$routine --refine says so" says out 'refinement fell back to double: '
    [ $routine = posv ] || check "and why, where the matrix is singular" says err "$routine: the matrix is singular to working precision"
done
run 2 --dim 100 --nb 20 --check y --quiet --matrix svd_cluster1:cond=1e10 --refine gmres --json j gesv
check "--refine gmres solves where the classic way gives up" test "$(value j refine_iterations)" -ge 1
refused '--refine is for posv and gesv, not for potrf' --dim 50 --nb 20 --refine potrf
refused 'types d and z' --refine --type c posv
run 2 --dim 60 --nb 20 --matrix hilb --rcond gesv
check "--rcond says what a residual does not" says err 'singular to working precision'
run 2 --dim 60 --nb 20 --matrix hilb --quiet --json j gesv
check "so does a system that nobody asks about" says err 'gesv: the matrix is singular to working precision: rcond ='
check "in one line" lines err 1
check "and in its results" test "$(value j rcond)" != null
run 2 --dim 60 --nb 20 --matrix hilb --quiet --json j --rcond n gesv
check "--rcond n does not look" lines err 0
run 2 --dim 60 --nb 20 --type s,d,c,z --quiet --json j gesv
check "nothing is said of a good one" lines err 0
run 2 --dim 60 --nb 20 --quiet --json j gesv
check "nor in its results" is j rcond null
printf '%%%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n1\n2\n3\n' > twins.mtx
run 2 --input twins.mtx --nb 1 --quiet --json j gels
check "of least squares with two equal columns it is said" says err 'gels: the matrix does not have full rank'
check "they end as ever" ends_with 0
for kind in rands_ufl rands_ofl; do
    run 2 --dim 50x100 --nb 16 --matrix $kind --quiet --check y --json j gels
    check "least squares of $kind are judged" is j status pass
done
run 2 --dim 20 --matrix zeros --quiet --report page.html gels
check "of zeros nothing is factored, and no page written" says err 'page.html is not written'
check "which is no failure" ends_with 0
run 2 --dim 60x40 --nb 20 --matrix diag --rcond gels
check "--rcond is for least squares, too" says out 'rcond ='
run 3 --dim 60 --nb 16 --matrix kms --rcond --verbose --json j potrf
check "the condition of kms is 9, nearly" test "$(awk -v r="$(value j rcond)" 'BEGIN { print (r > 0.1 && r < 0.2) }')" = 1
check "--verbose shows it" says out '1.11e-01'
run 3 --dim 60 --nb 16 --matrix zeros --quiet --rcond --json j getrf
check "a singular matrix has rcond 0" is j rcond 0

sum_up
