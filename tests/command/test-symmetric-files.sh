#!/usr/bin/env bash
# Symmetric and Hermitian matrices in files: which routine takes which, what is refused, and factors that restore the matrix.
set -u
restore=$(readlink -f "$(dirname "$0")")/restore_ldl.py
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# ---- Matrix Market -------------------------------------------------------------------------------------------------------------
#
#       ( 0 1 2 )
#   A = ( 1 0 0 ), A ( 1 1 1 )' = ( 3 1 7 )'    S = ( i 1 ) is symmetric    H = ( 1 -2i ) is Hermitian
#       ( 2 0 5 )                                   ( 1 2 )                     ( 2i  1 )
printf '%s\n' '%%MatrixMarket matrix coordinate real symmetric' '3 3 3' '2 1 1' '3 1 2' '3 3 5' > A.mtx
printf '%s\n' '%%MatrixMarket matrix array real general' '3 1' 3 1 7 > B.mtx
for routine in sysv hesv sytrs hetrs; do
    is_its_turn || continue
    run 2 --input A.mtx --rhs B.mtx --nb 2 --quiet --json j --output X.mtx $routine
    check "$routine writes the exact solution" awk 'NR > 2 && ($1 - 1) ^ 2 > 1e-20 { wrong = 1 } END { exit wrong || NR != 5 }' X.mtx
    check "$routine reports one negative eigenvalue" is j inertia_negative 1
    run 2 --input A.mtx --uplo u --rhs B.mtx --nb 2 --type c --check y $routine
    check "$routine solves in type c with the upper triangle" ends_with 0
done
printf '%s\n' '%%MatrixMarket matrix coordinate complex symmetric' '2 2 3' '1 1 0 1' '2 1 1 0' '2 2 2 0' > S.mtx
printf '%s\n' '%%MatrixMarket matrix coordinate complex hermitian' '2 2 3' '1 1 1 0' '2 1 0 2' '2 2 1 0' > H.mtx
printf '%s\n' '%%MatrixMarket matrix coordinate complex skew-symmetric' '2 2 1' '2 1 1 0' > K.mtx
run 2 --input S.mtx --nb 1 --check y --quiet --json j sysv
check "sysv takes a complex symmetric file" ends_with 0
check "a complex symmetric file has no inertia" says j '"inertia_negative": null'
run 2 --input H.mtx --nb 1 --check y --quiet --json j hesv
check "hesv takes a complex Hermitian file" ends_with 0
check "a Hermitian file has an inertia" is j inertia_negative 1
refused 'H.mtx is complex hermitian, and sytrf needs a symmetric matrix: take hetrf' --input H.mtx sytrf
refused 'S.mtx is complex symmetric, and hesv needs a Hermitian matrix: take sysv' --input S.mtx hesv
refused 'K.mtx is complex skew-symmetric, and sysv needs a symmetric matrix: take LU' --input K.mtx sysv
sed 's/^2 2 1 0$/2 2 1 1e-30/' H.mtx > T.mtx
refused 'T.mtx: line 5: diagonal entry (2, 2) of a hermitian matrix is not real' --input T.mtx --nb 1 hesv
printf '%s\n' '%%MatrixMarket matrix array complex general' '2 2' '1 0' '0 2' '0 -2' '1 1e-30' > G.mtx
refused 'G.mtx: row 2, column 2 is not real' --input G.mtx --nb 1 hetrf
run 2 --input G.mtx --nb 1 --check y sytrf
check "sytrf takes the lower triangle of a file with a complex diagonal" ends_with 0
sed 's/^0 2$/0 nan/' G.mtx > N.mtx
refused 'N.mtx: row 2, column 1 is NaN (counted from 1)' --input N.mtx --nb 1 sysv
run 2 --input N.mtx --nb 1 --uplo u --check y sysv
check "a NaN in the lower triangle is not read with --uplo u" ends_with 0

# ---- factors that others read --------------------------------------------------------------------------------------------------

