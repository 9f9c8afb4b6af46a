"""What the tables are held against where the program cannot tell it: the text of the sources. Here alone are the places."""
import re
from pathlib import Path

INCLUDE, ROOMS, TOOLS, TESTS = "libvqas/include/vqas", "libvqas/src", "tools/vqas", "tests"

EXIT_CODES = f"{INCLUDE}/run/exit_codes.h"
G711_TEST = f"{TESTS}/channel/g711_test.cpp"
LINE_NAMES = {"audio-parameters": f"{ROOMS}/line/audio_line.cpp", "rtp-parameters": f"{ROOMS}/line/rtp_line.cpp",
              "sip-parameters": f"{ROOMS}/line/sip/sip_name.cpp"}
LINE_WIRE = f"{ROOMS}/line/wire.h"
BATCH_COMMAND = "libvqas/python/vqas/batch/command.py"
RPC_ERRORS = f"{ROOMS}/node/wire/rpc.h"
RELAY_CONTROL = f"{ROOMS}/relay/control_socket.cpp"
PROFILE_KEYS = (f"{ROOMS}/channel/parse_profile.cpp", f"{ROOMS}/channel/profile_fields.h")
PROFILE = f"{ROOMS}/channel/profile.cpp"
SAMPLER_OPTIONS = f"{INCLUDE}/sampling/sampler.h"
LINE_FINDINGS = f"{ROOMS}/receive/check_findings.cpp"
SIGNS = f"{ROOMS}/node/line_only/status_marks.cpp"
NODE_SERVICE = (f"{ROOMS}/node/agent", f"{ROOMS}/node/wire")

CALL_ENDS = f"{ROOMS}/line/sip/call_end.cpp"
RTP_CODECS = f"{ROOMS}/line/media/rtp_format.cpp"

# An enumeration's names: where its to_string() is, and how one of them is written there.
NAMES = {
    "outcomes": (f"{ROOMS}/score", r'\{"(\w+)",\s*Outcome::\w+\}'),
    "call-results": (f"{ROOMS}/calls", r'\{"(\w+)",\s*CallResult::\w+\}'),
    "impairments": (f"{ROOMS}/score", r'\{"(\w+)",\s*Impairment::\w+\}'),
    "stop-reasons": (f"{ROOMS}/sampling", r'\{"(\w+)",\s*StopReason::\w+\}'),
    "delay-basis": (f"{ROOMS}/run", r'\{"(\w+)",\s*DelayBasis::\w+\}'),
    "import-refusals": (f"{ROOMS}/corpus", r'case Refusal::\w+:\s*return "(\w+)"'),
}


class Sources:
    def __init__(self, source):
        self.source, self.read = Path(source), {}

    def text(self, *places):
        """The text of files, and of all sources below folders."""
        return "\n".join(self._text(place) for place in places)

    def _text(self, place):
        if place not in self.read:
            path = self.source / place
            files = sorted(one for one in path.rglob("*") if one.suffix in {".h", ".cpp"}) if path.is_dir() else [path]
            if not path.exists():
                raise RuntimeError(f"{place} is gone; tests/docs/sources.py says where to look for what the tables hold")
            self.read[place] = "\n".join(one.read_text(encoding="utf-8") for one in files)
        return self.read[place]

    def found(self, pattern, *places):
        """All that a pattern finds, which must be something."""
        found = re.findall(pattern, self.text(*places))
        if not found:
            raise RuntimeError(f"nothing in {', '.join(places)} looks like {pattern}; mend tests/docs/sources.py")
        return found

    def constant(self, place, name):
        """The value of a constant of a header or a source file, named as an include names it."""
        folder = next(one for one in (INCLUDE, ROOMS) if (self.source / one / place).exists())
        (text,) = self.found(rf"(?:constexpr [^;\n]*?\b|#define ){name}(?: = | )([^;,/\n]+)", f"{folder}/{place}")
        plain = re.sub(r"std::\w+\{(\w+)\}", r"\1", text.replace("'", ""))
        return eval(re.sub(r"(\d)[uUlL]+\b", r"\1", plain), {"__builtins__": {}})

    def names(self, kind):
        place, pattern = NAMES[kind]
        return set(self.found(pattern, place))

    def literals(self, *places):
        """All texts in quotes, and the names within them: of "no \\"ber\\" here" too "ber"."""
        texts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', self.text(*places))
        raw = re.findall(r'R"\((.*?)\)"', self.text(*places), re.DOTALL)
        return set(texts) | {word for text in texts + raw for word in re.findall(r"[A-Za-z_][\w.-]*", text)}
