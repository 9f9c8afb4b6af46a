"""Stage d: the library's measurements of every pair, by the program vqas-calibration-measure."""

import csv
import hashlib
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from speech_level import RATE

NAMES = ["changed", "stepped", "raised", "inserted"]


def _part(program, out, rows, settings):
    """Starts one process over some rows; returns it with its output file."""
    pairs, result = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
    pairs.writelines(f"{r['reference']}\t{r['degraded']}\n" for r in rows)
    pairs.seek(0)
    return subprocess.Popen([program, "nb" if RATE == 8000 else "wb", out, *settings], stdin=pairs, stdout=result), result


def measure(out, rows, program, jobs, settings=()):
    """One dict of strings for each row, in their order. `settings` are NAME=VALUE of changed constants. Cached in `out`, by the
    digests of the program, the settings and the rows."""
    key = hashlib.sha256(Path(program).read_bytes() + repr((sorted(settings), [r["degraded"] for r in rows])).encode()).hexdigest()
    kept = Path(out) / f"measured-{key[:16]}.csv"
    if not kept.exists():
        bounds = np.linspace(0, len(rows), jobs + 1).astype(int)
        parts = [_part(program, out, rows[a:b], settings) for a, b in zip(bounds, bounds[1:])]
        measured = []
        for process, result in parts:
            if process.wait() != 0:
                raise SystemExit(f"{program} failed; see its message above")
            result.seek(0)
            measured += list(csv.DictReader(result))
        with open(kept.with_suffix(".part"), "w", newline="") as f:
            w = csv.DictWriter(f, measured[0].keys())
            w.writeheader()
            w.writerows(measured)
        kept.with_suffix(".part").rename(kept)
    with open(kept, newline="") as f:
        return list(csv.DictReader(f))


def column(measured, name):
    return np.array([float(m[name]) for m in measured])


def features(measured):
    """What the weights multiply [pair, 4]: see auditory_distance() of libvqas/src/score/compare/perception.cpp."""
    changed, stepped, raised, inserted = (column(measured, n) for n in NAMES)
    return np.column_stack([changed - stepped, stepped, raised, np.sqrt(inserted)])
