"""tools/calibrate: sources, conditions, labels, measurements, weights, validation, confidence and the table."""

import argparse
import csv
import importlib.metadata
import json
import platform
from pathlib import Path

import numpy as np

import ablation
import confidence
import fitting
import report
from measuring import NAMES, features, measure
from pairs import make_pairs, make_sources
from sources import digest
from table import TABLE, read_table, write_table


def arguments():
    p = argparse.ArgumentParser(prog="calibrate", description=__doc__)
    p.add_argument("--speech", type=Path, required=True)
    p.add_argument("--corpus", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--measure", type=Path, required=True)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--ablation", action="store_true")
    p.add_argument("--write", action="store_true")
    p.add_argument("--keep-weights", action="store_true")
    p.add_argument("--calls", type=Path, action="append", default=[])
    return p.parse_args()


def provenance(a, sources, notes, rows):
    """All inputs of the weights."""
    here = Path(__file__).parent
    inputs = {}
    for s in sources:
        inputs.update(s["digests"])
    return dict(
        seed=a.seed,
        pairs=len(rows),
        pairs_digest=digest(a.out / "pairs.csv"),
        strange_digest=digest(a.out / "strange.csv"),
        measured_by=digest(a.measure),
        versions={n: importlib.metadata.version(n) for n in ("numpy", "scipy", "soundfile", "pesq")} | {"python": platform.python_version()},
        tool={f.name: digest(f) for f in sorted(here.glob("*.py"))},
        inputs=dict(sorted(inputs.items())),
        missing=notes,
        missing_codecs=(a.out / "missing-codecs.txt").read_text().splitlines(),
    )


def scored_alone(rows, measured, prefix):
    """What confidence.calibrate() takes of pairs that no weight is fitted to: those that have a score."""
    scored = np.array([m["outcome"] == "scored" for m in measured])
    mos = np.array([float(m["mos"]) for m in measured])[scored]
    return dict(measured=[m for m, s in zip(measured, scored) if s], label=np.array([float(r["label"]) for r in rows])[scored],
                predictions=dict(talkers=mos, families=mos),
                groups=dict(talkers=np.array([r["talker"] for r in rows])[scored],
                            families=np.array([f"{prefix} {r['family']}" for r in rows])[scored]))


def calls_of(a):
    """Rows and measurements of the calls made by other programs, in the folders of --calls."""
    rows, measured = [], []
    for folder in a.calls:
        with open(folder / "pairs.csv", newline="") as f:
            here = [r for r in csv.DictReader(f) if r["label"]]
        rows += here
        measured += measure(folder, here, a.measure, a.jobs)
    return rows, measured


def main():
    a = arguments()
    a.out.mkdir(parents=True, exist_ok=True)
    sources, notes = make_sources(a, a.out)
    for name, why in notes.items():
        print(f"left out: {name} ({why})")
    rows = make_pairs(a, a.out, sources)
    strange = [r for r in make_pairs(a, a.out, sources, strange=True) if r["label"]]
    kept = [r for r in rows if r["label"]]
    print(f"{len(kept)} pairs with a label, {len(rows) - len(kept)} without (the label found no utterance)")
    measured = measure(a.out, kept, a.measure, a.jobs)
    f = features(measured)
    label = np.array([float(r["label"]) for r in kept])
    pair = np.array([r["kind"] == "pair" for r in kept])
    talker, family, merged = report.groups(kept)
    counted = ~np.isin(family, list(report.BLIND))
    weights = fitting.fit(f[pair & counted], label[pair & counted])
    if a.keep_weights:
        table = read_table()
        weights = np.array([table[name] for name in NAMES])
    text, predictions = report.validation(f, label, kept, pair, weights)
    text += report.as_it_is(measured, kept, label, pair)
    strange_measured = measure(a.out, strange, a.measure, a.jobs)
    strange_label = np.array([float(r["label"]) for r in strange])
    text += report.strange(strange_measured, strange, strange_label)
    others = {"strange lines": scored_alone(strange, strange_measured, "strange")}
    calls, calls_measured = calls_of(a)
    if calls:
        others["calls by other programs"] = scored_alone(calls, calls_measured, "call")
    trust, trust_text = confidence.calibrate(
        dict(measured=[m for m, c in zip(measured, counted) if c], label=label[counted],
             predictions={n: p[counted] for n, p in predictions.items()}, groups=dict(talkers=talker[counted], families=merged[counted])),
        others)
    if a.ablation:
        index = np.flatnonzero(pair & counted)[::4]
        text += "\n" + ablation.run(a.out, [kept[i] for i in index], a.measure, a.jobs, label[index], talker[index], merged[index])
    weights = dict(zip(NAMES, map(float, weights)))
    record = dict(weights=weights, top=fitting.TOP, confidence=trust, provenance=provenance(a, sources, notes, rows))
    (a.out / "weights.json").write_text(json.dumps(record, indent=1) + "\n")
    (a.out / "tables.md").write_text(text + "\n" + trust_text + "\n")
    if a.write:
        told = {"seed": a.seed, "pairs": len(kept), "SHA-256 of pairs.csv": record["provenance"]["pairs_digest"],
                "strange pairs, for the confidence alone": len(strange), "SHA-256 of strange.csv": record["provenance"]["strange_digest"],
                "calls by other programs, for the confidence alone": len(calls),
                "SHA-256 of their pairs.csv": ", ".join(digest(folder / "pairs.csv") for folder in a.calls) or "none",
                "recordings": f"{len(record['provenance']['inputs'])}, digests in weights.json"}
        write_table(TABLE, weights, trust, told)
    print(text + "\n" + trust_text)


if __name__ == "__main__":
    main()
