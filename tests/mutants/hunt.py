#!/usr/bin/env python3
"""usage: hunt.py [-b BUILD] [-s SECONDS] [-j JOBS] [-l] [-v] [NUMBER ...]

Plants the faults of mutants.txt into a copy of the source, one at a time, builds it, and hunts them with random factorizations (tests/soak), every other time with
devices, and by tests/offload/test_devices and tests/rma/test_rma, on 1 to 3 ranks, for at most SECONDS (60) each. A fault is caught by a wrong result, a fault against the order (OMPFACT_CHECKS), a crash, or a run that does not end.
BUILD is a configured build folder (default: build), whose options are taken. -l lists the faults, -v shows what was said. Rows are those of
doc/design.md; the last line counts. Exit status 1 if a fault was not caught, or one that is marked as harmless was. Takes about half an hour on two
cores; run nothing else beside it.
"""
import argparse, atexit, os, re, shlex, shutil, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
PATIENCE = 100      # seconds for what takes 2 to 20: longer is a hang


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


def launcher(build):
    line = next(l for l in open(os.path.join(build, "Makefile")) if re.match(r"MPIEXEC *=", l))
    return shlex.split(line.split("=", 1)[1])


def run(command, env):
    """Its status, and what it said; a run that has said that tasks are out of order, or that nothing moves, need not come to an end."""
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


def hunt(mpiexec, build, seconds):
    """What caught it, or None."""
    start, round = time.time(), 0
    while time.time() - start < seconds:
        ranks = (1, 2, 3, 3)[round % 4]
        env = dict(os.environ, OMPFACT_CHECKS="1", OMP_NUM_THREADS="1", SOAK_ROUNDS="2", CK_FORK="no")
        if round % 8 == 2:
            env["MPIR_CVAR_NUM_CLIQUES"] = "2"
        if (round + round // 4) % 2 == 1:
            env["SOAK_DEVICES"] = "1"
        hunter = [os.path.join(build, "tests/soak"), "24", str(1000 * round + 7), str(PATIENCE)]
        if round in (3, 4, 6):
            hunter = [os.path.join(build, "tests/rma/test_rma" if round == 3 else "tests/offload/test_devices")]
        status, lines = run(mpiexec + ["-n", str(ranks)] + hunter, env)
        round += 1
        if status != 0:
            told = [l for l in lines if "out of order" in l] or [l for l in lines if l.startswith("soak: ") or ":F:" in l] or ["status %s" % status]
            return "%s, %d rank%s, %.0f s" % (kind(status, told[0]), ranks, "s" * (ranks > 1), time.time() - start), told[0]
    return None


def kind(status, line):
    for text, name in (("has no dependence", "no dependence"), ("begins before", "out of order"), ("only reads its output", "output is read"), ("not what was published", "not what was published"),
                       ("soak: hangs", "hangs"), ("soak: ", "wrong result"), (":F:", "wrong result")):
        if text in line:
            return name
    return "hangs" if status == "hangs" else "crashes"


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
        for n, m in enumerate(all_of_them, 1):
            print("%3d  %s: %s" % (n, m["path"], m["what"]))
        return 0
    work = tempfile.mkdtemp(prefix="ompfact-mutants-")
    atexit.register(shutil.rmtree, work, True)
    source, build = os.path.join(work, "source"), os.path.join(work, "build")
    shutil.copytree(TOP, source, ignore=lambda folder, names: [n for n in names if n == ".git" or os.path.exists(os.path.join(folder, n, "config.status"))])
    os.mkdir(build)
    options = subprocess.run([os.path.join(o.b, "config.status"), "--config"], check=True, stdout=subprocess.PIPE, text=True).stdout
    subprocess.run([os.path.join(source, "configure"), "-q"] + shlex.split(options), cwd=build, check=True, stdout=subprocess.DEVNULL)
    make = ["make", "-s", "-j", o.j, "tests/soak", "tests/offload/test_devices", "tests/rma/test_rma"]
    subprocess.run(make, cwd=build, check=True, stdout=subprocess.DEVNULL)
    mpiexec, caught, missed, harmless = launcher(build), 0, 0, 0
    found = hunt(mpiexec, build, o.s)
    if found:
        sys.exit("hunt.py: a fault where none was planted: %s: %s" % found)
    for n, m in enumerate(all_of_them, 1):
        if o.numbers and n not in o.numbers:
            continue
        path = os.path.join(source, m["path"])
        text = open(path).read()
        if text.count(m["old"]) != 1:
            print("%3d  %s: the text is there %d times: %s" % (n, m["path"], text.count(m["old"]), m["what"]), flush=True)
            missed += 1
            continue
        open(path, "w").write(text.replace(m["old"], m["new"]))
        built = subprocess.run(make, cwd=build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        how = hunt(mpiexec, build, o.s) if built.returncode == 0 else None
        open(path, "w").write(text)
        if built.returncode != 0:
            verdict = "DOES NOT BUILD: " + built.stdout[-300:]
        elif m["harmless"]:
            verdict = "HARMLESS, BUT " + how[0] if how else "harmless: " + m["harmless"]
        else:
            verdict = how[0] if how else "NOT CAUGHT"
        harmless += bool(m["harmless"]) and not how
        caught += bool(how) and not m["harmless"]
        missed += built.returncode != 0 or bool(how) == bool(m["harmless"])
        print("| %d | `%s` | %s | %s |" % (n, m["path"], m["what"], verdict), flush=True)
        if how and o.v:
            print("  " + how[1], flush=True)
    print("%d caught, %d not caught, %d harmless" % (caught, missed, harmless))
    return missed > 0


sys.exit(main())
