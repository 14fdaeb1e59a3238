/*
 * Included before the sources of the emulated CUDA, this header makes an emulated ROCm of them: it renames CUDA's functions to
 * HIP's and rocBLAS's. Functions without a counterpart keep their names, which no program uses. (libcublas.c has rocBLAS's codes,
 * libcusolver_body.h rocSOLVER's functions, images_amd.c the code objects of AMD.)
 */
#ifndef OMPFACT_TESTS_CUDA_ROCM_H
#define OMPFACT_TESTS_CUDA_ROCM_H

#define EMULATED_ROCM

#define cudaRuntimeGetVersion hipRuntimeGetVersion
#define cudaGetLastError hipGetLastError
#define cudaGetErrorString hipGetErrorString
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaSetDevice hipSetDevice
#define cudaGetDevice hipGetDevice
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaDeviceGetStreamPriorityRange hipDeviceGetStreamPriorityRange
#define cudaDeviceCanAccessPeer hipDeviceCanAccessPeer
#define cudaDeviceEnablePeerAccess hipDeviceEnablePeerAccess
#define cudaMalloc hipMalloc
#define cudaFree hipFree
#define cudaHostAlloc hipHostMalloc
#define cudaFreeHost hipHostFree
#define cudaHostRegister hipHostRegister
#define cudaHostUnregister hipHostUnregister
#define cudaMemGetInfo hipMemGetInfo
#define cudaStreamCreateWithPriority hipStreamCreateWithPriority
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamQuery hipStreamQuery
#define cudaStreamWaitEvent hipStreamWaitEvent
#define cudaEventCreateWithFlags hipEventCreateWithFlags
#define cudaEventDestroy hipEventDestroy
#define cudaEventRecord hipEventRecord
#define cudaEventQuery hipEventQuery
#define cudaEventSynchronize hipEventSynchronize
#define cudaMemcpy hipMemcpy
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpyPeerAsync hipMemcpyPeerAsync
#define cudaMemcpy2DAsync hipMemcpy2DAsync
#define cudaMemsetAsync hipMemsetAsync
#define cudaMemset2DAsync hipMemset2DAsync
#define cuModuleLoadData hipModuleLoadData
#define cuModuleUnload hipModuleUnload
#define cuModuleGetFunction hipModuleGetFunction
#define cuLaunchKernel hipModuleLaunchKernel

#define cublasCreate_v2 rocblas_create_handle
#define cublasDestroy_v2 rocblas_destroy_handle
#define cublasSetStream_v2 rocblas_set_stream
#define cublasGetStatusString rocblas_status_to_string
#define cublasS rocblas_s
#define cublasD rocblas_d
#define cublasC rocblas_c
#define cublasZ rocblas_z
#define gemm_v2 gemm
#define syrk_v2 syrk
#define herk_v2 herk
#define symm_v2 symm
#define hemm_v2 hemm
#define trsm_v2 trsm
#define trmm_v2 trmm

#define cusolverDnS rocsolver_s
#define cusolverDnD rocsolver_d
#define cusolverDnC rocsolver_c
#define cusolverDnZ rocsolver_z

#endif
