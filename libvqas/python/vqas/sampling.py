"""How many measurements are needed, and the interval of their mean."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Optional

from . import _native


class Goal(NamedTuple):
    """A precision to reach."""

    half_width: float  #: MOS, above 0 and at most 4
    confidence: float  #: 0.5..0.9999


@dataclass(frozen=True)
class Interval:
    """Mean and two-sided interval of measurements: how well they repeat, without the model's own error."""

    n: int
    mean: Optional[float]  #: None without measurements
    standard_deviation: Optional[float]  #: None below two
    half_width: Optional[float]  #: None below two
    confidence: float


class Sampler:
    """Decides how many measurements one stimulus needs. A pure computation: equal calls give equal results.

    Measure `wanted` times, add each score, and repeat until `wanted` is 0. Raises vqas.InputError for an option out of
    range, which the message names. For one thread at a time."""

    def __init__(self, first_count: int = 5, step: int = 5, cap_count: int = 30, max_failures: int = 10,
                 goal: "tuple[float, float]" = Goal(0.1, 0.99),
                 fallback: "Optional[tuple[float, float]]" = Goal(0.15, 0.95)) -> None:
        self._sampler = _native.Sampler(first_count, step, cap_count, max_failures, goal, fallback)

    def add(self, mos: Optional[float]) -> None:
        """Adds a score; None and NaN are a measurement without one."""
        if mos is None:
            self._sampler.add_failure()
        else:
            self._sampler.add_score(mos)

    def stop(self, reason: str = "cancelled") -> None:
        """Ends the sampling from outside: "cancelled" or "line_lost"."""
        self._sampler.stop(reason)

    @property
    def wanted(self) -> int:
        """Measurements to make now, in one batch; 0 when finished."""
        return int(self._sampler.wanted)

    @property
    def stopped_because(self) -> Optional[str]:
        """"goal", "fallback", "cap_count", "failures", …; None while it has not ended."""
        return self._sampler.stopped_because

    @property
    def interval(self) -> Interval:
        return Interval(**self._sampler.interval())


def t_interval(values: Iterable[float], confidence: float) -> Interval:
    """Student's t interval of values whose number was fixed beforehand. Raises vqas.InputError for a confidence outside
    0..1 and for values that are not finite."""
    return Interval(**_native.t_interval(list(values), confidence))
