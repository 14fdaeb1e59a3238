#!/usr/bin/env python3
"""Transfers of Cholesky on 16 to 40 ranks with the most nearly square grid and with ompfact's choice:  doc/figures/tiles_sent.py build/ompfact

Writes tiles-sent.svg, README's picture, to the folder of this script, from dry runs.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS = range(16, 41)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 880, 400, 64, 150, 70, 52
INK, FAINT, GRID, GREY, BLUE = "#1b1f24", "#59636e", "#e4e7ea", "#7a828c", "#0072b2"
MOST = 80       # thousand tiles


def sent(program, ranks, layout):
    run = subprocess.run([program, "--dry-run", "--ranks", str(ranks), "--dim", "20000", "--nb", "256", "--layout", layout, "--json", "-",
                          "potrf"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["transfers"] / 1000


def x(ranks):
    return LEFT + (ranks - RANKS[0]) / (RANKS[-1] - RANKS[0]) * (WIDTH - LEFT - RIGHT)


def y(tiles):
    return HEIGHT - BOTTOM - tiles / MOST * (HEIGHT - TOP - BOTTOM)


def text(at, size, words, colour=INK, anchor="start", weight="normal"):
    return (f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{words}</text>')


def line(points, name, colour, width):
    path = "L".join(f"{x(p):.1f} {y(t):.1f}" for p, t in points)
    marks = [f'<circle cx="{x(p):.1f}" cy="{y(t):.1f}" r="3.5" fill="{colour}"><title>{p} ranks, {name}: {t:.1f} thousand tiles'
             '</title></circle>' for p, t in points]
    return [f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>'] + marks


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tiles_sent.py PROGRAM")
    program = os.path.abspath(sys.argv[1])
    grid = [(p, sent(program, p, "2dbc")) for p in RANKS]
    ours = [(p, sent(program, p, "auto")) for p in RANKS]
    parts = [text((LEFT, 28), 18, "Tiles that Cholesky sends, by the number of ranks", weight="bold"),
             text((LEFT, 50), 13, "n = 20,000 in tiles of 256; counted by dry runs, thousands of tiles", FAINT)]
    for t in range(0, MOST + 1, 20):
        parts += [f'<path d="M{LEFT} {y(t):.1f}H{WIDTH - RIGHT}" stroke="{INK if t == 0 else GRID}"/>',
                  text((LEFT - 10, y(t) + 4.5), 13, str(t), FAINT, "end")]
    for p in (16, 20, 23, 25, 29, 31, 36, 40):
        parts.append(text((x(p), HEIGHT - BOTTOM + 21), 13, str(p), FAINT, "middle"))
    parts.append(text((x(28), HEIGHT - 10), 14, "ranks", anchor="middle"))
    parts += line(grid, "block cyclic grid", GREY, 2) + line(ours, "ompfact", BLUE, 3)
    parts += [text((x(40) + 12, y(grid[-1][1]) + 4.5), 13, "block cyclic grid", GREY),
              text((x(40) + 12, y(ours[-1][1]) + 4.5), 13, "ompfact", BLUE, weight="bold")]
    with open(os.path.join(HERE, "tiles-sent.svg"), "w", encoding="utf-8") as out:
        out.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                  f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Helvetica, Arial, \'Liberation Sans\', sans-serif">\n'
                  '<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    main()
