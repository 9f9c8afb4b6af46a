"""The one table that the library compiles in: libvqas/src/score/model/calibration_table.h."""

import re
from pathlib import Path

TABLE = Path(__file__).parents[2] / "libvqas/src/score/model/calibration_table.h"
PATTERN = re.compile(r"^inline constexpr double k([A-Z]\w*) = ([^;]+);", re.M)

HEAD = """#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
"""


def write_table(path, weights, confidence, provenance):
    lines = [f"// {name}: {value}\n" for name, value in provenance.items()]
    lines += ["\nnamespace vqas::scoring::calibrated {\n\n", "// Weights of the auditory distance.\n"]
    lines += [f"inline constexpr double k{name.capitalize()} = {value:.6g};\n" for name, value in weights.items()]
    lines += ["\n// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.\n"]
    lines += [f"inline constexpr double kTrust{name.capitalize()} = {value:.6g};\n" for name, value in confidence.items()]
    Path(path).write_text(HEAD + "".join(lines) + "\n}  // namespace vqas::scoring::calibrated\n")


def read_table(path=TABLE):
    """Name in lower case -> value."""
    return {name.lower(): float(value) for name, value in PATTERN.findall(Path(path).read_text())}
