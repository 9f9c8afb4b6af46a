"""What each part of the design buys: one constant or term changed at a time, weights fitted anew, groups left out."""

from dataclasses import replace

import numpy as np

import fitting as ft
from distance import Constants
from model import features

VARIANTS = {
    "as designed": {},
    "jumps heard on one side only": dict(reach=0),
    "reach of a jump 1": dict(reach=1),
    "reach of a jump 6": dict(reach=6),
    "quiet frames count in full": dict(quiet=0.0),
    "quiet frames count less (0.2)": dict(quiet=0.2),
    "response from all active frames": dict(loud_db=-22.5),
    "gamma 1/6": dict(gamma=1 / 6),
    "gamma 0.14": dict(gamma=0.14),
    "floor -80 dB": dict(floor_db=-80.0),
    "floor -66 dB": dict(floor_db=-66.0),
    "handset corner 360 Hz": dict(corner=360.0),
    "no handset": dict(corner=1.0),
    "raised by 7 dB": dict(raised_db=7.0),
    "raised cells: third power": dict(p2=3.0),
    "raised cells: fourth power": dict(p2=4.0),
    "gain up to +8 dB": dict(gain_high_db=8.0),
    "no gain followed": dict(gain_high_db=0.0, gain_low_db=0.0),
    "no frame weight": dict(frame_exponent=0.0),
    "no response forgiven": dict(response=1.0),
    "mean of windows (exponent 1)": dict(lt=1.0),
    "windows of 10 frames": dict(window=10, step=5),
    "windows of 32 frames": dict(window=32, step=16),
}
TERMS = {"changed only": [0], "raised only": [1], "changed and raised": [0, 1], "without the clock": [0, 1, 2], "without inserted": [0, 1, 3]}


def run(cache, rows, index, label, talker, family):
    """Markdown table over the rows `index`."""
    lines = ["## Ablation", "", f"{len(index)} sentence pairs.", "", "| variant | r | RMSE | r | RMSE |", "|---|---|---|---|---|"]
    y, t, m = label[index], talker[index], family[index]

    def row(name, f):
        a, b = (ft.figures(ft.held_out(f, y, g), y) for g in (t, m))
        lines.append(f"| {name} | {a[1]:.4f} | {a[2]:.4f} | {b[1]:.4f} | {b[2]:.4f} |")
        print(lines[-1], flush=True)

    for name, change in VARIANTS.items():
        f, _ = features(cache, rows, replace(Constants(), **change), index)
        row(name, f)
        if not change:
            for title, columns in TERMS.items():
                row(title, f[:, columns])
    return "\n".join(lines) + "\n"
