"""Unpacks a wheel as Debian's packages hold it: its content, and a script for each program that it names.

usage: unpack.py WHEEL CONTENT SCRIPTS"""
import configparser
import sys
import zipfile
from pathlib import Path

wheel, content, scripts = map(Path, sys.argv[1:])
with zipfile.ZipFile(wheel) as packed:
    packed.extractall(content)
scripts.mkdir()
named = configparser.ConfigParser()
named.read(content.glob("*.dist-info/entry_points.txt"))
for name, place in named["console_scripts"].items() if "console_scripts" in named else ():
    module, function = place.split(":")
    script = scripts / name
    script.write_text(f"#!/usr/bin/python3\nimport sys\n\nfrom {module} import {function}\n\nsys.exit({function}())\n")
    script.chmod(0o755)
