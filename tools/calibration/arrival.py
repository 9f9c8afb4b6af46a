"""tools/calibrate --mode arrival: the weights by which the score tells what arrived, from planted pairs."""

import argparse
import re
import subprocess
from pathlib import Path

import numpy as np

TABLE = Path(__file__).parents[2] / "libvqas/src/score/lattice/arrival_table.h"
TERMS = ("Certain", "Alike", "Weaker", "Stronger", "Missing")
LINES = "mu ber1e-3 ber1e-2 white20 white10 white0 mnru mnru8 clipped band high800 high1100 wow displaced noisy10 noisy0 clicks bursts hum"
EDITS = "single loss_zero loss_repeat left_out muted mix steps step_speech"
BOTH = """loss_zero+white20 loss_zero+white10 loss_zero+white0 loss_zero+band loss_zero+wow loss_zero+ber1e-3 loss_zero+noisy10
loss_repeat+ber1e-2 loss_repeat+white10 loss_repeat+white0 loss_repeat+band loss_repeat+mnru loss_repeat+mnru8
loss_repeat+high800 loss_repeat+high1100 loss_repeat+displaced loss_repeat+clipped loss_repeat+noisy0 left_out+white10
loss_repeat+clicks loss_zero+bursts loss_repeat+hum muted+clicks
muted+white0 muted+white10 muted+ber1e-2 muted+mnru8"""
KINDS = f"{LINES} {EDITS} {BOTH}".split()
MOST = 50  # by which the rarer class is weighted at most


def arguments():
    p = argparse.ArgumentParser(prog="calibrate --mode arrival", description=__doc__)
    p.add_argument("--speech", type=Path, required=True)
    p.add_argument("--measure", type=Path, required=True)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--pairs", type=int, default=5, help="of each kind")
    p.add_argument("--write", action="store_true")
    for given in ("--out", "--corpus"):  # tools/calibrate gives them to each mode
        p.add_argument(given, help=argparse.SUPPRESS)
    return p.parse_args()


def fit(x, y, ridge=1.0):
    """Logistic regression (Newton); both classes count as much, so that the constant is evidence and no frequency."""
    weight = np.where(y, 1.0, min(MOST, y.sum() / max(1, (~y).sum())))
    prior = np.log((weight * y).sum() / (weight * ~y).sum())
    b = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ b + prior, -30, 30)))
        gradient = x.T @ (weight * (y - p)) - ridge * b
        hesse = (x * (weight * p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(b))
        step = np.linalg.solve(hesse, gradient)
        b += step
        if abs(step).max() < 1e-6:
            break
    return b


def right(x, y, b):
    """Of steps that arrived and of those that did not: the share whose evidence says so."""
    told = x @ b > 0
    return f"{np.mean(told[y]):.3f} of {y.sum()} received and {np.mean(~told[~y]):.3f} of {(~y).sum()} lost steps told alone"


def main():
    a = arguments()
    command = [a.measure, a.speech, str(a.seed), str(a.pairs), *KINDS]
    steps = np.fromstring(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout, sep=" ").reshape(-1, 3 + len(TERMS))
    pair, arrived, in_place, x = steps[:, 0].astype(int), steps[:, 1], steps[:, 2], steps[:, 3:]
    # What falls on a border, or was laid at a wrong place, says nothing.
    used = ((arrived > 0.9) & (in_place > 0.5)) | (arrived < 0.1)
    y = arrived > 0.5
    even = pair % 2 == 0
    print("fitted to every second pair, the others:", right(x[used & ~even], y[used & ~even], fit(x[used & even], y[used & even])))
    b = fit(x[used], y[used])
    print("fitted to all:", right(x[used], y[used], b))
    print(", ".join(f"{name} {value:.3f}" for name, value in zip(TERMS, b)))
    if a.write:
        text = TABLE.read_text()
        told = f"// seed {a.seed}, {a.pairs} pairs of each of {len(KINDS)} kinds, {used.sum()} steps of {len(set(pair))} pairs"
        text = re.sub(r"^// .*(?=\n\nnamespace)|^//(?=\n\nnamespace)", told, text, flags=re.M)
        for name, value in zip(TERMS, b):
            text = re.sub(rf"(k{name} = )[^;]+;", rf"\g<1>{value:.3g};", text)
        TABLE.write_text(text)


if __name__ == "__main__":
    main()
