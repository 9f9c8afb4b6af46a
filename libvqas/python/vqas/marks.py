"""Marks: tones around a stimulus by which it is found in a stream. All samples are at 8000 Hz."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _native
from .samples import FloatArray, as_samples
from .scoring import Placement


@dataclass(frozen=True)
class MarkData:
    """Content of a leading mark."""

    sender: str = "a"  #: "a" or "b": the end that sends
    run_id: int = 0  #: 0..16777215
    stimulus: int = 0  #: 0..255
    sequence: int = 0  #: 0..65535
    corpus_digest: int = 0  #: 0..65535

    def _native(self) -> "tuple[str, int, int, int, int]":
        return (self.sender, self.run_id, self.stimulus, self.sequence, self.corpus_digest)


@dataclass(frozen=True)
class FoundMark:
    """A mark that was found."""

    kind: str  #: "leading" or "trailing"
    sender: str
    position: float  #: of its first sample, in samples since the detector's start; fractional
    confidence: float  #: 0..1
    coarse: bool  #: found by its energy alone; the position is accurate to some milliseconds
    level_dbov: Optional[float]
    data: Optional[MarkData]  #: of a leading mark whose checksum is correct


@dataclass(frozen=True)
class Capture:
    """What was received for one expected transmission."""

    data: MarkData  #: as expected
    marks_found: str  #: "both", "leading_only", "trailing_only" or "none"
    confirmed: bool  #: the leading mark's data were decoded and are the expected ones
    ambiguous: bool  #: another lost transmission of the same stimulus has the same recording; do not score it
    stream_position: int  #: of the first sample, since the receiver's start
    speech_start: Optional[float]  #: of the stimulus's first sample in `recording`
    clock_drift_ppm: Optional[float]
    delay_step: Optional[float]  #: by how many samples the marks' distance differs
    recording: FloatArray

    @property
    def placement(self) -> Optional[Placement]:
        """Where the speech must be, for vqas.score(); None unless both marks say so, and then it is searched for."""
        sure = self.confirmed and self.marks_found == "both" and self.delay_step is None and not self.ambiguous
        return Placement(self.speech_start) if sure and self.speech_start is not None else None


def leading_mark(data: MarkData) -> FloatArray:
    """The mark's samples. Raises vqas.InputError for a member out of range."""
    return _native.leading_mark(data._native())


def trailing_mark(sender: str = "a") -> FloatArray:
    return _native.trailing_mark(sender)


def transmission(stimulus: npt.ArrayLike, data: MarkData, guard_s: float = 0.05) -> "tuple[FloatArray, int]":
    """Leading mark, guard interval, stimulus, guard interval, trailing mark; and the number of the stimulus's first
    sample. `guard_s` is 0.05..1. Raises vqas.InputError for values out of range."""
    return _native.transmission(as_samples(stimulus), data._native(), guard_s)


def _data(given: "Optional[tuple[Any, ...]]") -> Optional[MarkData]:
    return None if given is None else MarkData(*given)


class Detector:
    """Finds one end's marks in a stream, block by block. For one thread at a time; releases the interpreter's lock."""

    def __init__(self, sender: str = "a") -> None:
        self._detector = _native.Detector(sender)

    def push(self, block: npt.ArrayLike) -> "list[FoundMark]":
        """Takes the next samples, shape (n,); gives the marks that they complete."""
        return [FoundMark(**{**one, "data": _data(one["data"])}) for one in self._detector.push(as_samples(block))]

    @staticmethod
    def latency() -> int:
        """The longest time from a mark's last sample to its report, in samples."""
        return int(_native.Detector.latency())


def find(samples: npt.ArrayLike, sender: str = "a") -> "list[FoundMark]":
    """All marks of one end in a recording."""
    detector = Detector(sender)
    return detector.push(samples) + detector.push(np.zeros(Detector.latency(), dtype=np.float32))


class Receiver:
    """Turns a live stream into captures, one for each expected transmission, in order. Keeps at most twice the last 70 s
    and the longest stimulus. For one thread at a time; releases the interpreter's lock."""

    def __init__(self, sender: str = "a", guard_s: float = 0.05) -> None:
        self._receiver = _native.Receiver(sender, guard_s)

    def expect(self, data: MarkData, length: int, within_s: float = 10.0) -> None:
        """A transmission that will come: its data, the stimulus's length in samples, and how long to wait for it, s."""
        self._receiver.expect(data._native(), length, within_s)

    def push(self, block: npt.ArrayLike) -> "list[Capture]":
        """Takes the next samples, shape (n,); gives the captures that they complete."""
        return self._captures(self._receiver.push(as_samples(block)))

    def finish(self) -> "list[Capture]":
        """Ends the stream; gives what was received for everything that is still expected."""
        return self._captures(self._receiver.finish())

    @staticmethod
    def _captures(given: "list[dict[str, Any]]") -> "list[Capture]":
        return [Capture(**{**one, "data": MarkData(*one["data"])}) for one in given]
