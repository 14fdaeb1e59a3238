! Plans on paper, for the module ompfact: the contents of ompfact_plan.h. All procedures are local, and need no MPI. Without the
! argument status the program ends if the status is not OMPFACT_SUCCESS. message: one line on failure.
module ompfact_plans
    use ompfact_c
    use ompfact_plan_c
    use ompfact_settings
    implicit none
    private
    public :: ompfact_job, ompfact_plan, ompfact_forecast, ompfact_loads, ompfact_step_load, ompfact_choice, ompfact_candidate
    public :: ompfact_platform, ompfact_plan_create, ompfact_plan_destroy, ompfact_plan_forecast, ompfact_plan_owner
    public :: ompfact_plan_precision_map, ompfact_plan_loads, ompfact_plan_choice, ompfact_plan_simulate
    public :: ompfact_platform_create, ompfact_platform_destroy, ompfact_platform_hosts, ompfact_text

    type :: ompfact_platform
        type(c_ptr) :: c = c_null_ptr       ! ompfact_platform *
    end type

    ! The fields are those of ompfact_job in ompfact_plan.h:
    ! ompfact_job(routine='potrf', ranks=23, shape=ompfact_shape(n=50000, structure=OMPFACT_HERMITIAN_LOWER)).
    type :: ompfact_job
        character(16) :: routine = ''
        type(ompfact_shape) :: shape
        integer(c_int64_t) :: nrhs = 0
        type(ompfact_options) :: options
        logical :: refined = .false., checked = .false.
        integer :: ranks = 0, cores_per_node = 0, ranks_per_node = 0
        integer(c_int64_t) :: memory = 0
        real(c_double) :: wire_rate = 0, wire_latency = 0
        logical :: bounds = .false., as_measured = .false.
        real(c_double) :: gemm_gflops = 0, core_gflops = 0
        integer :: partial = 0, factored = 0
        character(1024) :: machine = ''
        type(ompfact_platform) :: platform  ! must live as long as the plan
    end type

    ! Memory that C's structure of a job points to. It must live as long as the plan of the job.
    type :: held_job
        character(kind=c_char) :: routine(17), backend(17), machine(1025)
        type(held_shape) :: shape
    end type

    type :: ompfact_plan
        type(c_ptr) :: c = c_null_ptr       ! ompfact_plan *
        character :: type = 'd'             ! of its matrix
        type(held_job), pointer :: held => null()
    end type

    ! time and point are not allocated if the ranks are equal.
    type :: ompfact_loads
        real(c_double), allocatable :: time(:)              ! time of each rank for all steps
        type(ompfact_step_load), allocatable :: point(:)    ! all steps, divided into at most 200 points as evenly as possible
        logical :: bounded = .false.                        ! whether the layout bounds the critical path of a step
    end type

    type :: ompfact_choice
        type(ompfact_candidate), allocatable :: candidate(:)    ! those with the fewest transfers first
        integer :: chosen = 0                               ! candidate(chosen) is what "auto" takes
        integer :: counted_mt = 0, counted_nt = 0           ! counted tile rows and columns: all, or the leading ones
        integer :: fewer_ranks = 0                          ! a slightly smaller number of ranks that would send much less; 0: none
        type(ompfact_candidate) :: fewer                    ! the candidate that "auto" takes for fewer_ranks
        real(c_double) :: fewer_loss = 0                    ! share of the speed that fewer_ranks lose
    end type

