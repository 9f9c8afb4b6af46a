"""Writes the block under `<!-- file: NAME -->` of a page into a folder. usage: file_block.py SOURCE PAGE NAME FOLDER"""
import sys
from pathlib import Path

from pages import Faults, Page

source, page, name, folder = sys.argv[1:]
faults = Faults("file_block")
found = [block for block in Page(source, page).blocks(faults) if block.kind == "file" and block.name == name]
if len(found) != 1:
    faults.add(page, f"it has {len(found)} files {name}", "write one")
else:
    (Path(folder) / name).write_text("\n".join(found[0].lines) + "\n")
sys.exit(faults.end() if faults.told else 0)
