#!/usr/bin/env python3
"""usage: documents.py [--update] SOURCE FOLDER PAGE...

Runs the commands that pages show behind "$ ", as they stand, in FOLDER, where build and examples lead to what was built, and compares
what they print with what the page has. Counts are compared as they are; what depends on the machine (times, rates, errors, cores,
kernels, memory) by its form alone. A line of ... stands for any lines. A command without output in the page only has to end with 0.
Not run are commands by sudo, those that need what is missing (NumPy, SimGrid), and those that read what was then not written.
--update puts what commands print into the pages, but for outputs that have a line of ...
Environment: MPIEXEC, the launcher; PYTHON.
"""
import os
import re
import subprocess
import sys

NUMBER = re.compile(r"(?<![A-Za-z_])[-+]?\d+(?:\.\d+)?(?:e[-+]\d+)?")
FILES = re.compile(r"[\w.-]+\.(?:npy|json|html|xml|map|svg|csv)\b")
PYTHON = os.environ.get("PYTHON", ":").strip(":") or "python3"
OF_MACHINE = ("memory", "limits", "machine", "tile size", "work", "no order", "several nodes")


def blocks(lines):
    """Of each command its line number, indentation, text, and the numbers of the first line of its output and of what follows."""
    k = 0
    while k < len(lines):
        shown = re.match(r"( {4,})\$ (.*)", lines[k])
        k += 1
        if not shown:
            continue
        first, indent = k, shown[1]
        while k < len(lines) and not lines[k].startswith(indent + "$ "):
            after = next((line for line in lines[k:k + 3] if line.strip()), "")
            if not (lines[k].startswith(indent) or not lines[k].strip() and after.startswith(indent) and "$ " not in after):
                break
            k += 1
        yield first - 1, indent, shown[2], first, k


def form(line, counts):
    line = " ".join(re.sub(r"BLIS kernels \w+|OpenBLAS.*", "BLIS", re.sub(r" on \d+ cores", "", line)).split())
    if counts and not line.startswith(OF_MACHINE):
        return line
    return re.sub(r"(?<!\S)-(?!\S)", "#", NUMBER.sub("#", line))


def matches(wanted, got):
    """A line of ... is any lines."""
    if not wanted:
        return not got
    if wanted[0] in ("...", "…"):
        return any(matches(wanted[1:], got[k:]) for k in range(len(got) + 1))
    return bool(got) and wanted[0] == got[0] and matches(wanted[1:], got[1:])


class Runner:
    def __init__(self, folder):
        self.folder, self.absent, self.ran, self.skipped = folder, set(), 0, []
        self.numpy = subprocess.run([PYTHON, "-c", "import numpy"], capture_output=True).returncode == 0

    def needs_missing(self, command):
        files = FILES.findall(command)
        return (command.startswith("sudo ") or not self.numpy and (".npy" in command or "numpy" in command)
                or any(f in self.absent and not os.path.exists(os.path.join(self.folder, f)) for f in files))

    def run(self, command):
        """Its output, or None where it is not run."""
        if self.needs_missing(command):
            self.skipped.append(command)
            self.absent.update(FILES.findall(command))
            return None
        env = dict(os.environ, OMP_NUM_THREADS="1")
        if "--dry-run" in command:
            env["XDG_CACHE_HOME"] = "/nonexistent"      # whatever was measured here
        script = f'mpiexec() {{ $MPIEXEC "$@" < /dev/null; }}; python3() {{ {PYTHON} "$@"; }}\n{command}'
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, env=env, capture_output=True, text=True, timeout=900)
        if "configured without" in done.stderr:
            self.skipped.append(command)
            return None
        if done.returncode != 0:
            sys.exit(f"{command}\n  ended with {done.returncode}\n{done.stdout}{done.stderr}")
        self.ran += 1
        return [line.rstrip() for line in done.stdout.rstrip("\n").split("\n") if line.strip()]


def check_page(path, runner, update):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    out, copied, wrong = [], 0, 0
    for _, indent, command, first, end in blocks(lines):
        got = runner.run(command)
        shown = [line[len(indent):] for line in lines[first:end] if line.strip()]
        if got is None:
            continue
        if update and "..." not in shown:
            out += lines[copied:first] + [indent + line for line in got]
            copied = end
        elif not update and shown:
            counts = "--dry-run" in command
            if not matches([form(s, counts) for s in shown], [form(g, counts) for g in got]):
                wrong += 1
                print(f"{path}: {command}\n  prints\n    " + "\n    ".join(got) + "\n  and the page has\n    " + "\n    ".join(shown))
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(out + lines[copied:]))
    return wrong


def main():
    update = "--update" in sys.argv
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    if len(arguments) < 3:
        sys.exit(__doc__)
    source, folder, wrong = arguments[0], arguments[1], 0
    for page in arguments[2:]:
        wrong += check_page(os.path.join(source, page), runner := Runner(folder), update)
        print(f"{page}: {runner.ran} commands" + (f", {len(runner.skipped)} not run" if runner.skipped else ""))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
