#!/usr/bin/env python3
"""usage: hunt.py [-b BUILD] [-s SECONDS] [-j JOBS] [-l] [-v] [NUMBER ...]

Plants the faults of mutants.txt into a copy of the source, one at a time, builds it, and hunts them in the rounds of HUNTERS,
by random factorizations (tests/soak), every second time with devices, and by test programs, on 1 to 6 ranks, for at most SECONDS
(60) each. Faults in rma/ are also hunted between nodes that MPICH emulates, where tiles are read by an emulated card
(tests/nodes/card.h) or sent as messages. Faults that name test programs are hunted by these, on 1, 3 and 5 ranks.
A fault is caught by a wrong result, a violation of the order (OMPFACT_CHECKS), a crash, or a run that does not end.

BUILD is a configured build folder (default: build), whose options are used, but for --enable-werror. JOBS is make's -j (default:
one a core). -l lists the faults; its exit status is 1 if the text of a fault is not in its file exactly once. -v prints the line
that caught each fault. Rows have the form of hunted.md; the last line counts them. The exit status is 1 if a fault was not
caught, does not build, or has a text that is not in its file exactly once, or if a fault that is marked as harmless was caught.
All faults take about half an hour on two cores; run nothing else beside it.
"""
import argparse, atexit, os, re, shlex, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PATIENCE = 100      # seconds: usual runs take 2 to 20, longer ones hang
SOAK, DEVICES = ("tests/soak",), ("tests/offload/test_devices",)
COPIES = ("tests/factor/test_copies", "tests/factor/test_spread_factors")
MIXED = ("tests/factor/test_mixed_tiles",)
KEPT = ("tests/rma/test_kept",)
RMA = ("tests/rma/test_rma", "tests/rma/test_kept", "tests/rma/test_forwarded")
PAGEABLE = ("tests/offload/test_device_kernels", "tests/offload/test_device_tiles")   # their tiles are in ordinary memory
RANKS = {"tests/rma/test_forwarded": 6}
ARGUMENTS = {"ompfact": ["--quiet", "--json", "-", "--dim", "120", "--nb", "40", "potrf"]}
# Emulated nodes of this machine, and how tiles travel between them: by MPI, a card, a slow card, messages (OMPFACT_TEST_NATIVE).
ONE, TWO, THREE, ALONE = {}, {"MPIR_CVAR_NUM_CLIQUES": "2"}, {"MPIR_CVAR_NUM_CLIQUES": "3"}, {"MPIR_CVAR_NOLOCAL": "1"}
BY_MPI, BY_CARD, SLOWLY, BY_MESSAGES = None, "rate=10,shuffle=1", "latency=100000", "windows=0"
# The rounds for files whose names begin with the key; the last fitting key counts.
HUNTERS = {
    "": ((1, SOAK, ONE, BY_MPI), (2, SOAK, ONE, BY_MPI), (5, SOAK, TWO, BY_MPI), (3, RMA, ONE, BY_MPI),
         (1, DEVICES, ONE, BY_MPI), (2, SOAK, ONE, BY_MPI), (3, DEVICES, TWO, BY_MPI), (3, SOAK, ONE, BY_MPI)),
    "src/factor/layer": ((2, COPIES, ONE, BY_MPI), (3, COPIES, ONE, BY_MPI), (5, COPIES, TWO, BY_MPI)),
    "src/factor/schedule": ((3, COPIES, ONE, BY_MPI), (2, SOAK, ONE, BY_MPI), (5, SOAK, TWO, BY_MPI)),
    "src/matrix/layers": ((2, COPIES, ONE, BY_MPI), (3, COPIES, ONE, BY_MPI), (5, COPIES, TWO, BY_MPI)),
    "rma/": ((2, SOAK, ONE, BY_MPI), (3, RMA, ONE, BY_MPI), (3, KEPT, ALONE, SLOWLY), (5, SOAK, ALONE, BY_MESSAGES),
             (6, SOAK, THREE, BY_CARD), (3, RMA, TWO, BY_MESSAGES), (5, SOAK, ALONE, BY_CARD), (6, SOAK, TWO, BY_MPI),
             (6, SOAK, THREE, BY_MESSAGES)),
    "src/matrix/compressed.c": ((1, MIXED, ONE, BY_MPI), (2, MIXED, ONE, BY_MPI)),
    "omp/tasks/single_tiles.c": ((1, MIXED, ONE, BY_MPI), (2, MIXED, ONE, BY_MPI)),
    "omp/kernels/rounding.c": ((1, MIXED, ONE, BY_MPI), (2, MIXED, ONE, BY_MPI)),
    "rma/probe.c": ((3, ("ompfact",), dict(TWO, UCX_TLS="tcp,self"), BY_MPI),),
}
PROCEEDS = '"rma_native": true'     # never true over TCP
CUDA = ("offload/cuda", "omp/device_copies/", "omp/tasks/device_tiles.c")   # hunted on the emulated CUDA; those in omp/ in every fourth round


