"""Confidence: the probability that a score lies within 0.5 of the label. The error of AD follows Student's t, whose scale grows with
a few terms."""

import numpy as np
from scipy.optimize import minimize
from scipy.stats import beta, t as student

from fitting import BEST, BOTTOM, distance_of, mos
from measuring import column
from speech_level import RATE

WITHIN = 0.5
# Weight of the squared factors, each in units of its term's spread. 1e-3 and 2e-3 hold back what few families show.
RIDGE = 1e-4
NAMES = ["scale", "shortness", "steps", "drift", "tone", "pattern", "foreign", "noise", "stretch", "ends", "taken"]
# Degrees of freedom of Student's t, as share_within() of libvqas/src/score/confidence/confidence.cpp.
FREEDOM = 3
WORD_S = 0.5  # as PerceptualModel::ambiguous_s in libvqas/src/score/model/model.h
FAR = 60.0  # scales: beyond it nothing changes
# As ScoreModel::most_confidence in libvqas/src/score/model/model.cpp: no confidence above it is stated.
MOST = 1.0 if RATE == 8000 else 0.89
EITHER = 0.5  # as PerceptualModel::trust_either
PUT_IN_S = 2.0  # as PerceptualModel::put_in_s


def terms(measured):
    """Mirrors error_scale() of libvqas/src/score/confidence/confidence.cpp, one column a name."""
    steps = np.sqrt(column(measured, "step_distance")) + np.sqrt(column(measured, "long_step_distance"))
    drift = np.sqrt(abs(column(measured, "drift_ppm")) / 1000)
    return np.column_stack([np.ones(len(measured)), column(measured, "short"), steps, drift, column(measured, "tone"),
                            column(measured, "by_pattern"), np.log1p(column(measured, "foreign_s") / WORD_S), column(measured, "noise"), column(measured, "stretched"),
                            np.minimum(1, column(measured, "ends_lost_s") / WORD_S), column(measured, "taken")])


def room(ad):
    """Mirrors confidence_of() of libvqas/src/score/confidence/confidence.cpp: what AD may be wrong by, to the closer side, with
    MOS within 0.5. Endless to a side where MOS ends first."""
    def to(other):
        on_scale = (BOTTOM < other) & (other < BEST)
        return np.where(on_scale, abs(distance_of(np.where(on_scale, other, BEST)) - ad), np.inf)

    return np.minimum(to(mos(ad) + WITHIN), to(mos(ad) - WITHIN))


def fit(t, within, good, ridge=RIDGE):
    """Greatest likelihood of `good`, whether a score is within; no factor below 0 except the constant."""
    spread = np.r_[1.0, t[:, 1:].std(0) + 1e-9]
    z = t / spread

    def loss(w):
        u = np.minimum(within / np.exp(np.clip(z @ w, -12, 6)), FAR)
        p = np.clip(2 * student.cdf(u, FREEDOM) - 1, 1e-6, 1 - 1e-6)
        slope = -2 * student.pdf(u, FREEDOM) * u
        gradient = z.T @ (((1 - good) / (1 - p) - good / p) * slope) / len(good)
        return -(good * np.log(p) + (1 - good) * np.log(1 - p)).mean() + ridge * (w[1:] ** 2).sum(), gradient + 2 * ridge * np.r_[0, w[1:]]

    start = np.r_[-2.5, np.zeros(t.shape[1] - 1)]
    bounds = [(None, None)] + [(0, None)] * (t.shape[1] - 1)
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x / spread


def probability(t, within, w):
    return 2 * student.cdf(within / np.exp(t @ w), FREEDOM) - 1


def held_out(t, within, good, groups, fitted):
    """Prediction by factors fitted without the group, to what is `fitted` of the others."""
    p = np.zeros(len(good))
    for g in np.unique(groups):
        k = groups == g
        others = ~k & fitted
        p[k] = probability(t[k], within[k], fit(t[others], within[others], good[others]))
    return p


def sure_of(p, good):
    """The share of pairs above 0.9, and how many of them are not within."""
    sure = p > 0.9
    return f"{sure.mean():.3f} stated above 0.9, of these {1 - good[sure].mean() if sure.any() else 0:.4f} are not"


def interval(count, hits, level=0.95):
    """Exact binomial interval (Clopper and Pearson 1934) of a share."""
    tail = (1 - level) / 2
    low = beta.ppf(tail, hits, count - hits + 1) if hits > 0 else 0.0
    high = beta.ppf(1 - tail, hits + 1, count - hits) if hits < count else 1.0
    return float(low), float(high)


def reliability(p, good):
    """Ten bins of equal width: (from, pairs, stated, found, and the interval of the found share)."""
    b = np.minimum((p * 10).astype(int), 9)
    return [(k / 10, int((b == k).sum()), float(p[b == k].mean()), float(good[b == k].mean()),
             *interval(int((b == k).sum()), int(good[b == k].sum()))) for k in range(10) if (b == k).any()]


def describe(title, p, good):
    lines = [f"{title}: {good.mean():.3f} of {len(good)} pairs within {WITHIN}; {sure_of(p, good)}", "", "| from | pairs | stated | found | 95 % interval |", "|---|---|---|---|---|"]
    return lines + ["| %.1f | %d | %.3f | %.3f | %.2f..%.2f |" % row for row in reliability(p, good)] + [""]


def put_in_limit(measured, prediction):
    """As in Engine::tell_ambiguities() of libvqas/src/score/engine_findings.cpp: pauses last longer or shorter, and the label may be lower."""
    seconds = column(measured, "moved_by_pauses_s")
    limit = np.where(seconds > WORD_S, EITHER, 1.0)
    return np.where(prediction - WITHIN > BOTTOM, np.minimum(limit, np.exp(-seconds / PUT_IN_S)), 1.0)


def calibrate(ordinary, others):
    """Each a dict: `measured`, `label`, `groups` and `predictions` by 'talkers' and 'families'; `others` by their name. All are
    fitted and tested together. Returns the factors by name, and a text with tables."""
    lines = ["## Confidence", ""]
    sets = [ordinary, *others.values()]
    measured = [m for s in sets for m in s["measured"]]
    label = np.concatenate([s["label"] for s in sets])
    kind = np.concatenate([np.full(len(s["label"]), name) for name, s in zip(["ordinary lines", *others], sets)])
    for name in ("talkers", "families"):
        prediction = np.concatenate([s["predictions"][name] for s in sets])
        groups = np.concatenate([s["groups"][name] for s in sets])
        good = (abs(prediction - label) <= WITHIN).astype(float)
        t, within = terms(measured), room(distance_of(prediction))
        limit = put_in_limit(measured, prediction)
        put_in = limit <= EITHER  # the limit decides: such pairs tell nothing of the factors
        p = held_out(t, within, good, groups, ~put_in)
        p = np.minimum(p, limit)
        lines += [f"{name} left out: log loss {-np.log(np.clip(np.where(good > 0, p, 1 - p), 1e-6, 1)).mean():.4f}", ""]
        if MOST < 1:
            lines += [f"{name} left out, without the limit of {MOST}: {sure_of(p, good)}", ""]
            p = np.minimum(p, MOST)
        lines += describe(f"{name} left out", p, good)
        for one in np.unique(kind):
            lines += describe(f"{name} left out, {one}", p[kind == one], good[kind == one])
    # Some lines in use resemble no fitted family: the result for held-out families applies to them.
    return dict(zip(NAMES, map(float, fit(t[~put_in], within[~put_in], good[~put_in])))), "\n".join(lines)
