"""The tables that the library compiles in: libvqas/src/score/model/calibration_table.h and, at 16 kHz, wideband_table.h."""

import re
from pathlib import Path

from speech_level import RATE

NARROWBAND = RATE == 8000
TABLE = Path(__file__).parents[2] / "libvqas/src/score/model" / ("calibration_table.h" if NARROWBAND else "wideband_table.h")
SPACE = "vqas::scoring::calibrated" if NARROWBAND else "vqas::scoring::wideband"
PATTERN = re.compile(r"^inline constexpr double k([A-Z]\w*) = ([^;]+);", re.M)

HEAD = """#pragma once

// Written by tools/calibrate, from pairs labelled with LABEL; not to be edited by hand.
// RECORD says how, and how good it is.
//
"""
HEAD = HEAD.replace("LABEL", "narrowband P.862.1" if NARROWBAND else "wideband P.862.2")
HEAD = HEAD.replace("RECORD", "libvqas/doc/record/calibration.md" if NARROWBAND else "libvqas/doc/record/calibration-wideband.md")


def write_table(path, weights, confidence, provenance):
    lines = [f"// {name}: {value}\n" for name, value in provenance.items()]
    lines += [f"\nnamespace {SPACE} {{\n\n", "// Weights of the auditory distance.\n"]
    lines += [f"inline constexpr double k{name.capitalize()} = {value:.6g};\n" for name, value in weights.items()]
    lines += ["\n// Logarithm of the scale of AD's error: a constant, and one factor for each term.\n"]
    lines += [f"inline constexpr double kTrust{name.capitalize()} = {value:.6g};\n" for name, value in confidence.items()]
    Path(path).write_text(HEAD + "".join(lines) + f"\n}}  // namespace {SPACE}\n")


def read_table(path=TABLE):
    """Name in lower case -> value."""
    return {name.lower(): float(value) for name, value in PATTERN.findall(Path(path).read_text())}