def mutants():
    found, lines = [], open(os.path.join(HERE, "mutants.txt")).read().split("\n")
    for block in "\n".join(l for l in lines if not l.startswith("#")).split("\n\n"):
        rows = [r for r in block.split("\n") if r]
        if not rows:
            continue
        path, what = rows[0].split(": ", 1)
        part = {c: "\n".join(r[1:] for r in rows[1:] if r[0] == c) for c in "-+=!"}
        found.append({"path": path, "what": what, "old": part["-"], "new": part["+"], "harmless": part["="].strip(),
                      "hunters": tuple(part["!"].split())})
    return found


def times_there(mutant, top):
    """How often the replaced text is in its file."""
    with open(os.path.join(top, mutant["path"])) as file:
        return file.read().count(mutant["old"])


def list_them(all_of_them):
    wrong = 0
    for n, m in enumerate(all_of_them, 1):
        times = times_there(m, TOP) if os.path.exists(os.path.join(TOP, m["path"])) else 0
        print("%3d  %s: %s%s" % (n, m["path"], m["what"], "" if times == 1 else ": THE TEXT IS THERE %d TIMES" % times))
        wrong += times != 1
    return wrong > 0


def launcher(build):
    line = next(l for l in open(os.path.join(build, "Makefile")) if re.match(r"MPIEXEC *=", l))
    return shlex.split(line.split("=", 1)[1])


def run(command, env):
    """The status and the output. A run that has reported tasks out of order, or no progress, is ended early."""
    with tempfile.TemporaryFile("w+") as out:
        p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env, start_new_session=True)
        end, text = time.time() + PATIENCE, ""
        while p.poll() is None and time.time() < end and "out of order" not in text and "no progress for" not in text:
            time.sleep(0.1)
            out.seek(0)
            text = out.read()
        status = p.poll() if p.poll() is not None else "hangs"
        try:
            os.killpg(p.pid, 9)
        except ProcessLookupError:
            pass
        p.wait()
        out.seek(0)
        return status, out.read().split("\n")


def accusation(report):
    """The kind of the first accusation in the emulated CUDA's report, or None."""
    if not os.path.exists(report):
        return None
    with open(report) as file:
        kinds = re.findall(r'"accusation", "kind": "(\w+)"', file.read())
    os.remove(report)
    return kinds[0] if kinds else None


def with_card(card, build):
    """The command that loads the card: into the program alone, because mpiexec's other processes have no MPI."""
    library = os.path.join(build, "tests", "nodes", "libnative.so")
    return ["env", "LD_PRELOAD=" + library, "OMPFACT_TEST_NATIVE=" + card] if card else []


