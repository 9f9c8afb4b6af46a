"""Kills controller, nodes and simulator at random instants and checks that no measurement is lost or counted twice.

A measurement exists once its line is in the receiver's journal. From then on it is in the final table exactly once,
whatever was killed. usage: kills.py VQAS CORPUS FOLDER [--kills N] [--seed S] [--real-time]"""
import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from line import Line, RtpLine

FINISH_S = 400
GIVEN_UP = ("line_lost", "cancelled")
VICTIMS = ("controller", "controller", "a", "b", "sim")


class Campaign:
    def __init__(self, line, folder, seed):
        self.line, self.folder, self.seed = line, folder, seed
        self.process = None
        self.starts = 0

    def begun(self):
        """Before the session is written nothing is measured, and there is nothing to continue."""
        session = self.folder / "session.jsonl"
        return session.exists() and session.stat().st_size > 0

    def start(self):
        """Begins the run, or continues it."""
        arguments = ["--resume", self.folder] if self.begun() else [
            "--node-a", self.line.node_a, "--node-b", self.line.node_b, "--out", self.folder, "--force", "--stimuli",
            "M4,F4", "--cap", "10", "--seed", str(self.seed), "--corpus", self.line.corpus]
        self.starts += 1
        log = open(str(self.folder) + ".log", "a")
        self.process = subprocess.Popen([self.line.vqas, "measure", *map(str, arguments), "--link-patience", "60",
                                         "--json-lines"], stdout=log, stderr=log)

    def ended(self):
        """None while it runs; a controller that found a node missing or held at its start is started again."""
        code = self.process.poll()
        if code in (None, 0):
            return code
        if code in (3, 5):
            # A controller killed before it wrote its session still holds the nodes: an operator releases them.
            if not self.begun():
                for end in ("a", "b"):
                    subprocess.run([self.line.vqas, "node", "release", "--data", self.line.folder / end], check=True)
            time.sleep(0.1)
            self.start()
            return None
        raise AssertionError(f"the controller ended with {code}; see {self.folder}.log")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def check(self):
        """Compares the final table with the receivers' journals."""
        session = json.loads(open(self.folder / "session.jsonl").readline())["session"]
        results = json.load(open(self.folder / "results.json"))
        assert not results.get("ended_because"), results["ended_because"]
        total = 0
        for direction in results["directions"]:
            where = f"{self.folder}, {direction['from']} to {direction['to']}"
            table = {}
            for stimulus in direction["stimuli"]:
                for one in stimulus["measurements"]:
                    assert one["sequence"] not in table, f"{where}: {one['sequence']} is in the table twice"
                    table[one["sequence"]] = (stimulus["stimulus"], one)
            journal = {}
            for one in self.line.journal(direction["to"], session):
                assert one["sequence"] not in journal, f"{where}: {one['sequence']} was measured twice"
                journal[one["sequence"]] = one
            if self.line.real_time:
                # A transmission that was abandoned and never sent says nothing, and is not entered.
                journal = {n: one for n, one in journal.items() if n in table or one["outcome"] not in ("not_found", "line_lost")}
            # A transmission without its end, unconfirmed by its sender, is no measurement.
            journal = {n: one for n, one in journal.items()
                       if n not in table or table[n][1]["outcome"] not in GIVEN_UP or one["outcome"] == "line_lost"
                       or one["marks_found"] not in ("leading_only", "none")}
            counted = {n for n, (_, one) in table.items() if one["outcome"] not in GIVEN_UP}
            assert counted == set(journal), (f"{where}: lost {sorted(set(journal) - counted)}, invented "
                                             f"{sorted(counted - set(journal))}")
            for number in counted:
                stimulus, one = table[number]
                if one["outcome"] == "audio_fault":
                    continue  # only the controller knows that the sender's device spoilt it
                assert stimulus == journal[number]["stimulus"] and one["outcome"] == journal[number]["outcome"], where
                assert (one["mos_lqo"] is None) == (journal[number]["mos_lqo"] is None), where
                if one["mos_lqo"] is not None:
                    assert abs(one["mos_lqo"] - journal[number]["mos_lqo"]) < 1e-4, where
                    assert (self.folder / one["recording"]).exists(), f"{where}: {one['recording']} is missing"
            for stimulus in direction["stimuli"]:
                assert stimulus["stopped_because"] in ("goal", "fallback", "cap_count", "failures"), stimulus
            total += len(counted)
        return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vqas")
    parser.add_argument("corpus")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real-time", action="store_true", help="over RTP, where more is asked for ahead; slow")
    options = parser.parse_args()
    print(f"seed {options.seed}")
    chance = random.Random(options.seed)
    shutil.rmtree(options.folder, ignore_errors=True)
    line = (RtpLine if options.real_time else Line)(options.vqas, options.corpus, options.folder)
    began = time.monotonic()
    kills, campaigns, measured = dict.fromkeys(VICTIMS, 0), 0, 0
    try:
        while sum(kills.values()) < options.kills:
            campaigns += 1
            campaign = Campaign(line, options.folder / f"run-{campaigns}", campaigns)
            campaign.start()
            while sum(kills.values()) < options.kills and campaign.ended() is None:
                time.sleep(chance.uniform(0, 10 if options.real_time else 0.5))
                if campaign.ended() is not None:
                    break
                victim = chance.choice(VICTIMS)
                kills[victim] += 1
                if victim == "controller":
                    campaign.kill()
                    campaign.start()
                else:
                    line.kill(victim)
                    line.start(victim)
            deadline = time.monotonic() + FINISH_S
            while campaign.ended() is None:
                assert time.monotonic() < deadline, f"{campaign.folder} does not finish"
                time.sleep(0.02)
            measured += campaign.check()
    finally:
        line.stop()
        if "campaign" in locals() and campaign.process.poll() is None:
            campaign.kill()
    print(f"{sum(kills.values())} kills ({', '.join(f'{name} {count}' for name, count in kills.items())}) in {campaigns} "
          f"runs: {measured} measurements, each in the table exactly once; {time.monotonic() - began:.0f} s")
    shutil.rmtree(options.folder)


if __name__ == "__main__":
    sys.exit(main())
