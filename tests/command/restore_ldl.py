"""Symmetric and Hermitian matrices in .npy files, and A = W^-T P^T L D L^H P W^-1 from what sytrf and hetrf write.

    restore_ldl.py make TYPE FAMILY UPLO N FILE.npy             a random matrix; its other triangle is NaN
    restore_ldl.py put ROW COLUMN WHAT FILE.npy                 one element, from 1: tilted, or else NaN
    restore_ldl.py check FAMILY UPLO A.npy FACTORS.npy IPIV     FACTORS of --output and IPIV of --ipiv restore A, and solve with it
    restore_ldl.py part FAMILY UPLO ROWS A.npy FACTORS.npy IPIV S.npy       those of --partial restore A, with S of --schur in them
"""
import array
import ast
import random
import struct
import sys

ROUNDOFF = {"f4": 2.0 ** -24, "f8": 2.0 ** -53, "c8": 2.0 ** -24, "c16": 2.0 ** -53}


def write(name, descr, a):
    head = "{'descr': '<%s', 'fortran_order': False, 'shape': (%d, %d), }" % (descr, len(a), len(a))
    numbers = [part for row in a for x in row for part in ((x.real, x.imag) if descr[0] == "c" else (x.real,))]
    with open(name, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + (head.ljust(117) + "\n").encode())
        f.write(array.array("f" if descr in ("f4", "c8") else "d", numbers).tobytes())


def read(name):
    """(type, rows)"""
    with open(name, "rb") as f:
        data = f.read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:start].decode())
    descr, n = head["descr"][1:], head["shape"][0]
    x = array.array("f" if descr in ("f4", "c8") else "d", data[start:]).tolist()
    x = list(map(complex, x[::2], x[1::2])) if descr[0] == "c" else x
    return descr, [x[i::n] if head["fortran_order"] else x[i * n:(i + 1) * n] for i in range(n)]


def image(family, x):
    """Of an element what is on the other side of the diagonal."""
    return x if family == "sy" else complex(x).conjugate()


def make(letter, family, uplo, n, name):
    n = int(n)
    random.seed(n)
    complex_ = letter in "cz"
    a = [[complex(random.uniform(-1, 1), random.uniform(-1, 1) if complex_ and (i != j or family == "sy") else 0)
          for j in range(n)] for i in range(n)]
    nan = complex(float("nan"), float("nan"))
    write(name, {"s": "f4", "d": "f8", "c": "c8", "z": "c16"}[letter],
          [[nan if (j > i) == (uplo == "l") and i != j else x for j, x in enumerate(row)] for i, row in enumerate(a)])


def put(row, column, what, name):
    descr, a = read(name)
    a[int(row) - 1][int(column) - 1] = complex(float("nan"), 0) if what != "tilted" else complex(1, 1e-300)
    write(name, descr, a)


def whole(family, uplo, a):
    """A matrix of which one triangle counts."""
    stored = (lambda i, j: i >= j) if uplo == "l" else (lambda i, j: i <= j)
    return [[complex(a[i][j]) if stored(i, j) else image(family, a[j][i]) for j in range(len(a))] for i in range(len(a))]


def read_rows(name):
    """(pivots, levels of W: for each row its partner, from 0, and its weight)"""
    with open(name) as f:
        rows = [line.split() for line in f]
    levels = [[(int(r[k]) - 1, float(r[k + 1])) for r in rows] for k in (1, 3)] if len(rows[0]) > 1 else []
    return [int(r[0]) for r in rows], levels


def mixed(level, x):
    """One level of W^T times a vector."""
    return [x[i] if y == i else w * (x[i] + x[y]) if i < y else w * (x[y] - x[i]) for i, (y, w) in enumerate(level)]


def mixed_back(level, x):
    """One level of W times a vector."""
    y = [w * v for v, (_, w) in zip(x, level)]
    return [y[i] if other == i else y[i] + y[other] if i < other else y[other] - y[i] for i, (other, _) in enumerate(level)]


def exchanged(pivots, x, back=False):
    """P x, or P^T x."""
    x, steps = list(x), list(enumerate(pivots))
    for k, p in reversed(steps) if back else steps:
        x[k], x[abs(p) - 1] = x[abs(p) - 1], x[k]
    return x


