"""The expected distances of tests/score/golden_cases.h, by the numpy implementation of the model (aligner.py, lattice.py,
waveforms.py, distance.py).

usage: vqas-golden-pairs DIR > DIR/names && python golden.py DIR
Prints each pair's name with its auditory distance and the measurements behind it.
"""

import sys
from pathlib import Path

import numpy as np

import aligner
from measuring import NAMES
from distance import Constants, band_powers, beside_steps, between_steps, measures, other_side
from table import read_table
from waveforms import HOP


def distance(x, y, constants=Constants()):
    """Auditory distance of a pair and its measurements, in double precision."""
    x, y = x - x.mean(), y - y.mean()
    # As in the engine: both scaled to one rms, so that absolute floors have the same meaning.
    x, y = (v * 0.05 / np.sqrt(np.mean(v * v)) for v in (x, y))
    track = aligner.align(x, y)
    at = np.arange(len(track.delay)) * HOP
    powers_x, powers_y = band_powers(x, at), band_powers(track.degraded, at + track.delay)
    powers_y[track.deleted] = 0
    other, near = other_side(track.delay, constants.reach)
    k = np.flatnonzero(near <= constants.reach)
    others = band_powers(track.degraded, at[k] + other[k])
    beside = beside_steps(near, constants.reach, track.skipped)
    between = [band_powers(track.degraded, one) for one in between_steps(track.delay)]
    m = measures(powers_x, powers_y, track.delay, others, k, near[k], track.deleted, beside, between, constants)
    weights = read_table()
    return float(m @ [weights[name] for name in NAMES]), m


def main():
    folder = Path(sys.argv[1])
    for line in (folder / "names").read_text().splitlines():
        number, name = line.split("\t")
        x, y = (np.fromfile(folder / f"{number}-{which}.f32", np.float32).astype(float) for which in ("reference", "degraded"))
        ad, m = distance(x, y)
        print(f"{ad:.4f}  {name}  {m}")


if __name__ == "__main__":
    main()
