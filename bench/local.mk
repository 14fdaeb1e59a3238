# Measurements: not built or run by make check. Scripts and sources to be distributed, one a line.
EXTRA_DIST += %D%/memory.sh
EXTRA_DIST += %D%/speed.sh
