/* Panels in one piece, in one precision, by the host's kernels; host.c includes this file once for each. */

static int NAME(getrf)(int m, int n, void *A, int lda, int *swap, bool reports)
{
    atomic_int idle = 0;
    int info = getrf_panel(precision_of(LETTER_TEXT(LETTER)), &idle, m, n, A, lda, swap);
    (void)reports;
    for (int j = 0; j < m && j < n; j++)
        swap[j]++;
    return info;
}

static void NAME(geqrt)(int m, int n, void *A, int lda, void *T, int ldt)
{
    atomic_int idle = 0;
    if (geqrt_panel(precision_of(LETTER_TEXT(LETTER)), &idle, m, n, FEW_COLUMNS, A, lda, T, ldt) != 0)
        offload_fail(current.offload, "device %d: no memory for a panel of %d x %d", current.device, m, n);
}

static const struct panel_kernels NAME(panels) = { .getrf = NAME(getrf), .geqrt = NAME(geqrt) };
