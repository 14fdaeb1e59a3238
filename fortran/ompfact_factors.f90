! Updates of Cholesky factors, and factors on disk, for the module ompfact. Arguments are those of ompfact.h; info and status are
! those of ompfact_routines. All procedures are collective.
module ompfact_factors
    use, intrinsic :: iso_c_binding
    use ompfact_settings
    use ompfact_objects
    implicit none
    private
    public :: ompfact_potrf_update, ompfact_potrf_downdate, ompfact_save, ompfact_load

    interface
        integer(c_int) function c_potrf_update(a, v, info) bind(c, name='ompfact_potrf_update')
            import
            type(c_ptr), value :: a, v
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_potrf_downdate(a, v, info) bind(c, name='ompfact_potrf_downdate')
            import
            type(c_ptr), value :: a, v
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_save(a, folder) bind(c, name='ompfact_save')
            import
            type(c_ptr), value :: a
            character(kind=c_char), intent(in) :: folder(*)
        end function
        integer(c_int) function c_load(grid, folder, a) bind(c, name='ompfact_load')
            import
            type(c_ptr), value :: grid
            character(kind=c_char), intent(in) :: folder(*)
            type(c_ptr), intent(out) :: a
        end function
    end interface

contains

    subroutine ompfact_potrf_update(A, V, info, status)
        type(ompfact_matrix), intent(in) :: A, V
        integer, intent(out), optional :: info, status
        call solve_by(c_potrf_update, 'potrf_update', A, V, info, status)
    end subroutine

    subroutine ompfact_potrf_downdate(A, V, info, status)
        type(ompfact_matrix), intent(in) :: A, V
        integer, intent(out), optional :: info, status
        call solve_by(c_potrf_downdate, 'potrf_downdate', A, V, info, status)
    end subroutine

    subroutine ompfact_save(A, folder, status)
        type(ompfact_matrix), intent(in) :: A
        character(*), intent(in) :: folder
        integer, intent(out), optional :: status
        call return_status('save', c_save(A%c, trim(folder) // c_null_char), A%grid, status)
    end subroutine

    subroutine ompfact_load(grid, folder, A, status)
        type(ompfact_grid), intent(in) :: grid
        character(*), intent(in) :: folder
        type(ompfact_matrix), intent(out) :: A
        integer, intent(out), optional :: status
        A%grid = grid%c
        call return_status('load', c_load(grid%c, trim(folder) // c_null_char, A%c), grid%c, status)
    end subroutine
end module
