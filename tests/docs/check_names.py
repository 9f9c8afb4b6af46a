"""Closed lists of names and figures that only the sources hold."""
import re

import sources


def names(kind, not_there=(), besides=()):
    def check(holding, world):
        holding.exactly((world.sources.names(kind) | set(besides)) - set(not_there), "name")
    return check


def line_names(holding, world):
    """A name of an unknown kind is refused with all kinds that there are."""
    told = world.program.complaint("node", "--end", "a", "--line", "unheard-of:", "--data", "refused")
    holding.exactly(set(re.findall(r"[ ;](\w+):[^ ,]* ?\(", told)), "kind of line",
                    documented={name.split(":")[0]: place for name, place in holding.tokens().items()})


def line_parameters(holding, world):
    pattern = r"LineName::parse\(\s*name,\s*\{([^}]*)\}"
    found = world.sources.found(pattern, sources.LINE_NAMES[holding.table.mark])
    holding.exactly(re.findall(r'"(\w+)"', found[0]), "parameter")


def call_ends(holding, world):
    # A name has one word or two; the advice beside it has more.
    holding.exactly(world.sources.found(r'return "([a-z]+(?: [a-z]+)?)";', sources.CALL_ENDS), "end of a call")


def rtp_codecs(holding, world):
    holding.exactly(world.sources.found(r'\{RtpEncoding::\w+,\s*"(\w+)"', sources.RTP_CODECS), "codec")


def check_findings(holding, world):
    real = set(world.sources.found(r'(?:found\(|CheckFinding \w+\{)"([^"]+)"', sources.LINE_FINDINGS))
    documented = {row.cells[0].split(" (")[0]: row.place for row in holding.table.rows}
    holding.exactly(real, "finding", documented=documented)


def status_marks(holding, world):
    flags = world.sources.found(r"\bk\w+ = (1|2|4|8)\b", sources.SIGNS)
    real = {str(int(flag).bit_length() - 1) for flag in flags}
    holding.exactly(real, "bit", documented={row.cells[0]: row.place for row in holding.table.rows})


def sampler_options(holding, world):
    text = world.sources.text(sources.SAMPLER_OPTIONS)
    body = re.search(r"struct SamplerOptions \{(.*?)\n\};", text, re.DOTALL).group(1)
    real = dict(re.findall(r"std::size_t (\w+) = (\d+);", body))
    goal = re.search(r"half_width = ([\d.]+);.*?confidence = ([\d.]+);", text, re.DOTALL).groups()
    fallback = re.search(r"fallback = PrecisionGoal\{([\d.]+), ([\d.]+)\}", text).groups()
    for name, (width, confidence) in (("goal", goal), ("fallback", fallback)):
        real[name] = f"{width} at {100 * float(confidence):g} %"
    holding.exactly(real, "option")
    for row in holding.table.rows:
        for name in row.tokens(0):
            if name in real and row.cells[1] != real[name]:
                holding.wrong(f"{name} is {real[name]} unless given, not {row.cells[1]}", "correct the default", row.place)


def g711_crc(holding, world):
    sums = world.sources.found(r"G711Law::(\w+), 0x(\w{8}), 0x(\w{8}), 0x(\w{8})\}", sources.G711_TEST)
    real = {"mu law" if law == "mu" else "A law": list(of_law) for law, *of_law in sums}
    holding.exactly(real, "law", documented={row.cells[0]: row.place for row in holding.table.rows})
    for row in holding.table.rows:
        if row.cells[0] in real and row.cells[1:] != real[row.cells[0]]:
            holding.wrong(f"the sums are {' '.join(real[row.cells[0]])}", "correct them", row.place)


SIZES = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def limits(holding, world):
    """Each row: a number, perhaps with a unit of bytes, and the file and name of the constant that has this value."""
    for row in holding.table.rows:
        (place, name), (number, *unit) = row.tokens(3), row.cells[2].split()
        real = world.sources.constant(place, name)
        documented = int(number) * (SIZES[unit[0]] if unit else 1)
        if documented != real:
            holding.wrong(f"{name} of {place} is {real:g}, not {documented}", "correct the limit", row.place)


def written_in(*places):
    """One way: what the table names is written in the sources."""
    def check(holding, world):
        holding.written(world.sources.literals(*places))
    return check


CHECKS = {"outcomes": names("outcomes"), "impairments": names("impairments"), "stop-reasons": names("stop-reasons"),
          "delay-basis": names("delay-basis", besides={"recording"}), "import-refusals": names("import-refusals", {"none"}),
          "line-names": line_names, "audio-parameters": line_parameters, "rtp-parameters": line_parameters,
          "sip-parameters": line_parameters, "call-ends": call_ends, "rtp-codecs": rtp_codecs,
          "line-findings": check_findings, "line-signs": status_marks, "sampler-options": sampler_options, "g711-crc": g711_crc,
          "limits": limits, "call-results": names("call-results"), "calls-json": written_in(f"{sources.ROOMS}/calls"),
          "calibrate-json": written_in(f"{sources.TOOLS}/line"),
          "baseline-json": written_in(f"{sources.ROOMS}/campaign", f"{sources.ROOMS}/report", f"{sources.ROOMS}/run"),
          "over-the-line": written_in(sources.TOOLS, f"{sources.ROOMS}/node")}
