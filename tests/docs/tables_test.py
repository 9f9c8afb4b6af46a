"""Holds each table under `<!-- checked: NAME -->` against the program and its sources. A mark that nothing checks fails.

usage: tables_test.py VQAS SOURCE FOLDER"""
import shutil
import sys
from pathlib import Path

import check_commands
import check_names
import check_plans
import check_protocols
import check_results
from holding import Holding
from pages import Faults, pages_of
from world import World

CHECKS = {}
for module in (check_commands, check_names, check_plans, check_protocols, check_results):
    CHECKS.update(module.CHECKS)

vqas, source, folder = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
faults = Faults("tables")
tables = [table for page in pages_of(source) for table in page.tables(faults)]
world = World(vqas, source, folder, tables)
for table in tables:
    check = CHECKS.get(table.mark)
    if check is None:
        faults.add(table.place, f"nothing checks a table \"{table.mark}\"",
                   "write its check into a module of tests/docs, or take the mark away")
        continue
    try:
        check(Holding(table, faults), world)
    except Exception as error:  # the other tables are still to be checked
        faults.add(table.place, f"table \"{table.mark}\" cannot be checked: {type(error).__name__}: {error}",
                   "mend its check in tests/docs, or what it looks at")
for mark in sorted(set(CHECKS) - {table.mark for table in tables}):
    faults.add("tests/docs", f"the check \"{mark}\" has no table", "mark its table, or take the check away")
code = faults.end()
if code == 0:
    shutil.rmtree(folder)
sys.exit(code)
