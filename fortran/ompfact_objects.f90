! Grids, matrices and their tiles, for the module ompfact, which makes all that is public here public.
module ompfact_objects
    use ompfact_c
    implicit none
    private
    public :: ompfact_grid, ompfact_matrix, ompfact_options, ompfact_shape, ompfact_tile, ompfact_owner_function
    public :: ompfact_grid_create, ompfact_grid_destroy, ompfact_barrier, ompfact_message
    public :: ompfact_rank, ompfact_ranks, ompfact_threads, ompfact_devices
    public :: ompfact_matrix_create, ompfact_matrix_create_like, ompfact_matrix_create_rhs, ompfact_matrix_destroy
    public :: ompfact_rows, ompfact_cols, ompfact_tile_rows, ompfact_tile_cols, ompfact_tile_height, ompfact_tile_width
    public :: ompfact_type, ompfact_layout, ompfact_owner
    public :: ompfact_next_tile, ompfact_tile_get, ompfact_tile_restore
    public :: to_fortran, to_tile, tell, tell_info      ! for the modules beside this one

    integer, parameter, public :: OMPFACT_SUCCESS = 0, OMPFACT_BAD_ARGUMENT = 1, OMPFACT_BAD_LAYOUT = 2, &
        OMPFACT_NO_MEMORY = 3, OMPFACT_NOT_OWNER = 4, OMPFACT_BAD_MPI = 5, OMPFACT_MPI_FAILED = -1, &
        OMPFACT_OUT_OF_MEMORY = -2, OMPFACT_DEVICE_FAILED = -3, OMPFACT_INTERNAL_FAULT = -4, &
        OMPFACT_FAULT_FOUND = -5, OMPFACT_CHECKPOINT_LOST = -6
    integer, parameter, public :: OMPFACT_DYNAMIC = 0, OMPFACT_STATIC = 1, OMPFACT_BASIC = 2
    integer, parameter, public :: OMPFACT_BCAST_AUTO = 0, OMPFACT_BCAST_FLAT = 1, OMPFACT_BCAST_CHAIN = 2, &
        OMPFACT_BCAST_BINOMIAL = 3
    integer, parameter, public :: OMPFACT_ONE_SIDED = 0, OMPFACT_MESSAGES = 1
    integer, parameter, public :: OMPFACT_PIVOT_AUTO = 0, OMPFACT_PIVOT_PARTIAL = 1, OMPFACT_PIVOT_TOURNAMENT = 2, &
        OMPFACT_PIVOT_NONE = 3
    integer, parameter, public :: OMPFACT_TREE_AUTO = 0, OMPFACT_TREE_FLAT = 1, OMPFACT_TREE_BINARY = 2, &
        OMPFACT_TREE_GREEDY = 3
    integer, parameter, public :: OMPFACT_REFINE_CLASSIC = 0, OMPFACT_REFINE_GMRES = 1
    integer, parameter, public :: OMPFACT_EMULATE_NONE = 0, OMPFACT_EMULATE_FP64 = 1, OMPFACT_EMULATE_BF16X9 = 2, &
        OMPFACT_EMULATE_TF32 = 3, OMPFACT_EMULATE_BF16 = 4
    integer, parameter, public :: OMPFACT_GENERAL = 0, OMPFACT_HERMITIAN_LOWER = 1, OMPFACT_HERMITIAN_UPPER = 2
    integer, parameter, public :: OMPFACT_FOR_LU = 0, OMPFACT_FOR_QR = 1, OMPFACT_FOR_LEAST_SQUARES = 2

    type :: ompfact_grid
        type(c_ptr) :: c = c_null_ptr       ! ompfact_grid *
    end type

    type :: ompfact_matrix
        type(c_ptr) :: c = c_null_ptr       ! ompfact_matrix *
        type(c_ptr) :: grid = c_null_ptr    ! its grid's
    end type

    ! As ompfact_options in ompfact.h: ompfact_options(threads=2, trace=.true.) names what is not the default.
    type :: ompfact_options
        integer :: threads = 0, devices = 0
        character(16) :: device_backend = ''
        real(c_double) :: host_share = 0
        integer(c_int64_t) :: device_memory = 0
        integer :: emulate = 0, max_tasks = 0, cache_tiles = 0, watchdog_s = 0
        integer :: schedule = 0, bcast = 0, between_nodes = 0, pivot = 0, tree = 0, ib = 0
        logical :: copy_on_node = .false., pin_threads = .false., trace = .false., typical_rates = .false.
        logical :: abft = .false.
        integer :: refinement = 0
    end type

    abstract interface
        ! The rank, from 0, of tile (i,j), counted from 1.
        integer function ompfact_owner_function(i, j)
            integer, intent(in) :: i, j
        end function
    end interface

    ! As ompfact_shape in ompfact.h: ompfact_shape(n=1000, structure=OMPFACT_HERMITIAN_LOWER). A matrix with m=0 is square.
    type :: ompfact_shape
        integer(c_int64_t) :: m = 0, n = 0
        character :: type = 'd'
        integer :: structure = OMPFACT_GENERAL
        logical :: full_storage = .false.
        integer :: nb = 0
        integer, allocatable :: row_heights(:), col_widths(:)
        character(256) :: layout = ''
        real(c_double), allocatable :: speeds(:)
        integer :: purpose = OMPFACT_FOR_LU
        procedure(ompfact_owner_function), pointer, nopass :: owner => null()
        real(c_double) :: accuracy = 0
        integer :: band = 0, max_rank = 0
    end type

    ! One tile: of s, d, c, z the one of the matrix's type points to its elements, 1:mb, 1:nb; (r,c) of them is
    ! (row+r-1, col+c-1) of the matrix. All count from 1.
    type :: ompfact_tile
        integer :: i = 0, j = 0
        integer(c_int64_t) :: row = 0, col = 0
        integer :: mb = 0, nb = 0, ld = 0
        real(c_float), pointer :: s(:, :) => null()
        real(c_double), pointer :: d(:, :) => null()
        complex(c_float_complex), pointer :: c(:, :) => null()
        complex(c_double_complex), pointer :: z(:, :) => null()
    end type

    type :: owner_holder
        procedure(ompfact_owner_function), pointer, nopass :: f => null()
    end type

