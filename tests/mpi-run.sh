#!/usr/bin/env bash
# usage: mpi-run.sh PROGRAM [ARGUMENT...]
# Runs one test program on the numbers of ranks in the table, one after the other. The quick tier runs it on one number, and
# skips long tests of a single room. Tests start MPI nowhere else.
#
#   MPIEXEC               launcher, options included     (make check passes configure's)
#   OMPFACT_TEST_RANKS    rank counts instead of the table's, such as "2 13"; "none" starts without a launcher
#   OMPFACT_TEST_TIMEOUT  seconds for each run           (limit.sh); after a run that hangs the script starts no other
set -u
# shellcheck source=tests/limit.sh
. "$(dirname "$0")/limit.sh"
program=$1
name=${program##*/}
case $name in python*) name=${2##*/} ;; esac

case $name in
    test_cache | test_cgroup) ranks=none ;;
    test_catalogue | test_choose | test_choose_unequal | test_colrow_order | test_counts | test_designs) ranks=none ;;
    test_layouts | test_patterns | test_rank_maps | test_symmetric | test_unequal | test_unequal_partition | test_uneven) ranks=none ;;
    test_bf16 | test_device_kernels | test_device_tiles | test_emulated | test_kernels | test_offload | test_packed | test_packed_solves | test_panels | test_panels_stacked | test_pivots | test_rounding) ranks=none ;;
    test_flips_found | test_low_rank | test_low_rank_products | test_ready | test_signed | test_surroundings | test_tile_contents | test_tile_factors | test_workspace) ranks=none ;;
    test_commas | test_generate | test_kernel | test_mtx | test_npy | test_points | test_random_numbers | test_readers | test_replace) ranks=none ;;
    test_manifest | test_plan.py | test_plans) ranks=none ;;
    test_checkpoints | test_saved) ranks="1 2 4" ;;
    test_restarts | test_stopped) ranks="1 4" ;;
    test_cause | test_copies_planned | test_forecast | test_plan_calls | test_model | test_model_transfers | test_page | test_traces_read | test_qr_count) ranks=none ;;
    test_compare | test_machine | test_tile_size | test_options | test_plot | test_plot_text | test_progress | test_refused_options | test_reports | test_restart_options | test_speeds | test_tables) ranks=none ;;
    test_gmres) ranks="1 2 3 5 7" ;;
    test_watch) ranks=3 ;;
    test_forwarded) ranks="2 4 6" ;;
    test_rma | test_kept | test_sized | test_solve | test_solve_ratios | test_sysv | test_adopt) ranks="1 2 3 5" ;;
    test_submission | test_residence | test_device_slots | test_reserve) ranks=1 ;;
    test_append | test_factor | test_holds | test_partial | test_schedules | test_update) ranks="1 2 3 5 7" ;;
    test_copies | test_indefinite | test_spread_factors) ranks="1 2 3 5 7 11" ;;
    test_compressed_factors | test_traps) ranks="1 3" ;;
    test_mixed_bf16 | test_mixed_devices | test_mixed_flips | test_mixed_ranks | test_mixed_tiles | test_mixed_uses) ranks="1 2 5 11" ;;
    test_flips | test_qr | test_qr_ratios | test_devices) ranks="1 2 3" ;;
    test_qr_restored) ranks="1 3" ;;
    test_inverse | test_trsm) ranks="1 2 3 5" ;;
    test_pivoting) ranks="1 2 4 5" ;;
    test_refine | test_rcond | test_determinant) ranks="1 3" ;;
    test_sweep_memory | test_memory | test_order) ranks="1 3" ;;
    test_allocations) ranks="1 3 4" ;;
    test_butterfly | test_redistribute | test_block_cyclic) ranks="1 2 3 4 7" ;;
    test_scalapack) ranks="1 4" ;;
    test_names) ranks="1 2 3" ;;
    scalapack) ranks="1 5" ;;    # the example
    test_fortran | linear_system_fortran) ranks="1 2 3 5" ;;
    test_communicators.py | test_contents.py | test_lifetime.py | test_linalg.py | domains.py | linear_system.py | points_in_batches.py) ranks="1 2 3 5" ;;
    test_api_layouts | test_api_unequal) ranks="1 3 5" ;;
    test_api | test_api_tiles | test_compressed | test_compressed_refusals | test_grid | test_machine_calls | test_quick_rates | test_tile_access | test_tune) ranks="1 2 3" ;;
    test_shared) ranks="1 2" ;;
    *) ranks="1 2 5" ;;
esac
if ! full && [ -z "${OMPFACT_TEST_RANKS-}" ]; then
    case $name in
        test_allocations | test_catalogue | test_choose | test_compressed_factors | test_designs | test_device_kernels | test_device_tiles | \
            test_names | test_packed | test_packed_solves | test_qr_restored | test_sweep_memory | test_watch)
            say "$name: in the full tier (make check-full)"
            exit 77 ;;
    esac
    read -ra counts <<< "$ranks"
    ranks=${counts[${#counts[@]} / 2]}
    case $name in
        test_gmres | test_inverse | test_trsm | test_mixed_bf16 | test_mixed_devices | test_mixed_flips | test_mixed_ranks | test_mixed_tiles | test_mixed_uses | test_pivoting) ranks=2 ;;   # many small runs: MPI's waits spin where ranks outnumber cores
        test_agreement.py | test_eliminated.py | test_given.py | test_grown.py | test_ldl.py | test_mixed.py | test_products.py | test_scipy.py | test_threads.py) ranks=2 ;;
        test_indefinite | test_qr_ratios) ranks=3 ;;            # two levels in QR's tree
    esac
fi
ranks=${OMPFACT_TEST_RANKS:-$ranks}
mpiexec=${MPIEXEC:-$(command -v mpiexec.mpich || command -v mpiexec)}

export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
export OMPFACT_CHECKS=${OMPFACT_CHECKS:-1}              # tasks check their own order
export CK_DEFAULT_TIMEOUT=$((limit - limit / 10))       # for one test without a launcher; less than the run's limit, so that Check names the test

output=$(mktemp) || exit 99
XDG_CACHE_HOME=$(mktemp -d) || exit 99                  # each test measures for itself
export XDG_CACHE_HOME
trap 'rm -rf "$output" "$XDG_CACHE_HOME"' EXIT

failed=
for p in $ranks; do
    if [ "$p" = none ]; then
        where=$name
        start=()
    else
        where="$name, $p ranks"
        [ "$p" != 1 ] || where="$name, 1 rank"
        read -ra start <<< "$mpiexec -n $p"
        export CK_FORK=no    # a forked child must not call MPI
    fi
    echo "== $where"
    # To a file, not a pipe: a rank left over after a timeout would keep a pipe open.
    limited "${start[@]}" "$@" > "$output" 2>&1
    status=$?
    cat "$output"
    grep -oE '[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$output" | sort -u | sed "s/\$/  ($where)/" >&9
    [ $status != 0 ] || continue
    [ $status != 77 ] || exit 77    # automake's "skipped"
    why="failed with status $status"
    ! hung $status || why=$no_end
    grep -E ':[FE]:|^ompfact: rank ' "$output" | sort -u >&9
    say "mpi-run: $where: $why"
    failed="$failed $p"
    ! hung $status || break
done
[ -z "$failed" ] || { echo "mpi-run: $name failed on ranks:$failed"; exit 1; }
