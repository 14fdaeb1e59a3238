/* CUDA's functions for test_emulated.c, taken from the emulated libraries of the build. */
#ifndef OMPFACT_TESTS_CUDA_CALLS_H
#define OMPFACT_TESTS_CUDA_CALLS_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { UP = 1, DOWN = 2, ON_DEVICE = 3, NOT_READY = 600, LOST = 719 };

static struct calls {
    int (*cudaSetDevice)(int), (*cudaGetDeviceCount)(int *), (*cudaDeviceSynchronize)(void), (*cudaGetLastError)(void);
    int (*cudaMalloc)(void **, size_t), (*cudaFree)(void *), (*cudaMemGetInfo)(size_t *, size_t *);
    int (*cudaHostRegister)(void *, size_t, unsigned), (*cudaHostUnregister)(void *);
    int (*cudaStreamCreateWithPriority)(void **, unsigned, int), (*cudaStreamDestroy)(void *), (*cudaStreamSynchronize)(void *);
    int (*cudaStreamQuery)(void *), (*cudaStreamWaitEvent)(void *, void *, unsigned);
    int (*cudaEventCreateWithFlags)(void **, unsigned), (*cudaEventDestroy)(void *), (*cudaEventRecord)(void *, void *);
    int (*cudaEventQuery)(void *), (*cudaEventSynchronize)(void *);
    int (*cudaMemcpy)(void *, const void *, size_t, int), (*cudaMemcpyAsync)(void *, const void *, size_t, int, void *);
    int (*cudaMemcpy2DAsync)(void *, size_t, const void *, size_t, size_t, size_t, int, void *);
    int (*cudaMemset2DAsync)(void *, size_t, int, size_t, size_t, void *);
    int (*cublasCreate_v2)(void **), (*cublasDestroy_v2)(void *), (*cublasSetStream_v2)(void *, void *);
    int (*cublasSetMathMode)(void *, int), (*cublasSetWorkspace_v2)(void *, void *, size_t);
    int (*cublasDgemm_v2)(void *, int, int, int, int, int, const double *, const double *, int, const double *, int,
                          const double *, double *, int);
    int (*cublasDsyrk_v2)(void *, int, int, int, int, const double *, const double *, int, const double *, double *, int);
    int (*cublasDtrsm_v2)(void *, int, int, int, int, int, int, const double *, const double *, int, double *, int);
    int (*cublasDtrmm_v2)(void *, int, int, int, int, int, int, const double *, const double *, int, const double *, int,
                          double *, int);
    int (*cublasDgeam)(void *, int, int, int, int, const double *, const double *, int, const double *, const double *, int,
                       double *, int);
    int (*cublasGemmEx)(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int,
                        const void *, void *, int, int, int, int);
    int (*cusolverDnCreate)(void **), (*cusolverDnDestroy)(void *), (*cusolverDnSetStream)(void *, void *);
    int (*cusolverDnDpotrf_bufferSize)(void *, int, int, double *, int, int *);
    int (*cusolverDnDpotrf)(void *, int, int, double *, int, double *, int, int *);
    int (*cusolverDnDgetrf)(void *, int, int, double *, int, double *, int *, int *);
    int (*cuModuleLoadData)(void **, const void *), (*cuModuleUnload)(void *);
    int (*cuModuleGetFunction)(void **, void *, const char *);
    int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
} cu;

static void *opened(const char *name)
{
    char path[4096];
    const char *build = getenv("top_builddir");
    snprintf(path, sizeof path, "%s/tests/cuda/%s", build == NULL ? "." : build, name);
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(90);
    }
    return library;
}

#define GET(library, name)                                                                                                      \
    if ((*(void **)&cu.name = dlsym(library, #name)) == NULL) {                                                                 \
        fprintf(stderr, "there is no " #name "\n");                                                                             \
        exit(91);                                                                                                               \
    }

static void load_calls(void)
{
    void *rt = opened("libcudart.so.13"), *blas = opened("libcublas.so.13"), *solver = opened("libcusolver.so.12");
    void *driver = opened("libcuda.so");
    GET(rt, cudaSetDevice) GET(rt, cudaGetDeviceCount) GET(rt, cudaDeviceSynchronize) GET(rt, cudaGetLastError)
    GET(rt, cudaMalloc) GET(rt, cudaFree) GET(rt, cudaMemGetInfo) GET(rt, cudaHostRegister) GET(rt, cudaHostUnregister)
    GET(rt, cudaStreamCreateWithPriority) GET(rt, cudaStreamDestroy) GET(rt, cudaStreamSynchronize) GET(rt, cudaStreamQuery)
    GET(rt, cudaStreamWaitEvent) GET(rt, cudaEventCreateWithFlags) GET(rt, cudaEventDestroy) GET(rt, cudaEventRecord)
    GET(rt, cudaEventQuery) GET(rt, cudaEventSynchronize) GET(rt, cudaMemcpy) GET(rt, cudaMemcpyAsync)
    GET(rt, cudaMemcpy2DAsync) GET(rt, cudaMemset2DAsync)
    GET(blas, cublasCreate_v2) GET(blas, cublasDestroy_v2) GET(blas, cublasSetStream_v2) GET(blas, cublasDgemm_v2)
    GET(blas, cublasSetMathMode) GET(blas, cublasSetWorkspace_v2)
    GET(blas, cublasDsyrk_v2) GET(blas, cublasDtrsm_v2) GET(blas, cublasDtrmm_v2) GET(blas, cublasDgeam) GET(blas, cublasGemmEx)
    GET(solver, cusolverDnCreate) GET(solver, cusolverDnDestroy) GET(solver, cusolverDnSetStream)
    GET(solver, cusolverDnDpotrf_bufferSize) GET(solver, cusolverDnDpotrf) GET(solver, cusolverDnDgetrf)
    GET(driver, cuModuleLoadData) GET(driver, cuModuleUnload) GET(driver, cuModuleGetFunction) GET(driver, cuLaunchKernel)
}

#endif
