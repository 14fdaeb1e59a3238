! Symmetric indefinite systems, for the module ompfact. Arguments are those of ompfact.h; info and status are those of
! ompfact_routines. All procedures are collective.
module ompfact_indefinite
    use, intrinsic :: iso_c_binding
    use ompfact_settings
    use ompfact_objects
    implicit none
    private
    public :: ompfact_hetrf, ompfact_hetrs, ompfact_hesv, ompfact_sytrf, ompfact_sytrs, ompfact_sysv
    public :: ompfact_hetrf_partial, ompfact_sytrf_partial
    public :: ompfact_inertia, ompfact_inertia_counts, ompfact_ldl, ompfact_ldl_row

    ! The fields are those of ompfact.h.
    type, bind(c) :: ompfact_inertia_counts
        integer(c_int64_t) :: positive, negative, zero, perturbed
        real(c_double) :: growth
        integer(c_int64_t) :: reserved(4)
    end type
    type, bind(c) :: ompfact_ldl_row
        integer(c_int64_t) :: pivot, partner(2)
        real(c_double) :: weight(2)
    end type

    interface
        integer(c_int) function c_hetrf(a, info) bind(c, name='ompfact_hetrf')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_sytrf(a, info) bind(c, name='ompfact_sytrf')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_hetrf_partial(a, rows, info) bind(c, name='ompfact_hetrf_partial')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), value :: rows
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_sytrf_partial(a, rows, info) bind(c, name='ompfact_sytrf_partial')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), value :: rows
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_hetrs(a, b) bind(c, name='ompfact_hetrs')
            import
            type(c_ptr), value :: a, b
        end function
        integer(c_int) function c_sytrs(a, b) bind(c, name='ompfact_sytrs')
            import
            type(c_ptr), value :: a, b
        end function
        integer(c_int) function c_hesv(a, b, info, iterations) bind(c, name='ompfact_hesv')
            import
            type(c_ptr), value :: a, b
            integer(c_int64_t), intent(out) :: info
            integer(c_int), intent(out) :: iterations
        end function
        integer(c_int) function c_sysv(a, b, info, iterations) bind(c, name='ompfact_sysv')
            import
            type(c_ptr), value :: a, b
            integer(c_int64_t), intent(out) :: info
            integer(c_int), intent(out) :: iterations
        end function
        integer(c_int) function c_inertia(a, counts) bind(c, name='ompfact_inertia')
            import
            type(c_ptr), value :: a
            type(ompfact_inertia_counts), intent(inout) :: counts
        end function
        integer(c_int) function c_ldl(a, rows) bind(c, name='ompfact_ldl')
            import
            type(c_ptr), value :: a
            type(ompfact_ldl_row), intent(inout) :: rows(*)
        end function
    end interface

contains

    subroutine ompfact_hetrf(A, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: info, status
        call factor_by(c_hetrf, 'hetrf', A, info, status)
    end subroutine

    subroutine ompfact_hetrf_partial(A, rows, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: rows
        integer, intent(out), optional :: info, status
        call eliminate_by(c_hetrf_partial, 'hetrf_partial', A, rows, info, status)
    end subroutine

    subroutine ompfact_hetrs(A, B, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: status
        call return_status('hetrs', c_hetrs(A%c, B%c), A%grid, status)
    end subroutine

    subroutine ompfact_hesv(A, B, info, iterations, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: info, iterations, status
        call refine_by(c_hesv, 'hesv', A, B, info, iterations, status)
    end subroutine

    subroutine ompfact_sytrf(A, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: info, status
        call factor_by(c_sytrf, 'sytrf', A, info, status)
    end subroutine

    subroutine ompfact_sytrf_partial(A, rows, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: rows
        integer, intent(out), optional :: info, status
        call eliminate_by(c_sytrf_partial, 'sytrf_partial', A, rows, info, status)
    end subroutine

    subroutine ompfact_sytrs(A, B, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: status
        call return_status('sytrs', c_sytrs(A%c, B%c), A%grid, status)
    end subroutine

    subroutine ompfact_sysv(A, B, info, iterations, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: info, iterations, status
        call refine_by(c_sysv, 'sysv', A, B, info, iterations, status)
    end subroutine

    subroutine ompfact_inertia(A, counts, status)
        type(ompfact_matrix), intent(in) :: A
        type(ompfact_inertia_counts), intent(inout) :: counts
        integer, intent(out), optional :: status
        call return_status('inertia', c_inertia(A%c, counts), A%grid, status)
    end subroutine

    ! rows: an array with an element for each row of A.
    subroutine ompfact_ldl(A, rows, status)
        type(ompfact_matrix), intent(in) :: A
        type(ompfact_ldl_row), intent(inout) :: rows(:)
        integer, intent(out), optional :: status
        type(ompfact_ldl_row), allocatable :: whole(:)
        whole = rows
        call return_status('ldl', c_ldl(A%c, whole), A%grid, status)
        rows = whole
    end subroutine
end module
