# What other programs' builds find, and what packagers need; Debian's tools want theirs at the top, in debian/.
cmakedir = $(libdir)/cmake/ompfact
cmake_DATA = %D%/cmake/ompfactConfig.cmake %D%/cmake/ompfactConfigVersion.cmake
EXTRA_DIST += .dockerignore %D%/Dockerfile %D%/installcheck.sh %D%/spack/package.py
EXTRA_DIST += \
  debian/changelog \
  debian/control \
  debian/copyright \
  debian/libompfact-dev.install \
  debian/libompfact0.install \
  debian/libompfact0.lintian-overrides \
  debian/ompfact.install \
  debian/ompfact.lintian-overrides \
  debian/rules \
  debian/shlibs.local \
  debian/source/format

# Programs as users build them, against what is installed: by pkg-config, shared and static, and by CMake.
installcheck-local: installcheck-packages
installcheck-packages:
	@CC='$(CC)' FLAGS='$(SANITIZER_FLAGS)' PKG_CONFIG='$(PKG_CONFIG)' MPIEXEC='$(MPIEXEC)' \
	  PKG_CONFIG_PATH="$(DESTDIR)$(pkgconfigdir):$$PKG_CONFIG_PATH" CMAKE_PREFIX_PATH='$(DESTDIR)$(prefix)' \
	  env $(SANITIZER_ENV) $(BASH) $(srcdir)/%D%/installcheck.sh $(srcdir)/$(installcheck_source)
.PHONY: installcheck-packages
