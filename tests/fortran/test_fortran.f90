! The module ompfact: all types, callbacks, tiles, and the numbers that routines hand out, against what is known of the matrix.
! Ranks count what is not so, each its own; the program fails if any did.
module fortran_suite
    use, intrinsic :: iso_c_binding
    use ompfact
    implicit none
    integer, parameter :: n = 60, nb = 16
    integer :: failures = 0, ranks

contains

    subroutine check(what, so)
        character(*), intent(in) :: what
        logical, intent(in) :: so
        if (so) return
        failures = failures + 1
        print '(2a)', 'test_fortran: not so: ', what
    end subroutine

    ! Hermitian, diagonally dominant: 1 / (i + j) off the diagonal, times a phase where it is complex.
    pure recursive complex(c_double_complex) function element(i, j)
        integer(c_int64_t), intent(in) :: i, j
        element = exp(cmplx(0, i - j, c_double)) / (i + j)
        if (i == j) element = 5
    end function
    pure recursive subroutine entry_s(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        real(c_float), intent(out) :: value
        value = real(real(element(i, j)), c_float)
    end subroutine
    pure recursive subroutine entry_d(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        real(c_double), intent(out) :: value
        value = real(element(i, j))
    end subroutine
    pure recursive subroutine entry_c(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        complex(c_float_complex), intent(out) :: value
        value = cmplx(element(i, j), kind=c_float)
    end subroutine
    pure recursive subroutine entry_z(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        complex(c_double_complex), intent(out) :: value
        value = element(i, j)
    end subroutine
    ! Zeros, but for the first column; positive definite it is not.
    pure recursive subroutine singular(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        real(c_double), intent(out) :: value
        value = merge(1d0, 0d0, j == 1 .and. i >= j)
    end subroutine
    recursive subroutine fill_tile(tile)
        type(ompfact_tile), intent(in) :: tile
        integer :: r, c
        do c = 1, tile%nb
            do r = 1, tile%mb
                tile%z(r, c) = element(tile%row + r - 1, tile%col + c - 1)
            end do
        end do
    end subroutine
    ! All tiles are the first rank's, but for one.
    integer function last_rank(i, j)
        integer, intent(in) :: i, j
        last_rank = merge(ranks - 1, 0, i == 1 .and. j == 2)
    end function

    subroutine fill(A)
        type(ompfact_matrix), intent(in) :: A
        select case (ompfact_type(A))
        case ('s'); call ompfact_fill_entries_s(A, entry_s)
        case ('d'); call ompfact_fill_entries_d(A, entry_d)
        case ('c'); call ompfact_fill_entries_c(A, entry_c)
        case ('z'); call ompfact_fill_entries_z(A, entry_z)
        end select
    end subroutine

    ! The right-hand sides are columns of A, so the solution is that of the unit matrix.
    logical function is_unit(X)
        type(ompfact_matrix), intent(in) :: X
        type(ompfact_tile) :: t
        integer :: i, j, r, c
        complex(c_double_complex) :: value
        is_unit = .true.
        i = 0
        j = 0
        do while (ompfact_next_tile(X, i, j))
            call ompfact_tile_get(X, i, j, t)
            do c = 1, t%nb
                do r = 1, t%mb
                    select case (ompfact_type(X))
                    case ('s'); value = t%s(r, c)
                    case ('d'); value = t%d(r, c)
                    case ('c'); value = t%c(r, c)
                    case ('z'); value = t%z(r, c)
                    end select
                    if (t%row + r == t%col + c) value = value - 1
                    is_unit = is_unit .and. abs(value) < 1e-5
                end do
            end do
            call ompfact_tile_restore(X, t)
        end do
    end function

    ! Cholesky of both triangles and LU: solution, determinant, condition, inverse.
    subroutine test_solves(grid, type)
        type(ompfact_grid), intent(in) :: grid
        character, intent(in) :: type
        type(ompfact_matrix) :: A, A0, X, B
        real(c_double) :: ratio, norm, rcond, logabs, previous
        complex(c_double_complex) :: sign
        integer :: structure
        do structure = OMPFACT_GENERAL, OMPFACT_HERMITIAN_UPPER
            call ompfact_matrix_create(grid, ompfact_shape(n=n, type=type, nb=nb, structure=structure), A)
            call ompfact_matrix_create_like(A, A0)
            call ompfact_matrix_create_rhs(A, 3, X)
            call ompfact_matrix_create_rhs(A, 3, B)
            call fill(A)
            call fill(A0)
            call fill(X)
            call fill(B)
            call ompfact_norm1(A, norm)
            if (structure == OMPFACT_GENERAL) then
                call ompfact_getrf(A)
                call ompfact_getrs(A, X)
            else
                call ompfact_posv(A, X)
            end if
            call check(type // ': the solution is exact', is_unit(X))
            call ompfact_residual_solve(A0, X, B, ratio)
            call check(type // ': the residual is small', ratio < 30)
            call ompfact_rcond(A, norm, rcond)
            call check(type // ': the matrix is well-conditioned', rcond > 0.1 .and. rcond <= 1)
            call ompfact_determinant(A, logabs, sign)
            if (structure /= OMPFACT_GENERAL) call check(type // ': Cholesky and LU have one determinant', &
                abs(logabs - previous) < 1e-3)
            call check(type // ': the determinant is positive', abs(sign - 1) < 1e-4)
            previous = logabs
            if (structure == OMPFACT_GENERAL) call ompfact_getri(A)
            if (structure /= OMPFACT_GENERAL) call ompfact_potri(A)
            call ompfact_residual_inverse(A0, A, .false., ratio)
            call check(type // ': the inverse has a small residual', ratio < 30)
            call ompfact_matrix_destroy(A)
            call ompfact_matrix_destroy(A0)
            call ompfact_matrix_destroy(X)
            call ompfact_matrix_destroy(B)
        end do
    end subroutine

    ! A triangular solve with the factor and one with its conjugate transpose are a Cholesky solve.
    subroutine test_triangular(grid)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_matrix) :: L, L0, B
        integer :: place
        real(c_double) :: ratio
        call ompfact_matrix_create(grid, ompfact_shape(n=n, type='z', nb=nb, structure=OMPFACT_HERMITIAN_LOWER), L)
        call ompfact_matrix_create_like(L, L0)
        call ompfact_matrix_create(grid, ompfact_shape(m=n, n=40, type='z', nb=nb, layout='2dbc:1x' // char(48 + ranks)), B)
        call check('the matrix has the given layout', ompfact_layout(B) == '2dbc:1x' // char(48 + ranks))
        call fill(L)
        call ompfact_fill_tiles(B, fill_tile)
        call ompfact_potrf(L)
        call ompfact_trsm('L', 'l', 'N', 'N', 2d0, L, B)
        call ompfact_trsm('L', 'L', 'C', 'n', (0.5d0, 0d0), L, B)
        call check('two triangular solves are a Cholesky solve', is_unit(B))
        call ompfact_zero_on_diagonal(L, place)
        call check('the factor has no zero on its diagonal', place == 0)
        call ompfact_redistribute(L, L0)
        call ompfact_trtri(L, 'N')
        call ompfact_residual_inverse(L0, L, .true., ratio)
        call check('trtri has a small residual', ratio < 30)
        call ompfact_matrix_destroy(L)
        call ompfact_matrix_destroy(L0)
        call ompfact_matrix_destroy(B)
    end subroutine

    ! Mixed precision, and what factors and matrices tell.
    subroutine test_refined(grid)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_matrix) :: A, A0, X
        type(ompfact_report) :: report
        real(c_double) :: growth, pivot
        integer(c_int64_t) :: k, row, col
        integer :: iterations, info
        logical :: nan
        call ompfact_matrix_create(grid, ompfact_shape(n=n, nb=nb), A)
        call ompfact_matrix_create_like(A, A0)
        call ompfact_matrix_create_rhs(A, 3, X)
        call fill(A)
        call fill(A0)
        call fill(X)
        call ompfact_gesv_refined(A, X, info, iterations)
        call check('gesv_refined solves', info == 0 .and. iterations >= 0 .and. is_unit(X))
        call ompfact_getrf(A)
        report = ompfact_last_report(A)
        call check('getrf makes the predicted transfers', report%flops > 0 .and. report%transfers == report%transfers_predicted)
        call ompfact_growth(A0, A, growth)
        call check('the growth is about 1', growth > 0.5 .and. growth < 2)
        call ompfact_smallest_pivot(A, pivot, k)
        call check('the smallest pivot is above 4', pivot > 4 .and. k >= 1 .and. k <= n)
        call ompfact_find_not_finite(A, row, col, nan)
        call check('all elements are finite', row == 0 .and. col == 0)
        call ompfact_residual_factors(A0, A, growth)
        call check('the factors have a small residual', growth < 30)
        call ompfact_matrix_destroy(A)
        call ompfact_matrix_destroy(A0)
        call ompfact_matrix_destroy(X)
    end subroutine

    ! Of either sign: the last row and column are those of a positive definite matrix, negated.
    pure recursive subroutine either_sign(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        real(c_double), intent(out) :: value
        value = real(element(i, j))
        if (max(i, j) == n) value = -value
    end subroutine

    ! Factors of an indefinite matrix and their inertia, by both names, and solves by each.
    subroutine test_indefinite(grid)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_matrix) :: A, X
        type(ompfact_inertia_counts) :: counts
        type(ompfact_ldl_row) :: rows(n)
        integer :: way, info, iterations, status
        do way = 1, 4
            call ompfact_matrix_create(grid, ompfact_shape(n=n, nb=nb, structure=way), A)
            call ompfact_matrix_create_rhs(A, 3, X)
            call ompfact_fill_entries_d(A, either_sign)
            call ompfact_fill_entries_d(X, either_sign)
            iterations = 0
            select case (way)
            case (1)
                call ompfact_hetrf(A, info)
                call ompfact_hetrs(A, X)
            case (2)
                call ompfact_sytrf(A, info)
                call ompfact_sytrs(A, X)
            case (3); call ompfact_hesv(A, X, info, iterations)
            case (4); call ompfact_sysv(A, X, info, iterations)
            end select
            call check('an indefinite system is solved', info == 0 .and. iterations >= 0 .and. is_unit(X))
            call ompfact_inertia(A, counts)
            call check('one eigenvalue is negative', counts%positive == n - 1 .and. counts%negative == 1 .and. counts%zero == 0)
            call check('no pivot is perturbed, and the growth is about 1', &
                counts%perturbed == 0 .and. counts%growth > 0.5 .and. counts%growth < 2)
            call ompfact_ldl(A, rows)
            call check('each row of L D L^T has a pivot', &
                all(abs(rows%pivot) <= n .and. rows%pivot /= 0 .and. rows%weight(1) == 1))
            call ompfact_inertia(X, counts, status)
            call check('a matrix without factors has no inertia', status == OMPFACT_BAD_ARGUMENT)
            call ompfact_matrix_destroy(A)
            call ompfact_matrix_destroy(X)
        end do
    end subroutine

    pure subroutine first_row(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        real(c_double), intent(out) :: value
        value = merge(real(3 * j, c_double), 0.0_c_double, i == 1)
    end subroutine

    ! A factor gets columns and loses them, does not lose more than it has, and comes back from a folder.
    subroutine test_factors(grid)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_matrix) :: A, B, V, X
        character(256) :: folder
        integer :: info, status
        call ompfact_matrix_create(grid, ompfact_shape(n=n, nb=nb, structure=OMPFACT_HERMITIAN_LOWER), A)
        call ompfact_fill_entries_d(A, entry_d)
        call ompfact_matrix_create_rhs(A, 2, V)
        call ompfact_matrix_create_rhs(A, 3, X)
        call ompfact_fill_entries_d(V, first_row)
        call ompfact_potrf_update(A, V, status=status)
        call check('an update of a matrix without factors is refused', status == OMPFACT_BAD_ARGUMENT)
        call ompfact_potrf(A)
        call ompfact_potrf_downdate(A, V, info)
        call check('a downdate by a row that makes the factor indefinite fails', info == 1)
        call ompfact_potrf_update(A, V, info)
        call check('an update succeeds', info == 0)
        call ompfact_potrf_downdate(A, V)
        call get_command_argument(1, folder)
        call ompfact_save(A, folder)
        call ompfact_load(grid, folder, B)
        call ompfact_fill_entries_d(X, entry_d)
        call ompfact_potrs(B, X)
        call check('a loaded factor solves', is_unit(X))
        call ompfact_matrix_destroy(B)
        call ompfact_load(grid, trim(folder) // '/not', B, status)
        call check('a missing folder is not loaded', status == OMPFACT_BAD_ARGUMENT)
        call ompfact_matrix_destroy(A)
        call ompfact_matrix_destroy(X)
        call ompfact_matrix_destroy(V)
    end subroutine

    recursive subroutine fill_zeros(tile)
        type(ompfact_tile), intent(in) :: tile
        tile%z = 0
    end subroutine

    ! Rows and columns behind a factor; those that make the matrix singular leave it as it was.
    ! Tiles in single are those that are not near the diagonal, where numbers are small.
    subroutine test_precisions(grid)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_matrix) :: A
        type(ompfact_tile_precisions) :: counts
        integer, allocatable :: map(:, :)
        integer :: i, j, tiles
        call ompfact_matrix_create(grid, ompfact_shape(n=n, nb=nb, type='z', tile_precision=1e-9_c_double, &
            structure=OMPFACT_HERMITIAN_LOWER), A)
        call ompfact_fill_entries_z(A, falling_entry)
        call ompfact_count_precisions(A, counts)
        call ompfact_precision_map(A, map)
        tiles = ompfact_tile_cols(A)
        call check('tiles at least two below the diagonal are in single', all(shape(map) == tiles) .and. &
            all([((map(i, j) == merge(-2, merge(1, 0, i > j + 1), i < j), i=1, tiles), j=1, tiles)]))
        call check('the counts of precisions are those of the map', &
            counts%single_tiles == count(map == 1) .and. counts%double_tiles == count(map == 0) .and. &
            counts%single_tiles > 0 .and. counts%widened == 0)
        call ompfact_matrix_destroy(A)
    end subroutine

    recursive subroutine falling_entry(i, j, value)
        integer(c_int64_t), intent(in) :: i, j
        complex(c_double_complex), intent(out) :: value
        value = merge(2.0_c_double, merge(1e-9_c_double, 0.01_c_double, abs(i - j) > nb), i == j)
    end subroutine

    subroutine test_append(grid)
        type(ompfact_grid), intent(in) :: grid
        integer, parameter :: first = 37
        type(ompfact_matrix) :: A, X
        integer :: structure, info, status
        do structure = OMPFACT_HERMITIAN_LOWER, OMPFACT_HERMITIAN_UPPER
            call ompfact_matrix_create(grid, ompfact_shape(n=first, nb=nb, type='z', structure=structure), A)
            call ompfact_fill_tiles(A, fill_tile)
            call ompfact_potrf_append(A, 3, fill_tile, status=status)
            call check('appending to a matrix without factors is refused', status == OMPFACT_BAD_ARGUMENT)
            call ompfact_potrf(A)
            call ompfact_potrf_append(A, 3, fill_zeros, info)
            call check('appended rows of zeros fail, and the factor stays', info == first + 1 .and. ompfact_rows(A) == first)
            call ompfact_potrf_append(A, n - first, fill_tile)
            call check('the factor has the appended rows', ompfact_rows(A) == n .and. ompfact_holds(A) == OMPFACT_HOLDS_CHOLESKY)
            call ompfact_matrix_create_rhs(A, 3, X)
            call ompfact_fill_tiles(X, fill_tile)
            call ompfact_potrs(A, X)
            call check('the longer factor solves', is_unit(X))
            call ompfact_matrix_destroy(A)
            call ompfact_matrix_destroy(X)
        end do
    end subroutine

    ! S is what is in A behind so many tiles, of a triangle that.
    logical function is_trailing(S, A, before)
        type(ompfact_matrix), intent(in) :: S, A
        integer, intent(in) :: before
        type(ompfact_tile) :: t, of_A
        integer :: i, j, status, c
        is_trailing = .true.
        i = 0
        j = 0
        do while (ompfact_next_tile(S, i, j))
            call ompfact_tile_get(S, i, j, t)
            call ompfact_tile_get(A, before + i, before + j, of_A, status)
            is_trailing = is_trailing .and. status == OMPFACT_SUCCESS
            if (.not. is_trailing) return
            do c = 1, t%nb
                is_trailing = is_trailing .and. t%d(min(c, t%mb), c) == of_A%d(min(c, t%mb), c)
                if (i /= j) is_trailing = is_trailing .and. all(t%d(:, c) == of_A%d(:, c))
            end do
        end do
    end function

    ! The first rows and columns of each factorization, the Schur complement that they leave, and the rest.
    subroutine test_parts(grid)
        type(ompfact_grid), intent(in) :: grid
        integer, parameter :: rows = 20, structures(4) = [OMPFACT_HERMITIAN_UPPER, OMPFACT_GENERAL, &
            OMPFACT_HERMITIAN_LOWER, OMPFACT_SYMMETRIC_UPPER]
        type(ompfact_matrix) :: A, S, X
        integer :: way, info, status
        do way = 1, 4
            call ompfact_matrix_create(grid, ompfact_shape(n=n, nb=nb, cut=rows, structure=structures(way)), A)
            call ompfact_matrix_create_rhs(A, 3, X)
            call ompfact_fill_entries_d(A, either_sign)
            call ompfact_fill_entries_d(X, either_sign)
            call ompfact_schur(A, .false., S, status)
            call check('a matrix without factors has no Schur complement', &
                status == OMPFACT_BAD_ARGUMENT .and. ompfact_eliminated(A) == 0)
            select case (way)       ! of which potrf would fail at the last row
            case (1); call ompfact_potrf_partial(A, rows, info)
            case (2); call ompfact_getrf_partial(A, rows, info)
            case (3); call ompfact_hetrf_partial(A, rows, info)
            case (4); call ompfact_sytrf_partial(A, rows, info)
            end select
            call check('a partial factorization eliminates its rows', &
                info == 0 .and. ompfact_eliminated(A) == rows .and. ompfact_holds(A) == OMPFACT_HOLDS_PART)
            call ompfact_schur(A, .false., S)
            call check('the Schur complement is the trailing matrix', ompfact_rows(S) == n - rows .and. is_trailing(S, A, 2))
            call ompfact_matrix_destroy(S)
            call ompfact_schur(A, .true., S)
            call check('a full Schur complement has both triangles', &
                ompfact_tile_rows(S) == 3 .and. ompfact_owner(S, 1, 3) >= 0 .and. &
                ompfact_owner(S, 3, 1) >= 0)
            select case (way)
            case (1)
                call ompfact_potrf(A, info)
                call check('Cholesky of all rows fails at the last one', info == n)
            case (2)
                call ompfact_getrf(A)
                call ompfact_getrs(A, X)
            case (3)
                call ompfact_hetrf(A)
                call ompfact_hetrs(A, X)
            case (4)
                call ompfact_sytrf(A)
                call ompfact_sytrs(A, X)
            end select
            call check('factors of all rows solve', way == 1 .or. is_unit(X))
            call ompfact_matrix_destroy(A)
            call ompfact_matrix_destroy(S)
            call ompfact_matrix_destroy(X)
        end do
    end subroutine

    ! QR and least squares of a matrix with more rows than columns.
    subroutine test_qr(grid)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_matrix) :: A, A0, F, B, B0, X, Q
        real(c_double) :: ratio
        call ompfact_matrix_create(grid, ompfact_shape(m=2*n, n=n, nb=nb, purpose=OMPFACT_FOR_LEAST_SQUARES), A)
        call ompfact_matrix_create_like(A, A0)
        call ompfact_matrix_create_like(A, F)
        call ompfact_matrix_create_rhs(A, 3, B)
        call ompfact_matrix_create_rhs(A, 3, B0)
        call ompfact_matrix_create_rhs(A, n, Q)
        call fill(A)
        call fill(A0)
        call fill(F)
        call fill(B)
        call fill(B0)
        call ompfact_gels(A, B, X)
        call check('gels has a solution of n rows', ompfact_rows(X) == n .and. ompfact_cols(X) == 3)
        call check('gels has the exact solution', is_unit(X))
        call ompfact_residual_gels(A0, X, B0, ratio)
        call check('gels has a small residual', ratio < 30)
        call ompfact_geqrf(F)
        call ompfact_ungqr(F, Q)
        call ompfact_unmqr(F, 'C', Q)
        call check('Q^H Q is the identity', is_unit(Q))
        call ompfact_residual_qr(A0, F, ratio)
        call check('geqrf has a small residual', ratio < 30)
        call ompfact_matrix_destroy(A)
        call ompfact_matrix_destroy(A0)
        call ompfact_matrix_destroy(F)
        call ompfact_matrix_destroy(B)
        call ompfact_matrix_destroy(B0)
        call ompfact_matrix_destroy(X)
        call ompfact_matrix_destroy(Q)
    end subroutine

    ! A whole array on the last rank, as ScaLAPACK's grid of one process has it; the sub-matrix begins at (2,3).
    subroutine test_arrays(grid)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_matrix) :: A
        real(c_double) :: there(n + 2, n + 3), back(n + 2, n + 3)
        integer(c_int64_t) :: i, j
        integer :: desc(9)
        desc = [1, 0, n + 2, n + 3, 8, 8, 0, 0, n + 2]
        there = 0
        back = 0
        do j = 1, n
            do i = 1, n
                if (ompfact_rank(grid) == ranks - 1) there(i + 1, j + 2) = real(element(i, j))
            end do
        end do
        call ompfact_matrix_create(grid, ompfact_shape(n=n, nb=nb), A)
        call ompfact_from_scalapack(A, desc, 1, 1, there, ia=2, ja=3, ranks=reshape([ranks - 1], [1, 1]))
        call ompfact_to_scalapack(A, desc, 1, 1, back, ia=2, ja=3, ranks=reshape([ranks - 1], [1, 1]))
        call check('an array returns unchanged', all(back == there))
        call ompfact_matrix_destroy(A)
    end subroutine

    ! What does not work tells why, where status and info are asked for.
    subroutine test_failures(grid)
        type(ompfact_grid), intent(in) :: grid
        type(ompfact_matrix) :: A
        type(ompfact_tile) :: tile
        integer :: status, info, ipiv(n), i
        call ompfact_matrix_create(grid, ompfact_shape(n=-1), A, status)
        call check('a negative size is refused with a message', &
            status == OMPFACT_BAD_ARGUMENT .and. len(ompfact_message(grid)) > 0)
        call ompfact_matrix_create(grid, ompfact_shape(n=n, nb=nb, layout='round'), A, status)
        call check('an unknown layout is named', status == OMPFACT_BAD_LAYOUT .and. index(ompfact_message(grid), 'round') > 0)
        call ompfact_matrix_create(grid, ompfact_shape(n=n, row_heights=[40, 20], col_widths=[40, 20], owner=last_rank), A)
        call check('the owner function decides the owners', ompfact_owner(A, 1, 2) == ranks - 1 .and. ompfact_owner(A, 2, 2) == 0)
        call check('the matrix has the given tile heights', ompfact_tile_rows(A) == 2 .and. ompfact_tile_height(A) == 40)
        call ompfact_tile_get(A, 1, 2, tile, status)
        call check('the owner alone gets a tile', &
            status == merge(OMPFACT_SUCCESS, OMPFACT_NOT_OWNER, ompfact_rank(grid) == ranks - 1))
        call check('a tile has its place and size', &
            status /= 0 .or. (tile%row == 1 .and. tile%col == 41 .and. all(shape(tile%d) == [40, 20])))
        call ompfact_fill_entries_s(A, entry_s, status)
        call check('a callback of another type is refused', status == OMPFACT_BAD_ARGUMENT)
        call ompfact_fill_entries_d(A, singular)
        call ompfact_getrf(A, info, status)
        call check('info is the first zero pivot', info == 2 .and. status == OMPFACT_SUCCESS)
        call ompfact_ipiv(A, ipiv)
        call check('no rows are interchanged', all(ipiv == [(i, i = 1, n)]))
        call ompfact_matrix_destroy(A)
    end subroutine
end module

program test_fortran
    use fortran_suite
    implicit none
    include 'mpif.h'
    type(ompfact_grid) :: grid
    character(4), parameter :: types = 'sdcz'
    integer :: k, level, all_failures, ierror
    call MPI_Init_thread(MPI_THREAD_SERIALIZED, level, ierror)
    call ompfact_grid_create(MPI_COMM_WORLD, grid, ompfact_options(threads=1, &
        pivot=OMPFACT_PIVOT_PARTIAL, butterfly=OMPFACT_BUTTERFLY_NONE))
    ranks = ompfact_ranks(grid)
    do k = 1, len(types)
        call test_solves(grid, types(k:k))
    end do
    call test_triangular(grid)
    call test_refined(grid)
    call test_indefinite(grid)
    call test_factors(grid)
    call test_append(grid)
    call test_precisions(grid)
    call test_parts(grid)
    call test_qr(grid)
    call test_arrays(grid)
    call test_failures(grid)
    call ompfact_barrier(grid)
    call ompfact_grid_destroy(grid)
    call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
    if (all_failures > 0) error stop 1
end program
