"""What a node tells, as dataclasses with the names of protocol-notifications.md.

`None` means "unknown" or "not told". Members that this version does not know are left out."""
from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional, TypeVar, Union

from ..results import DelayPiece

_T = TypeVar("_T")


def known_members(kind: "type[_T]", given: Mapping[str, Any]) -> _T:
    """A dataclass from the members that it knows."""
    names = {one.name for one in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in given.items() if name in names})


@dataclass(frozen=True)
class FoundImpairment:
    impairment: str
    strength: float
    cost_mos: Optional[float] = None


@dataclass(frozen=True)
class Findings:
    """Indices and impairments of a measurement."""

    impairments: "tuple[FoundImpairment, ...]" = ()
    band_low_hz: Optional[float] = None
    band_high_hz: Optional[float] = None
    band_loudness_lost: Optional[float] = None
    missing_front_ms: Optional[float] = None
    missing_middle_ms: Optional[float] = None
    missing_tail_ms: Optional[float] = None
    level_range_db: Optional[float] = None
    noise_dbm0p: Optional[float] = None
    noise_cost_mos: Optional[float] = None
    unrecognised_cost_mos: Optional[float] = None


@dataclass(frozen=True)
class Heard:
    """What came where a mark was due."""

    kind: str  #: "no_packets", "digital_silence", "quiet", "tone" or "noise"
    level_dbov: Optional[float] = None
    level_dbm0p: Optional[float] = None
    tone_hz: Optional[float] = None


@dataclass(frozen=True)
class Sent:
    """A transmission has begun."""

    sequence: int
    left_at_ns: int  #: when its first sample left, by the line's clock
    clock_offset_ns: Optional[int] = None


@dataclass(frozen=True)
class Measurement:
    """What was received of one transmission. It is on the node's disk."""

    sequence: int
    stimulus: str
    outcome: str
    reason: Optional[str] = None
    mos_lqo: Optional[float] = None  #: only of outcome "scored"
    auditory_distance: Optional[float] = None
    clock_drift_ppm: Optional[float] = None
    level_difference_db: Optional[float] = None
    findings: Optional[Findings] = None
    marks_found: Optional[str] = None  #: "both", "leading_only", "trailing_only" or "none"
    leading_confidence: Optional[float] = None
    trailing_confidence: Optional[float] = None
    delay_step_ms: Optional[float] = None
    recording: Optional[str] = None  #: a name for Node.recording()
    arrived_at_ns: Optional[int] = None  #: by the line's clock
    number_guessed: bool = False
    heard_until_ns: Optional[int] = None
    heard: Optional[Heard] = None
    placement: "Optional[dict[str, Any]]" = None
    delay_track: "tuple[DelayPiece, ...]" = ()
    note: Optional[str] = None
    line: "Optional[dict[str, Any]]" = None  #: counts of a real line
    clock_offset_ns: Optional[int] = None
    clock_step_ms: Optional[float] = None
    mark_drift_ppm: Optional[float] = None
    zeroed_ms: Optional[float] = None
    repeated_ms: Optional[float] = None
    # As results.json has them; from measure(), not from a node.
    direction: Optional[str] = None  #: "a-to-b" or "b-to-a"
    delay_ms: Optional[float] = None  #: one way; only where both ends have one clock
    delay_basis: str = "unknown"  #: "virtual_time" with a delay

    @property
    def scored(self) -> bool:
        """Whether there is a MOS."""
        return self.outcome == "scored"

    def to_dict(self) -> "dict[str, Any]":
        """All members as dictionaries and tuples."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Silence:
    """A mark is overdue; told once a second."""

    sequence: int
    waited_s: float
    left_s: float  #: until the transmission is abandoned
    heard: Optional[Heard] = None


@dataclass(frozen=True)
class LineWarning:
    message: str


@dataclass(frozen=True)
class Played:
    """All of a transmission has left; real lines only."""

    sequence: int
    line: "Optional[dict[str, Any]]" = None
    lag_ms: Optional[float] = None
    clock_step_ms: Optional[float] = None
    clock_offset_ns: Optional[int] = None
    echo_delay_ms: Optional[float] = None
    echo_return_loss_db: Optional[float] = None


@dataclass(frozen=True)
class RoundDone:
    """Everything of the round was sent, measured and told before."""

    number: int
    line_time_ns: int


@dataclass(frozen=True)
class RoundFailed:
    code: str  #: "line_lost" or "io"
    message: str
    line_time_ns: Optional[int] = None


@dataclass(frozen=True)
class SessionEnded:
    code: str  #: "expired" or "taken_back"
    message: str


Event = Union[Sent, Measurement, Silence, LineWarning, Played, RoundDone, RoundFailed, SessionEnded]


def _findings(given: Mapping[str, Any]) -> Findings:
    found = tuple(known_members(FoundImpairment, one) for one in given.get("impairments", ()))
    return known_members(Findings, {**given, "impairments": found})


def _with_heard(given: Mapping[str, Any]) -> "dict[str, Any]":
    heard = given.get("heard")
    return {**given, "heard": heard and known_members(Heard, heard)}


def measurement_of(given: Mapping[str, Any]) -> Measurement:
    """A measurement from the parameters of its notification, or from results.list."""
    members = _with_heard(given)
    findings = given.get("findings")
    members["findings"] = findings and _findings(findings)
    members["delay_track"] = tuple(known_members(DelayPiece, one) for one in given.get("delay_track") or ())
    members["reason"] = given.get("reason") or None
    members["number_guessed"] = bool(given.get("number_guessed"))
    for name in ("direction", "delay_ms", "delay_basis"):
        members.pop(name, None)
    return known_members(Measurement, members)


def event_of(notification: str, given: Mapping[str, Any]) -> Optional[Event]:
    """The event, or None of a notification that this version does not know."""
    if notification == "measurement":
        return measurement_of(given)
    if notification == "silence":
        return known_members(Silence, _with_heard(given))
    kinds: "dict[str, Any]" = {"sent": Sent, "line.warning": LineWarning, "played": Played, "round.done": RoundDone,
                               "round.failed": RoundFailed, "session.ended": SessionEnded}
    kind = kinds.get(notification)
    return None if kind is None else known_members(kind, given)
