#!/usr/bin/env python3
"""usage: hunt.py [-b BUILD] [-s SECONDS] [-j JOBS] [-l] [-v] [NUMBER ...]

Plants the faults of mutants.txt into a copy of the source, one at a time, builds it, and hunts them with random factorizations
(tests/soak), every other time with devices, and by the test programs of HUNTERS, on 1 to 6 ranks, for at most SECONDS (60) each.
A fault is caught by a wrong result, a fault against the order (OMPFACT_CHECKS), a crash, or a run that does not end.

BUILD is a configured build folder (default: build), whose options are taken. JOBS is make's -j (default: one a core). -l lists
the faults; its exit status is 1 if the text of one is not in its file exactly once. -v shows what was said. Rows are those of
doc/design.md; the last line counts. Exit status 1 if a fault was not caught, does not build, or has its text not in its file
exactly once, or if one that is marked as harmless was caught. Takes about half an hour on two cores; run nothing else beside
it.
"""
import argparse, atexit, os, re, shlex, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PATIENCE = 100      # seconds for what takes 2 to 20: longer is a hang
RMA, DEVICES = ("tests/rma/test_rma", "tests/rma/test_kept", "tests/rma/test_lent"), ("tests/offload/test_devices",)
HUNTERS = {3: RMA, 4: DEVICES, 6: DEVICES}      # in these rounds; in the others it is the soak
RANKS = {"tests/rma/test_lent": 6}
CUDA = ("offload/cuda", "omp/device_copies/")   # faults in these are hunted on the emulated CUDA, in the latter in every fourth round


def mutants():
    found, lines = [], open(os.path.join(HERE, "mutants.txt")).read().split("\n")
    for block in "\n".join(l for l in lines if not l.startswith("#")).split("\n\n"):
        rows = [r for r in block.split("\n") if r]
        if not rows:
            continue
        path, what = rows[0].split(": ", 1)
        part = {c: "\n".join(r[1:] for r in rows[1:] if r[0] == c) for c in "-+="}
        found.append({"path": path, "what": what, "old": part["-"], "new": part["+"], "harmless": part["="].strip()})
    return found


def times_there(mutant, top):
    """How often the text that it replaces is in its file."""
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
    """Its status, and what it said. One that has told of tasks out of order, or that nothing moves, need not come to an end."""
    with tempfile.TemporaryFile("w+") as out:
        p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env, start_new_session=True)
        end, text = time.time() + PATIENCE, ""
        while p.poll() is None and time.time() < end and "out of order" not in text and "nothing has moved" not in text:
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
    """The kind of the first one in an emulated CUDA's report, or None."""
    if not os.path.exists(report):
        return None
    with open(report) as file:
        kinds = re.findall(r'"accusation", "kind": "(\w+)"', file.read())
    os.remove(report)
    return kinds[0] if kinds else None


def hunt(mpiexec, build, seconds, path):
    """What caught it, or None."""
    start, round = time.time(), 0
    report = os.path.join(build, "cuda-report")
    while time.time() - start < seconds:
        ranks = (1, 2, 5, 3, 1, 2, 3, 3)[round % 8]
        env = dict(os.environ, OMPFACT_CHECKS="1", OMP_NUM_THREADS="1", SOAK_ROUNDS="2", CK_FORK="no")
        if round % 8 in (2, 6):
            env["MPIR_CVAR_NUM_CLIQUES"] = "2"
        if (round + round // 4) % 2 == 1:
            env["SOAK_DEVICES"] = "1"
        if path.startswith(CUDA[0]) or (path.startswith(CUDA) and round % 4 == 1):
            env.update(LD_LIBRARY_PATH=os.path.join(build, "tests", "cuda"), SOAK_DEVICES="1", SOAK_BACKEND="cuda",
                       OMPFACT_TEST_CUDA="delay=%d,report=%s" % (200 * (round % 3), report))
        soak = ["tests/soak", "24", str(1000 * round + 7), str(PATIENCE)]
        for hunter in [[program] for program in HUNTERS.get(round, ())] or [soak]:
            ranks = RANKS.get(hunter[0], ranks)
            status, lines = run(mpiexec + ["-n", str(ranks), os.path.join(build, hunter[0])] + hunter[1:], env)
            accused = accusation(report)
            if status == 0 and accused:
                return "accused: %s, %d rank%s, %.0f s" % (accused, ranks, "s" * (ranks > 1), time.time() - start), accused
            if status != 0:
                told = what_was_told(status, lines)
                return "%s, %d rank%s, %.0f s" % (kind(status, told), ranks, "s" * (ranks > 1), time.time() - start), told
        round += 1
    return None


def what_was_told(status, lines):
    faults = [l for l in lines if "out of order" in l] or [l for l in lines if l.startswith("soak: ") or ":F:" in l]
    return faults[0] if faults else "status %s" % status


def kind(status, line):
    for text, name in (("has no dependence", "no dependence"), ("begins before", "out of order"),
                       ("only reads its output", "output is read"), ("not what was published", "not what was published"),
                       ("soak: hangs", "hangs"), ("soak: ", "wrong result"), (":F:", "wrong result")):
        if text in line:
            return name
    return "hangs" if status == "hangs" else "crashes"


def copy_and_configure(options, work):
    """A source tree to plant faults in, and its build folder."""
    def skip(folder, names):
        return [n for n in names if n == ".git" or os.path.exists(os.path.join(folder, n, "config.status"))]
    source, build = os.path.join(work, "source"), os.path.join(work, "build")
    shutil.copytree(TOP, source, ignore=skip)
    os.mkdir(build)
    configure = [os.path.join(source, "configure"), "-q"] + shlex.split(options)
    subprocess.run(configure, cwd=build, check=True, stdout=subprocess.DEVNULL)
    return source, build


def judge(m, source, build, make, mpiexec, seconds):
    """With the fault planted: whether it builds, and what caught it, or None."""
    path = os.path.join(source, m["path"])
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace(m["old"], m["new"]))
    built = subprocess.run(make, cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    how = hunt(mpiexec, build, seconds, m["path"]) if built.returncode == 0 else None
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
    make = ["make", "-s", "-j", o.j, "tests-cuda", "tests/soak", *sorted({program for programs in HUNTERS.values() for program in programs})]
    subprocess.run(make, cwd=build, check=True, stdout=subprocess.DEVNULL)
    mpiexec, caught, missed, harmless = launcher(build), 0, 0, 0
    found = hunt(mpiexec, build, o.s, "")
    if found:
        sys.exit("hunt.py: a fault where none was planted: %s: %s" % found)
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
