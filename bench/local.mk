# Measurements: not built or run by make check. Scripts and sources to be distributed, one a line.
EXTRA_DIST += %D%/memory.sh
EXTRA_DIST += %D%/speed.sh
EXTRA_DIST += %D%/layouts.sh
EXTRA_PROGRAMS += %D%/layout_times
%C%_layout_times_SOURCES = %D%/layout_times.c
%C%_layout_times_LDADD = libompfact_internal.a $(ompfact_libs)
EXTRA_DIST += %D%/svgplot.py
EXTRA_DIST += %D%/gantt
EXTRA_DIST += %D%/tracefile.py
EXTRA_DIST += %D%/peers
EXTRA_DIST += %D%/contestants.py
EXTRA_DIST += %D%/peer_matrix.h
EXTRA_DIST += %D%/peer_lapack.c
EXTRA_DIST += %D%/peer_scalapack.c
EXTRA_PROGRAMS += %D%/dgemm
%C%_dgemm_SOURCES = %D%/dgemm.c
%C%_dgemm_LDADD = libompfact_internal.a $(ompfact_libs)
