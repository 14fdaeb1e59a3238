! A forecast of the transfers, the memory and the time of a Cholesky factorization of n = 50000 on 23 ranks of 64 threads. The program
! starts no MPI. The bounds are for nodes with this machine's cores and rates. The command prints the same numbers:
!
!     ompfact --dry-run --ranks 23 --threads 64 --dim 50000 --wire 100gbit --json - --quiet potrf
!
!     gfortran -o cholesky_forecast cholesky_forecast.f90 $(pkg-config --cflags --libs ompfact_fortran)
!     ./cholesky_forecast
program cholesky_forecast
    use ompfact
    implicit none
    type(ompfact_plan) :: plan
    type(ompfact_forecast) :: f

    call ompfact_plan_create(ompfact_job(routine='potrf', ranks=23, options=ompfact_options(threads=64), wire_rate=100d9 / 8, &
        shape=ompfact_shape(n=50000, structure=OMPFACT_HERMITIAN_LOWER), bounds=.true.), plan)
    f = ompfact_plan_forecast(plan)
    print '(2a)', 'layout               ', ompfact_text(f%layout)
    print '(a, i0)', 'nb                   ', f%nb
    print '(a, i0)', 'transfers            ', f%transfers
    print '(a, i0)', 'transfer_bytes       ', f%transfer_bytes
    print '(a, i0)', 'memory_bytes_max     ', f%memory_bytes_max
    print '(a, i0)', 'tiles_max            ', f%tiles_max
    print '(a, i0)', 'tiles_min            ', f%tiles_min
    print '(a, g0.6)', 'flops_max_over_mean  ', f%flops_max_over_mean
    print '(a, g0.6)', 'work_bound_s         ', f%work_bound_s
    print '(a, g0.6)', 'link_bound_s         ', f%link_bound_s
    print '(a, g0.6)', 'chain_bound_s        ', f%chain_bound_s
    call ompfact_plan_destroy(plan)
end program