class Factors:
    """Behind the first rows, if not all are eliminated, L is the unit matrix, and D what is left."""

    def __init__(self, family, uplo, name, ipiv, rows=None):
        self.family = family
        _, f = read(name)
        self.n = len(f)
        beyond = max(abs(f[i][j]) for i in range(self.n) for j in range(self.n) if (j > i) == (uplo == "l") and i != j)
        assert beyond == 0, "the other triangle is not zero"
        self.pivots, self.levels = read_rows(ipiv)
        low = [[f[i][j] if uplo == "l" else image(family, f[j][i]) for j in range(i + 1)] for i in range(self.n)]
        self.blocks = []                            # of D: (first row, order)
        k = 0
        while k < self.n:
            self.blocks.append((k, 2 if self.pivots[k] < 0 else 1))
            k += self.blocks[-1][1]
        rows = self.n if rows is None else rows
        self.rest = whole(family, "l", [[low[i][j] if j <= i else 0 for j in range(rows, self.n)] for i in range(rows, self.n)])
        for i in range(rows, self.n):
            low[i][rows:] = [0] * (i - rows) + [1]
        self.blocks = [(k, order) for k, order in self.blocks if k < rows]
        self.below = {k: low[k + 1][k] for k, order in self.blocks if order == 2}
        self.diagonal = [low[k][k] for k in range(self.n)]
        for k in self.below:
            low[k + 1][k] = 0
        self.low = [row[:-1] + [1] for row in low]

    def times_d(self, x):
        y = [d * v for d, v in zip(self.diagonal, x)]
        for k, e in self.below.items():
            y[k] += image(self.family, e) * x[k + 1]
            y[k + 1] += e * x[k]
        rows = self.n - len(self.rest)
        y[rows:] = [sum(s * v for s, v in zip(row, x[rows:])) for row in self.rest]
        return y

    def over_d(self, x):
        y = [v / d if d else v for d, v in zip(self.diagonal, x)]
        for k, e in self.below.items():
            a, b, c = self.diagonal[k], self.diagonal[k + 1], image(self.family, e)
            y[k], y[k + 1] = (b * x[k] - c * x[k + 1]) / (a * b - e * c), (a * x[k + 1] - e * x[k]) / (a * b - e * c)
        return y

    def times(self, x):
        """L D L^H x"""
        y = [sum(image(self.family, self.low[i][j]) * x[i] for i in range(j, self.n)) for j in range(self.n)]
        y = self.times_d(y)
        return [sum(self.low[i][j] * y[j] for j in range(i + 1)) for i in range(self.n)]

    def solve(self, b):
        """x of A x = b"""
        for level in self.levels:
            b = mixed(level, b)
        y = exchanged(self.pivots, b)
        for i in range(self.n):
            y[i] -= sum(self.low[i][j] * y[j] for j in range(i))
        y = self.over_d(y)
        for i in reversed(range(self.n)):
            y[i] -= sum(image(self.family, self.low[j][i]) * y[j] for j in range(i + 1, self.n))
        x = exchanged(self.pivots, y, back=True)
        for level in reversed(self.levels):
            x = mixed_back(level, x)
        return x


def bound_of(descr, a):
    return 3e3 * len(a) * ROUNDOFF[descr] * max(abs(x) for row in a for x in row)   # growth of some hundreds is usual


def restores(a, f, bound):
    n = len(a)
    for column in range(n):                     # P W^T A W P^T = L D L^H, column by column
        unit = [float(i == column) for i in range(n)]
        y = exchanged(f.pivots, unit, back=True)
        for level in reversed(f.levels):
            y = mixed_back(level, y)
        y = [sum(x * v for x, v in zip(row, y)) for row in a]
        for level in f.levels:
            y = mixed(level, y)
        worst = max(abs(x - v) for x, v in zip(exchanged(f.pivots, y), f.times(unit)))
        assert worst <= bound, (column, worst, bound)


def part(family, uplo, rows, name, factors, ipiv, left):
    descr, a = read(name)
    a, s, rows = whole(family, uplo, a), read(left)[1], int(rows)
    f = Factors(family, uplo, factors, ipiv, rows)
    assert not f.levels and all(p == i + 1 for i, p in enumerate(f.pivots) if i >= rows), "rows that are left have moved"
    assert len(s) == len(a) - rows and all(x == y for p, q in zip(s, f.rest) for x, y in zip(p, q)), "S is another one"
    restores(a, f, bound_of(descr, a))


def check(family, uplo, name, factors, ipiv):
    descr, a = read(name)
    a = whole(family, uplo, a)
    n, f, bound = len(a), Factors(family, uplo, factors, ipiv), bound_of(descr, a)
    restores(a, f, bound)
    b = [complex(i % 5 - 2) for i in range(n)]
    x = f.solve(b)
    worst = max(abs(sum(p * q for p, q in zip(row, x)) - v) for row, v in zip(a, b))
    assert worst <= bound * n * max(map(abs, x)), (worst, bound, max(map(abs, x)))


verb, *arguments = sys.argv[1:]
{"make": make, "put": put, "check": check, "part": part}[verb](*arguments)
