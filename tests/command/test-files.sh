#!/usr/bin/env bash
# Files in and out: what is read, what is written, and what is left of old ones.
set -u
# shellcheck source=tests/command/running.sh
. "$(dirname "$0")/running.sh"

# ---- files in and out ----------------------------------------------------------------------------------------------------------
#
#       ( 4  4   8 )            ( 2       )
#   A = ( 4 20  40 ) = L L',  L = ( 2 4     ),  and L itself is   ( 1       ) ( 2     )      A ( 1 1 1 )' = ( 16 64 192 )'
#       ( 8 40 144 )            ( 4 8 8   )                     ( 1 1     ) (   4   )
#                                                               ( 2 2 1   ) (     8 )
printf '%%%%MatrixMarket matrix array real symmetric\n3 3\n4\n4\n8\n20\n40\n144\n' > A.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n16\n64\n192\n' > B.mtx
run 2 --input A.mtx --nb 2 --output L.mtx potrf
check "potrf writes L with zeros above it" holds L.mtx '2 2 4 0 4 8 0 0 8'
sizes=$(full && echo 1 2 3 || echo 2)
for nb in $sizes; do
    run 2 --input A.mtx --nb "$nb" --uplo u --output U.mtx potrf
    check "potrf --uplo u writes U with zeros below it" holds U.mtx '2 0 0 2 4 0 4 8 8'
done
run 2 --input A.mtx --nb 2 --uplo u --storage full --output U.mtx potrf
check "potrf --uplo u --storage full writes the same U" holds U.mtx '2 0 0 2 4 0 4 8 8'
run 3 --input A.mtx --nb 1 --output L.npy potrf
check "potrf writes L as .npy" ends_with 0
run 2 --input L.npy --nb 2 --pivot none --output LU.mtx getrf
check "getrf reads L from .npy and writes its factors" holds LU.mtx '2 1 2 0 4 2 0 0 8'
run 2 --input L.npy --nb 2 --pivot none --output LU.npy getrf
run 1 --input LU.npy --nb 3 --output again.mtx getrf
check "getrf reads a .npy that getrf has written" ends_with 0
refused '--matrix means nothing beside --input' --input LU.npy --matrix zeros getrf
for routine in posv gesv; do
    run 3 --input A.mtx --rhs B.mtx --nb 1 --output X.mtx $routine
    check "$routine writes the exact solution" holds X.mtx '1 1 1'
done
# A with the upper triangle alone, and what is not A below it.
printf '%%%%MatrixMarket matrix array real general\n3 3\n4\n77\n-1e300\n4\n20\n1e9\n8\n40\n144\n' > upper.mtx
for nb in $sizes; do
    run 2 --input upper.mtx --rhs B.mtx --nb "$nb" --uplo u --output X.mtx posv
    check "posv --uplo u reads the upper triangle alone" holds X.mtx '1 1 1'
done
run 2 --input upper.mtx --rhs B.mtx --nb 2 --uplo u --check y posv
check "the check of posv --uplo u reads the upper triangle alone" ends_with 0
run 2 --input upper.mtx --nb 2 --check y potrf
check "potrf with the lower triangle of the same file fails" ends_with 1
run 2 --input A.mtx --nb 2 --pivot none --quiet --json d getrf
check "the determinant of A is 64 squared" test "$(value d logdet | cut -c 1-8)" = 8.317766
check "the determinant of A is positive" is d det_sign 1
check "the smallest pivot is 4" is d smallest_pivot 4
# Rows of Q are exchanged: 1, 3, 2 and the sign of the determinant with them.
printf '%%%%MatrixMarket matrix array real general\n3 3\n1\n2\n8\n2\n8\n4\n8\n1\n2\n' > Q.mtx
for pivot in partial tournament; do
    run 3 --input Q.mtx --nb 1 --pivot $pivot --ipiv ipiv.txt --quiet --check y --json d getrf
    check "--pivot $pivot interchanges with the largest element of a column" test "$(tr '\n' ' ' < ipiv.txt)" = "3 2 3 "
    check "--pivot $pivot reports the sign of the determinant" is d det_sign -1
    check "--pivot $pivot reports the growth of U" is d growth 1
