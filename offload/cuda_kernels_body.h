/* The kernels of one precision; cuda_kernels.c includes this file once for each. */

static const struct cuda_kernels *NAME(library)(void)
{
    return &cuda_now()->kernels[type_index(LETTER_TEXT(LETTER))];
}

static const struct device_blocks *NAME(blocks)(void)
{
    return &current.offload->cuda->blocks[type_index(LETTER_TEXT(LETTER))];
}

static int NAME(op)(enum trans trans)
{
    const struct cuda_words *w = &cuda_now()->words;
    return trans == NO_TRANS ? w->no_trans : trans == CONJ_TRANS && PARTS == 2 ? w->conj_trans : w->trans;
}

/* The lane for a kernel that writes the m x n matrix C; NULL: there is nothing to do. */
static struct cuda_lane *NAME(lane_to_write)(int m, int n, const void *C, int ldc)
{
    struct cuda_lane *lane = m > 0 && n > 0 ? cuda_lane() : NULL;
    if (lane != NULL)
        cuda_discard_inverses(C, ((size_t)(n - 1) * (size_t)ldc + (size_t)m) * sizeof(SCALAR));
    return lane;
}

/* In single precision with the requested emulation: factors rounded further, or in pieces of fewer bits. */
static int NAME(gemm)(void *blas, enum trans transa, enum trans transb, int m, int n, int k, const SCALAR *alpha, const void *A,
                      int lda, const void *B, int ldb, const SCALAR *beta, void *C, int ldc)
{
    int compute = sizeof(REAL) == sizeof(float) ? compute_type() : 0, type = PARTS == 2 ? CUDA_COMPLEX_32 : CUDA_REAL_32;
    if (compute == 0)
        return NAME(library)()->gemm(blas, NAME(op)(transa), NAME(op)(transb), m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
    return cuda_now()->gemm_ex(blas, NAME(op)(transa), NAME(op)(transb), m, n, k, alpha, A, type, lda, B, type, ldb, beta, C,
                               type, ldc, compute, CUBLAS_ANY_ALGORITHM);
}

static void NAME(cuda_gemm)(enum trans transa, enum trans transb, int m, int n, int k, double alpha, const void *A, int lda,
                            const void *B, int ldb, void *C, int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    struct cuda_lane *lane = k > 0 ? NAME(lane_to_write)(m, n, C, ldc) : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(gemm)(lane->blas, transa, transb, m, n, k, &factor, A, lda, B, ldb, &one, C, ldc), "gemm");
}

/* Updates a triangle in one piece. */
static void NAME(herk_whole)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C,
                             int ldc)
{
    REAL factor = (REAL)alpha, one = 1;
    struct cuda_lane *lane = k > 0 ? NAME(lane_to_write)(n, n, C, ldc) : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->herk(lane->blas, fill_mode(uplo), NAME(op)(trans), n, k, &factor, A, lda, &one, C, ldc),
                     "herk");
}

/* Updates block columns: the diagonal block, and the blocks below it in a lower triangle or above it in an upper one. */
static void NAME(cuda_herk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C,
                            int ldc)
{
    size_t row = trans == NO_TRANS ? 1 : (size_t)lda;       /* distance between rows of op(A) */
    int block = NAME(blocks)()->herk, width;
    for (int at = 0; at < n; at += width) {
        width = block > 0 && block < n - at ? block : n - at;
        const SCALAR *here = (const SCALAR *)A + (size_t)at * row;
        SCALAR *column = (SCALAR *)C + (size_t)at * (size_t)ldc;
        int from = uplo == LOWER ? at + width : 0, rows = uplo == LOWER ? n - from : at;
        NAME(herk_whole)(uplo, trans, width, k, alpha, here, lda, column + at, ldc);
        NAME(cuda_gemm)(trans, trans == NO_TRANS ? CONJ_TRANS : NO_TRANS, rows, width, k, alpha,
                        (const SCALAR *)A + (size_t)from * row, lda, here, lda, column + from, ldc);
    }
}

static void NAME(cuda_syrk)(enum uplo uplo, enum trans trans, int n, int k, double alpha, const void *A, int lda, void *C,
                            int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    struct cuda_lane *lane = k > 0 ? NAME(lane_to_write)(n, n, C, ldc) : NULL;
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->syrk(lane->blas, fill_mode(uplo), NAME(op)(trans), n, k, &factor, A, lda, &one, C, ldc),
                     "syrk");
}

