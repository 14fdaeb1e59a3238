! Options, shapes and errors, for the module ompfact, which makes the names that begin with ompfact public.
module ompfact_settings
    use ompfact_c
    implicit none
    private
    public :: ompfact_options, ompfact_shape, ompfact_owner_function
    public :: return_status, return_result, return_line, to_fortran, to_c_text, to_c_options, to_c_shape, held_shape

    integer, parameter, public :: OMPFACT_SUCCESS = 0, OMPFACT_BAD_ARGUMENT = 1, OMPFACT_BAD_LAYOUT = 2, &
        OMPFACT_NO_MEMORY = 3, OMPFACT_NOT_OWNER = 4, OMPFACT_BAD_MPI = 5, OMPFACT_MPI_FAILED = -1, &
        OMPFACT_OUT_OF_MEMORY = -2, OMPFACT_DEVICE_FAILED = -3, OMPFACT_INTERNAL_FAULT = -4, &
        OMPFACT_FAULT_FOUND = -5, OMPFACT_CHECKPOINT_LOST = -6, OMPFACT_STOPPED = -7
    integer, parameter, public :: OMPFACT_DYNAMIC = 0, OMPFACT_STATIC = 1, OMPFACT_BASIC = 2
    integer, parameter, public :: OMPFACT_BCAST_AUTO = 0, OMPFACT_BCAST_FLAT = 1, OMPFACT_BCAST_CHAIN = 2, &
        OMPFACT_BCAST_BINOMIAL = 3
    integer, parameter, public :: OMPFACT_ONE_SIDED = 0, OMPFACT_MESSAGES = 1
    integer, parameter, public :: OMPFACT_PIVOT_AUTO = 0, OMPFACT_PIVOT_PARTIAL = 1, OMPFACT_PIVOT_TOURNAMENT = 2, &
        OMPFACT_PIVOT_NONE = 3
    integer, parameter, public :: OMPFACT_TREE_AUTO = 0, OMPFACT_TREE_FLAT = 1, OMPFACT_TREE_BINARY = 2, &
        OMPFACT_TREE_GREEDY = 3
    integer, parameter, public :: OMPFACT_REFINE_CLASSIC = 0, OMPFACT_REFINE_GMRES = 1
    integer, parameter, public :: OMPFACT_BUTTERFLY_AUTO = 0, OMPFACT_BUTTERFLY_NONE = 1, OMPFACT_BUTTERFLY_ONE = 2, &
        OMPFACT_BUTTERFLY_TWO = 3
    integer, parameter, public :: OMPFACT_EMULATE_NONE = 0, OMPFACT_EMULATE_FP64 = 1, OMPFACT_EMULATE_BF16X9 = 2, &
        OMPFACT_EMULATE_TF32 = 3, OMPFACT_EMULATE_BF16 = 4
    integer, parameter, public :: OMPFACT_GENERAL = 0, OMPFACT_HERMITIAN_LOWER = 1, OMPFACT_HERMITIAN_UPPER = 2, &
        OMPFACT_SYMMETRIC_LOWER = 3, OMPFACT_SYMMETRIC_UPPER = 4
    integer, parameter, public :: OMPFACT_HOLDS_ELEMENTS = 0, OMPFACT_HOLDS_CHOLESKY = 1, OMPFACT_HOLDS_LU = 2, &
        OMPFACT_HOLDS_QR = 3, OMPFACT_HOLDS_L_OF_LQ = 4, OMPFACT_HOLDS_INDEFINITE = 5, OMPFACT_HOLDS_PART = 6
    integer, parameter, public :: OMPFACT_FOR_LU = 0, OMPFACT_FOR_QR = 1, OMPFACT_FOR_LEAST_SQUARES = 2, OMPFACT_FOR_INVERSE = 3

    ! The fields are those of ompfact_options in ompfact.h: ompfact_options(threads=2, trace=.true.) sets those that differ from
    ! the defaults.
    type :: ompfact_options
        integer :: threads = 0, devices = 0
        character(16) :: device_backend = ''
        real(c_double) :: host_share = 0
        integer(c_int64_t) :: device_memory = 0
        integer :: emulate = 0, max_tasks = 0, cache_tiles = 0, watchdog_s = 0
        integer :: schedule = 0, bcast = 0, between_nodes = 0, pivot = 0, tree = 0, ib = 0
        logical :: copy_on_node = .false., pin_threads = .false., trace = .false., typical_rates = .false.
        logical :: abft = .false.
        integer :: refinement = 0, butterfly = 0
    end type

    abstract interface
        ! Returns the rank, from 0, that owns tile (i,j), counted from 1.
        integer function ompfact_owner_function(i, j)
            integer, intent(in) :: i, j
        end function
    end interface

    ! The fields are those of ompfact_shape in ompfact.h: ompfact_shape(n=1000, structure=OMPFACT_HERMITIAN_LOWER). A matrix
    ! with m=0 is square, except that row_heights of size 0 mean no rows.
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
        integer(c_int64_t) :: cut = 0, copies = 0
        real(c_double) :: tile_precision = 0
        logical :: bf16_tiles = .false.
    end type

    type :: owner_holder
        procedure(ompfact_owner_function), pointer, nopass :: f => null()
    end type

    ! Memory that C's structure of a shape points to.
    type :: held_shape
        integer(c_int), allocatable :: row_heights(:), col_widths(:)
        real(c_double), allocatable :: speeds(:)
        character(kind=c_char) :: layout(257)
        type(owner_holder) :: owner
    end type

