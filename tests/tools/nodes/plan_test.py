"""A plan's settings of its line take effect in the run: redial, duplex, link_patience_s.

usage: plan_test.py VQAS CORPUS FOLDER [CASE...]"""
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from line import Line, RtpLine

LINE_LOST = 5
STUCK_S = 280  # an overloaded machine
vqas, corpus, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])


def write_plan(line, name, of_line, count, directions="both"):
    path = folder / f"{name}.toml"
    path.write_text(f'[line]\nkind = "nodes"\nnode_a = "{line.node_a}"\nnode_b = "{line.node_b}"\n{of_line}\n'
                    f'[stimuli]\ncorpus = "{corpus}"\nstimuli = ["M4"]\ndirections = "{directions}"\n'
                    f'[precision]\nfirst_count = {count}\ncap_count = {count}\n')
    return path


def measure(line, name, of_line, count, at_third=None, **plan):
    """Measures by a plan; calls `at_third` at the third reported measurement: in virtual time much more is measured by
    then, so there must be many. Returns exit code, messages, results."""
    command = [vqas, "measure", write_plan(line, name, of_line, count, **plan), "--out", folder / name, "--json-lines"]
    told = 0
    with open(folder / f"{name}.err", "w+") as messages:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=messages, text=True) as process:
            for event in map(json.loads, process.stdout):
                told += event["event"] == "measured"
                if event["event"] == "measured" and told == 3 and at_third:
                    at_third()
            code = process.wait(STUCK_S)
        messages.seek(0)
        return code, messages.read(), json.load(open(folder / name / "results.json"))


def count_of(results):
    return [one["n"] for direction in results["directions"] for one in direction["stimuli"]]


def redial():
    """The call is lost with the simulator; the plan's command redials it."""
    line = Line(vqas, corpus, folder / "redial-line")
    pid = folder / "dialled.pid"
    simulator = " ".join(line.commands["sim"])
    of_line = f"redial = '{vqas} {simulator} > {folder}/dialled.log 2>&1 & echo $! > {pid}; sleep 1'\nredial_s = 1\nwithin_s = 3"
    try:
        code, said, results = measure(line, "redial", of_line, 25, at_third=lambda: line.kill("sim"))
        assert code == 0, (code, said)
        assert pid.exists(), said
        assert "the run waits" in said and "the call is there again" in said, said
        assert count_of(results) == [25, 25], count_of(results)
        calls = {one.get("call") for direction in results["directions"] for one in direction["stimuli"][0]["measurements"]}
        assert len(calls) > 1, calls
        assert results["timing"]["lost_seconds"] > 1, results["timing"]
    finally:
        line.stop()
        if pid.exists():
            os.kill(int(pid.read_text()), signal.SIGTERM)


def link_patience():
    """A node that stays away ends the run after the patience; one that comes back does not."""
    line = Line(vqas, corpus, folder / "patience-line")
    try:
        code, said, results = measure(line, "short", "link_patience_s = 1", 25, at_third=lambda: line.kill("b"))
        assert code == LINE_LOST and "node b" in said, (code, said)
        assert sum(count_of(results)) >= 3, count_of(results)
        line.start("b")

        def again():
            line.kill("b")
            line.start("b")
        code, said, results = measure(line, "long", f"link_patience_s = {STUCK_S}", 25, at_third=again)
        assert code == 0, (code, said)
        assert count_of(results) == [25, 25], count_of(results)
    finally:
        line.stop()


def duplex():
    """In real time: in turn takes the sum of the directions' times, both at a time no more than the longer one."""
    line = RtpLine(vqas, corpus, folder / "duplex-line", ber=0)
    try:
        seconds = {}
        for kind in ("one", "both"):
            code, said, results = measure(line, kind, f'duplex = "{kind}"', 2)
            assert code == 0, (code, said)
            assert results["line"]["duplex"] == kind, results["line"]
            sent = sum(len(one["measurements"]) for direction in results["directions"] for one in direction["stimuli"])
            seconds[kind] = results["timing"]["line_seconds"] / sent
        assert seconds["one"] > 1.4 * seconds["both"], seconds
    finally:
        line.stop()


cases = {"redial": redial, "link_patience": link_patience, "duplex": duplex}
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
for case in sys.argv[4:] or cases:
    cases[case]()
    print(f"{case}: as in the plan", flush=True)
