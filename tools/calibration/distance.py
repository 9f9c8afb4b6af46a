"""The auditory distance of aligned frames: bands, compensation, loudness difference, and the sum over time.

Every constant was found by coordinate search against the label (tables: libvqas/doc/record/calibration.md).
"""

from dataclasses import dataclass

import numpy as np

from waveforms import FRAME, HOP

EDGE = np.array([3, 5, 7, 9, 11, 13, 15, 18, 21, 24, 27, 30, 34, 38, 42, 47, 52, 57, 63, 70, 78, 86, 96, 107, 119])
BIN = 8000 / FRAME
CENTRE = np.sqrt(EDGE[:-1] * EDGE[1:]) * BIN
WINDOW = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)
LEVEL_BANDS = (CENTRE > 300) & (CENTRE < 3600)
PAD = 8192  # samples of silence around a recording
REACH = 8  # frames either side of a jump whose other side is kept for searches


def bark(f):
    """Traunmueller's Bark scale, JASA 88(1), 1990."""
    return 26.81 * f / (1960 + f) - 0.53


WIDTH = np.diff(bark(EDGE * BIN))


@dataclass(frozen=True)
class Constants:
    gamma: float = 0.1527  # loudness grows with power^gamma
    floor_db: float = -73.0  # loudness floor under active speech, spread over 16 Bark
    corner: float = 300.0  # handset: a Butterworth high-pass of the fourth order, Hz
    raised_db: float = 9.0  # a cell raised by more counts as added sound
    raised_floor_db: float = -66.0  # in a band, under loud speech: sound below it raises nothing
    gain_floor_db: float = -44.0
    gain_low_db: float = -20.0  # a frame's gain is followed between these
    gain_high_db: float = 6.0
    active_db: float = -22.4988  # of the mean power of the sound: a frame holds speech (levels, activity, jumps)
    loud_db: float = -6.0206  # of the mean power of the sound: a frame shows the level
    silent_db: float = -44.0  # of the speech, the mean weighted with itself: silence at the ends, which nobody hears
    frame_exponent: float = 0.04
    frame_floor: float = 0.03
    response: float = 100.0
    window: int = 20
    step: int = 10
    lt: float = 1.85
    most_changed: float = 0.45  # what a window's distance comes near to
    most_raised: float = 0.18
    most_bend: float = 5.0
    p1: float = 2.0
    p2: float = 3.5
    reach: int = 3  # frames either side of a jump that are compared at both delays


def band_powers(x, position, corner=Constants().corner):
    """Behind the handset. Each sample loses the one before it in front of the window, which is taken back in the bins."""
    xp = np.r_[np.zeros(PAD), np.diff(np.r_[0, x, 0]), np.zeros(PAD)]
    at = np.clip(position + PAD, 0, len(xp) - FRAME)
    z = np.abs(np.fft.rfft(xp[at[:, None] + np.arange(FRAME)] * WINDOW)) ** 2 / FRAME
    bins = np.arange(1, EDGE[-1])
    weight = 1 / (1 + (corner / (bins * BIN)) ** 8) / (2 * np.sin(np.pi * bins / FRAME)) ** 2
    return np.add.reduceat(z[:, 1 : EDGE[-1]] * weight, EDGE[:-1] - 1, axis=1)


def other_side(delay, reach, least=16):
    """For frames within `reach` of a jump of more than `least` samples the delay on its other side, otherwise their own delay;
    and the distance to the jump, 1 next to it, reach + 1 without one."""
    out, near = delay.copy(), np.full(len(delay), reach + 1)
    for j in np.flatnonzero(abs(np.diff(delay)) > least) + 1:
        for k in range(max(0, j - reach), min(len(delay), j + reach)):
            d = j - k if k < j else k - j + 1
            if d < near[k]:
                near[k], out[k] = d, delay[j] if k < j else delay[j - 1]
    return out, near


