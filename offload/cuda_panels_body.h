/* Panels in one piece, in one precision; cuda_kernels.c includes this file once for each, behind its kernels. */

/* The bytes of each part of the lane's memory, for an m x n panel with so many pivots or reflectors. */
static size_t NAME(panel_column)(int count)
{
    return aligned((size_t)count * sizeof(SCALAR));
}

static size_t NAME(panel_square)(int count)
{
    return aligned((size_t)count * (size_t)count * sizeof(SCALAR));
}

static int NAME(geqrf_size)(struct cuda_lane *lane, int m, int n, void *A, int lda)
{
    return NAME(size_of)(lane, 'Q', NAME(library)()->geqrf_size, m, n, A, lda, "geqrf_bufferSize");
}

/* The workspace has info, pivots, the results of the last kernel's search for a pivot, a copy of the panel, and cuSOLVER's own.
   As in getrf without pivoting, a kernel repeats the factorization if a pivot was zero. */
static int NAME(panel_getrf)(int m, int n, void *A, int lda, int *swap, bool reports)
{
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, A, lda);
    int count = m < n ? m : n, size = lane == NULL ? 0 : NAME(getrf_size)(lane, m, n, A, lda);
    size_t width = (size_t)m * sizeof(SCALAR), all = aligned(width * (size_t)n), pivots = NAME(panel_column)(count);
    char *work = lane == NULL ? NULL : cuda_work(lane, INFO_BYTES + pivots + RESULT_BYTES + all + (size_t)size * sizeof(SCALAR));
    if (work == NULL)
        return 0;
    char *ipiv = work + INFO_BYTES, *results = ipiv + pivots, *kept = results + RESULT_BYTES;
    cuda_move_columns(kept, width, A, (size_t)lda * sizeof(SCALAR), width, (size_t)n, CUDA_ON_DEVICE);
    if (!cuda_solver_ok(NAME(library)()->getrf(lane->solver, m, n, A, lda, kept + all, (int *)ipiv, (int *)work), "getrf"))
        return 0;
    launch(lane, device_now()->getrf_pivoted[type_index(LETTER_TEXT(LETTER))], 1, THREADS_OF_ONE,
           (void *[]){ &work, &ipiv, &m, &n, &kept, &A, &lda, &results });
    cuda_ok(cuda_now()->copy(swap, ipiv, (size_t)count * sizeof *swap, CUDA_TO_HOST, lane->stream), "cudaMemcpyAsync of pivots");
    if (reports)
        cuda_info(lane, work);
    return 0;
}

/*
 * A = Q R by cuSOLVER, whose Q = H_1 ... H_q has H_i = I - tau_i v_i v_i^H; then T of Q = I - V T V^H:
 *
 *     T^-1 = S + D^-1,  S the strict upper triangle of V^H V, D = diag(tau)      =>      (I + D S) T = D
 *
 * (Joffrain, Low, Quintana-Orti, van de Geijn, Van Zee, "Accumulating Householder transformations, revisited", ACM Trans. Math.
 * Softw. 32, 2006; multiplied by D, since tau may be zero.)
 */
static void NAME(panel_geqrt)(int m, int n, void *A, int lda, void *T, int ldt)
{
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, A, lda);
    int q = m < n ? m : n, size = lane == NULL ? 0 : NAME(geqrf_size)(lane, m, n, A, lda);
    size_t square = NAME(panel_square)(q), column = NAME(panel_column)(q), height = (size_t)q * sizeof(SCALAR);
    char *work = lane == NULL ? NULL : cuda_work(lane, INFO_BYTES + column + 3 * square + (size_t)size * sizeof(SCALAR));
    if (work == NULL)
        return;
    const struct cuda_kernels *k = NAME(library)();
    char *tau = work + INFO_BYTES, *L = tau + column, *S = L + square, *X = S + square;
    bool emulated = current.offload->emulation == EMULATE_FP64;     /* whose workspace has the size for products of tiles */
    if (!cuda_solver_ok(k->geqrf(lane->solver, m, n, A, lda, tau, X + square, size, (int *)work), "geqrf"))
        return;
    copy_part(lane, LETTER_TEXT(LETTER), LOWER, true, false, q, q, A, lda, L, q);
    NAME(multiply)(lane, CONJ_TRANS, NO_TRANS, q, q, q, 1, (SCALAR *)L, q, (SCALAR *)L, q, 0, (SCALAR *)S, q);
    for (int at = q, rows; at < m; at += rows) {
        const SCALAR *V = (const SCALAR *)A + at;
        rows = emulated && q < m - at ? q : m - at;
        NAME(multiply)(lane, CONJ_TRANS, NO_TRANS, q, q, rows, 1, V, lda, V, lda, 1, (SCALAR *)S, q);
    }
    cuda_blas_ok(k->dgmm(lane->blas, side_mode(LEFT), q, q, S, q, tau, 1, S, q), "dgmm");
    NAME(cuda_clear)(q, q, X, q);
    copy_part(lane, LETTER_TEXT(LETTER), GENERAL, true, false, q, q, X, q, X, q);
    cuda_blas_ok(k->dgmm(lane->blas, side_mode(LEFT), q, q, X, q, tau, 1, X, q), "dgmm");
    NAME(solve)(lane, LEFT, NO_TRANS, &(struct triangle){ S, q, q, UPPER, UNIT }, q, q, X, q);
    cuda_move_columns(T, (size_t)ldt * sizeof(SCALAR), X, height, height, (size_t)q, CUDA_TO_HOST);
}

static const struct panel_kernels NAME(cuda_panels) = { .getrf = NAME(panel_getrf), .geqrt = NAME(panel_geqrt) };

/* The maximum of both. */
static size_t NAME(panel_bytes)(struct cuda_lane *lane, int m, int n)
{
    int q = m < n ? m : n;
    void *A = lane->work;           /* cuSOLVER takes a matrix, and reads nothing of it */
    size_t lu = RESULT_BYTES + aligned((size_t)m * (size_t)n * sizeof(SCALAR)) +
                (size_t)NAME(getrf_size)(lane, m, n, A, m) * sizeof(SCALAR);
    size_t qr = 3 * NAME(panel_square)(q) + (size_t)NAME(geqrf_size)(lane, m, n, A, m) * sizeof(SCALAR);
    return INFO_BYTES + NAME(panel_column)(q) + (lu > qr ? lu : qr);
}
