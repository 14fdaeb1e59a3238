# shellcheck shell=bash disable=SC2034  # the scripts that source this one use the variables
# Sourced by all that runs tests: the tier, the time limit of a run, and output on the terminal. The limit is long, because a
# correct run on a busy machine may be slow. A run that hangs has reported by then which tiles its ranks wait for (--watchdog,
# after a minute).
#
#   OMPFACT_TEST_TIER     quick, as in make check, or full, which runs all tests (make check-full)   (default quick)
#   OMPFACT_TEST_TIMEOUT  seconds for each run          (default 1800)
limit=${OMPFACT_TEST_TIMEOUT:-1800}
no_end="hung: no end after $limit s (OMPFACT_TEST_TIMEOUT sets another limit)"

full() { [ "${OMPFACT_TEST_TIER:-quick}" = full ]; }
# is_its_turn [STEP]: whether the next of many similar cases belongs to the tier; the quick tier runs each third one, or each
# STEP-th.
turn=0
is_its_turn() { turn=$((turn + 1)); full || [ $((turn % ${1:-3})) = 1 ]; }

# Open MPI's blocking calls yield where ranks outnumber cores, as MPICH's always do. Its launcher prints nothing by itself,
# because tests check the output of ranks. It does not bind ranks: with one or two ranks it would bind each to a single core.
export OMPI_MCA_mpi_yield_when_idle=${OMPI_MCA_mpi_yield_when_idle:-1}
export OMPI_MCA_orte_execute_quiet=${OMPI_MCA_orte_execute_quiet:-1}
export OMPI_MCA_hwloc_base_binding_policy=${OMPI_MCA_hwloc_base_binding_policy:-none}

limited() { timeout -k 5 "$limit" "$@" < /dev/null; }
hung() { [ "$1" = 124 ] || [ "$1" = 137 ]; }

# Whether the launcher in the array mpiexec is MPICH's.
# shellcheck disable=SC2154
is_mpich() { timeout 2 "${mpiexec[0]}" --version 2> /dev/null < /dev/null | grep -q HYDRA; }
# The variable that divides the ranks of one machine into so many nodes: MPICH's, which then uses its network, or else the
# library's.
nodes_variable() { is_mpich && echo MPIR_CVAR_NUM_CLIQUES || echo OMPFACT_TEST_NODES; }

# make check opens descriptor 9 on the terminal. Without it all output goes to the terminal anyway.
{ : >&9; } 2>/dev/null || exec 9>/dev/null
say() { echo "$*"; echo "$*" >&9; }    # not tee /dev/fd/9, which would truncate a file
