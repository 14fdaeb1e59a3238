"""Measured points (n, time) for one number of ranks, with interpolation: bench/scaling derives its views from such curves."""
import math
import statistics

FLOPS = {"potrf": lambda n: n**3 / 3 + n**2 / 2 + n / 6, "getrf": lambda n: 2 * n**3 / 3 - n**2 / 2 - n / 6}


class Curve:
    """Times of one routine on `ranks` ranks. Between points log(time) is linear in log(n); there is no extrapolation."""

    def __init__(self, routine, ranks):
        self.routine, self.ranks, self.times = routine, ranks, {}

    def add(self, n, seconds):
        self.times.setdefault(n, []).append(seconds)

    def sizes(self):
        return sorted(self.times)

    def time(self, n):
        """The median if n was measured, an interpolated time between measured sizes, otherwise None."""
        if n in self.times:
            return statistics.median(self.times[n])
        below, above = [m for m in self.sizes() if m < n], [m for m in self.sizes() if m > n]
        if not below or not above:
            return None
        return between(n, below[-1], above[0], self.time(below[-1]), self.time(above[0]))

    def spread(self, n):
        """The least and the greatest time if n was measured, otherwise None twice."""
        return (min(self.times[n]), max(self.times[n])) if n in self.times else (None, None)

    def rate(self, n):
        """GFLOP/s of a rank."""
        seconds = self.time(n)
        return seconds and FLOPS[self.routine](n) / seconds / 1e9 / self.ranks

    def spread_of_rate(self, n):
        return tuple(s and FLOPS[self.routine](n) / s / 1e9 / self.ranks for s in reversed(self.spread(n)))

    def crossing(self, value, target, last=False):
        """The n where value(n), which mostly grows with n, reaches the target: the first or the last upward crossing. Returns (n, None),
        or (None, -1) if the crossing is below all points, (None, 1) if it is above them."""
        sizes = self.sizes()
        exact = [n for n in sizes if value(n) == target]
        if exact:
            return exact[-1 if last else 0], None
        found = [(a, b) for a, b in zip(sizes, sizes[1:]) if value(a) < target <= value(b)]
        if not found:
            return None, (-1 if value(sizes[0]) >= target else 1)
        a, b = found[-1 if last else 0]
        return between(target, value(a), value(b), a, b), None


def between(x, x0, x1, y0, y1):
    """Linear in logarithms."""
    part = (math.log(x) - math.log(x0)) / (math.log(x1) - math.log(x0))
    return math.exp(math.log(y0) + part * (math.log(y1) - math.log(y0)))
