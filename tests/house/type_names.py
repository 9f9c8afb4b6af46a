#!/usr/bin/env python3
"""Finds types of one full name that two files define. A program that links both has one of the two in place of the other.

usage: type_names.py SOURCE_DIR

A compiler sees one file at a time, so only the linker could tell, and it does so with link-time optimisation alone. Counted
are classes, structs, unions and enumerations at namespace scope of libvqas, app and tools, in headers and .cpp files, but
not in anonymous namespaces. A name is unique among all programs, also where two are never linked together: rooms move.
Prints a line for each clash.
"""

import re
import sys
from pathlib import Path

# Comments, strings, characters (not the ' in 1'000) and directives: their braces and semicolons are no syntax.
NO_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|R"([^\s()]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'"""
                     r"""|^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M)
NAMESPACE = re.compile(r"(?:inline )?namespace ?([\w:]*)$")
TYPE = re.compile(r"(?:template ?<.*> )?(?:\w+ )*?(?:class|struct|union|enum(?: class| struct)?) "
                  r"(?:\[\[.*?\]\] |alignas ?\(.*?\) )*([A-Za-z_][\w:]*(?:<.*>)?)(?: final)?(?: ?:(?!:).*)?$")


def types(path):
    """Full names of the types that a file defines; a class within a class has the name of the outer one."""
    text = NO_CODE.sub(" ", path.read_text())
    scopes, start = [], 0  # of each open brace its namespace; empty: an anonymous one, or no namespace
    for sign in re.finditer(r"[{};]", text):
        head = " ".join(text[start:sign.start()].split())  # what stands between it and the sign before
        start = sign.end()
        if sign[0] == "{":
            found = TYPE.match(head)
            if found and all(scopes):
                yield "::".join([*scopes, found[1]])
            namespace = NAMESPACE.match(head)
            scopes.append(namespace[1] if namespace else "")
        elif sign[0] == "}":
            scopes.pop()
    if scopes:
        raise ValueError(f"{path}: braces without an end, by branches of the preprocessor perhaps")


def main():
    root = Path(sys.argv[1])
    files = {}
    for path in sorted(path for part in ("libvqas", "app", "tools") for path in (root / part).rglob("*.*")):
        if path.suffix in (".h", ".cpp"):
            for name in types(path):
                files.setdefault(name, {})[str(path.relative_to(root))] = True  # once, also if a branch repeats it
    for name, places in sorted(files.items()):
        if len(places) > 1:
            print(f"{name} is defined in {' and in '.join(places)}; rename one")


main()
