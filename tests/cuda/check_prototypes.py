#!/usr/bin/env python3
"""usage: check_prototypes.py cuda|hip TOP > calls.c

Reads the functions that offload/cuda_library.h and cuda_names.c of the source tree TOP declare and load. Writes C that calls each of the vendor's
functions with arguments of our types, and compares the vendor's constants with ours. A compiler with the vendor's headers then reports differences.
"""
import re
import sys

HEADERS = {"cuda": ["cuda.h", "cuda_runtime_api.h", "cublas_v2.h", "cusolverDn.h"],
           "hip": ["hip/hip_runtime_api.h", "rocblas/rocblas.h", "rocsolver/rocsolver.h"]}

# Our constants, and the vendor's names for them.
NUMBERS = {"cuda": {"CUDA_NOT_READY": "cudaErrorNotReady", "CUDA_TO_DEVICE": "cudaMemcpyHostToDevice", "CUDA_TO_HOST": "cudaMemcpyDeviceToHost",
                    "CUDA_ON_DEVICE": "cudaMemcpyDeviceToDevice", "CUDA_NON_BLOCKING": "cudaStreamNonBlocking", "CUDA_NO_TIMING": "cudaEventDisableTiming",
                    "CUDA_PORTABLE": "cudaHostRegisterPortable == cudaHostAllocPortable ? cudaHostAllocPortable : -1",
                    "CUDA_PEER_ENABLED": "cudaErrorPeerAccessAlreadyEnabled", "CUDA_IS_REGISTERED": "cudaErrorHostMemoryAlreadyRegistered",
                    "CUDA_REAL_32": "CUDA_R_32F", "CUDA_COMPLEX_32": "CUDA_C_32F", "CUBLAS_FAST_TF32": "CUBLAS_COMPUTE_32F_FAST_TF32",
                    "CUBLAS_FAST_BF16": "CUBLAS_COMPUTE_32F_FAST_16BF", "CUBLAS_ANY_ALGORITHM": "CUBLAS_GEMM_DEFAULT"},
           "hip": {"CUDA_NOT_READY": "hipErrorNotReady", "CUDA_TO_DEVICE": "hipMemcpyHostToDevice", "CUDA_TO_HOST": "hipMemcpyDeviceToHost",
                   "CUDA_ON_DEVICE": "hipMemcpyDeviceToDevice", "CUDA_NON_BLOCKING": "hipStreamNonBlocking", "CUDA_NO_TIMING": "hipEventDisableTiming",
                   "CUDA_PORTABLE": "hipHostRegisterPortable == hipHostMallocPortable ? hipHostMallocPortable : -1",
                   "CUDA_PEER_ENABLED": "hipErrorPeerAccessAlreadyEnabled", "CUDA_IS_REGISTERED": "hipErrorHostMemoryAlreadyRegistered"}}
WORDS = {"cuda": {"no_trans": "CUBLAS_OP_N", "trans": "CUBLAS_OP_T", "conj_trans": "CUBLAS_OP_C", "lower": "CUBLAS_FILL_MODE_LOWER",
                  "upper": "CUBLAS_FILL_MODE_UPPER", "left": "CUBLAS_SIDE_LEFT", "right": "CUBLAS_SIDE_RIGHT", "non_unit": "CUBLAS_DIAG_NON_UNIT",
                  "unit": "CUBLAS_DIAG_UNIT"},
         "hip": {"no_trans": "rocblas_operation_none", "trans": "rocblas_operation_transpose", "conj_trans": "rocblas_operation_conjugate_transpose",
                 "lower": "rocblas_fill_lower", "upper": "rocblas_fill_upper", "left": "rocblas_side_left", "right": "rocblas_side_right",
                 "non_unit": "rocblas_diagonal_non_unit", "unit": "rocblas_diagonal_unit", "blas_slower": "rocblas_status_perf_degraded"}}


def arguments(block, name):
    """The types of a function's arguments, from its declaration in a struct."""
    found = re.search(r"\(\*%s\)\(([^;]*)\);" % name, block, re.S)
    words = [" ".join(a.split()) for a in found.group(1).split(",")]
    return [] if words == ["void"] else [re.match(r"(.*?)\w+$", w).group(1) for w in words]


def call(real, types):
    """A function in C that calls `real`. Pointers may point to any type, but numbers must have the right width."""
    given = ", ".join("%sa%d" % (t, i) for i, t in enumerate(types)) or "void"
    handed = ", ".join(("(void *)a%d" if "*" in t else "a%d") % i for i, t in enumerate(types))
    return "long call_%s(%s);\nlong call_%s(%s)\n{\n    return (long)%s(%s);\n}" % (real, given, real, given, real, handed)


def enumerators(header):
    """The header's enumerators, as {NAME: number}."""
    found = {}
    for block in re.findall(r"enum \{(.*?)\}", header, re.S):
        number = -1
        for name, given in re.findall(r"(C\w+)(?: = (-?\d+))?", re.sub(r"/\*.*?\*/", "", block, flags=re.S)):
            number = int(given) if given else number + 1
            found[name] = number
    return found


def main():
    vendor, top = sys.argv[1:]
    texts = {}
    for name in ("cuda_library.h", "cuda_names.c", "cuda_library.c" if vendor == "cuda" else "hip_library.c"):
        with open(top + "/offload/" + name, encoding="utf-8") as file:
            texts[name] = file.read()
    header, names, words = texts.values()
    kernels, library = header.split("struct cuda_library {")
    for name in HEADERS[vendor]:
        print("#include <%s>" % name)
    column = 0 if vendor == "cuda" else 1
    for *row, field in re.findall(r'\{ \w+, (?:"(\w+)"|NULL), (?:"(\w+)"|NULL), FIELD\((\w+)\)', names):
        if row[column]:
            print(call(row[column], arguments(library, field)))
    for *row, field, types in re.findall(r'\{ \w+, (?:"([\w?]+)"|NULL), (?:"([\w?]+)"|NULL), KERNEL\((\w+), "(\w+)"\)', names):
        for letter in types if row[column] else "":
            print(call(row[column].replace("?", letter.upper() if vendor == "cuda" else letter), arguments(kernels, field)))
    ours = enumerators(header)
    for name, real in NUMBERS[vendor].items():
        print('_Static_assert(%d == (%s), "%s");' % (ours[name], real, name))
    for name, real in WORDS[vendor].items():
        given = re.search(r"\.%s = (\w+)" % name, words).group(1)
        print('_Static_assert(%s == (int)%s, "%s");' % (ours.get(given, given), real, name))


if __name__ == "__main__":
    main()
