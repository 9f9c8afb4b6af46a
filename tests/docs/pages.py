"""Markdown as the documents write it: headings, links, tables and blocks of commands, each with its line."""
import re
from dataclasses import dataclass
from pathlib import Path

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
MARK = re.compile(r"^<!-- (checked|run|file): ?([^ ]*) -->$|^<!-- (run) -->$")
LOOKS_LIKE_MARK = re.compile(r"<!--\s*(checked|run|file)\b")
TOKEN = re.compile(r"`([^`]+)`")


class Faults:
    """What is wrong with the documents. Each fault says where it is and what to do."""

    def __init__(self, title):
        self.title, self.told = title, []

    def add(self, place, wrong, cure):
        told = f"{place}: {wrong}; {cure}"
        if told not in self.told:
            self.told.append(told)

    def end(self):
        """The exit code of the test, after everything was printed."""
        for one in self.told:
            print(one)
        print(f"{self.title}: {len(self.told)} faults" if self.told else f"{self.title}: all right")
        return 1 if self.told else 0


@dataclass
class Row:
    place: str  # page:line
    cells: list

    def tokens(self, column=None):
        """What stands in backticks, in one column or in all."""
        cells = self.cells if column is None else [self.cells[column]]
        return [token for cell in cells for token in TOKEN.findall(cell)]


@dataclass
class Table:
    mark: str
    place: str
    head: list
    rows: list

    def tokens(self, column=0):
        """(place, token) of a column, in the table's order."""
        return [(row.place, token) for row in self.rows for token in row.tokens(column)]


@dataclass
class Block:
    kind: str  # "run" or "file"
    name: str
    line: int  # of its first line
    lines: list


def cells_of(line):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


class Page:
    def __init__(self, source, path):
        self.path, self.file = str(path), Path(source) / path
        self.lines = self.file.read_text(encoding="utf-8").splitlines()
        self.is_code = self._find_code()

    def place(self, line):
        return f"{self.path}:{line}"

    def _find_code(self):
        code, fence, before_blank = [], None, True
        for line in self.lines:
            opens = re.match(r"\s*(```+)", line)
            if fence:
                code.append(True)
                fence = None if opens and line.strip() == fence else fence
            elif opens:
                code.append(True)
                fence = opens.group(1)
            else:
                indented = line.startswith("    ") and (before_blank or code[-1])
                code.append(bool(indented))
            before_blank = not line.strip() or bool(MARK.match(line))
        return code

    def prose(self):
        """(line, text) outside of blocks of code."""
        return [(n, line) for n, line in enumerate(self.lines, 1) if not self.is_code[n - 1]]

    def links(self):
        for n, line in self.prose():
            for target in LINK.findall(TOKEN.sub(lambda code: "`" + "x" * len(code.group(1)) + "`", line)):
                yield n, target

    def anchors(self):
        """As GitHub makes them of headings."""
        found, count = set(), {}
        for _, line in self.prose():
            if heading := re.match(r"#{1,6} +(.*?) *#*$", line):
                text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
                slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
                n = count.get(slug, 0)
                count[slug] = n + 1
                found.add(slug if n == 0 else f"{slug}-{n}")
        return found

    def marks(self):
        """(line, kind, name) of each `<!-- checked: NAME -->`, `<!-- run -->` and `<!-- file: NAME -->`."""
        for n, line in self.prose():
            if found := MARK.match(line):
                yield n, found.group(1) or found.group(3), found.group(2) or ""

    def tables(self, faults):
        """The tables with a mark."""
        for n, kind, name in self.marks():
            if kind != "checked":
                continue
            lines = []
            while n + len(lines) < len(self.lines) and self.lines[n + len(lines)].startswith("|"):
                lines.append(self.lines[n + len(lines)])
            if len(lines) < 3:
                faults.add(self.place(n), f"no table follows the mark \"{name}\"", "put the mark on the line above the table")
                continue
            rows = [Row(self.place(n + 1 + i), cells_of(line)) for i, line in enumerate(lines)]
            for row in rows[2:]:
                if len(row.cells) != len(rows[0].cells):
                    faults.add(row.place, f"{len(row.cells)} cells under a head of {len(rows[0].cells)}",
                               "write | within a cell as \\|")
            whole = [row for row in rows[2:] if len(row.cells) == len(rows[0].cells)]
            yield Table(name, self.place(n), rows[0].cells, whole)

    def blocks(self, faults):
        """The blocks that are to be run, and those that are files of the blocks after them."""
        for n, kind, name in self.marks():
            if kind == "checked":
                continue
            at = n  # index of the line after the mark
            if at >= len(self.lines) or not self.is_code[at]:
                faults.add(self.place(n), f"no block of code follows the mark \"{kind}\"", "put the mark on the line above it")
                continue
            if self.lines[at].lstrip().startswith("```"):
                end = next(i for i in range(at + 1, len(self.lines)) if self.lines[i].lstrip().startswith("```"))
                yield Block(kind, name, at + 2, self.lines[at + 1:end])
                continue
            end = at
            while end < len(self.lines) and (self.is_code[end] or not self.lines[end].strip()):
                end += 1
            yield Block(kind, name, at + 1, [line[4:] for line in self.lines[at:end]])


def pages_of(source):
    """README.md, CHANGELOG.md, the corpus's page, and all below libvqas/doc."""
    below = sorted(path.relative_to(source) for path in (Path(source) / "libvqas/doc").rglob("*.md"))
    return [Page(source, path) for path in ["README.md", "CHANGELOG.md", "corpus/README.md", *below]]
