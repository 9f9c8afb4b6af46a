"""The benefit of each part of the design: one constant or term changed at a time, weights refitted, groups held out."""

import fitting as ft
from measuring import features, measure

VARIANTS = {
    "as designed": [],
    "jumps heard on one side only": ["jump_reach=0"],
    "reach of a jump 1": ["jump_reach=1"],
    "reach of a jump 6": ["jump_reach=6"],
    "silence at the ends counts": ["silent_db=-200"],
    "softer sound at the ends is left out (-30 dB)": ["silent_db=-30"],
    "response from all active frames": ["loud_db=-22.5"],
    "exponent of loudness 1/6": ["gamma=0.166667"],
    "exponent of loudness 0.14": ["gamma=0.14"],
    "floor -80 dB": ["floor_db=-80"],
    "floor -66 dB": ["floor_db=-66"],
    "handset corner 360 Hz": ["handset_hz=360"],
    "no handset": ["handset_hz=1"],
    "raised by 7 dB": ["raised_db=7"],
    "raised cells: third power": ["raised_norm=3"],
    "gain up to +8 dB": ["gain_high_db=8"],
    "gain down to -27 dB": ["gain_low_db=-27"],
    "no gain followed": ["gain_high_db=0", "gain_low_db=0"],
    "no frame weight": ["frame_exponent=0"],
    "no response forgiven": ["response_limit=1"],
    "mean of windows (exponent 1)": ["time_exponent=1"],
    "windows of 10 frames": ["window=10"],
    "windows of 32 frames": ["window=32"],
    "12 candidates of delay": ["candidates=12"],
}
TERMS = {"changed only": [0], "raised only": [1], "changed and raised": [0, 1]}


def run(out, rows, program, jobs, label, talker, family):
    """Markdown table of these rows."""
    lines = ["## Ablation", "", f"{len(rows)} sentence pairs; talkers left out, families left out.", "",
             "| variant | r | RMSE | r | RMSE |", "|---|---|---|---|---|"]

    def row(name, f):
        a, b = (ft.figures(ft.held_out(f, label, g), label) for g in (talker, family))
        lines.append(f"| {name} | {a[1]:.4f} | {a[2]:.4f} | {b[1]:.4f} | {b[2]:.4f} |")
        print(lines[-1], flush=True)

    for name, settings in VARIANTS.items():
        f = features(measure(out, rows, program, jobs, settings))
        row(name, f)
        if not settings:
            for title, columns in TERMS.items():
                row(title, f[:, columns])
    return "\n".join(lines) + "\n"
