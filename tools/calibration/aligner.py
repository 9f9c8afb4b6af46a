"""The position of each frame of the reference in the degraded recording.

The steps: one global delay (envelope, then waveform), raw and behind the line's filter, kept where it holds everywhere.
Otherwise the envelope tells the rough delay of pieces of half a second, blocks of 96 ms vote for delays to the sample,
and the likeliest path (lattice.py) goes through them, once raw and once behind the filter that the first path shows.
Speech without a place then gets proposals near its neighbours', or from the whole recording. Clock drift is not
corrected.
"""

from dataclasses import dataclass, replace

import numpy as np

import lattice
from waveforms import HOP, Blocks, Reference, best_piece_path, correlation, cross, envelope, read, thinned


@dataclass(frozen=True)
class Options:
    """Constants of the alignment; lengths in samples or in envelope steps of 64 samples."""

    step: int = 64
    peaks: int = 4
    peak_distance: int = 12
    strongest: int = 12  # blocks that decide between peaks
    certain: float = 0.7  # correlation
    certain_behind: float = 0.9  # behind the filter of a line
    search_below: float = 0.5  # correlation of the blocks, below which the whole waveforms are searched, unless the envelopes are certain
    thin: int = 4
    piece: int = 64
    piece_hop: int = 12
    piece_range: int = 64
    piece_change: float = 0.25
    piece_step: float = 0.06
    block: int = 768
    block_range: int = 128
    block_active: float = 1e-3
    candidates: int = 16
    short_piece: int = 256  # for the polarity
    short_pieces: int = 128
    small_by: int = 12
    near_range: int = 256
    phrase: int = 62  # frames
    far_places: int = 4
    rounds: int = 2
    pause: float = 0.075  # weight of a frame in which nobody talks
    reach: int = 32  # of the line's filter, samples either side


@dataclass
class Track:
    delay: np.ndarray  # samples, for every frame of the reference, in `degraded`
    degraded: np.ndarray  # with the reference's polarity
    correlation: np.ndarray  # waveform correlation of every frame at its position
    skipped: np.ndarray  # frames that the line left out
    deleted: np.ndarray  # and of a pause


@dataclass
class Global:
    """The delay that most speaks for, and how the waveforms agree there, with either polarity."""

    delay: dict
    correlation: dict
    step: int = 0

    @property
    def polarity(self):
        return -1 if self.correlation[-1] > self.correlation[1] else 1

    @property
    def best(self):
        return max(self.correlation.values())


