#!/usr/bin/env python3
"""Writes the source of the site:  pages.py SOURCE SITE

Copies the texts and the files that they link to into the same folders, and writes doc/reference/: the command from its manual page, C from
the chapters of the headers, Fortran and Python from the sources of the modules.
"""
import ast
import os
import re
import shutil
import sys

TEXTS = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "COPYING", "doc", "examples", "src"]
COPIED = (".md", ".svg", ".png", ".c", ".cpp", ".f90", ".py", ".1", ".h", ".cff", "COPYING")
HEADERS = {"ompfact": "C: ompfact.h", "ompfact_plan": "C: ompfact_plan.h, plans", "ompfact_machine": "C: ompfact_machine.h, machines"}


def copy(source, site):
    for text in TEXTS:
        top = os.path.join(source, text)
        files = [top] if os.path.isfile(top) else [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
        for path in files:
            where = os.path.relpath(path, source)
            wanted = where.endswith(COPIED) and (not where.startswith("src") or os.path.basename(where)[:-2] in HEADERS)
            if wanted and not where.startswith(os.path.join("doc", "site")):
                os.makedirs(os.path.dirname(os.path.join(site, where)) or site, exist_ok=True)
                shutil.copyfile(path, os.path.join(site, where))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    os.makedirs(os.path.dirname(os.path.join(*path)), exist_ok=True)
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)


# ---- the manual page ------------------------------------------------------------------------------------------------------------

ESCAPES = {r"\-": "-", r"\ ": " ", r"\&": "", r"\e": "\\", r"\(lq": "“", r"\(rq": "”", r"\(bu": "•", r"\(em": "—"}


def plain(text):
    return re.sub(r"\\(-| |&|e|\(..)", lambda m: ESCAPES.get(m[0], m[0]), re.sub(r"\\f.", "", text))


def roman(text):
    return re.sub(r"([\\`*_<>\[\]|$#])", r"\\\1", plain(text))


def bold(text):
    return f"`{plain(text)}`" if plain(text).strip() else plain(text)


def italic(text):
    return f"*{roman(text)}*" if plain(text).strip() else roman(text)


def inline(text):
    """A line of text, with \\fB and \\fI in it."""
    out, font = [], roman
    for part in re.split(r"(\\f.)", text):
        if re.fullmatch(r"\\f.", part):
            font = {"B": bold, "I": italic}.get(part[2], roman)
        elif part:
            out.append(font(part))
    return "".join(out)


FONTS = {"B": (bold,), "I": (italic,), "BR": (bold, roman), "RB": (roman, bold), "IR": (italic, roman), "RI": (roman, italic),
         "BI": (bold, italic), "IB": (italic, bold)}


def words(rest):
    return [a if a is not None else b for a, b in
            ((m[1], m[2]) for m in re.finditer(r'"((?:[^"])*)"|((?:\\ |\S)+)', rest))]


def in_fonts(name, rest):
    parts = words(rest)
    if len(FONTS[name]) == 1:
        return FONTS[name][0](" ".join(parts))
    return "".join(FONTS[name][k % 2](part) for k, part in enumerate(parts))


class Manual:
    """Translates the macros of man(7) in the page to Markdown. The text of a definition is indented two columns more than its term."""

    def __init__(self):
        self.out, self.base, self.body, self.stack = [], "", "", []
        self.term = self.first = self.join = False      # the next line is a term, begins its text, is one more term

    def add(self, line):
        self.out.append(self.body + line if line else "")

    def begin(self, body):
        self.body = body
        self.out.append("")

    def text(self, line):
        if self.term:
            self.term = False
            self.begin(self.base)
            self.add(line)
            self.body = self.base + "  "
            self.first = True
        elif self.join:
            self.join = False
            self.out[-1] += ", " + line
        elif self.first:
            self.first = False
            self.out.append(self.base + ": " + line)
        else:
            self.add(line)

    def macro(self, name, rest):
        if name in FONTS:
            self.text(in_fonts(name, rest))
        elif name in ("SH", "SS"):
            self.base = ""
            self.begin("")
            title = plain(rest.strip('"'))
            self.add(("## " if name == "SH" else "### ") + (title.capitalize() if title.isupper() and title != "JSON" else title))
            self.begin("")
        elif name in ("TP", "TQ"):
            self.term, self.join = name == "TP", name == "TQ"
        elif name in ("PP", "IP"):
            self.begin(self.base if name == "PP" else self.base + "  ")
        elif name == "RS":
            self.stack.append((self.base, self.body))
            self.base = self.body
            self.begin(self.base)
        elif name == "RE":
            self.base, body = self.stack.pop()
            self.begin(body)
        elif name == "br":
            self.out[-1] += "\\"

    def page(self, text):
        literal = False
        for line in text.split("\n"):
            if line.startswith('.\\"') or line.startswith(".TH"):
                continue
            if line in (".nf", ".fi"):
                literal = line == ".nf"
                if literal:
                    self.out.append("")
                self.add("```text" if literal else "```")
                if not literal:
                    self.out.append("")
            elif literal:
                self.add(plain(line))
            elif line.startswith("."):
                name, _, rest = line[1:].partition(" ")
                self.macro(name, rest)
            else:
                self.text(inline(line))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self.out)).strip() + "\n"


