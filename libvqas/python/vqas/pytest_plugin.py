"""A plugin for pytest: the fixture `assert_voice_quality`.

    def test_codec(assert_voice_quality):
        assert_voice_quality("reference.wav", "decoded.wav", at_least=3.8)

A failure shows the score and its reasons, and leaves a picture in the test's temporary folder, or in the folder that
`--vqas-pictures` names."""
from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Optional, Protocol

import pytest

from .picture import draw
from .results import Score
from .samples import Sound
from .scoring import Placement, Rate, score


class VoiceQualityWarning(UserWarning):
    """A score reaches the limit, but it is ambiguous."""


class AssertVoiceQuality(Protocol):
    def __call__(self, reference: Sound, degraded: Sound, rate: Rate = None, *, at_least: float, mode: str = "nb",
                 placement: Optional[Placement] = None, channel: int = 0) -> Score: ...


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--vqas-pictures", metavar="FOLDER", default=None,
                     help="folder for the pictures of failed assert_voice_quality() (default: the test's tmp_path)")


@pytest.fixture
def assert_voice_quality(request: pytest.FixtureRequest, tmp_path: Path) -> AssertVoiceQuality:
    """Fails the test unless a pair has a score of `at_least`, MOS-LQON, 1..4.55, or in mode "wb" MOS-LQOW, 1.04..4.64;
    gives the score.

    The other arguments are those of vqas.score(). A pair without a score fails. An ambiguous score that reaches the limit
    passes with a VoiceQualityWarning."""
    made = 0

    def check(reference: Sound, degraded: Sound, rate: Rate = None, *, at_least: float, mode: str = "nb",
              placement: Optional[Placement] = None, channel: int = 0) -> Score:
        __tracebackhide__ = True
        nonlocal made
        if mode == "auto":
            raise ValueError('a limit has a scale: give the mode "nb" or "wb"')
        if mode == "nb" and not 1 <= at_least <= 4.55:
            raise ValueError(f"at_least is {at_least}; a MOS-LQON is 1 to 4.55")
        if mode == "wb" and not 1.04 <= at_least <= 4.64:
            raise ValueError(f"at_least is {at_least}; a MOS-LQOW is 1.04 to 4.64")
        found = score(reference, degraded, rate, mode=mode, placement=placement, channel=channel)
        if found.mos_lqo is not None and found.mos_lqo >= at_least:
            if found.reason:
                warnings.warn(f"the score is ambiguous: {found.reason}", VoiceQualityWarning, stacklevel=2)
            return found
        folder = Path(request.config.getoption("--vqas-pictures") or tmp_path)
        folder.mkdir(parents=True, exist_ok=True)
        made += 1
        picture = folder / (re.sub(r"[^\w.-]+", "-", request.node.name) + (f"-{made}" if made > 1 else "") + ".svg")
        drawn = draw(picture, reference, degraded, found, rate, channel)
        pytest.fail(failure_text(found, at_least, picture if drawn else None), pytrace=False)

    return check


def failure_text(found: Score, at_least: float, picture: Optional[Path]) -> str:
    """What a failure shows."""
    lines = [f"voice quality below {at_least:.2f}: {found}" if found.scored else f"voice quality unknown: {found}"]
    if found.indices and found.indices.missing_ms.speech > 0:
        missing = found.indices.missing_ms
        lines.append(f"missing speech: {missing.front:.0f} ms in front, {missing.middle:.0f} ms in {missing.gaps} gaps, "
                     f"{missing.tail:.0f} ms at the end, of {missing.speech:.0f} ms")
    if found.delay_ms is not None:
        lines.append(f"delay {found.delay_ms:.1f} ms, level {found.level_difference_db or 0:+.1f} dB")
    lines.append(f"model error {found.model_error.mos:.2f} MOS, {found.score_version}")
    if picture:
        lines.append(f"picture: {picture}")
    return "\n".join(lines)
