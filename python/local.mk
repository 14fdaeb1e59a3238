# The package for Python, if there is a Python: installed with a file that has the folder of the library. A package of pip install ./python
# lacks this file, and finds the library by the loader's search or by OMPFACT_LIBRARY.
EXTRA_DIST += %D%/pyproject.toml %D%/ompfact/py.typed
package_files = \
  %D%/ompfact/__init__.py \
  %D%/ompfact/_agree.py \
  %D%/ompfact/_cholesky.py \
  %D%/ompfact/_condition.py \
  %D%/ompfact/_errors.py \
  %D%/ompfact/_flavour.py \
  %D%/ompfact/_grid.py \
  %D%/ompfact/_indefinite.py \
  %D%/ompfact/_inverse.py \
  %D%/ompfact/_library.py \
  %D%/ompfact/_matrix.py \
  %D%/ompfact/_mpi.py \
  %D%/ompfact/_operands.py \
  %D%/ompfact/_partial.py \
  %D%/ompfact/_plan.py \
  %D%/ompfact/_products.py \
  %D%/ompfact/_qr.py \
  %D%/ompfact/_shapes.py \
  %D%/ompfact/_solve.py \
  %D%/ompfact/_threads.py \
  %D%/ompfact/_version.py
if HAVE_PYTHON
pkgpython_PYTHON = $(package_files)
nodist_pkgpython_PYTHON = %D%/ompfact/_config.py
pkgpython_DATA = %D%/ompfact/py.typed
CLEANFILES += %D%/ompfact/_config.py
install-data-hook:
	@test -n "$(DESTDIR)" || $(PYTHON) -c 'import sys; sys.exit("$(pythondir)" not in sys.path)' || \
	  echo "ompfact: $(PYTHON) does not search $(pythondir) for packages: export PYTHONPATH=$(pythondir)"
endif
# Each make checks the file, because `make install prefix=...` may have another folder than the make before.
%D%/ompfact/_config.py: every-time
	@$(MKDIR_P) $(@D) && echo "LIBDIR = '$(libdir)'" > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
every-time:
.PHONY: every-time
