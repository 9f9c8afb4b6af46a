"""What a score holds. The names are those of `vqas score --json` and of results.json.

Every class is immutable. `None` means "unknown" or "not measured"; no number ever stands for that."""
from __future__ import annotations

import dataclasses
import functools
import json
import math
from dataclasses import dataclass
from typing import Any, Optional


@dataclass(frozen=True)
class DelayPiece:
    """A segment of constant delay."""

    start_s: float  #: in the reference
    length_s: float
    delay_ms: float  #: degraded minus reference, from the start of both recordings


@dataclass(frozen=True)
class UnusedSound:
    """Sound in the degraded recording where no speech of the reference was found."""

    start_s: float  #: in the degraded recording
    length_s: float
    mos_lqo: Optional[float]  #: of a second copy of the reference; None: something else


@dataclass(frozen=True)
class BandLoss:
    """Effect of the line on the band."""

    low_hz: float  #: received within 3 dB of the middle of the band
    high_hz: float
    loudness_lost: float  #: share of the reference's loudness, 0..1


@dataclass(frozen=True)
class MissingMs:
    """Speech of the reference that did not arrive, ms."""

    front: float
    middle: float
    tail: float
    gaps: int  #: missing segments in the middle
    speech: float  #: speech in the reference


@dataclass(frozen=True)
class LevelPoint:
    at_s: float  #: in the reference
    gain_db: float  #: against the median of the recording


@dataclass(frozen=True)
class LevelTrack:
    """Slow changes of level."""

    range_db: float
    track: tuple[LevelPoint, ...]


@dataclass(frozen=True)
class PauseNoise:
    """Sound in the talker's pauses."""

    dbm0p: float  #: psophometrically weighted; -80: so much or less
    limit_dbm0p: float  #: of a good circuit
    tone_dbm0: float  #: its strongest single frequency
    cost_mos: Optional[float]  #: None in mode "wb", which measures no costs


@dataclass(frozen=True)
class Indices:
    band_loss: BandLoss
    missing_ms: MissingMs
    level_track: LevelTrack
    noise: Optional[PauseNoise]


@dataclass(frozen=True)
class Impairment:
    """One impairment found."""

    impairment: str  #: "loss", "noise", "band_loss", "clipping", "coding", "level", "delay_variation" or "cut"
    strength: float  #: distance from the reporting threshold: 0.3 is just above it, 3 the maximum; not in MOS
    cost_mos: Optional[float]  #: what the score loses by it
    advice: str  #: what to look for

    def in_words(self) -> str:
        """The advice, with what it costs."""
        if self.cost_mos is None:
            return self.advice
        return f"{self.advice} (costs {f'{self.cost_mos:.2f} MOS' if self.cost_mos > 0 else 'nothing'})"


@dataclass(frozen=True)
class LossPart:
    """A part of what the score lost against the highest one; all parts add up to it."""

    impairment: str  #: as in Impairment, or "other": what no impairment that was named explains
    mos: float


@dataclass(frozen=True)
class ModelError:
    """Error of the model's scores against its label."""

    mos: float  #: one standard deviation
    sigmas: int
    against: str
    source: str


@dataclass(frozen=True)
class Shares:
    """Share of each measurement in the auditory distance; together 1, or 0 for identity."""

    changed: float
    raised: float
    inserted: float


@dataclass(frozen=True)
class Stretch:
    start_s: float  #: in the reference
    length_s: float


@dataclass(frozen=True)
class Distance:
    """Loudness of the degraded recording minus that of the reference."""

    frame_s: float
    band_hz: tuple[float, ...]
    frames: tuple[tuple[float, ...], ...]  #: a row for each frame, a column for each band


@dataclass(frozen=True)
class Explanation:
    """The reasons for a score."""

    shares: Shares
    matched: tuple[Stretch, ...]  #: speech that arrived
    missing: tuple[Stretch, ...]  #: speech that did not
    distance: Distance


@dataclass(frozen=True)
class Segment:
    """The score of one segment of a long recording."""

    start_s: float  #: in the reference
    length_s: float
    outcome: str
    reason: str
    mos_lqo: Optional[float]
    auditory_distance: Optional[float]
    delay_ms: Optional[float]
    impairments: tuple[str, ...]


