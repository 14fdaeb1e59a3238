# Files for builds of other programs, and for packages; Debian's tools need theirs at the top, in debian/.
cmakedir = $(libdir)/cmake/ompfact
cmake_DATA = %D%/cmake/ompfactConfig.cmake %D%/cmake/ompfactConfigVersion.cmake %D%/cmake/ompfact-$(MPI_FLAVOUR).cmake
plain_names += $(cmakedir)/ompfact-plain.cmake=ompfact-$(MPI_FLAVOUR).cmake
CLEANFILES += %D%/cmake/ompfact-$(MPI_FLAVOUR).cmake
%D%/cmake/ompfact-$(MPI_FLAVOUR).cmake: %D%/cmake/ompfact-flavour.cmake
	$(AM_V_GEN)cp %D%/cmake/ompfact-flavour.cmake $@

# Existing plain names of another flavour stay; make plain-names changes them.
EXTRA_DIST += %D%/plain-names.sh
plain_names_script = $(BASH) $(srcdir)/%D%/plain-names.sh
install-exec-hook:
	$(plain_names_script) install $(MPI_FLAVOUR) "$(DESTDIR)$(libdir)" "$(DESTDIR)" $(plain_names)
uninstall-hook:
	$(plain_names_script) uninstall $(MPI_FLAVOUR) "$(DESTDIR)$(libdir)" "$(DESTDIR)" $(plain_names)
plain-names:
	$(plain_names_script) take $(MPI_FLAVOUR) "$(DESTDIR)$(libdir)" "$(DESTDIR)" $(plain_names)
.PHONY: plain-names

EXTRA_DIST += .dockerignore %D%/Dockerfile %D%/installcheck.sh %D%/spack/package.py
EXTRA_DIST += \
  debian/changelog \
  debian/control \
  debian/copyright \
  debian/libompfact-MPI-dev.alternatives.in \
  debian/libompfact-MPI-dev.install.in \
  debian/libompfact-MPI0.install.in \
  debian/libompfact-MPI0.lintian-overrides.in \
  debian/libompfact-common-dev.install \
  debian/not-installed \
  debian/ompfact-MPI.alternatives.in \
  debian/ompfact-MPI.install.in \
  debian/ompfact-MPI.links.in \
  debian/ompfact-MPI.lintian-overrides.in \
  debian/ompfact-common.install \
  debian/rules \
  debian/shlibs.local \
  debian/source/format

# Builds programs of users against the installed library: with pkg-config, shared and static, and with CMake.
if HAVE_FORTRAN_MPI
installed_fortran = $(FC)
endif
if HAVE_SCALAPACK
installed_scalapack = $(SCALAPACK_LIBS)
endif
installcheck-local: installcheck-packages
installcheck-packages:
	@CC='$(CC)' FLAGS='$(SANITIZER_FLAGS)' PKG_CONFIG='$(PKG_CONFIG)' MPIEXEC='$(MPIEXEC)' FC='$(installed_fortran)' \
	  SCALAPACK_LIBS='$(installed_scalapack)' \
	  PKG_CONFIG_PATH="$(DESTDIR)$(pkgconfigdir):$$PKG_CONFIG_PATH" CMAKE_PREFIX_PATH='$(DESTDIR)$(prefix)' \
	  env $(SANITIZER_ENV) $(BASH) $(srcdir)/%D%/installcheck.sh $(MPI_FLAVOUR) $(srcdir)/$(installcheck_source) \
	  $(srcdir)/examples/linear_system.f90 $(srcdir)/tests/scalapack/user.c
.PHONY: installcheck-packages