def hunt(mpiexec, build, seconds, path, hunters=()):
    """How the fault was caught, or None."""
    start, round = time.time(), 0
    rounds = [of for prefix, of in HUNTERS.items() if path.startswith(prefix)][-1]
    if hunters:
        rounds = tuple((ranks, hunters, ONE, BY_MPI) for ranks in (1, 3, 5))
    report = os.path.join(build, "cuda-report")
    while time.time() - start < seconds:
        ranks, programs, nodes, card = rounds[round % len(rounds)]
        env = dict(os.environ, **nodes, OMPFACT_CHECKS="1", OMP_NUM_THREADS="1", SOAK_ROUNDS="2", CK_FORK="no",
                   OMPFACT_TEST_TIER="full")
        if (round + round // 4) % 2 == 1:
            env["SOAK_DEVICES"] = "1"
        if path.startswith(CUDA[0]) or (path.startswith(CUDA) and round % 4 == 1):
            env.update(LD_LIBRARY_PATH=os.path.join(build, "tests", "cuda"), SOAK_DEVICES="1", SOAK_BACKEND="cuda",
                       OMPFACT_TEST_BACKEND="cuda",
                       OMPFACT_TEST_CUDA="delay=%d,report=%s" % (200 * (round % 3), report))
        for program in programs:
            ranks = RANKS.get(program, ranks)
            cases = "24" if card is None else "8"       # runs between nodes take long
            arguments = ARGUMENTS.get(program, []) if program not in SOAK else [cases, str(1000 * round + 7), str(PATIENCE)]
            command = with_card(card, build) + [os.path.join(build, program)] + arguments
            status, lines = run(mpiexec + ["-n", str(ranks)] + command, env)
            accused = accusation(report)
            if status == 0 and accused and not (accused == "pageable" and program in PAGEABLE):
                return "accused: %s, %d rank%s, %.0f s" % (accused, ranks, "s" * (ranks > 1), time.time() - start), accused
            if status != 0 or any(PROCEEDS in l for l in lines):
                line = line_of_failure(status, lines)
                return "%s, %d rank%s, %.0f s" % (kind(status, line), ranks, "s" * (ranks > 1), time.time() - start), line
        round += 1
    return None


def line_of_failure(status, lines):
    faults = [l for l in lines if "out of order" in l] or \
        [l for l in lines if l.startswith("soak: ") or ":F:" in l or PROCEEDS in l]
    return faults[0] if faults else "status %s" % status


def kind(status, line):
    for text, name in (("has no dependence", "no dependence"), ("begins before", "out of order"),
                       ("only reads its output", "output is read"), ("differs from the published tile", "not what was published"),
                       ("soak: hangs", "hangs"), ("soak: ", "wrong result"), (":F:", "wrong result"),
                       (PROCEEDS, "reads over TCP proceed")):
        if text in line:
            return name
    return "hangs" if status == "hangs" else "crashes"


def copy_and_configure(options, work):
    """Returns a copy of the source tree, for the faults, and its build folder."""
    def skip(folder, names):
        return [n for n in names if n == ".git" or os.path.exists(os.path.join(folder, n, "config.status"))]
    source, build = os.path.join(work, "source"), os.path.join(work, "build")
    shutil.copytree(TOP, source, ignore=skip)
    os.mkdir(build)
    allowed = [o for o in shlex.split(options) if not o.startswith("--enable-werror")]     # faults may leave variables unused
    configure = [os.path.join(source, "configure"), "-q"] + allowed
    subprocess.run(configure, cwd=build, check=True, stdout=subprocess.DEVNULL)
    return source, build


def judge(m, source, build, make, mpiexec, seconds):
    """Plants the fault. Returns the result of the build, and how the fault was caught, or None."""
    path = os.path.join(source, m["path"])
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace(m["old"], m["new"]))
    built = subprocess.run(make, cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    how = hunt(mpiexec, build, seconds, m["path"], m["hunters"]) if built.returncode == 0 else None
    with open(path, "w") as file:
        file.write(text)
    return built, how


def verdict(m, built, how):
    if built.returncode != 0:
        return "DOES NOT BUILD: " + built.stdout[-300:]
    if m["harmless"]:
        return "HARMLESS, BUT " + how[0] if how else "harmless: " + m["harmless"]
    return how[0] if how else "NOT CAUGHT"


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("-b", default="build")
    p.add_argument("-s", type=float, default=60)
    p.add_argument("-j", default=str(os.cpu_count()))
    p.add_argument("-l", action="store_true")
    p.add_argument("-v", action="store_true")
    p.add_argument("numbers", nargs="*", type=int)
    o = p.parse_args()
    all_of_them = mutants()
    if o.l:
        return list_them(all_of_them)
    config = subprocess.check_output([os.path.join(o.b, "config.status"), "--config"], text=True)
    work = tempfile.mkdtemp(prefix="ompfact-mutants-")
    atexit.register(shutil.rmtree, work, True)
    source, build = copy_and_configure(config, work)
    programs = {program for rounds in HUNTERS.values() for of_round in rounds for program in of_round[1]}
    named = tuple(sorted({program for m in all_of_them for program in m["hunters"]}))
    programs.update(named)
    make = ["make", "-s", "-j", o.j, "tests-cuda", "tests-nodes", *sorted(programs)]
    subprocess.run(make, cwd=build, check=True, stdout=subprocess.DEVNULL)
    mpiexec, caught, missed, harmless = launcher(build), 0, 0, 0
    found = hunt(mpiexec, build, o.s, "") or hunt(mpiexec, build, o.s, "rma/") or hunt(mpiexec, build, o.s, "", named)
    if found:
        sys.exit("hunt.py: a failure without a planted fault: %s: %s" % found)
    for n, m in enumerate(all_of_them, 1):
        if o.numbers and n not in o.numbers:
            continue
        if times_there(m, source) != 1:
            print("%3d  %s: the text is there %d times: %s" % (n, m["path"], times_there(m, source), m["what"]), flush=True)
            missed += 1
            continue
        built, how = judge(m, source, build, make, mpiexec, o.s)
        harmless += bool(m["harmless"]) and not how
        caught += bool(how) and not m["harmless"]
        missed += built.returncode != 0 or bool(how) == bool(m["harmless"])
        print("| %d | `%s` | %s | %s |" % (n, m["path"], m["what"], verdict(m, built, how)), flush=True)
        if how and o.v:
            print("  " + how[1], flush=True)
    print("%d caught, %d not caught, %d harmless" % (caught, missed, harmless))
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
