"""Names of code in a page's backticks: files, folders, functions and classes. Each must be in the tree."""
import fnmatch
import os
import re
from pathlib import Path

from pages import TOKEN

FOLDERS = ("libvqas", "app", "tools", "tests")
SOURCES = {".h", ".cpp"}
# `a/b`, `a/<room>/`, `x.cpp`, `line/*_line.cpp`; files that the program writes (`results.json`) are none of these.
FILE = re.compile(r"[\w.<>*-]+(/[\w.<>*-]+)*/?")
FILE_ENDINGS = (".h", ".cpp", ".sh", ".py", ".cmake", ".cmake.in")
# `Sampler`, `carry()`, `Engine::carry()`, `shortest_delay_s(const Profile&)`
CODE = re.compile(r"(\w+(?:::\w+)*)(\([^()]*\))?")


class Tree:
    def __init__(self, source):
        self.paths, self.names = set(), []
        for folder in FOLDERS:
            for place, folders, files in os.walk(Path(source) / folder):
                folders[:] = [one for one in folders if one != "__pycache__"]
                here = Path(place).relative_to(source)
                self.paths.update([f"/{here}", *(f"/{here / one}" for one in files)])
                for one in files:
                    if Path(one).suffix in SOURCES:
                        text = (Path(place) / one).read_text(encoding="utf-8")
                        self.names.append(set(re.findall(r"[A-Za-z_]\w*", text)))

    def has_file(self, name):
        pattern = "*/" + re.sub(r"<\w+>", "*", name).rstrip("/")
        if "*" not in pattern[1:]:
            return any(path.endswith(pattern[1:]) for path in self.paths)
        return any(fnmatch.fnmatchcase(path, pattern) for path in self.paths)

    def has_code(self, name):
        """All parts of a name in one file: of `Class::function` both."""
        parts = set(name.split("::"))
        return any(parts <= names for names in self.names)


def is_file(token):
    return bool(FILE.fullmatch(token)) and ("/" in token or token.endswith(FILE_ENDINGS))


def is_code(token):
    found = CODE.fullmatch(token)
    return bool(found) and ("::" in token or found.group(2) is not None or re.match(r"[A-Z]\w*[a-z]", token) is not None)


def check_code_names(page, source, faults):
    tree, seen = Tree(source), 0
    for line, text in page.prose():
        for token in TOKEN.findall(text):
            if is_file(token):
                seen += 1
                if not tree.has_file(token):
                    faults.add(page.place(line), f"there is no file or folder {token}", "name the one that is there now")
            elif is_code(token):
                seen += 1
                if not tree.has_code(CODE.fullmatch(token).group(1)):
                    faults.add(page.place(line), f"no source names {token}", "name the function or class that is there now")
    if seen == 0:
        faults.add(page.place(1), "no names of code were found", "mend tests/docs/code_names.py")
