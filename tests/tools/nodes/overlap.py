"""The share of a line's time that is speech with a result, over a slow control link, and the use of the rest.

Two nodes and a controller as processes: in real time over RTP with bit errors put in, or in virtual time over `vqas sim`.
Times are the senders' own, from their journals; they have one clock. Directions that take turns share the line's time: then it is
counted for both together. usage: overlap.py VQAS CORPUS FOLDER [--virtual] [--round-trip-s 0.6] [--duplex one] …"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import wave
from pathlib import Path

from late_link import LateLink
from line import Line, RtpLine

GAP_S, LEADING_S, TRAILING_S = 0.2, 0.452, 0.136


def departures(journal):
    """When each transmission of this end left, in s of its own clock."""
    found = {}
    for line in open(journal):
        entry = json.loads(line)
        if "sent" in entry:
            found[entry["sent"]["sequence"]] = entry["sent"]["left_at_ns"] * 1e-9
    return found


def account(directions, left, seconds, guard_s):
    """Where the time of directions went that share it, from the gap before the first transmission to the end of the last.
    `left`: by direction, when each left."""
    marks_s = LEADING_S + TRAILING_S + 2 * guard_s
    counted = [(direction["from"], one["sequence"], stimulus["stimulus"], one["outcome"]) for direction in directions
               for stimulus in direction["stimuli"] for one in stimulus["measurements"]]
    spans = sorted((left[end][n], left[end][n] + seconds[name] + marks_s, end, n)
                   for end, n, name, _ in counted if n in left[end])
    whole = max(span[1] for span in spans) - spans[0][0] + GAP_S
    speech = sum(seconds[name] for _, _, name, outcome in counted if outcome == "scored")
    spoilt = sum(seconds[name] for _, _, name, outcome in counted if outcome != "scored")
    pauses = [(after[0] - before[1] - GAP_S, before, after) for before, after in zip(spans, spans[1:])]
    bound = sum(seconds[name] for _, _, name, _ in counted) / sum(
        seconds[name] + marks_s + GAP_S for _, _, name, _ in counted)
    turns = [pause for pause, before, after in pauses if before[2] != after[2]]
    return {"transmissions": len(spans), "line_s": whole, "speech_s": speech, "share": speech / whole, "bound": bound,
            "spoilt_s": spoilt, "marks_and_guards_s": marks_s * len(spans), "gaps_s": GAP_S * len(spans),
            "idle_s": sum(pause for pause, _, _ in pauses), "turns": len(turns), "idle_at_turns_s": sum(turns),
            "pauses": [(before[2], before[3], round(pause, 2)) for pause, before, _ in pauses if pause > 0.1],
            "outcomes": {outcome: sum(1 for *_, other in counted if other == outcome) for *_, outcome in counted}}


def watch(command):
    """Runs a measurement; returns its exit code, of each progress line its time, measured, expected_total and
    remaining_s, and the end time of the run."""
    told = []
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "progress" and event["remaining_s"] is not None and event["remaining_s"] >= 0:
                told.append((time.monotonic(), event["measured"], event["expected_total"], event["remaining_s"]))
    return process.returncode, told, time.monotonic()


def judge_estimate(told, ended, began):
    """Of the moments in the second half: how many had an estimate within 20 % of the time left, within 20 % and
    a second, and within 20 % of the whole; and how many had a count of measurements left within 20 %."""
    half = began + (ended - began) / 2
    last = max((measured for _, measured, _, _ in told), default=0)
    late = [(ended - at, remaining, last - measured, total - measured) for at, measured, total, remaining in told if at >= half]
    return {"estimates": len(late),
            "within_20_percent_of_left": sum(abs(told_s - left) <= 0.2 * left for left, told_s, _, _ in late),
            "within_20_percent_and_1_s": sum(abs(told_s - left) <= 0.2 * left + 1 for left, told_s, _, _ in late),
            "within_20_percent_of_whole": sum(abs(told_s - left) <= 0.2 * (ended - began) for left, told_s, _, _ in late),
            "count_within_20_percent": sum(abs(more - left) <= 0.2 * left for _, _, left, more in late)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vqas")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--virtual", action="store_true", help="the simulated line in virtual time")
    parser.add_argument("--round-trip-s", type=float, default=0.6)
    parser.add_argument("--ber", default="1e-4")
    parser.add_argument("--cap", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--duplex", default="auto", choices=["auto", "both", "one"])
    parser.add_argument("--stimuli", default="")
    parser.add_argument("--guard-s", type=float, default=0.05)
    parser.add_argument("--urgent", action="store_true", help="nodes before other programs (needs root)")
    parser.add_argument("--at-least", type=float, default=0, help="fail below this share in a direction")
    parser.add_argument("--trace", action="store_true", help="print each estimate of the remaining time")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    kind = Line if options.virtual else RtpLine
    line = kind(options.vqas, options.corpus, options.folder, ber=options.ber, seed=options.seed)
    for process in line.processes.values() if options.urgent else ():
        for thread in os.listdir(f"/proc/{process.pid}/task"):
            os.setpriority(os.PRIO_PROCESS, int(thread), -15)
    links = [LateLink(int(address.rsplit(":", 1)[1]), options.round_trip_s / 2) for address in (line.node_a, line.node_b)]
    run = options.folder / "run"
    try:
        arguments = ["--stimuli", options.stimuli] if options.stimuli else []
        began = time.monotonic()
        code, told, ended = watch([options.vqas, "measure", "--node-a", f"ws://127.0.0.1:{links[0].port}", "--node-b",
                                   f"ws://127.0.0.1:{links[1].port}", "--out", run, "--corpus", options.corpus, "--cap",
                                   str(options.cap), "--seed", str(options.seed), "--duplex", options.duplex, "--guard-s", str(options.guard_s),
                                   "--json-lines", *arguments])
    finally:
        line.stop()
        for link in links:
            link.stop()
    seconds = {}
    for path in (options.corpus / "8k").glob("*.wav"):
        with wave.open(str(path)) as file:
            seconds[path.stem] = file.getnframes() / file.getframerate()
    results = json.load(open(run / "results.json"))
    least = 1
    directions = results["directions"]
    left = {one["from"]: departures(options.folder / one["from"] / "node-journal.jsonl") for one in directions}
    shared = results["line"].get("duplex") == "one" and len(directions) > 1
    for group in [directions] if shared else [[one] for one in directions]:
        where = account(group, left, seconds, options.guard_s)
        least = min(least, where["share"])
        name = "in turn" if shared else f"{group[0]['from']} to {group[0]['to']}"
        print(f"{name}: {100 * where['share']:.1f} % of {where['line_s']:.1f} s (bound {100 * where['bound']:.1f} %)",
              json.dumps(where))
    print(f"exit code {code}, line time of the run {results['timing']['line_seconds']:.1f} s, wall "
          f"{results['timing']['wall_seconds']:.1f} s, duplex {results['line'].get('duplex')}")
    print("remaining time, from half-way on:", json.dumps(judge_estimate(told, ended, began)))
    if options.trace:
        for at, measured, total, remaining in told:
            print(f"{at - began:.2f} s: {measured} of {total}, told {remaining:.2f} s, left {ended - at:.2f} s")
    return 1 if code != 0 or least < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
