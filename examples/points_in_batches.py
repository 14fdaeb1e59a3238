"""A Gaussian process that learns from batches of points, in its weight space: y = f(x) + noise, f = phi(x)^T w, w ~ N(0, I), with 500
random Fourier features phi of a Gaussian kernel. The program keeps the Cholesky factor of A = I + sum phi phi^T / s^2: each batch of points
updates the factor, and a downdate removes the oldest batch. After each step it prints the log marginal likelihood of the remaining points:

    -2 log p(y) = (y^T y - b^T A^-1 b / s^2) / s^2 + log det A + N log(2 pi s^2),    b = sum phi y

Run it on any number of ranks: mpiexec -n 3 python3 points_in_batches.py [FOLDER]. It saves the factor in FOLDER."""
import sys

import numpy as np
import ompfact

FEATURES, BATCH, WINDOW, LENGTH, S = 500, 200, 3, 0.3, 0.1
rng = np.random.default_rng(1)              # the same numbers on every rank
frequency = rng.standard_normal((2, FEATURES)) / LENGTH
phase = rng.uniform(0, 2 * np.pi, FEATURES)


def features(x):
    return np.sqrt(2 / FEATURES) * np.cos(x @ frequency + phase)


def likelihood(F, b, yy, count):
    fit = (yy - b @ F.solve(b) / S**2) / S**2
    return -(fit + F.logdet() + count * np.log(2 * np.pi * S**2)) / 2


with ompfact.Grid() as grid:
    identity = ompfact.Matrix.from_function(lambda i, j: i == j, FEATURES, grid=grid, structure="lower")
    F = ompfact.cho_factor(identity, overwrite_a=True)
    b, yy, kept = np.zeros(FEATURES), 0.0, []
    for batch in range(6):
        x = rng.random((BATCH, 2))
        y = np.sin(5 * x[:, 0]) * np.cos(4 * x[:, 1]) + S * rng.standard_normal(BATCH)
        phi = features(x).T
        F.update(phi / S)
        kept.append((phi, y))
        b, yy = b + phi @ y, yy + y @ y
        if len(kept) > WINDOW:
            phi, y = kept.pop(0)
            F.downdate(phi / S)
            b, yy = b - phi @ y, yy - y @ y
        count = BATCH * len(kept)
        value = likelihood(F, b, yy, count)
        if grid.rank == 0:
            print(f"batch {batch + 1}: {count} points, log likelihood {value:.4f}")
    if len(sys.argv) > 1:                       # F = ompfact.load(folder) continues with the factor, on any number of ranks
        ompfact.save(F, sys.argv[1])

    # The same result from all remaining points at once.
    all_phi, all_y = np.hstack([phi for phi, _ in kept]), np.hstack([y for _, y in kept])
    A = np.eye(FEATURES) + all_phi @ all_phi.T / S**2
    c = np.linalg.cholesky(A)
    z = np.linalg.solve(A, all_phi @ all_y)
    once = -((all_y @ all_y - (all_phi @ all_y) @ z / S**2) / S**2 + 2 * np.log(c.diagonal()).sum()
             + count * np.log(2 * np.pi * S**2)) / 2
    assert abs(value - once) < 1e-9 * abs(once), (value, once)
