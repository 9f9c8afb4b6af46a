"""Holds the example alert rules and the dashboard against the figures that the program tells.

usage: monitoring_test.py SOURCE"""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

source = Path(sys.argv[1]).resolve()
folder = source / "tools/monitoring"
faults = []

code = "\n".join(one.read_text(encoding="utf-8") for one in (source / "libvqas/src").rglob("*.cpp"))
figures = set(re.findall(r'"(vqas_(?:node|campaign)_\w+)"', code))
if not figures:
    faults.append("no figure was found in the sources")

rules = yaml.safe_load((folder / "vqas-alerts.yml").read_text(encoding="utf-8"))
expressions = []
for group in rules["groups"]:
    for rule in group["rules"]:
        missing = {"alert", "expr", "labels", "annotations"} - set(rule)
        if missing:
            faults.append(f"the rule {rule.get('alert')} has no {sorted(missing)}")
        expressions.append(rule["expr"])
dashboard = json.loads((folder / "vqas-dashboard.json").read_text(encoding="utf-8"))
for panel in dashboard["panels"]:
    expressions += [target["expr"] for target in panel["targets"]]
for variable in dashboard["templating"]["list"]:
    if variable["type"] == "query":
        expressions.append(variable["query"]["query"])
for expression in expressions:
    for name in re.findall(r"vqas_\w+", expression):
        if name not in figures:
            faults.append(f"\"{expression}\" asks for {name}, which the program does not tell")

promtool = shutil.which("promtool")
if promtool:
    for arguments in (["check", "rules", folder / "vqas-alerts.yml"], ["test", "rules", source / "tests/docs/alerts_test.yml"]):
        done = subprocess.run([promtool, *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            faults.append(done.stdout + done.stderr)
print("\n".join(faults) or f"{len(expressions)} expressions ask for figures that exist")
sys.exit(1 if faults else 0)
