"""tools/calibrate: sources, conditions, labels, measurements, weights, validation, confidence and the table."""

import csv
import importlib.metadata
import json
import platform
from pathlib import Path

import numpy as np

import ablation
import confidence
import confidence_cases
import fitting
import options
import report
from measuring import NAMES, features, measure
from pairs import make_pairs, make_sources
from sources import digest
from table import TABLE, read_table, write_table


def arguments():
    p = options.parser("calibrate", __doc__, jobs=2)
    p.add_argument("--ablation", action="store_true")
    p.add_argument("--write", action="store_true")
    p.add_argument("--keep-weights", action="store_true")
    p.add_argument("--calls", type=Path, action="append", default=[])
    p.add_argument("--fit-calls", action="store_true")
    return p.parse_args()


def provenance(a, sources, notes, rows):
    """All inputs of the weights."""
    here = Path(__file__).parent
    inputs = {}
    for s in sources:
        inputs.update(s["digests"])
    return dict(
        seed=a.seed,
        weights_fitted_to_calls=a.fit_calls,
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
    """What confidence.calibrate() takes of lines that no weight is fitted to: those that have a score."""
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
    sources, notes = make_sources(a, a.out)
    rows = make_pairs(a, a.out, sources)
    strange = [r for r in make_pairs(a, a.out, sources, strange=True) if r["label"]]
    kept = [r for r in rows if r["label"]]
    print(f"{len(kept)} pairs with a label, {len(rows) - len(kept)} without (the label found no utterance)")
    calls, calls_measured = calls_of(a)
    # The packet calls of the pairs are all made by one program. What their steps and losses have in common is less sure
    # to be true of others, so calls by other programs are measured with them and, if asked for, fitted.
    every = kept + calls
    measured = measure(a.out, kept, a.measure, a.jobs) + calls_measured
    f = features(measured)
    label = np.array([float(r["label"]) for r in every])
    pair = np.array([r["kind"] == "pair" for r in every])
    talker, family, merged = report.groups(every)
    counted = ~np.isin(family, list(report.BLIND))
    train = pair & counted & ((merged != report.OTHERS) | a.fit_calls)
    weights = fitting.fit(f[train], label[train])
    if a.keep_weights:
        table = read_table()
        weights = np.array([table[name] for name in NAMES])
    text, predictions = report.validation(f, label, every, pair, train, weights)
    text += report.as_it_is(measured, every, label, pair)
    strange_measured = measure(a.out, strange, a.measure, a.jobs)
    strange_label = np.array([float(r["label"]) for r in strange])
    text += report.strange(strange_measured, strange, strange_label)
    def told(where):
        return dict(measured=[m for m, w in zip(measured, where) if w], label=label[where],
                    predictions={n: p[where] for n, p in predictions.items()}, groups=dict(talkers=talker[where], families=family_of[where]))

    # For the confidence each family of the other programs' calls is left out alone, as its steps are its own.
    family_of = np.where(merged == report.OTHERS, family, merged)
    others = {"strange lines": scored_alone(strange, strange_measured, "strange")}
    if calls:
        others[report.OTHERS] = told(merged == report.OTHERS)
    trust, trust_text = confidence.calibrate(told(counted & (merged != report.OTHERS)), others)
    if a.ablation:
        index = np.flatnonzero(pair & counted & (merged != report.OTHERS))[::4]
        text += "\n" + ablation.run(a.out, [kept[i] for i in index], a.measure, a.jobs, label[index], talker[index], merged[index])
    weights = dict(zip(NAMES, map(float, weights)))
    record = dict(weights=weights, top=fitting.TOP, confidence=trust, provenance=provenance(a, sources, notes, rows))
    (a.out / "weights.json").write_text(json.dumps(record, indent=1) + "\n")
    (a.out / "tables.md").write_text(text + "\n" + trust_text + "\n")
    if a.write:
        heading = {"weights": "kept from the table before" if a.keep_weights else "fitted", "seed": a.seed,
                "pairs": len(kept), "SHA-256 of pairs.csv": record["provenance"]["pairs_digest"],
                "strange pairs, for the confidence alone": len(strange), "SHA-256 of strange.csv": record["provenance"]["strange_digest"],
                f"calls by other programs, for {'the weights and ' if a.fit_calls and not a.keep_weights else ''}the confidence": len(calls),
                **{f"SHA-256 of pairs.csv of set {n} of them": digest(folder / "pairs.csv") for n, folder in enumerate(a.calls, 1)},
                "recordings": f"{len(record['provenance']['inputs'])}, digests in weights.json"}
        write_table(TABLE, weights, trust, heading)
        confidence_cases.write()
    print(text + "\n" + trust_text)


if __name__ == "__main__":
    main()
