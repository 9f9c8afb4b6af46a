"""A picture of why a score is what it is: an SVG, drawn without any other library."""
from __future__ import annotations

import base64
import os
import struct
import zlib
from html import escape
from pathlib import Path
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _native
from .results import Score
from .samples import Sound, recording
from .scoring import Rate

# Stops of the colour scales: power from dark to light; distance from blue (lost) over white to red (added).
_POWER = ((24, 15, 62), (54, 72, 136), (38, 136, 134), (116, 194, 92), (250, 232, 80))
_DISTANCE = ((10, 62, 140), (116, 166, 214), (250, 250, 250), (236, 140, 106), (160, 18, 30))
_FAINTEST_DB = 60.0  # below the strongest cell: dark; as the picture of the command
_MOST_DISTANCE = 0.5  # in the units of loudness of the model: full colour
_WIDTH, _HEIGHT, _LEFT, _TEXT = 900, 150, 60, 18


def _colours(values: "npt.NDArray[Any]", stops: "tuple[tuple[int, int, int], ...]") -> "npt.NDArray[np.uint8]":
    """Values 0..1 in the colours of a scale; shape (..., 3)."""
    at = np.linspace(0, 1, len(stops))
    clipped = np.clip(np.nan_to_num(values), 0, 1)
    return np.stack([np.interp(clipped, at, [stop[part] for stop in stops]) for part in range(3)],
                    axis=-1).round().astype(np.uint8)


def _png(pixels: "npt.NDArray[np.uint8]") -> bytes:
    """An image of shape (rows, columns, 3), by the PNG specification (ISO/IEC 15948)."""
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows, columns, _ = pixels.shape
    raw = np.concatenate([np.zeros((rows, 1), np.uint8), pixels.reshape(rows, -1)], axis=1).tobytes()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def _panel(title: str, values: "npt.NDArray[Any]", stops: "tuple[tuple[int, int, int], ...]", seconds: float,
           highest_hz: float, top: int) -> str:
    # Time to the right, frequency upwards.
    image = base64.b64encode(_png(np.ascontiguousarray(_colours(values, stops).transpose(1, 0, 2)[::-1]))).decode()
    text = (f'<text x="{_LEFT}" y="{top - 5}">{escape(title)}</text>'
            f'<text x="5" y="{top + 12}">{highest_hz:.0f} Hz</text><text x="5" y="{top + _HEIGHT}">0 Hz</text>'
            f'<image x="{_LEFT}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" preserveAspectRatio="none" '
            f'href="data:image/png;base64,{image}"/>')
    for second in range(int(seconds) + 1):
        x = _LEFT + _WIDTH * second / seconds
        text += (f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top + _HEIGHT}" y2="{top + _HEIGHT + 4}" stroke="black"/>'
                 f'<text x="{x:.1f}" y="{top + _HEIGHT + 16}" text-anchor="middle">{second} s</text>')
    return text


def draw(path: "str | os.PathLike[str]", reference: Sound, degraded: Sound, score: Score, rate: Rate = None,
         channel: int = 0) -> bool:
    """Draws spectrograms of both recordings, their distance over time and frequency, and the score in words.

    `score` is that of the pair; the other arguments are those of vqas.score(). The picture lies on the time of the
    reference. Gives False, and writes nothing, where there is nothing to draw: recordings that cannot be used, and
    references of 120 s or more, of which the command draws one (`vqas score --plot`). Raises OSError where the file
    cannot be written."""
    if score.segments or score.outcome in ("bad_input", "too_short"):
        return False
    rates = rate if isinstance(rate, tuple) else (rate, rate)
    maps = _native.Scorer().maps(recording(reference, rates[0], channel), recording(degraded, rates[1], channel),
                                 score.score_mode)
    svg = _svg(maps, str(score).splitlines())
    if svg is None:
        return False
    Path(path).write_text(svg, encoding="utf-8")
    return True


def _svg(maps: Any, words: "list[str]") -> Optional[str]:
    if maps is None or maps[0][2].size == 0:
        return None
    body, top = "", 24 + _TEXT * len(words)
    for n, line in enumerate(words):
        body += f'<text x="{_LEFT}" y="{16 + _TEXT * n}">{escape(line)}</text>'
    titles = ("reference", "degraded recording, aligned with the reference",
              "distance: red was added, blue was lost")
    for title, (frame_s, highest_hz, values) in zip(titles, maps):
        if values.size == 0:
            continue
        is_distance = title.startswith("distance")
        shown = 0.5 + 0.5 * values / _MOST_DISTANCE if is_distance else 1 + values / _FAINTEST_DB
        top += 20
        body += _panel(title, shown, _DISTANCE if is_distance else _POWER, max(frame_s * len(values), 1e-3), highest_hz, top)
        top += _HEIGHT + 24
    width = _LEFT + _WIDTH + 30
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" viewBox="0 0 {width} {top}" '
            f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>{body}</svg>\n')
