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
    check "$routine reports no determinant, for it leaves no factors" is j logdet null
    check "$routine makes the predicted transfers" is j transfers "$(value j transfers_predicted)"
    refused "not for $routine" --dim 20 --rcond $routine
    refused "not for $routine" --dim 20 --trace t $routine
    run 0 --dim 100 --nb 16 --quiet --json dry --dry-run --ranks 3 $routine
    check "a dry run of $routine chooses the same layout" is dry layout "$(value j layout)"
    check "a dry run of $routine predicts the transfers" is dry transfers "$(value j transfers)"
    run 0 --dim 100 --nb 16 --dry-run --ranks 3 --explain $routine
    check "--explain names the layout of $routine" says out "$(value dry layout)"
    run 2 --dim 20 --nb 4 --output X.npy $routine
    check "$routine writes its inverse and prints nothing on stderr" lines err 0
done
printf '%%%%MatrixMarket matrix array real general\n2 2\n4\n2\n2\n2\n' > A.mtx
run 2 --input A.mtx --nb 1 --output X.mtx potri
check "potri writes the lower triangle" holds X.mtx '0.5 -0.5 0 1'
run 2 --input A.mtx --nb 1 --uplo u --output X.mtx potri
check "potri --uplo u writes the upper triangle" holds X.mtx '0.5 0 -0.5 1'
run 2 --input A.mtx --nb 1 --output X.mtx getri
check "getri writes the whole inverse" holds X.mtx '0.5 -0.5 -0.5 1'
run 2 --input A.mtx --nb 1 --output X.mtx trtri
check "trtri writes the inverse of the triangle" holds X.mtx '0.25 -0.25 0 0.5'
printf '%%%%MatrixMarket matrix array real general\n2 2\n4\n2\n2\n0\n' > A.mtx
run 2 --input A.mtx --nb 1 trtri
check "a triangle with a zero on its diagonal has no inverse" ends_with 1
check "the message has the place of the zero" says out 'element (2,2) is zero'
run 2 --input A.mtx --nb 1 --quiet --json j --output Y.mtx trsm
check "a solve with such a triangle is a numerical failure" ends_with 1
check "info is the row of the zero" is j info 2
check "the failed solve writes no solution" test ! -e Y.mtx

# ---- solves alone --------------------------------------------------------------------------------------------------------------

for routine in potrs getrs trsm; do
    run 3 --dim 100 --nb 16 --nrhs 40 --type s,d,c,z --check y $routine
    check "$routine passes" ends_with 0
    check "$routine is silent on stderr" lines err 0
    check "$routine prints the number of right-hand sides" says out nrhs
    check "$routine has no separate time for solves" test -z "$(grep 'solve(s)' out)"
    run "$(full && echo 5 || echo 3)" --dim 30 --nb 2 --nrhs 3 --check y --quiet --json j $routine
    check "$routine passes on many tiles" is j status pass
    check "$routine makes the predicted transfers" is j transfers "$(value j transfers_predicted)"
    check "$routine has no solve time in JSON" test -z "$(grep solve_time_s j)"
    run 2 --dim 60 --nb 20 --check y --tol 1e-30 $routine
    check "$routine fails if its residual is over the tolerance" ends_with 1
    run 2 --dim 0 --check y $routine
    check "$routine of an empty matrix passes" ends_with 0
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
    check "$routine writes the exact solution" holds X.mtx '1 2 1 0'
    check "$routine counts the file's right-hand sides" is j nrhs 2
    check "$routine reports the condition number of its factors" test "$(value j rcond | cut -c 1-5)" = 0.111
    check "$routine reports the determinant of its factors" test "$(value j logdet | cut -c 1-5)" = 1.386
done
run 2 --input A.mtx --rhs B.mtx --nb 1 --pivot partial --ipiv ipiv.txt getrs
check "getrs writes its pivots" test "$(tr '\n' ' ' < ipiv.txt)" = "1 2 "
run 2 --input A.mtx --rhs B.mtx --nb 1 --output X.mtx trsm
check "trsm solves with the lower triangle" holds X.mtx '2 1 1 0'
run 2 --input A.mtx --rhs B.mtx --nb 1 --uplo u --output X.mtx trsm
check "trsm --uplo u solves with the upper triangle" holds X.mtx '0.5 3 0.5 1'
refused 'sysv, hesv, potrs, getrs, sytrs and hetrs, not for trsm' --dim 20 --rcond trsm
run 2 --dim 40 --nb 8 --matrix rands potrs
check "an indefinite matrix is a numerical failure" ends_with 1

# ---- indefinite matrices -------------------------------------------------------------------------------------------------------