def beside_steps(near, reach, skipped, word=4000 // HOP):
    """Where what is heard is heard of a step: within `reach` of it, or of what it left out, up to `word` frames from either end."""
    of_step = near <= reach
    for first, last in np.flatnonzero(np.diff(np.r_[0, skipped.astype(int), 0])).reshape(-1, 2):
        of_step[max(0, first - reach) : min(first + word, last + reach)] = True
        of_step[max(0, first - reach, last - word) : last + reach] = True
    return of_step


def between_steps(delay, reach=Constants.reach):
    """Where whole frames begin that a step put between two frames, step by step, without its ends, which the frames of either
    side hear."""
    at = []
    for j in np.flatnonzero(np.diff(delay) > 0) + 1:
        first = (j - 1) * HOP + FRAME + delay[j - 1] + reach * HOP
        frames = np.arange(first, j * HOP + delay[j] - reach * HOP - FRAME + 1, HOP)
        if len(frames):
            at.append(frames)
    return at


def inserted(delay, active):
    """Delay inserted during speech, in hundreds of ms per second of speech."""
    q = np.diff(delay)
    total = 0.0
    for j in np.flatnonzero(q > 16):
        total += active[max(0, j - 2) : j + 4].sum() / 6 * min(q[j], 800) / 800
    return total / max(1, active.sum()) * 60


class Perception:
    """Quantities independent of the delay: levels, response, thresholds; then loudness differences frame by frame."""

    def __init__(self, x, y, c):
        self.c = c
        ex, ey = x[:, LEVEL_BANDS].sum(1), y[:, LEVEL_BANDS].sum(1)
        sound = np.flatnonzero(ex > (ex**2).sum() / ex.sum() * 10 ** (c.silent_db / 10))
        self.sound = slice(sound[0], sound[-1] + 1)
        self.level = ey
        power = ex[self.sound].mean()
        self.active = ex > power * 10 ** (c.active_db / 10)
        n = (ex > power * 10 ** (c.loud_db / 10)).sum()
        self.sx, self.sy = n / (ex[self.sound].sum() + 1e-30), n / (ey[self.sound].sum() + 1e-30)
        self.floor = 10 ** (c.floor_db / 10) / 16
        r = (y[self.active].mean(0) * self.sy + self.floor) / (x[self.active].mean(0) * self.sx + self.floor)
        self.p = x * self.sx * np.clip(r, 1 / c.response, c.response)
        self.frame_weight = (ex * self.sx + c.frame_floor) ** -c.frame_exponent

    def differences(self, y, at=slice(None)):
        """Changed and raised loudness of each frame, for the reference frames `at`; None: against silence."""
        if at is None:
            p = np.zeros_like(y)
            frame_weight = np.full(len(y), self.c.frame_floor**-self.c.frame_exponent)
        else:
            p, frame_weight = self.p[at], self.frame_weight[at]
        c, q = self.c, y * self.sy
        g0 = 10 ** (c.gain_floor_db / 10)
        g = (p.sum(1) + g0) / (q.sum(1) + g0)
        q = q * np.clip(g, 10 ** (c.gain_low_db / 10), 10 ** (c.gain_high_db / 10))[:, None]
        t = self.floor * WIDTH
        e = np.abs((q + t) ** c.gamma - (p + t) ** c.gamma)
        least = 10 ** (c.raised_floor_db / 10)
        raised = q + least > 10 ** (c.raised_db / 10) * (p + least)
        w = frame_weight / WIDTH.sum() ** (1 / c.p1), frame_weight / WIDTH.sum() ** (1 / c.p2)
        return (WIDTH * e**c.p1).sum(1) ** (1 / c.p1) * w[0], (WIDTH * e**c.p2 * raised).sum(1) ** (1 / c.p2) * w[1]


def over_time(d, c, most, between=()):
    """The worst value of every 0.3 s, which comes near to `most`, combined by a power mean over the windows of `d`; those
    of `between` add to their sum."""
    worst = [[part[s : s + c.window].max() for s in range(0, len(part), c.step)] for part in (d, *between)]
    limited = [[(w / (1 + (w / most) ** c.most_bend) ** (1 / c.most_bend)) ** c.lt for w in part] for part in worst]
    return (sum(map(sum, limited)) / len(limited[0])) ** (1 / c.lt)


def measures(x, y, delay, other, other_at, other_near, deleted, beside, between, c=Constants()):
    """x, y: band powers [frame, band]; other: those of the frames other_at at the far side of the jump that is
    other_near frames away; deleted: frames of a pause that was taken out, which nobody misses; beside: see beside_steps();
    between: a list of band powers, see between_steps().
    Returns what the weights multiply: changed but for what steps add, that, raised, and the root of inserted."""
    s = Perception(x, y, c)
    d1, d2 = s.differences(y)
    k = other_near <= c.reach
    if k.any():
        at = other_at[k]
        o1, o2 = s.differences(other[k], at)
        d1[at], d2[at] = np.maximum(d1[at], o1), np.maximum(d2[at], o2)
    d1[deleted] = d2[deleted] = 0
    # Sound: louder than -15 dB of the mean, and 6 dB over most of the pauses.
    pauses = np.sort(s.level[~s.active])
    least = max(0.03 * s.level[s.sound].mean(), 4 * pauses[len(pauses) // 2] if len(pauses) else 0)
    heard = [np.array(s.differences(one, None)) * (one[:, LEVEL_BANDS].sum(1) > least) for one in between]
    added, added_raised = [h[0] for h in heard], [h[1] for h in heard]
    steady = d1.copy()
    steady[beside] = 0
    changed = over_time(d1[s.sound], c, c.most_changed, added)
    without = over_time(steady[s.sound], c, c.most_changed, added)
    raised = over_time(d2[s.sound], c, c.most_raised, added_raised)
    return np.array([without, changed - without, raised, np.sqrt(inserted(delay, s.active))])
