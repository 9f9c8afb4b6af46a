"""Packet calls: frames cross a network with loss and jitter and are played out adaptively.

Sender: frames of a codec, or of plain samples, stamped every `frame` samples; optional silence suppression.
Network: Bernoulli or two-state loss; delay = base + gamma jitter + spikes + route changes; packets may overtake.
Receiver: one of four play-out rules, as in typical products:
  fixed      a constant buffer; late packets are lost
  talkspurt  the buffer follows a running mean and deviation of the delay, changed only at the start of a talk spurt
  segment    the buffer length is steered by removing or repeating pitch periods (overlap-add)
  gap        an empty buffer plays a gap, then continues with the late packet: the delay steps up; an overfull one drops
             a packet: the delay steps down
"""

from dataclasses import dataclass, field

import numpy as np

from codecs8k import Concealer
from speech_level import RATE


HISTORY = 30 * RATE // 1000  # samples in which a pitch is looked for


@dataclass
class Network:
    loss: float = 0.0  # share of packets
    burst: float = 1.0  # mean length of a loss, packets
    jitter_ms: float = 0.0  # mean of the gamma jitter
    shape: float = 1.0  # of the gamma distribution: 1 is exponential
    spikes: float = 0.0  # delay spikes a second
    spike_ms: float = 150.0
    route_ms: float = 0.0  # size of one route change
    base_ms: float = 40.0


@dataclass
class Playout:
    rule: str = "fixed"
    buffer_ms: float = 60.0
    conceal: str = "plc"  # zero, repeat, plc, or codec (its own)
    suppress: bool = False  # silence suppression with comfort noise
    most_ms: float = 400.0
    extra: dict = field(default_factory=dict)


def arrivals(n, frame_ms, net, rng):
    """Arrival time of each packet in ms, infinity where it was lost."""
    sent = np.arange(n) * frame_ms
    d = np.full(n, net.base_ms)
    if net.jitter_ms > 0:
        d += rng.gamma(net.shape, net.jitter_ms / net.shape, n)
    k = rng.poisson(net.spikes * n * frame_ms / 1000)
    for at in rng.uniform(0, n * frame_ms, k):  # a queue that filled suddenly and drains
        height = net.spike_ms * rng.uniform(0.5, 1.5)
        d += np.clip(height - (sent - at), 0, None) * (sent >= at)
    if net.route_ms:
        d += net.route_ms * (sent > rng.uniform(0.3, 0.7) * n * frame_ms)
    t = sent + d
    p_end = 1 / max(net.burst, 1.0)
    p_begin = net.loss * p_end / max(1e-9, 1 - net.loss)
    lost, bad = np.zeros(n, bool), False
    for i in range(n):
        bad = rng.random() < (1 - p_end if bad else p_begin)
        lost[i] = bad
    t[lost] = np.inf
    return t


