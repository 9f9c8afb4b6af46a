"""Writes manual pages and completion of a program into folders man, bash and zsh.

usage: write.py DESCRIPTION.JSON VERSION DATE SOURCE DOCS FOLDER
DOCS is the folder where the documents are installed."""
import gzip
import json
import sys
from pathlib import Path

from completion import bash, zsh
from pages import Edition, pages

description, version, date, source, docs, folder = sys.argv[1:]
program = json.loads(Path(description).read_text().replace("libvqas/doc/", f"{docs}/"))
edition = Edition(version, date, docs, (Path(source) / "libvqas/doc/commands.md").read_text())
for name in ("man", "bash", "zsh"):
    (Path(folder) / name).mkdir(exist_ok=True)
for name, page in pages(program, edition):
    (Path(folder) / "man" / f"{name}.1.gz").write_bytes(gzip.compress(page.encode("ascii"), mtime=0))
(Path(folder) / "bash" / program["name"]).write_text(bash(program))
(Path(folder) / "zsh" / f"_{program['name']}").write_text(zsh(program))
