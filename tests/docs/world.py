"""What the tables are held against: the program, its sources, and a few scores and runs, each made once when it is asked
for."""
import functools
import json
import wave
from pathlib import Path

from program import Program
from sources import Sources

PLAN = """[campaign]
name = "docs"
[line]
ber = 1e-3
[stimuli]
stimuli = ["M1"]
[precision]
cap_count = 5
limit_mos = 1.5
[repeats]
every_min = 1
for_h = 0.02
"""


class World:
    def __init__(self, vqas, source, folder, tables):
        self.source, self.folder, self.tables = Path(source), Path(folder), tables
        self.program, self.sources = Program(vqas, source, folder), Sources(source)

    def table(self, mark):
        for table in self.tables:
            if table.mark == mark:
                return table
        raise RuntimeError(f"no table has the mark \"{mark}\", which another one needs")

    @functools.cached_property
    def commands(self):
        return self.program.commands()

    def stimulus(self, name):
        return self.source / f"corpus/8k/{name}.wav"

    def degraded(self, original):
        received = self.folder / f"received-{original.name}"
        if not received.exists():
            self.program.run("channel", original, received, "--ber", "1e-3", "--seed", "1")
        return received

    @functools.cached_property
    def score(self):
        original = self.stimulus("M6")
        return json.loads(self.program.run("score", original, self.degraded(original), "--json"))

    @functools.cached_property
    def long_score(self):
        """Of more than two minutes: the stimuli one after the other, several times."""
        original, recordings = self.folder / "long.wav", sorted((self.source / "corpus/8k").glob("*.wav"))
        with wave.open(str(original), "wb") as out:
            for n, path in enumerate(3 * recordings):
                with wave.open(str(path), "rb") as part:
                    if n == 0:
                        out.setparams(part.getparams())
                    out.writeframes(part.readframes(part.getnframes()))
        return json.loads(self.program.run("score", original, self.degraded(original), "--json"))

    @functools.cached_property
    def manifest_scores(self):
        original = self.stimulus("M6")
        (self.folder / "pairs.csv").write_text(f"reference,degraded\n{original},{self.degraded(original)}\n")
        self.program.run("score", "--manifest", "pairs.csv", "--out", "scores.csv")
        return (self.folder / "scores.csv").read_text()

    @functools.cached_property
    def run_folder(self):
        """A run over a simulated line with bit errors, and an operator's note."""
        self.program.run("quickstart", "run", "--stimuli", "M1", "--cap", "5", "--seed", "1", "--ber", "1e-3")
        self.program.run("note", "run", "1", "--direction", "a-to-b", "--text", "a lorry passed")
        return self.folder / "run"

    @functools.cached_property
    def results(self):
        return json.loads((self.run_folder / "results.json").read_text())

    @property
    def measurements(self):
        return [one for direction in self.results["directions"] for stimulus in direction["stimuli"]
                for one in stimulus["measurements"]]

    @functools.cached_property
    def campaign_events(self):
        """What a campaign of two runs prints for machines."""
        (self.folder / "plan.toml").write_text(PLAN)
        return self.program.run("measure", "plan.toml", "--out", "campaign", "--json-lines",
                                "--metrics-file", "campaign.prom", codes=(0, 10, 11))

    @functools.cached_property
    def plan_status(self):
        return json.loads(self.program.run("plan", "status", self.campaign_folder, "--json"))

    @property
    def campaign_folder(self):
        assert self.campaign_events
        return self.folder / "campaign"

    @functools.cached_property
    def trend(self):
        """Of the campaign's two runs."""
        return json.loads(self.program.run("report", self.campaign_folder, "--trend", "trend.json", "--json"))
