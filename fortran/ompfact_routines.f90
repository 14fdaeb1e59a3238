! Factorizations, solves and their results, for the module ompfact. Arguments are those of ompfact.h. All procedures are collective.
!
! info     absent: the program ends if info is not 0
! status   absent: the program ends if the status is not OMPFACT_SUCCESS, with the library's message
module ompfact_routines
    use ompfact_c
    use ompfact_settings
    use ompfact_objects
    implicit none
    private
    public :: ompfact_potrf, ompfact_potrs, ompfact_posv, ompfact_getrf, ompfact_getrs, ompfact_gesv
    public :: ompfact_potrf_partial, ompfact_getrf_partial, ompfact_eliminated, ompfact_schur
    public :: ompfact_posv_refined, ompfact_gesv_refined, ompfact_trtri, ompfact_potri, ompfact_getri, ompfact_geqrf
    public :: ompfact_unmqr, ompfact_ungqr, ompfact_gels, ompfact_determinant, ompfact_smallest_pivot, ompfact_norm1
    public :: ompfact_rcond, ompfact_find_not_finite, ompfact_residual_factors, ompfact_residual_inverse
    public :: ompfact_residual_qr, ompfact_residual_gels, ompfact_residual_solve, ompfact_growth, ompfact_redistribute
    public :: ompfact_from_scalapack, ompfact_to_scalapack, ompfact_trsm, ompfact_ipiv, ompfact_last_report
    public :: ompfact_zero_on_diagonal
    public :: ompfact_trace_write

    interface ompfact_trsm      ! alpha is real or complex
        module procedure trsm_real, trsm_complex
    end interface
    interface ompfact_ipiv      ! integers of either kind
        module procedure ipiv_32, ipiv_64
    end interface

