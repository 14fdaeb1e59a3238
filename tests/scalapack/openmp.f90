! A ScaLAPACK program with its own OpenMP threads, by GNU's runtime. It fills a matrix and checks a solution in parallel
! regions, before and after PDPOSV. It may be compiled to trap floating-point exceptions.
program openmp
  use omp_lib
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 300, nb = 32
  integer :: context, nprow, npcol, myrow, mycol, ierr, info, level, ranks, i, j, k, columns, round
  integer :: desca(9), descb(9)
  integer, external :: numroc
  double precision, allocatable :: a(:, :), b(:)
  double precision :: error
  call mpi_init_thread(mpi_thread_funneled, level, ierr)
  call mpi_comm_size(mpi_comm_world, ranks, ierr)
  call blacs_get(-1, 0, context)
  call blacs_gridinit(context, 'R', 1, ranks)
  call blacs_gridinfo(context, nprow, npcol, myrow, mycol)
  columns = numroc(n, nb, mycol, 0, npcol)
  allocate (a(n, max(1, columns)), b(n))
  call descinit(desca, n, n, nb, nb, 0, 0, context, n, info)
  call descinit(descb, n, 1, nb, nb, 0, 0, context, n, info)
  error = 0
  do round = 1, 3
    !$omp parallel do private(i, k)
    do j = 1, columns
      k = ((j - 1)/nb*npcol + mycol)*nb + mod(j - 1, nb) + 1
      do i = 1, n
        a(i, j) = 1d0/(1 + abs(i - k))
        if (i == k) a(i, j) = a(i, j) + 20
      end do
    end do
    b = 20
    do k = 1, n
      b = b + [(1d0/(1 + abs(i - k)), i=1, n)]
    end do
    call pdposv('L', n, 1, a, 1, 1, desca, b, 1, 1, descb, info)
    if (info /= 0) error = 1
    if (mycol == 0) then
      !$omp parallel do reduction(max:error)
      do i = 1, n
        error = max(error, abs(b(i) - 1))
      end do
    end if
  end do
  if (mycol == 0) print '(a, i0, a, es8.1)', 'threads ', omp_get_max_threads(), ', error ', error
  call blacs_gridexit(context)
  call mpi_finalize(ierr)
  if (error > 1d-10) stop 1
end program
