"""Correlations of two recordings: of all, of blocks, of frames at given delays; and the filter that lies between them."""

import numpy as np

FRAME, HOP = 256, 128


def read(x, start, length):
    """Segments of x from each start on; silence beyond its ends."""
    at = np.asarray(start)[..., None] + np.arange(length)
    return np.where((at >= 0) & (at < len(x)), x[np.clip(at, 0, len(x) - 1)], 0.0)


def envelope(x, step):
    d = x - 0.9 * np.r_[0, x[:-1]]
    n = len(x) // step
    e = (d[: n * step].reshape(n, step) ** 2).sum(1)
    return (e / (e.mean() + 1e-18) + 1e-4) ** 0.3


def thinned(x, step):
    """Every step-th sample of the sum of twice as many."""
    return read(x, step * np.arange(len(x) // step), 2 * step).sum(1)


def cross(a, b):
    """Sums of products of a with b for every shift of a from 1 - len(a) to len(b) - 1."""
    n = 1 << int(np.ceil(np.log2(len(a) + len(b))))
    c = np.fft.irfft(np.conj(np.fft.rfft(a, n)) * np.fft.rfft(b, n), n)
    return np.r_[c[n - len(a) + 1 :], c[: len(b)]]


def correlation(a, b):
    a, b = a - a.mean(), b - b.mean()
    return cross(a, b) / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-20)


class Reference:
    """The frames of a reference, or of what a line makes of it."""

    def __init__(self, x):
        self.x = x
        self.frames = (len(x) - FRAME) // HOP + 1
        self.at = np.arange(self.frames) * HOP
        self.energy = (read(x, self.at, FRAME) ** 2).sum(1)
        self.mean = self.energy.mean() + 1e-20
        self.weight = np.minimum(1, np.sqrt(self.energy / self.mean))

    def correlate(self, y, delay):
        """Correlation of every frame at one delay, or each at its own."""
        z = read(y, self.at + delay, FRAME)
        product = (read(self.x, self.at, FRAME) * z).sum(1)
        return product / np.sqrt(self.energy * (z * z).sum(1) + 1e-12 * self.mean**2 + 1e-20)

    def filtered(self, y, delay, chosen, reach):
        """The reference as the line passes it on: the pooled cross-spectrum of the chosen frames, cut to the reach. Itself where
        those frames are no more alike behind it."""
        window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FRAME) / FRAME)
        a = np.fft.rfft(read(self.x, self.at[chosen], FRAME) * window)
        b = np.fft.rfft(read(y, (self.at + delay)[chosen], FRAME) * window)
        power, both = (abs(a) ** 2).sum(0), (np.conj(a) * b).sum(0)
        both[[0, -1]] = power[[0, -1]] = 0
        taps = np.fft.irfft(both / (power + 1e-3 * power.max() + 1e-20))
        n = np.arange(-reach, reach + 1)
        kept = np.zeros(FRAME)
        kept[n] = taps[n] * (0.5 + 0.5 * np.cos(np.pi * n / (reach + 1)))
        response = np.fft.rfft(kept)
        filtered = (np.conj(response) * both).real.sum() / np.sqrt((abs(response) ** 2 * power).sum() + 1e-20)
        if filtered <= both.real.sum() / np.sqrt(power.sum() + 1e-20):
            return self
        return Reference(np.convolve(self.x, kept[n])[reach:-reach])


class Blocks:
    """The reference cut into blocks, which are correlated with the recording around any delay."""

    def __init__(self, x, length, lags):
        self.length, self.range = length, lags
        count = max(1, -(-len(x) // length))
        self.start = np.arange(count) * length
        self.samples = read(x, self.start, length)
        self.energy = (self.samples**2).sum(1)

    def correlate(self, y, blocks, delay):
        """Products of each of the blocks around its delay, and what they were multiplied with."""
        z = read(y, self.start[blocks] + delay - self.range, self.length + 2 * self.range)
        spectrum = np.conj(np.fft.rfft(self.samples[blocks], z.shape[1])) * np.fft.rfft(z)
        return np.fft.irfft(spectrum)[:, : 2 * self.range + 1], z


def best_piece_path(gain, change, step):
    """Viterbi: any change of state costs `change`, one to a neighbour `step`."""
    n, m = gain.shape
    total, back = gain[0], np.zeros((n, m), int)
    own = np.arange(m)
    for p in range(1, n):
        ways = np.stack([total, np.full(m, total.max() - change), np.r_[-np.inf, total[:-1]] - step,
                         np.r_[total[1:], -np.inf] - step])
        way = ways.argmax(0)
        back[p] = np.select([way == 0, way == 1, way == 2], [own, total.argmax(), own - 1], own + 1)
        total = ways[way, own] + gain[p]
    path = np.zeros(n, int)
    path[-1] = total.argmax()
    for p in range(n - 1, 0, -1):
        path[p - 1] = back[p, path[p]]
    return path
