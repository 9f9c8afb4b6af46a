"""Draws the lattice of one pair: libvqas/doc/images/lattice.png.

usage: python3 tools/calibration/lattice_figure.py CORPUS_DIR FILE.png

Two sentences of the corpus (M2, F4); of the first 20 ms are left out and 0.3 s muted, between them 0.4 s are inserted, and all of
it lies in noise at 25 dB. The path is sought by the independent aligner. Needs matplotlib, numpy, scipy, soundfile.
"""

import sys
from pathlib import Path

import matplotlib
import numpy as np
import soundfile

matplotlib.use("Agg")
import aligner
import lattice
import matplotlib.pyplot as plt

RATE = 8000
HOP_S = 128 / RATE


def pair(corpus):
    a, b = (soundfile.read(corpus / f"{name}.wav")[0] for name in ("M2", "F4"))
    pause = np.zeros(RATE // 4)
    x = np.r_[a, pause, b]
    left_out, muted = int(1.0 * RATE), int(1.6 * RATE)
    y = np.r_[a, pause, np.zeros(int(0.4 * RATE)), b]
    y[muted : muted + int(0.3 * RATE)] = 0
    y = np.r_[np.zeros(int(0.2 * RATE)), y[:left_out], y[left_out + 160 :]]
    rng = np.random.default_rng(1)
    return x, y + np.sqrt((x**2).mean() / 10**2.5) * rng.standard_normal(len(y))


def last_path(x, y):
    """Evidence [frames, delays], delays, path and fates of the last path that align() sought."""
    found, kept = [], []
    likeliest_path, settled = lattice.likeliest_path, lattice.settled

    def finding(evidence, delays, costs, hop):
        found[:] = [evidence, delays]
        return likeliest_path(evidence, delays, costs, hop)

    def keeping(*of):
        kept[:] = settled(*of)
        return tuple(kept)

    lattice.likeliest_path, lattice.settled = finding, keeping
    aligner.align(x, y)
    lattice.likeliest_path, lattice.settled = likeliest_path, settled
    return found + kept


def draw(evidence, delays, path, fate, to):
    fig, ax = plt.subplots(figsize=(11, 4.6), dpi=110)
    frames = len(path)
    shown = ax.imshow(evidence.T, aspect="auto", origin="lower", cmap="RdBu", vmin=-8, vmax=8, interpolation="nearest",
                      extent=(0, frames * HOP_S, -0.5, len(delays) - 0.5))
    t = (np.arange(frames) + 0.5) * HOP_S
    runs = np.flatnonzero(np.r_[True, (np.diff(path) != 0) | (np.diff(fate) != 0), True])
    looks = {lattice.RECEIVED: dict(color="black", lw=2.4), lattice.LOST: dict(color="black", lw=1.6, ls=":"),
             lattice.SKIPPED: dict(color="orange", lw=3)}
    names = {lattice.RECEIVED: "received at this delay", lattice.LOST: "lost: time goes on, the delay stays",
             lattice.SKIPPED: "skipped: the line left it out"}
    for first, last in zip(runs[:-1], runs[1:]):
        ax.plot([t[first] - HOP_S / 2, t[last - 1] + HOP_S / 2], [path[first]] * 2, **looks[fate[first]])
    for one in looks:
        if (fate == one).any():
            ax.plot([], [], **looks[one], label=names[one])
    ax.set_yticks(range(len(delays)), [f"{d / 8:.3f}".rstrip("0").rstrip(".") for d in delays])
    ax.set_xlabel("time in the reference, s")
    ax.set_ylabel("delay, ms (candidates)")
    ax.legend(loc="upper left", framealpha=0.9)
    fig.colorbar(shown, ax=ax, pad=0.01, label="nats for received, against lost")
    fig.tight_layout()
    fig.savefig(to)


if __name__ == "__main__":
    draw(*last_path(*pair(Path(sys.argv[1]))), sys.argv[2])
