#!/usr/bin/env python3
"""A campaign of short slots on a simulated line with real scores, which cron would start: the command is killed at seeded
instants, started twice at once, its node goes away, and its disk is full for a while. Every slot has one record, and
every number that a receiver wrote is in the results of its run once.
usage: campaign_kills.py VQAS CORPUS FOLDER [--slots N] [--every S] [--kills N] [--seed S]"""
import argparse
import collections
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "tools" / "nodes"))
from line import Line  # noqa: E402

IN_USE, IO = 9, 7
COMPLETE = (0, 4, 10, 11)
ABANDONED = ("line_lost", "cancelled")


def plan_of(line, slots, every_s):
    return (f'[campaign]\nname = "kills"\n[line]\nkind = "nodes"\nnode_a = "{line.node_a}"\nnode_b = "{line.node_b}"\n'
            f'link_patience_s = 2\n[stimuli]\nstimuli = ["M1"]\n[precision]\ncap_count = 5\n'
            f'[repeats]\nevery_min = {every_s / 60}\nfor_h = {slots * every_s / 3600}\nretry_min = {every_s / 600}\n')


class Command:
    """The command as cron starts it; exit codes are counted."""

    def __init__(self, vqas, plan, folder):
        self.arguments = [str(vqas), "measure", str(plan), "--unattended", str(folder)]
        self.log = open(str(folder) + ".log", "a")
        self.process, self.ended, self.starts = None, collections.Counter(), 0

    def begin(self):
        self.starts += 1
        # A full disk is a refused write, not a signal.
        return subprocess.Popen(self.arguments, stdout=self.log, stderr=self.log,
                                preexec_fn=lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN))

    def start_if_gone(self, twice):
        """Gives the exit code of one that ended by itself."""
        code = self.process.poll() if self.process else None
        if self.process is not None and code is None:
            return None
        if code is not None:
            self.ended[code] += 1
        if code in COMPLETE:
            return code
        self.process = self.begin()
        if twice:
            time.sleep(0.05)
            other = self.begin()
            # One of the two has the folder, and the other one is refused. Both may also find nothing left to measure.
            while other.poll() is None and self.process.poll() is None:
                time.sleep(0.02)
            first, second = (other, self.process) if other.poll() is not None else (self.process, other)
            assert first.returncode in (IN_USE, IO, *COMPLETE), f"a second start ended with {first.returncode}"
            self.ended[first.returncode] += 1
            self.process = second
        return None

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            return True
        return False


def check_numbers(line, folder):
    """What the receivers wrote of a run's session is in its results, once."""
    total = 0
    results = json.load(open(folder / "results.json"))
    session = json.loads(open(folder / "session.jsonl").readline())["session"]
    for direction in results["directions"]:
        table = [one for stimulus in direction["stimuli"] for one in stimulus["measurements"]]
        numbers = {one["sequence"]: one for one in table}
        assert len(numbers) == len(table), f"{folder}: a number is in the results twice"
        for one in line.journal(direction["to"], session):
            there = numbers.get(one["sequence"])
            if there is None:
                assert results["ended_because"], f"{folder}: {one['sequence']} is lost"
            elif there["outcome"] not in ABANDONED:
                assert there["outcome"] == one["outcome"], f"{folder}: {one['sequence']} changed"
        total += len(table)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vqas", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--slots", type=int, default=40)
    parser.add_argument("--every", type=float, default=6)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    chance = random.Random(options.seed)
    shutil.rmtree(options.folder, ignore_errors=True)
    line = Line(options.vqas, options.corpus, options.folder)
    kept = options.folder / "campaign"
    plan = options.folder / "plan.toml"
    plan.write_text(plan_of(line, options.slots, options.every))
    command = Command(options.vqas, plan, kept)
    lasts_s = options.slots * options.every
    kills = sorted(chance.uniform(0.5, 0.95 * lasts_s) for _ in range(options.kills))
    away = (0.30 * lasts_s, 0.30 * lasts_s + 3 * options.every)
    full = (0.60 * lasts_s, 0.60 * lasts_s + 2 * options.every)
    began = time.monotonic()
    is_away = is_full = False
    down_until, killed = 0.0, 0
    try:
        while True:
            now = time.monotonic() - began
            assert now < lasts_s + 120, "the campaign does not end"
            if kills and now >= kills[0]:
                kills.pop(0)
                killed += command.kill()
                down_until = now + chance.choice((0, 0.2, 1.5 * options.every))
            if (away[0] <= now < away[1]) != is_away:
                is_away = not is_away
                line.kill("b") if is_away else line.start("b")
            if (full[0] <= now < full[1]) != is_full:
                is_full = not is_full
            if command.process and command.process.poll() is None:
                limit = (1 if is_full else resource.RLIM_INFINITY, resource.RLIM_INFINITY)
                resource.prlimit(command.process.pid, resource.RLIMIT_FSIZE, limit)
            if now >= down_until and command.start_if_gone(twice=chance.random() < 0.5) is not None:
                break
            time.sleep(0.05)
    finally:
        line.stop()
        command.kill()
    log = [json.loads(one) for one in open(kept / "slots.jsonl")]
    slots = [one["slot"] for one in log if "slot" in one]
    assert [one["number"] for one in slots] == list(range(1, options.slots + 1)), [one["number"] for one in slots]
    outcomes = collections.Counter(one["outcome"] for one in slots)
    total = sum(check_numbers(line, kept / one["run"]) for one in slots if "run" in one)
    runs = {one["run"] for one in slots if "run" in one}
    there = {one.parent.name for one in kept.glob("run-*/journal.jsonl")}
    assert runs == there, f"runs without a slot: {there - runs}, slots without a run: {runs - there}"
    print(f"{options.slots} slots, each with one record: {dict(outcomes)}; {killed} kills, {command.starts} starts, "
          f"exit codes {dict(command.ended)}; {total} measurements, none lost; {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
