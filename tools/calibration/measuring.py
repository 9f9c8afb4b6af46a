"""Stage d: aligns every pair, and keeps what the distance is made from, so that constants can be searched afterwards."""

import hashlib
import multiprocessing
from pathlib import Path

import numpy as np
import soundfile as sf

import aligner
from aligner import HOP
from distance import REACH, band_powers, other_side


class Cache:
    """Band powers and delay tracks of all pairs in a few flat arrays."""

    def __init__(self, folder):
        d = np.load(folder / "tracks.npz", allow_pickle=False)
        self.offset, self.delay, self.correlation, self.weight = d["offset"], d["delay"], d["correlation"], d["weight"]
        self.facts = d["facts"]
        self.alt_offset, self.alt_frame, self.alt_near = d["alt_offset"], d["alt_frame"], d["alt_near"]
        self.alt = np.memmap(folder / "other.f32", np.float32, "r").reshape(-1, 24)
        self.y = np.memmap(folder / "bands.f32", np.float32, "r").reshape(-1, 24)
        self.x = dict(np.load(folder / "references.npz"))

    def __len__(self):
        return len(self.offset) - 1

    def pair(self, i, source):
        a, b = self.offset[i], self.offset[i + 1]
        return self.x[source].astype(float), self.y[a:b].astype(float), self.delay[a:b], self.correlation[a:b], self.weight[a:b]

    def other_side(self, i):
        """Band powers at the far side of the next jump, the frames they belong to, and how near the jump is."""
        a, b = self.alt_offset[i], self.alt_offset[i + 1]
        return self.alt[a:b].astype(float), self.alt_frame[a:b], self.alt_near[a:b]


FACTS = ["drift_ppm", "shortcut", "polarity", "match", "peak", "slope", "slope_share", "degraded_rms_db", "worth"]

_state = {}


def _start(out, options):
    _state.update(out=Path(out), options=options)


def _one(row):
    out = _state["out"]
    x, y = (sf.read(out / row[k])[0] for k in ("reference", "degraded"))
    x, y = x - x.mean(), y - y.mean()
    t = aligner.align(x, y, _state["options"])
    bands = band_powers(t.degraded, np.arange(len(t.delay)) * HOP + t.delay).astype(np.float32)
    other, near = other_side(t.delay, REACH)
    at = np.flatnonzero(near <= REACH)
    alt = (at.astype(np.int32), near[at].astype(np.int8), band_powers(t.degraded, at * HOP + other[at]).astype(np.float32))
    level = 10 * np.log10(np.mean(y**2) + 1e-20)
    facts = [t.drift_ppm, t.shortcut, t.polarity, t.info.get("match", 0), t.info.get("peak", 0), t.info.get("slope", 0),
             t.info.get("slope_share", 0), level, t.info.get("worth", 0)]
    return t.delay.astype(np.int32), bands, t.correlation.astype(np.float32), t.weight.astype(np.float32), facts, alt


def measure(out, rows, options, jobs, name):
    """Cache of all rows under these options; done once for each."""
    key = hashlib.sha256(repr((options, name, len(rows), Path(aligner.__file__).read_bytes())).encode()).hexdigest()[:12]
    folder = Path(out) / f"measured-{name}-{key}"
    if (folder / "tracks.npz").exists():
        return Cache(folder)
    folder.mkdir(exist_ok=True)
    refs = {}
    for r in rows:
        if r["source"] not in refs:
            x = sf.read(Path(out) / r["reference"])[0]
            x = x - x.mean()
            refs[r["source"]] = band_powers(x, np.arange((len(x) - 256) // HOP + 1) * HOP).astype(np.float32)
    np.savez(folder / "references.npz", **refs)
    offset, parts, facts = [0], ([], [], []), []
    alt_offset, alts = [0], ([], [])
    with open(folder / "bands.f32", "wb") as f, open(folder / "other.f32", "wb") as fa, multiprocessing.Pool(jobs, _start, (out, options)) as pool:
        for k, (d, b, c, w, q, alt) in enumerate(pool.imap(_one, rows, chunksize=8), 1):
            f.write(b.tobytes())
            offset.append(offset[-1] + len(d))
            for p, v in zip(parts, (d, c, w)):
                p.append(v)
            facts.append(q)
            alt_offset.append(alt_offset[-1] + len(alt[0]))
            for p, v in zip(alts, alt):
                p.append(v)
            fa.write(alt[2].tobytes())
            if k % 500 == 0:
                print(f"{name}: {k} of {len(rows)} measured", flush=True)
    d, c, w = (np.concatenate(p) for p in parts)
    np.savez(folder / "tracks.npz", offset=np.array(offset), delay=d, correlation=c, weight=w, facts=np.array(facts, float),
             alt_offset=np.array(alt_offset), alt_frame=np.concatenate(alts[0]), alt_near=np.concatenate(alts[1]))
    return Cache(folder)
