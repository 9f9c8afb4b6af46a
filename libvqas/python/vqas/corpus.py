"""Sentences to send over a line."""
from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from . import _native
from .samples import LINE_RATE, FloatArray


@dataclass(frozen=True)
class Stimulus:
    """One recorded sentence."""

    id: str  #: "M6"
    talker: str
    text: str
    licence: str
    recipe: str  #: how the recording was made
    files: "dict[int, str]"  #: by rate in Hz


class Corpus:
    """A set of stimuli. Immutable; for any number of threads."""

    def __init__(self, folder: "str | os.PathLike[str]") -> None:
        """Reads `manifest.json` in the folder and checks every file. Raises vqas.InputError where one is missing, changed
        or damaged."""
        self._corpus = _native.Corpus(os.fspath(folder))
        self.stimuli = tuple(Stimulus(**one) for one in self._corpus.stimuli)  #: in the order of the manifest
        self.digest = self._corpus.digest  #: equal digests mean equal stimuli

    def recording(self, id: str, rate: int = LINE_RATE) -> FloatArray:
        """The samples, shape (n,), float32. Raises vqas.InputError for an unknown stimulus or rate."""
        return self._corpus.recording(id, rate)


def default() -> Corpus:
    """The corpus of the package: six sentences each of a man's and a woman's voice, at 8000 and 16000 Hz."""
    return Corpus(Path(__file__).parent / "_corpus")
