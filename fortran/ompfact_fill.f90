! Contents of matrices by callbacks, for the module ompfact. Several threads call these at once: they are to be recursive or pure.
module ompfact_fill
    use ompfact_c
    use ompfact_objects
    implicit none
    private
    public :: ompfact_fill_entries_s, ompfact_fill_entries_d, ompfact_fill_entries_c, ompfact_fill_entries_z
    public :: ompfact_fill_tiles
    public :: ompfact_entry_s, ompfact_entry_d, ompfact_entry_c, ompfact_entry_z, ompfact_tile_filler

    ! Element (i,j) of the matrix, counted from 1; the elements of a tile.
    abstract interface
        subroutine ompfact_entry_s(i, j, value)
            import
            integer(c_int64_t), intent(in) :: i, j
            real(c_float), intent(out) :: value
        end subroutine
        subroutine ompfact_entry_d(i, j, value)
            import
            integer(c_int64_t), intent(in) :: i, j
            real(c_double), intent(out) :: value
        end subroutine
        subroutine ompfact_entry_c(i, j, value)
            import
            integer(c_int64_t), intent(in) :: i, j
            complex(c_float_complex), intent(out) :: value
        end subroutine
        subroutine ompfact_entry_z(i, j, value)
            import
            integer(c_int64_t), intent(in) :: i, j
            complex(c_double_complex), intent(out) :: value
        end subroutine
        subroutine ompfact_tile_filler(tile)
            import
            type(ompfact_tile), intent(in) :: tile
        end subroutine
    end interface

    ! What travels through C as a callback's context.
    type :: holder
        character :: type
        procedure(ompfact_entry_s), pointer, nopass :: s => null()
        procedure(ompfact_entry_d), pointer, nopass :: d => null()
        procedure(ompfact_entry_c), pointer, nopass :: c => null()
        procedure(ompfact_entry_z), pointer, nopass :: z => null()
        procedure(ompfact_tile_filler), pointer, nopass :: tile => null()
    end type

contains

    subroutine ompfact_fill_tiles(A, filler, status)
        type(ompfact_matrix), intent(in) :: A
        procedure(ompfact_tile_filler) :: filler
        integer, intent(out), optional :: status
        type(holder), target :: h
        h%type = ompfact_type(A)
        h%tile => filler
        call tell('fill_tiles', c_fill_tiles(A%c, c_funloc(fill_tile), c_loc(h)), A%grid, status)
    end subroutine

    recursive subroutine fill_tile(context, t) bind(c, name='')
        type(c_ptr), value :: context
        type(c_tile), intent(in) :: t
        type(holder), pointer :: h
        call c_f_pointer(context, h)
        call h%tile(to_tile(h%type, t))
    end subroutine

    ! What the four below have in common: entry is called for A if that is of its type.
    subroutine fill(A, entry, h, status)
        type(ompfact_matrix), intent(in) :: A
        type(c_funptr), intent(in) :: entry
        type(holder), intent(in), target :: h
        integer, intent(out), optional :: status
        if (ompfact_type(A) == h%type) then
            call tell('fill_entries', c_fill_entries(A%c, entry, c_loc(h)), A%grid, status)
        else if (present(status)) then
            status = OMPFACT_BAD_ARGUMENT
        else
            error stop 'ompfact_fill_entries_' // h%type // ': the matrix is of type ' // ompfact_type(A)
        end if
    end subroutine

    subroutine ompfact_fill_entries_s(A, entry, status)
        type(ompfact_matrix), intent(in) :: A
        procedure(ompfact_entry_s) :: entry
        integer, intent(out), optional :: status
        type(holder) :: h
        type(c_funptr) :: f
        f = c_funloc(entry_s)
        h%type = 's'
        h%s => entry
        call fill(A, f, h, status)
    end subroutine

    recursive subroutine entry_s(context, i, j, value) bind(c, name='')
        type(c_ptr), value :: context
        integer(c_int64_t), value :: i, j
        real(c_float), intent(out) :: value
        type(holder), pointer :: h
        call c_f_pointer(context, h)
        call h%s(i + 1, j + 1, value)
    end subroutine

    subroutine ompfact_fill_entries_d(A, entry, status)
        type(ompfact_matrix), intent(in) :: A
        procedure(ompfact_entry_d) :: entry
        integer, intent(out), optional :: status
        type(holder) :: h
        type(c_funptr) :: f
        f = c_funloc(entry_d)
        h%type = 'd'
        h%d => entry
        call fill(A, f, h, status)
    end subroutine

    recursive subroutine entry_d(context, i, j, value) bind(c, name='')
        type(c_ptr), value :: context
        integer(c_int64_t), value :: i, j
        real(c_double), intent(out) :: value
        type(holder), pointer :: h
        call c_f_pointer(context, h)
        call h%d(i + 1, j + 1, value)
    end subroutine

    subroutine ompfact_fill_entries_c(A, entry, status)
        type(ompfact_matrix), intent(in) :: A
        procedure(ompfact_entry_c) :: entry
        integer, intent(out), optional :: status
        type(holder) :: h
        type(c_funptr) :: f
        f = c_funloc(entry_c)
        h%type = 'c'
        h%c => entry
        call fill(A, f, h, status)
    end subroutine

    recursive subroutine entry_c(context, i, j, value) bind(c, name='')
        type(c_ptr), value :: context
        integer(c_int64_t), value :: i, j
        complex(c_float_complex), intent(out) :: value
        type(holder), pointer :: h
        call c_f_pointer(context, h)
        call h%c(i + 1, j + 1, value)
    end subroutine

    subroutine ompfact_fill_entries_z(A, entry, status)
        type(ompfact_matrix), intent(in) :: A
        procedure(ompfact_entry_z) :: entry
        integer, intent(out), optional :: status
        type(holder) :: h
        type(c_funptr) :: f
        f = c_funloc(entry_z)
        h%type = 'z'
        h%z => entry
        call fill(A, f, h, status)
    end subroutine

    recursive subroutine entry_z(context, i, j, value) bind(c, name='')
        type(c_ptr), value :: context
        integer(c_int64_t), value :: i, j
        complex(c_double_complex), intent(out) :: value
        type(holder), pointer :: h
        call c_f_pointer(context, h)
        call h%z(i + 1, j + 1, value)
    end subroutine
end module
