"""The program under test: its commands and options as --help tells them, and what it prints."""
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE_S = 300  # an overloaded machine


@dataclass
class Command:
    name: str  # "corpus import"
    is_group: bool  # does nothing without a command of its own
    operands: list
    options: list = field(default_factory=list)  # (names, what --help says): [("--band-limit", "--no-band-limit"), "=5 …"]


class Program:
    def __init__(self, vqas, source, folder):
        self.vqas, self.folder = str(Path(vqas).resolve()), Path(folder)
        self.environment = {**os.environ, "VQAS_CORPUS": str(Path(source) / "corpus"), "HOME": str(folder),
                            "XDG_DATA_HOME": str(folder / "data"), "VQAS_BASELINE": str(folder / "baseline")}
        self.environment.pop("VQAS_STORE", None)

    def run(self, *arguments, codes=(0,)):
        """What it prints on standard output. Fails where the exit code is none of `codes`."""
        done = subprocess.run([self.vqas, *map(str, arguments)], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=PATIENCE_S)
        if done.returncode not in codes:
            raise RuntimeError(f"vqas {' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def complaint(self, *arguments):
        """What it says of a command line that it refuses."""
        return subprocess.run([self.vqas, *map(str, arguments)], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=PATIENCE_S).stderr

    def commands(self, words=()):
        """All commands by name; "" is vqas itself."""
        found, section = None, ""
        below, commands = [], {}
        for line in self.run(*words, "--help").splitlines():
            if usage := re.match(r"Usage: vqas(.*)", line):
                tail = usage.group(1).split("[OPTIONS]")[-1].split()
                operands = [one.strip("[].…") for one in tail if "SUBCOMMAND" not in one]
                found = Command(" ".join(words), "SUBCOMMAND" in tail, operands)
            elif re.match(r"\S.*:$", line):
                section = line[:-1]
            elif section == "Subcommands" and (name := re.match(r"  (\w[\w-]*)", line)):
                below.append(name.group(1))
            elif option := re.match(r"  (-\S+)(.*)", line):
                names = [re.sub(r"\{.*", "", name) for name in option.group(1).split(",")]
                found.options.append((tuple(name for name in names if name.startswith("--")), option.group(2)))
        commands[found.name] = found
        for name in below:
            commands.update(self.commands((*words, name)))
        return commands
