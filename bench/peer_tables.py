"""Tables and charts of the rows of bench/peers."""
import math
import os
import statistics

from contestants import size_of, size_text
from measure import note
from svgplot import Chart

TITLES = {"potrf": "Cholesky factorization", "getrf": "LU factorization", "getrf-pivoted": "LU factorization with pivoting",
          "geqrf": "QR factorization"}


def grouped(rows):
    groups = {}
    for r in rows:
        groups.setdefault((r["routine"], r["shape"], size_of(r["n"]), r["contestant"]), []).append(r)
    return groups


def spread(rows, column):
    values = [float(r[column]) for r in rows]
    return statistics.median(values), min(values), max(values)


def times_over(ours, theirs):
    """The ratios of two contestants' times in the rounds that both have."""
    times = {r["run"]: float(r["time_s"]) for r in theirs}
    return [float(r["time_s"]) / times[r["run"]] for r in ours if r["run"] in times]


def users_table(rows):
    """A line for each routine, size and shape; a dash marks a missing value."""
    line = "{:14}{:>12}{:>7}  {:26}{:11}{:26}{}".format
    note("\n" + line("routine", "n", "shape", "ompfact, share of DGEMM", "peer", "its share of DGEMM", "time, ompfact / peer"))

    def text(values):
        return "{:.3f} ({:.3f} to {:.3f})".format(statistics.median(values), min(values), max(values)) if values else "-"

    groups = grouped(rows)
    for routine, shape, size in sorted({k[:3] for k in groups}, key=lambda k: (list(TITLES).index(k[0]), k[1], math.prod(k[2]))):
        peer = "LAPACK" if shape.startswith("1x") else "ScaLAPACK"
        ours, theirs = (groups.get((routine, shape, size, name), []) for name in ("ompfact", peer))
        note(line(routine, size_text(size), shape, text([float(r["share"]) for r in ours]), peer,
                 text([float(r["share"]) for r in theirs]), text(times_over(ours, theirs))))


def table(rows):
    note(f"\n{'routine':14}{'shape':>6}{'n':>12}  {'contestant':12}{'nb':>5}  {'grid':12}{'runs':>5}{'time s':>10}{'GFLOP/s':>9}"
         "   share of DGEMM")
    groups = grouped(rows)
    for (routine, shape, size, name), group in sorted(groups.items()):
        share, low, high = spread(group, "share")
        nb, grid = group[0]["nb"], group[0]["grid"][:11]
        note(f"{routine:14}{shape:>6}{size_text(size):>12}  {name:12}{nb:>5}  {grid:12}{len(group):5d}{spread(group, 'time_s')[0]:10.3f}"
             f"{spread(group, 'gflops')[0]:9.1f}   {share:.3f} ({low:.3f} to {high:.3f})")
    for (routine, shape, size, name), group in sorted(groups.items()):
        others = [(spread(g, "time_s")[0], k[3]) for k, g in groups.items()
                  if k[:3] == (routine, shape, size) and k[3] != "ompfact"]
        if name == "ompfact" and others:
            time, fastest = min(others)
            note(f"{routine} {shape}, n = {size_text(size)}: ompfact at {time / spread(group, 'time_s')[0]:.2f} of the speed of "
                 f"{fastest}, the fastest of the others")


def sum_up(lines, rows, as_users):
    """The heading, the table, and the variation of the measure."""
    note("\n".join(["", *lines]))
    (users_table if as_users else table)(rows)
    dgemm = spread(rows, "dgemm_gflops")
    note("DGEMM: median %.1f GFLOP/s (%.1f to %.1f)" % dgemm
         + (": other work ran on the machine, and may be the cause of differences" if dgemm[1] < 0.8 * dgemm[0] else ""))


def draw(rows, folder):
    groups = grouped(rows)
    for routine in sorted({r["routine"] for r in rows}):
        chart = Chart(f"{TITLES.get(routine, routine)} as a share of DGEMM", "n (square root of m n)", "share of DGEMM", ymin=0,
                      subtitle="ranks x threads; medians, whiskers from the least to the greatest; DGEMM between the runs")
        for name, shape in sorted({(k[3], k[1]) for k in groups if k[0] == routine}, key=lambda x: (x[0] != "ompfact", x)):
            mine = sorted((k[2] for k in groups if (k[0], k[1], k[3]) == (routine, shape, name)), key=math.prod)
            shares = [spread(groups[routine, shape, size, name], "share") for size in mine]
            chart.line(f"{name} {shape}", [math.sqrt(math.prod(size)) for size in mine], *zip(*shares))
        chart.rule(1, "DGEMM")
        path = os.path.join(folder, f"peers-{routine}.svg")
        chart.write(path)
        note(f"peers: {path}")
