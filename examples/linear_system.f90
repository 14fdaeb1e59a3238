! Solves a system A x = b, and checks the solution, on any number of ranks:
!
!     gfortran -o linear_system linear_system.f90 $(pkg-config --cflags --libs ompfact_fortran)
!     mpiexec -n 5 ./linear_system
module equations
    use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
    implicit none
    integer, parameter :: n = 1000

contains

    ! Diagonally dominant. Several threads of each rank call this at once.
    pure recursive subroutine matrix_entry(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        real(c_double), intent(out) :: value
        value = merge(real(n, c_double), sin(real(i + 2 * j, c_double)), i == j)
    end subroutine

    ! b = A (1, ..., 1)^T: the solution is known.
    pure recursive subroutine rhs_entry(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        real(c_double), intent(out) :: value
        real(c_double) :: a
        integer(c_int64_t) :: k
        value = 0 * j           ! 1, the only column
        do k = 1, n
            call matrix_entry(i, k, a)
            value = value + a
        end do
    end subroutine
end module

program linear_system
    use equations
    use ompfact
    implicit none
    include 'mpif.h'
    type(ompfact_grid) :: grid
    type(ompfact_matrix) :: A, A0, X, B
    type(ompfact_tile) :: tile
    real(c_double) :: residual, error, largest
    integer :: i, j, level, ierror
    logical :: right

    call MPI_Init_thread(MPI_THREAD_SERIALIZED, level, ierror)
    call ompfact_grid_create(MPI_COMM_WORLD, grid)

    ! The factors overwrite A and the solution X; A0 and B keep the system, for the residual.
    call ompfact_matrix_create(grid, ompfact_shape(n=n, nb=128), A)
    call ompfact_matrix_create_like(A, A0)
    call ompfact_matrix_create_rhs(A, 1, X)
    call ompfact_matrix_create_rhs(A, 1, B)
    call ompfact_fill_entries_d(A, matrix_entry)
    call ompfact_fill_entries_d(A0, matrix_entry)
    call ompfact_fill_entries_d(X, rhs_entry)
    call ompfact_fill_entries_d(B, rhs_entry)
    call ompfact_gesv(A, X)     ! without info and status: an error ends the program with a message
    call ompfact_residual_solve(A0, X, B, residual)

    ! Each rank reads its own tiles of the solution.
    error = 0
    i = 0
    j = 0
    do while (ompfact_next_tile(X, i, j))
        call ompfact_tile_get(X, i, j, tile)
        error = max(error, maxval(abs(tile%d - 1)))
        call ompfact_tile_restore(X, tile)
    end do
    call MPI_Allreduce(error, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierror)
    right = residual < 30 .and. largest < 1d-10
    if (ompfact_rank(grid) == 0) then
        print '(i0, a, es8.1, a, es8.1, a)', ompfact_ranks(grid), ' ranks: residual', residual, ', largest error', largest, &
            merge(': right', ': WRONG', right)
    end if

    call ompfact_matrix_destroy(A)
    call ompfact_matrix_destroy(A0)
    call ompfact_matrix_destroy(X)
    call ompfact_matrix_destroy(B)
    call ompfact_grid_destroy(grid)
    call MPI_Finalize(ierror)
    if (.not. right) error stop
end program
