"""The measurements of every pair, and the quantities that say how far to trust them."""

import dataclasses

import numpy as np

import aligner
from distance import CENTRE, EDGE, LEVEL_BANDS, Constants, measures

NAMES = ["changed", "raised", "inserted", "clock"]
TRUST = ["constant", "mismatch", "pieces", "slope", "quiet", "short", "sparse"]


def describe(constants=Constants(), options=aligner.Options()):
    """Everything that another engine needs to give the same numbers."""
    return dict(rate_hz=8000, frame=aligner.FRAME, hop=aligner.HOP, band_edges=EDGE.tolist(), perception=dataclasses.asdict(constants),
                alignment=dataclasses.asdict(options))


def clock(ppm):
    """Thousands of ppm, up to ten."""
    return min(abs(ppm), 10000.0) / 1000.0


def features(cache, rows, constants=Constants(), index=None):
    """Measurements [pair, 4] and facts of trust [pair, :] without the constant, of the rows `index` (all by default)."""
    index = range(len(rows)) if index is None else index
    f, t = np.zeros((len(index), len(NAMES))), np.zeros((len(index), 6))
    for k, i in enumerate(index):
        x, y, delay, correlation, weight = cache.pair(i, rows[i]["source"])
        other, at, near = cache.other_side(i)
        f[k, :3] = measures(x, y, delay, other, at, near, constants)
        f[k, 3] = clock(cache.facts[i, 0])
        t[k] = trust(x, y, delay, correlation, weight)
    return f, t


def trust(x, y, delay, correlation, weight):
    """How badly the waveforms match, pieces a second, size of the slope, noise in pauses, shortness, little speech."""
    ex, ey = x[:, LEVEL_BANDS].sum(1), y[:, LEVEL_BANDS].sum(1)
    active = ex > ex.mean() * 10**-2.25
    seconds = len(delay) * aligner.HOP / 8000
    jumps = np.count_nonzero(abs(np.diff(delay)) > 16)
    pause = ey[~active].mean() if (~active).sum() > 3 else 0.0
    snr = 10 * np.log10((ey[active].mean() + 1e-12) / (pause + 1e-6 * ey[active].mean() + 1e-12))
    return [1 - (weight * correlation).sum() / (weight.sum() + 1e-9), jumps / seconds, np.log10(1 + np.sum(abs(np.diff(delay)) > 3)),
            max(0.0, 30 - snr) / 30, max(0.0, 8 - seconds) / 8, 1 - active.mean()]


__all__ = ["CENTRE", "NAMES", "TRUST", "clock", "describe", "features", "trust"]
