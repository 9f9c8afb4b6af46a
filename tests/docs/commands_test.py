"""Runs each block of commands under `<!-- run -->` as a reader would, in a folder that holds what a fresh checkout does.
A block under `<!-- file: NAME -->` is written into that folder first. The blocks of a page follow each other in one folder.

usage: commands_test.py VQAS SOURCE FOLDER [PAGE...]"""
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from pages import Faults, pages_of

PATIENCE_S = 400  # an overloaded machine
MOST_PROCESSOR_S = 90  # all blocks of all pages, without what a block leaves in the background

vqas, source, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
only = set(sys.argv[4:])
shutil.rmtree(folder, ignore_errors=True)
faults = Faults("commands")
GUARD = 'trap \'echo "line $LINENO" >&3\' ERR\n'  # which line failed
EXTRA = GUARD.count("\n")


def fresh(page):
    """A folder with the corpus and no earlier results; the user's own store, baseline and settings are elsewhere."""
    place = folder / page.path.replace("/", "-").removesuffix(".md")
    place.mkdir(parents=True)
    (place / "corpus").symlink_to(source / "corpus")
    home = place / ".home"
    home.mkdir()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("VQAS_")}
    environment.update(PATH=f"{vqas.parent}:{environment['PATH']}", VQAS_CORPUS=str(source / "corpus"), HOME=str(home),
                       XDG_DATA_HOME=str(home / "data"), XDG_CONFIG_HOME=str(home / "config"))
    return place, environment


def end_all(process):
    """What a block left running belongs to its group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def run(page, block, place, environment):
    script, failed = place / ".block.sh", place / ".failed"
    script.write_text(GUARD + "\n".join(block.lines) + "\n")
    with open(failed, "w+") as which, open(place / ".said", "w+") as said:
        process = subprocess.Popen(["bash", "-euo", "pipefail", "-c", 'exec 3>"$1"; . "$2"', "bash", str(failed), str(script)],
                                   cwd=place, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                   start_new_session=True)
        try:
            code = process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            code = f"none after {PATIENCE_S} s"
        finally:
            end_all(process)
        if code != 0:
            said.seek(0)
            which.seek(0)
            told = which.read().split()
            line = block.line + (int(told[1]) - 1 - EXTRA if len(told) > 1 else 0)
            last = " / ".join(said.read().strip().splitlines()[-3:])
            faults.add(page.place(line), f"`{page.lines[line - 1].strip()}` ends with exit code {code} ({last})",
                       "correct the command, or what it needs from the lines before it")


for page in pages_of(source):
    blocks = list(page.blocks(faults))
    if not blocks or (only and page.path not in only):
        continue
    place, environment = fresh(page)
    for block in blocks:
        if block.kind == "file":
            (place / block.name).write_text("\n".join(block.lines) + "\n")
            continue
        began, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        run(page, block, place, environment)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{page.place(block.line)}: {time.monotonic() - began:.1f} s, "
              f"{now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime:.1f} s of processor time")
now = resource.getrusage(resource.RUSAGE_CHILDREN)
if now.ru_utime + now.ru_stime > MOST_PROCESSOR_S:
    faults.add("tests/docs", f"the blocks took {now.ru_utime + now.ru_stime:.0f} s of processor time, more than "
               f"{MOST_PROCESSOR_S}", "mark fewer, or give the longest a smaller task")
code = faults.end()
if code == 0:
    shutil.rmtree(folder)
sys.exit(code)
