"""Two nodes on a simulated line, as processes of the installed command."""
from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Optional

_START_S = 60.0  # on an overloaded machine
_STOP_S = 10.0


class CommandMissing(FileNotFoundError):
    """The command `vqas` is not installed here."""


class LineStartError(RuntimeError):
    """A simulator or a node ended or did not serve in time; the message holds what it said."""


@dataclass(frozen=True)
class TwoNodes:
    """Two nodes that serve."""

    a: str  #: address of end a
    b: str
    folder: Path  #: what they wrote; removed with them unless it was given


def find_command(command: "str | os.PathLike[str] | None" = None) -> str:
    """The command `vqas`: the given one, else that of VQAS_COMMAND, else that on the path. Raises CommandMissing."""
    wanted = os.fspath(command) if command is not None else os.environ.get("VQAS_COMMAND") or "vqas"
    found = shutil.which(wanted)
    if found is None:
        raise CommandMissing(f'the command "{wanted}" is not installed here. The package vqas of Python holds the library '
                             "alone: install the Debian package vqas, or build the command as README.md says; then put it on "
                             "the path, or name it in VQAS_COMMAND")
    return found


class _Part:
    """A process that serves until its standard input ends."""

    def __init__(self, name: str, command: "Sequence[str]", log: Path) -> None:
        self._name, self._log = name, log
        with open(log, "w") as errors:
            self._process = subprocess.Popen([*command, "--with-parent"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=errors)

    def ready(self, deadline: float) -> "dict[str, Any]":
        """What the process prints when it serves."""
        output: "IO[bytes]" = self._process.stdout  # type: ignore[assignment]
        text = b""
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while not text.endswith(b"\n"):
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise self._fault(f"did not serve within {_START_S:g} s")
                more = os.read(output.fileno(), 65536)
                if not more:
                    raise self._fault("ended at its start")
                text += more
        return dict(json.loads(text))

    def _fault(self, what: str) -> LineStartError:
        said = self._log.read_text(errors="replace").strip()
        return LineStartError(f"{self._name} {what}: {said or 'it said nothing'}")

    def stop(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        for end in (None, self._process.terminate, self._process.kill):
            if end is not None:
                end()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_STOP_S)
                return


@contextlib.contextmanager
def two_nodes(*, ber: Optional[float] = None, profile: Optional[str] = None, seed: int = 1,
              options: "Sequence[str]" = (), node_options: "Sequence[str]" = (), command: "str | os.PathLike[str] | None" = None,
              corpus: "str | os.PathLike[str] | None" = None,
              folder: "str | os.PathLike[str] | None" = None) -> Iterator[TwoNodes]:
    """Starts a simulated line with a node at each end, and stops them at the end of the context.

    ber, profile, seed, options
        Of the line, as `vqas sim` has them; `options` are further ones of it, such as "--delay-s", "0.5".
    node_options
        Further options of both nodes, such as "--tls".
    command
        The command `vqas`; else VQAS_COMMAND, else that on the path.
    corpus
        Folder of the stimuli; else that of this package, vqas.corpus.default().
    folder
        For what the nodes write; kept. Else a temporary one.

    The line has its own time, so a measurement takes a fraction of the time of a real one. The nodes listen on loopback
    alone. Raises CommandMissing, and LineStartError with what the command said."""
    vqas = find_command(command)
    stimuli = os.fspath(corpus) if corpus is not None else str(Path(__file__).parent.parent / "_corpus")
    line = [vqas, "sim", "--port", "0", "--seed", str(seed), *options]
    for option, value in (("--ber", ber), ("--profile", profile)):
        if value is not None:
            line += [option, str(value)]
    with contextlib.ExitStack() as stack:
        if folder is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="vqas-"))
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)

        def start(name: str, arguments: "Sequence[str]") -> _Part:
            part = _Part(name, arguments, place / f"{name}.log")
            stack.callback(part.stop)
            return part

        deadline = time.monotonic() + _START_S
        simulator = start("simulator", line).ready(deadline)
        nodes = [start(f"node-{end}", [vqas, "node", "--end", end, "--line", simulator[f"line_{end}"], "--control",
                                       "127.0.0.1:0", "--data", str(place / end), "--corpus", stimuli, *node_options])
                 for end in ("a", "b")]
        addresses = [one.ready(deadline)["control"] for one in nodes]
        yield TwoNodes(addresses[0], addresses[1], place)
