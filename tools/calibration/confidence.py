"""Confidence: the probability that a score lies within 0.5 of the label, by a logistic with few terms."""

import numpy as np
from scipy.optimize import minimize

from model import TRUST

WITHIN = 0.5


def terms(facts, score):
    """Constant, the facts of trust, and how steep the scale is at this score (0 at its ends, 1 in the middle)."""
    steep = np.clip((score - 1) * (4.55 - score), 0, None) / 3.15
    return np.column_stack([np.ones(len(score)), facts, steep])


NAMES = [*TRUST, "steep"]


def fit(t, good, ridge=1e-3):
    scale = np.r_[1.0, t[:, 1:].std(0) + 1e-9]
    z = t / scale

    def loss(w):
        a = z @ w
        p = 1 / (1 + np.exp(-a))
        return (np.logaddexp(0, a) - good * a).mean() + ridge * (w[1:] ** 2).sum(), z.T @ (p - good) / len(good) + 2 * ridge * np.r_[0, w[1:]]

    return minimize(loss, np.zeros(t.shape[1]), jac=True, method="L-BFGS-B").x / scale


def probability(t, w):
    return 1 / (1 + np.exp(-(t @ w)))


def held_out(t, good, groups):
    p = np.zeros(len(good))
    for g in np.unique(groups):
        k = groups == g
        p[k] = probability(t[k], fit(t[~k], good[~k]))
    return p


def reliability(p, good):
    """Ten bins of equal width: (from, pairs, stated, found)."""
    b = np.minimum((p * 10).astype(int), 9)
    return [(k / 10, int((b == k).sum()), float(p[b == k].mean()), float(good[b == k].mean())) for k in range(10) if (b == k).any()]


def calibrate(facts, predictions, label, talker, family):
    """predictions: held-out scores by 'talkers' and 'families'. Returns what the library needs, and a text with tables."""
    lines, result = ["## Confidence", ""], {}
    for name, groups in (("talkers", talker), ("families", family)):
        score = predictions[name]
        good = (abs(score - label) <= WITHIN).astype(float)
        t = terms(facts, score)
        p = held_out(t, good, groups)
        sure = p > 0.9
        lines += [f"{name} left out: {good.mean():.3f} of {len(good)} pairs within {WITHIN}; {sure.mean():.3f} stated above 0.9, of these "
                  f"{1 - good[sure].mean():.4f} are not", "", "| from | pairs | stated | found |", "|---|---|---|---|"]
        lines += ["| %.1f | %d | %.3f | %.3f |" % row for row in reliability(p, good)] + [""]
        result = dict(zip(NAMES, map(float, fit(t, good))))
    return result, "\n".join(lines)
