"""Tables of the packet calls made by other programs, in Markdown."""

import numpy as np

import confidence
import fitting as ft
from speech_level import RATE

FAR = 0.5  # MOS
SURE = 0.9 if RATE == 8000 else 0.85  # the wideband model states at most 0.89


def _sure(p, error):
    """How many are stated above SURE, and the share of them that is far off with its exact interval."""
    sure = p > SURE
    n, far = int(sure.sum()), int((abs(error[sure]) > FAR).sum())
    if not n:
        return "none | | "
    low, high = confidence.interval(n, far)
    return f"{n} ({n / len(p):.0%}) | {far} ({far / n:.1%}) | {low:.1%} to {high:.1%}"


def _line(name, p, label, trust):
    n, r, rmse, bias = ft.figures(p, label)
    return f"| {name} | {n} | {r:.3f} | {rmse:.3f} | {bias:+.3f} | {_sure(trust, p - label)} |"


STEPS = (0, 0.05, 0.35, 0.7)  # AD


def _by_steps(p, label, trust, cost):
    """The same by what is heard beside the steps of the delay."""
    lines = [f"| beside steps of the delay, AD | pairs | bias | RMSE | stated above {SURE} | of these off by more than {FAR} | 95 % interval |", "|---|---|---|---|---|---|---|"]
    part = np.searchsorted(STEPS[1:], cost)
    for i, low in enumerate(STEPS):
        k = part == i
        if k.any():
            e = p[k] - label[k]
            lines.append(f"| above {low} | {k.sum()} | {e.mean():+.2f} | {np.sqrt((e * e).mean()):.2f} | {_sure(trust[k], e)} |")
    return lines


def _worst(rows, measured, p, label, count):
    lines = ["| pair | label | score | confidence | lost, missed | jumps | missing, s |", "|---|---|---|---|---|---|---|"]
    for i in np.argsort(-abs(p - label))[:count]:
        m, r = measured[i], rows[i]
        lines.append(f"| {r['source']} {r['condition']} | {label[i]:.2f} | {p[i]:.2f} | {float(m['confidence']):.2f} | {r['lost']}, {r['missed']} of "
                     f"{r['packets']} | {float(m['jumps']):.1f} | {float(m['lost_s']):.2f} |")
    return lines


def tables(rows, measured, unlabelled):
    scored = [i for i, m in enumerate(measured) if m["outcome"] == "scored"]
    refused = [rows[i] for i, m in enumerate(measured) if m["outcome"] != "scored"]
    rows, measured = [rows[i] for i in scored], [measured[i] for i in scored]
    label = np.array([float(r["label"]) for r in rows])
    p = np.array([float(m["mos"]) for m in measured])
    trust = np.array([float(m["confidence"]) for m in measured])
    family = np.array([r["family"] for r in rows])
    lines = [f"{len(rows)} pairs scored, {len(refused)} refused, {unlabelled} without a label; {len({r['talker'] for r in rows})} talkers, "
             f"{len({r['condition'] for r in rows})} conditions", "",
             f"| family | pairs | r | RMSE | bias | stated above {SURE} | of these off by more than {FAR} | 95 % interval |", "|---|---|---|---|---|---|---|---|"]
    lines += [_line(f, p[family == f], label[family == f], trust[family == f]) for f in sorted(set(family))]
    lines += [_line("all", p, label, trust), "", *_by_steps(p, label, trust, np.array([float(m["step_distance"]) for m in measured])), ""]
    lines += [*confidence.describe("all calls", trust, (abs(p - label) <= FAR).astype(float)), "The worst:", "", *_worst(rows, measured, p, label, 15), ""]
    lines += [f"refused: {r['degraded']}, label {r['label']}" for r in refused]
    return "\n".join(lines) + "\n"