@dataclass(frozen=True)
class Score:
    """The result for one pair. Unless the outcome is "scored", `mos_lqo` is None and `reason` says why."""

    reference: str  #: the file; "" for an array
    degraded: str
    outcome: str  #: "scored", "not_aligned", "no_speech", "too_short", "clipped_input" or "bad_input"
    reason: Optional[str]  #: also beside an uncertain score
    mos_lqo: Optional[float]  #: MOS-LQON, 1.0..4.55 (scale of ITU-T P.862.1); in mode "wb" MOS-LQOW, 1.04..4.64 (P.862.2)
    auditory_distance: Optional[float]  #: 0 for identity
    confidence: Optional[float]  #: probability, 0..1, that mos_lqo lies within 0.5 of the label
    most_confidence: float  #: no confidence above it is stated in this mode: 1, in mode "wb" 0.89
    delay_ms: Optional[float]  #: median delay of the degraded recording
    delay_basis: str  #: "recording" or "unknown"
    clock_drift_ppm: Optional[float]  #: positive: the degraded recording's clock is fast
    level_difference_db: Optional[float]
    delay_track: tuple[DelayPiece, ...]
    unused_sound: tuple[UnusedSound, ...]
    indices: Optional[Indices]  #: None without a diagnosis
    impairments: tuple[Impairment, ...]  #: the most expensive first
    unrecognised_cost_mos: Optional[float]  #: what was lost, from 0.5 on, that nothing that was named explains
    loss_parts: tuple[LossPart, ...]  #: empty without a diagnosis, of long recordings and in mode "wb"
    score_mode: str  #: "nb" or "wb": scores of different modes must not be compared
    score_version: str  #: scores of different versions must not be compared
    model_error: ModelError
    explanation: Optional[Explanation]  #: with explain=True
    segments: tuple[Segment, ...] = ()  #: of a reference of 120 s or more

    @property
    def scored(self) -> bool:
        """Whether there is a MOS."""
        return self.outcome == "scored"

    def to_dict(self) -> dict[str, Any]:
        """All members as dictionaries and tuples, with the names of the JSON."""
        return dataclasses.asdict(self)

    def __str__(self) -> str:
        if not self.scored:
            return f"no score: {self.outcome}: {self.reason}"
        text = f"{'MOS-LQOW' if self.score_mode == 'wb' else 'MOS-LQON'} {self.mos_lqo:.2f}"
        if self.confidence is not None:
            text += f", confidence {self.confidence:.2f}"
        # By their costs; what costs nothing is no cause of a loss, and comes last.
        told = [(-math.inf if one.cost_mos is None else -one.cost_mos, one.in_words()) for one in self.impairments]
        if self.unrecognised_cost_mos is not None:
            words = f"no impairment that is named explains {self.unrecognised_cost_mos:.1f} MOS of the loss"
            told.append((-self.unrecognised_cost_mos, words))
        text += "".join(f"\n{words}" for _, words in sorted(told, key=lambda one: one[0]))
        if self.reason:
            text += f"\nambiguous: {self.reason}"
        return text


def _make(kind: Any, given: Any) -> Any:
    return None if given is None else kind(**given)


def _all(kind: Any, given: list[Any]) -> tuple[Any, ...]:
    return tuple(kind(**one) for one in given)


def _indices(given: dict[str, Any]) -> Indices:
    levels = given["level_track"]
    return Indices(BandLoss(**given["band_loss"]), MissingMs(**given["missing_ms"]),
                   LevelTrack(levels["range_db"], _all(LevelPoint, levels["track"])), _make(PauseNoise, given["noise"]))


def _explanation(given: dict[str, Any]) -> Explanation:
    distance = given["distance"]
    frames = tuple(tuple(row) for row in distance["frames"])
    return Explanation(Shares(**given["shares"]), _all(Stretch, given["matched"]), _all(Stretch, given["missing"]),
                       Distance(distance["frame_s"], tuple(distance["band_hz"]), frames))


@functools.lru_cache(maxsize=16)
def _model_error(*members: "tuple[str, Any]") -> ModelError:
    return ModelError(**dict(members))


_MEMBERS = frozenset(one.name for one in dataclasses.fields(Score))


def score_from_json(text: str) -> Score:
    """The score that `vqas score --json` printed. Raises ValueError or TypeError for other text."""
    given = json.loads(text)
    if not isinstance(given, dict):
        raise TypeError("the text is no JSON object")
    given.setdefault("segments", [])
    if given.keys() != _MEMBERS:
        raise TypeError(f"the text has other members than a score: {', '.join(sorted(given.keys() ^ _MEMBERS))}")
    return score_of(given)


def score_of(given: dict[str, Any]) -> Score:
    """The score with these members, as JSON holds them; `given` becomes part of it."""
    indices, explanation = given["indices"], given["explanation"]
    given.update(
        delay_track=_all(DelayPiece, given["delay_track"]), unused_sound=_all(UnusedSound, given["unused_sound"]),
        indices=indices and _indices(indices), impairments=_all(Impairment, given["impairments"]),
        loss_parts=_all(LossPart, given["loss_parts"]),
        model_error=_model_error(*given["model_error"].items()), explanation=explanation and _explanation(explanation),
        segments=tuple(Segment(**{**one, "impairments": tuple(one["impairments"])}) for one in given.get("segments", ())))
    # __init__ sets the members of a frozen class one by one, which a score of 0.5 ms notices.
    made = object.__new__(Score)
    object.__setattr__(made, "__dict__", given)
    return made