contains

    ! The name of the layout of a forecast or a candidate.
    function ompfact_text(name) result(text)
        character(kind=c_char), intent(in), target :: name(c_name_length)
        character(:), allocatable :: text
        text = to_fortran(c_loc(name))
    end function

    subroutine ompfact_plan_create(job, plan, status, message)
        type(ompfact_job), intent(in) :: job
        type(ompfact_plan), intent(out) :: plan
        integer, intent(out), optional :: status
        character(*), intent(out), optional :: message
        type(held_job), pointer :: held
        type(c_job) :: c
        character(kind=c_char) :: text(c_message_length)
        integer(c_int) :: code
        allocate (held)
        c = c_job(nrhs=job%nrhs, refined=logical(job%refined, c_bool), checked=logical(job%checked, c_bool), ranks=job%ranks, &
            cores_per_node=job%cores_per_node, ranks_per_node=job%ranks_per_node, memory=job%memory, wire_rate=job%wire_rate, &
            wire_latency=job%wire_latency, bounds=logical(job%bounds, c_bool), &
            as_measured=logical(job%as_measured, c_bool), gemm_gflops=job%gemm_gflops, core_gflops=job%core_gflops, &
            partial=int(job%partial, c_int64_t), factored=int(job%factored, c_int64_t), &
            shape=to_c_shape(job%shape, held%shape), &
            options=to_c_options(job%options, held%backend))
        call to_c_text(job%routine, held%routine)
        c%routine = c_loc(held%routine)
        call to_c_text(job%machine, held%machine)
        if (job%machine /= '') c%machine = c_loc(held%machine)
        c%platform = job%platform%c
        plan%held => held
        plan%type = job%shape%type
        code = c_plan_create(c, plan%c, text)
        if (code /= OMPFACT_SUCCESS) call ompfact_plan_destroy(plan)
        call return_line('plan_create', code, text, status, message)
    end subroutine

    subroutine ompfact_plan_destroy(plan)
        type(ompfact_plan), intent(inout) :: plan
        call c_plan_destroy(plan%c)
        if (associated(plan%held)) deallocate (plan%held)
    end subroutine

    type(ompfact_forecast) function ompfact_plan_forecast(plan)
        type(ompfact_plan), intent(in) :: plan
        type(ompfact_forecast), pointer :: forecast
        call c_f_pointer(c_plan_forecast(plan%c), forecast)
        ompfact_plan_forecast = forecast
    end function

    ! The rank, from 0, that owns tile (i,j), counted from 1; -1 if the tile is not stored.
    integer function ompfact_plan_owner(plan, i, j)
        type(ompfact_plan), intent(in) :: plan
        integer, intent(in) :: i, j
        ompfact_plan_owner = c_plan_owner(plan%c, i - 1, j - 1)
    end function

    ! The prediction of ompfact_precision_map by ompfact_plan_precisions_d or _z; not allocated before these calls.
    subroutine ompfact_plan_precision_map(plan, precisions)
        type(ompfact_plan), intent(in) :: plan
        integer, allocatable, intent(out) :: precisions(:, :)
        type(ompfact_forecast) :: forecast
        type(c_ptr) :: there
        integer(c_int), pointer :: by_rows(:, :)
        there = c_plan_precision_map(plan%c)
        if (.not. c_associated(there)) return
        forecast = ompfact_plan_forecast(plan)
        call c_f_pointer(there, by_rows, [forecast%nt, forecast%mt])
        precisions = transpose(by_rows)
    end subroutine

    type(ompfact_loads) function ompfact_plan_loads(plan) result(loads)
        type(ompfact_plan), intent(in) :: plan
        type(c_ptr) :: there
        type(c_loads), pointer :: c
        real(c_double), pointer :: time(:)
        type(ompfact_step_load), pointer :: point(:)
        there = c_plan_loads(plan%c)
        if (.not. c_associated(there)) return
        call c_f_pointer(there, c)
        call c_f_pointer(c%time, time, [c%ranks])
        call c_f_pointer(c%point, point, [c%points])
        loads%time = time
        loads%point = point
        loads%point%last_step = loads%point%last_step + 1
        loads%bounded = c%bounded
    end function

    ! The candidates of layout "auto", for any layout of the job. Takes as long as the choice.
    subroutine ompfact_plan_choice(plan, choice, status, message)
        type(ompfact_plan), intent(in) :: plan
        type(ompfact_choice), intent(out) :: choice
        integer, intent(out), optional :: status
        character(*), intent(out), optional :: message
        character(kind=c_char) :: text(c_message_length)
        type(c_ptr) :: there
        type(c_choice), pointer :: c
        type(ompfact_candidate), pointer :: candidate(:)
        integer(c_int) :: code
        code = c_plan_choice(plan%c, there, text)
        if (code == OMPFACT_SUCCESS) then
            call c_f_pointer(there, c)
            call c_f_pointer(c%candidate, candidate, [c%count])
            choice%candidate = candidate
            choice%chosen = c%chosen + 1
            choice%counted_mt = c%counted_mt
            choice%counted_nt = c%counted_nt
            choice%fewer_ranks = c%fewer_ranks
            choice%fewer = c%fewer
            choice%fewer_loss = c%fewer_loss
        end if
        call return_line('plan_choice', code, text, status, message)
    end subroutine

    ! ---- simulation

    ! Reads a platform of SimGrid. A program may read one platform in its life.
    subroutine ompfact_platform_create(path, platform, status, message)
        character(*), intent(in) :: path
        type(ompfact_platform), intent(out) :: platform
        integer, intent(out), optional :: status
        character(*), intent(out), optional :: message
        character(kind=c_char) :: text(c_message_length)
        integer(c_int) :: code
        code = c_platform_create(trim(path) // c_null_char, platform%c, text)
        call return_line('platform_create', code, text, status, message)
    end subroutine

    subroutine ompfact_platform_destroy(platform)
        type(ompfact_platform), intent(inout) :: platform
        call c_platform_destroy(platform%c)
    end subroutine

    integer function ompfact_platform_hosts(platform)
        type(ompfact_platform), intent(in) :: platform
        ompfact_platform_hosts = c_platform_hosts(platform%c)
    end function

    ! Simulates the factorization on the platform, and sets predicted_s of the forecast.
    subroutine ompfact_plan_simulate(plan, platform, status, message)
        type(ompfact_plan), intent(in) :: plan
        type(ompfact_platform), intent(in) :: platform
        integer, intent(out), optional :: status
        character(*), intent(out), optional :: message
        character(kind=c_char) :: text(c_message_length)
        integer(c_int) :: code
        code = c_plan_simulate(plan%c, platform%c, text)
        call return_line('plan_simulate', code, text, status, message)
    end subroutine
end module