def _period(x):
    """Best pitch lag of the last 30 ms, 2.5..15 ms."""
    seg = x[-HISTORY:]
    best, lag = -2.0, RATE // 100
    for k in range(RATE // 400, 15 * RATE // 1000 + 1, RATE // 4000):
        a, b = seg[k:], seg[:-k]
        c = float(a @ b) / np.sqrt(float(a @ a) * float(b @ b) + 1.0)
        if c > best:
            best, lag = c, k
    return lag, best


def _blend(a, b):
    w = np.linspace(0, 1, len(a))
    return a * (1 - w) + b * w


def longer(tail, block):
    """block with one pitch period repeated (overlap-add)."""
    x = np.r_[tail, block]
    lag, _ = _period(x)
    n = min(lag, len(block))
    return np.r_[block[:-n], _blend(x[len(x) - n :], x[len(x) - n - lag : len(x) - lag]), x[len(x) - lag :]]


def shorter(tail, block):
    """block with one pitch period removed (overlap-add)."""
    lag, _ = _period(np.r_[tail, block])
    if len(block) < 2 * lag:
        return block
    return np.r_[_blend(block[:lag], block[lag : 2 * lag]), block[2 * lag :]]


class _PitchRepeater:
    """Concealer of any rate: repeats the last pitch period, each lost frame 2 dB softer, and blends into what follows."""

    def __init__(self):
        self.past, self.run = np.zeros(HISTORY), 0

    def good(self, f):
        f = f.astype(float)
        if self.run:
            n = min(RATE // 200, len(f))
            f = np.r_[_blend(self._repeat(n), f[:n]), f[n:]]
        self.run = 0
        self.past = np.r_[self.past, f][-HISTORY:]
        return f

    def _repeat(self, n):
        lag, _ = _period(self.past)
        return np.resize(self.past[-lag:], n) * 0.8**self.run

    def lost(self, n):
        f = self._repeat(n)
        self.run += 1
        return f


class _Decoder:
    """Turns received or missing frames into waveform with the chosen concealment."""

    def __init__(self, frame, how):
        self.frame, self.how = frame, how
        self.plc = Concealer() if RATE == 8000 else _PitchRepeater()
        self.last, self.run = np.zeros(frame), 0

    def good(self, block):
        self.run = 0
        self.last = block if self.how != "plc" else self.plc.good(block.astype(np.int16)).astype(float)
        return self.last

    def lost(self):
        self.run += 1
        if self.how == "zero":
            return np.zeros(self.frame)
        if self.how == "plc":
            return self.plc.lost(self.frame).astype(float)
        return self.last * max(0.0, 1 - 0.2 * (self.run - 1))


def talk_flags(x, frame):
    """Which frames hold speech, with a hangover of four frames."""
    e = 10 * np.log10(np.mean(x[: len(x) // frame * frame].reshape(-1, frame) ** 2, axis=1) + 1e-3)
    on = e > np.max(e) - 38
    out = on.copy()
    for k in range(1, 5):
        out[k:] |= on[:-k]
    return out


def call(x, net, play, rng, codec=None, frame=RATE // 50):
    """x (int16) after one packet call; every second call arrives 20-300 ms after the start of the recording."""
    x = np.asarray(x, np.int16)
    if net.jitter_ms > 0 and rng.random() < 0.5:
        return np.r_[np.zeros(int(rng.uniform(0.02 * RATE, 0.3 * RATE)), np.int16), _call(x, net, play, rng, codec, frame)]
    return _call(x, net, play, rng, codec, frame)


def _call(x, net, play, rng, codec, frame):
    frame = codec.frame if codec else frame
    ms = frame * 1000 / RATE
    if codec:
        frames = codec.encode(x)
        n = len(frames)
        base_wave = codec.decode(frames).astype(float)
    else:
        base_wave = np.r_[x, np.zeros(-len(x) % frame, np.int16)].astype(float)
        n = len(base_wave) // frame
    t = arrivals(n, ms, net, rng)
    talk = talk_flags(np.r_[x, np.zeros(n * frame - len(x))].astype(float), frame) if play.suppress else np.ones(n, bool)
    if play.rule == "fixed":
        due = np.arange(n) * ms + net.base_ms + play.buffer_ms
        missing = (t > due) & talk
        if codec and play.conceal == "codec":
            wave = codec.decode([None if m else f for m, f in zip(missing, frames)]).astype(float)
            blocks = wave.reshape(n, frame)
        else:
            d = _Decoder(frame, play.conceal)
            blocks = [d.lost() if m else d.good(b) for m, b in zip(missing, base_wave.reshape(n, frame))]
        return _finish(blocks, talk, rng)
    if codec and play.conceal == "codec":  # network losses are concealed by the codec, the rest by play-out
        base_wave = codec.decode([None if np.isinf(a) and s else f for a, s, f in zip(t, talk, frames)]).astype(float)
    blocks = base_wave.reshape(n, frame)
    rule = {"talkspurt": _talkspurt, "segment": _segment, "gap": _gap}[play.rule]
    return rule(blocks, t, talk, net, play, rng)


def _comfort(n, rng):
    return rng.standard_normal(n) * 6


def _finish(blocks, talk, rng):
    out = [b if s else _comfort(len(b), rng) for b, s in zip(blocks, talk)]
    return np.clip(np.concatenate(out), -32768, 32767).astype(np.int16)


def _talkspurt(blocks, t, talk, net, play, rng):
    n, frame = blocks.shape
    ms, d = frame * 1000 / RATE, _Decoder(frame, play.conceal)
    spurt = talk_flags(blocks.ravel(), frame)
    mean, dev, lag = net.base_ms, play.buffer_ms / 4, net.base_ms + play.buffer_ms
    out, pos = [], 0.0
    for i in range(n):
        if spurt[i] and not (i and spurt[i - 1]) or (not spurt[i] and rng.random() < 0.02):
            new = mean + 4 * dev + 10
            step = int(round((new - lag) * RATE / 1000))
            if step > 0:
                out.append(_comfort(step, rng) if i else np.zeros(step))
            elif step < 0 and out:
                drop = min(-step, len(out[-1]) - 1)
                out[-1] = out[-1][:-drop]
                step = -drop
            lag += step * 1000 / RATE
        if np.isfinite(t[i]):
            x = t[i] - i * ms
            mean += 0.05 * (x - mean) if x > mean else 0.02 * (x - mean)
            dev += 0.05 * (abs(x - mean) - dev)
        late = t[i] > i * ms + lag
        if not talk[i]:
            out.append(_comfort(frame, rng))
        else:
            out.append(d.lost() if late else d.good(blocks[i]))
    return np.clip(np.concatenate(out), -32768, 32767).astype(np.int16)


def _gap(blocks, t, talk, net, play, rng):
    n, frame = blocks.shape
    ms, d = frame * 1000 / RATE, _Decoder(frame, play.conceal)
    lag, out = net.base_ms + play.buffer_ms, []
    fast = 0
    for i in range(n):
        if np.isinf(t[i]):
            out.append(d.lost())
            continue
        late = t[i] - (i * ms + lag)
        if late > 0 and lag < play.most_ms:
            for _ in range(int(np.ceil(late / ms))):
                out.append(d.lost())
                lag += ms
        elif late > 0:
            out.append(d.lost())
            continue
        fast = fast + 1 if late < -(play.buffer_ms + 2 * ms) else 0
        if fast > 12:  # the buffer has been too full for a while: one packet is discarded
            lag -= ms
            fast = 0
            continue
        out.append(d.good(blocks[i]) if talk[i] else _comfort(frame, rng))
    return np.clip(np.concatenate(out), -32768, 32767).astype(np.int16)


def _segment(blocks, t, talk, net, play, rng):
    n, frame = blocks.shape
    ms, d = frame * 1000 / RATE, _Decoder(frame, play.conceal)
    lag, out, tail = net.base_ms + play.buffer_ms, [], np.zeros(HISTORY)
    mean, dev = net.base_ms, play.buffer_ms / 4
    for i in range(n):
        if np.isinf(t[i]):
            b = d.lost()
        else:
            x = t[i] - i * ms
            mean += 0.1 * (x - mean)
            dev += 0.1 * (abs(x - mean) - dev)
            while t[i] > i * ms + lag and lag < play.most_ms:  # not arrived yet: the last sound is stretched
                e = d.lost()
                out.append(e)
                lag += ms
                tail = np.r_[tail, e][-HISTORY:]
            b = d.good(blocks[i]) if t[i] <= i * ms + lag else d.lost()
        want = mean + 3 * dev + 5
        if want > lag + 10:
            c = longer(tail, b)
        elif want < lag - 15:
            c = shorter(tail, b)
        else:
            c = b
        lag += (len(c) - len(b)) * 1000 / RATE
        if not talk[i]:
            c = _comfort(len(c), rng)
        out.append(c)
        tail = np.r_[tail, c][-HISTORY:]
    return np.clip(np.concatenate(out), -32768, 32767).astype(np.int16)
