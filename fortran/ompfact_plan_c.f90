! C's structures and functions of ompfact_plan.h, for ompfact_plans. Programs use the module ompfact.
module ompfact_plan_c
    use ompfact_c
    implicit none
    public

    integer, parameter :: c_name_length = 128

    type, bind(c) :: c_job
        type(c_ptr) :: routine = c_null_ptr
        type(c_shape) :: shape
        integer(c_int64_t) :: nrhs = 0
        type(c_options) :: options
        logical(c_bool) :: refined = .false., checked = .false.
        integer(c_int) :: ranks = 0, cores_per_node = 0, ranks_per_node = 0
        integer(c_int64_t) :: memory = 0
        real(c_double) :: wire_rate = 0, wire_latency = 0
        logical(c_bool) :: bounds = .false., as_measured = .false.
        real(c_double) :: gemm_gflops = 0
        type(c_ptr) :: machine = c_null_ptr
        real(c_double) :: core_gflops = 0
        type(c_ptr) :: platform = c_null_ptr
        integer(c_int64_t) :: partial = 0, factored = 0
        integer(c_int64_t) :: reserved(6) = 0
    end type

    ! The results of a job, with the fields of ompfact_plan.h. The module ompfact makes this type and the next two public.
    type, bind(c) :: ompfact_forecast
        character(kind=c_char) :: layout(c_name_length)
        integer(c_int) :: nb, mt, nt, ranks, nodes, threads, pattern_rows, pattern_cols
        real(c_double) :: cost, cost_bound
        integer(c_int64_t) :: transfers, transfer_bytes, wire_transfers, wire_bytes, tiles_max, tiles_min
        real(c_double) :: flops, flops_max_over_mean, abe_max_over_mean, perisum
        integer(c_int) :: max_ranks_per_row, max_ranks_per_col
        integer(c_int64_t) :: memory_bytes_max
        real(c_double) :: work_bound_s, link_bound_s, chain_bound_s, predicted_s, tasks_bound_s
        integer(c_int) :: copies
        integer(c_int64_t) :: transfers_sums
    end type

    ! Steps count from 1.
    type, bind(c) :: ompfact_step_load
        integer(c_int) :: last_step
        real(c_double) :: most, ideal, spread, bound
    end type

    type, bind(c) :: ompfact_candidate
        character(kind=c_char) :: name(c_name_length)
        integer(c_int) :: pattern_rows, pattern_cols
        real(c_double) :: cost, cost_bound
        integer(c_int64_t) :: transfers, wire_transfers
        real(c_double) :: abe_max_over_mean
        integer(c_int64_t) :: bytes_max
        logical(c_bool) :: by_node, fits, balanced
    end type

    type, bind(c) :: c_loads
        integer(c_int) :: ranks, points
        type(c_ptr) :: time, point
        logical(c_bool) :: bounded
    end type

    type, bind(c) :: c_choice
        integer(c_int) :: count
        type(c_ptr) :: candidate
        integer(c_int) :: chosen, counted_mt, counted_nt, fewer_ranks
        type(ompfact_candidate) :: fewer
        real(c_double) :: fewer_loss
    end type

    interface
        integer(c_int) function c_plan_create(job, plan, message) bind(c, name='ompfact_plan_create')
            import
            type(c_job), intent(in) :: job
            type(c_ptr), intent(out) :: plan
            character(kind=c_char), intent(out) :: message(*)
        end function
        subroutine c_plan_destroy(plan) bind(c, name='ompfact_plan_destroy')
            import
            type(c_ptr), intent(inout) :: plan
        end subroutine
        type(c_ptr) function c_plan_forecast(plan) bind(c, name='ompfact_plan_forecast')
            import
            type(c_ptr), value :: plan
        end function
        integer(c_int) function c_plan_precisions(plan, entry, context, precisions, message) bind(c, name='ompfact_plan_precisions')
            import
            type(c_ptr), value :: plan, context
            type(c_funptr), value :: entry
            type(ompfact_tile_precisions), intent(out) :: precisions
            character(kind=c_char), intent(out) :: message(*)
        end function
        type(c_ptr) function c_plan_precision_map(plan) bind(c, name='ompfact_plan_precision_map')
            import
            type(c_ptr), value :: plan
        end function
        integer(c_int) function c_plan_owner(plan, i, j) bind(c, name='ompfact_plan_owner')
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: i, j
        end function
        type(c_ptr) function c_plan_loads(plan) bind(c, name='ompfact_plan_loads')
            import
            type(c_ptr), value :: plan
        end function
        integer(c_int) function c_plan_choice(plan, choice, message) bind(c, name='ompfact_plan_choice')
            import
            type(c_ptr), value :: plan
            type(c_ptr), intent(out) :: choice
            character(kind=c_char), intent(out) :: message(*)
        end function
        integer(c_int) function c_platform_create(path, platform, message) bind(c, name='ompfact_platform_create')
            import
            character(kind=c_char), intent(in) :: path(*)
            type(c_ptr), intent(out) :: platform
            character(kind=c_char), intent(out) :: message(*)
        end function
        subroutine c_platform_destroy(platform) bind(c, name='ompfact_platform_destroy')
            import
            type(c_ptr), intent(inout) :: platform
        end subroutine
        integer(c_int) function c_platform_hosts(platform) bind(c, name='ompfact_platform_hosts')
            import
            type(c_ptr), value :: platform
        end function
        integer(c_int) function c_plan_simulate(plan, platform, message) bind(c, name='ompfact_plan_simulate')
            import
            type(c_ptr), value :: plan, platform
            character(kind=c_char), intent(out) :: message(*)
        end function
    end interface
end module
