! Plans of the module ompfact, without MPI: what they tell agrees with itself, and what cannot be planned is told. The argument is a
! platform of SimGrid's.
program test_plans
    use, intrinsic :: iso_c_binding
    use ompfact
    implicit none
    integer, parameter :: nb = 40, n = 13 * nb + 10
    integer :: failures = 0

    call test_owners()
    call test_loads()
    call test_precisions()
    call test_choice()
    call test_bounds()
    call test_machine()
    call test_failures()
    call test_simulation()
    if (failures > 0) error stop 1

contains

    subroutine check(what, so)
        character(*), intent(in) :: what
        logical, intent(in) :: so
        if (so) return
        failures = failures + 1
        print '(2a)', 'test_plans: not so: ', what
    end subroutine

    recursive integer function along_diagonals(i, j)
        integer, intent(in) :: i, j
        along_diagonals = mod(i + j, 7)
    end function

    ! Every stored tile has an owner, and the fullest rank has as many as the forecast says.
    subroutine test_owners()
        type(ompfact_plan) :: plan
        type(ompfact_forecast) :: f
        integer :: tiles(0:6), i, j, owner
        call ompfact_plan_create(ompfact_job(routine='potrf', ranks=7, shape=ompfact_shape(n=n, nb=nb, &
            structure=OMPFACT_HERMITIAN_LOWER, owner=along_diagonals)), plan)
        f = ompfact_plan_forecast(plan)
        tiles = 0
        do j = 1, f%nt
            do i = 1, f%mt
                owner = ompfact_plan_owner(plan, i, j)
                call check('each stored tile has its owner', owner == merge(mod(i + j, 7), -1, i >= j))
                if (owner >= 0) tiles(owner) = tiles(owner) + 1
            end do
        end do
        call check('the forecast has the numbers of tiles, ranks and nodes', &
            f%nb == nb .and. f%mt == 14 .and. f%nt == 14 .and. f%ranks == 7 .and. f%nodes == 7)
        call check('the forecast has the most and the fewest tiles of a rank', &
            maxval(tiles) == f%tiles_max .and. minval(tiles) == f%tiles_min)
        call check('bounds that are not requested are NaN', f%work_bound_s /= f%work_bound_s .and. f%predicted_s /= f%predicted_s)
        call ompfact_plan_destroy(plan)
        call ompfact_plan_destroy(plan)
    end subroutine

    ! Loads of ranks whose speeds are given, and none of others.
    subroutine test_loads()
        type(ompfact_plan) :: plan
        type(ompfact_loads) :: loads
        type(ompfact_job) :: job
        job = ompfact_job(routine='getrf', ranks=4, shape=ompfact_shape(m=600, n=600, nb=nb))
        call ompfact_plan_create(job, plan)
        loads = ompfact_plan_loads(plan)
        call check('ranks without speeds have no loads', .not. allocated(loads%time))
        call ompfact_plan_destroy(plan)
        job%shape%speeds = [1, 1, 2, 4]
        call ompfact_plan_create(job, plan)
        loads = ompfact_plan_loads(plan)
        call check('each rank has a load in each step', size(loads%time) == 4 .and. size(loads%point) == 15)
        call check('all ranks have work, and the last point is the last step', &
            all(loads%time > 0) .and. loads%point(15)%last_step == 15)
        call ompfact_plan_destroy(plan)
    end subroutine

    ! Tiles in single are those that are not near the diagonal, where numbers are small.
    subroutine test_precisions()
        type(ompfact_plan) :: plan
        type(ompfact_tile_precisions) :: found
        integer, allocatable :: map(:, :)
        integer :: i, j, status
        call ompfact_plan_create(ompfact_job(routine='potrf', ranks=3, shape=ompfact_shape(n=n, nb=nb, &
            structure=OMPFACT_HERMITIAN_LOWER, tile_precision=1e-9_c_double)), plan)
        call ompfact_plan_precision_map(plan, map)
        call check('a plan without elements has no map of precisions', .not. allocated(map))
        call ompfact_plan_precisions_z(plan, complex_entry, found, status)
        call check('a callback of another type is refused', status == OMPFACT_BAD_ARGUMENT)
        call ompfact_plan_precisions_d(plan, entry, found)
        call ompfact_plan_precision_map(plan, map)
        call check('tiles at least two below the diagonal count as single', &
            found%single_tiles == 78 .and. found%double_tiles == 27 .and. found%widened == 0)
        call check('the map has single at least two tiles below the diagonal', &
            all(shape(map) == 14) .and. all([((map(i, j) == merge(-2, merge(1, 0, i > j + 1), i < j), &
            i=1, 14), j=1, 14)]))
        call ompfact_plan_destroy(plan)
    end subroutine

    recursive subroutine entry(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        real(c_double), intent(out) :: value
        value = merge(2.0_c_double, merge(1e-9_c_double, 0.01_c_double, abs(i - j) > nb), i == j)
    end subroutine

    recursive subroutine complex_entry(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        complex(c_double_complex), intent(out) :: value
        value = merge(2, 1, i == j)
    end subroutine

    subroutine test_choice()
        type(ompfact_plan) :: plan
        type(ompfact_forecast) :: f
        type(ompfact_choice) :: choice
        type(ompfact_candidate) :: taken
        call ompfact_plan_create(ompfact_job(routine='potrf', ranks=23, &
            shape=ompfact_shape(n=n, nb=nb, structure=OMPFACT_HERMITIAN_LOWER)), plan)
        f = ompfact_plan_forecast(plan)
        call ompfact_plan_choice(plan, choice)
        taken = choice%candidate(choice%chosen)
        call check('the chosen candidate is the layout of the forecast', &
            ompfact_text(taken%name) == ompfact_text(f%layout) .and. taken%transfers == f%transfers)
        call check('the chosen candidate is balanced and fits', &
            taken%balanced .and. taken%fits .and. choice%counted_mt == 14 .and. choice%counted_nt == 14)
        call check('the chosen candidate has a name with arguments', index(ompfact_text(taken%name), ':') > 1)
        call ompfact_plan_destroy(plan)
    end subroutine

    ! Threads, nodes, right-hand sides, options and rates arrive.
    subroutine test_bounds()
        type(ompfact_plan) :: plan
        type(ompfact_forecast) :: one, many
        type(ompfact_job) :: job
        job = ompfact_job(routine='gesv', ranks=6, shape=ompfact_shape(m=n, n=n, nb=nb, type='z', layout='2dbc:2x3'), &
            options=ompfact_options(threads=3, pivot=OMPFACT_PIVOT_NONE), ranks_per_node=2, wire_rate=1d8, bounds=.true.)
        call ompfact_plan_create(job, plan)
        one = ompfact_plan_forecast(plan)
        call ompfact_plan_destroy(plan)
        job%nrhs = 500
        job%checked = .true.
        job%wire_rate = 2d8
        call ompfact_plan_create(job, plan)
        many = ompfact_plan_forecast(plan)
        call check('the forecast has nodes, threads and layout', &
            many%nodes == 3 .and. many%threads == 3 .and. ompfact_text(many%layout) == '2dbc:2x3')
        call check('twice the wire rate halves the bound of the wire', &
            abs(one%link_bound_s - 2 * many%link_bound_s) < 1d-12 .and. many%work_bound_s > 0)
        call check('more right-hand sides need more memory', many%memory_bytes_max > one%memory_bytes_max)
        call ompfact_plan_destroy(plan)
    end subroutine

    ! Nodes like those of a machine's file.
    subroutine test_machine()
        type(ompfact_plan) :: plan
        type(ompfact_forecast) :: f
        type(ompfact_job) :: job
        integer :: status
        character(200) :: message
        job = ompfact_job(routine='potrf', ranks=2, bounds=.true., machine='no/such/file', &
            shape=ompfact_shape(n=n, nb=nb, structure=OMPFACT_HERMITIAN_LOWER))
        call ompfact_plan_create(job, plan, status, message)
        call check('a missing file of a machine is named', &
            status == OMPFACT_BAD_ARGUMENT .and. index(message, 'no/such/file') > 0)
        call get_command_argument(2, job%machine)
        call ompfact_plan_create(job, plan)
        f = ompfact_plan_forecast(plan)
        call check('a rank has the cores of the machine in the file', f%threads == 5 .and. f%work_bound_s > 0)
        call ompfact_plan_destroy(plan)
    end subroutine

    subroutine test_failures()
        type(ompfact_plan) :: plan
        integer :: status
        character(200) :: message
        call ompfact_plan_create(ompfact_job(routine='potrg', ranks=1), plan, status, message)
        call check('an unknown routine is named', status == OMPFACT_BAD_ARGUMENT .and. index(message, 'potrg') > 0)
        call ompfact_plan_create(ompfact_job(routine='getrf', ranks=3, shape=ompfact_shape(n=n, layout='round')), plan, status)
        call check('an unknown layout makes no plan', status == OMPFACT_BAD_LAYOUT .and. .not. c_associated(plan%c))
    end subroutine

    subroutine test_simulation()
        type(ompfact_platform) :: platform
        type(ompfact_plan) :: plan
        type(ompfact_forecast) :: f
        integer :: status
        character(1000) :: path
        character(200) :: message
        call get_command_argument(1, path)
        call ompfact_platform_create(path, platform, status, message)
        if (status /= OMPFACT_SUCCESS) then
            call check('a build without SimGrid is reported', index(message, 'SimGrid (') > 0)
            return
        end if
        call check('the platform has four hosts', ompfact_platform_hosts(platform) == 4)
        call ompfact_plan_create(ompfact_job(routine='potrf', ranks=8, ranks_per_node=2, &
            shape=ompfact_shape(n=n, nb=nb, structure=OMPFACT_HERMITIAN_LOWER)), plan)
        call ompfact_plan_simulate(plan, platform)
        f = ompfact_plan_forecast(plan)
        call check('a simulation predicts a time', f%predicted_s > 0 .and. f%predicted_s < 10)
        call ompfact_plan_destroy(plan)
        call ompfact_plan_create(ompfact_job(routine='potrf', ranks=8, ranks_per_node=2, platform=platform, bounds=.true., &
            shape=ompfact_shape(n=n, nb=nb, structure=OMPFACT_HERMITIAN_LOWER)), plan)
        f = ompfact_plan_forecast(plan)
        call check('a plan has the cores and links of the platform', f%threads == 1 .and. f%link_bound_s > 0)
        call ompfact_plan_destroy(plan)
        call ompfact_plan_create(ompfact_job(routine='geqrf', ranks=4, shape=ompfact_shape(n=n, nb=nb)), plan)
        call ompfact_plan_simulate(plan, platform, status)
        call check('a simulation of QR is refused', status == OMPFACT_BAD_ARGUMENT)
        call ompfact_plan_destroy(plan)
        call ompfact_platform_destroy(platform)
    end subroutine
end program