class Aligner:
    """One pair and what the steps share: the reference raw and as the line passes it on, the candidates, the path."""

    def __init__(self, x, y, o):
        self.o, self.x, self.y = o, x, y
        self.lowest, self.highest = -len(x), len(y)
        self.delays = len(x) + len(y) + 1
        self.plain = self.heard = Reference(x)
        self.blocks = Blocks(x, o.block, o.block_range)
        self.ex, self.ey = envelope(x, o.step), envelope(y, o.step)

    # One delay.

    def examine(self, around, step):
        strongest = np.argsort(-self.blocks.energy, kind="stable")[: self.o.strongest]
        products, z = self.blocks.correlate(self.y, strongest, around)
        delay = around - self.o.block_range + np.arange(products.shape[1])
        inside = (delay >= self.lowest) & (delay <= self.highest)
        delay, products = delay[inside], products[:, inside]
        c = products.sum(0) / (np.sqrt(self.blocks.energy[strongest].sum() * (z * z).sum()) + 1e-12)
        return Global({1: delay[c.argmax()], -1: delay[c.argmin()]}, {1: c.max(), -1: -c.min()}, step)

    def global_delay(self):
        o = self.o
        c = correlation(self.ex, self.ey)
        first, best, most = None, Global({1: 0, -1: 0}, {1: 0.0, -1: 0.0}), -np.inf
        for _ in range(o.peaks):
            k = int(c.argmax())
            peak, step = c[k], k - len(self.ex) + 1
            first = peak if first is None else first
            c[max(0, k - o.peak_distance) : k + o.peak_distance + 1] = -2
            if peak < 0:
                continue
            here = self.examine(step * o.step, step)
            value = here.best + peak / max(first, 1e-12)
            if value > most:
                best, most = here, value
            if here.best >= o.certain:
                break
        if best.best >= o.search_below or first >= o.certain:
            return best
        thin = thinned(self.x, o.thin), thinned(self.y, o.thin)
        around = (int(abs(correlation(*thin)).argmax()) - len(thin[0]) + 1) * o.thin
        here = self.examine(around, int(np.round(around / o.step)))
        return here if here.best > best.best else best

    def holds(self, y, delay, least):
        c = self.heard.correlate(y, delay)
        if not lattice.one_delay_holds(c, self.heard.weight, self.delays, least):
            return None
        n = self.heard.frames
        return Track(np.full(n, delay), y, c, np.zeros(n, bool), np.zeros(n, bool))

    # The candidates.

    def rough_delays(self, g):
        """Delay of each block by the envelopes, in samples."""
        o = self.o
        n = max(1, (len(self.ex) - o.piece) // o.piece_hop + 1)
        shift = g + np.arange(-o.piece_range, o.piece_range + 1)
        possible = (shift * o.step >= self.lowest - o.step) & (shift * o.step <= self.highest + o.step)
        gain, weight = np.full((n, len(shift)), -1.0), np.zeros(n)
        for i in range(n):
            at = i * o.piece_hop
            u = self.ex[at : at + o.piece]
            m = len(u)
            u = u - u.mean()
            z, here = read(self.ey, at + shift, m), read(np.ones(len(self.ey)), at + shift, m)
            count = here.sum(1)
            z = (z - (z.sum(1) / np.maximum(count, 1))[:, None]) * here
            r = (z @ u) / np.sqrt((u @ u + 1e-20) * ((z * z).sum(1) + 1e-20))
            gain[i] = np.where(possible & (count >= m // 2), r, -1.0)
            weight[i] = (u @ u + 1e-20) / m
        weight = np.minimum(weight / (weight.max() + 1e-20) * 2, 1)
        path = best_piece_path(gain * weight[:, None], o.piece_change, o.piece_step) - o.piece_range + g
        middle = (np.arange(len(self.blocks.start)) + 0.5) * o.block / o.step - o.piece / 2
        return path[np.clip(np.round(middle / o.piece_hop).astype(int), 0, n - 1)] * o.step

    def polarity_of_pieces(self, rough):
        """Mean over the strongest short pieces of highest and lowest correlation, both sides pre-emphasised."""
        o = self.o
        pieces = Blocks(self.x, o.short_piece, o.block_range)
        before = read(self.x, pieces.start - 1, o.short_piece)
        energy = ((pieces.samples - 0.9 * before) ** 2).sum(1)
        strong = np.argsort(-energy, kind="stable")[: o.short_pieces]
        at = np.minimum((pieces.start[strong] + o.short_piece // 2) // o.block, len(rough) - 1)
        c, _ = pieces.correlate(self.y, strong, rough[at])
        flat = np.zeros_like(c)
        flat[:, 1:-1] = 1.81 * c[:, 1:-1] - 0.9 * (c[:, :-2] + c[:, 2:])
        flat /= np.maximum(1e-20, abs(flat).max(1))[:, None]
        return (flat.max(1) + flat.min(1)).mean()

    def vote(self, rough):
        """Delays that single blocks, three of them, and runs of steady rough delay speak for; best first."""
        o, hr, energy = self.o, self.o.block_range, self.blocks.energy
        nb = len(energy)
        products, z = self.blocks.correlate(self.y, np.arange(nb), rough)
        seen = (z[:, hr : hr + o.block] ** 2).sum(1)
        active = energy > energy.max() * o.block_active

        def pool(first, last, reference):
            total, e1, e2 = np.zeros(2 * hr + 1), 1e-12, 1e-12
            for b in range(first, last):
                shift = rough[b] - reference
                if abs(shift) > hr:
                    continue
                total[max(0, shift) : 2 * hr + 1 + min(0, shift)] += products[b, max(0, -shift) : 2 * hr + 1 - max(0, shift)]
                e1, e2 = e1 + energy[b], e2 + seen[b]
            delay = reference - hr + np.arange(2 * hr + 1)
            total[(delay < self.lowest) | (delay > self.highest)] = -np.inf
            k = int(total.argmax())
            return int(delay[k]), total[k] / np.sqrt(e1 * e2)

        votes = {}
        cut = np.r_[0, np.flatnonzero(abs(np.diff(rough)) > o.step) + 1, nb]
        for first, last in zip(cut[:-1], cut[1:]):
            if active[first:last].any():
                for reference in np.unique(rough[first:last]):
                    delay, c = pool(first, last, reference)
                    votes[delay] = votes.get(delay, 0) + (last - first) * max(c, 0)
        say = np.minimum(1, np.sqrt(energy) / (np.sqrt(energy.mean()) + 1e-20))
        for b in np.flatnonzero(active):
            for first, last in ((b, b + 1), (max(0, b - 1), min(nb, b + 2))):
                delay, c = pool(first, last, rough[b])
                votes[delay] = votes.get(delay, 0) + max(c, 0) * say[b]
        return sorted(votes, key=lambda delay: -votes[delay])

    # The path.

    def find_path(self, candidates, quality=None):
        o, w = self.o, self.heard.weight
        self.candidates = np.array(sorted(candidates))
        c = np.stack([self.heard.correlate(self.y, d) for d in self.candidates], 1)
        quality = lattice.quality_of(c.max(1), w) if quality is None else quality
        costs = lattice.costs_of(self.delays, HOP, o.near_range, o.small_by)
        evidence = lattice.evidence_of(c, w, quality)
        path, fate = lattice.likeliest_path(evidence, self.candidates, costs, HOP)
        path, self.fate = lattice.settled(path, fate, evidence, w < o.pause, costs)
        self.delay, self.correlation = self.candidates[path], c[np.arange(len(path)), path]
        self.near_step = costs.near_step
        self.lost = [
            part for run in self.runs(self.fate != lattice.RECEIVED) for part in split(run, o.phrase)
            if lattice.expected_evidence(w[slice(*part)], quality) > costs.step
        ]
        self.shows_line = (self.fate == lattice.RECEIVED) & (w >= lattice.LOUD)
        units = np.minimum(lattice.MOST_EXPECTED, lattice.units_of(self.correlation[self.shows_line]))
        self.quality = units.mean() if len(units) else quality

    @staticmethod
    def runs(chosen):
        edge = np.flatnonzero(np.diff(np.r_[False, chosen, False].astype(int)))
        return list(zip(edge[::2].tolist(), edge[1::2].tolist()))

    def products_at(self, first, last, delays):
        """Sums of products of a phrase, frames half open, at each delay."""
        begin, end = first * HOP, (last + 1) * HOP
        z = read(self.y, begin + delays[0], end - begin + len(delays) - 1)
        return np.correlate(z, self.heard.x[begin:end])

    def near_places(self):
        """Near the neighbours of what was not received, in parts of a block; and what the path uses."""
        o, places = self.o, set(self.delay.tolist())
        for first, last in self.runs(self.fate != lattice.RECEIVED):
            n = self.heard.frames
            before = int(self.delay[first - 1 if first else min(n - 1, last)])
            behind = int(self.delay[last if last < n else max(0, first - 1)])
            for a in range(first, last, o.block // HOP):
                b = min(last, a + o.block // HOP)
                if lattice.expected_evidence(self.heard.weight[a:b], self.quality) < self.near_step:
                    continue
                between = before + int((behind - before) * (a + b - 2 * first) / (2 * (last - first)))
                for d in [between] + [d for d in (before, behind) if abs(d - between) > o.near_range]:
                    delays = np.arange(max(self.lowest, d - o.near_range), min(self.highest, d + o.near_range) + 1)
                    c = self.products_at(a, b, delays)
                    if c.max() > 0:
                        places.add(int(delays[c.argmax()]))
        return places

    def far_places(self):
        """Anywhere, for lost phrases; and what the path uses."""
        o, places = self.o, set(self.delay.tolist())
        x, y = thinned(self.heard.x, o.thin), thinned(self.y, o.thin)
        energy = np.r_[0, np.cumsum(y * y)]
        for first, last in self.lost:
            begin = first * HOP // o.thin
            u = x[begin : begin + (last - first + 1) * HOP // o.thin]
            over = len(u) // 4  # a quarter may hang over an end
            at = np.arange(-over, len(y) - len(u) + over + 1)
            at = at[(at - begin >= int(self.lowest / o.thin)) & (at - begin <= int(self.highest / o.thin))]
            there = energy[np.clip(at + len(u), 0, len(y))] - energy[np.clip(at, 0, len(y))]
            c = cross(u, y)[at + len(u) - 1] / np.sqrt(there + 1e-3 * energy[-1] / len(y) * len(u))
            for _ in range(o.far_places):
                if len(c) == 0 or c.max() <= 0:
                    break
                k = int(c.argmax())
                c[max(0, k - o.block_range // o.thin) : k + o.block_range // o.thin + 1] = -1
                delays = (at[k] - begin) * o.thin + np.arange(-2 * o.thin, 2 * o.thin + 1)
                best = delays[self.products_at(first, last, delays).argmax()]
                places.add(int(np.clip(best, self.lowest, self.highest)))
        return places

    def follow(self, g, rough):
        o = self.o
        candidates = [int(g.delay[1])]
        for d in self.vote(rough):
            if len(candidates) > o.candidates:
                break
            if d not in candidates:
                candidates.append(d)
        self.find_path(candidates)
        # Behind its filter a line that spreads the delay over frequency has one delay again.
        shown = np.sort(self.delay[self.shows_line])
        middle = int(shown[len(shown) // 2] if len(shown) else self.delay[len(self.delay) // 2])
        is_spread = bool((abs(self.delay - middle) <= o.small_by).all())
        if is_spread:
            self.delay = np.full(len(self.delay), middle)
        self.heard = self.plain.filtered(self.y, self.delay, self.shows_line, o.reach)
        is_filtered = self.heard is not self.plain
        if is_spread and is_filtered and (track := self.holds(self.y, middle, o.certain_behind)) is not None:
            return track
        self.find_path(candidates)

        def propose(places):
            new = not places <= set(self.candidates.tolist())
            if new:
                self.find_path(places, self.quality)
            return new

        for done in range(o.rounds):
            if not (propose(self.near_places()) or propose(self.far_places())):
                break
            if done + 1 < o.rounds:
                propose(self.far_places())
        deleted = np.zeros(self.heard.frames, bool)
        for first, end in self.runs(self.fate == lattice.SKIPPED):
            if (end - first) * HOP >= o.piece_range * o.step:
                deleted[first:end] = self.heard.weight[first:end] < o.pause
        return Track(self.delay, self.y, self.correlation, self.fate == lattice.SKIPPED, deleted)

    def invert(self, g):
        self.y = -self.y
        delay, values = ({s: of[-s] for s in of} for of in (g.delay, g.correlation))
        return replace(g, delay=delay, correlation=values)

    def align(self):
        o = self.o
        g = self.global_delay()
        if g.polarity < 0:
            g = self.invert(g)
        track = self.holds(self.y, g.delay[1], o.certain)
        if track is not None:
            return track
        rough = self.rough_delays(g.step)
        if self.polarity_of_pieces(rough) < 0:
            g = self.invert(g)
        return self.follow(g, rough)


def split(run, longest):
    """A run, half open, in as few equal parts as may be."""
    first, end = run
    parts = -(-(end - first) // longest)
    edge = [first + (end - first) * k // parts for k in range(parts + 1)]
    return list(zip(edge[:-1], edge[1:]))


def align(x, y, o=Options()):
    return Aligner(x, y, o).align()
