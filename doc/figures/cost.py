#!/usr/bin/env python3
"""The cost T of the layouts over the number of ranks, from dry runs:  doc/figures/cost.py build/ompfact

Writes cost-cholesky.svg and cost-lu.svg beside this script, and in ../layouts.md the tables between markers. Takes about a minute, most of it
for gcrm. Python's standard library is enough.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
LAST = 64
RANKS = range(2, LAST + 1)
BALANCED, SIZES = [23, 39, 57, 64], [40, 60, 100, 200]
FAR = [72, 80, 96, 100, 112, 120, 128, 144, 160, 192, 200, 224, 240, 256]


def dry_run(program, routine, layout, ranks, dim=2):
    """The JSON of a dry run, or None if the layout has no pattern for this number of ranks."""
    run = subprocess.run([program, "--dry-run", "--ranks", str(ranks), "--dim", str(dim), "--nb", "1", "--layout", layout,
                          "--json", "-", routine], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def costs(program, routine, layout, ranks=RANKS):
    with ThreadPoolExecutor(max_workers=2) as pool:
        plans = pool.map(lambda p: (p, dry_run(program, routine, layout, p)), ranks)
        return {p: plan for p, plan in plans if plan is not None}


# ---- the figures: colours of Okabe and Ito, which colour-blind readers can distinguish, and a different mark for each line -----

WIDTH, HEIGHT = 960, 560
LEFT, RIGHT, TOP, BOTTOM = 64, 120, 84, 60
INK, FAINT, GRID = "#1b1f24", "#59636e", "#e4e7ea"
GREY, VERMILION, GREEN, PURPLE, BLUE = "#7a828c", "#d55e00", "#009e73", "#b0598f", "#0072b2"


class Figure:
    def __init__(self, title, subtitle, top):
        self.top = top
        self.parts = []
        self.ends = []      # labels at the right end: y, text, colour, weight
        self.text(LEFT, 34, title, size=20, weight="bold")
        self.text(LEFT, 58, subtitle, size=14, colour=FAINT)
        self.axes()

    def x(self, p):
        return LEFT + (p - 0) / LAST * (WIDTH - LEFT - RIGHT)

    def y(self, t):
        return HEIGHT - BOTTOM - t / self.top * (HEIGHT - TOP - BOTTOM)

    def add(self, part):
        self.parts.append(part)

    def text(self, x, y, text, size=13, colour=INK, weight="normal", anchor="start"):
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" font-weight="{weight}" '
                 f'text-anchor="{anchor}">{text}</text>')

    def axes(self):
        for t in range(0, self.top + 1, 4):
            self.add(f'<path d="M{LEFT} {self.y(t):.1f}H{WIDTH - RIGHT}" stroke="{INK if t == 0 else GRID}"/>')
            self.text(LEFT - 10, self.y(t) + 4.5, str(t), anchor="end", colour=FAINT)
        for p in range(0, LAST + 1, 8):
            self.add(f'<path d="M{self.x(p):.1f} {HEIGHT - BOTTOM}v5" stroke="{INK}"/>')
            self.text(self.x(p), HEIGHT - BOTTOM + 21, str(p), anchor="middle", colour=FAINT)
        self.text(self.x(LAST / 2), HEIGHT - 14, "ranks P", size=14, anchor="middle")
        self.text(LEFT - 10, TOP - 12, "cost T", size=14, anchor="end")

    def line(self, points, label, colour, width=2.0, dash="", weight="normal", mark=0.0):
        path = "M" + "L".join(f"{self.x(p):.1f} {self.y(t):.1f}" for p, t in points)
        self.add(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
                 + (f' stroke-dasharray="{dash}"' if dash else "") + "/>")
        if mark:
            self.marks(points, label, lambda x, y: f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{mark}"', colour)
        self.ends.append([self.y(points[-1][1]) + 4.5, label, colour, weight])

    def marks(self, points, label, shape, colour):
        """shape(x, y) is an element without its colour, "<name ..."; its title has the numbers."""
        for p, t in points:
            element = shape(self.x(p), self.y(t))
            self.add(f'{element} fill="{colour}"><title>{label}, P = {p}: T = {t:.3f}</title></{element[1:].split()[0]}>')

    def diamonds(self, points, label, colour):
        self.marks(points, label, lambda x, y: f'<path d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6-6z" stroke="#fff"', colour)

    def squares(self, points, label, colour):
        """Points above the axis become small arrows at its top."""
        inside = [(p, t) for p, t in points if t <= self.top]
        self.marks(inside, label, lambda x, y: f'<path d="M{x - 3.5:.1f} {y - 3.5:.1f}h7v7h-7z"', colour)
        for p, t in points:
            if t > self.top:
                self.add(f'<path d="M{self.x(p) - 4:.1f} {self.y(self.top) - 1:.1f}l4 -8l4 8z" fill="{colour}">'
                         f'<title>{label}, P = {p}: T = {t:.3f}</title></path>')

    def label(self, p, t, text, colour, up=12):
        self.text(self.x(p), self.y(t) - up, text, colour=colour, anchor="middle")

    def write(self, name):
        self.ends.sort()
        for k in range(1, len(self.ends)):
            self.ends[k][0] = max(self.ends[k][0], self.ends[k - 1][0] + 17)
        for y, label, colour, weight in self.ends:
            self.text(WIDTH - RIGHT + 10, y, label, colour=colour, weight=weight)
        with open(os.path.join(HERE, name), "w", encoding="utf-8") as out:
            out.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
                      f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Helvetica, Arial, \'Liberation Sans\', '
                      f'sans-serif">\n<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


def points(plans):
    return [(p, s["cost"]) for p, s in sorted(plans.items())]


def off_axis(pairs, top):
    return f"arrows at the top: 2DBC, up to {max(t for _, t in pairs):.0f}" if any(t > top for _, t in pairs) else ""


def bound(factor):
    return [(p / 4, factor * math.sqrt(p / 4)) for p in range(4, 4 * LAST + 1)]


def draw_cholesky(plans):
    grid = points(plans["2dbc"])
    f = Figure("Cholesky: cost of the layouts", "mean distinct ranks in a row and its column, T; " + off_axis(grid, 20), 20)
    f.line(bound(1), "bound √P", INK, 1.5, "6 5")
    f.squares(grid, "2DBC", GREY)
    f.label(52, 16, "2DBC", GREY)
    f.line(points(plans["g2dbc"]), "G-2DBC", VERMILION, mark=2.6)
    f.line(points(plans["gcrm"]), "GCR&amp;M", GREEN, mark=2.6)
    f.diamonds(points(plans["sbc"]), "SBC", PURPLE)
    f.label(36, plans["sbc"][36]["cost"], "SBC", PURPLE)
    f.line(points(plans["design"]), "design", BLUE, 3, weight="bold", mark=3.4)
    f.write("cost-cholesky.svg")


def draw_lu(plans):
    grid = points(plans["2dbc"])
    f = Figure("LU: cost of the layouts", "mean distinct ranks in a row plus in a column, T; " + off_axis(grid, 24), 24)
    f.squares(grid, "2DBC", GREY)
    f.label(52, 17, "2DBC", GREY)
    f.line(points(plans["g2dbc"]), "G-2DBC", BLUE, 3, weight="bold", mark=3.4)
    f.line(bound(2), "bound 2√P", INK, 1.5, "6 5")
    f.write("cost-lu.svg")


# ---- the tables -----------------------------------------------------------------------------------------------------------------

def summary(plans):
    pairs = [(plans["design"][p]["cost"], plans["gcrm"][p]["cost"]) for p in RANKS]
    lower = sum(ours < theirs - 5e-4 for ours, theirs in pairs)
    higher = sum(ours > theirs + 5e-4 for ours, theirs in pairs)
    most = max((1 - ours / theirs, p) for (ours, theirs), p in zip(pairs, RANKS))
    over = sum(plans["design"][p]["cost"] / math.sqrt(p) for p in RANKS) / len(RANKS)
    over_gcrm = sum(plans["gcrm"][p]["cost"] / math.sqrt(p) for p in RANKS) / len(RANKS)
    return [f"`design` costs less than GCR&M for {lower} of the {len(pairs)} numbers of ranks from 2 to {LAST}, more for {higher}; the largest "
            f"difference is {100 * most[0]:.1f} % (P = {most[1]}).",
            f"In the mean over P it costs {over:.3f} √P, GCR&M {over_gcrm:.3f} √P."]


def far_table(plans):
    return ["| P | " + " | ".join(str(p) for p in FAR) + " |", "|---|" + "---|" * len(FAR),
            "| √P | " + " | ".join(f"{math.sqrt(p):.2f}" for p in FAR) + " |",
            "| design | " + " | ".join(f"{plans[p]['cost']:.2f}" for p in FAR) + " |",
            "| G-2DBC | " + " | ".join(f"{plans[('g', p)]['cost']:.2f}" for p in FAR) + " |"]


def balance_table(program):
    """flops_max_over_mean with the rows of the pattern in their original order, from a plan of a single tile, and in the chosen order."""
    text = ["| P | pattern | " + " | ".join(f"{n} x {n} tiles" for n in SIZES) + " |", "|---|---|" + "---|" * len(SIZES)]
    most = (0,)
    with tempfile.TemporaryDirectory() as folder:
        for p in BALANCED:
            path = os.path.join(folder, "pattern.map")
            subprocess.run([program, "--dry-run", "--ranks", str(p), "--layout", "design", "--dim", "1", "--nb", "1", "--quiet",
                            "--map", path, "potrf"], check=True)
            before = [dry_run(program, "potrf", "file:" + path, p, n) for n in SIZES]
            after = [dry_run(program, "potrf", "design", p, n) for n in SIZES]
            cells = [f"{b['flops_max_over_mean']:.3f} → {a['flops_max_over_mean']:.3f}" for b, a in zip(before, after)]
            text.append(f"| {p} | {after[0]['layout']} | " + " | ".join(cells) + " |")
            for n, b, a in zip(SIZES, before, after):
                b, a = b["transfers"], a["transfers"]
                most = max(most, (abs(a / b - 1), f"{p} ranks, {n} x {n} tiles: {b:,} → {a:,}"))
    return text + ["", "The transfers of a finite matrix change with the order too, here by "
                   f"{100 * most[0]:.1f} % at most ({most[1]})."]


def between(text, name, lines):
    begin, end = f"<!-- {name}: made by doc/figures/cost.py -->", f"<!-- end of {name} -->"
    block = "\n".join([begin, ""] + lines + ["", end])
    return re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: block, text, flags=re.S)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: cost.py PROGRAM")
    program = os.path.abspath(sys.argv[1])
    plans = {layout: costs(program, "potrf", layout) for layout in ("2dbc", "g2dbc", "sbc", "gcrm", "design")}
    draw_cholesky(plans)
    draw_lu({layout: costs(program, "getrf", layout) for layout in ("2dbc", "g2dbc")})

    far = costs(program, "potrf", "design", FAR)
    far.update({("g", p): s for p, s in costs(program, "potrf", "g2dbc", FAR).items()})
    page = os.path.join(HERE, "..", "layouts.md")
    with open(page, encoding="utf-8") as file:
        text = file.read()
    text = between(text, "cost table", summary(plans))
    text = between(text, "far table", far_table(far))
    text = between(text, "balance table", balance_table(program))
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
