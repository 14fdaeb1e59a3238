# The package for Python, where there is one: installed with a line that says where the library is. pip install ./python does
# without that line, and finds the library as the loader does, or by OMPFACT_LIBRARY.
EXTRA_DIST += %D%/pyproject.toml
package_files = \
  %D%/ompfact/__init__.py \
  %D%/ompfact/_library.py \
  %D%/ompfact/_mpi.py \
  %D%/ompfact/errors.py \
  %D%/ompfact/grid.py \
  %D%/ompfact/linalg.py \
  %D%/ompfact/matrix.py \
  %D%/ompfact/plan.py
if HAVE_PYTHON
pkgpython_PYTHON = $(package_files)
nodist_pkgpython_PYTHON = %D%/ompfact/_config.py
CLEANFILES += %D%/ompfact/_config.py
endif
%D%/ompfact/_config.py: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && echo "LIBDIR = '$(libdir)'" > $@
