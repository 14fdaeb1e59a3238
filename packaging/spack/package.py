# In your own repository (spack repo create, spack repo add) this file is packages/ompfact/package.py. The source is a clone or an unpacked
# release, main or 1.0.0:
#     spack -e ENVIRONMENT develop --path FOLDER ompfact@1.0.0
#     spack -e ENVIRONMENT add ompfact@1.0.0 %clang && spack -e ENVIRONMENT install
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Ompfact(AutotoolsPackage):
    """Dense LU, Cholesky and QR on any number of MPI ranks: tasks of OpenMP, one-sided communication, layouts for
    every number of ranks, devices."""

    license("BSD-3-Clause")

    version("main")
    version("1.0.0")

    variant("shared", default=True, description="Build the shared library in addition to the static one")
    variant("offload", default=False, description="Build code for devices")
    variant("cuda", default=False, description="Build code for NVIDIA's devices", when="+offload")
    variant("cuda_arch", default="90", description="Their architecture", when="+cuda")

    depends_on("c", type="build")
    depends_on("autoconf@2.71:", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi@3:")
    depends_on("blis threads=none")
    depends_on("netlib-lapack+lapacke+external-blas")  # only for tests
    depends_on("hwloc@2:")
    depends_on("cuda", when="+cuda")  # its assembler, and the libraries for devices
    depends_on("check@0.12:", type="test")

    # The OpenMP runtime must be LLVM's.
    requires("%clang@17:", "%oneapi", policy="any_of", msg="ompfact needs clang and LLVM's OpenMP runtime")
    requires("%clang@19:", when="+offload", msg="clang 19 is the first that links code for devices into a library")

    def autoreconf(self, spec, prefix):
        Executable("./bootstrap")()

    def configure_args(self):
        args = ["MPICC=" + self.spec["mpi"].mpicc, "--with-blas=" + self.spec["blis"].libs.ld_flags]
        args += self.enable_or_disable("shared")
        args += self.enable_or_disable("offload")
        if self.spec.satisfies("+cuda"):
            args.append("OFFLOAD_ARCH=sm_" + self.spec.variants["cuda_arch"].value)
        else:
            args.append("OFFLOAD_ARCH=none")
        return args

    def check(self):
        # make check takes too long.
        make("check", "TESTS=tests/matrix/test_api")

    def installcheck(self):
        make("installcheck")
