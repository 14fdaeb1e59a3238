# shellcheck shell=bash disable=SC2034  # who sources it uses them
# To be sourced by what runs tests: the tier, how long a run may take, and what is said on the terminal. Long, for a run on a busy machine is
# slow and yet right; one that hangs has said by then which tiles its ranks wait for (--watchdog, after a minute).
#
#   OMPFACT_TEST_TIER     quick, what make check runs, or full, all there is (make check-full)   (default quick)
#   OMPFACT_TEST_TIMEOUT  seconds for each run          (default 1800)
limit=${OMPFACT_TEST_TIMEOUT:-1800}
no_end="hung: no end after $limit s (OMPFACT_TEST_TIMEOUT sets another limit)"

full() { [ "${OMPFACT_TEST_TIER:-quick}" = full ]; }
# Whether the next of many alike is for this tier: in the quick one every third is.
turn=0
is_its_turn() { turn=$((turn + 1)); full || [ $((turn % 3)) = 1 ]; }

# Open MPI's blocking calls yield where ranks outnumber cores, as those of MPICH do anyway; its launcher says nothing of its own,
# for tests look at what ranks say, and does not bind ranks, which of one or two would be to a core each.
export OMPI_MCA_mpi_yield_when_idle=${OMPI_MCA_mpi_yield_when_idle:-1}
export OMPI_MCA_orte_execute_quiet=${OMPI_MCA_orte_execute_quiet:-1}
export OMPI_MCA_hwloc_base_binding_policy=${OMPI_MCA_hwloc_base_binding_policy:-none}

limited() { timeout -k 5 "$limit" "$@" < /dev/null; }
hung() { [ "$1" = 124 ] || [ "$1" = 137 ]; }

# Whether the launcher in the array mpiexec is MPICH's.
# shellcheck disable=SC2154
is_mpich() { timeout 2 "${mpiexec[0]}" --version 2> /dev/null < /dev/null | grep -q HYDRA; }
# The variable that makes so many nodes of a machine's ranks: MPICH's, which then goes through its network, or else the library's.
nodes_variable() { is_mpich && echo MPIR_CVAR_NUM_CLIQUES || echo OMPFACT_TEST_NODES; }

# make check opens 9 on the terminal; by hand everything is on the terminal anyway.
{ : >&9; } 2>/dev/null || exec 9>/dev/null
say() { echo "$*"; echo "$*" >&9; }    # not tee /dev/fd/9, which would truncate a file