contains

    subroutine ompfact_potrf(A, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: info, status
        call factor_by(c_potrf, 'potrf', A, info, status)
    end subroutine

    subroutine ompfact_potrs(A, B, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: status
        call return_status('potrs', c_potrs(A%c, B%c), A%grid, status)
    end subroutine

    subroutine ompfact_posv(A, B, info, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: info, status
        call solve_by(c_posv, 'posv', A, B, info, status)
    end subroutine

    subroutine ompfact_getrf(A, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: info, status
        call factor_by(c_getrf, 'getrf', A, info, status)
    end subroutine

    subroutine ompfact_getrs(A, B, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: status
        call return_status('getrs', c_getrs(A%c, B%c), A%grid, status)
    end subroutine

    subroutine ompfact_gesv(A, B, info, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: info, status
        call solve_by(c_gesv, 'gesv', A, B, info, status)
    end subroutine

    subroutine ompfact_potrf_partial(A, rows, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: rows
        integer, intent(out), optional :: info, status
        call eliminate_by(c_potrf_partial, 'potrf_partial', A, rows, info, status)
    end subroutine

    subroutine ompfact_getrf_partial(A, rows, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in) :: rows
        integer, intent(out), optional :: info, status
        call eliminate_by(c_getrf_partial, 'getrf_partial', A, rows, info, status)
    end subroutine

    integer function ompfact_eliminated(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_eliminated = int(c_eliminated(A%c))
    end function

    subroutine ompfact_schur(A, both, S, status)
        type(ompfact_matrix), intent(in) :: A
        logical, intent(in) :: both
        type(ompfact_matrix), intent(out) :: S
        integer, intent(out), optional :: status
        S%grid = A%grid
        call return_status('schur', c_schur(A%c, logical(both, c_bool), S%c), A%grid, status)
    end subroutine

    subroutine ompfact_posv_refined(A, B, info, iterations, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: info, iterations, status
        call refine_by(c_posv_refined, 'posv_refined', A, B, info, iterations, status)
    end subroutine

    subroutine ompfact_gesv_refined(A, B, info, iterations, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: info, iterations, status
        call refine_by(c_gesv_refined, 'gesv_refined', A, B, info, iterations, status)
    end subroutine

    subroutine trsm_real(side, uplo, trans, diag, alpha, A, B, status)
        character, intent(in) :: side, uplo, trans, diag
        real(c_double), intent(in) :: alpha
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: status
        call trsm_complex(side, uplo, trans, diag, cmplx(alpha, kind=c_double), A, B, status)
    end subroutine

    subroutine trsm_complex(side, uplo, trans, diag, alpha, A, B, status)
        character, intent(in) :: side, uplo, trans, diag
        complex(c_double_complex), intent(in) :: alpha
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: status
        integer(c_int) :: code
        code = c_trsm(iachar(capital(side)), iachar(capital(uplo)), iachar(capital(trans)), &
            logical(capital(diag) == 'U', c_bool), real(alpha), aimag(alpha), A%c, B%c)
        call return_status('trsm', code, A%grid, status)
    end subroutine

    subroutine ompfact_zero_on_diagonal(A, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out) :: info
        integer, intent(out), optional :: status
        call factor_by(c_zero_on_diagonal, 'zero_on_diagonal', A, info, status)
    end subroutine

    subroutine ompfact_trtri(A, diag, info, status)
        type(ompfact_matrix), intent(in) :: A
        character, intent(in) :: diag
        integer, intent(out), optional :: info, status
        integer(c_int64_t) :: k
        integer(c_int) :: code
        k = 0
        code = c_trtri(A%c, logical(capital(diag) == 'U', c_bool), k)
        call return_result('trtri', code, k, A%grid, info, status)
    end subroutine

    subroutine ompfact_potri(A, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: info, status
        call factor_by(c_potri, 'potri', A, info, status)
    end subroutine

    subroutine ompfact_getri(A, info, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: info, status
        call factor_by(c_getri, 'getri', A, info, status)
    end subroutine

    subroutine ompfact_geqrf(A, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(out), optional :: status
        call return_status('geqrf', c_geqrf(A%c), A%grid, status)
    end subroutine

    ! C := Q C, or C := Q^H C if trans is 'C' (or 'T').
    subroutine ompfact_unmqr(A, trans, C, status)
        type(ompfact_matrix), intent(in) :: A, C
        character, intent(in) :: trans
        integer, intent(out), optional :: status
        call return_status('unmqr', c_unmqr(A%c, logical(capital(trans) /= 'N', c_bool), C%c), A%grid, status)
    end subroutine

    subroutine ompfact_ungqr(A, Q, status)
        type(ompfact_matrix), intent(in) :: A, Q
        integer, intent(out), optional :: status
        call return_status('ungqr', c_ungqr(A%c, Q%c), A%grid, status)
    end subroutine

    subroutine ompfact_gels(A, B, X, info, status)
        type(ompfact_matrix), intent(in) :: A, B
        type(ompfact_matrix), intent(out) :: X
        integer, intent(out), optional :: info, status
        integer(c_int64_t) :: k
        integer(c_int) :: code
        k = 0
        X%grid = A%grid
        code = c_gels(A%c, B%c, X%c, k)
        call return_result('gels', code, k, A%grid, info, status)
    end subroutine

    subroutine ompfact_determinant(A, logabs, sign, status)
        type(ompfact_matrix), intent(in) :: A
        real(c_double), intent(out) :: logabs
        complex(c_double_complex), intent(out) :: sign
        integer, intent(out), optional :: status
        real(c_double) :: re, im
        integer(c_int) :: code
        code = c_determinant(A%c, logabs, re, im)
        sign = cmplx(re, im, c_double)
        call return_status('determinant', code, A%grid, status)
    end subroutine

    ! k: the index of the first such pivot, from 1; 0 if there is none.
    subroutine ompfact_smallest_pivot(A, pivot, k, status)
        type(ompfact_matrix), intent(in) :: A
        real(c_double), intent(out) :: pivot
        integer(c_int64_t), intent(out) :: k
        integer, intent(out), optional :: status
        integer(c_int) :: code
        code = c_smallest_pivot(A%c, pivot, k)
        k = k + 1
        call return_status('smallest_pivot', code, A%grid, status)
    end subroutine

    subroutine ompfact_norm1(A, norm, status)
        type(ompfact_matrix), intent(in) :: A
        real(c_double), intent(out) :: norm
        integer, intent(out), optional :: status
        call return_status('norm1', c_norm1(A%c, norm), A%grid, status)
    end subroutine

    subroutine ompfact_rcond(A, norm, rcond, status)
        type(ompfact_matrix), intent(in) :: A
        real(c_double), intent(in) :: norm
        real(c_double), intent(out) :: rcond
        integer, intent(out), optional :: status
        call return_status('rcond', c_rcond(A%c, norm, rcond), A%grid, status)
    end subroutine

    ! The row and the column count from 1; both are 0 if all elements are finite.
    subroutine ompfact_find_not_finite(A, row, col, nan, status)
        type(ompfact_matrix), intent(in) :: A
        integer(c_int64_t), intent(out) :: row, col
        logical, intent(out), optional :: nan
        integer, intent(out), optional :: status
        logical(c_bool) :: is_nan
        integer(c_int) :: code
        code = c_find_not_finite(A%c, row, col, is_nan)
        row = row + 1
        col = col + 1
        if (present(nan)) nan = is_nan
        call return_status('find_not_finite', code, A%grid, status)
    end subroutine

    subroutine ompfact_residual_factors(A, factors, ratio, status)
        type(ompfact_matrix), intent(in) :: A, factors
        real(c_double), intent(out) :: ratio
        integer, intent(out), optional :: status
        call return_status('residual_factors', c_residual_factors(A%c, factors%c, ratio), A%grid, status)
    end subroutine

    subroutine ompfact_residual_inverse(A, X, triangular, ratio, status)
        type(ompfact_matrix), intent(in) :: A, X
        logical, intent(in) :: triangular
        real(c_double), intent(out) :: ratio
        integer, intent(out), optional :: status
        call return_status('residual_inverse', c_residual_inverse(A%c, X%c, logical(triangular, c_bool), ratio), A%grid, status)
    end subroutine

    subroutine ompfact_residual_qr(A, factors, ratio, status)
        type(ompfact_matrix), intent(in) :: A, factors
        real(c_double), intent(out) :: ratio
        integer, intent(out), optional :: status
        call return_status('residual_qr', c_residual_qr(A%c, factors%c, ratio), A%grid, status)
    end subroutine

    subroutine ompfact_residual_gels(A, X, B, ratio, status)
        type(ompfact_matrix), intent(in) :: A, X, B
        real(c_double), intent(out) :: ratio
        integer, intent(out), optional :: status
        call return_status('residual_gels', c_residual_gels(A%c, X%c, B%c, ratio), A%grid, status)
    end subroutine

    subroutine ompfact_residual_solve(A, X, B, ratio, status)
        type(ompfact_matrix), intent(in) :: A, X, B
        real(c_double), intent(out) :: ratio
        integer, intent(out), optional :: status
        call return_status('residual_solve', c_residual_solve(A%c, X%c, B%c, ratio), A%grid, status)
    end subroutine

    subroutine ompfact_growth(A, factors, growth, status)
        type(ompfact_matrix), intent(in) :: A, factors
        real(c_double), intent(out) :: growth
        integer, intent(out), optional :: status
        call return_status('growth', c_growth(A%c, factors%c, growth), A%grid, status)
    end subroutine

    subroutine ompfact_redistribute(A, B, status)
        type(ompfact_matrix), intent(in) :: A, B
        integer, intent(out), optional :: status
        call return_status('redistribute', c_redistribute(A%c, B%c), A%grid, status)
    end subroutine

    ! A := sub(local). local is this process's part of an array that ScaLAPACK distributes, of A's type, with its descriptor and
    ! process grid. ranks: the rank, from 0, of each process in A's grid.
    subroutine ompfact_from_scalapack(A, desc, nprow, npcol, local, ia, ja, ranks, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in), target :: desc(9)
        integer, intent(in) :: nprow, npcol
        type(*), intent(in) :: local(*)
        integer, intent(in), optional :: ia, ja, ranks(nprow, npcol)
        integer, intent(out), optional :: status
        integer(c_int), target :: by_rows(npcol, nprow)
        type(c_scalapack) :: place
        place = place_of(desc, nprow, npcol, ia, ja, ranks, by_rows)
        call return_status('from_scalapack', c_from_scalapack(A%c, place, local), A%grid, status)
    end subroutine

    ! sub(local) := A, with the arguments of ompfact_from_scalapack().
    subroutine ompfact_to_scalapack(A, desc, nprow, npcol, local, ia, ja, ranks, status)
        type(ompfact_matrix), intent(in) :: A
        integer, intent(in), target :: desc(9)
        integer, intent(in) :: nprow, npcol
        type(*), intent(inout) :: local(*)
        integer, intent(in), optional :: ia, ja, ranks(nprow, npcol)
        integer, intent(out), optional :: status
        integer(c_int), target :: by_rows(npcol, nprow)
        type(c_scalapack) :: place
        place = place_of(desc, nprow, npcol, ia, ja, ranks, by_rows)
        call return_status('to_scalapack', c_to_scalapack(A%c, place, local), A%grid, status)
    end subroutine

    ! by_rows: memory for the ranks, which must live as long as the result.
    function place_of(desc, nprow, npcol, ia, ja, ranks, by_rows) result(place)
        integer, intent(in), target :: desc(9)
        integer, intent(in) :: nprow, npcol
        integer, intent(in), optional :: ia, ja, ranks(nprow, npcol)
        integer(c_int), intent(out), target :: by_rows(npcol, nprow)
        type(c_scalapack) :: place
        place = c_scalapack(c_loc(desc), nprow, npcol, c_null_ptr, 1, 1)
        if (present(ia)) place%ia = ia
        if (present(ja)) place%ja = ja
        if (present(ranks)) then
            by_rows = transpose(ranks)
            place%rank = c_loc(by_rows)
        end if
    end function

    subroutine ipiv_32(A, ipiv)
        type(ompfact_matrix), intent(in) :: A
        integer(c_int32_t), intent(out) :: ipiv(:)
        integer(c_int64_t), allocatable :: all(:)
        allocate (all(min(c_rows(A%c), c_cols(A%c))))
        call c_ipiv(A%c, all)
        ipiv(1:size(all)) = int(all, c_int32_t)
    end subroutine

    subroutine ipiv_64(A, ipiv)
        type(ompfact_matrix), intent(in) :: A
        integer(c_int64_t), intent(out) :: ipiv(:)
        integer(c_int64_t), allocatable :: all(:)
        allocate (all(min(c_rows(A%c), c_cols(A%c))))
        call c_ipiv(A%c, all)
        ipiv(1:size(all)) = all
    end subroutine

    type(ompfact_report) function ompfact_last_report(A)
        type(ompfact_matrix), intent(in) :: A
        ompfact_last_report = c_last_report(A%c)
    end function

    subroutine ompfact_trace_write(grid, path, status)
        type(ompfact_grid), intent(in) :: grid
        character(*), intent(in) :: path
        integer, intent(out), optional :: status
        call return_status('trace_write', c_trace_write(grid%c, path // c_null_char), grid%c, status)
    end subroutine

    ! BLAS accepts lower-case letters, too.
    pure character function capital(letter)
        character, intent(in) :: letter
        capital = letter
        if (letter >= 'a' .and. letter <= 'z') capital = achar(iachar(letter) - 32)
    end function
end module
