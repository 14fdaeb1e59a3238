# shellcheck shell=bash disable=SC2034  # who sources it uses them
# To be sourced: how long a run of a test may take. Long, for a run on a busy machine is slow and yet right; one that hangs has
# said by then which tiles its ranks wait for (--watchdog, after a minute).
#
#   OMPFACT_TEST_TIMEOUT  seconds for each run          (default 1800)
limit=${OMPFACT_TEST_TIMEOUT:-1800}
no_end="hung: no end after $limit s (OMPFACT_TEST_TIMEOUT sets another limit)"

limited() { timeout -k 5 "$limit" "$@" < /dev/null; }
hung() { [ "$1" = 124 ] || [ "$1" = 137 ]; }
