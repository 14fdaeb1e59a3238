"""Charts as SVG, with Python's standard library alone.

    from svgplot import Chart
    c = Chart("Cholesky", "n", "share of DGEMM", logx=True)
    c.line("ompfact", [4096, 8192], [0.71, 0.74], lows=[0.68, 0.70], highs=[0.72, 0.78])
    c.rule(1, "DGEMM")                                          # a level to compare with
    c.write("shares.svg")                                       # "-" is stdout

    c = Chart("Transfers", "ranks", "tiles sent")
    c.bars("2dbc", ["20", "21", "23"], [700, 1100, 2300])       # one call for each series; they stand side by side
    c.bars("g2dbc", ["20", "21", "23"], [700, 720, 760])

A value of None is a gap. lows and highs draw whiskers from the least to the greatest. Series differ by mark and dash as well as
by colour (Okabe and Ito, which also colour-blind readers tell apart), and colours follow the reader's choice of light or dark.
"""
import math
import sys
from html import escape

# In light and in dark; the classes of the same name carry them.
PALETTE = [("#0072b2", "#56a8e0"), ("#d55e00", "#f08030"), ("#008a65", "#2fbf93"), ("#b0598f", "#dc8fbd"),
           ("#a87400", "#e6ac30"), ("#2f8fc0", "#86cdf2"), ("#5b6570", "#a5afba"), ("#8b3a2b", "#d98a78")]
INKS = {"ink": ("#1b1f24", "#e8ebee"), "faint": ("#59636e", "#a3adb8"), "grid": ("#e4e7ea", "#30363d"),
        "paper": ("#ffffff", "#14181d")}
DASHES = ["", "7 4", "2 3", "9 3 2 3"]
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, sans-serif"


def stylesheet(colours, font=FONT):
    """The style of the classes in `colours` (name: light, dark): .f-name fills, .s-name strokes."""
    def rules(which):
        return "".join(f".f-{n}{{fill:{c[which]}}}.s-{n}{{stroke:{c[which]}}}" for n, c in colours.items())
    return (f"<style>text{{font-family:{font}}}path,line,circle{{fill:none}}{rules(0)}"
            f"@media(prefers-color-scheme:dark){{{rules(1)}}}</style>")


def text(x, y, words, size=13, anchor="start", colour="ink", extra=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" class="f-{colour}"{extra}>'
            f'{escape(str(words))}</text>')


def text_width(words, size=13):
    """The approximate width of a text: fonts differ, so it is a little more than most fonts need."""
    return 0.58 * size * len(str(words))


def nice_ticks(low, high, about=6):
    """About `about` round numbers from at most `low` to at least `high`."""
    if not high > low:
        return [low - 0.5, low, low + 0.5] if low else [0, 1]
    step = 10.0 ** math.floor(math.log10((high - low) / about))
    step *= next(f for f in (1, 2, 2.5, 5, 10, 20) if (high - low) / (step * f) <= about)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def log_ticks(low, high):
    """1, 2, 5 of each decade where there are few decades, otherwise powers of ten."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    factors = (1, 2, 5) if last - first <= 3 else (1,)
    ticks = [f * 10.0 ** d for d in range(first, last + 1) for f in factors]
    below, above = [t for t in ticks if t <= low * 1.0001], [t for t in ticks if t >= high * 0.9999]
    return [t for t in ticks if below[-1] <= t <= above[0]]


def number(v):
    """A tick's label."""
    if v and (abs(v) >= 1e6 or abs(v) < 1e-3):
        return f"{v:.3g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return f"{v:.10g}"


def known(v):
    return v is not None and math.isfinite(v)


def mark(kind, x, y, colour, r=4.2):
    """One of six marks; filled and open ones alternate."""
    shape = [f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z",
             f"M{x - r:.1f} {y - r:.1f}h{2 * r}v{2 * r}h{-2 * r}z",
             f"M{x:.1f} {y - r - 1:.1f}L{x + r + 1:.1f} {y + r:.1f}H{x - r - 1:.1f}z",
             f"M{x:.1f} {y - r - 1:.1f}l{r + 1} {r + 1}l{-r - 1} {r + 1}l{-r - 1} {-r - 1}z",
             f"M{x:.1f} {y + r + 1:.1f}L{x + r + 1:.1f} {y - r:.1f}H{x - r - 1:.1f}z",
             f"M{x - r:.1f} {y - r:.1f}l{2 * r} {2 * r}m0 {-2 * r}l{-2 * r} {2 * r}"][kind % 6]
    fill = f"f-{colour}" if kind % 2 == 0 else "f-paper"
    return f'<path d="{shape}" class="{fill} s-{colour}" style="stroke-width:1.8"/>'


