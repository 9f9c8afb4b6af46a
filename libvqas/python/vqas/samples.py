"""Arrays of samples, and files, in the form that the C++ takes."""
from __future__ import annotations

import os
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _native

#: Mono samples, shape (n,), or the name of a file in any format that libsndfile reads.
Sound = Union[npt.ArrayLike, str, "os.PathLike[str]"]
FloatArray = npt.NDArray[np.float32]

_KINDS = frozenset(map(np.dtype, ("float32", "float64", "int16", "int32")))

LINE_RATE = 8000  #: of a telephone line, Hz


def mono(samples: npt.ArrayLike) -> "npt.NDArray[np.generic]":
    """Mono samples in memory that the C++ can read: as they are if they are contiguous, else copied.

    Raises ValueError for a shape other than (n,), TypeError for another type than float32, float64, int16 and int32."""
    given = np.asarray(samples)
    if given.dtype not in _KINDS:
        raise TypeError(f"samples of {given.dtype} have no known full scale; give float32, float64, int16 or int32")
    if given.ndim != 1:
        raise ValueError(f"the samples have the shape {given.shape}; give one channel, for example samples[:, 0]")
    return given if given.flags.c_contiguous and given.flags.aligned else given.copy()


def as_samples(samples: npt.ArrayLike) -> FloatArray:
    """Mono samples as contiguous float32, full scale 1.

    float32 is taken as it is, without a copy if it is contiguous; float64 is rounded; int16 and int32 are divided by
    32768 and 2147483648. Raises as mono()."""
    given = mono(samples)
    if given.dtype == np.int16:
        return given.astype(np.float32) / np.float32(2**15)
    if given.dtype == np.int32:
        return (given.astype(np.float64) / 2.0**31).astype(np.float32)
    return given.astype(np.float32, copy=False)


def as_line_samples(samples: npt.ArrayLike, rate: int) -> FloatArray:
    """The same for functions that work at the rate of a line. Raises ValueError for another rate."""
    if rate != LINE_RATE:
        raise ValueError(f"the rate is {rate} Hz; a line has {LINE_RATE} Hz: convert the recording first")
    return as_samples(samples)


def is_path(sound: Any) -> bool:
    # The question whether an array is an os.PathLike takes longer than all others.
    return not isinstance(sound, np.ndarray) and isinstance(sound, (str, os.PathLike))


def recording(sound: Sound, rate: "int | None", channel: int = 0) -> _native.Recording:
    """Raises ValueError for an array without a rate."""
    if is_path(sound):
        return _native.Recording(os.fspath(sound), channel)  # type: ignore[arg-type]
    if rate is None:
        raise ValueError("give the rate of the samples in Hz")
    return _native.Recording(mono(sound), int(rate))  # type: ignore[arg-type]


def read_audio(path: "str | os.PathLike[str]", channel: int = 0, rate: int = 0) -> "tuple[FloatArray, int]":
    """Samples, shape (n,), float32, and their rate in Hz.

    `channel` counts from 1; 0: the file must be mono. `rate` converts to this rate; 0: the file's own. Raises
    vqas.InputError for a file that is missing, damaged, longer than four hours, or has more channels than asked for."""
    return _native.read_audio(os.fspath(path), channel, rate)
