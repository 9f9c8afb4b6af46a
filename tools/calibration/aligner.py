"""The position of each frame of the reference in the degraded recording.

The steps: one global delay (envelope, then waveform), accepted if it fits everywhere; otherwise pieces of half a second,
candidates from blocks of 96 ms, and the best path of frames over the candidates. A constant slope of the block delays is a
clock that runs fast or slow: the recording is resampled and aligned again.
"""

from dataclasses import dataclass, field

import numpy as np

FRAME, HOP = 256, 128
PAD = 8192


@dataclass(frozen=True)
class Options:
    """Constants of the alignment; lengths in samples or in envelope steps of 64 samples."""

    step: int = 64
    peaks: int = 4
    envelope_vote: float = 1.0  # weight of the envelope against the waveform between competing peaks
    piece: int = 64
    piece_hop: int = 12
    piece_range: int = 64
    piece_change: float = 0.25
    piece_step: float = 0.06
    block: int = 768
    block_fft: int = 1024
    block_range: int = 128
    candidates: int = 24
    apart: int = 2
    frame_change: float = 3.0
    frame_step: float = 0.25
    near: int = 12
    shortcut: float = 0.9
    drift: bool = True
    drift_least_ppm: float = 60.0
    drift_tolerance: float = 6.0
    drift_share: float = 0.25  # of the blocks' weight must lie on the sloping line
    drift_gain: float = 1.05  # factor over the best horizontal line


@dataclass
class Track:
    delay: np.ndarray  # samples, for every frame of the reference, in `degraded`
    degraded: np.ndarray  # polarity and clock corrected
    correlation: np.ndarray  # waveform correlation of every frame at its position
    weight: np.ndarray  # 0..1, signal available for correlation
    drift_ppm: float = 0.0
    shortcut: bool = False
    polarity: int = 1
    info: dict = field(default_factory=dict)


def envelope(x, step):
    d = x - 0.9 * np.r_[0, x[:-1]]
    n = len(x) // step
    e = (d[: n * step].reshape(n, step) ** 2).mean(1)
    return (e / (e.mean() + 1e-20) + 1e-4) ** 0.3


def best_path(gain, far, close, near):
    """Viterbi: gain[n, m]; any change costs `far`, a change to j with near[i, j] costs `close`."""
    n, m = gain.shape
    cost = np.where(near, close, far)
    np.fill_diagonal(cost, 0)
    total, back = gain[0].copy(), np.zeros((n, m), int)
    own = np.arange(m)
    for p in range(1, n):
        a = total[None, :] - cost
        k = a.argmax(1)
        k = np.where(a[own, k] > total, k, own)
        back[p] = k
        total = a[own, k] + gain[p]
    j, path = int(total.argmax()), np.zeros(n, int)
    for p in range(n - 1, -1, -1):
        path[p] = j
        j = back[p, j]
    return path