static void NAME(cuda_hemm)(enum uplo uplo, int m, int n, double alpha, const void *A, int lda, const void *B, int ldb, void *C,
                            int ldc)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, C, ldc);
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->hemm(lane->blas, side_mode(LEFT), fill_mode(uplo), m, n, &factor, A, lda, B, ldb, &one,
                                           C, ldc), "hemm");
}

/* cuBLAS's trmm has a separate output, which may be B. */
static void NAME(cuda_trmm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, double alpha,
                            const void *A, int lda, void *B, int ldb)
{
    SCALAR factor = (SCALAR)alpha;
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, B, ldb);
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->trmm(lane->blas, side_mode(side), fill_mode(uplo), NAME(op)(trans), diag_type(diag), m, n,
                                           &factor, A, lda, B, ldb, B, ldb), "trmm");
}

static void NAME(cuda_clear)(int m, int n, void *A, int lda)
{
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, A, lda);
    if (lane != NULL)
        cuda_ok(current.offload->cuda->library->set_2d(A, (size_t)lda * sizeof(SCALAR), 0, (size_t)m * sizeof(SCALAR), (size_t)n,
                                                       lane->stream),
                "cudaMemset2DAsync");
}

/* With NON_ZERO, for U during its factorization, zeros on the diagonal count as ones: T becomes a copy with ones. False: no
   memory. */
static bool NAME(mend)(struct cuda_lane *lane, struct triangle *T)
{
    if (T->diag != NON_ZERO)
        return true;
    void *mended = cuda_work(lane, (size_t)T->order * (size_t)T->order * sizeof(SCALAR));
    if (mended == NULL)
        return false;
    copy_part(lane, LETTER_TEXT(LETTER), T->uplo, false, true, T->order, T->order, T->data, T->ld, mended, T->order);
    T->data = mended;
    T->ld = T->order;
    return true;
}

static void NAME(solve)(struct cuda_lane *lane, enum side side, enum trans trans, const struct triangle *T, int m, int n, void *B,
                        int ldb)
{
    SCALAR one = 1;
    cuda_blas_ok(NAME(library)()->trsm(lane->blas, side_mode(side), fill_mode(T->uplo), NAME(op)(trans), diag_type(T->diag), m, n,
                                       &one, T->data, T->ld, B, ldb), "trsm");
}

/* The inverses of its diagonal blocks, by solves for unit matrices; computed unless the lane has them. NULL after a failure. */
static const SCALAR *NAME(inverses)(struct cuda_lane *lane, struct triangle T, int block)
{
    const char *start = T.data, *end = start + ((size_t)(T.order - 1) * (size_t)T.ld + (size_t)T.order) * sizeof(SCALAR);
    const struct cuda_inverses like = { .of = start, .end = end, .type = LETTER_TEXT(LETTER), .uplo = (char)T.uplo,
                                        .diag = (char)T.diag, .order = T.order, .ld = T.ld, .block = block,
                                        .bytes = (size_t)block * (size_t)T.order * sizeof(SCALAR) };
    const struct cuda_inverses *known = cuda_find_inverses(lane, &like);
    if (known != NULL)
        return known->data;
    known = cuda_new_inverses(lane, &like);
    if (known == NULL || !NAME(mend)(lane, &T))
        return NULL;
    NAME(cuda_clear)(block, T.order, known->data, block);
    for (int at = 0; at < T.order; at += block) {
        SCALAR *X = (SCALAR *)known->data + (size_t)at * (size_t)block;
        int width = block < T.order - at ? block : T.order - at;
        struct triangle of = { (const SCALAR *)T.data + (size_t)at * ((size_t)T.ld + 1), T.ld, width, T.uplo, T.diag };
        copy_part(lane, LETTER_TEXT(LETTER), GENERAL, true, false, width, width, X, block, X, block);
        NAME(solve)(lane, LEFT, NO_TRANS, &of, width, width, X, block);
    }
    return known->data;
}

/* C := factor op(A) op(B) + beta C, a part of a solve, always in the accuracy of its type. */
static void NAME(multiply)(struct cuda_lane *lane, enum trans transa, enum trans transb, int m, int n, int k, SCALAR factor,
                           const SCALAR *A, int lda, const SCALAR *B, int ldb, SCALAR beta, SCALAR *C, int ldc)
{
    if (m > 0 && n > 0)
        cuda_blas_ok(NAME(library)()->gemm(lane->blas, NAME(op)(transa), NAME(op)(transb), m, n, k, &factor, A, lda, B, ldb,
                                           &beta, C, ldc), "gemm");
}

/*
 * Substitution, block by block in the order in which they are known: X_j = op(A_jj)^-1 B_j, then for all later i B_i := B_i -
 * op(A_ij) X_j; from the right the same with factors exchanged. X is in the lane's memory until it is complete.
 */
