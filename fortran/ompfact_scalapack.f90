! ScaLAPACK's routines as ompfact computes them: ScaLAPACK's names and arguments, behind ompfact_. A program that uses this module
! links libompfact_scalapack. Any other routine of ScaLAPACK goes on with what these leave, Cholesky and LU factors included.
module ompfact_scalapack
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_float, c_double, c_float_complex, c_double_complex
    implicit none
    public

    interface
        subroutine ompfact_pspotrf(uplo, n, a, ia, ja, desca, info) bind(c, name='ompfact_pspotrf_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, ia, ja, desca(*), info
            real(c_float) :: a(*)
        end subroutine
        subroutine ompfact_pspotrs(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info) bind(c, name='ompfact_pspotrs_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ib, jb, descb(*), info
            real(c_float) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pspotri(uplo, n, a, ia, ja, desca, info) bind(c, name='ompfact_pspotri_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, ia, ja, desca(*), info
            real(c_float) :: a(*)
        end subroutine
        subroutine ompfact_psposv(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info) bind(c, name='ompfact_psposv_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ib, jb, descb(*), info
            real(c_float) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pstrtri(uplo, diag, n, a, ia, ja, desca, info) bind(c, name='ompfact_pstrtri_')
            import
            character(kind=c_char) :: uplo, diag
            integer(c_int) :: n, ia, ja, desca(*), info
            real(c_float) :: a(*)
        end subroutine
        subroutine ompfact_pstrsm(side, uplo, transa, diag, m, n, alpha, a, ia, ja, desca, b, ib, jb, descb) &
            bind(c, name='ompfact_pstrsm_')
            import
            character(kind=c_char) :: side, uplo, transa, diag
            integer(c_int) :: m, n, ia, ja, desca(*), ib, jb, descb(*)
            real(c_float) :: alpha, a(*), b(*)
        end subroutine
        subroutine ompfact_psgetrf(m, n, a, ia, ja, desca, ipiv, info) bind(c, name='ompfact_psgetrf_')
            import
            integer(c_int) :: m, n, ia, ja, desca(*), ipiv(*), info
            real(c_float) :: a(*)
        end subroutine
        subroutine ompfact_psgetrs(trans, n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info) &
            bind(c, name='ompfact_psgetrs_')
            import
            character(kind=c_char) :: trans
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ipiv(*), ib, jb, descb(*), info
            real(c_float) :: a(*), b(*)
        end subroutine
        subroutine ompfact_psgetri(n, a, ia, ja, desca, ipiv, work, lwork, iwork, liwork, info) bind(c, name='ompfact_psgetri_')
            import
            integer(c_int) :: n, ia, ja, desca(*), ipiv(*), lwork, iwork(*), liwork, info
            real(c_float) :: a(*), work(*)
        end subroutine
        subroutine ompfact_psgesv(n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info) bind(c, name='ompfact_psgesv_')
            import
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ipiv(*), ib, jb, descb(*), info
            real(c_float) :: a(*), b(*)
        end subroutine
        subroutine ompfact_psgeqrf(m, n, a, ia, ja, desca, tau, work, lwork, info) bind(c, name='ompfact_psgeqrf_')
            import
            integer(c_int) :: m, n, ia, ja, desca(*), lwork, info
            real(c_float) :: a(*), tau(*), work(*)
        end subroutine
        subroutine ompfact_psormqr(side, trans, m, n, k, a, ia, ja, desca, tau, c, ic, jc, descc, work, lwork, info) &
            bind(c, name='ompfact_psormqr_')
            import
            character(kind=c_char) :: side, trans
            integer(c_int) :: m, n, k, ia, ja, desca(*), ic, jc, descc(*), lwork, info
            real(c_float) :: a(*), tau(*), c(*), work(*)
        end subroutine
        subroutine ompfact_psorgqr(m, n, k, a, ia, ja, desca, tau, work, lwork, info) bind(c, name='ompfact_psorgqr_')
            import
            integer(c_int) :: m, n, k, ia, ja, desca(*), lwork, info
            real(c_float) :: a(*), tau(*), work(*)
        end subroutine
        subroutine ompfact_psgels(trans, m, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, work, lwork, info) &
            bind(c, name='ompfact_psgels_')
            import
            character(kind=c_char) :: trans
            integer(c_int) :: m, n, nrhs, ia, ja, desca(*), ib, jb, descb(*), lwork, info
            real(c_float) :: a(*), b(*), work(*)
        end subroutine
        subroutine ompfact_pdpotrf(uplo, n, a, ia, ja, desca, info) bind(c, name='ompfact_pdpotrf_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, ia, ja, desca(*), info
            real(c_double) :: a(*)
        end subroutine
        subroutine ompfact_pdpotrs(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info) bind(c, name='ompfact_pdpotrs_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ib, jb, descb(*), info
            real(c_double) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pdpotri(uplo, n, a, ia, ja, desca, info) bind(c, name='ompfact_pdpotri_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, ia, ja, desca(*), info
            real(c_double) :: a(*)
        end subroutine
        subroutine ompfact_pdposv(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info) bind(c, name='ompfact_pdposv_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ib, jb, descb(*), info
            real(c_double) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pdtrtri(uplo, diag, n, a, ia, ja, desca, info) bind(c, name='ompfact_pdtrtri_')
            import
            character(kind=c_char) :: uplo, diag
            integer(c_int) :: n, ia, ja, desca(*), info
            real(c_double) :: a(*)
        end subroutine
        subroutine ompfact_pdtrsm(side, uplo, transa, diag, m, n, alpha, a, ia, ja, desca, b, ib, jb, descb) &
            bind(c, name='ompfact_pdtrsm_')
            import
            character(kind=c_char) :: side, uplo, transa, diag
            integer(c_int) :: m, n, ia, ja, desca(*), ib, jb, descb(*)
            real(c_double) :: alpha, a(*), b(*)
        end subroutine
        subroutine ompfact_pdgetrf(m, n, a, ia, ja, desca, ipiv, info) bind(c, name='ompfact_pdgetrf_')
            import
            integer(c_int) :: m, n, ia, ja, desca(*), ipiv(*), info
            real(c_double) :: a(*)
        end subroutine
        subroutine ompfact_pdgetrs(trans, n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info) &
            bind(c, name='ompfact_pdgetrs_')
            import
            character(kind=c_char) :: trans
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ipiv(*), ib, jb, descb(*), info
            real(c_double) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pdgetri(n, a, ia, ja, desca, ipiv, work, lwork, iwork, liwork, info) bind(c, name='ompfact_pdgetri_')
            import
            integer(c_int) :: n, ia, ja, desca(*), ipiv(*), lwork, iwork(*), liwork, info
            real(c_double) :: a(*), work(*)
        end subroutine
        subroutine ompfact_pdgesv(n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info) bind(c, name='ompfact_pdgesv_')
            import
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ipiv(*), ib, jb, descb(*), info
            real(c_double) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pdgeqrf(m, n, a, ia, ja, desca, tau, work, lwork, info) bind(c, name='ompfact_pdgeqrf_')
            import
            integer(c_int) :: m, n, ia, ja, desca(*), lwork, info
            real(c_double) :: a(*), tau(*), work(*)
        end subroutine
        subroutine ompfact_pdormqr(side, trans, m, n, k, a, ia, ja, desca, tau, c, ic, jc, descc, work, lwork, info) &
            bind(c, name='ompfact_pdormqr_')
            import
            character(kind=c_char) :: side, trans
            integer(c_int) :: m, n, k, ia, ja, desca(*), ic, jc, descc(*), lwork, info
            real(c_double) :: a(*), tau(*), c(*), work(*)
        end subroutine
        subroutine ompfact_pdorgqr(m, n, k, a, ia, ja, desca, tau, work, lwork, info) bind(c, name='ompfact_pdorgqr_')
            import
            integer(c_int) :: m, n, k, ia, ja, desca(*), lwork, info
            real(c_double) :: a(*), tau(*), work(*)
        end subroutine
        subroutine ompfact_pdgels(trans, m, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, work, lwork, info) &
            bind(c, name='ompfact_pdgels_')
            import
            character(kind=c_char) :: trans
            integer(c_int) :: m, n, nrhs, ia, ja, desca(*), ib, jb, descb(*), lwork, info
            real(c_double) :: a(*), b(*), work(*)
        end subroutine
        subroutine ompfact_pcpotrf(uplo, n, a, ia, ja, desca, info) bind(c, name='ompfact_pcpotrf_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, ia, ja, desca(*), info
            complex(c_float_complex) :: a(*)
        end subroutine
        subroutine ompfact_pcpotrs(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info) bind(c, name='ompfact_pcpotrs_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ib, jb, descb(*), info
            complex(c_float_complex) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pcpotri(uplo, n, a, ia, ja, desca, info) bind(c, name='ompfact_pcpotri_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, ia, ja, desca(*), info
            complex(c_float_complex) :: a(*)
        end subroutine
        subroutine ompfact_pcposv(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info) bind(c, name='ompfact_pcposv_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ib, jb, descb(*), info
            complex(c_float_complex) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pctrtri(uplo, diag, n, a, ia, ja, desca, info) bind(c, name='ompfact_pctrtri_')
            import
            character(kind=c_char) :: uplo, diag
            integer(c_int) :: n, ia, ja, desca(*), info
            complex(c_float_complex) :: a(*)
        end subroutine
        subroutine ompfact_pctrsm(side, uplo, transa, diag, m, n, alpha, a, ia, ja, desca, b, ib, jb, descb) &
            bind(c, name='ompfact_pctrsm_')
            import
            character(kind=c_char) :: side, uplo, transa, diag
            integer(c_int) :: m, n, ia, ja, desca(*), ib, jb, descb(*)
            complex(c_float_complex) :: alpha, a(*), b(*)
        end subroutine
        subroutine ompfact_pcgetrf(m, n, a, ia, ja, desca, ipiv, info) bind(c, name='ompfact_pcgetrf_')
            import
            integer(c_int) :: m, n, ia, ja, desca(*), ipiv(*), info
            complex(c_float_complex) :: a(*)
        end subroutine
        subroutine ompfact_pcgetrs(trans, n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info) &
            bind(c, name='ompfact_pcgetrs_')
            import
            character(kind=c_char) :: trans
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ipiv(*), ib, jb, descb(*), info
            complex(c_float_complex) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pcgetri(n, a, ia, ja, desca, ipiv, work, lwork, iwork, liwork, info) bind(c, name='ompfact_pcgetri_')
            import
            integer(c_int) :: n, ia, ja, desca(*), ipiv(*), lwork, iwork(*), liwork, info
            complex(c_float_complex) :: a(*), work(*)
        end subroutine
        subroutine ompfact_pcgesv(n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info) bind(c, name='ompfact_pcgesv_')
            import
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ipiv(*), ib, jb, descb(*), info
            complex(c_float_complex) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pcgeqrf(m, n, a, ia, ja, desca, tau, work, lwork, info) bind(c, name='ompfact_pcgeqrf_')
            import
            integer(c_int) :: m, n, ia, ja, desca(*), lwork, info
            complex(c_float_complex) :: a(*), tau(*), work(*)
        end subroutine
        subroutine ompfact_pcunmqr(side, trans, m, n, k, a, ia, ja, desca, tau, c, ic, jc, descc, work, lwork, info) &
            bind(c, name='ompfact_pcunmqr_')
            import
            character(kind=c_char) :: side, trans
            integer(c_int) :: m, n, k, ia, ja, desca(*), ic, jc, descc(*), lwork, info
            complex(c_float_complex) :: a(*), tau(*), c(*), work(*)
        end subroutine
        subroutine ompfact_pcungqr(m, n, k, a, ia, ja, desca, tau, work, lwork, info) bind(c, name='ompfact_pcungqr_')
            import
            integer(c_int) :: m, n, k, ia, ja, desca(*), lwork, info
            complex(c_float_complex) :: a(*), tau(*), work(*)
        end subroutine
        subroutine ompfact_pcgels(trans, m, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, work, lwork, info) &
            bind(c, name='ompfact_pcgels_')
            import
            character(kind=c_char) :: trans
            integer(c_int) :: m, n, nrhs, ia, ja, desca(*), ib, jb, descb(*), lwork, info
            complex(c_float_complex) :: a(*), b(*), work(*)
        end subroutine
        subroutine ompfact_pzpotrf(uplo, n, a, ia, ja, desca, info) bind(c, name='ompfact_pzpotrf_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, ia, ja, desca(*), info
            complex(c_double_complex) :: a(*)
        end subroutine
        subroutine ompfact_pzpotrs(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info) bind(c, name='ompfact_pzpotrs_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ib, jb, descb(*), info
            complex(c_double_complex) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pzpotri(uplo, n, a, ia, ja, desca, info) bind(c, name='ompfact_pzpotri_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, ia, ja, desca(*), info
            complex(c_double_complex) :: a(*)
        end subroutine
        subroutine ompfact_pzposv(uplo, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, info) bind(c, name='ompfact_pzposv_')
            import
            character(kind=c_char) :: uplo
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ib, jb, descb(*), info
            complex(c_double_complex) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pztrtri(uplo, diag, n, a, ia, ja, desca, info) bind(c, name='ompfact_pztrtri_')
            import
            character(kind=c_char) :: uplo, diag
            integer(c_int) :: n, ia, ja, desca(*), info
            complex(c_double_complex) :: a(*)
        end subroutine
        subroutine ompfact_pztrsm(side, uplo, transa, diag, m, n, alpha, a, ia, ja, desca, b, ib, jb, descb) &
            bind(c, name='ompfact_pztrsm_')
            import
            character(kind=c_char) :: side, uplo, transa, diag
            integer(c_int) :: m, n, ia, ja, desca(*), ib, jb, descb(*)
            complex(c_double_complex) :: alpha, a(*), b(*)
        end subroutine
        subroutine ompfact_pzgetrf(m, n, a, ia, ja, desca, ipiv, info) bind(c, name='ompfact_pzgetrf_')
            import
            integer(c_int) :: m, n, ia, ja, desca(*), ipiv(*), info
            complex(c_double_complex) :: a(*)
        end subroutine
        subroutine ompfact_pzgetrs(trans, n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info) &
            bind(c, name='ompfact_pzgetrs_')
            import
            character(kind=c_char) :: trans
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ipiv(*), ib, jb, descb(*), info
            complex(c_double_complex) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pzgetri(n, a, ia, ja, desca, ipiv, work, lwork, iwork, liwork, info) bind(c, name='ompfact_pzgetri_')
            import
            integer(c_int) :: n, ia, ja, desca(*), ipiv(*), lwork, iwork(*), liwork, info
            complex(c_double_complex) :: a(*), work(*)
        end subroutine
        subroutine ompfact_pzgesv(n, nrhs, a, ia, ja, desca, ipiv, b, ib, jb, descb, info) bind(c, name='ompfact_pzgesv_')
            import
            integer(c_int) :: n, nrhs, ia, ja, desca(*), ipiv(*), ib, jb, descb(*), info
            complex(c_double_complex) :: a(*), b(*)
        end subroutine
        subroutine ompfact_pzgeqrf(m, n, a, ia, ja, desca, tau, work, lwork, info) bind(c, name='ompfact_pzgeqrf_')
            import
            integer(c_int) :: m, n, ia, ja, desca(*), lwork, info
            complex(c_double_complex) :: a(*), tau(*), work(*)
        end subroutine
        subroutine ompfact_pzunmqr(side, trans, m, n, k, a, ia, ja, desca, tau, c, ic, jc, descc, work, lwork, info) &
            bind(c, name='ompfact_pzunmqr_')
            import
            character(kind=c_char) :: side, trans
            integer(c_int) :: m, n, k, ia, ja, desca(*), ic, jc, descc(*), lwork, info
            complex(c_double_complex) :: a(*), tau(*), c(*), work(*)
        end subroutine
        subroutine ompfact_pzungqr(m, n, k, a, ia, ja, desca, tau, work, lwork, info) bind(c, name='ompfact_pzungqr_')
            import
            integer(c_int) :: m, n, k, ia, ja, desca(*), lwork, info
            complex(c_double_complex) :: a(*), tau(*), work(*)
        end subroutine
        subroutine ompfact_pzgels(trans, m, n, nrhs, a, ia, ja, desca, b, ib, jb, descb, work, lwork, info) &
            bind(c, name='ompfact_pzgels_')
            import
            character(kind=c_char) :: trans
            integer(c_int) :: m, n, nrhs, ia, ja, desca(*), ib, jb, descb(*), lwork, info
            complex(c_double_complex) :: a(*), b(*), work(*)
        end subroutine
    end interface
end module
