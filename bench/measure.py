"""What the measuring scripts share: the program, its runs as dictionaries, lists on the command line, CSV, the machine's name."""
import csv
import functools
import json
import os
import random
import shutil
import subprocess
import sys


def program():
    """The environment's OMPFACT, or the one that was built here."""
    for path in (os.environ.get("OMPFACT"), "build/ompfact", "./ompfact"):
        if path and os.path.exists(path):
            return os.path.abspath(path)
    sys.exit("no build/ompfact here: build it, or name it by OMPFACT=PATH")


@functools.lru_cache
def built(name):
    """A program of bench/, made in the build folder."""
    folder = os.path.dirname(program())
    subprocess.run(["make", "-s", "-C", folder, f"bench/{name}"], check=True, stdout=subprocess.DEVNULL)
    return f"{folder}/bench/{name}"


def modelled(*arguments):
    """Rows of what bench/model_times says."""
    out = subprocess.run([built("model_times"), *map(str, arguments)], stdout=subprocess.PIPE, check=True, text=True).stdout
    return list(csv.DictReader(out.splitlines()))


def rates_text(rates):
    """As bench/model_times takes GFLOP/s by kernels."""
    return ",".join(f"{kernel}={rate:.9g}" for kernel, rate in rates.items())


def mpiexec():
    return (os.environ.get("MPIEXEC") or shutil.which("mpiexec.mpich") or "mpiexec").split()


def words(text):
    return [w for w in text.split(",") if w]


def integers(text):
    return [int(w) for w in words(text)]


def objects(output):
    """The runs in what --json - has printed."""
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def dry_run(ranks, layout, n, nb, routine):
    """What would happen, or None where the layout does not exist for so many ranks."""
    done = subprocess.run([program(), "--dry-run", "--quiet", "--ranks", str(ranks), "--layout", layout, "--dim", str(n),
                           "--nb", str(nb), "--json", "-", routine], capture_output=True, text=True)
    return objects(done.stdout)[0] if done.returncode == 0 else None


def best_grid(ranks, n, nb, routine):
    """The 2DBC grid of all ranks with the fewest transfers, and of several the best balanced one."""
    grids = [f"2dbc:{p}x{ranks // p}" for p in range(1, ranks + 1) if ranks % p == 0]
    plans = {grid: dry_run(ranks, grid, n, nb, routine) for grid in grids}
    return min(grids, key=lambda g: (plans[g]["transfers"], plans[g]["flops_max_over_mean"]))


def interleaved(cases, repeat):
    """Every case once, then every case again, in another order, so that none runs behind the same one each time: a slow minute of
    the machine hits them all, and so does what a run leaves behind, a warm processor or a full disk."""
    draw, cases = random.Random(1), list(cases)
    return [(k, case) for k in range(repeat) for case in (draw.sample(cases, len(cases)) if k else cases)]


class Table:
    """A CSV file that has each row as soon as it is known."""

    def __init__(self, path, columns):
        self.columns, self.rows = columns, []
        self.file = open(path, "w", newline="", encoding="utf-8")
        self.writer = csv.DictWriter(self.file, columns, lineterminator="\n")
        self.writer.writeheader()

    def add(self, **row):
        self.rows.append(row)
        self.writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in row.items()})
        self.file.flush()


def machine():
    """The processor, its cores and its caches, one line, as lscpu tells them."""
    try:
        out = subprocess.run(["lscpu"], env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True).stdout
    except OSError as e:
        return f"unknown processor ({e})"
    said = {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in out.splitlines() if ":" in line)}
    ways = (("Model name", "{}"), ("CPU family", "family {}"), ("Model", "model {}"), ("CPU(s)", "{} CPUs"),
            ("Socket(s)", "sockets: {}"), ("Core(s) per socket", "cores in each: {}"), ("Thread(s) per core", "threads of each: {}"),
            *((f"{cache} cache", cache + " {}") for cache in ("L1d", "L1i", "L2", "L3")))
    return ", ".join(way.format(said[key]) for key, way in ways if key in said) or "unknown processor (lscpu says nothing)"


def note(text):
    print(text, file=sys.stderr, flush=True)