class _Pair:
    """Two signals with the data shared by the steps."""

    def __init__(self, x, y, o):
        self.o, self.x, self.y = o, x, y
        self.nb = max(1, -(-len(x) // o.block))
        self.blocks = np.zeros((self.nb, o.block_fft))
        self.blocks[:, : o.block] = np.r_[x, np.zeros(self.nb * o.block - len(x))].reshape(self.nb, o.block)
        self.energy = (self.blocks**2).sum(1)
        self.ex = envelope(x, o.step)
        self.nf = (len(x) - FRAME) // HOP + 1
        n = (self.nf + 1) * HOP
        self.xs = x[:n]
        f = self._halves(self.xs**2)
        self.fx = f[:-1] + f[1:]
        self.mean = self.fx.mean() + 1e-20
        self.weight = np.minimum(1, np.sqrt(self.fx / self.mean))
        self.set_degraded(y)

    def set_degraded(self, y):
        self.y = y
        self.yp = np.r_[np.zeros(PAD), y, np.zeros(PAD + self.o.block_fft)]
        self.ey = envelope(y, self.o.step)

    def _halves(self, v):
        return v[: (self.nf + 1) * HOP].reshape(self.nf + 1, HOP).sum(1)

    def frame_correlation(self, delay):
        i = np.arange((self.nf + 1) * HOP) + delay + PAD
        z = np.where((i >= 0) & (i < len(self.yp)), self.yp[np.clip(i, 0, len(self.yp) - 1)], 0)
        a, b = self._halves(self.xs * z), self._halves(z * z)
        return (a[:-1] + a[1:]) / np.sqrt(self.fx * (b[:-1] + b[1:]) + 1e-12 * self.mean**2 + 1e-20)

    def y_blocks(self, start):
        at = np.clip(start - self.o.block_range + PAD, 0, len(self.yp) - self.o.block_fft)
        return self.yp[at[:, None] + np.arange(self.o.block_fft)]

    def cross(self, a, b):
        return np.fft.irfft(np.conj(np.fft.rfft(a)) * np.fft.rfft(b))[:, : 2 * self.o.block_range + 1]


def global_delay(p):
    """(delay in samples, delay in envelope steps, polarity, waveform correlation)."""
    o = p.o
    n = 1 << int(np.ceil(np.log2(len(p.ex) + len(p.ey))))
    a, b = p.ex - p.ex.mean(), p.ey - p.ey.mean()
    c = np.fft.irfft(np.conj(np.fft.rfft(a, n)) * np.fft.rfft(b, n), n) / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-20)
    peaks = []
    for _ in range(o.peaks):
        k = int(c.argmax())
        peaks.append((k - n if k > n // 2 else k, c[k]))
        c[np.arange(k - 12, k + 13) % n] = -1
    top = np.argsort(-p.energy)[:12]
    best = None
    for g, e in peaks:
        if e < 0.4 * peaks[0][1]:
            continue
        z = p.y_blocks(top * o.block + g * o.step)
        q = p.cross(p.blocks[top], z).sum(0) / (np.sqrt(p.energy[top].sum() * (z**2).sum()) + 1e-12)
        k, low = int(q.argmax()), int(q.argmin())
        if -q[low] > max(1.15 * q[k], 0.3):
            k = low
        v = abs(q[k]) + o.envelope_vote * e / peaks[0][1]
        if best is None or v > best[0] + 0.02:
            best = (v, g * o.step - o.block_range + k, g, 1 if q[k] >= 0 else -1, abs(q[k]), peaks[0][1])
    return best[1:]


def one_delay_fits(p, s):
    k = p.nf // 32 * 32 or p.nf
    w = p.weight[:k].reshape(-1, min(32, k)).sum(1)
    v = (p.weight * s)[:k].reshape(-1, min(32, k)).sum(1)
    ok = w > 0.15 * w.max()
    return (v[ok] / w[ok]).min() >= p.o.shortcut


def pieces(p, g):
    """Delay in envelope steps of each piece of half a second."""
    o = p.o
    n = max(1, (len(p.ex) - o.piece) // o.piece_hop + 1)
    s, weight = np.full((n, 2 * o.piece_range + 1), -1.0), np.zeros(n)
    lead = o.piece_range + o.piece
    padded = np.r_[np.zeros(lead), p.ey, np.zeros(lead + o.piece)]
    there = np.r_[np.zeros(lead), np.ones(len(p.ey)), np.zeros(lead + o.piece)]
    shifts = np.arange(-o.piece_range, o.piece_range + 1)
    for i in range(n):
        at = i * o.piece_hop
        u = p.ex[at : at + o.piece]
        m = len(u)
        ok = (at + g + shifts > -lead) & (at + g + shifts + m < len(p.ey) + lead)
        index = (at + g + shifts[ok] + lead)[:, None] + np.arange(m)
        z, here = padded[index], there[index]
        u = u - u.mean()
        vx = (u * u).sum() + 1e-12
        weight[i] = vx / m
        count = here.sum(1)
        z = z - ((z * here).sum(1) / np.maximum(count, 1))[:, None] * here
        r = (z * u).sum(1) / np.sqrt(vx * ((z * z).sum(1) + 1e-12))
        s[i, ok] = np.where(count >= m // 2, r, -1.0)
    weight = np.minimum(weight / (weight.max() + 1e-20) * 2, 1)
    i = np.arange(2 * o.piece_range + 1)
    return best_path(s * weight[:, None], o.piece_change, o.piece_step, abs(i[:, None] - i) == 1) - o.piece_range + g


def candidates(p, path):
    """Candidate delays by vote, and the peak of every block (delay, correlation)."""
    o, hr = p.o, p.o.block_range
    at = np.clip(np.round(((np.arange(p.nb) + 0.5) * o.block / o.step - o.piece / 2) / o.piece_hop).astype(int), 0, len(path) - 1)
    co = path[at] * o.step
    z = p.y_blocks(np.arange(p.nb) * o.block + co)
    cc = p.cross(p.blocks, z)
    ez = (z[:, hr : hr + o.block] ** 2).sum(1)
    active = p.energy > p.energy.max() * 1e-3

    def pool(lo, hi, ref):
        s, e1, e2 = np.zeros(2 * hr + 1), 1e-12, 1e-12
        for k in range(lo, hi):
            d = co[k] - ref
            if abs(d) > hr:
                continue
            if d >= 0:
                s[d:] += cc[k][: 2 * hr + 1 - d]
            else:
                s[: 2 * hr + 1 + d] += cc[k][-d:]
            e1 += p.energy[k]
            e2 += ez[k]
        return s / np.sqrt(e1 * e2)

    votes, singles = {}, []
    cut = np.r_[0, np.flatnonzero(abs(np.diff(co)) > o.step) + 1, p.nb]
    em = np.sqrt(p.energy.mean()) + 1e-20
    for lo, hi in zip(cut[:-1], cut[1:]):
        if active[lo:hi].any():
            for ref in np.unique(co[lo:hi]):
                s = pool(lo, hi, ref)
                k = int(s.argmax())
                d = int(ref - hr + k)
                votes[d] = votes.get(d, 0) + (hi - lo) * max(s[k], 0.05)
    for b in np.flatnonzero(active):
        for lo, hi in ((b, b + 1), (max(0, b - 1), min(p.nb, b + 2))):
            s = pool(lo, hi, co[b])
            k = int(s.argmax())
            d = int(co[b] - hr + k)
            if s[k] > 0.3:
                votes[d] = votes.get(d, 0) + s[k] * min(1, np.sqrt(p.energy[b]) / em)
            if hi == lo + 1:
                singles.append((b * o.block + o.block / 2, d + _vertex(s, k), s[k], min(1.0, np.sqrt(p.energy[b]) / em)))
    if not votes:
        votes = {int(co[len(co) // 2]): 1.0}
    out = []
    for d in sorted(votes, key=lambda k: -votes[k]):
        if all(abs(d - k) > o.apart for k in out):
            out.append(d)
        if len(out) >= o.candidates:
            break
    return np.array(out), np.array(singles).reshape(-1, 4)


def _vertex(s, k):
    """Offset from k of the peak of the parabola through s[k-1..k+1], as a fraction of a step."""
    if not 0 < k < len(s) - 1:
        return 0.0
    bend = s[k - 1] - 2 * s[k] + s[k + 1]
    return float(np.clip(0.5 * (s[k - 1] - s[k + 1]) / bend, -0.5, 0.5)) if bend < 0 else 0.0


def slope_ppm(singles, o):
    """The straight line through block delays with most of their weight: (ppm, its share of the weight, the share of
    the best horizontal line)."""
    t, d, c, w = singles.T
    w = w * np.clip(c, 0, 1) ** 2
    if len(t) < 8 or w.sum() <= 0:
        return 0.0, 0.0, 1.0
    level = max(w[abs(d - q) <= o.drift_tolerance].sum() for q in d) / w.sum()
    i, j = np.triu_indices(len(t), 1)
    s = (d[j] - d[i]) / (t[j] - t[i])
    ok = ((t[j] - t[i]) > 0.15 * (t.max() - t.min())) & (abs(s) < 0.012)
    i, j, s = i[ok], j[ok], s[ok]
    if len(s) == 0:
        return 0.0, 0.0, level
    # slopes vote in a histogram of 100 ppm; the best line is refined by weighted least squares over its inliers
    h, e = np.histogram(s, bins=240, range=(-0.012, 0.012), weights=w[i] * w[j])
    h = np.convolve(h, [0.5, 1, 0.5], "same")
    slope = (e[h.argmax()] + e[h.argmax() + 1]) / 2
    r = d - slope * t
    b = r[np.argmin([(w * np.minimum(abs(r - q), 30)).sum() for q in r])]
    for tol in (12, o.drift_tolerance, o.drift_tolerance):
        inside = abs(d - slope * t - b) <= tol
        if w[inside].sum() < 0.15 * w.sum() or inside.sum() < 4:
            return 0.0, 0.0, level
        slope, b = np.polyfit(t[inside], d[inside], 1, w=np.sqrt(w[inside]))
    return slope * 1e6, float(w[abs(d - slope * t - b) <= o.drift_tolerance].sum() / w.sum()), level


def reclock(y, ppm):
    """y resampled to the reference's clock."""
    from degrade import drift

    return drift(y, -ppm * 1e-6 / (1 + ppm * 1e-6) * 1e6)


def _track(p, straight):
    """One alignment without clock correction: (track, block delays, value of the path)."""
    o = p.o
    delay, g, polarity, match, peak = global_delay(p)
    if polarity < 0:
        p.set_degraded(-p.y)
    s = p.frame_correlation(delay)
    info = dict(match=match, peak=peak)
    if one_delay_fits(p, s):
        track = Track(np.full(p.nf, delay), p.y, s, p.weight, 0.0, True, polarity, info)
        if straight:
            return track, None, float((p.weight * s).sum())
        return track, candidates(p, pieces(p, g))[1], float((p.weight * s).sum())
    found, singles = candidates(p, pieces(p, g))
    c = np.stack([p.frame_correlation(d) for d in found], 1)
    j = best_path(c * p.weight[:, None], o.frame_change, o.frame_step, abs(found[:, None] - found) <= o.near)
    best, q = c[np.arange(p.nf), j], np.diff(found[j])
    worth = (p.weight * best).sum() - o.frame_change * (abs(q) > o.near).sum() - o.frame_step * ((q != 0) & (abs(q) <= o.near)).sum()
    return Track(found[j], p.y, best, p.weight, 0.0, False, polarity, info), singles, float(worth)


def align(x, y, o=Options()):
    p = _Pair(x, y, o)
    track, singles, worth = _track(p, True)
    track.info |= dict(slope=0.0, slope_share=0.0, worth=worth / max(1e-9, p.weight.sum()))
    if not o.drift or singles is None:
        return track
    ppm, share, level = slope_ppm(singles, o)
    track.info |= dict(slope=ppm, slope_share=share)
    if abs(ppm) < o.drift_least_ppm or share < max(o.drift_share, o.drift_gain * level):
        return track
    total, best = ppm, track
    for _ in range(2):
        other = _Pair(x, reclock(y, total), o)
        again, singles, value = _track(other, False)
        if value <= worth:
            break
        again.drift_ppm, again.info["slope"], again.info["slope_share"] = total, ppm, share
        again.info["worth"] = value / max(1e-9, p.weight.sum())
        best, worth = again, value
        rest, rest_share, _ = slope_ppm(singles, o)
        if abs(rest) < 5 or rest_share < 0.5:
            break
        total = total + rest
    return best