run 3 --dim 90 --nb 16 --matrix kkt:20 --check --rcond --json j sytrf
check "sytrf passes" ends_with 0
check "the inertia counts positive, negative and zero eigenvalues" test "$(value j inertia_positive) $(value j inertia_negative) $(value j inertia_zero)" = "70 20 0"
check "no pivot of this matrix is perturbed" is j perturbed_pivots 0
check "sytrf reports the growth of elements" test "$(value j growth)" != null
check "the determinant is positive, for the number of negative eigenvalues is even" is j det_sign 1
check "sytrf makes the predicted transfers, with blocks of D and butterflies" is j transfers "$(value j transfers_predicted)"
check "sytrf reports no fallback to LU" is j fallback null
check "sytrf reports the depth of the butterfly" is j butterfly 2
run 0 --dry-run --ranks 3 --dim 90 --nb 16 --quiet --json dry sytrf
check "a dry run counts the same transfers" is dry transfers "$(value j transfers)"
check "a dry run counts the same bytes" is dry transfer_bytes "$(value j transfer_bytes)"
check "a dry run reports no fallback" test -z "$(value dry fallback)"
run 0 --dim 90 --nb 16 --matrix kkt:20 --uplo u --type d,z hetrf
check "a line below the table has the inertia" says out 'inertia = (70, 20, 0)'
run 2 --dim 60 --nb 16 --nrhs 3 --type z --check --quiet --json j sysv
check "sysv of complex symmetric matrices passes" is j status pass
check "complex symmetric matrices have no inertia" is j inertia_positive null
check "complex symmetric matrices have the phase of the determinant" test "$(value j det_phase)" != null
check "sysv reports the iterations of refinement" test "$(value j refine_iterations)" -ge 0
run 0 --dim 80 --nb 16 --matrix orthog --butterfly 0 --check --rcond --quiet --json j --repeat 2 hesv
tail -n 1 j > last
check "hesv passes by LU where L D L^H is too inaccurate" is last status pass
check "the fallback to LU is reported in one line" lines err 1
check "the line names LU with pivoting" says err 'LU with pivoting (getrf) has solved the system'
check "JSON has the routine of the fallback" is last fallback getrf
check "a solve by LU reports no condition number, for LU's factors are not kept" is last rcond null
check "a solve by LU reports no inertia" is last inertia_negative null
check "a solve by LU reports no determinant" is last logdet null
run 0 --dim 80 --nb 16 --matrix orthog --butterfly 0 --quiet sytrf
check "a factorization alone warns that its factors are inaccurate" says err 'few digits of the factors are right'
echo old > x.npy
run 2 --dim 40 --nb 16 --matrix zeros --output x.npy --json j sysv
check "a matrix of zeros is a numerical failure" ends_with 1
check "info of a matrix of zeros is the first row" is j info 1
check "all eigenvalues of a matrix of zeros are zero" is j inertia_zero 40
check "the message explains that the matrix is zero" says out 'info = 1: all of the matrix is zero'
check "a failed solve leaves the old output unchanged" test "$(cat x.npy)" = old
run 0 --dim 80 --nb 16 --matrix kkt --butterfly 1 --checkpoint saved,interval=0.001 --quiet hesv
run 2 --restart saved --check --quiet --json j
check "a restart has the routine of its checkpoint" is j routine hesv
check "a restart has the butterfly of its checkpoint" is j butterfly 1
check "the restarted solve passes its check" is j status pass
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
    check "$routine --refine falls back to double for an ill-conditioned matrix" test "$(value j refine_iterations)" -lt 0
    run 2 --dim 60 --nb 20 --matrix hilb --refine $routine
    check "$routine --refine prints that it fell back" says out 'refinement fell back to double: '
    [ $routine = posv ] || check "$routine --refine warns that the matrix is singular" says err "$routine: the matrix is singular to working precision"
done
run 2 --dim 100 --nb 20 --check y --quiet --matrix svd_cluster1:cond=1e10 --refine gmres --json j gesv
check "--refine gmres converges where classical refinement falls back" test "$(value j refine_iterations)" -ge 1
refused '--refine is for posv and gesv, not for potrf' --dim 50 --nb 20 --refine potrf
refused 'types d and z' --refine --type c posv
run 2 --dim 60 --nb 20 --matrix hilb --rcond gesv
check "--rcond warns of a matrix that is singular to working precision" says err 'singular to working precision'
run 2 --dim 60 --nb 20 --matrix hilb --quiet --json j gesv
check "gesv warns of such a matrix without --rcond" says err 'gesv: the matrix is singular to working precision: rcond ='
check "the warning is one line" lines err 1
check "JSON has the condition number of such a matrix" test "$(value j rcond)" != null
run 2 --dim 60 --nb 20 --matrix hilb --quiet --json j --rcond n gesv
check "--rcond n suppresses the warning" lines err 0
run 2 --dim 60 --nb 20 --type s,d,c,z --quiet --json j gesv
check "a well-conditioned matrix brings no warning" lines err 0
run 2 --dim 60 --nb 20 --quiet --json j gesv
check "JSON has no condition number that was not requested" is j rcond null
printf '%%%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n1\n2\n3\n' > twins.mtx
run 2 --input twins.mtx --nb 1 --quiet --json j gels
check "gels warns of two equal columns" says err 'gels: the matrix does not have full rank'
check "gels with two equal columns succeeds" ends_with 0
for kind in rands_ufl rands_ofl; do
    run 2 --dim 50x100 --nb 16 --matrix $kind --quiet --check y --json j gels
    check "least squares of $kind pass their check" is j status pass
done
run 2 --dim 20 --matrix zeros --quiet --report page.html gels
check "the message explains that no page is written for a matrix of zeros" says err 'page.html is not written'
check "gels of a matrix of zeros succeeds" ends_with 0
run 2 --dim 60x40 --nb 20 --matrix diag --rcond gels
check "--rcond prints the condition number of least squares" says out 'rcond ='
run 3 --dim 60 --nb 16 --matrix kms --rcond --verbose --json j potrf
check "the reciprocal condition number of kms is about 1/9" test "$(awk -v r="$(value j rcond)" 'BEGIN { print (r > 0.1 && r < 0.2) }')" = 1
check "--verbose prints the reciprocal condition number" says out '1.11e-01'
run 3 --dim 60 --nb 16 --matrix zeros --quiet --rcond --json j getrf
check "a singular matrix has rcond 0" is j rcond 0

sum_up