if command -v python3 > /dev/null; then
    for case in sytrf:d:l:auto hetrf:z:u:2 sytrf:z:l:1 sytrf:c:u:auto hetrf:s:u:0 hetrf:c:l:0; do
        is_its_turn || continue
        IFS=: read -r routine type uplo butterfly <<< "$case"
        python3 "$restore" make "$type" "${routine:0:2}" "$uplo" 45 A.npy
        run 3 --input A.npy --uplo "$uplo" --nb 16 --butterfly "$butterfly" --output F.npy --ipiv P.txt --check y "$routine"
        check "$case: NaN in the other triangle is not read" ends_with 0
        check "$case: the factors restore the matrix and solve" \
            python3 "$restore" check "${routine:0:2}" "$uplo" A.npy F.npy P.txt
    done
    # 20 of 45 rows eliminated, in whole tiles or cut inside one; what a dry run says of it.
    for case in sytrf:d:l:16 hetrf:z:u:20 sytrf:c:u:20 hetrf:s:l:33; do
        is_its_turn || continue
        IFS=: read -r routine type uplo rows <<< "$case"
        python3 "$restore" make "$type" "${routine:0:2}" "$uplo" 45 A.npy
        run 3 --input A.npy --uplo "$uplo" --nb 16 --layout 2dbc --partial "$rows" --output F.npy --ipiv P.txt --schur S.npy \
            --quiet --json j "$routine"
        check "$case: a partial factorization succeeds" ends_with 0
        check "$case: the partial factors and the Schur complement restore the matrix" \
            python3 "$restore" part "${routine:0:2}" "$uplo" "$rows" A.npy F.npy P.txt S.npy
        check "$case: a partial factorization mixes no rows" is j butterfly 0
        [ "$routine:$type" = sytrf:c ] ||
            check "$case: the inertia is that of the eliminated rows" test $(($(value j inertia_positive) + $(value j inertia_negative))) = "$rows"
        run 0 --dry-run --ranks 3 --dim 45 --uplo "$uplo" --type "$type" --nb 16 --layout 2dbc --partial "$rows" --quiet --json dry "$routine"
        for key in transfers transfer_bytes; do
            check "$case: a dry run predicts $key" test "$(value j $key)" = "$(value dry $key)"
        done
    done
    run 2 --dim 40 --nb 8 --partial 16 --butterfly 2 hetrf
    check "--butterfly beside --partial is reported" says err '--butterfly means nothing beside --partial'
    refused 'a matrix of 40 x 40 has at most 39 rows' --dim 40 --partial 40 sytrf
    for case in 'l 7 30 ok' 'l 30 7 nan' 'u 7 30 nan' 'u 30 7 ok' 'l 30 30 tilted'; do
        is_its_turn || continue
        read -r uplo row column what <<< "$case"
        python3 "$restore" make z he "$uplo" 45 A.npy
        python3 "$restore" put "$row" "$column" "$what" A.npy
        case $what in
            ok) run 3 --input A.npy --uplo "$uplo" --nb 16 --check y hesv
                check "values beyond the triangle are not read" ends_with 0 ;;
            nan) refused "A.npy: row $row, column $column is NaN" --input A.npy --uplo "$uplo" --nb 16 hesv ;;
            tilted) refused "A.npy: row $row, column $column is not real" --input A.npy --uplo "$uplo" --nb 16 hesv
                    run 3 --input A.npy --nb 16 --check y sytrf
                    check "a complex symmetric matrix may have a complex diagonal" ends_with 0 ;;
        esac
    done
fi
echo old > F.npy
echo old > P.txt
run 2 --dim 40 --nb 8 --matrix zeros --output F.npy --ipiv P.txt sytrf
check "a matrix of zeros is a numerical failure" ends_with 1
check "a numerical failure leaves the old factors and pivots unchanged" test "$(cat F.npy P.txt)" = $'old\nold'
run 2 --dim 40 --nb 8 --matrix exchange --output X.npy --ipiv P.txt sysv
check "sysv writes its pivots" lines P.txt 40

sum_up