static void NAME(solve_by_inverses)(struct cuda_lane *lane, enum side side, enum trans trans, const struct triangle *T, int block,
                                    int m, int n, SCALAR *B, int ldb)
{
    int blocks = (T->order + block - 1) / block;
    bool forward = ((T->uplo == LOWER) == (trans == NO_TRANS)) == (side == LEFT);
    const SCALAR *A = T->data, *inverses = NAME(inverses)(lane, *T, block);
    size_t lda = (size_t)T->ld, width = (size_t)m * sizeof(SCALAR);
    SCALAR *X = inverses == NULL ? NULL : (void *)cuda_work(lane, width * (size_t)n);
    for (int done = 0; X != NULL && done < blocks; done++) {
        int at = (forward ? done : blocks - 1 - done) * block, size = block < T->order - at ? block : T->order - at;
        int next = forward ? at + size : 0, rest = forward ? T->order - next : at;
        const SCALAR *inverse = inverses + (size_t)at * (size_t)block;
        const SCALAR *column = A + (size_t)next + (size_t)at * lda, *row = A + (size_t)at + (size_t)next * lda;
        if (side == LEFT) {
            NAME(multiply)(lane, trans, NO_TRANS, size, n, size, 1, inverse, block, B + at, ldb, 0, X + at, m);
            NAME(multiply)(lane, trans, NO_TRANS, rest, n, size, -1, trans == NO_TRANS ? column : row, T->ld, X + at, m, 1,
                           B + next, ldb);
        } else {
            SCALAR *known = X + (size_t)at * (size_t)m, *B_at = B + (size_t)at * (size_t)ldb;
            NAME(multiply)(lane, NO_TRANS, trans, m, size, size, 1, B_at, ldb, inverse, block, 0, known, m);
            NAME(multiply)(lane, NO_TRANS, trans, m, rest, size, -1, known, m, trans == NO_TRANS ? row : column, T->ld, 1,
                           B + (size_t)next * (size_t)ldb, ldb);
        }
    }
    if (X != NULL)
        cuda_move_columns(B, (size_t)ldb * sizeof(SCALAR), X, width, width, (size_t)n, CUDA_ON_DEVICE);
}

static void NAME(cuda_trsm)(enum side side, enum uplo uplo, enum trans trans, enum diag diag, int m, int n, const void *A,
                            int lda, void *B, int ldb)
{
    struct triangle T = { A, lda, side == LEFT ? m : n, uplo, diag };
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, B, ldb);
    int block = NAME(blocks)()->trsm;
    if (lane != NULL && block > 0)
        NAME(solve_by_inverses)(lane, side, trans, &T, block < T.order ? block : T.order, m, n, B, ldb);
    else if (lane != NULL && NAME(mend)(lane, &T))
        NAME(solve)(lane, side, trans, &T, m, n, B, ldb);
}

/* The elements of cuSOLVER's workspace; rocSOLVER needs none. */
static int NAME(potrf_size)(struct cuda_lane *lane, enum uplo uplo, int n, void *A, int lda)
{
    const struct cuda_size *known = known_size(lane, (char)uplo, LETTER_TEXT(LETTER), n, n);
    struct cuda_size queried = { (char)uplo, LETTER_TEXT(LETTER), n, n, 0 };
    if (NAME(library)()->potrf_size == NULL)
        return 0;
    if (known != NULL)
        return known->size;
    cuda_solver_ok(NAME(library)()->potrf_size(lane->solver, fill_mode(uplo), n, A, lda, &queried.size), "potrf_bufferSize");
    return remember_size(lane, queried);
}

static int NAME(size_of)(struct cuda_lane *lane, char routine, int (*query)(void *, int, int, void *, int, int *), int m, int n,
                         void *A, int lda, const char *call)
{
    const struct cuda_size *known = known_size(lane, routine, LETTER_TEXT(LETTER), m, n);
    struct cuda_size queried = { routine, LETTER_TEXT(LETTER), m, n, 0 };
    if (query == NULL)
        return 0;
    if (known != NULL)
        return known->size;
    cuda_solver_ok(query(lane->solver, m, n, A, lda, &queried.size), call);
    return remember_size(lane, queried);
}

static int NAME(getrf_size)(struct cuda_lane *lane, int m, int n, void *A, int lda)
{
    return NAME(size_of)(lane, 'P', NAME(library)()->getrf_size, m, n, A, lda, "getrf_bufferSize");
}

