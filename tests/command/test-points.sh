#!/usr/bin/env bash
# Matrices of points, and weights of compressed tiles.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# ---- kernels of points ---------------------------------------------------------------------------------------------------------
#
# Forty points of one byte a coordinate, P.npy, in no order; the matrix of a kernel over them, K.mtx, and right-hand sides with known
# solutions, B.mtx, are made here, in the order of the file.

points=40
coordinates() { awk -v n=$points 'BEGIN { for (i = 0; i < n; i++) print 17 * i % 41, (23 * i * i + 5 * i) % 29 }'; }
# make_npy TYPE COLUMNS < NUMBERS
make_npy() {
    local value
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($points, $2), }"
    for value in $(cat); do printf '%b' "\\x$(printf %x "$value")"; done
}
coordinates | make_npy '|u1' 2 > P.npy
# K(r) of awk, the nugget
make_system() {
    coordinates | awk -v nugget="$2" '
        function K(r) { return '"$1"' }
        function head(file, cols) { printf "%%%%MatrixMarket matrix array real general\n%d %d\n", n, cols > file }
        { x[n] = $1; y[n++] = $2 }
        END {
            head("K.mtx", n); head("B.mtx", 2)
            for (j = 0; j < n; j++)
                for (i = 0; i < n; i++) {
                    a = K(sqrt((x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2)) + (i == j ? nugget : 0)
                    printf "%.17g\n", a > "K.mtx"
                    first[i] += a * (j + 1)
                    second[i] += a * (j % 3 - 1)
                }
            for (i = 0; i < n; i++) printf "%.17g\n", first[i] > "B.mtx"
            for (i = 0; i < n; i++) printf "%.17g\n", second[i] > "B.mtx"
        }'
}
# The solutions, to nine digits.
solved() { sed '1,/^[0-9]/d' "$1" | awk -v n=$points '{ x = NR <= n ? NR : (NR - n - 1) % 3 - 1; bad += ($1 - x) ^ 2 > 1e-18 } END { exit NR != 2 * n || bad }'; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit a == "" || (a - b) ^ 2 > 1e-18 * b ^ 2 }'; }
while read -r kind K; do
    make_system "$K" 0.5
    run 1 --input K.mtx --nb 7 --quiet --json dense potrf
    for ranks in 1 3; do
        rm -f X.mtx
        run $ranks --points P.npy --matrix $kind:6,0.5 --nb 7 --rhs B.mtx --check y --quiet --json j --output X.mtx posv
        check "$kind on $ranks ranks passes its check" is j status pass
        check "$kind on $ranks ranks writes the solution in the order of the file" solved X.mtx
        check "$kind on $ranks ranks has the determinant of the dense matrix" near "$(value j logdet)" "$(value dense logdet)"
    done
done << 'END'
sqexp exp(-r * r / 72)
matern12 exp(-r / 6)
matern32 (1 + sqrt(3) * r / 6) * exp(-sqrt(3) * r / 6)
matern52 (1 + sqrt(5) * r / 6 + 5 * r * r / 108) * exp(-sqrt(5) * r / 6)
invdist 1 / sqrt(r * r + 36)
END
for routine in gesv potrs getrs gels; do
    rm -f X.mtx
    run 3 --points P.npy --matrix invdist:6,0.5 --nb 7 --rhs B.mtx --check y --quiet --json j --output X.mtx $routine
    check "$routine passes its check" is j status pass
    check "$routine writes the solution in the order of the file" solved X.mtx
done
run 2 --input K.mtx --rhs B.mtx --nb 7 --output B.npy --quiet trsm     # any .npy of two columns and as many rows
run 3 --input K.mtx --rhs B.npy --nb 9 --output X.mtx gesv
run 3 --points P.npy --matrix invdist:6,0.5 --rhs B.npy --nb 9 --output Y.npy gesv
run 3 --points P.npy --matrix invdist:6,0.5 --rhs B.npy --nb 9 --uplo u --output Y.mtx posv
check "right-hand sides in a .npy are in the order of the file" test "$(numbers X.mtx)" = "$(numbers Y.mtx)"
run 1 --input K.mtx --rhs Y.npy --nb 40 --output Z.mtx --quiet gesv
run 1 --input K.mtx --rhs X.mtx --nb 40 --output W.mtx --quiet gesv
check "a solution that is written as .npy is in the order of the file" test "$(numbers W.mtx)" = "$(numbers Z.mtx)"
run 2 --input K.mtx --nb 7 --seed 5 --output X.mtx posv
run 3 --points P.npy --matrix invdist:6,0.5 --seed 5 --nb 9 --output Y.mtx posv
check "generated right-hand sides are those of the matrix in the file's order" test "$(numbers X.mtx)" = "$(numbers Y.mtx)"
for type in s c z; do
    is_its_turn || continue
    run 3 --points P.npy --matrix matern32:6,0.5 --type $type --nb 9 --check y --quiet --json j posv
    check "a matrix of points in type $type passes its check" is j status pass
done
run 1 --matrix matern32:0.1,0.5 --dim 90 --nb 13 --check y --quiet --json j posv
check "points are generated if --points is not given" is j status pass
run 3 --matrix matern32:0.1,0.5 --dim 90 --nb 20 --layout 2dbc:3x1 --quiet --json again posv
check "generated points are the same on one rank and on three" near "$(value again logdet)" "$(value j logdet)"
refused 'does not fit anywhere' --matrix sqexp:0.1 --dim 400000000 --nb 10000 posv      # whose points would be 13 GB
run 0 --dry-run --ranks 3 --points P.npy --matrix sqexp:1 --nb 7 --quiet --json dry potrf
check "a dry run reads the number of points from the file" is dry n $points
refused 'the matrix of P.npy is 40 x 40, but --dim gives 50 x 50' --points P.npy --matrix sqexp:1 --dim 50 posv
refused '--points means nothing beside --input' --points P.npy --input K.mtx posv
refused "--points P.npy is for a kernel of --matrix, as in sqexp:0.1, and 'rands' is none" --points P.npy --matrix rands posv
refused 'is for a kernel of --matrix' --points P.npy potrf
refused 'write matern32:LENGTH[,NUGGET]' --points P.npy --matrix matern32 posv
refused 'LENGTH a positive number' --points P.npy --matrix sqexp:0,0.1 posv
refused 'a number from 0 up' --points P.npy --matrix sqexp:1,-1 posv
refused "'sqexp' is square, not 40 x 30" --matrix sqexp:1 --dim 40x30 geqrf
refused '--points none.npy: No such file or directory' --points none.npy --matrix sqexp:1 posv
refused 'K.mtx: is not a .npy file' --points K.mtx --matrix sqexp:1 posv
coordinates | make_npy '|u1' 1 > one.npy
refused 'one.npy: it is 40 x 1; points have 2 or 3 columns' --points one.npy --matrix sqexp:1 posv
sed '45s/.*/nan/' B.mtx > N.mtx
refused 'N.mtx: row 3, column 2 is NaN' --points P.npy --matrix sqexp:1 --rhs N.mtx --nb 7 posv
refused '--points P.npy and --output P.npy are one file' --points P.npy --matrix sqexp:1 --output P.npy potrf

# ---- weights of compressed tiles -----------------------------------------------------------------------------------------------

below() { awk -v a="$1" -v b="$2" 'BEGIN { exit a == "" || a >= b }'; }
for routine in 'posv --type s' 'posv --uplo u' 'gesv --type z --pivot none'; do
    for layout in bce rs auto; do
        is_its_turn 4 || continue
        # shellcheck disable=SC2086
        run 5 --matrix sqexp:0.1,2 --dim 600 --nb 30 --accuracy 1e-4 --max-rank 15 --layout $layout --weights auto --check y --quiet --json j $routine
        check "$layout with predicted weights passes its check, $routine" is j status pass
        check "$layout with predicted weights balances the flops, $routine" below "$(value j flops_max_over_mean)" 1.25
    done
done
run 3 --points P.npy --matrix sqexp:9,0.1 --nb 7 --accuracy 1e-6 --band 1 --max-rank 4 --layout rs --weights auto --check y --quiet --json j posv
check "points of a file with predicted weights pass their check" is j status pass
run 2 --matrix sqexp:0.1,2 --dim 300 --accuracy 1e-4 --layout rs --weights auto --check y --quiet --json j posv
check "predicted weights work with a tile size that the run chooses" is j status pass
refused '--weights auto uses the ranks of compressed tiles' --dim 40 --nb 10 --weights auto potrf
refused 'a .mtx file has no order' --input K.mtx --nb 7 --accuracy 1e-6 --weights auto potrf
refused '--weights and --blr both' --dim 40 --nb 10 --accuracy 1e-6 --weights auto --blr delta=8 potrf
run 0 --dry-run --ranks 3 --dim 40 --nb 10 --accuracy 1e-6 --weights auto potrf
check "a dry run refuses --weights auto" ends_with 2
check "the message explains that a dry run has no weights" says err 'a dry run has none'

sum_up
