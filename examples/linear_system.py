"""Solves a system with NumPy arrays, and one with a matrix that is distributed over the ranks. The program runs on any number of ranks:

    mpiexec -n 5 python3 linear_system.py
"""
import numpy as np
import ompfact

n = 1000

# The arrays are equal on every rank.
a = np.random.default_rng(1).random((n, n))
x = ompfact.solve(a, a @ np.ones(n))
small = abs(x - 1).max()


# Symmetric and positive definite, filled tile by tile. b = A (1, ..., 1)^T, so the solution is known.
def entry(i, j):
    return np.where(i == j, 1.0 * n, 1 / (1 + abs(i - j)))


with ompfact.Grid() as grid, ompfact.Matrix.from_function(entry, n, grid=grid, structure="lower") as A:
    B = A.rhs(1)
    for tile in B.tiles():
        rows = np.arange(n)[tile.rows, None]
        tile.array[:, 0] = entry(rows, np.arange(n)).sum(axis=1)
    X = ompfact.solve(A, B, assume_a="pos")
    mine = max((abs(tile.array - 1).max() for tile in X.tiles()), default=0.0)
    large = grid.allgather(np.array([mine])).max()
    right = small < 1e-8 and large < 1e-12
    if grid.rank == 0:
        print(f"{grid.size} ranks, {A.layout}: largest errors {small:.1e} and {large:.1e}: {'right' if right else 'WRONG'}")
raise SystemExit(not right)
