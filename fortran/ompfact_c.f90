! C's structures and functions of ompfact.h, for other modules of ompfact. Programs use the module ompfact.
module ompfact_c
    use, intrinsic :: iso_c_binding
    implicit none
    public

    integer, parameter :: c_message_length = 256, c_devices = 16

    type, bind(c) :: c_options
        integer(c_int) :: threads = 0, devices = 0
        type(c_ptr) :: device_backend = c_null_ptr
        real(c_double) :: host_share = 0
        integer(c_int64_t) :: device_memory = 0
        integer(c_int) :: emulate = 0, max_tasks = 0, cache_tiles = 0, watchdog_s = 0, schedule = 0, &
            bcast = 0, between_nodes = 0, pivot = 0, tree = 0, ib = 0
        logical(c_bool) :: copy_on_node = .false., pin_threads = .false., trace = .false., typical_rates = .false.
        type(c_funptr) :: progress = c_null_funptr
        type(c_ptr) :: progress_context = c_null_ptr
        integer(c_int) :: refinement = 0
        logical(c_bool) :: abft = .false.
        type(c_ptr) :: testing = c_null_ptr
        integer(c_int) :: butterfly = 0
        integer(c_int64_t) :: reserved(15) = 0
    end type

    type, bind(c) :: c_shape
        integer(c_int64_t) :: m = 0, n = 0
        character(kind=c_char) :: type = 'd'
        integer(c_int) :: structure = 0
        logical(c_bool) :: full_storage = .false.
        integer(c_int) :: nb = 0
        type(c_ptr) :: row_heights = c_null_ptr, col_widths = c_null_ptr
        integer(c_int) :: mt = 0, nt = 0
        type(c_ptr) :: layout = c_null_ptr, speeds = c_null_ptr
        integer(c_int) :: purpose = 0
        type(c_ptr) :: pattern = c_null_ptr
        type(c_funptr) :: owner = c_null_funptr
        type(c_ptr) :: owner_context = c_null_ptr, weights = c_null_ptr, node_of = c_null_ptr
        integer(c_int) :: nodes = 0
        real(c_double) :: accuracy = 0
        integer(c_int) :: band = 0, max_rank = 0
        integer(c_int64_t) :: cut = 0, copies = 0
        real(c_double) :: tile_precision = 0
        integer(c_int64_t) :: bf16_tiles = 0, reserved(12) = 0
    end type

    type, bind(c) :: c_tile
        integer(c_int) :: i, j
        integer(c_int64_t) :: row, col
        integer(c_int) :: mb, nb, ld
        type(c_ptr) :: data
    end type

    type, bind(c) :: c_scalapack
        type(c_ptr) :: desc
        integer(c_int) :: nprow, npcol
        type(c_ptr) :: rank
        integer(c_int64_t) :: ia, ja
    end type

    ! The fields are those of ompfact.h. The module ompfact makes this type public.
    type, bind(c) :: ompfact_tile_precisions
        integer(c_int64_t) :: double_tiles, single_tiles, widened, bytes, bf16_tiles
    end type

    ! The report of the last call, with the fields of ompfact.h. The module ompfact makes this type public.
    type, bind(c) :: ompfact_report
        real(c_double) :: seconds, flops, flops_max_over_mean
        integer(c_int64_t) :: transfers, transfer_bytes, transfers_predicted
        integer(c_int) :: cache_tiles, cache_peak_tiles, tasks_peak
        integer(c_int64_t) :: rows_exchanged
        real(c_double) :: flops_per_device(c_devices), host_update_flops
        integer(c_int64_t) :: bytes_to_devices, bytes_from_devices, device_tiles, device_tiles_left
        integer(c_int) :: max_uploads_per_tile
        integer(c_int64_t) :: candidate_tiles, wire_transfers, wire_bytes, wire_transfers_predicted
        integer(c_int64_t) :: device_waits, device_allocations, bytes_between_devices, bytes_unpinned
        integer(c_int) :: checkpoints, restarted_from_step
        integer(c_int64_t) :: tiles_restored, faults_found, faults_corrected
        real(c_double) :: flops_dense, register_s
        integer(c_int64_t) :: transfers_sums, transfers_home
        real(c_double) :: device_narrow_flops
        integer(c_int64_t) :: reserved(13)
    end type

    ! Each function has an interface of its own. If functions share one, by "procedure(form), bind(c, name='...') :: c_...",
    ! gfortran 12 passes type(c_ptr) by reference from the second call in a module on, although the form has VALUE.
    interface
        ! In handles.c: ompfact_grid_create() for an MPI communicator of Fortran.
        integer(c_int) function c_grid_create(comm, options, grid, message) bind(c, name='ompfact_fortran_grid_create')
            import
            integer(c_int), value :: comm
            type(c_options), intent(in) :: options
            type(c_ptr), intent(out) :: grid
            character(kind=c_char), intent(out) :: message(*)
        end function
        integer(c_int) function c_matrix_create(grid, shape, a) bind(c, name='ompfact_matrix_create')
            import
            type(c_ptr), value :: grid
            type(c_shape), intent(in) :: shape
            type(c_ptr), intent(out) :: a
        end function
        integer(c_int) function c_matrix_create_like(a, b) bind(c, name='ompfact_matrix_create_like')
            import
            type(c_ptr), value :: a
            type(c_ptr), intent(out) :: b
        end function
        integer(c_int) function c_matrix_create_rhs(a, nrhs, b) bind(c, name='ompfact_matrix_create_rhs')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), value :: nrhs
            type(c_ptr), intent(out) :: b
        end function
        character(kind=c_char) function c_type(a) bind(c, name='ompfact_type')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_holds(a) bind(c, name='ompfact_holds')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_count_precisions(a, precisions) bind(c, name='ompfact_count_precisions')
            import
            type(c_ptr), value :: a
            type(ompfact_tile_precisions), intent(out) :: precisions
        end function
        integer(c_int) function c_precision_map(a, precisions) bind(c, name='ompfact_precision_map')
            import
            type(c_ptr), value :: a
            integer(c_int), intent(out) :: precisions(*)
        end function
        integer(c_int) function c_owner(a, i, j) bind(c, name='ompfact_owner')
            import
            type(c_ptr), value :: a
            integer(c_int), value :: i, j
        end function
        logical(c_bool) function c_next_tile(a, i, j) bind(c, name='ompfact_next_tile')
            import
            type(c_ptr), value :: a
            integer(c_int), intent(inout) :: i, j
        end function
        integer(c_int) function c_tile_get(a, i, j, tile) bind(c, name='ompfact_tile_get')
            import
            type(c_ptr), value :: a
            integer(c_int), value :: i, j
            type(c_tile), intent(out) :: tile
        end function
        subroutine c_tile_restore(a, tile) bind(c, name='ompfact_tile_restore')
            import
            type(c_ptr), value :: a
            type(c_tile), intent(inout) :: tile
        end subroutine
        integer(c_int) function c_find_not_finite(a, row, col, nan) bind(c, name='ompfact_find_not_finite')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: row, col
            logical(c_bool), intent(out) :: nan
        end function
        subroutine c_ipiv(a, ipiv) bind(c, name='ompfact_ipiv')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: ipiv(*)
        end subroutine
        integer(c_int) function c_trsm(side, uplo, trans, unit, alpha_re, alpha_im, a, b) bind(c, name='ompfact_trsm')
            import
            integer(c_int), value :: side, uplo, trans
            logical(c_bool), value :: unit
            real(c_double), value :: alpha_re, alpha_im
            type(c_ptr), value :: a, b
        end function
        integer(c_int) function c_zero_on_diagonal(a, info) bind(c, name='ompfact_zero_on_diagonal')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_trtri(a, unit, info) bind(c, name='ompfact_trtri')
            import
            type(c_ptr), value :: a
            logical(c_bool), value :: unit
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_unmqr(a, conj_trans, c) bind(c, name='ompfact_unmqr')
            import
            type(c_ptr), value :: a, c
            logical(c_bool), value :: conj_trans
        end function
        integer(c_int) function c_gels(a, b, x, info) bind(c, name='ompfact_gels')
            import
            type(c_ptr), value :: a, b
            type(c_ptr), intent(out) :: x
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_determinant(a, logabs, sign_re, sign_im) bind(c, name='ompfact_determinant')
            import
            type(c_ptr), value :: a
            real(c_double), intent(out) :: logabs, sign_re, sign_im
        end function
        integer(c_int) function c_smallest_pivot(a, pivot, k) bind(c, name='ompfact_smallest_pivot')
            import
            type(c_ptr), value :: a
            real(c_double), intent(out) :: pivot
            integer(c_int64_t), intent(out) :: k
        end function
        integer(c_int) function c_rcond(a, norm, rcond) bind(c, name='ompfact_rcond')
            import
            type(c_ptr), value :: a
            real(c_double), value :: norm
            real(c_double), intent(out) :: rcond
        end function
        integer(c_int) function c_residual_inverse(a, x, triangular, ratio) bind(c, name='ompfact_residual_inverse')
            import
            type(c_ptr), value :: a, x
            logical(c_bool), value :: triangular
            real(c_double), intent(out) :: ratio
        end function
        type(ompfact_report) function c_last_report(a) bind(c, name='ompfact_last_report')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_trace_write(grid, path) bind(c, name='ompfact_trace_write')
            import
            type(c_ptr), value :: grid
            character(kind=c_char), intent(in) :: path(*)
        end function
        subroutine c_grid_destroy(a) bind(c, name='ompfact_grid_destroy')
            import
            type(c_ptr), intent(inout) :: a
        end subroutine
        integer(c_int) function c_rank(a) bind(c, name='ompfact_rank')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_ranks(a) bind(c, name='ompfact_ranks')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_threads(a) bind(c, name='ompfact_threads')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_grid_devices(a) bind(c, name='ompfact_devices')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_barrier(a) bind(c, name='ompfact_barrier')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_bring_home(a) bind(c, name='ompfact_bring_home')
            import
            type(c_ptr), value :: a
        end function
        type(c_ptr) function c_message(a) bind(c, name='ompfact_message')
            import
            type(c_ptr), value :: a
        end function
        subroutine c_matrix_destroy(a) bind(c, name='ompfact_matrix_destroy')
            import
            type(c_ptr), intent(inout) :: a
        end subroutine
        integer(c_int64_t) function c_rows(a) bind(c, name='ompfact_rows')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int64_t) function c_cols(a) bind(c, name='ompfact_cols')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_tile_rows(a) bind(c, name='ompfact_tile_rows')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_tile_cols(a) bind(c, name='ompfact_tile_cols')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_tile_height(a) bind(c, name='ompfact_tile_height')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_tile_width(a) bind(c, name='ompfact_tile_width')
            import
            type(c_ptr), value :: a
        end function
        type(c_ptr) function c_layout(a) bind(c, name='ompfact_layout')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_fill_entries(a, f, context) bind(c, name='ompfact_fill_entries')
            import
            type(c_ptr), value :: a, context
            type(c_funptr), value :: f
        end function
        integer(c_int) function c_fill_tiles(a, f, context) bind(c, name='ompfact_fill_tiles')
            import
            type(c_ptr), value :: a, context
            type(c_funptr), value :: f
        end function
        integer(c_int) function c_potrf(a, info) bind(c, name='ompfact_potrf')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_getrf(a, info) bind(c, name='ompfact_getrf')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_potrf_partial(a, rows, info) bind(c, name='ompfact_potrf_partial')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), value :: rows
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_getrf_partial(a, rows, info) bind(c, name='ompfact_getrf_partial')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), value :: rows
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_potrf_append(a, m, f, context, info) bind(c, name='ompfact_potrf_append')
            import
            type(c_ptr), value :: a, context
            integer(c_int64_t), value :: m
            type(c_funptr), value :: f
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int64_t) function c_eliminated(a) bind(c, name='ompfact_eliminated')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_schur(a, both, s) bind(c, name='ompfact_schur')
            import
            type(c_ptr), value :: a
            logical(c_bool), value :: both
            type(c_ptr), intent(out) :: s
        end function
        integer(c_int) function c_potri(a, info) bind(c, name='ompfact_potri')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_getri(a, info) bind(c, name='ompfact_getri')
            import
            type(c_ptr), value :: a
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_geqrf(a) bind(c, name='ompfact_geqrf')
            import
            type(c_ptr), value :: a
        end function
        integer(c_int) function c_potrs(a, b) bind(c, name='ompfact_potrs')
            import
            type(c_ptr), value :: a, b
        end function
        integer(c_int) function c_getrs(a, b) bind(c, name='ompfact_getrs')
            import
            type(c_ptr), value :: a, b
        end function
        integer(c_int) function c_ungqr(a, b) bind(c, name='ompfact_ungqr')
            import
            type(c_ptr), value :: a, b
        end function
        integer(c_int) function c_posv(a, b, info) bind(c, name='ompfact_posv')
            import
            type(c_ptr), value :: a, b
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_gesv(a, b, info) bind(c, name='ompfact_gesv')
            import
            type(c_ptr), value :: a, b
            integer(c_int64_t), intent(out) :: info
        end function
        integer(c_int) function c_posv_refined(a, b, info, iterations) bind(c, name='ompfact_posv_refined')
            import
            type(c_ptr), value :: a, b
            integer(c_int64_t), intent(out) :: info
            integer(c_int), intent(out) :: iterations
        end function
        integer(c_int) function c_gesv_refined(a, b, info, iterations) bind(c, name='ompfact_gesv_refined')
            import
            type(c_ptr), value :: a, b
            integer(c_int64_t), intent(out) :: info
            integer(c_int), intent(out) :: iterations
        end function
        integer(c_int) function c_redistribute(a, b) bind(c, name='ompfact_redistribute')
            import
            type(c_ptr), value :: a, b
        end function
        integer(c_int) function c_from_scalapack(a, where, local) bind(c, name='ompfact_from_scalapack')
            import
            type(c_ptr), value :: a
            type(c_scalapack), intent(in) :: where
            type(*) :: local(*)
        end function
        integer(c_int) function c_to_scalapack(a, where, local) bind(c, name='ompfact_to_scalapack')
            import
            type(c_ptr), value :: a
            type(c_scalapack), intent(in) :: where
            type(*) :: local(*)
        end function
        integer(c_int) function c_norm1(a, x) bind(c, name='ompfact_norm1')
            import
            type(c_ptr), value :: a
            real(c_double), intent(out) :: x
        end function
        integer(c_int) function c_residual_factors(a, b, x) bind(c, name='ompfact_residual_factors')
            import
            type(c_ptr), value :: a, b
            real(c_double), intent(out) :: x
        end function
        integer(c_int) function c_residual_qr(a, b, x) bind(c, name='ompfact_residual_qr')
            import
            type(c_ptr), value :: a, b
            real(c_double), intent(out) :: x
        end function
        integer(c_int) function c_growth(a, b, x) bind(c, name='ompfact_growth')
            import
            type(c_ptr), value :: a, b
            real(c_double), intent(out) :: x
        end function
        integer(c_int) function c_residual_solve(a, b, c, x) bind(c, name='ompfact_residual_solve')
            import
            type(c_ptr), value :: a, b, c
            real(c_double), intent(out) :: x
        end function
        integer(c_int) function c_residual_gels(a, b, c, x) bind(c, name='ompfact_residual_gels')
            import
            type(c_ptr), value :: a, b, c
            real(c_double), intent(out) :: x
        end function
        integer(c_size_t) function c_strlen(text) bind(c, name='strlen')
            import
            type(c_ptr), value :: text
        end function
    end interface
end module