/* work, size: for cuSOLVER only. */
static int NAME(solver_potrf)(struct cuda_lane *lane, enum uplo uplo, int n, void *A, int lda, void *work, int size, int *info)
{
    const struct cuda_kernels *k = NAME(library)();
    return k->potrf == NULL ? k->potrf_alone(lane->solver, fill_mode(uplo), n, A, lda, info)
                            : k->potrf(lane->solver, fill_mode(uplo), n, A, lda, work, size, info);
}

/* Without pivoting: cuSOLVER gets no list of pivots. */
static int NAME(solver_getrf)(struct cuda_lane *lane, int m, int n, void *A, int lda, void *work, int *info)
{
    const struct cuda_kernels *k = NAME(library)();
    return k->getrf == NULL ? k->getrf_alone(lane->solver, m, n, A, lda, info)
                            : k->getrf(lane->solver, m, n, A, lda, work, NULL, info);
}

/* On an H200 cuSOLVER 12.0 returns for some complex matrices of order 63 and 64 another minor that is not positive, or none. So
   a kernel checks the factor's diagonal. */
static int NAME(cuda_potrf)(enum uplo uplo, int n, void *A, int lda)
{
    struct cuda_lane *lane = NAME(lane_to_write)(n, n, A, lda);
    int size = lane == NULL ? 0 : NAME(potrf_size)(lane, uplo, n, A, lda);
    size_t bytes = INFO_BYTES + (size_t)size * sizeof(SCALAR);      /* info, then cuSOLVER's workspace */
    char *work = lane == NULL ? NULL : cuda_work(lane, bytes);
    if (work == NULL ||
        !cuda_solver_ok(NAME(solver_potrf)(lane, uplo, n, A, lda, work + INFO_BYTES, size, (int *)work), "potrf"))
        return 0;
    launch(lane, device_now()->potrf_info[type_index(LETTER_TEXT(LETTER))], 1, THREADS_OF_ONE,
           (void *[]){ &work, &n, &A, &lda });
    cuda_info(lane, work);
    return 0;
}

/* The behaviour of the libraries after a zero pivot is not documented, nor cuSOLVER's info without pivoting. So a copy of the
   tile is kept for a kernel that checks. */
static int NAME(cuda_getrf)(int m, int n, void *A, int lda)
{
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, A, lda);
    int size = lane == NULL ? 0 : NAME(getrf_size)(lane, m, n, A, lda);
    size_t width = (size_t)m * sizeof(SCALAR), pitch = (size_t)lda * sizeof(SCALAR), all = aligned(width * (size_t)n);
    char *work = lane == NULL ? NULL : cuda_work(lane, INFO_BYTES + all + (size_t)size * sizeof(SCALAR));
    char *kept = work == NULL ? NULL : work + INFO_BYTES;
    if (kept == NULL)
        return 0;
    cuda_move_columns(kept, width, A, pitch, width, (size_t)n, CUDA_ON_DEVICE);
    if (!cuda_solver_ok(NAME(solver_getrf)(lane, m, n, A, lda, kept + all, (int *)work), "getrf"))
        return 0;
    launch(lane, device_now()->getrf[type_index(LETTER_TEXT(LETTER))], 1, THREADS_OF_ONE,
           (void *[]){ &work, &m, &n, &kept, &A, &lda });
    cuda_info(lane, work);
    return 0;
}

/* The most workspace that any kernel needs for operands of m x n elements. */
static size_t NAME(work_bytes)(struct cuda_lane *lane, int m, int n)
{
    int order = m < n ? m : n;
    size_t matrix = aligned((size_t)m * (size_t)n * sizeof(SCALAR)), most = 2 * matrix;
    void *A = cuda_work(lane, matrix);      /* cuSOLVER takes a matrix, and reads nothing of it */
    if (A == NULL || order == 0)
        return INFO_BYTES + most;
    const size_t queried[] = { (size_t)NAME(potrf_size)(lane, LOWER, order, A, order) * sizeof(SCALAR),
                             (size_t)NAME(potrf_size)(lane, UPPER, order, A, order) * sizeof(SCALAR),
                             (size_t)NAME(getrf_size)(lane, order, order, A, order) * sizeof(SCALAR) + matrix,
                             (size_t)NAME(getrf_size)(lane, m, n, A, m) * sizeof(SCALAR) + matrix };
    for (size_t i = 0; i < sizeof queried / sizeof queried[0]; i++)
        most = queried[i] > most ? queried[i] : most;
    return INFO_BYTES + most;
}

