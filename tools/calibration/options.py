"""The arguments that tools/calibrate gives to every mode that makes pairs."""

import argparse
from pathlib import Path


def parser(prog, description, jobs):
    p = argparse.ArgumentParser(prog=prog, description=description)
    for folder in ("--speech", "--corpus", "--out", "--measure"):
        p.add_argument(folder, type=Path, required=True)
    p.add_argument("--jobs", type=int, default=jobs)
    p.add_argument("--seed", type=int, default=1)
    return p
