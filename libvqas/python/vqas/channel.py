"""Simulated lines: a whole recording in, what is heard out. The same arguments give the same samples everywhere."""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy.typing as npt

from . import _native
from .samples import LINE_RATE, FloatArray, as_line_samples


@dataclass(frozen=True)
class Carried:
    """A recording after transmission over a line."""

    samples: FloatArray  #: shape (n,), float32, 8000 Hz
    bits: int  #: coded and heard
    bit_errors: int  #: of these, inverted


@dataclass(frozen=True)
class G711Line:
    """A 64 kb/s G.711 line with random bit errors, as `vqas channel` has it.

    >>> heard = G711Line(ber=1e-3, seed=7)(samples)

    The result is aligned with the input, except for `delay_s`, and has its length. An instance holds no state."""

    ber: float = 0.0  #: bit error ratio, 0 or 1e-12..0.5
    seed: int = 1  #: 0..2**64-1
    law: str = "mu"  #: "mu" or "a"
    delay_s: float = 0.0  #: idle line before the sound, 0..9
    gain_db: float = 0.0  #: -40..40
    band_limit: bool = False  #: 300..3400 Hz
    circuit_noise_dbm0p: float = -math.inf  #: -120..-20, or -inf: none
    stream: int = 0  #: another sequence of errors of the same seed

    def __call__(self, samples: npt.ArrayLike, rate: int = LINE_RATE) -> FloatArray:
        """What is heard, shape (n,), float32. Raises as carry()."""
        return self.carry(samples, rate).samples

    def carry(self, samples: npt.ArrayLike, rate: int = LINE_RATE) -> Carried:
        """The same with counts of bits and errors. Raises ValueError for a rate other than 8000, vqas.InputError for a
        value out of range and for an empty recording."""
        return Carried(*_native.carry(
            as_line_samples(samples, rate), law=self.law, ber=self.ber, delay_s=self.delay_s, gain_db=self.gain_db,
            band_limit=self.band_limit, circuit_noise_dbm0p=self.circuit_noise_dbm0p, seed=self.seed, stream=self.stream))


@dataclass(frozen=True)
class ProfileLine:
    """A line with all effects of a profile: one of profiles(), or a .toml file."""

    profile: str
    seed: int = 1
    stream: int = 0
    keep_delay: bool = False  #: otherwise the result is aligned with the input

    def __call__(self, samples: npt.ArrayLike, rate: int = LINE_RATE) -> FloatArray:
        """What is heard, shape (n,), float32. Raises as carry()."""
        return self.carry(samples, rate).samples

    def carry(self, samples: npt.ArrayLike, rate: int = LINE_RATE) -> Carried:
        """As G711Line.carry(). Raises vqas.InputError for an unknown or damaged profile, too."""
        return Carried(*_native.carry_profile(as_line_samples(samples, rate), profile=self.profile,
                                              keep_delay=self.keep_delay, seed=self.seed, stream=self.stream))


def profiles() -> "list[str]":
    """The names of the built-in profiles."""
    return _native.profiles()