class Chart:
    def __init__(self, title, xlabel, ylabel, logx=False, logy=False, subtitle="", xticks=None, ymin=None, ymax=None,
                 width=960, height=540):
        self.title, self.subtitle, self.xlabel, self.ylabel = title, subtitle, xlabel, ylabel
        self.logx, self.logy, self.xticks, self.ymin, self.ymax = logx, logy, xticks, ymin, ymax
        self.width, self.height = width, height
        self.series, self.rules, self.labels = [], [], []

    # ---- what to draw ----

    def line(self, name, xs, ys, lows=None, highs=None, marks=True):
        """A line through the points (xs, ys)."""
        self._add("line", name, list(xs), ys, lows, highs, marks)

    def bars(self, name, labels, ys, lows=None, highs=None):
        """A bar over each label. Every series may have labels of its own; a chart has lines or bars, not both."""
        labels = [str(x) for x in labels]
        self.labels += [x for x in labels if x not in self.labels]
        self._add("bars", name, labels, ys, lows, highs, False)

    def rule(self, y, name):
        """A level right across the chart."""
        self.rules.append((y, name))

    def write(self, path):
        svg = self.svg()
        if path == "-":
            sys.stdout.write(svg)
        else:
            with open(path, "w", encoding="utf-8") as f:
                f.write(svg)

    def _add(self, kind, name, xs, ys, lows, highs, marks):
        n = len(xs)
        ys, lows, highs = list(ys), list(lows or [None] * n), list(highs or [None] * n)
        if not len(ys) == len(lows) == len(highs) == n:
            raise ValueError(f"{name}: {n} places, but {len(ys)} values, {len(lows)} lows, {len(highs)} highs")
        if any(s["kind"] != kind for s in self.series):
            raise ValueError("a chart has lines or bars, not both")
        self.series.append({"kind": kind, "name": name, "xs": xs, "ys": ys, "lows": lows, "highs": highs, "marks": marks,
                            "index": len(self.series)})

    # ---- axes ----

    def _values(self):
        every = [v for s in self.series for part in ("ys", "lows", "highs") for v in s[part]] + [y for y, _ in self.rules]
        return [v for v in every if known(v) and (v > 0 or not self.logy)] or [1]

    def _scale(self):
        """Ticks of both axes, and functions from a value to pixels."""
        values = self._values()
        low, high = min(values), max(values)
        if not self.logy:
            low = min(0, low) if self.labels or low > 0 and low < 0.6 * high else low
        low, high = low if self.ymin is None else self.ymin, high if self.ymax is None else self.ymax
        self.yt = log_ticks(low, high) if self.logy else nice_ticks(low, high)
        xs = sorted({x for s in self.series for x in s["xs"]} if not self.labels else range(len(self.labels))) or [0, 1]
        if self.labels:
            self.xt, self.x0, self.x1 = xs, -0.5, len(xs) - 0.5
        else:
            ticks = xs if len(xs) <= 8 else log_ticks(xs[0], xs[-1]) if self.logx else nice_ticks(xs[0], xs[-1], 8)
            self.xt = self.xticks or ticks
            ends = [self._lx(x) for x in (xs[0], xs[-1], *self.xt)]
            margin = 0.03 * (max(ends) - min(ends)) or 0.5
            self.x0, self.x1 = min(ends) - margin, max(ends) + margin
        self.y0, self.y1 = self._ly(self.yt[0]), self._ly(self.yt[-1])

    def _lx(self, x):
        return math.log10(x) if self.logx and not self.labels else x

    def _ly(self, y):
        return math.log10(y) if self.logy else y

    def _x(self, x):
        return self.left + (self._lx(x) - self.x0) / (self.x1 - self.x0) * (self.right - self.left)

    def _y(self, y):
        part = (self._ly(max(y, 1e-300) if self.logy else y) - self.y0) / (self.y1 - self.y0)
        return self.bottom - min(1.0, max(0.0, part)) * (self.bottom - self.top)

    # ---- the picture ----

    def svg(self):
        self._scale()
        longest = max([text_width(s["name"]) for s in self.series] + [text_width(n) for _, n in self.rules], default=0)
        tick = max(text_width(number(t)) for t in self.yt)
        self.left, self.right = 44 + tick, self.width - 62 - longest
        self.top, self.bottom = 84 if self.subtitle else 62, self.height - 62
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
               f'height="{self.height}" role="img" aria-label="{escape(self.title)}">',
               stylesheet({**INKS, **{f"c{i}": c for i, c in enumerate(PALETTE)}}),
               f'<rect width="{self.width}" height="{self.height}" class="f-paper"/>',
               text(20, 32, self.title, 19, extra=' font-weight="bold"')]
        if self.subtitle:
            out.append(text(20, 54, self.subtitle, 13, colour="faint"))
        out += self._axes()
        for s in self.series:
            out += self._bars(s) if s["kind"] == "bars" else self._line(s)
        out += self._legend()
        return "\n".join(out) + "\n</svg>\n"

    def _axes(self):
        out = []
        for t in self.yt:
            y = self._y(t)
            out.append(f'<path d="M{self.left:.1f} {y:.1f}H{self.right:.1f}" class="s-grid"/>')
            out.append(text(self.left - 8, y + 4.5, number(t), anchor="end", colour="faint"))
        free = -1e9     # of the labels of close ticks only those that fit are drawn
        for t in self.xt:
            x, label = self._x(t), self.labels[t] if self.labels else number(t)
            if not self.labels:
                out.append(f'<path d="M{x:.1f} {self.bottom:.1f}v5" class="s-ink"/>')
            if x - text_width(label) / 2 > free:
                out.append(text(x, self.bottom + 20, label, anchor="middle", colour="faint"))
                free = x + text_width(label) / 2 + 2
        out.append(f'<path d="M{self.left:.1f} {self.bottom:.1f}H{self.right:.1f}" class="s-ink"/>')
        out.append(text((self.left + self.right) / 2, self.height - 18, self.xlabel, 14, "middle"))
        middle = (self.top + self.bottom) / 2
        out.append(text(20, middle, self.ylabel, 14, "middle", extra=f' transform="rotate(-90 20 {middle:.1f})"'))
        for y, _ in self.rules:
            out.append(f'<path d="M{self.left:.1f} {self._y(y):.1f}H{self.right:.1f}" class="s-faint" stroke-dasharray="5 4"/>')
        return out

    def _shown(self, v):
        return known(v) and (v > 0 or not self.logy)

    def _whisker(self, x, low, high, colour):
        if not (self._shown(low) and self._shown(high)):
            return []
        a, b = self._y(low), self._y(high)
        return [f'<path d="M{x:.1f} {a:.1f}V{b:.1f}M{x - 4:.1f} {a:.1f}h8M{x - 4:.1f} {b:.1f}h8" class="s-{colour}" '
                'stroke-width="1.3"/>']

    def _line(self, s):
        colour, out, runs = f"c{s['index'] % len(PALETTE)}", [], [[]]
        aside = 3 * (s["index"] - (len(self.series) - 1) / 2)       # whiskers at the same x side by side
        for x, y, low, high in zip(s["xs"], s["ys"], s["lows"], s["highs"]):
            if not self._shown(y):
                runs.append([])
                continue
            runs[-1].append(f"{self._x(x):.1f} {self._y(y):.1f}")
            out += self._whisker(self._x(x) + aside, low, high, colour)
        for run in runs:
            if len(run) > 1:
                out.append(f'<path d="M{"L".join(run)}" class="s-{colour}" stroke-width="2" stroke-linejoin="round" '
                           f'stroke-dasharray="{DASHES[s["index"] // 2 % len(DASHES)]}"/>')
        if s["marks"]:
            out += [mark(s["index"], self._x(x), self._y(y), colour) for x, y in zip(s["xs"], s["ys"]) if self._shown(y)]
        return out

    def _bars(self, s):
        group = 0.8 * (self.right - self.left) / len(self.labels)
        width, colour, out = group / len(self.series), f"c{s['index'] % len(PALETTE)}", []
        for label, y, low, high in zip(s["xs"], s["ys"], s["lows"], s["highs"]):
            if not self._shown(y):
                continue
            x = self._x(self.labels.index(label)) - group / 2 + width * s["index"]
            foot = self.bottom if self.logy else self._y(max(0, self.yt[0]))
            a, b = sorted((foot, self._y(y)))
            out.append(f'<rect x="{x:.1f}" y="{a:.1f}" width="{0.92 * width:.1f}" height="{b - a:.1f}" class="f-{colour}"/>')
            out += self._whisker(x + 0.46 * width, low, high, "ink")
            value = f"{y:.3g}" if abs(y) < 1000 else number(round(y))
            if text_width(value, 11) < width:
                peak = self._y(high) if self._shown(high) else a
                out.append(text(x + 0.46 * width, min(a, peak) - 5, value, 11, "middle", "faint"))
        return out

    def _legend(self):
        x, y, out = self.right + 18, self.top + 10, []
        for s in self.series:
            colour = f"c{s['index'] % len(PALETTE)}"
            if s["kind"] == "bars":
                out.append(f'<rect x="{x:.1f}" y="{y - 6:.1f}" width="26" height="12" class="f-{colour}"/>')
            else:
                out.append(f'<path d="M{x:.1f} {y:.1f}h26" class="s-{colour}" stroke-width="2" '
                           f'stroke-dasharray="{DASHES[s["index"] // 2 % len(DASHES)]}"/>')
                out += [mark(s["index"], x + 13, y, colour)] if s["marks"] else []
            out.append(text(x + 33, y + 4.5, s["name"]))
            y += 22
        for _, name in self.rules:
            out.append(f'<path d="M{x:.1f} {y:.1f}h26" class="s-faint" stroke-dasharray="5 4"/>')
            out.append(text(x + 33, y + 4.5, name, colour="faint"))
            y += 22
        return out
