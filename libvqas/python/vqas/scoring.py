"""Scores of pairs."""
from __future__ import annotations

import collections
import os
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Optional, Union

from . import _native
from .results import Score, score_of
from .samples import Sound, recording

MODES = ("nb", "wb", "auto")

#: One rate for both recordings, or that of the reference and that of the degraded recording; None for files.
Rate = Union[int, "tuple[Optional[int], Optional[int]]", None]


@dataclass(frozen=True)
class Placement:
    """Position of the speech in the degraded recording, known from marks. What lies there is scored, whatever it is."""

    start: float  #: of the reference's first sample, in samples of the degraded recording; fractional
    clock_drift_ppm: float = 0.0  #: positive: the degraded recording's clock is fast; -12500..12500
    uncertainty_s: float = 0.05  #: largest distance of the speech from `start`


class Scorer:
    """Compares recordings; keeps its work space between pairs. For one thread at a time.

    The same pair gives the same score on every scorer, in any order. The interpreter's lock is released while a pair is
    scored, so one scorer for each thread uses all processors."""

    def __init__(self) -> None:
        self._scorer = _native.Scorer()

    def score(self, reference: Sound, degraded: Sound, rate: Rate = None, *, mode: str = "nb", diagnose: bool = True,
              explain: bool = False, placement: Optional[Placement] = None, channel: int = 0) -> Score:
        """As vqas.score()."""
        if mode not in MODES:
            raise ValueError(f'the mode is "{mode}"; give "nb", "wb" or "auto"')
        rates = rate if isinstance(rate, tuple) else (rate, rate)
        if explain:
            depth = _native.Depth.EXPLANATION
        else:
            depth = _native.Depth.DIAGNOSIS if diagnose else _native.Depth.SCORE
        place = None if placement is None else (placement.start, placement.clock_drift_ppm, placement.uncertainty_s)
        return score_of(self._scorer.score(recording(reference, rates[0], channel), recording(degraded, rates[1], channel),
                                           depth, place, mode))

    def row(self, reference: str, reference_channel: int, degraded: str, degraded_channel: int,
            impairments: bool) -> "list[str]":
        """The fields of a row of `vqas score --manifest` up to score_version, of two files. Never raises for a file."""
        return self._scorer.row(reference, reference_channel, degraded, degraded_channel, impairments)


_own = threading.local()


def scorer_of_this_thread() -> Scorer:
    """The thread's own scorer."""
    if not hasattr(_own, "scorer"):
        _own.scorer = Scorer()
    return _own.scorer  # type: ignore[no-any-return]


def score(reference: Sound, degraded: Sound, rate: Rate = None, *, mode: str = "nb", diagnose: bool = True,
          explain: bool = False, placement: Optional[Placement] = None, channel: int = 0) -> Score:
    """Compares a degraded recording with its reference.

    reference, degraded
        Mono samples, shape (n,), float32, float64, int16 or int32; or the names of files.
    rate
        Of the arrays, in Hz, 8000 or more; a tuple for two different ones; None where both are files.
    mode
        The model and its scale: "nb" the telephone band, MOS-LQON; "wb" 50 to 7000 Hz, MOS-LQOW, from 16000 Hz on;
        "auto" wideband where both rates allow it. `score_mode` of the result says which. Scores of different modes must
        not be compared or averaged.
    diagnose
        Also indices and impairments. Without them a score takes a fraction of the time.
    explain
        Also the explanation. Not for references of 120 s or more.
    placement
        Where the speech must be. Without it the speech is searched for, and speech that is not found has no score.
    channel
        Of files, counted from 1; 0: they must be mono.

    A pair that cannot be scored, also because a file is missing or damaged or a sample is NaN, gives a Score whose
    outcome and reason say why. References of 120 s or more are scored in segments, with a diagnosis; files then need no
    more memory than a segment.

    Raises ValueError for another mode, and for an array without a rate or of another shape, TypeError for another type, OSError where the
    system refuses to read. Thread-safe; the interpreter's lock is released while the pair is scored, so no other thread may
    change the arrays meanwhile. Contiguous float32 is read where it lies, without a copy; contiguous float64, int16 and
    int32 are converted to float32 once, into memory that is used again; other strides are copied first."""
    return scorer_of_this_thread().score(reference, degraded, rate, mode=mode, diagnose=diagnose, explain=explain,
                                          placement=placement, channel=channel)


def score_many(pairs: "Iterable[tuple[Sound, Sound]]", rate: Rate = None, *, mode: str = "nb",
               threads: Optional[int] = None, diagnose: bool = True, channel: int = 0) -> Iterator[Score]:
    """Scores pairs in several threads, and gives the scores in the order of the pairs.

    `pairs` is read as scores are taken, a few pairs for each thread ahead, so it may be a generator of any length.
    `threads` is 1 or more; None: one for each processor. The other arguments are those of score(). The scores do not
    depend on the threads. Raises as score() does, for the pair whose turn it is; ValueError for a number of threads
    below 1."""
    count = threads if threads is not None else os.cpu_count() or 1
    if count < 1:
        raise ValueError(f"threads is {count}; give 1 or more")
    return _scores_of(pairs, rate, mode, count, diagnose, channel)


def _scores_of(pairs: "Iterable[tuple[Sound, Sound]]", rate: Rate, mode: str, threads: int, diagnose: bool,
               channel: int) -> Iterator[Score]:
    with ThreadPoolExecutor(threads, thread_name_prefix="vqas") as pool:
        waiting: "collections.deque[Future[Score]]" = collections.deque()
        try:
            for reference, degraded in pairs:
                waiting.append(pool.submit(score, reference, degraded, rate, mode=mode, diagnose=diagnose,
                                           channel=channel))
                if len(waiting) > 3 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()
