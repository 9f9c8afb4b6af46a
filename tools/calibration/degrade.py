"""Impairments of a telephone line, as functions of float arrays at RATE (full scale 1.0) and a random generator."""

import numpy as np
from scipy import signal as sg

from speech_level import RATE, active_level, rms, to_level

def smoothed(x, share):
    """Level of x: a first-order mean that takes in `share` of each sample at 8 kHz."""
    share *= 8000 / RATE
    return sg.lfilter([share], [1, share - 1], np.abs(x))


# --- noise ---------------------------------------------------------------------------------------------------------


def coloured_noise(n, kind, rng, babble=None):
    if kind == "babble":
        out = np.zeros(n)
        for _ in range(6):
            v = babble[rng.integers(len(babble))]
            at = rng.integers(len(v))
            out += np.resize(np.roll(v, -at), n)
        return out
    white = rng.standard_normal(n)
    if kind == "white":
        return white
    spectrum = np.fft.rfft(white)
    f = np.maximum(np.fft.rfftfreq(n, 1 / RATE), 40)
    slope = {"pink": 0.5, "brown": 1.0, "hoth": 0.4}[kind.split("-")[0]]
    out = np.fft.irfft(spectrum / f**slope, n)
    return out


def add_noise(x, snr, kind, rng, babble=None):
    """Noise at `snr` dB under the active level (P.56) of x; kind 'modulated' follows a 4 Hz envelope, 'pauses' only
    sounds where x is silent."""
    base = {"modulated": "white", "pauses": "pink"}.get(kind, kind)
    n = coloured_noise(len(x), base, rng, babble)
    if kind == "modulated":
        knots = np.arange(0, len(x) + RATE // 8, RATE // 8)
        slow = np.interp(np.arange(len(x)), knots, rng.random(len(knots)))
        n = n * slow**2
    n = n / rms(n)
    if kind == "pauses":
        level = smoothed(x, 0.002)
        n = n * (level < 10 ** ((active_level(x)[0] - 25) / 20))
    return x + n * 10 ** ((active_level(x)[0] - snr) / 20)


def mnru(x, q, rng):
    """Modulated noise reference unit (ITU-T P.810): noise in proportion to the signal, Q dB under it."""
    return x + x * rng.standard_normal(len(x)) * 10 ** (-q / 20)


# --- digital channel -----------------------------------------------------------------------------------------------

_SEGMENT = np.arange(256)


def _mu_tables():
    code = ~_SEGMENT & 0xFF
    t = ((code & 0x0F) << 3) + 0x84 << ((code & 0x70) >> 4)
    decoded = np.where(code & 0x80, 0x84 - t, t - 0x84)
    return decoded


def _a_tables():
    code = _SEGMENT ^ 0x55
    t = (code & 0x0F) << 4
    seg = (code & 0x70) >> 4
    t = np.where(seg == 0, t + 8, (t + 0x108) << np.maximum(seg - 1, 0))
    return np.where(code & 0x80, t, -t)


DECODE = {"mu": _mu_tables().astype(float), "a": _a_tables().astype(float)}


def g711_codes(x, law):
    """Nearest code of each sample."""
    table = DECODE[law]
    order = np.argsort(table, kind="stable")
    edges = (table[order][1:] + table[order][:-1]) / 2
    return order[np.searchsorted(edges, np.round(x * 32768))].astype(np.uint8)


def bit_mask(n, ber, rng, burst=None):
    """n bytes of error bits; burst = (error rate inside, seconds long, seconds apart)."""
    mask = np.zeros(n * 8, bool)
    if ber > 0:
        count = rng.poisson(ber * n * 8)
        mask[rng.integers(0, n * 8, count)] = True
    if burst:
        inside, length, gap = burst
        at = rng.random() * gap
        while at * RATE < n:
            lo, hi = int(at * RATE) * 8, int(min(n, (at + length) * RATE)) * 8
            mask[lo:hi] ^= rng.random(hi - lo) < inside
            at += length + gap
    return np.packbits(mask)


def g711(x, law, rng, ber=0.0, burst=None):
    codes = g711_codes(x, law)
    return DECODE[law][codes ^ bit_mask(len(codes), ber, rng, burst)] / 32768


# --- analogue ------------------------------------------------------------------------------------------------------


def bandpass(x, low, high, order=4):
    if low:
        x = sg.sosfilt(sg.butter(order, low, "high", fs=RATE, output="sos"), x)
    if high:
        x = sg.sosfilt(sg.butter(order, high, "low", fs=RATE, output="sos"), x)
    return x


def steep_band(x, low, high):
    """Linear-phase filter without its delay, as of a rate converter: 120 dB down within 250 Hz of its edges."""
    half = 25 * RATE // 1000
    h = sg.firwin(2 * half + 1, [low, high] if low else high, fs=RATE, window=("kaiser", 12.0), pass_zero=not low)
    return np.convolve(x, h)[half : half + len(x)]


def shaped(x, points):
    """Linear-phase filter through (Hz, dB) points, without its delay."""
    f, db = zip(*points)
    half = 16 * RATE // 1000
    nyquist = RATE // 2
    h = sg.firwin2(2 * half + 1, np.r_[0, np.clip(f, 1, nyquist - 1), nyquist] / nyquist, 10 ** (np.r_[db[0], db, db[-1]] / 20))
    return np.convolve(x, h)[half : half + len(x)]


def telephone_band(x):
    return shaped(x, [(150, -30), (250, -3), (300, 0), (3400, 0), (3600, -12), (3800, -30)])


def sending_response(x):
    """A handset's sending response of the usual rising shape."""
    return shaped(x, [(100, -30), (200, -14), (300, -6), (800, 0), (2000, 4), (3000, 6), (3400, 3), (3700, -25)])


def wideband_sending(x):
    """A wideband telephone's sending response, within the mask of ITU-T P.341."""
    return shaped(x, [(50, -30), (100, -6), (200, 0), (1000, 0), (3000, 3), (6000, 3), (7000, -3), (7800, -30)])


def clip(x, over_db):
    """Hard limit `over_db` below the peak."""
    top = np.max(np.abs(x)) * 10 ** (-over_db / 20)
    return np.clip(x, -top, top)


def gain_steps(x, db, period, rng):
    edges = np.cumsum(np.r_[0, rng.uniform(0.6, 1.4, 200) * period * RATE]).astype(int)
    g = np.zeros(len(x))
    sign = 1
    for lo, hi in zip(edges[:-1], edges[1:]):
        g[lo:hi] = sign * db / 2
        sign = -sign
    return x * 10 ** (g / 20)


def agc(x, strength, attack, release):
    """Feedback-free automatic gain control towards -26 dBov."""
    e = np.zeros(len(x))
    level = 1e-4
    a, r = np.exp(-1 / (attack * RATE)), np.exp(-1 / (release * RATE))
    for i in range(0, len(x), 8):
        v = float(np.mean(x[i : i + 8] ** 2))
        k = a if v > level else r
        level = k**8 * level + (1 - k**8) * v
        e[i : i + 8] = level
    g = np.minimum((10 ** (-26 / 20) / np.sqrt(e + 1e-6)) ** strength, 10)
    return x * g


def echo(x, delay_ms, loss_db):
    n = int(delay_ms * RATE / 1000)
    return x + np.r_[np.zeros(n), x[:-n]] * 10 ** (-loss_db / 20)


def muted_noise_gate(x, threshold_db, hang_ms):
    """Silence suppression: blocks sound below the threshold (relative to active level)."""
    level = smoothed(x, 0.005)
    on = level > 10 ** ((active_level(x)[0] - threshold_db) / 20)
    hang = int(hang_ms * RATE / 1000)
    last = np.maximum.accumulate(np.where(on, np.arange(len(x)), -hang - 1))
    return x * (np.arange(len(x)) - last <= hang)


# --- time ----------------------------------------------------------------------------------------------------------


def drift(x, ppm):
    """The recording's clock is fast by `ppm`: more samples for the same speech."""
    k = 8
    up = sg.resample_poly(x, k, 1, window=("kaiser", 8.0))
    at = np.arange(int(len(x) * (1 + ppm * 1e-6))) / (1 + ppm * 1e-6) * k
    i = np.clip(at.astype(int), 1, len(up) - 3)
    t = at - i
    a, b, c, d = up[i - 1], up[i], up[i + 1], up[i + 2]
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


def active_spots(x, rng, count, margin=0.4):
    """Sample positions inside speech, apart from one another."""
    level = smoothed(x, 0.005)
    inside = np.flatnonzero(level > 10 ** ((active_level(x)[0] - 18) / 20))
    inside = inside[(inside > margin * RATE) & (inside < len(x) - margin * RATE)]
    spots = []
    for _ in range(200):
        s = int(inside[rng.integers(len(inside))])
        if all(abs(s - o) > 0.5 * RATE for o in spots):
            spots.append(s)
        if len(spots) == count:
            break
    return sorted(spots)


def delay_jumps(x, steps_ms, rng, where="speech", fill="repeat", margin=0.4):
    """Inserts (positive, repeated or silent) or deletes (negative) segments inside speech or inside pauses."""
    n = len(steps_ms)
    if where == "speech":
        spots = active_spots(x, rng, n, margin)
    else:
        level = np.convolve(np.abs(x), np.ones(RATE // 10) / (RATE // 10), "same")
        quiet = np.flatnonzero(level < 10 ** ((active_level(x)[0] - 30) / 20))
        quiet = quiet[(quiet > 0.8 * RATE) & (quiet < len(x) - 0.5 * RATE)]
        if len(quiet) == 0:
            quiet = np.argsort(level)[: len(x) // 20]
        spots = sorted(int(quiet[rng.integers(len(quiet))]) for _ in range(n))
    out, at = [], 0
    for spot, step in zip(spots, steps_ms):
        m = int(abs(step) * RATE / 1000)
        spot = max(spot, at)
        out.append(x[at:spot])
        if step > 0:
            out.append(x[max(0, spot - m) : spot] if fill == "repeat" else np.zeros(m))
            at = spot
        else:
            at = spot + m
    out.append(x[at:])
    return np.concatenate(out)


def cut(x, where, seconds, rng):
    """Replaces the first, a middle or the last `seconds` of speech by silence."""
    level = smoothed(x, 0.005)
    on = np.flatnonzero(level > 10 ** ((active_level(x)[0] - 20) / 20))
    n = int(seconds * RATE)
    y = x.copy()
    if where == "front":
        y[: on[0] + n] = 0
    elif where == "tail":
        y[max(0, on[-1] - n) :] = 0
    else:
        at = active_spots(x, rng, 1)[0]
        y[at : at + n] = 0
    return y


def to_int16(x):
    return np.clip(np.round(x * 32768), -32768, 32767).astype(np.int16)


__all__ = [n for n in dir() if not n.startswith("_")]
