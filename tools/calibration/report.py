"""Tables of the validation, in Markdown."""

import numpy as np

import fitting as ft

OTHERS = "calls by other programs"
BLIND = {"cut"}  # families with a meaningless label: it ignores speech that never arrived


def groups(rows):
    """Talker, and family with all simulated packet calls as one family, and all that were made by other programs as another."""
    talker = np.array([r["talker"] for r in rows])
    family = np.array([r["family"] for r in rows])
    merged = np.array(["call" if f.startswith("call") else OTHERS if f.startswith(("gst_", "baresip_")) else f for f in family])
    return talker, family, merged


def line(name, prediction, label, condition):
    n, r, rmse, bias = ft.figures(prediction, label)
    a, b, _ = ft.by_condition(prediction, label, condition)
    _, rc, rmse_c, _ = ft.figures(a, b)
    return f"| {name} | {n} | {r:.4f} | {rmse:.3f} | {bias:+.3f} | {rc:.4f} | {rmse_c:.3f} |"


HEAD = ["| set | n | r a file | RMSE | bias | r a condition | RMSE |", "|---|---|---|---|---|---|---|"]


def validation(f, label, rows, pair, train, weights):
    """Text, and held-out predictions of all pairs by weights that were fitted to `train` without their group."""
    talker, family, merged = groups(rows)
    condition = np.array([r["condition"] for r in rows])
    sane = ~np.isin(family, list(BLIND))
    predictions = {}
    for name, g in (("talkers", talker), ("families", merged)):
        out = np.zeros(len(label))
        for v in np.unique(g):
            k = g == v
            out[k] = ft.mos(f[k] @ ft.fit(f[~k & train], label[~k & train], start=weights))
        predictions[name] = out
    calls = np.char.startswith(family, "call")
    others = merged == OTHERS
    ordinary = pair & ~others
    lines = ["## Validation", "", *HEAD]
    for name, p in predictions.items():
        for title, k in (("sentence pairs", ordinary & sane), ("packet calls", ordinary & calls), ("sentence pairs with cuts", ordinary),
                         ("single sentences", ~pair & sane), (OTHERS, others)):
            if k.any():
                lines.append(line(f"{title}, {name} left out", p[k], label[k], condition[k]))
    lines += ["", "Families, each left out, sentence pairs:", "", *ft.family_table(predictions["families"][pair], label[pair], family[pair]),
              "", "Talkers, each left out, sentence pairs without cuts:", "",
              *ft.family_table(predictions["talkers"][ordinary & sane], label[ordinary & sane], talker[ordinary & sane])]
    return "\n".join(lines) + "\n", predictions


def as_it_is(measured, rows, label, pair):
    """The same figures for the library with its built-in weights; unscored pairs count as MOS 1."""
    p = np.array([float(m["mos"]) for m in measured])
    none = np.array([m["outcome"] != "scored" for m in measured])
    condition = np.array([r["condition"] for r in rows])
    _, family, merged = groups(rows)
    sane = ~np.isin(family, list(BLIND))
    others = merged == OTHERS
    lines = ["", "## The library as it was built", "", f"{none.sum()} of {len(rows)} pairs without a score", "", *HEAD]
    for title, k in (("sentence pairs", pair & ~others & sane), ("packet calls", pair & np.char.startswith(family, "call")),
                     ("single sentences", ~pair & sane), (OTHERS, others)):
        if k.any():
            lines.append(line(title, p[k], label[k], condition[k]))
    return "\n".join(lines) + "\n"


def strange(measured, rows, label):
    """The library as built, by family, on the lines of strange.py, which are not used above."""
    p = np.array([float(m["mos"]) for m in measured])
    none = sum(m["outcome"] != "scored" for m in measured)
    lines = ["", "## Strange lines", "", f"{none} of {len(rows)} pairs without a score (counted as 1)", "",
             *ft.family_table(p, label, np.array([r["family"] for r in rows]))]
    return "\n".join(lines) + "\n"
