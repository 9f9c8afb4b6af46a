"""Links, anchors, the map of pages, names of code, and the form of reference pages. usage: links_test.py SOURCE"""
import os
import re
import sys
from pathlib import Path

from code_names import check_code_names
from pages import LOOKS_LIKE_MARK, MARK, Faults, pages_of

source = Path(sys.argv[1]).resolve()
DOC = Path("libvqas/doc")
LONGEST, WIDEST = 150, 128
LONG_PAGES = {"decisions.md", "options.md"}  # lists that are read by searching
RIDDLES = ("nobody", "whoever", "goes on")
PAGE_NAME = re.compile(r"[\w./-]*\w\.md\b(?:#[\w-]+)?")
NAMES_CODE = ("architecture.md",)  # pages whose names of files, functions and classes must be in the tree
WRITTEN = {"tables.md"}  # files that a program writes, which are no pages
faults = Faults("links")
pages = {page.path: page for page in pages_of(source)}


def check_links(page):
    """Gives the pages that this one leads to."""
    leads = set()
    for line, target in page.links():
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.file.parent / path).resolve() if path else page.file
        if not file.exists():
            faults.add(page.place(line), f"the link to \"{target}\" leads nowhere", "name a file that is there")
            continue
        name = os.path.relpath(file / "index.md" if file.is_dir() else file, source)
        if name in pages:
            leads.add(name)
        if anchor and (name not in pages or anchor not in pages[name].anchors()):
            faults.add(page.place(line), f"{name} has no heading \"#{anchor}\"", "name one of its headings")
    return leads


def check_map(leads):
    start = str(DOC / "index.md")
    reached, new = {start}, [start]
    while new:
        new = [one for page in new for one in leads[page] if one not in reached]
        reached.update(new)
    for path in sorted(set(pages) - reached):
        if path.startswith(str(DOC)):
            faults.add(f"{path}:1", f"no way leads from {start} to this page", "link it from a table of index.md")


def check_form(page):
    if page.file.name not in LONG_PAGES and len(page.lines) > LONGEST:
        faults.add(page.place(len(page.lines)), f"{len(page.lines)} lines, more than {LONGEST}",
                   "shorten the page, or give one of its questions a page of its own")
    for n, line in enumerate(page.lines, 1):
        if len(line) > WIDEST and not line.startswith("|"):
            faults.add(page.place(n), f"{len(line)} columns, more than {WIDEST}", "break the line")
        for riddle in RIDDLES:
            if re.search(rf"\b{riddle}\b", line, re.IGNORECASE):
                faults.add(page.place(n), f"\"{riddle}\" is none of the documents' words", "say it in plain words")


def check_marks(page):
    for line, text in page.prose():
        if LOOKS_LIKE_MARK.search(text) and not MARK.match(text):
            faults.add(page.place(line), f"\"{text}\" is no mark", "write <!-- checked: NAME -->, <!-- run --> or <!-- file: NAME -->")


def texts_that_name_pages():
    """(place, text) of each line of sources, headers, helps and scripts, and of the pages' code."""
    for folder in ("libvqas", "tools", "app", "tests"):
        for path in sorted((source / folder).rglob("*")):
            name = path.relative_to(source)
            if not path.is_file() or path.suffix in {".md", ".png", ".wav", ".flac", ".pyc"} or name.parts[:2] == ("tests", "docs"):
                continue
            try:
                lines = path.read_text(encoding="utf-8").splitlines()
            except UnicodeDecodeError:
                continue
            yield from ((f"{name}:{n}", line) for n, line in enumerate(lines, 1))
    for page in pages.values():
        yield from ((page.place(n), line) for n, line in enumerate(page.lines, 1) if ".md`" in line)


def check_names():
    for place, text in texts_that_name_pages():
        for found in PAGE_NAME.findall(text):
            name, _, anchor = found.partition("#")
            page = name[name.rfind("doc/") + 4:] if "doc/" in name else name.lstrip("./")
            candidates = [str(DOC / page), name, os.path.normpath(os.path.join(os.path.dirname(place), name))]
            known = next((one for one in candidates if one in pages), None)
            if not known and Path(name).name not in WRITTEN:
                faults.add(place, f"there is no page {found}", f"name one that is in {DOC} or in the root")
            elif anchor and known and anchor not in pages[known].anchors():
                faults.add(place, f"{known} has no heading \"#{anchor}\"", "name one of its headings")


leads = {path: check_links(page) for path, page in pages.items()}
check_map(leads)
for path, page in pages.items():
    check_marks(page)
    if page.file.parent == source / DOC:
        check_form(page)
check_names()
for name in NAMES_CODE:
    check_code_names(pages[str(DOC / name)], source, faults)
sys.exit(faults.end())
