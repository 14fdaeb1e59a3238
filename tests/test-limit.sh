#!/usr/bin/env bash
# A run that does not end is reported with the variable that sets another limit, and is the last run of its program. A run that
# is merely slow passes.
set -u
tests=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/shell.sh
. "$tests/shell.sh"

printf '#!/usr/bin/env bash\nshift 2\nexec "$@"\n' > launcher       # -n P PROGRAM
printf '#!/usr/bin/env bash\nsleep "$1"\n' > sleeper
chmod +x launcher sleeper
export MPIEXEC=$folder/launcher OMPFACT_TEST_RANKS="1 2"

OMPFACT_TEST_TIMEOUT=1 bash "$tests/mpi-run.sh" "$folder/sleeper" 600 > out 2>&1 9> /dev/null
check "a run that hangs fails" [ $? = 1 ]
check "the message names the limit" says out 'mpi-run: sleeper, 1 rank: hung: no end after 1 s (OMPFACT_TEST_TIMEOUT sets another limit)'
check "no other run starts" [ "$(grep -c '^== ' out)" = 1 ]
OMPFACT_TEST_TIMEOUT=600 bash "$tests/mpi-run.sh" "$folder/sleeper" 0.1 > out 2>&1 9> /dev/null
check "a run that ends in time passes" [ $? = 0 ]
check "the other runs start, too" [ "$(grep -c '^== ' out)" = 2 ]
OMPFACT_TEST_TIMEOUT='' bash -c '. "$1/limit.sh" && echo "limit $limit"' bash "$tests" > out 2>&1
check "the default limit is half an hour" says out 'limit 1800'

mkdir tests
ln -s /bin/true tests/soak
printf '#!/usr/bin/env bash\nsleep 600\n' > launcher
top_builddir=. OMPFACT_TEST_TIMEOUT=1 bash "$tests/soak.sh" 7 > out 2>&1 9> /dev/null
check "a launcher that hangs fails the soak" [ $? = 1 ]
check "the message names the launcher" says out 'soak.sh: hung: the launcher has not ended after 4 s'
check "the soak starts no other run" [ "$(grep -c '^soak, ' out)" = 1 ]
sum_up
