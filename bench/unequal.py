#!/usr/bin/env python3
"""Computes figures and a table of layouts for ranks of unequal speed on the platforms of ICPADS 2020, from dry runs.

    bench/unequal.py build/ompfact

Writes to doc/figures unequal-steps.svg (figure 7 of the paper: critical path bound, ABE* and ABE of each step, 7 fast and 14 slow ranks)
and unequal-progress.svg (figure 9: cumulative ABE before and after shuffling), and the table between the markers in doc/unequal.md. Fast
ranks have speed 2, slow ones 1; times are in updates of a tile on a slow rank.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from svgplot import Chart  # noqa: E402

DOC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "doc")
LAYOUTS = ["2dbc", "g2dbc", "1d1d", "1d1d-c", "1d1d-cs"]
PLATFORMS = [(8, 14, 100, {"2dbc": 55329, "1d1d": 35417, "1d1d-cs": 42632}),            # fast, slow, tiles; transfers printed there
             (16, 30, 150, {"1d1d": 129164, "1d1d-c": 123780, "1d1d-cs": 149474})]
GEMM, SOLVE, PANEL = 1, 1 / 2, 1 / 3        # work of a task in updates, LU


class Plan:
    """The dry run of a layout: the owners, and the counts and times of its JSON."""

    def __init__(self, program, layout, fast, slow, tiles):
        self.speeds = [1] * slow + [2] * fast
        self.tiles, self.ranks = tiles, fast + slow
        with tempfile.TemporaryDirectory() as folder:
            path = {name: os.path.join(folder, name) for name in ("speeds", "owners", "json")}
            with open(path["speeds"], "w", encoding="utf-8") as file:
                file.write("".join(f"{s}\n" for s in self.speeds))
            subprocess.run([program, "--dry-run", "--ranks", str(self.ranks), "--layout", layout, "--speeds", path["speeds"],
                            "--dim", str(tiles), "--nb", "1", "--owners", path["owners"], "--json", path["json"], "--quiet", "getrf"],
                           check=True)
            with open(path["json"], encoding="utf-8") as file:
                self.row = json.loads(file.read())
            with open(path["owners"], encoding="utf-8") as file:
                words = [int(w) for w in file.read().split()[2:]]
        self.owner = [words[i * tiles:(i + 1) * tiles] for i in range(tiles)]

    def abe(self):
        """abe[k][rank]: the time of each rank in step k."""
        behind, steps = [0] * self.ranks, []
        for k in reversed(range(self.tiles)):
            work = [GEMM * tiles for tiles in behind]
            line = [self.owner[i][k] for i in range(k + 1, self.tiles)] + [self.owner[k][j] for j in range(k + 1, self.tiles)]
            for rank in line:
                work[rank] += SOLVE
                behind[rank] += 1
            work[self.owner[k][k]] += PANEL
            behind[self.owner[k][k]] += 1
            steps.append([w / s for w, s in zip(work, self.speeds)])
        return steps[::-1]

    def total(self, k):
        n = self.tiles - k - 1
        return GEMM * n * n + SOLVE * 2 * n + PANEL

    def last_ranks(self, tiles):
        return len({rank for row in self.owner[-tiles:] for rank in row[-tiles:]})


def draw_steps(program, path):
    row, steps = Plan(program, "1d1d-c", 7, 14, 100).row, range(55, 100)
    chart = Chart("1d1d-c: a section opens where ABE* would exceed the critical path", "step", "time, in updates of a slow rank",
                  subtitle="7 fast and 14 slow ranks, LU of 100 x 100 tiles (ICPADS 2020, figure 7)")
    for name, key in ("CPB", "cpb"), ("ABE*", "abe_ideal"), ("ABE", "abe_max"):
        chart.line(name, steps, [row[key][k] for k in steps], marks=False)
    chart.write(path)


def draw_progress(program, path):
    chart = Chart("Cumulative ABE of the most and the least loaded rank", "step", "time beyond an even share, in updates of a slow rank",
                  subtitle="7 fast and 14 slow ranks, LU of 100 x 100 tiles (ICPADS 2020, figure 9)")
    for layout in ("1d1d-c", "1d1d-cs"):
        plan = Plan(program, layout, 7, 14, 100)
        sums, even, most, least = [0] * plan.ranks, 0, [], []
        for k, times in enumerate(plan.abe()):
            sums = [s + t for s, t in zip(sums, times)]
            even += plan.total(k) / sum(plan.speeds)
            most.append(max(sums) - even)
            least.append(min(sums) - even)
        chart.line(f"{layout}, most", range(plan.tiles), most, marks=False)
        chart.line(f"{layout}, least", range(plan.tiles), least, marks=False)
    chart.write(path)


def table(program):
    text = ["| ranks, tiles | layout | transfers | printed | time max/mean | ranks on the last 10 x 10 tiles |", "|---|---|---|---|---|---|"]
    for fast, slow, tiles, printed in PLATFORMS:
        for layout in LAYOUTS:
            plan = Plan(program, layout, fast, slow, tiles)
            where = f"{fast} fast, {slow} slow, {tiles} x {tiles}" if layout == LAYOUTS[0] else ""
            there = f"{printed[layout]:,}" if layout in printed else ""
            text.append(f"| {where} | `{layout}` | {plan.row['transfers']:,} | {there} | {plan.row['abe_max_over_mean']:.3f} | "
                        f"{plan.last_ranks(10)} |")
    return text


def between(text, lines):
    begin, end = "<!-- speeds table: made by bench/unequal.py -->", "<!-- end of speeds table -->"
    if begin not in text:
        sys.exit(f"doc/unequal.md has no {begin}")
    return re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: "\n".join([begin, ""] + lines + ["", end]), text, flags=re.S)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program", type=os.path.abspath)
    program = p.parse_args().program
    if not os.access(program, os.X_OK):
        p.error(f"{program} is not a program")
    draw_steps(program, os.path.join(DOC, "figures", "unequal-steps.svg"))
    draw_progress(program, os.path.join(DOC, "figures", "unequal-progress.svg"))
    page = os.path.join(DOC, "unequal.md")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with open(page + ".new", "w", encoding="utf-8") as file:
        file.write(between(text, table(program)))
    os.replace(page + ".new", page)


if __name__ == "__main__":
    main()
