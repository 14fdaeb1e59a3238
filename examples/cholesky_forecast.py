"""A forecast of the transfers, the memory and the time of a Cholesky factorization of n = 50000 on 23 ranks of 64 threads. The program
starts no MPI. The bounds are for nodes with this machine's cores and rates. The command prints the same numbers:

    ompfact --dry-run --ranks 23 --threads 64 --dim 50000 --wire 100gbit --json - --quiet potrf

    python3 cholesky_forecast.py
"""
import ompfact

forecast = ompfact.forecast("potrf", 50000, ranks=23, threads=64, wire_rate=100e9 / 8, bounds=True)
for name, value in forecast._asdict().items():
    print(f"{name:20} {value}")
