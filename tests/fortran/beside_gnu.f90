! A program that has GNU's OpenMP runtime for its own threads: it solves a system, and counts its threads before and afterwards.
program beside_gnu
    use omp_lib
    use ompfact
    implicit none
    include 'mpif.h'
    integer, parameter :: n = 200, most = 3
    type(ompfact_grid) :: grid
    type(ompfact_matrix) :: A, B
    type(ompfact_tile) :: tile
    integer :: code, level, i, j, before
    double precision :: error

    before = threads()
    call mpi_init_thread(MPI_THREAD_FUNNELED, level, code)
    call ompfact_grid_create(MPI_COMM_WORLD, grid, ompfact_options(threads=2))
    call ompfact_matrix_create(grid, ompfact_shape(m=n, n=n, nb=32), A)
    call ompfact_matrix_create_rhs(A, 1, B)
    call ompfact_fill_entries_d(A, entry)
    call ompfact_fill_entries_d(B, right_hand_side)
    call ompfact_gesv(A, B)
    error = 0
    i = 0; j = 0
    do while (ompfact_next_tile(B, i, j))
        call ompfact_tile_get(B, i, j, tile)
        error = max(error, maxval(abs(tile%d(:, 1) - 1)))
        call ompfact_tile_restore(B, tile)
    end do
    call ompfact_matrix_destroy(B)
    call ompfact_matrix_destroy(A)
    call ompfact_grid_destroy(grid)
    call mpi_finalize(code)
    if (.not. error < 1d-9 .or. before /= most .or. threads() /= most) error stop 1

contains

    integer function threads()
        integer :: total
        total = 0
        !$omp parallel num_threads(most) reduction(+ : total)
        total = total + 1 + omp_get_thread_num()
        !$omp end parallel
        threads = merge(most, -1, total == most * (most + 1) / 2)
    end function

    recursive subroutine entry(i, j, value)
        integer(8), intent(in) :: i, j
        double precision, intent(out) :: value
        value = merge(dble(n), 1 / dble(i + j - 1), i == j)
    end subroutine

    ! Of the solution that is all ones.
    recursive subroutine right_hand_side(i, j, value)
        integer(8), intent(in) :: i, j
        double precision, intent(out) :: value
        double precision :: a
        integer(8) :: k
        value = 0 * j
        do k = 1, n
            call entry(i, k, a)
            value = value + a
        end do
    end subroutine
end program
