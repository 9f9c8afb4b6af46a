"""Active speech level after ITU-T P.56 (method B), for levelling sources and noises."""

import os

import numpy as np

# Of everything that one run makes: 8000, or 16000 for the wideband model. main.py sets it before it imports the rest.
RATE = int(os.environ.get("VQAS_CALIBRATION_RATE", "8000"))


def active_level(x, rate=RATE):
    """Active level in dB relative to full scale 1.0 (dBov) and the activity factor 0..1; (-inf, 0) for silence."""
    energy = float(np.mean(x**2))
    if energy <= 0:
        return -np.inf, 0.0
    # P.56 clause 7.1: two first-order smoothers of 30 ms; hangover 200 ms; margin 15.9 dB.
    from scipy.signal import lfilter

    g = np.exp(-1 / (0.03 * rate))
    q = lfilter([1 - g], [1, -g], lfilter([1 - g], [1, -g], np.abs(x)))
    hang = int(0.2 * rate)
    total = energy * len(x)
    previous = None
    for k in range(0, 16):
        threshold = 2.0**-k * 0.5
        over = q >= threshold
        if not over.any():
            continue
        last = np.maximum.accumulate(np.where(over, np.arange(len(x)), -hang - 1))
        active = int(np.count_nonzero(np.arange(len(x)) - last <= hang))
        level = 10 * np.log10(total / active)
        gap = level - 20 * np.log10(threshold)
        if gap >= 15.9:
            if previous is None or previous[1] >= 15.9:
                return level, active / len(x)
            share = (15.9 - previous[1]) / (gap - previous[1])
            return previous[0] + share * (level - previous[0]), active / len(x)
        previous = (level, gap)
    return 10 * np.log10(energy), 1.0


def to_level(x, dbov=-26.0):
    """x scaled to the active level `dbov`."""
    level, _ = active_level(x)
    return x * 10 ** ((dbov - level) / 20) if np.isfinite(level) else x


def rms(x):
    return float(np.sqrt(np.mean(x**2) + 1e-30))
