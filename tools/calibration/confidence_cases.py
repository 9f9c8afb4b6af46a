"""The contract between confidence.py and libvqas/src/score/confidence/confidence.cpp: distances and circumstances with the confidence
that follows by the compiled-in factors. tests/score/confidence_cases_test.cpp compares the library with them.

usage: VQAS_CALIBRATION_RATE=8000|16000 python confidence_cases.py FILE [--write]
Recomputes FILE, and fails where it differs (77: no numpy or scipy); with --write writes it, as tools/calibrate --write does.
"""

import csv
import io
import sys
from pathlib import Path

try:
    import numpy as np
    import scipy  # of confidence.py
except ImportError as missing:
    print(missing)
    sys.exit(77)  # skipped

import confidence
from speech_level import RATE
from table import read_table

FILE = Path(__file__).parents[2] / "tests/score" / f"confidence_cases_{'narrowband' if RATE == 8000 else 'wideband'}.csv"
# AD: the best, near it, in the middle of MOS's scale, where 0.5 less is below its end, and far beyond it.
DISTANCES = (0, 0.1, 0.9, 2.0655, 3.9, 4.1, 6, 12, 30, 39)
PLAIN = dict(short=0, noise=0, step_distance=0, long_step_distance=0, tone=0, foreign_s=0, by_pattern=0, drift_ppm=0, stretched=0, ends_lost_s=0, taken=0)
# Each term alone, on both sides of each limit, and together.
CIRCUMSTANCES = [
    {}, dict(short=0.6), dict(noise=0.7), dict(noise=0.4, tone=0.5), dict(by_pattern=1), dict(drift_ppm=-900), dict(drift_ppm=12000),
    dict(step_distance=0.36), dict(long_step_distance=0.81), dict(step_distance=1.2, long_step_distance=0.3),
    dict(foreign_s=0.1, step_distance=0.36), dict(foreign_s=0.5, step_distance=0.36), dict(stretched=0.035), dict(stretched=0.06, step_distance=0.4), dict(ends_lost_s=0.2), dict(ends_lost_s=0.9), dict(taken=0.08),
    dict(taken=0.2, step_distance=0.36), dict(short=0.3, noise=0.2, step_distance=0.5, tone=0.1, drift_ppm=40),
    dict(short=0.9, noise=1, foreign_s=2, by_pattern=1, drift_ppm=3000),
]


def rows():
    """Lines of the file, each a list of strings."""
    every = [dict(PLAIN, **c) for c in CIRCUMSTANCES]
    table = read_table()
    factors = np.array([table[f"trust{name}"] for name in confidence.NAMES])
    t = confidence.terms(every)
    lines = [["ad", *PLAIN, "confidence"]]
    for ad in DISTANCES:
        p = np.minimum(confidence.MOST, confidence.probability(t, confidence.room(np.full(len(every), float(ad))), factors))
        lines += [[str(v) for v in (ad, *c.values())] + [f"{one:.9f}"] for c, one in zip(every, p)]
    return lines


def write(path=FILE):
    with open(path, "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows(rows())


def differences(text):
    """What differs from the lines of `text`, by more than rounding in the last place."""
    there, here = list(csv.reader(io.StringIO(text))), rows()
    if len(there) != len(here) or there[0] != here[0]:
        return ["other cases"]
    return [f"{a} should be {b[-1]}" for a, b in zip(there[1:], here[1:]) if a[:-1] != b[:-1] or abs(float(a[-1]) - float(b[-1])) > 2e-9]


def main():
    path = Path(sys.argv[1])
    if sys.argv[2:] == ["--write"]:
        write(path)
        return
    wrong = differences(path.read_text())
    for line in wrong[:20]:
        print(line)
    sys.exit(len(wrong) > 0)


if __name__ == "__main__":
    main()
