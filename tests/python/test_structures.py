"""Python's structures equal C's, field by field. Needs CC, MPI_CFLAGS, and the header's folder in OMPFACT_HEADER."""
import ctypes
import os
import re
import shlex
import subprocess
import tempfile
import unittest

from ompfact._library import STRUCTURES

PROGRAM = """#include <ompfact_plan.h>
#include <stdio.h>
#include <stddef.h>
{wholes}
int main(void)
{{
{lines}
    return 0;
}}
"""


def name_of(structure):
    """The name in C: StepLoad is ompfact_step_load."""
    return "ompfact" + re.sub("[A-Z]", lambda capital: "_" + capital.group().lower(), structure.__name__)


def whole(structure):
    """A definition that does not compile if C has more fields, or fewer."""
    zeros = ", ".join("{ 0 }" if issubclass(kind, (ctypes.Structure, ctypes.Array)) else "0" for _, kind in structure._fields_)
    return f"{name_of(structure)} a_{name_of(structure)} = {{ {zeros} }};"


def facts():
    """Yields C expressions and their values in Python."""
    for structure in STRUCTURES:
        name = name_of(structure)
        yield f"sizeof({name})", ctypes.sizeof(structure)
        for field, _ in structure._fields_:
            here = getattr(structure, field)
            yield f"offsetof({name}, {field})", here.offset
            yield f"sizeof((({name} *)0)->{field})", here.size


class Structures(unittest.TestCase):
    def test_fields_are_where_c_has_them(self):
        lines = "\n".join(f'    printf("%zu {c}\\n", {c});' for c, _ in facts())
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "facts.c"), os.path.join(folder, "facts")
            with open(source, "w", encoding="ascii") as file:
                file.write(PROGRAM.format(lines=lines, wholes="\n".join(map(whole, STRUCTURES))))
            flags = ["-Werror=missing-field-initializers", "-I" + os.environ["OMPFACT_HEADER"]] + shlex.split(os.environ["MPI_CFLAGS"])
            subprocess.run(shlex.split(os.environ["CC"]) + flags + ["-o", program, source], check=True)
            there = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        self.assertEqual(there, [f"{value} {c}" for c, value in facts()])


if __name__ == "__main__":
    unittest.main(verbosity=0)
