! Grids, matrices and their tiles, for the module ompfact, which makes all public names of this module public.
module ompfact_objects
    use ompfact_c
    use ompfact_settings
    implicit none
    private
    public :: ompfact_grid, ompfact_matrix, ompfact_tile
    public :: ompfact_grid_create, ompfact_grid_destroy, ompfact_barrier, ompfact_message
    public :: ompfact_rank, ompfact_ranks, ompfact_threads, ompfact_devices
    public :: ompfact_matrix_create, ompfact_matrix_create_like, ompfact_matrix_create_rhs, ompfact_matrix_destroy
    public :: ompfact_rows, ompfact_cols, ompfact_tile_rows, ompfact_tile_cols, ompfact_tile_height, ompfact_tile_width
    public :: ompfact_type, ompfact_layout, ompfact_owner, ompfact_holds
    public :: ompfact_next_tile, ompfact_tile_get, ompfact_tile_restore, ompfact_bring_home
    public :: ompfact_count_precisions, ompfact_precision_map
    public :: to_tile, factor_by, eliminate_by, solve_by, refine_by     ! for other modules of ompfact

    type :: ompfact_grid
        type(c_ptr) :: c = c_null_ptr       ! ompfact_grid *
    end type

    type :: ompfact_matrix
        type(c_ptr) :: c = c_null_ptr       ! ompfact_matrix *
        type(c_ptr) :: grid = c_null_ptr    ! ompfact_grid * of its grid
    end type

    ! One tile. Of the pointers s, d, c and z the one of the matrix's type points to the elements, 1:mb, 1:nb. Element (r,c) of the
    ! tile is element (row+r-1, col+c-1) of the matrix. All indices count from 1.
    type :: ompfact_tile
        integer :: i = 0, j = 0
        integer(c_int64_t) :: row = 0, col = 0
        integer :: mb = 0, nb = 0, ld = 0
        real(c_float), pointer :: s(:, :) => null()
        real(c_double), pointer :: d(:, :) => null()
        complex(c_float_complex), pointer :: c(:, :) => null()
        complex(c_double_complex), pointer :: z(:, :) => null()
    end type

    ! The forms of routines in C that factor_by() and others call.
    abstract interface
        integer(c_int) function factorization(a, info) bind(c)
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function elimination(a, rows, info) bind(c)
            import
            type(c_ptr), value :: a
            integer(c_int64_t), value :: rows
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function solution(a, b, info) bind(c)
            import
            type(c_ptr), value :: a, b
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function refined_solution(a, b, info, iterations) bind(c)
            import
            type(c_ptr), value :: a, b
            integer(c_int64_t), intent(out) :: info
            integer(c_int), intent(out) :: iterations
        end function
    end interface

