"""Functions that the scripts of this folder share: the program, the launcher, runs as dictionaries, lists on the command line, CSV, the
name of the machine."""
import csv
import functools
import json
import os
import random
import shutil
import subprocess
import sys


def program():
    """The program that OMPFACT names, otherwise the one in the build folder."""
    named = os.environ.get("OMPFACT")
    for path in [named] if named else ["build/ompfact", "./ompfact"]:
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    sys.exit(f"OMPFACT={named}: there is no such program" if named else "no build/ompfact here: build it, or set OMPFACT to its path")


@functools.lru_cache
def built(name):
    """A program of bench/, which make builds: beside the program, or in ./build for a program that is installed."""
    beside = os.path.dirname(program())
    folder = beside if os.path.exists(f"{beside}/Makefile") else "build"
    done = subprocess.run(["make", "-s", "-C", folder, f"bench/{name}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit("\n".join([f"make bench/{name} in {folder} failed:", *done.stdout.strip().splitlines()[-3:]]))
    return f"{folder}/bench/{name}"


def runs(command, timeout=None):
    """The objects that the command prints with --json -. A command that fails ends the script."""
    text = " ".join(map(str, command))
    try:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        sys.exit(f"{text}: longer than {timeout} s")
    found = objects(done.stdout)
    if done.returncode or not found:
        sys.exit(f"{text}: exit status {done.returncode}\n{done.stderr.strip()}")
    return found


def modelled(*arguments):
    """The rows that bench/model_times prints."""
    out = subprocess.run([built("model_times"), *map(str, arguments)], stdout=subprocess.PIPE, check=True, text=True).stdout
    return list(csv.DictReader(out.splitlines()))


def rates_text(rates):
    """GFLOP/s of kernels in the form of bench/model_times --rates."""
    return ",".join(f"{kernel}={rate:.9g}" for kernel, rate in rates.items())


def mpiexec():
    """The launcher and its options. MPICH's own name comes first, because mpiexec may belong to another MPI library."""
    launcher = (os.environ.get("MPIEXEC") or shutil.which("mpiexec.mpich") or "mpiexec").split()
    if not shutil.which(launcher[0]):
        sys.exit(f"there is no MPI launcher {launcher[0]}: set MPIEXEC")
    return launcher


def words(text):
    return [w for w in text.split(",") if w]


def integers(text):
    return [int(w) for w in words(text)]


def objects(output):
    """The runs in the output of --json -."""
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def dry_run(ranks, layout, n, nb, routine):
    """The forecast, or None if the layout does not exist for this number of ranks."""
    done = subprocess.run([program(), "--dry-run", "--quiet", "--ranks", str(ranks), "--layout", layout, "--dim", str(n),
                           "--nb", str(nb), "--json", "-", routine], capture_output=True, text=True)
    return objects(done.stdout)[0] if done.returncode == 0 else None


def best_grid(ranks, n, nb, routine):
    """The 2DBC grid of all ranks with the fewest transfers; of several such grids the best balanced one."""
    grids = [f"2dbc:{p}x{ranks // p}" for p in range(1, ranks + 1) if ranks % p == 0]
    plans = {grid: dry_run(ranks, grid, n, nb, routine) for grid in grids}
    return min(grids, key=lambda g: (plans[g]["transfers"], plans[g]["flops_max_over_mean"]))


def interleaved(cases, repeat):
    """Every case once, then every case again in another order, so that no case always follows the same one. A slow minute of the
    machine then affects all cases, as does the state that a run leaves: a warm processor, a full disk."""
    draw, cases = random.Random(1), list(cases)
    return [(k, case) for k in range(repeat) for case in (draw.sample(cases, len(cases)) if k else cases)]


class Table:
    """A CSV file that receives each row at once."""

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
    """One line with the processor, its cores and its caches, from lscpu."""
    try:
        out = subprocess.run(["lscpu"], env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True).stdout
    except OSError as e:
        return f"unknown processor ({e})"
    found = {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in out.splitlines() if ":" in line)}
    forms = (("Model name", "{}"), ("CPU family", "family {}"), ("Model", "model {}"), ("CPU(s)", "{} CPUs"),
             ("Socket(s)", "sockets: {}"), ("Core(s) per socket", "cores in each: {}"), ("Thread(s) per core", "threads of each: {}"),
             *((f"{cache} cache", cache + " {}") for cache in ("L1d", "L1i", "L2", "L3")))
    return ", ".join(form.format(found[key]) for key, form in forms if key in found) or "unknown processor"


def note(text):
    print(text, file=sys.stderr, flush=True)
