"""tools/calibrate: sources, conditions, labels, measurements, weights, validation, confidence and the table."""

import argparse
import importlib.metadata
import json
import platform
from pathlib import Path

import numpy as np

import ablation
import aligner
import confidence
import fitting
import report
from measuring import measure
from model import NAMES, describe, features
from pairs import make_pairs, make_sources
from sources import digest


def arguments():
    p = argparse.ArgumentParser(prog="calibrate", description=__doc__)
    p.add_argument("--speech", type=Path, required=True)
    p.add_argument("--corpus", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--vqas", type=Path)
    p.add_argument("--ablation", action="store_true")
    return p.parse_args()


def provenance(a, sources, notes, rows):
    """Everything that the weights depend on."""
    here = Path(__file__).parent
    inputs = {}
    for s in sources:
        inputs.update(s["digests"])
    return dict(
        seed=a.seed,
        pairs=len(rows),
        pairs_digest=digest(a.out / "pairs.csv"),
        versions={n: importlib.metadata.version(n) for n in ("numpy", "scipy", "soundfile", "pesq")} | {"python": platform.python_version()},
        tool={f.name: digest(f) for f in sorted(here.glob("*.py"))},
        inputs=dict(sorted(inputs.items())),
        missing=notes,
        missing_codecs=(a.out / "missing-codecs.txt").read_text().splitlines(),
    )


def main():
    a = arguments()
    a.out.mkdir(parents=True, exist_ok=True)
    sources, notes = make_sources(a, a.out)
    for name, why in notes.items():
        print(f"left out: {name} ({why})")
    rows = make_pairs(a, a.out, sources)
    kept = [r for r in rows if r["label"]]
    print(f"{len(kept)} pairs with a label, {len(rows) - len(kept)} without (the label found no utterance)")
    cache = measure(a.out, kept, aligner.Options(), a.jobs, "design")
    f, facts = features(cache, kept)
    np.savez(a.out / "features.npz", f=f, facts=facts)
    label = np.array([float(r["label"]) for r in kept])
    pair = np.array([r["kind"] == "pair" for r in kept])
    talker, family, merged = report.groups(kept)
    train = pair & ~np.isin(family, list(report.BLIND))
    weights = fitting.fit(f[train], label[train])
    text, predictions = report.validation(f, label, kept, pair, weights)
    k = ~np.isin(family, list(report.BLIND))
    trust, trust_text = confidence.calibrate(facts[k], {n: p[k] for n, p in predictions.items()}, label[k], talker[k], merged[k])
    if a.ablation:
        text += "\n" + ablation.run(cache, kept, np.flatnonzero(train)[::4], label, talker, merged)
    if a.vqas:
        text += report.of_program(a, kept, label, pair)
    result = dict(model=describe(), weights=dict(zip(NAMES, map(float, weights))), top=fitting.TOP, confidence=trust,
                  provenance=provenance(a, sources, notes, rows))
    (a.out / "weights.json").write_text(json.dumps(result, indent=1) + "\n")
    (a.out / "tables.md").write_text(text + "\n" + trust_text + "\n")
    print(text + "\n" + trust_text)


if __name__ == "__main__":
    main()