contains

    ! ---- errors

    ! A text of C's.
    function to_fortran(text) result(copy)
        type(c_ptr), intent(in) :: text
        character(:), allocatable :: copy
        character(kind=c_char), pointer :: at(:)
        integer :: k
        copy = ''
        if (.not. c_associated(text)) return
        call c_f_pointer(text, at, [c_strlen(text)])
        do k = 1, size(at)
            copy = copy // at(k)
        end do
    end function

    ! The status of a call, or the end of the program where nobody asks for it.
    subroutine tell(name, code, grid, status)
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: code
        type(c_ptr), intent(in) :: grid
        integer, intent(out), optional :: status
        if (present(status)) then
            status = code
        else if (code /= OMPFACT_SUCCESS) then
            error stop 'ompfact_' // name // ': ' // to_fortran(c_message(grid))
        end if
    end subroutine

    subroutine tell_info(name, code, k, info)
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: code
        integer(c_int64_t), intent(in) :: k
        integer, intent(out), optional :: info
        character(24) :: digits
        if (present(info)) then
            info = 0
            if (code == OMPFACT_SUCCESS) info = int(min(k, int(huge(info), c_int64_t)))
        else if (code == OMPFACT_SUCCESS .and. k /= 0) then
            write (digits, '(i0)') k
            error stop 'ompfact_' // name // ': info = ' // trim(digits)
        end if
    end subroutine

    ! ---- grids

    ! A grid over all ranks of the MPI communicator comm. message: one line on failure.
    subroutine ompfact_grid_create(comm, grid, options, status, message)
        integer, intent(in) :: comm
        type(ompfact_grid), intent(out) :: grid
        type(ompfact_options), intent(in), optional :: options
        integer, intent(out), optional :: status
        character(*), intent(out), optional :: message
        type(ompfact_options) :: o
        character(kind=c_char), target :: backend(17), text(c_message_length)
        type(c_ptr) :: backend_or_null
        character(:), allocatable :: line
        integer(c_int) :: code
        if (present(options)) o = options
        backend = transfer(trim(o%device_backend) // c_null_char, backend, size(backend))
        backend_or_null = c_null_ptr
        if (o%device_backend /= '') backend_or_null = c_loc(backend)
        text = c_null_char
        code = c_grid_create(comm, c_options(o%threads, o%devices, backend_or_null, o%host_share, o%device_memory, &
            o%emulate, o%max_tasks, o%cache_tiles, o%watchdog_s, o%schedule, o%bcast, o%between_nodes, o%pivot, o%tree, &
            o%ib, logical(o%copy_on_node, c_bool), logical(o%pin_threads, c_bool), logical(o%trace, c_bool), &
            logical(o%typical_rates, c_bool), c_null_funptr, c_null_ptr, o%refinement, logical(o%abft, c_bool), c_null_ptr), &
            grid%c, text)
        line = to_fortran(c_loc(text))
        if (present(message)) message = line
        if (present(status)) then
            status = code
        else if (code /= OMPFACT_SUCCESS) then
            error stop 'ompfact_grid_create: ' // line
        end if
    end subroutine

    subroutine ompfact_grid_destroy(grid)
        type(ompfact_grid), intent(inout) :: grid
        call c_grid_destroy(grid%c)
    end subroutine

    subroutine ompfact_barrier(grid, status)
        type(ompfact_grid), intent(in) :: grid
        integer, intent(out), optional :: status
        call tell('barrier', c_barrier(grid%c), grid%c, status)
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
        type(c_shape) :: s
        integer(c_int), allocatable, target :: heights(:), widths(:)
        real(c_double), allocatable, target :: speeds(:)
        character(kind=c_char), target :: layout(257)
        type(owner_holder), target :: holder
        integer(c_int) :: code
        s = c_shape(shape%m, shape%n, shape%type, shape%structure, logical(shape%full_storage, c_bool), shape%nb, c_null_ptr, &
            c_null_ptr, 0, 0, c_null_ptr, c_null_ptr, shape%purpose, c_null_ptr, c_null_funptr, c_null_ptr, c_null_ptr, &
            c_null_ptr, 0, shape%accuracy, shape%band, shape%max_rank)
        if (s%m == 0) s%m = s%n
        if (allocated(shape%row_heights)) then
            heights = shape%row_heights
            s%row_heights = c_loc(heights)
            s%mt = size(heights)
        end if
        if (allocated(shape%col_widths)) then
            widths = shape%col_widths
            s%col_widths = c_loc(widths)
            s%nt = size(widths)
        end if
        if (shape%layout /= '') then
            layout = transfer(trim(shape%layout) // c_null_char, layout, size(layout))
            s%layout = c_loc(layout)
        end if
        if (allocated(shape%speeds)) then
            speeds = shape%speeds
            s%speeds = c_loc(speeds)
        end if
        if (associated(shape%owner)) then
            holder%f => shape%owner
            s%owner = c_funloc(call_owner)
            s%owner_context = c_loc(holder)
        end if
        A%grid = grid%c
        code = c_matrix_create(grid%c, s, A%c)
        call tell('matrix_create', code, grid%c, status)
    end subroutine

    recursive integer(c_int) function call_owner(context, i, j) bind(c, name='')
        type(c_ptr), value :: context
        integer(c_int), value :: i, j
        type(owner_holder), pointer :: holder
        call c_f_pointer(context, holder)
        call_owner = holder%f(i + 1, j + 1)
    end function

    subroutine ompfact_matrix_create_like(A, B, status)
        type(ompfact_matrix), intent(in) :: A
        type(ompfact_matrix), intent(out) :: B
        integer, intent(out), optional :: status
        B%grid = A%grid
        call tell('matrix_create_like', c_matrix_create_like(A%c, B%c), A%grid, status)
    end subroutine

    subroutine ompfact_matrix_create_rhs(A, nrhs, B, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: nrhs
        type(ompfact_matrix), intent(out) :: B
        integer, intent(out), optional :: status
        B%grid = A%grid
        call tell('matrix_create_rhs', c_matrix_create_rhs(A%c, int(nrhs, c_int64_t), B%c), A%grid, status)
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

    function ompfact_layout(A) result(name)
        type(ompfact_matrix), intent(in) :: A
        character(:), allocatable :: name
        name = to_fortran(c_layout(A%c))
    end function

    ! The rank, from 0, that owns tile (i,j), counted from 1; -1 if it is not stored.
    integer function ompfact_owner(A, i, j)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: i, j
        ompfact_owner = c_owner(A%c, i - 1, j - 1)
    end function

    ! ---- tiles

    ! Walks this rank's tiles: starts with i = j = 0, and goes on while it returns true.
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
        call tell('tile_get', code, A%grid, status)
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
        select case (type)      ! columns are ld apart: all of a column, then its first mb elements
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
end module
