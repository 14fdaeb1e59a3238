# OMPFACT_OFFLOAD
# Can the compiler make target regions for devices, and link them into one object that any linker then takes (clang 19 and later)?
# Always tried for the machine's own architecture, which LLVM emulates as devices; for NVIDIA's where the compiler has what it takes.
AC_DEFUN([OMPFACT_OFFLOAD], [
AC_ARG_ENABLE([offload],
  [AS_HELP_STRING([--enable-offload], [end where devices cannot be built (default: build without; --disable-offload: never build them)])],
  [], [enable_offload=auto])
AS_CASE([$enable_offload], [yes|no|auto], [], [AC_MSG_ERROR([--enable-offload=$enable_offload is not known: yes, no or auto])])
AC_ARG_VAR([OFFLOAD_ARCH], [architectures of NVIDIA devices to build for (default: sm_90); several with commas, "none" for none])
OFFLOAD_FLAGS= OFFLOAD_LIBS= offload_nvidia= have_offload=no ompfact_offload_text=no
offload_why_not="it was configured with --disable-offload"
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
      ompfact_offload_text="emulated ($host), none of NVIDIA's"
      nvptx="-Xopenmp-target=nvptx64-nvidia-cuda --offload-arch=${OFFLOAD_ARCH:-sm_90}"
      nvptx="$nvptx -Wno-unknown-cuda-version --libomptarget-nvptx-bc-path=$offload_folder"
      AS_IF([test "$OFFLOAD_ARCH" != none], [
        _OMPFACT_OFFLOAD_TRY([-fopenmp-targets=$host,nvptx64-nvidia-cuda $nvptx], [$emulated -L$offload_folder -lomptarget.devicertl],
          [offload_nvidia=${OFFLOAD_ARCH:-sm_90}
           ompfact_offload_text="emulated ($host), NVIDIA $offload_nvidia"],
          [ompfact_offload_text="$ompfact_offload_text: CUDA's ptxas and nvlink make code for them"])])
    ], [])
  ], [])
  AC_MSG_RESULT([$ompfact_offload_text])
])
AS_IF([test "$have_offload" = yes], [
  AC_DEFINE_UNQUOTED([OFFLOAD_RUNTIME], ["$offload_runtime"], [LLVM's runtime for target regions, as the loader knows it.])
  AC_DEFINE_UNQUOTED([OFFLOAD_RUNTIME_FOLDER], ["$offload_folder"], [Where it was when this was configured.])
  AC_DEFINE_UNQUOTED([OFFLOAD_NVIDIA], ["$offload_nvidia"], [The architectures of NVIDIA devices that there is code for, or "".])
], [
  AS_IF([test "$enable_offload" = yes], [AC_MSG_ERROR([devices cannot be built: $offload_why_not])])
  ompfact_offload_text="no: $offload_why_not"
  AC_DEFINE_UNQUOTED([OFFLOAD_WHY_NOT], ["$offload_why_not"], [Why this build has no devices.])
])
AM_CONDITIONAL([OFFLOAD], [test "$have_offload" = yes])
AC_SUBST([OFFLOAD_FLAGS])
AC_SUBST([OFFLOAD_LIBS])
])

# _OMPFACT_OFFLOAD_WHY_NOT
# If it does not work: what clang calls to make and link code for devices and is not there, and which of Debian's packages has it.
AC_DEFUN([_OMPFACT_OFFLOAD_WHY_NOT], [
clang_version=`echo __clang_major__ | $CC -E -P -x c - 2>/dev/null`
missing=
for part in clang-offload-packager:clang-tools clang-linker-wrapper:clang-tools llvm-objcopy:llvm; do
  AS_CASE([`$CC -print-prog-name=${part%:*} 2>/dev/null`], [/*], [],
    [missing="${missing:+$missing, }${part%:*} (Debian: ${part@%:@*:}-$clang_version)"])
done
AS_CASE([$file], [/*], [], [missing="${missing:+$missing, }libomptarget.so (Debian: libomp-$clang_version-dev)"])
AS_IF([test "0$clang_version" -lt 19], [offload_why_not="its compiler is clang $clang_version, and clang 19 is the first that can"],
  [test -n "$missing"], [offload_why_not="configure did not find $missing"],
  [offload_why_not="its compiler could not make code for them, and config.log says why"])
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
