"""The programs that bench/peers and others compare: the search for each program, its command line, its output. A setting is a pair (nb,
process grid), a size a pair (m, n). The routine getrf is LU without pivoting if the contestant has that; getrf-pivoted is pivoted LU."""
import os
import re
import shutil
import signal
import subprocess

from measure import mpiexec, objects

HERE = os.path.dirname(os.path.abspath(__file__))


def grids(ranks):
    return [f"{p}x{ranks // p}" for p in range(1, ranks + 1) if ranks % p == 0]


def squarest(ranks):
    """The grid with the least Q/P among those with P <= Q."""
    return [g for g in grids(ranks) if int(g.split("x")[0]) ** 2 <= ranks][-1]


def lapack_name(routine):
    return routine.removesuffix("-pivoted")


def size_text(size):
    """8192, or 40000x400: the size in the form of the command lines."""
    m, n = size
    return str(n) if m == n else f"{m}x{n}"


def size_of(text):
    """(m, n) of N or MxN."""
    parts = [int(v) for v in text.split("x")]
    if len(parts) > 2 or min(parts) < 1:
        raise ValueError(text)
    return parts[0], parts[-1]


def stop(process):
    """A launcher ends its ranks on SIGTERM, but not on SIGKILL."""
    process.terminate()
    try:
        process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def run(argv, env=None, timeout=600):
    """(standard output, "") or (None, one line with the failure)."""
    try:
        process = subprocess.Popen(argv, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
    except OSError as e:
        return None, str(e)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        stop(process)
        return None, f"longer than {timeout} s"
    except BaseException:
        stop(process)
        raise
    if process.returncode:
        lines = (err.strip() or out.strip()).splitlines() or [""]
        return None, f"exit status {process.returncode}: {lines[-1]}"
    return out, ""


def result(output):
    """The last object that has a time."""
    return ([{}] + [x for x in objects(output) if "time_s" in x])[-1]


def counted(output):
    """The object that count_messages.c prints."""
    return ([{}] + [x for x in objects(output) if "messages" in x])[-1]


def table_time(output):
    """The time in the table of a tester. A number ends in the column where its heading ends."""
    column = None
    for line in output.splitlines():
        head = re.search(r"(?<!ref )\btime(?: ?\(s\))?", line, re.I)
        if head and re.search(r"gflop", line, re.I):
            column = head.end()
        elif column is not None:
            values = [m for m in re.finditer(r"\S+", line) if abs(m.end() - column) <= 3]
            if values and re.fullmatch(r"[0-9.]+(e[-+]?\d+)?", values[0].group()):
                return float(values[0].group())
    return None


def mpi_compilers():
    return [[c] for c in [os.environ.get("MPICC"), "mpicc.mpich", "mpicc"] if c and shutil.which(c)]


def message_counter(folder):
    """(the shared library of count_messages.c in that folder, "") or (None, one line with the failure)."""
    library, wrong = os.path.join(folder, "count_messages.so"), "no compiler for MPI"
    for compiler in mpi_compilers():
        out, wrong = run([*compiler, "-O2", "-shared", "-fPIC", "-o", library, os.path.join(HERE, "count_messages.c")])
        if out is not None:
            return library, ""
    return None, wrong


class Contestant:
    """`missing` is the reason why the contestant cannot run, or empty."""
    name, missing, routines = "", "", {"potrf", "getrf", "getrf-pivoted", "geqrf"}
    nbs = (64, 128, 192, 256, 320, 384)

    def fits(self, ranks, threads):
        return True

    def settings(self, ranks):
        return [(nb, grid) for grid in grids(ranks) for nb in self.nbs]

    def ranks(self, ranks, grid):
        """The number of ranks that this setting uses."""
        return ranks

    def command(self, routine, size, ranks, threads, nb, grid):
        """(arguments, changes to the environment)"""
        raise NotImplementedError

    def read(self, output):
        """(seconds or None, setting): None in the setting means the requested value"""
        return table_time(output), (None, None)


class Ompfact(Contestant):
    """The program chooses nb or the layout if it is empty."""
    name, environment = "ompfact", {}

    def __init__(self, program, nbs, pivot, layouts=("auto",), extra=()):
        self.program, self.nbs, self.pivot, self.layouts, self.extra = program, nbs, pivot, layouts, extra
        self.missing = "" if os.access(program, os.X_OK) else f"there is no {program}: build it first"

    def settings(self, ranks):
        return [(nb, layout) for layout in self.layouts for nb in self.nbs]

    def words(self, routine, size, threads, nb, grid):
        pivot = ["--pivot", self.pivot] if routine == "getrf" else []
        chosen = [*(["--nb", str(nb)] if nb else []), *(["--layout", grid] if grid else [])]
        return [self.program, "--threads", str(threads), "--dim", size_text(size), *chosen, *pivot, *self.extra, "--warmup", "y",
                "--quiet", "--progress", "off", "--json", "-", lapack_name(routine)]

    def command(self, routine, size, ranks, threads, nb, grid):
        return [*mpiexec(), "-n", str(ranks), *self.words(routine, size, threads, nb, grid)], self.environment

    def read(self, output):
        run_facts = result(output)
        return run_facts.get("time_s"), (run_facts.get("nb"), run_facts.get("layout"))


class UsersOmpfact(Ompfact):
    """The program with no options but the problem, and with a cache folder of its own for the rates that it measures."""

    def __init__(self, program, cache):
        super().__init__(program, [""], "none", [""])
        self.environment = {"XDG_CACHE_HOME": cache}


class Compiled(Contestant):
    """A driver of this folder, compiled into `folder` with the first of several libraries that links."""

    def compile(self, compilers, source, folder, libraries, what):
        self.program = os.path.join(folder, source.split(".")[0])
        self.missing = f"no {what} that links ({' or '.join(' '.join(x) for x in libraries)})"
        for compiler in compilers:
            for flags in libraries:
                out, _ = run([*compiler, "-O2", "-o", self.program, os.path.join(HERE, source), "-Wl,--no-as-needed", *flags,
                              "-lm"])
                if out is not None:
                    self.missing, self.libraries = "", " ".join(flags)
                    return

    def read(self, output):
        run_facts = result(output)
        return run_facts.get("time_s") if run_facts.get("info") == 0 else None, (None, None)


def openblas():
    """Linker flags to try. OpenBLAS contains LAPACK and comes first, so that ScaLAPACK calls it, too."""
    return [os.environ["OPENBLAS_LIBS"].split()] if os.environ.get("OPENBLAS_LIBS") else [["-lopenblas"]]


class Lapack(Compiled):
    """LAPACK's getrf pivots."""
    name = "LAPACK"

    def __init__(self, folder):
        self.compile([[os.environ.get("CC") or "cc"], ["clang"]], "peer_lapack.c", folder, openblas(), "OpenBLAS")

    def fits(self, ranks, threads):
        return ranks == 1

    def settings(self, ranks):
        return [("", "1x1")]

    def command(self, routine, size, ranks, threads, nb, grid):
        return [self.program, lapack_name(routine), size_text(size)], {"OPENBLAS_NUM_THREADS": str(threads)}


class Scalapack(Compiled):
    """ScaLAPACK's getrf pivots."""
    name = "ScaLAPACK"

    def __init__(self, folder, nbs, chosen=None):
        """chosen: the grids to try; None: all"""
        self.nbs, self.chosen = nbs, chosen
        wanted = os.environ.get("SCALAPACK_LIBS", "").split()
        names = [wanted] if wanted else [["-lscalapack-mpich"], ["-lscalapack"]]
        self.compile(mpi_compilers(), "peer_scalapack.c", folder, [b + s for s in names for b in openblas()],
                     "ScaLAPACK with OpenBLAS")

    def settings(self, ranks):
        return [(nb, grid) for grid in self.chosen or grids(ranks) for nb in self.nbs]

    def ranks(self, ranks, grid):
        rows, columns = map(int, grid.split("x"))
        return rows * columns

    def words(self, routine, size, threads, nb, grid):
        return [self.program, lapack_name(routine), size_text(size), str(nb), *grid.split("x")]

    def command(self, routine, size, ranks, threads, nb, grid):
        return ([*mpiexec(), "-n", str(ranks), *self.words(routine, size, threads, nb, grid)],
                {"OPENBLAS_NUM_THREADS": str(threads)})


class UsersScalapack(Scalapack):
    """ScaLAPACK on several ranks, with the blocks and the grid that its users' guide suggests (Blackford et al., 1997)."""

    def __init__(self, folder):
        super().__init__(folder, [64])

    def fits(self, ranks, threads):
        return ranks > 1

    def settings(self, ranks):
        return [(64, squarest(ranks))]


class Tester(Contestant):
    """The tester of another library, which an environment variable names, or which is on PATH under a usual name."""
    variable, programs = "", ()

    def __init__(self):
        self.program = next((p for p in (os.environ.get(self.variable), *self.programs) if p and shutil.which(p)), None)
        self.missing = "" if self.program else f"neither {self.variable} nor {' or '.join(self.programs) or 'a name'} on PATH"


class Plasma(Tester):
    """PLASMA's getrf pivots."""
    name, variable, programs = "PLASMA", "PLASMA_TESTER", ("plasmatest",)

    def fits(self, ranks, threads):
        return ranks == 1

    def command(self, routine, size, ranks, threads, nb, grid):
        return ([self.program, "d" + lapack_name(routine), f"--dim={size_text(size)}", f"--nb={nb}", "--iter=1", "--test=n"],
                {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1"})


class Slate(Tester):
    """SLATE's tester has the name "tester", which is too general for a search."""
    name, variable = "SLATE", "SLATE_TESTER"
    names = {"potrf": "potrf", "getrf": "getrf_nopiv", "getrf-pivoted": "getrf", "geqrf": "geqrf"}

    def command(self, routine, size, ranks, threads, nb, grid):
        return ([*mpiexec(), "-n", str(ranks), self.program, "--type", "d", "--dim", size_text(size), "--nb", str(nb),
                 "--grid", grid, "--check", "n", "--ref", "n", self.names[routine]],
                {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1"})


class Chameleon(Tester):
    name, variable, programs = "Chameleon", "CHAMELEON_TESTER", ("chameleon_dtesting",)
    names = {"potrf": "potrf", "getrf": "getrf_nopiv", "geqrf": "geqrf"}
    routines = set(names)

    def command(self, routine, size, ranks, threads, nb, grid):
        start = [*mpiexec(), "-n", str(ranks)] if ranks > 1 else []
        return ([*start, self.program, "-o", self.names[routine], "-m", str(size[0]), "-n", str(size[1]), "-b", str(nb),
                 "-t", str(threads), "-P", grid.split("x")[0]], {"OPENBLAS_NUM_THREADS": "1"})

    def read(self, output):
        """The output has lines of fields between semicolons; the last two fields are the time and the rate."""
        rows = [line.split(";") for line in output.splitlines() if re.match(r"\d+;", line)]
        try:
            return float(rows[-1][-2]), (None, None)
        except (IndexError, ValueError):
            return None, (None, None)