/* In place: C := alpha op(A) + beta C. */
static void NAME(cuda_add)(int m, int n, double alpha, const void *A, int lda, void *B, int ldb)
{
    SCALAR factor = (SCALAR)alpha, one = 1;
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, B, ldb);
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->geam(lane->blas, NAME(op)(NO_TRANS), NAME(op)(NO_TRANS), m, n, &factor, A, lda, &one, B,
                                           ldb, B, ldb), "geam");
}

static void NAME(cuda_conj_transpose)(int m, int n, const void *A, int lda, void *B, int ldb)
{
    SCALAR zero = 0, one = 1;
    struct cuda_lane *lane = NAME(lane_to_write)(n, m, B, ldb);
    if (lane != NULL)
        cuda_blas_ok(NAME(library)()->geam(lane->blas, NAME(op)(CONJ_TRANS), NAME(op)(NO_TRANS), n, m, &one, A, lda, &zero, B,
                                           ldb, B, ldb), "geam");
}

static void NAME(cuda_from_other)(int m, int n, const void *A, int lda, void *B, int ldb)
{
    struct cuda_lane *lane = NAME(lane_to_write)(m, n, B, ldb);
    if (lane != NULL)
        copy_other(lane, LETTER_TEXT(LETTER), m, n, A, lda, B, ldb);
}

static void NAME(cuda_squares)(enum uplo part, int m, int n, const void *A, int lda, double *sum)
{
    struct cuda_lane *lane = cuda_lane();
    if (lane != NULL)
        add_squares(lane, LETTER_TEXT(LETTER), part, m, n, A, lda, sum);
}

static void NAME(cuda_copy_rows)(int count, int n, const int *from, const void *A, int lda, const int *to, void *B, int ldb)
{
    struct cuda_lane *lane = NAME(lane_to_write)(count > 0 ? ldb : 0, n, B, ldb);      /* rows may be in a list */
    size_t size = sizeof(SCALAR);
    if (lane != NULL && from == NULL && to == NULL)
        cuda_move_columns(B, (size_t)ldb * size, A, (size_t)lda * size, (size_t)count * size, (size_t)n, CUDA_ON_DEVICE);
    else if (lane != NULL)
        copy_listed(lane, size, count, n, from, A, lda, to, B, ldb);
}

/* The stored rows x columns of a factor; a triangle is completed in memory of the lane. */
static struct multiplicand NAME(made_whole)(struct cuda_lane *lane, struct multiplicand F, int rows, int columns, void *room)
{
    if (F.part == GENERAL)
        return F;
    copy_part(lane, LETTER_TEXT(LETTER), F.part, F.diag == UNIT, false, rows, columns, F.data, F.ld, room, rows);
    return (struct multiplicand){ .data = room, .ld = rows, .part = GENERAL, .diag = NON_UNIT, .trans = F.trans };
}

static int NAME(cuda_product)(int m, int n, int k, double alpha, struct multiplicand A, struct multiplicand B, void *C, int ldc)
{
    struct cuda_lane *lane = m > 0 && n > 0 && k > 0 ? cuda_lane() : NULL;
    size_t of_a = aligned((size_t)m * (size_t)k * sizeof(SCALAR)), of_b = (size_t)k * (size_t)n * sizeof(SCALAR);
    bool whole = A.part == GENERAL && B.part == GENERAL;
    char *room = lane == NULL || whole ? NULL : cuda_work(lane, of_a + of_b);
    if (lane == NULL || (room == NULL && !whole))
        return 0;
    A = NAME(made_whole)(lane, A, A.trans == NO_TRANS ? m : k, A.trans == NO_TRANS ? k : m, room);
    B = NAME(made_whole)(lane, B, B.trans == NO_TRANS ? k : n, B.trans == NO_TRANS ? n : k, room + of_a);
    NAME(cuda_gemm)(A.trans, B.trans, m, n, k, alpha, A.data, A.ld, B.data, B.ld, C, ldc);
    return 0;
}

static const struct kernels NAME(cuda_table) = {
    .potrf = NAME(cuda_potrf),
    .getrf = NAME(cuda_getrf),
    .copy_rows = NAME(cuda_copy_rows),
    .trsm = NAME(cuda_trsm),
    .trmm = NAME(cuda_trmm),
    .herk = NAME(cuda_herk),
    .syrk = PARTS == 2 ? NAME(cuda_syrk) : NAME(herk_whole),    /* for real types these are the same */
    .gemm = NAME(cuda_gemm),
    .hemm = NAME(cuda_hemm),
    .add = NAME(cuda_add),
    .conj_transpose = NAME(cuda_conj_transpose),
    .from_other = NAME(cuda_from_other),
    .squares = NAME(cuda_squares),
    .clear = NAME(cuda_clear),
    .product = NAME(cuda_product),
};