contains

    ! ---- grids

    ! Creates a grid over all ranks of the MPI communicator comm. message: one line on failure.
    subroutine ompfact_grid_create(comm, grid, options, status, message)
        integer, intent(in) :: comm
        type(ompfact_grid), intent(out) :: grid
        type(ompfact_options), intent(in), optional :: options
        integer, intent(out), optional :: status
        character(*), intent(out), optional :: message
        type(ompfact_options) :: o
        character(kind=c_char), target :: backend(17), text(c_message_length)
        integer(c_int) :: code
        if (present(options)) o = options
        code = c_grid_create(comm, to_c_options(o, backend), grid%c, text)
        call return_line('grid_create', code, text, status, message)
    end subroutine

    subroutine ompfact_grid_destroy(grid)
        type(ompfact_grid), intent(inout) :: grid
        call c_grid_destroy(grid%c)
    end subroutine

    subroutine ompfact_barrier(grid, status)
        type(ompfact_grid), intent(in) :: grid
        integer, intent(out), optional :: status
        call return_status('barrier', c_barrier(grid%c), grid%c, status)
    end subroutine

    function ompfact_message(grid) result(line)
        type(ompfact_grid), intent(in) :: grid
        character(:), allocatable :: line
        line = to_fortran(c_message(grid%c))
    end function

    integer function ompfact_rank(grid)
        type(ompfact_grid), intent(in) :: grid
        ompfact_rank = c_rank(grid%c)
    end function

    integer function ompfact_ranks(grid)
        type(ompfact_grid), intent(in) :: grid
        ompfact_ranks = c_ranks(grid%c)
    end function

    integer function ompfact_threads(grid)
        type(ompfact_grid), intent(in) :: grid
        ompfact_threads = c_threads(grid%c)
    end function

    integer function ompfact_devices(grid)
        type(ompfact_grid), intent(in) :: grid
        ompfact_devices = c_grid_devices(grid%c)
    end function

    ! ---- matrices

    subroutine ompfact_matrix_create(grid, shape, A, status)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_shape), intent(in) :: shape
        type(ompfact_matrix), intent(out) :: A
        integer, intent(out), optional :: status
        type(held_shape), target :: held
        A%grid = grid%c
        call return_status('matrix_create', c_matrix_create(grid%c, to_c_shape(shape, held), A%c), grid%c, status)
    end subroutine

    subroutine ompfact_matrix_create_like(A, B, status)
        type(ompfact_matrix), intent(in) :: A
        type(ompfact_matrix), intent(out) :: B
        integer, intent(out), optional :: status
        B%grid = A%grid
        call return_status('matrix_create_like', c_matrix_create_like(A%c, B%c), A%grid, status)
    end subroutine

    subroutine ompfact_matrix_create_rhs(A, nrhs, B, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: nrhs
        type(ompfact_matrix), intent(out) :: B
        integer, intent(out), optional :: status
        B%grid = A%grid
        call return_status('matrix_create_rhs', c_matrix_create_rhs(A%c, int(nrhs, c_int64_t), B%c), A%grid, status)
    end subroutine

    subroutine ompfact_matrix_destroy(A)
        type(ompfact_matrix), intent(inout) :: A
        call c_matrix_destroy(A%c)
    end subroutine

    integer(c_int64_t) function ompfact_rows(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_rows = c_rows(A%c)
    end function

    integer(c_int64_t) function ompfact_cols(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_cols = c_cols(A%c)
    end function

    integer function ompfact_tile_rows(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_tile_rows = c_tile_rows(A%c)
    end function

    integer function ompfact_tile_cols(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_tile_cols = c_tile_cols(A%c)
    end function

    integer function ompfact_tile_height(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_tile_height = c_tile_height(A%c)
    end function

    integer function ompfact_tile_width(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_tile_width = c_tile_width(A%c)
    end function

    character function ompfact_type(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_type = c_type(A%c)
    end function

    ! One of the constants OMPFACT_HOLDS_...
    integer function ompfact_holds(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_holds = c_holds(A%c)
    end function

    function ompfact_layout(A) result(name)
        type(ompfact_matrix), intent(in) :: A
        character(:), allocatable :: name
        name = to_fortran(c_layout(A%c))
    end function

    ! The rank, from 0, that owns tile (i,j), counted from 1; -1 if the tile is not stored.
    integer function ompfact_owner(A, i, j)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: i, j
        ompfact_owner = c_owner(A%c, i - 1, j - 1)
    end function

    ! ---- tiles

    ! Finds this rank's next tile: start with i = j = 0, and continue while the function returns true.
    logical function ompfact_next_tile(A, i, j)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(inout) :: i, j
        i = i - 1
        j = j - 1
        ompfact_next_tile = c_next_tile(A%c, i, j)
        i = i + 1
        j = j + 1
    end function

    subroutine ompfact_tile_get(A, i, j, tile, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: i, j
        type(ompfact_tile), intent(out) :: tile
        integer, intent(out), optional :: status
        type(c_tile) :: t
        integer(c_int) :: code
        code = c_tile_get(A%c, i - 1, j - 1, t)
        if (code == OMPFACT_SUCCESS) tile = to_tile(c_type(A%c), t)
        call return_status('tile_get', code, A%grid, status)
    end subroutine

    subroutine ompfact_tile_restore(A, tile)
        type(ompfact_matrix), intent(in) :: A
        type(ompfact_tile), intent(inout) :: tile
        type(c_tile) :: t
        t = c_tile(tile%i - 1, tile%j - 1, tile%row - 1, tile%col - 1, tile%mb, tile%nb, tile%ld, c_null_ptr)
        if (associated(tile%s)) t%data = c_loc(tile%s)
        if (associated(tile%d)) t%data = c_loc(tile%d)
        if (associated(tile%c)) t%data = c_loc(tile%c)
        if (associated(tile%z)) t%data = c_loc(tile%z)
        call c_tile_restore(A%c, t)
        tile = ompfact_tile()
    end subroutine

    subroutine ompfact_bring_home(A, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: status
        call return_status('bring_home', c_bring_home(A%c), A%grid, status)
    end subroutine

    subroutine ompfact_count_precisions(A, precisions, status)
        type(ompfact_matrix), intent(in) :: A
        type(ompfact_tile_precisions), intent(out) :: precisions
        integer, intent(out), optional :: status
        call return_status('count_precisions', c_count_precisions(A%c, precisions), A%grid, status)
    end subroutine

    ! precisions(i,j) of tile (i,j): 1 in single precision, 0 in the matrix's, -2 for a tile that is not stored.
    subroutine ompfact_precision_map(A, precisions, status)
        type(ompfact_matrix), intent(in) :: A
        integer, allocatable, intent(out) :: precisions(:, :)
        integer, intent(out), optional :: status
        integer(c_int), allocatable :: by_rows(:, :)
        allocate (by_rows(ompfact_tile_cols(A), ompfact_tile_rows(A)), source=0_c_int)
        call return_status('precision_map', c_precision_map(A%c, by_rows), A%grid, status)
        precisions = transpose(by_rows)
    end subroutine

    recursive function to_tile(type, t) result(tile)
        character, intent(in) :: type
        type(c_tile), intent(in) :: t
        type(ompfact_tile) :: tile
        real(c_float), pointer :: s(:, :)
        real(c_double), pointer :: d(:, :)
        complex(c_float_complex), pointer :: c(:, :)
        complex(c_double_complex), pointer :: z(:, :)
        tile%i = t%i + 1
        tile%j = t%j + 1
        tile%row = t%row + 1
        tile%col = t%col + 1
        tile%mb = t%mb
        tile%nb = t%nb
        tile%ld = t%ld
        select case (type)      ! columns are ld elements apart: the array has ld rows, the pointer takes the first mb
        case ('s')
            call c_f_pointer(t%data, s, [t%ld, t%nb])
            tile%s => s(1:t%mb, :)
        case ('d')
            call c_f_pointer(t%data, d, [t%ld, t%nb])
            tile%d => d(1:t%mb, :)
        case ('c')
            call c_f_pointer(t%data, c, [t%ld, t%nb])
            tile%c => c(1:t%mb, :)
        case ('z')
            call c_f_pointer(t%data, z, [t%ld, t%nb])
            tile%z => z(1:t%mb, :)
        end select
    end function

    ! ---- calls of one form

    subroutine factor_by(routine, name, A, info, status)
        procedure(factorization) :: routine
        character(*), intent(in) :: name
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: info, status
        integer(c_int64_t) :: k
        integer(c_int) :: code
        k = 0
        code = routine(A%c, k)
        call return_result(name, code, k, A%grid, info, status)
    end subroutine

    subroutine eliminate_by(routine, name, A, rows, info, status)
        procedure(elimination) :: routine
        character(*), intent(in) :: name
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: rows
        integer, intent(out), optional :: info, status
        integer(c_int64_t) :: k
        integer(c_int) :: code
        k = 0
        code = routine(A%c, int(rows, c_int64_t), k)
        call return_result(name, code, k, A%grid, info, status)
    end subroutine

    subroutine solve_by(routine, name, A, B, info, status)
        procedure(solution) :: routine
        character(*), intent(in) :: name
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: info, status
        integer(c_int64_t) :: k
        integer(c_int) :: code
        k = 0
        code = routine(A%c, B%c, k)
        call return_result(name, code, k, A%grid, info, status)
    end subroutine

    subroutine refine_by(routine, name, A, B, info, iterations, status)
        procedure(refined_solution) :: routine
        character(*), intent(in) :: name
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: info, iterations, status
        integer(c_int64_t) :: k
        integer(c_int) :: code, steps
        k = 0
        steps = 0
        code = routine(A%c, B%c, k, steps)
        if (present(iterations)) iterations = steps
        call return_result(name, code, k, A%grid, info, status)
    end subroutine
end module
