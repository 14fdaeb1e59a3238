#!/usr/bin/env python3
"""usage: check_prototypes.py TOP > calls.c

Reads the functions that offload/cuda_library.{h,c} of the source tree TOP declare and load, and writes C that calls each of CUDA's own by its name with
arguments of our types: a compiler that has CUDA's headers says where they differ.
"""
import re
import sys

HEADERS = ["cuda.h", "cuda_runtime_api.h", "cublas_v2.h", "cusolverDn.h"]


def arguments(block, name):
    """The types of a function's arguments, as it is declared in a struct."""
    found = re.search(r"\(\*%s\)\(([^;]*)\);" % name, block, re.S)
    words = [" ".join(a.split()) for a in found.group(1).split(",")]
    return [] if words == ["void"] else [re.match(r"(.*?)\w+$", w).group(1) for w in words]


def call(real, types):
    """What has the address of something else is CUDA's business: any pointer will do, but no number of another width."""
    given = ", ".join("%sa%d" % (t, i) for i, t in enumerate(types)) or "void"
    handed = ", ".join(("(void *)a%d" if "*" in t else "a%d") % i for i, t in enumerate(types))
    return "long call_%s(%s);\nlong call_%s(%s)\n{\n    return (long)%s(%s);\n}" % (real, given, real, given, real, handed)


def main():
    top = sys.argv[1]
    with open(top + "/offload/cuda_library.h", encoding="utf-8") as file:
        header = file.read()
    with open(top + "/offload/cuda_library.c", encoding="utf-8") as file:
        source = file.read()
    kernels, library = header.split("struct cuda_library {")
    for name in HEADERS:
        print("#include <%s>" % name)
    for real, field in re.findall(r'"(\w+)", &library\.(\w+)', source):
        print(call(real, arguments(library, field)))
    for pattern, field in re.findall(r'"([\w?]+)", letter, &k->(\w+)', source):
        for letter in "SDCZ" if field not in ("herk", "hemm") else "":
            print(call(pattern.replace("?", letter), arguments(kernels, field)))
    for letters, names in (("SD", ("syrk", "symm")), ("CZ", ("herk", "hemm"))):
        for letter in letters:
            for name, field in zip(names, ("herk", "hemm")):
                print(call("cublas%s%s_v2" % (letter, name), arguments(kernels, field)))


if __name__ == "__main__":
    main()