done
run 2 --input A.mtx --nb 2 --quiet --json d potrf
check "potrf reports the same determinant" test "$(value d logdet | cut -c 1-8)" = 8.317766
check "potrf reports the same smallest pivot" is d smallest_pivot 4
# ( 3 4 )'s column has length 5, and ( 1 2 )' is the shortest solution of x + 2 y = 5.
printf '%%%%MatrixMarket matrix array real general\n3 2\n3\n4\n0\n0\n0\n2\n' > T.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n6\n8\n6\n' > Y.mtx
printf '%%%%MatrixMarket matrix array real general\n3 1\n10\n5\n6\n' > Z.mtx
printf '%%%%MatrixMarket matrix array real general\n1 2\n1\n2\n' > W.mtx
printf '%%%%MatrixMarket matrix array real general\n1 1\n5\n' > V.mtx
printf '%%%%MatrixMarket matrix array real general\n2 1\n1\n2\n' > short.mtx
for nb in $sizes; do
    run 3 --input T.mtx --nb "$nb" --check y --output R.mtx geqrf
    check "geqrf passes" ends_with 0
    check "geqrf writes R with zeros below it" test "$(numbers R.mtx | tr -d -)" = "5 0 0 0 2 0"
    run 2 --input T.mtx --rhs Y.mtx --nb "$nb" --check y --output X.mtx gels
    check "gels passes" ends_with 0
    check "gels writes the exact solution" holds X.mtx '2 3'
    run 2 --input T.mtx --rhs Z.mtx --nb "$nb" --output X.mtx gels
    check "gels minimises the residual" holds X.mtx '2 3'
    run 2 --input W.mtx --rhs V.mtx --nb "$nb" --check y --output X.mtx gels
    check "gels finds the shortest solution" holds X.mtx '1 2'
done
for dim in 70x50 50x70; do
    run 2 --matrix zeros --dim $dim --nb 16 --check y --quiet --json z gels
    check "gels of zeros, $dim, is solved" ends_with 0
    check "the error of gels of zeros, $dim, is zero" is z error 0
done
refused 'short.mtx has 2 rows, but the matrix 3' --input T.mtx --rhs short.mtx gels
run 2 --dim 40x30 --nb 8 --matrix rands_zerocol0 --output gone.npy gels
check "a matrix of lower rank is a numerical failure" ends_with 1
check "the message has the zero of R" says out 'R(1,1) is zero'
check "the message explains that the solution is not written" says err 'gone.npy is not written: info = 1'
sed 's/^20$/nan/' A.mtx > N.mtx
refused 'N.mtx: row 2, column 2 is NaN (counted from 1)' --input N.mtx --nb 1 geqrf
printf '%%%%MatrixMarket matrix array real general\n3 1\n16\n64\n-inf\n' > I.mtx
refused 'N.mtx: row 2, column 2 is NaN (counted from 1)' --input N.mtx --nb 1 getrf
refused 'N.mtx: row 2, column 2 is NaN' --input N.mtx --nb 2 --check y potrf
refused 'I.mtx: row 3, column 1 is infinity' --input A.mtx --rhs I.mtx --nb 1 posv
run 2 --input A.mtx --dim 4 potrf
check "--dim that differs from the file's size is refused" ends_with 2
run 2 --input L.npy --type s getrf
check "--type that differs from the file's type is refused" ends_with 2

# ---- matrix and right-hand sides of two types: that which holds both, as in NumPy -----------------------------------------------

run 1 --type z --dim 20 --nb 8 --quiet --output Z.npy getrf
run 1 --type c --dim 20 --nb 8 --quiet --output C.npy getrf
run 1 --type d --dim 20 --nb 8 --quiet --output D.npy getrf
for b in 'd d.npy' 'd d.mtx' 'c c.npy'; do
    run 1 --type "${b% *}" --dim 20 --nb 8 --quiet --output "${b#* }" gesv
done
for case in Z:d.npy:z Z:c.npy:z D:c.npy:z C:d.npy:z D:d.npy:d; do
    IFS=: read -r a b both <<< "$case"
    run 2 --input "$a.npy" --rhs "$b" --nb 8 --check --quiet --json j --output "x-$a-$b.mtx" gesv
    check "$a.npy with $b is solved" ends_with 0
    check "the solution of $a.npy with $b has type $both" is j type "$both"
done
run 2 --input Z.npy --rhs d.mtx --nb 8 --quiet --output x-mtx.mtx gesv
check "the same right-hand sides as text have the same solution" same x-mtx.mtx x-Z-d.npy.mtx
refused "c.npy holds values of type 'c', and the matrix 'd'" --input D.npy --type d --rhs c.npy gesv

if command -v python3 > /dev/null; then
    check "the .npy is in numpy's format" python3 -c '
