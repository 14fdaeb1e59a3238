"""The Poisson equation on a square, by domain decomposition: four domains, and the cross of points between them, the interface G. A
domain has only its inner points I and the points of G. Elimination of the inner points leaves a Schur complement for the other domains:

    ( A_II A_IG )    S_i = A_GG - A_GI A_II^-1 A_IG,        g_i = b_G - A_GI A_II^-1 b_I
    ( A_GI A_GG )

so that (sum S_i) x_G = sum g_i, which has a row for each point of G, and then A_II x_I = b_I - A_IG x_G in each domain separately.
A sparse direct solver does the same on each front of its tree; mechanics calls a domain a superelement.

Run it on any number of ranks: mpiexec -n 3 python3 domains.py"""
import numpy as np
import ompfact

M = 47                                          # points along a side; the middle ones are G
H, MIDDLE = 1 / (M + 1), M // 2
EIGENVALUE = 8 * np.sin(np.pi * H / 2) ** 2     # of the five-point formula; solution() is its eigenvector


def solution(points):
    return np.sin(np.pi * H * (points + 1)).prod(axis=1)


def domain(inner, cross):
    """The matrix of a domain: its inner points come first; elements between two points of G are a quarter, as four domains have them."""
    points = np.vstack([inner, cross])

    def element(i, j):
        steps = abs(points[i] - points[j]).sum(axis=2)
        return np.select([steps == 0, steps == 1], [4.0, -1.0]) / np.where((i >= len(inner)) & (j >= len(inner)), 4, 1)
    return ompfact.Matrix.from_function(element, len(points), grid=grid, structure="lower", cut=len(inner))


def put_unit(A, first):
    for tile in A.tiles():
        if tile.row >= first and tile.col >= first:
            tile.array[...] = np.eye(len(tile.array)) if tile.i == tile.j else 0


with ompfact.Grid() as grid:
    x, y = np.indices((M, M)).reshape(2, -1)
    points, on_cross = np.stack([x, y], axis=1), (x == MIDDLE) | (y == MIDDLE)
    cross = points[on_cross]
    inner = [points[~on_cross & ((x < MIDDLE) == left) & ((y < MIDDLE) == low)]
             for left in (True, False) for low in (True, False)]
    b_cross, S, g, domains = EIGENVALUE * solution(cross) / 4, 0, 0, []
    for mine in inner:
        n, b_inner = len(mine), EIGENVALUE * solution(mine)
        P = ompfact.eliminate(domain(mine, cross), n, overwrite_a=True, assume_a="pos")
        S = S + P.schur().to_array()            # a Matrix becomes an array, small compared with the domain
        put_unit(P.matrix, n)                   # replaces it: then solves are eliminations and substitutions with I alone
        F = P.factor()
        g_mine = F.solve(np.concatenate([b_inner, b_cross]))[n:]
        g = g + g_mine
        domains.append((F, b_inner, b_cross - g_mine))
    x_cross = ompfact.solve(S, g, assume_a="pos", lower=True, grid=grid)
    error = abs(x_cross - solution(cross)).max()
    for mine, (F, b_inner, taken) in zip(inner, domains):
        x_mine = F.solve(np.concatenate([b_inner, x_cross + taken]))[:len(mine)]
        error = max(error, abs(x_mine - solution(mine)).max())
    if grid.rank == 0:
        print(f"{len(inner)} domains of {len(inner[0])} points, {len(cross)} between them: largest error {error:.1e}")
    assert error < 1e-10, error
