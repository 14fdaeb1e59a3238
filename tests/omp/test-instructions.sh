#!/usr/bin/env bash
# The instructions of a task besides its kernel, which do not depend on the machine's load. In the full tier.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${top_builddir:-.}" && pwd)
# shellcheck source=tests/shell.sh
. "$here/../shell.sh"
skip() { say "$script: skipped: $*"; exit 77; }
full || skip "it is in the full tier (make check-full)"
python=${PYTHON:-python3}
[ "$python" != : ] || skip "there is no Python 3"
[ "$(uname -m)" = x86_64 ] || skip "instructions are those of x86-64"
! grep -q '^SANITIZER_FLAGS = .*fsanitize' "$build/Makefile" || skip "sanitizers have instructions of their own"
[[ " $(of_build "$build" CFLAGS) " == *\ -O[23]\ * ]] || skip "it is for builds that are optimized"

# The limits are about a tenth above the current numbers.
start "bench/instructions" env -u MAKEFLAGS -u MAKELEVEL "$python" "$here/../../bench/instructions" --at-most 6500,36
[ "$status" != 77 ] || skip "$(cat err)"
check "a task takes at most 6500 instructions, 36 of them locked" [ "$status" = 0 ]
cat out
sum_up
