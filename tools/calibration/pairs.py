"""Stage a-c: writes references and degraded recordings as wave files of RATE and labels them.

pairs.csv (a manifest for `vqas score --manifest`): reference, degraded, talker, source, kind (pair or
single), family, condition, label (MOS-LQO by P.862.1, at 16 kHz by P.862.2; empty if it found no utterance).
strange.csv: the same for the lines of strange.py.
"""

import csv
import multiprocessing
from pathlib import Path

import numpy as np
import soundfile as sf

import conditions
import wideband
from sources import build, digest, generator
from speech_level import RATE
from strange import STEPS, strange_conditions

FIELDS = ["reference", "degraded", "talker", "source", "kind", "family", "condition", "label"]
_state = {}


def label(reference, degraded):
    """P.862 mapped by P.862.1, at 16 kHz P.862.2, by the PyPI package pesq; None if it finds no speech."""
    from pesq import PesqError, pesq

    value = pesq(RATE, reference / 32768.0, degraded / 32768.0, "nb" if RATE == 8000 else "wb", on_error=PesqError.RETURN_VALUES)
    return float(value) if value > 0 else None


def make_sources(args, out):
    """Writes the references once, and prints which sources are missing; returns the list and notes on what is missing."""
    out.mkdir(parents=True, exist_ok=True)
    made, notes = build(args.speech, args.corpus, out, args.seed)
    folder = out / "references"
    folder.mkdir(parents=True, exist_ok=True)
    for s in made:
        sf.write(folder / f"{s['name']}.wav", s["samples"], RATE, subtype="PCM_16")
        s["digests"] = {Path(f).name: digest(f) for f in s["files"]}
    for name, why in notes.items():
        print(f"left out: {name} ({why})")
    return made, notes


def plan(sources, conditions, strange=False):
    """Every condition on one sentence pair of every talker, and on every seventh single sentence; a strange one on one
    pair of every second talker, if it steps on every seventh single sentence too, with pauses put in on every one. At 16 kHz
    the others are on every third talker, and on every 28th single sentence."""
    rows = []
    one_in, single_in = (2, 7) if strange else (1, 7) if RATE == 8000 else (3, 28)
    pairs = {}
    for s in sources:
        if s["kind"] == "pair":
            pairs.setdefault(s["talker"], []).append(s)
    single = [s for s in sources if s["kind"] == "single"]
    for i, c in enumerate(conditions):
        for j, talker in enumerate(sorted(pairs)):
            if (i + j) % one_in:
                continue
            rows.append((pairs[talker][(i + j // one_in) % len(pairs[talker])]["name"], i))
        if c.family in STEPS or (not strange and c.family != "cut"):
            rows += [(s["name"], i) for k, s in enumerate(single) if c.after or (k + i) % single_in == 0]
    return rows


def _conditions(sources, strange):
    """The conditions, and those that this machine cannot make."""
    voices = [s["samples"] / 32768.0 for s in sources if s["kind"] == "pair"]
    if strange:
        return strange_conditions(voices), {}
    return (conditions if RATE == 8000 else wideband).all_conditions(voices)


def _start(sources, seed, out, strange):
    _state["by_name"] = {s["name"]: s for s in sources}
    _state["conditions"], _ = _conditions(sources, strange)
    _state["seed"], _state["out"] = seed, out


def _one(task):
    name, index = task
    s, c = _state["by_name"][name], _state["conditions"][index]
    rng = generator(_state["seed"], name, c.name)
    heard = c.run(s["samples"], rng)
    y = c.after(heard, rng) if c.after else heard
    path = Path("degraded") / f"{name}-{c.name}.wav"
    sf.write(_state["out"] / path, y, RATE, subtype="PCM_16")
    value = label(s["samples"], heard)
    return [f"references/{name}.wav", str(path), s["talker"], name, s["kind"], c.family, c.name, "" if value is None else f"{value:.6f}"]


def make_pairs(args, out, sources, strange=False):
    """Writes missing files and returns all rows; a second run reads the finished table."""
    table = out / ("strange.csv" if strange else "pairs.csv")
    if table.exists():
        with open(table) as f:
            return list(csv.DictReader(f))
    (out / "degraded").mkdir(exist_ok=True)
    conditions, missing = _conditions(sources, strange)
    tasks = plan(sources, conditions, strange)
    rows = []
    with multiprocessing.Pool(args.jobs, _start, (sources, args.seed, out, strange)) as pool:
        for k, row in enumerate(pool.imap(_one, tasks, chunksize=8), 1):
            rows.append(row)
            if k % 500 == 0:
                print(f"{table.stem}: {k} of {len(tasks)}", flush=True)
    part = table.with_suffix(".part")
    with open(part, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(FIELDS)
        w.writerows(rows)
    part.rename(table)
    if not strange:
        (out / "missing-codecs.txt").write_text("".join(f"{k}: {v}\n" for k, v in missing.items()))
    return make_pairs(args, out, sources, strange)