contains

    ! ---- errors, and texts

    ! Converts a text of C.
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

    ! Copies a text for C into an array with room for the terminating zero.
    subroutine to_c_text(text, copy)
        character(*), intent(in) :: text
        character(kind=c_char), intent(out) :: copy(:)
        copy = transfer(trim(text) // c_null_char, copy, size(copy))
    end subroutine

    ! Returns the status of a call, or ends the program if the caller does not request the status.
    subroutine return_status(name, code, grid, status)
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

    ! The same as return_status(), and returns the info k of a call, or ends the program if k is not 0 and not requested.
    subroutine return_result(name, code, k, grid, info, status)
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: code
        integer(c_int64_t), intent(in) :: k
        type(c_ptr), intent(in) :: grid
        integer, intent(out), optional :: info, status
        character(24) :: digits
        call return_status(name, code, grid, status)
        if (present(info)) then
            info = 0
            if (code == OMPFACT_SUCCESS) info = int(min(k, int(huge(info), c_int64_t)))
        else if (code == OMPFACT_SUCCESS .and. k /= 0) then
            write (digits, '(i0)') k
            error stop 'ompfact_' // name // ': info = ' // trim(digits)
        end if
    end subroutine

    ! The same as return_status(), for a call without a grid that stores the message.
    subroutine return_line(name, code, text, status, message)
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: code
        character(kind=c_char), intent(in), target :: text(c_message_length)
        integer, intent(out), optional :: status
        character(*), intent(out), optional :: message
        character(:), allocatable :: line
        line = ''
        if (code /= OMPFACT_SUCCESS) line = to_fortran(c_loc(text))
        if (present(message)) message = line
        if (present(status)) then
            status = code
        else if (code /= OMPFACT_SUCCESS) then
            error stop 'ompfact_' // name // ': ' // line
        end if
    end subroutine

    ! ---- settings as C has them

    function to_c_options(o, backend) result(c)
        type(ompfact_options), intent(in) :: o
        character(kind=c_char), intent(out), target :: backend(17)      ! must live as long as the result
        type(c_options) :: c
        c = c_options(threads=o%threads, devices=o%devices, host_share=o%host_share, device_memory=o%device_memory, &
            emulate=o%emulate, max_tasks=o%max_tasks, cache_tiles=o%cache_tiles, watchdog_s=o%watchdog_s, &
            schedule=o%schedule, bcast=o%bcast, between_nodes=o%between_nodes, pivot=o%pivot, tree=o%tree, ib=o%ib, &
            copy_on_node=logical(o%copy_on_node, c_bool), pin_threads=logical(o%pin_threads, c_bool), &
            trace=logical(o%trace, c_bool), typical_rates=logical(o%typical_rates, c_bool), refinement=o%refinement, &
            abft=logical(o%abft, c_bool), butterfly=o%butterfly)
        call to_c_text(o%device_backend, backend)
        if (o%device_backend /= '') c%device_backend = c_loc(backend)
    end function

    function to_c_shape(shape, held) result(s)
        type(ompfact_shape), intent(in) :: shape
        type(held_shape), intent(out), target :: held                   ! must live as long as the result
        type(c_shape) :: s
        s = c_shape(m=shape%m, n=shape%n, type=shape%type, structure=shape%structure, nb=shape%nb, purpose=shape%purpose, &
            full_storage=logical(shape%full_storage, c_bool), accuracy=shape%accuracy, band=shape%band, &
            max_rank=shape%max_rank, cut=shape%cut, copies=shape%copies, tile_precision=shape%tile_precision, &
            bf16_tiles=merge(1_c_int64_t, 0_c_int64_t, shape%bf16_tiles))
        if (allocated(shape%row_heights)) then
            held%row_heights = shape%row_heights
            s%row_heights = c_loc(held%row_heights)
            s%mt = size(held%row_heights)
        end if
        if (allocated(shape%col_widths)) then
            held%col_widths = shape%col_widths
            s%col_widths = c_loc(held%col_widths)
            s%nt = size(held%col_widths)
        end if
        call to_c_text(shape%layout, held%layout)
        if (shape%layout /= '') s%layout = c_loc(held%layout)
        if (allocated(shape%speeds)) then
            held%speeds = shape%speeds
            s%speeds = c_loc(held%speeds)
        end if
        if (associated(shape%owner)) then
            held%owner%f => shape%owner
            s%owner = c_funloc(call_owner)
            s%owner_context = c_loc(held%owner)
        end if
    end function

    recursive integer(c_int) function call_owner(context, i, j) bind(c, name='')
        type(c_ptr), value :: context
        integer(c_int), value :: i, j
        type(owner_holder), pointer :: holder
        call c_f_pointer(context, holder)
        call_owner = holder%f(i + 1, j + 1)
    end function
end module
