"""Kills a node in the middle of a run, starts it again after a while, and checks that every loss is reported.

The controller tells which node was lost and that it is there again, the time is counted apart, and every number that
either sender's journal says was sent is in the table with an outcome. usage: lost_node.py VQAS CORPUS FOLDER"""
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

from line import Line, RtpLine, free_ports

AWAY_S = 2
DEADLINE_S = 240


class DirectRtpLine(RtpLine):
    """Two nodes that speak RTP with each other."""

    def __init__(self, vqas, corpus, folder):
        self.vqas, self.corpus, self.folder = vqas, corpus, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        a, b = free_ports(2)
        self.node_a, self.node_b = f"ws://127.0.0.1:{a}", f"ws://127.0.0.1:{b}"
        rtp = {"a": 21000 + 8 * (a % 1000), "b": 21004 + 8 * (a % 1000)}
        self.commands = {}
        for end, other, port in (("a", "b", a), ("b", "a", b)):
            self.commands[end] = ["node", "--end", end, "--line", f"rtp:127.0.0.1:{rtp[end]}/127.0.0.1:{rtp[other]}",
                                  "--control", f"127.0.0.1:{port}", "--data", str(self.folder / end), "--corpus",
                                  str(corpus)]
        self.processes, self.ready = {}, {}
        for name in ("a", "b"):
            self.start(name)


def sent_by(line, end):
    """Numbers that the node at `end` began to send, by its own journal."""
    numbers = set()
    for text in open(line.folder / end / "node-journal.jsonl"):
        try:
            entry = json.loads(text)
        except ValueError:
            continue  # torn by the kill
        if "sent" in entry:
            numbers.add(entry["sent"]["sequence"])
    return numbers


def wait_for(what, condition):
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, f"waited too long for {what}"
        time.sleep(0.02)


def show(kind, folder, vqas, corpus, stimuli, victim="b"):
    line = kind(vqas, corpus, folder / "nodes")
    run = folder / "run"
    errors = folder / "controller.err"
    controller = subprocess.Popen(
        [vqas, "measure", "--node-a", line.node_a, "--node-b", line.node_b, "--out", str(run), "--corpus", corpus,
         "--stimuli", stimuli, "--cap", "5", "--seed", "3", "--duplex", "both", "--link-patience", "120"], stdout=open(folder / "controller.out", "w"), stderr=open(errors, "w"))
    try:
        journal = line.folder / victim / "node-journal.jsonl"
        wait_for("a second transmission of the victim", lambda: journal.exists() and len(sent_by(line, victim)) >= 2)
        line.kill(victim)
        wait_for("the controller's word", lambda: f"node {victim} at" in errors.read_text() or controller.poll() is not None)
        time.sleep(AWAY_S)
        line.start(victim)
        wait_for("the end of the run", lambda: controller.poll() is not None)
        told = errors.read_text()
        assert controller.returncode == 0, (controller.returncode, told)
        assert f"node {victim} at" in told and "is out of reach" in told, told
        assert "is there again" in told, told
        results = json.load(open(run / "results.json"))
        assert results["timing"].get("lost_seconds", 0) >= AWAY_S, results["timing"]
        lost = 0
        for direction in results["directions"]:
            table = {one["sequence"]: one for stimulus in direction["stimuli"] for one in stimulus["measurements"]}
            sent = sent_by(line, direction["from"])
            assert sent == set(table), f"{direction['from']}: sent {sorted(sent)}, in the table {sorted(table)}"
            for stimulus in direction["stimuli"]:
                assert stimulus["stopped_because"] in ("goal", "fallback", "cap_count"), stimulus["stopped_because"]
            for one in table.values():
                lost += one["outcome"] == "line_lost"
                assert one["outcome"] == "scored" or one["reason"], one
                assert one["outcome"] != "scored" or one["marks_found"] in ("both", "trailing_only"), one
        assert lost > 0, "the kill fell between two transmissions"
        print(f"{kind.__name__}: lost for {results['timing']['lost_seconds']:.1f} s, {lost} transmissions lost with it")
    finally:
        if controller.poll() is None:
            controller.kill()
        line.stop()


def main():
    vqas, corpus, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    # A simulated line is fast: enough that the kill falls into the run.
    for kind, stimuli in ((Line, "M4,F4,M6,F6,M1,F1"), (DirectRtpLine, "M4")):
        (folder / kind.__name__).mkdir(parents=True)
        show(kind, folder / kind.__name__, vqas, corpus, stimuli)
    shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