import struct
data = open("L.npy", "rb").read()
assert data[:6] == b"\x93NUMPY"
header = struct.unpack("<H", data[8:10])[0]
described = eval(data[10:10 + header])
assert described["descr"] == "<f8" and described["shape"] == (3, 3), described
values = struct.unpack("<9d", data[10 + header:])
columns = values if described["fortran_order"] else tuple(values[3 * i + j] for j in range(3) for i in range(3))
assert columns == (2, 2, 4, 0, 4, 8, 0, 0, 8), columns
'
    # A of integers, by rows.
    python3 -c '
import struct
header = "{\"descr\": \"<i2\", \"fortran_order\": False, \"shape\": (3, 3), }".ljust(117) + "\n"
values = struct.pack("<9h", 4, 4, 8, 4, 20, 40, 8, 40, 144)
open("int.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() + values)
'
    run 2 --input int.npy --nb 2 --output L.mtx --quiet --json j potrf
    check "a file of integers is factored" holds L.mtx '2 2 4 0 4 8 0 0 8'
    check "a file of integers is of type d" is j type d
    for type in s c z; do
        run 2 --input int.npy --nb 2 --type $type --output L.mtx --quiet --json j potrf
        check "a file of integers is of type $type with --type $type" is j type $type
        check "a file of integers has the same factor in type $type" holds L.mtx '2 2 4 0 4 8 0 0 8'
    done
    # Hermitian, the upper triangle by rows, NaN below it.
    python3 -c '
import struct
header = "{\"descr\": \"<c16\", \"fortran_order\": False, \"shape\": (2, 2), }".ljust(117) + "\n"
values = struct.pack("<8d", 4, 0, 2, 6, float("nan"), float("nan"), 14, 0)
open("H.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header.encode() + values)
'
    for nb in 1 2; do
        run 2 --input H.npy --nb "$nb" --uplo u --check y --output U.npy potrf
        check "potrf --uplo u of a Hermitian .npy does not read the lower triangle" ends_with 0
        check "potrf --uplo u of a Hermitian .npy writes U" python3 -c '
import struct
data = open("U.npy", "rb").read()
values = struct.unpack("<8d", data[10 + struct.unpack("<H", data[8:10])[0]:])
assert values == (2, 0, 0, 0, 1, 3, 2, 0), values
'
    done
fi

# ---- what files are and are not for --------------------------------------------------------------------------------------------

printf '%s\n' '%%MatrixMarket matrix coordinate complex symmetric' '2 2 3' '1 1 4 0' '2 1 1 1' '2 2 5 0' > symmetric.mtx
refused 'symmetric.mtx is complex symmetric, and posv needs a Hermitian matrix' --input symmetric.mtx posv
run 2 --input symmetric.mtx --check y gesv
check "gesv takes a complex symmetric file" ends_with 0
printf '%s\n' '%%MatrixMarket matrix array real general' '4 2' 1 2 3 4 5 6 7 9 > tall.mtx
run 0 --dry-run --ranks 3 --input tall.mtx --nb 2 --quiet --json dry geqrf
check "a dry run reads the number of rows from the file" is dry m 4
check "a dry run reads the number of columns from the file" is dry n 2
run 0 --dry-run --ranks 3 --input none.mtx getrf
check "a dry run refuses a missing file" ends_with 2
refused '--rhs is for posv, gesv, gels, sysv, hesv, potrs, getrs, sytrs, hetrs and trsm' --rhs tall.mtx getrf
refused '--ipiv is for getrf, sytrf, hetrf, gesv, sysv, hesv, getrs, sytrs and hetrs' --ipiv p.txt potrf
refused '--trace none/f cannot be written' --dim 20 --trace none/f getrf
start 'ompfact --tune' env XDG_CACHE_HOME=/dev/null "$ompfact" --tune
check "--tune without a cache folder is refused" ends_with 2
check "the message explains how to name a cache folder" says err 'set XDG_CACHE_HOME to another folder'
check "--tune without a cache folder measures nothing" lines out 0

# ---- old files and new ones ----------------------------------------------------------------------------------------------------

mkdir old && cd old || exit 99
outputs=(--output x.npy --trace t.json --owners o.map --map m.map --plot p.svg --json r.json --csv r.csv)
names='ipiv.txt m.map o.map p.svg r.csv r.json t.json x.npy '
lay() { for name in $names; do echo old > "$name"; done; }
unchanged() { for name; do same "$name" ../old.txt || return 1; done; }
holds_old_or_rows() { same "$1" ../old.txt || { [ "$(head -c 8 "$1")" = routine, ] && [ "$(wc -l < "$1")" -ge 2 ]; }; }
no_others() { [ "$(find . -mindepth 1 -printf '%f\n' | grep -v '^out$\|^err$' | sort | tr '\n' ' ')" = "$names" ]; }
echo old > ../old.txt
lay
for bad in '--layout nonsense' '--input none.npy' '--layout 2dbc:9x9' '--dim 3000000 --nb 512'; do
    is_its_turn || continue
    # shellcheck disable=SC2086  # options and their values
    run 3 "${outputs[@]}" $bad getrf
    check "$bad is bad usage" ends_with 2
    # shellcheck disable=SC2086
    check "$bad leaves all old files unchanged" unchanged $names
    check "$bad makes no other files" no_others
done
run 2 "${outputs[@]}" --ipiv ipiv.txt --dim 40 --nb 8 --matrix rands_dominant_zerocol0.5 getrf
check "a column of zeros is a numerical failure" ends_with 1
check "a numerical failure leaves the old output and pivots unchanged" unchanged x.npy ipiv.txt
check "the message explains that the output is not written" says err 'x.npy is not written: info = 20'
check "the message explains that the pivots are not written" says err 'ipiv.txt is not written: info = 20'
check "a numerical failure is reported in JSON" is r.json info 20
run 2 "${outputs[@]}" --dim 40 --nb 8 --check y --tol 1e-30 potrf
check "a residual over the tolerance leaves the old output unchanged" unchanged x.npy
check "the message names the residual as the reason" says err 'x.npy is not written: the scaled residual is '
lay
run 2 --quiet --json r.json --csv r.csv --dim 40,3000000 --nb 8,512 getrf
check "a sweep with a matrix that is too large is bad usage" ends_with 2
check "JSON has all runs before the matrix that is too large" lines r.json 2
check "CSV has all runs before the matrix that is too large" lines r.csv 3
lay
run 2 --output x.npy --dim 40,0 --nb 8 --quiet --json r.json --matrix rands potrf
check "a failure before the last run of a sweep is a failure of the sweep" ends_with 1
check "the last run of that sweep passes" says r.json '"info": 0'
check "a sweep with a failure leaves the old output unchanged" unchanged x.npy
chmod 640 x.npy
run 3 "${outputs[@]}" --ipiv ipiv.txt --dim 100,60 --nb 20 getrf
check "a run with all kinds of output succeeds" ends_with 0
for name in $names; do
    check "a successful run replaces $name" test "$(head -c 3 "$name")" != old
done
check "a successful run makes no other files" no_others
check "the new output has the permissions of the old one" test "$(stat -c %a x.npy)" = 640
check "the output of a sweep is its last matrix" says x.npy "'shape': (60, 60)"
lay
"$ompfact" "${outputs[@]}" --threads 1 --jitter 100000 --dim 400,6000 --nb 100 --quiet potrf < /dev/null > out 2> err &
for ((i = 0; i < 600; i++)); do     # until the first of two runs is reported
    [ "$(head -c 3 r.json)" = old ] || break
    sleep 0.05
done
kill -9 $!
wait $! 2> /dev/null
check "a killed run leaves the old output unchanged" unchanged x.npy
check "JSON of a killed run has all completed runs" lines r.json 1
check "CSV of a killed run is the old file or has whole rows" holds_old_or_rows r.csv
rm -f -- *.part-*
ln -s m.map link
ln -s nowhere.map dangling
run 0 --dry-run --ranks 3 --dim 60 --nb 20 --quiet --map link --owners dangling --json /dev/null potrf
check "an output that is a link remains a link" test "$(readlink link)" = m.map
check "the target of the link is replaced" test "$(head -1 m.map)" != old
check "a missing target of a link is created" test -f nowhere.map
check "a device as an output succeeds" ends_with 0
rm link dangling nowhere.map
mkfifo pipe
cat pipe > out.pipe &
run 1 --dim 40,50 --nb 20 --quiet --json pipe
wait $!
check "a pipe receives one row for each run" lines out.pipe 2
rm pipe out.pipe
if unshare --mount --map-root-user true 2> /dev/null; then
    echo old > mounted
    echo old > point
    # shellcheck disable=SC2016  # $0 is the command, there
    start 'onto a mount point: ompfact --json point' unshare --mount --map-root-user bash -c \
        'mount --bind mounted point && exec "$0" --dim 40 --nb 20 --quiet --json point getrf' "$ompfact"
    check "a file that is a mount point is written" ends_with 0
    check "a file on a mount point is written completely" is mounted routine getrf
    rm mounted point
    check "writing to a mount point makes no other files" no_others
    mkdir small
    for name in x.npy x.mtx; do
        # shellcheck disable=SC2016
        start "onto a full disk: ompfact --output small/$name" unshare --mount --map-root-user bash -c \
            'mount -t tmpfs -o size=16k none small && exec "$0" --dim 200 --nb 20 --output "$1"' "$ompfact" small/$name
        check "a matrix that does not fit on the disk is an error" ends_with 2
        check "the message names the file as it was given" says err "--output small/$name: "
        check "the message names the full disk as the reason" says err 'No space left on device'
    done
    rmdir small
fi
run 1 --dim 40 --nb 20 --quiet --csv /dev/full
check "--csv on a full disk is an error" ends_with 2
check "the message names --csv and the full disk" says err '--csv /dev/full: No space left on device'
for form in json csv plot; do
    last="ompfact --$form - > /dev/full"
    limited "$ompfact" --dim 40 --nb 20 --quiet --$form - > /dev/full 2> err
    status=$?
    check "--$form - on a full disk is an error" ends_with 2
    check "the message names stdout and the full disk for --$form -" says err 'stdout: No space left on device'
done
# shellcheck disable=SC2094  # on purpose
"$ompfact" --dry-run --ranks 3 --dim 60 --quiet --json both > both 2> err
check "a file that is also stdout has one row" lines both 1
rm both

# What a run reads stays, and so does what it writes besides.
cp ../L.npy x.npy
ln -s x.npy link.npy
ln x.npy hard.npy
mkdir folder.npy
cp x.npy ../kept.npy
refused '--input x.npy and --output x.npy are one file' --input x.npy --output x.npy getrf
refused '--input x.npy and --output link.npy are one file' --input x.npy --output link.npy getrf
refused '--rhs x.npy and --output hard.npy are one file' --input ../L.npy --rhs x.npy --output hard.npy gesv
echo '2 2 2 1 1 3' > read.txt
cp read.txt ../read.txt
ln read.txt hard.txt
refused '--speeds read.txt and --json read.txt are one file' --dim 20 --speeds read.txt --json read.txt
refused '--layout file:read.txt and --owners ./hard.txt are one file' --dim 20 --layout file:read.txt --owners ./hard.txt
refused '--weights read.txt and --csv read.txt are one file' --dim 20 --nb 10 --weights read.txt --csv read.txt
refused '--rhs read.txt and --plot read.txt are one file' --dim 20 --rhs read.txt --plot read.txt gesv
refused '--input read.txt and --trace read.txt are one file' --input read.txt --trace read.txt
check "a refused run leaves the file that it reads unchanged" same read.txt ../read.txt
run 2 --dim 40 --nb 20 --speeds auto --json auto --quiet getrf
check "--speeds auto may be beside --json auto, for auto is no file of speeds" ends_with 0
rm auto read.txt hard.txt
refused '--json new and --csv ./new are one file' --dim 20 --json new --csv ./new
refused '--output folder.npy cannot be written: Is a directory' --dim 20 --json r.json --output folder.npy
refused '--trace needs the name of a file' --dim 20 --trace -
check "refused runs leave the matrix unchanged" same x.npy ../kept.npy
cd ..

# A limit on the size of files, which tiles in memory are, too; less than 5 MB is too little for UCX.
(ulimit -S -f 6000; run 2 --dim 1500 --nb 150 --quiet gesv; exit "$status")
check "a soft limit on the size of files is raised" test $? = 0
(ulimit -f 6000; run 2 --dim 1500 --nb 150 --quiet gesv; exit "$status")
check "a hard limit on the size of files is an error" test $? = 2
check "the error is reported in one line" lines err 1
check "the line names the limit on the size of files" says err 'files may have'

# A file that is cut while it is read: after the first run of two. Without a launcher, which may end with 1 if it sees the end of
# the connection to a process before the process's status.
run 1 --dim 200 --nb 20 --quiet --output whole.npy --matrix rands getrf
: > begun
"$ompfact" --input whole.npy --nb 20 --threads 1 --jitter 15000 --repeat 2 --progress json --quiet getrf > out 2> begun &
until [ -s begun ] || ! kill -0 $! 2> /dev/null; do sleep 0.05; done
: > whole.npy
wait $!
status=$?
check "a file that is truncated while it is read is bad input" ends_with 2
check "the message names the truncated file" says begun 'whole.npy: the file was truncated while it was read'
printf '%%%%MatrixMarket matrix array real general\n1 1\n2\n' > NAME.MTX
run 1 --input NAME.MTX --quiet --check y getrf
check "a suffix of a file may be in capitals" ends_with 0
: > a.mtx.gz
refused 'compressed files are not supported: unpack the file first' --input a.mtx.gz getrf

sum_up
