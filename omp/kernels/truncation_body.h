/* The parts of truncation.c that compute with elements, in one precision; included once for each. The compiler may choose the
   order of sums, so that it can vectorize. */

static double NAME(square)(SCALAR a)
{
    double re = (double)creal(a), im = PARTS == 2 ? (double)cimag(a) : 0;
    return re * re + im * im;
}

static double NAME(squares)(int count, const void *column)
{
    ANY_ORDER
    const SCALAR *a = column;
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += NAME(square)(a[i]);
    return sum;
}

/* Numbers in (-1, 1), by the generator of Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static void NAME(fill_random)(uint64_t *state, int64_t count, void *values)
{
    REAL *x = values;
    for (int64_t i = 0; i < count * PARTS; i++) {
        uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        x[i] = (REAL)((double)(int64_t)(z ^ z >> 31) * 0x1p-63);
    }
}

/* z^H a */
static SCALAR NAME(inner)(int m, const SCALAR *z, const SCALAR *a)
{
    ANY_ORDER
    SCALAR sum = 0;
    for (int i = 0; i < m; i++)
        sum += CONJUGATE(z[i]) * a[i];
    return sum;
}

/* a -= z r; returns |a|^2. */
static double NAME(subtract)(int m, const SCALAR *z, SCALAR r, SCALAR *a)
{
    ANY_ORDER
    double squares = 0;
    for (int i = 0; i < m; i++) {
        a[i] -= z[i] * r;
        squares += NAME(square)(a[i]);
    }
    return squares;
}

/* Makes the column a unit vector that is orthogonal to k columns of Z. The column was orthogonal before, and has lost that with
   its size. Orthogonalization is repeated while the column loses most of its size (Daniel, Gragg, Kaufman, Stewart,
   "Reorthogonalization and stable algorithms for updating the Gram-Schmidt QR factorization", Math. Comp. 30, 1976). Returns 0
   if nothing was left, or nothing with full accuracy. */
static REAL NAME(normalise)(int m, int k, const SCALAR *Z, SCALAR *z)
{
    double before, squares = NAME(squares)(m, z);
    do {
        before = squares;
        for (int j = 0; j < k; j++)
            NAME(subtract)(m, Z + (size_t)j * (size_t)m, NAME(inner)(m, Z + (size_t)j * (size_t)m, z), z);
        squares = NAME(squares)(m, z);
    } while (squares < before / 4);
    REAL norm = (REAL)sqrt(squares);
    if (norm < REAL_SMALLEST / REAL_EPSILON || squares < DBL_MIN / DBL_EPSILON)
        return 0;
    for (int i = 0; i < m; i++)
        z[i] /= norm;
    return norm;
}

/*
 * K = Z R by modified Gram-Schmidt with column pivoting, until the sum of squares of the rest is small enough. The largest
 * remaining column becomes the next column of Z, as a unit vector. The rest itself is stored, so its size is no estimate. A
 * NaN is never small.
 */
static int NAME(reduce)(int m, int n, void *K, double enough, void *Z_, void *R_, double *squares, double *left)
{
    SCALAR *A = K, *Z = Z_, *R = R_;
    int most = m < n ? m : n, k = 0;
    *left = 0;
    for (int j = 0; j < n; j++)
        *left += squares[j] = NAME(squares)(m, A + (size_t)j * (size_t)m);
    for (; k < most && !(*left <= enough); k++) {
        int p = 0;
        for (int j = 1; j < n; j++)
            p = squares[j] > squares[p] ? j : p;
        SCALAR *z = Z + (size_t)k * (size_t)m;
        memcpy(z, A + (size_t)p * (size_t)m, (size_t)m * sizeof *z);
        if (NAME(normalise)(m, k, Z, z) == 0)
            break;
        *left = 0;
        for (int j = 0; j < n; j++) {
            SCALAR *a = A + (size_t)j * (size_t)m, r = NAME(inner)(m, z, a);
            R[k + (size_t)j * (size_t)most] = r;
            *left += squares[j] = NAME(subtract)(m, z, r, a);
        }
    }
    return k;
}
