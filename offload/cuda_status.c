/* Calls of CUDA's libraries that fail. */
#include "offload/cuda.h"

bool cuda_ok(int error, const char *call)
{
    char words[100];
    if (error != 0)
        offload_fail(current.offload, "device %d: %s: %s", current.device, cuda_called(cuda_now(), call, words),
                     cuda_now()->error_text(error));
    return error == 0;
}

bool cuda_blas_ok(int status, const char *call)
{
    const struct cuda_library *l = cuda_now();
    bool good = status == 0 || status == l->blas_slower;
    if (!good)
        offload_fail(current.offload, "device %d: %s's %s: %s", current.device, l->blas, call, l->blas_text(status));
    return good;
}

bool cuda_solver_ok(int status, const char *call)
{
    if (status != 0)
        offload_fail(current.offload, "device %d: %s's %s: status %d", current.device, cuda_now()->solver, call, status);
    return status == 0;
}
