"""Stage e-f: few non-negative, regularised weights before one logistic; validation with held-out talkers and families."""

import numpy as np
from scipy.optimize import minimize

from speech_level import RATE

# The ends of the scale of P.862.1 and, at 16 kHz, of P.862.2; the library's are in src/score/model/model.cpp.
BOTTOM, BEST = (1.0, 4.55) if RATE == 8000 else (1.0427, 4.6439)
# BOTTOM + 4/(1 + exp(-TOP)) = BEST, the value for identity
TOP = float(np.log((BEST - BOTTOM) / (BOTTOM + 4 - BEST)))
WORST = 40  # AD that leaves nothing of MOS above BOTTOM
RIDGE = 1e-4


def mos(ad):
    return BOTTOM + 4 / (1 + np.exp(np.clip(ad, 0, WORST) - TOP))


def distance_of(mos):
    """The inverse; WORST for BOTTOM, where many distances have one MOS."""
    with np.errstate(divide="ignore"):
        return np.minimum(TOP + np.log(4 / np.maximum(mos - BOTTOM, 0) - 1), WORST)


def fit(features, label, ridge=RIDGE, start=None):
    """Weights >= 0 of least squared MOS error, plus `ridge` times the mean squared share of each term in the distance."""
    scale = np.sqrt((features**2).mean(0)) + 1e-12
    f = features / scale
    w0 = np.full(f.shape[1], 2.0 / f.shape[1]) if start is None else np.asarray(start) * scale

    def loss(w):
        s = 1 / (1 + np.exp(np.clip(f @ w, 0, WORST) - TOP))
        e = BOTTOM + 4 * s - label
        g = -(8 * e * s * (1 - s)) @ f / len(label) + 2 * ridge * w
        return (e * e).mean() + ridge * (w * w).sum(), g

    r = minimize(loss, w0, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(w0), options=dict(maxiter=500))
    return r.x / scale


def held_out(features, label, groups, ridge=RIDGE):
    """Prediction of every row by weights fitted without its group."""
    out = np.zeros(len(label))
    start = fit(features, label, ridge)
    for g in np.unique(groups):
        inside = groups == g
        out[inside] = mos(features[inside] @ fit(features[~inside], label[~inside], ridge, start))
    return out


def figures(prediction, label):
    """n, Pearson's r, root mean square error, bias."""
    e = prediction - label
    r = np.corrcoef(prediction, label)[0, 1] if len(label) > 2 and label.std() > 0 and prediction.std() > 0 else np.nan
    return len(label), r, float(np.sqrt((e * e).mean())), float(e.mean())


def by_condition(prediction, label, condition):
    """Means over the files of each condition."""
    names, i = np.unique(condition, return_inverse=True)
    n = np.bincount(i)
    return np.bincount(i, prediction) / n, np.bincount(i, label) / n, names


def family_table(prediction, label, family):
    """Lines of a Markdown table."""
    lines = ["| family | n | r | RMSE | bias |", "|---|---|---|---|---|"]
    for f in sorted(set(family)):
        k = family == f
        lines.append("| %s | %d | %.3f | %.3f | %+.2f |" % (f, *figures(prediction[k], label[k])))
    return lines
