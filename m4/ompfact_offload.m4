# OMPFACT_OFFLOAD
# Checks whether the compiler can compile target regions for devices, and link them into one object for any linker (clang 19 and later).
# Tries the machine's own architecture, which LLVM emulates as devices, and NVIDIA's devices.
AC_DEFUN([OMPFACT_OFFLOAD], [
AC_ARG_ENABLE([offload],
  [AS_HELP_STRING([--enable-offload],
     [fail without support of devices (default: support devices if possible; --disable-offload: never)])],
  [], [enable_offload=auto])
AS_CASE([$enable_offload], [yes|no|auto], [], [AC_MSG_ERROR([--enable-offload=$enable_offload: the value must be yes, no or auto])])
AC_ARG_VAR([OFFLOAD_ARCH], [architectures of NVIDIA devices (default: sm_90); a list with commas, or "none"])
AC_ARG_VAR([OFFLOAD_AMD_ARCH], [architectures of AMD devices (default: gfx908,gfx90a,gfx942,gfx1030,gfx1100); a list with commas, or "none"])
OFFLOAD_FLAGS= OFFLOAD_LIBS= OFFLOAD_AMD= OFFLOAD_HOST= OFFLOAD_BUNDLER= offload_nvidia= have_offload=no ompfact_offload_text=no
offload_why_not="configured with --disable-offload"
AS_IF([test "$enable_offload" != no], [
  AC_MSG_CHECKING([for devices])
  host=`$CC -dumpmachine 2>/dev/null`
  file=`$CC -print-file-name=libomptarget.so 2>/dev/null`
  _OMPFACT_OFFLOAD_WHY_NOT
  AS_CASE([$file], [/*], [
    file=`readlink -f "$file"`
    offload_runtime=`basename "$file"`
    offload_folder=`dirname "$file"`
    emulated="-Xoffload-linker-$host -L$offload_folder -Xoffload-linker-$host -lomp"
    _OMPFACT_OFFLOAD_TRY([-fopenmp-targets=$host], [$emulated], [
      have_offload=yes
      ompfact_offload_text="emulated ($host), no NVIDIA devices"
      nvptx="-Xopenmp-target=nvptx64-nvidia-cuda --offload-arch=${OFFLOAD_ARCH:-sm_90}"
      nvptx="$nvptx -Wno-unknown-cuda-version --libomptarget-nvptx-bc-path=$offload_folder"
      AS_IF([test "$OFFLOAD_ARCH" != none], [
        _OMPFACT_OFFLOAD_TRY([-fopenmp-targets=$host,nvptx64-nvidia-cuda $nvptx], [$emulated -L$offload_folder -lomptarget.devicertl],
          [offload_nvidia=${OFFLOAD_ARCH:-sm_90}
           ompfact_offload_text="emulated ($host), NVIDIA $offload_nvidia"],
          [ompfact_offload_text="$ompfact_offload_text, which need CUDA's ptxas and nvlink"])])
      _OMPFACT_OFFLOAD_AMD
    ], [])
  ], [])
  AC_MSG_RESULT([$ompfact_offload_text])
])
AS_IF([test "$have_offload" = yes], [
  AC_DEFINE_UNQUOTED([OFFLOAD_RUNTIME], ["$offload_runtime"], [The file name of LLVM's runtime for target regions.])
  AC_DEFINE_UNQUOTED([OFFLOAD_RUNTIME_FOLDER], ["$offload_folder"], [The folder of LLVM's runtime for target regions at configure time.])
  AC_DEFINE_UNQUOTED([OFFLOAD_NVIDIA], ["$offload_nvidia"], [The architectures of NVIDIA devices with code in this build, or "".])
  AC_DEFINE_UNQUOTED([OFFLOAD_AMD_WHY_NOT], ["$offload_amd_why_not"], [The reason why this build has no code for AMD devices, or "".])
], [
  AS_IF([test "$enable_offload" = yes], [AC_MSG_ERROR([devices are not supported: $offload_why_not])])
  ompfact_offload_text="no: $offload_why_not"
  AC_DEFINE_UNQUOTED([OFFLOAD_WHY_NOT], ["$offload_why_not"], [The reason why this build does not support devices.])
])
AM_CONDITIONAL([OFFLOAD], [test "$have_offload" = yes])
AC_SUBST([OFFLOAD_FLAGS])
AC_SUBST([OFFLOAD_LIBS])
AC_SUBST([OFFLOAD_HOST])
AC_SUBST([OFFLOAD_AMD])
AC_SUBST([OFFLOAD_BUNDLER])
])

# _OMPFACT_OFFLOAD_AMD
# Code objects for AMD's devices: the compiler makes them with LLVM's linker, and clang-offload-bundler makes a bundle of them.
AC_DEFUN([_OMPFACT_OFFLOAD_AMD], [
OFFLOAD_HOST=$host
OFFLOAD_BUNDLER=`$CC -print-prog-name=clang-offload-bundler 2>/dev/null`
offload_amd=`AS_ECHO(["${OFFLOAD_AMD_ARCH:-gfx908,gfx90a,gfx942,gfx1030,gfx1100}"]) | tr , ' '`
offload_amd_why_not=
AS_IF([test "$offload_amd" = none], [offload_amd_why_not="configured with OFFLOAD_AMD_ARCH=none"])
for part in clang-offload-bundler:clang-tools ld.lld:lld; do
  AS_CASE([`$CC -print-prog-name=${part%:*} 2>/dev/null`], [/*], [],
    [offload_amd_why_not="${offload_amd_why_not:-configure did not find ${part%:*} (Debian: ${part@%:@*:}-$clang_version)}"])
done
AS_IF([test -z "$offload_amd_why_not"], [
  echo '__attribute__((amdgpu_kernel)) void one(int *a) { *a = 1; }' > conftest.c
  for a in $offload_amd; do
    AS_IF([$CC --target=amdgcn-amd-amdhsa -mcpu=$a -nogpulib -mcode-object-version=5 -o conftest-amd conftest.c >&AS_MESSAGE_LOG_FD 2>&1], [],
      [offload_amd_why_not="the compiler makes no code for $a, see config.log"])
  done
  rm -f conftest.c conftest-amd
])
AS_IF([test -z "$offload_amd_why_not"],
  [OFFLOAD_AMD=$offload_amd
   ompfact_offload_text="$ompfact_offload_text, AMD "`AS_ECHO(["$offload_amd"]) | tr ' ' ,`],
  [ompfact_offload_text="$ompfact_offload_text, no AMD devices: $offload_amd_why_not"])
])

# _OMPFACT_OFFLOAD_WHY_NOT
# The reason for a failure: the missing programs that clang calls to compile and link code for devices, and their Debian packages.
AC_DEFUN([_OMPFACT_OFFLOAD_WHY_NOT], [
clang_version=`echo __clang_major__ | $CC -E -P -x c - 2>/dev/null`
missing=
for part in clang-offload-packager:clang-tools clang-linker-wrapper:clang-tools llvm-objcopy:llvm; do
  AS_CASE([`$CC -print-prog-name=${part%:*} 2>/dev/null`], [/*], [],
    [missing="${missing:+$missing, }${part%:*} (Debian: ${part@%:@*:}-$clang_version)"])
done
AS_CASE([$file], [/*], [], [missing="${missing:+$missing, }libomptarget.so (Debian: libomp-$clang_version-dev)"])
AS_IF([test "0$clang_version" -lt 19], [offload_why_not="the compiler is clang $clang_version; devices need clang 19 or later"],
  [test -n "$missing"], [offload_why_not="configure did not find $missing"],
  [offload_why_not="the compiler makes no code for devices, see config.log"])
])

# _OMPFACT_OFFLOAD_TRY(FLAGS, LIBS, IF-YES, IF-NO)
# Compiles and links as offload/local.mk does.
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