# ---- C, Fortran, Python -----------------------------------------------------------------------------------------------------------

def c_page(source, header, title):
    out = [f"# {title}", "", "```{doxygenfile} " + header + ".h", ":sections: detaileddescription", "```", ""]
    for chapter in re.findall(r"^/\* ---- (.*?) -+ \*/$", read(source, "src", header + ".h"), re.M):
        group = "ompfact_group_" + re.sub("[^A-Za-z]+", "_", chapter)
        out += [f"## {chapter[0].upper()}{chapter[1:]}", "", "```{doxygengroup} " + group, ":content-only:", "```", ""]
    return "\n".join(out)


MODULES = ["settings", "objects", "fill", "routines", "indefinite", "factors", "plans", "scalapack"]


def fortran_page(source):
    """For each module its head comment, and the first line of each public procedure with the comment above it."""
    out = ["# Fortran: the modules", "", "Arguments and meanings are those of C's functions of the same names; `status` and `info` are "
           "optional. [Fortran](../fortran.md) has an example.", ""]
    for module in MODULES:
        name = os.path.join(source, "fortran", f"ompfact_{module}.f90")
        text = read(name if os.path.exists(name) else name + ".in")
        head = re.match(r"(?:!.*\n)+", text)[0]
        public = set(re.findall(r"ompfact_\w+", " ".join(re.findall(r"public :: (.*)", text), ).lower()))
        out += [f"## ompfact_{module}", "", re.sub(r"^!\s?", "", head, flags=re.M).strip(), "", "```fortran"]
        comment, seen = [], set()
        for line in text.split("\n"):
            line = line.strip()
            if line.startswith("! "):
                comment.append(line)
                continue
            found = re.match(r"(?:[\w()]+ +)*(?:subroutine|function) +(ompfact_[\w@]+)", line)
            if found and found[1] not in seen and (module == "scalapack" or found[1].lower() in public or "@" in found[1]):
                seen.add(found[1])
                out += comment + [re.sub(r" bind\(c.*", "", line).replace("@t@", "d").replace("@element@", "real(c_double)")]
            comment = []
        out += ["```", ""]
    return "\n".join(out)


def signature(node):
    return re.sub(r"^(?:self, |self\b)", "", ast.unparse(node.args))


def docstring(node):
    """Keeps paragraphs. A line "name   meaning" becomes an item with the indented lines below it, deeper text a literal block."""
    out, item = [], False
    for line in (ast.get_docstring(node) or "").split("\n"):
        named = re.match(r"(\*{0,2}\w+(?:, \w+)*) {2,}(\S.*)", line)
        if named:
            out += ([] if item else [""]) + [f"- `{named[1]}`: {roman(named[2])}"]
            item = True
        elif item and line.startswith(" "):
            out.append("  " + roman(line.strip()))
        elif line.startswith("    "):
            out.append(line)
        else:
            out += [""] if item else []
            out.append(roman(line))
            item = False
    return out + [""]


def python_page(source):
    """Functions and classes of __all__ with their docstrings, in the order of the modules."""
    folder = os.path.join(source, "python", "ompfact")
    package = ast.parse(read(folder, "__init__.py"))
    out = ["# Python: the package", "", *docstring(package)]
    for node in package.body:
        if not isinstance(node, ast.ImportFrom) or node.module == "_version":
            continue
        wanted = {a.name for a in node.names}
        for item in ast.parse(read(folder, node.module + ".py")).body:
            if isinstance(item, ast.FunctionDef) and item.name in wanted:
                out += [f"## {item.name}", "", "```python", f"{item.name}({signature(item)})", "```", ""] + docstring(item)
            elif isinstance(item, ast.ClassDef) and item.name in wanted:
                out += [f"## {item.name}", ""] + docstring(item)
                for method in item.body:
                    if isinstance(method, ast.FunctionDef) and (not method.name.startswith("_") or method.name == "__init__"):
                        name = item.name if method.name == "__init__" else f"{item.name}.{method.name}"
                        out += ["```python", f"{name}({signature(method)})", "```", ""] + docstring(method)
    return "\n".join(out)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip().split("\n")[0])
    source, site = sys.argv[1:]
    shutil.rmtree(site, ignore_errors=True)
    copy(source, site)
    write(read(source, "README.md") + read(source, "doc", "site", "contents.md"), site, "README.md")
    write("# News\n\n```text\n" + read(source, "NEWS") + "```\n", site, "NEWS.md")
    write("# The command: ompfact(1)\n\n" + Manual().page(read(source, "doc", "ompfact.1")), site, "doc", "reference", "command.md")
    for header, title in HEADERS.items():
        write(c_page(source, header, title), site, "doc", "reference", header + ".md")
    write(fortran_page(source), site, "doc", "reference", "fortran.md")
    write(python_page(source), site, "doc", "reference", "python.md")


if __name__ == "__main__":
    main()
