# OMPFACT_OFFLOAD
# Can the compiler make target regions for devices, and link them into one object that any linker then takes (clang 19 and later)?
# Always tried for the machine's own architecture, which LLVM emulates as devices; for NVIDIA's where the compiler has what it takes.
AC_DEFUN([OMPFACT_OFFLOAD], [
AC_ARG_ENABLE([offload], [AS_HELP_STRING([--disable-offload], [build without devices])], [], [enable_offload=yes])
AC_ARG_VAR([OFFLOAD_ARCH], [architectures of NVIDIA devices to build for (default: sm_90); several with commas, "none" for none])
OFFLOAD_FLAGS= OFFLOAD_LIBS= offload_nvidia= have_offload=no ompfact_offload_text=no
offload_why_not="it was configured with --disable-offload"
AS_IF([test "$enable_offload" != no], [
  offload_why_not="its compiler could not make code for devices"
  AC_MSG_CHECKING([for devices])
  host=`$CC -dumpmachine 2>/dev/null`
  file=`$CC -print-file-name=libomptarget.so 2>/dev/null`
  AS_CASE([$file], [/*], [
    file=`readlink -f "$file"`
    offload_runtime=`basename "$file"`
    offload_folder=`dirname "$file"`
    emulated="-Xoffload-linker-$host -L$offload_folder -Xoffload-linker-$host -lomp"
    _OMPFACT_OFFLOAD_TRY([-fopenmp-targets=$host], [$emulated], [
      have_offload=yes
      ompfact_offload_text="emulated ($host)"
      nvptx="-Xopenmp-target=nvptx64-nvidia-cuda --offload-arch=${OFFLOAD_ARCH:-sm_90}"
      nvptx="$nvptx -Wno-unknown-cuda-version --libomptarget-nvptx-bc-path=$offload_folder"
      AS_IF([test "$OFFLOAD_ARCH" != none], [
        _OMPFACT_OFFLOAD_TRY([-fopenmp-targets=$host,nvptx64-nvidia-cuda $nvptx], [$emulated -L$offload_folder -lomptarget.devicertl],
          [offload_nvidia=${OFFLOAD_ARCH:-sm_90}
           ompfact_offload_text="$ompfact_offload_text, NVIDIA $offload_nvidia"], [])])
    ], [])
  ], [offload_why_not="the compiler it was built with has no libomptarget"])
  AC_MSG_RESULT([$ompfact_offload_text])
])
AS_IF([test "$have_offload" = yes], [
  AC_DEFINE_UNQUOTED([OFFLOAD_RUNTIME], ["$offload_runtime"], [LLVM's runtime for target regions, as the loader knows it.])
  AC_DEFINE_UNQUOTED([OFFLOAD_RUNTIME_FOLDER], ["$offload_folder"], [Where it was when this was configured.])
  AC_DEFINE_UNQUOTED([OFFLOAD_NVIDIA], ["$offload_nvidia"], [The architectures of NVIDIA devices that there is code for, or "".])
], [
  ompfact_offload_text="no: $offload_why_not"
  AC_DEFINE_UNQUOTED([OFFLOAD_WHY_NOT], ["$offload_why_not"], [Why this build has no devices.])
])
AM_CONDITIONAL([OFFLOAD], [test "$have_offload" = yes])
AC_SUBST([OFFLOAD_FLAGS])
AC_SUBST([OFFLOAD_LIBS])
])

# _OMPFACT_OFFLOAD_TRY(FLAGS, LIBS, IF-YES, IF-NO)
# As local.mk in offload/ does it: compile, link the object with itself.
AC_DEFUN([_OMPFACT_OFFLOAD_TRY], [
cat > conftest.c <<'_OMPFACT_EOF'
#include <omp.h>
int where(int device)
{
    int there = 0;
    #pragma omp target teams distribute parallel for device(device) map(tofrom: there)
    for (int i = 0; i < 8; i++)
        if (i == 7)
            there = !omp_is_initial_device();
    return there;
}
_OMPFACT_EOF
AS_IF([($CC $CFLAGS -fopenmp $1 -c -o conftest-region.o conftest.c &&
        $CC -fopenmp $1 -r -o conftest-target.o conftest-region.o $2) >&AS_MESSAGE_LOG_FD 2>&1],
  [OFFLOAD_FLAGS="$1" OFFLOAD_LIBS="$2"
   $3], [m4_default([$4], [:])])
rm -f conftest.c conftest-region.o conftest-target.o
])
